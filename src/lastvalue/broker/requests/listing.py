"""Lists of very many nodes, as answers to requests."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import Any, Final, final

from mypy_extensions import i64

from lastvalue.broker.administration.request import text_in, whole_number_in
from lastvalue.broker.long_commands import LongCommand, LongCommands
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import EncodedValue

_NO_BOUND: Final = 2**31

LISTED_AT_ONCE: Final = 10
"""How many nodes a turn describes at most: a few milliseconds."""


@final
class Page:
    """The part of a list that a request asks for.

    Args:
        body: `after`: names after this one; `contains`: names with this text; `count`: at most this many.

    Raises:
        InvalidSpecError: one of these has a wrong type.

    Attributes:
        count: the most descriptions.
    """

    __slots__ = ("_after", "_contains", "count")

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._after = text_in(body, "after")
        self._contains = text_in(body, "contains")
        self.count: i64 = min(whole_number_in(body, "count", _NO_BOUND, 1), _NO_BOUND)

    def of(self, names: Iterable[str]) -> list[str]:
        """The names that may be on the page, sorted."""
        found = sorted(names)
        found = found[bisect_right(found, self._after) :] if self._after else found
        return [name for name in found if self._contains in name] if self._contains else found


@final
class Listing(LongCommand):
    """Collects descriptions in steps.

    Args:
        found: the descriptions, made one by one; None of what is gone or the caller may not see.
        connection: see LongCommand.
        most: at most this many.

    Attributes:
        descriptions: so far. Those that were made in later turns than the first are encoded.
    """

    __slots__ = ("_found", "_most", "descriptions")

    def __init__(self, found: Iterable[object], connection: i64, most: i64 = _NO_BOUND) -> None:
        super().__init__(connection, LISTED_AT_ONCE, changes=False)
        self.descriptions: list[object] = []
        self._found = iter(found)
        self._most = most

    def begin(self, commands: LongCommands, now: i64) -> list[object]:
        """Begin the list; returns the descriptions, which are complete at its end."""
        commands.begin(self, now)
        return self.descriptions

    def step(self, now: i64) -> bool:
        """See LongCommand."""
        del now
        descriptions = self.descriptions
        description = next(self._found, _END)
        if description is _END or len(descriptions) == self._most:
            return False
        if description is not None:
            descriptions.append(EncodedValue(encode_value(description)) if self.is_long else description)
        return True


_END: Final = object()
