"""Lists of very many nodes, as answers to requests."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, final

from mypy_extensions import i64

from lastvalue.broker.long_commands import LongCommand, LongCommands
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import EncodedValue
from lastvalue.model.errors import InvalidSpecError

_NO_BOUND: Final = 2**31

LISTED_AT_ONCE: Final = 10
"""How many nodes a step describes: a few milliseconds."""


@final
class Page:
    """The part of a list that a request asks for.

    Args:
        body: `after`: names after this one; `contains`: names with this text; `count`: so many at most.

    Raises:
        InvalidSpecError: one of these has a wrong type.

    Attributes:
        count: the most descriptions.
    """

    __slots__ = ("_after", "_contains", "count")

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._after = _text(body, "after")
        self._contains = _text(body, "contains")
        count = body.get("count", _NO_BOUND)
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise InvalidSpecError(f"count is {count!r}; expected a whole number from 1")
        self.count: i64 = min(count, _NO_BOUND)

    def of(self, names: Iterable[str]) -> list[str]:
        """The names that may be on the page, sorted."""
        return sorted(name for name in names if name > self._after and self._contains in name)


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name, "")
    if not isinstance(value, str):
        raise InvalidSpecError(f"{name} is {value!r}; expected text")
    return value


@final
class Listing(LongCommand):
    """Describes nodes by their names, in steps.

    Args:
        page: which of them.
        describe: a node's description, or None where it is gone or the caller may not see it.
        connection: see LongCommand.

    Attributes:
        descriptions: so far. Those of a list that takes several steps are encoded.
    """

    __slots__ = ("_at", "_describe", "_most", "_names", "descriptions")

    def __init__(
        self, names: Iterable[str], page: Page, describe: Callable[[str], object], connection: i64
    ) -> None:
        super().__init__(connection)
        self.descriptions: list[object] = []
        self._names = page.of(names)
        self._most = page.count
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
            if len(self.descriptions) == self._most:
                return False
            description = self._describe(names[self._at])
            self._at += 1
            if description is not None:
                several = len(names) > LISTED_AT_ONCE
                self.descriptions.append(EncodedValue(encode_value(description)) if several else description)
        return self._at < len(names)
