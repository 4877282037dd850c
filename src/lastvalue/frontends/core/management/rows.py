"""Lists of what there is, as JSON: filtered, sorted and in pages."""

import json
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Final, final

from lastvalue.broker.long_commands import LongCommand
from lastvalue.frontends.core.management.management_call import ManagementCall, ManagementError

Row = dict[str, Any]
_AT_ONCE: Final = 50
"""How many rows a step makes: a few milliseconds."""


def compact_json(value: object) -> str:
    """JSON without spaces, as Artemis writes it: its tool looks for such text."""
    return json.dumps(value, separators=(",", ":"))


def _number(value: object) -> float | None:
    try:
        return float(str(value))
    except ValueError:
        return None


def _compared(greater: bool) -> Callable[[object, str], bool]:
    def holds(value: object, wanted: str) -> bool:
        mine, other = _number(value), _number(wanted)
        return mine is not None and other is not None and (mine > other if greater else mine < other)

    return holds


_OPERATIONS: Final[dict[str, Callable[[object, str], bool]]] = {
    "CONTAINS": lambda value, wanted: wanted in str(value),
    "NOT_CONTAINS": lambda value, wanted: wanted not in str(value),
    "EQUALS": lambda value, wanted: str(value) == wanted,
    "NOT_EQUALS": lambda value, wanted: str(value) != wanted,
    "GREATER_THAN": _compared(True),
    "LESS_THAN": _compared(False),
}


@final
class Rows(LongCommand):
    """Makes the rows of a list in steps.

    Args:
        call: that asks for them.
        made: the rows, made one by one; None of what is gone or the caller may not see.
        options: Artemis's filter: JSON with `field`, `operation`, `value`, `sortField`, `sortOrder`; or "".
        page: from 1, and its size; -1 is all.

    Raises:
        ManagementError: the filter is malformed.
    """

    __slots__ = ("_admits", "_descending", "_made", "_page", "_rows", "_sort_field")

    def __init__(
        self,
        call: ManagementCall,
        made: Iterable[Row | None],
        options: object = "",
        page: tuple[int, int] = (-1, -1),
    ) -> None:
        super().__init__(call.owner.connection)
        wanted = _options(options)
        self._made = iter(made)
        self._page = page
        self._rows: list[Row] = []
        self._sort_field = str(wanted.get("sortField", wanted.get("sortColumn", "")))
        self._descending = str(wanted.get("sortOrder", "asc")).lower() == "desc"
        self._admits = _admission(wanted)
        call.broker.long_commands.begin(self, call.moment)

    def step(self, now: int) -> bool:
        """See LongCommand."""
        del now
        rows = list(islice(self._made, _AT_ONCE))
        self._rows += [row for row in rows if row is not None and self._admits(row)]
        return len(rows) == _AT_ONCE

    def page(self) -> str:
        """The page, complete at the end of the command, and the number of all rows."""
        rows = self._sorted()
        page, size = self._page
        shown = rows if -1 in self._page else rows[max(0, page - 1) * size : max(0, page) * size]
        return compact_json({"data": shown, "count": len(rows)})

    def array(self) -> str:
        """All rows."""
        return compact_json(self._sorted())

    def count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def _sorted(self) -> list[Row]:
        name = self._sort_field
        if not name:
            return self._rows

        def place(row: Row) -> tuple[bool, float, str]:
            value = row.get(name, "")
            rank = _number(value)
            return rank is None, rank or 0, str(value)

        return sorted(self._rows, key=place, reverse=self._descending)


def _options(options: object) -> Row:
    if not isinstance(options, str) or not options.strip():
        return {}
    try:
        found = json.loads(options)
    except json.JSONDecodeError as fault:
        raise ManagementError(f"the filter is not JSON: {fault}") from None
    if not isinstance(found, dict):
        raise ManagementError(f"the filter is {options!r}; expected a JSON object")
    return found


def _admission(wanted: Row) -> Callable[[Row], bool]:
    name, operation, value = (str(wanted.get(each) or "") for each in ("field", "operation", "value"))
    if not operation or not name:
        return lambda _: True
    holds = _OPERATIONS.get(operation)
    if holds is None:
        raise ManagementError(f"operation {operation!r}; expected one of {', '.join(_OPERATIONS)}")
    # [Artemis] Its tool says MESSAGE_COUNT for messageCount.
    wanted_name = name.replace("_", "").lower()
    return lambda row: any(holds(each, value) for field, each in row.items() if field.lower() == wanted_name)
