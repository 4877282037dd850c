"""Lists of very many nodes, as answers to requests."""

from collections.abc import Callable, Sequence
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.long_commands import LongCommand, LongCommands
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import EncodedValue

LISTED_AT_ONCE: Final = 10
"""How many nodes a step describes: a few milliseconds."""


@final
class Listing(LongCommand):
    """Describes nodes by their names, in steps.

    Args:
        describe: a node's description, or None where it is gone.
        connection: see LongCommand.

    Attributes:
        descriptions: so far. Those of a list that takes several steps are encoded.
    """

    __slots__ = ("_at", "_describe", "_names", "descriptions")

    def __init__(self, names: Sequence[str], describe: Callable[[str], object], connection: i64) -> None:
        super().__init__(connection)
        self.descriptions: list[object] = []
        self._names = names
        self._describe = describe
        self._at: i64 = 0

    def begin(self, commands: LongCommands, now: i64) -> list[object]:
        """Begin the list; returns the descriptions, which are complete at its end."""
        commands.begin(self, now)
        return self.descriptions

    def step(self, now: i64) -> bool:
        """See LongCommand."""
        del now
        names = self._names
        end: i64 = min(self._at + LISTED_AT_ONCE, len(names))
        while self._at < end:
            description = self._describe(names[self._at])
            self._at += 1
            if description is not None:
                several = len(names) > LISTED_AT_ONCE
                self.descriptions.append(EncodedValue(encode_value(description)) if several else description)
        return self._at < len(names)
