"""Lists of what there is, as JSON: filtered, sorted and in pages."""

from bisect import insort
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Final, final

from lastvalue.broker.long_commands import LOOKED_IN_A_STEP, STEPS, LongCommand
from lastvalue.compat.artemis.management.management_call import ManagementCall, ManagementError, read_json
from lastvalue.model.errors import LastvalueError
from lastvalue.model.jsonable import strict_json
from lastvalue.model.memory_budget import MemoryAccount

Row = dict[str, Any]
_AT_ONCE: Final = 50
"""How many rows a turn makes at most: a few milliseconds."""
CHANGED_AT_ONCE: Final = 10
"""How many queues a turn changes or deletes at most: a few milliseconds."""
_ROW_BYTES: Final = 256
"""The memory of a row besides its text."""
MOST_ANSWER_BYTES: Final = 4 << 20
"""The longest list that is answered: some milliseconds of work."""


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
    """Makes the rows of a list in steps; what they take meanwhile counts as memory of the caller's user.

    Args:
        call: that asks for them.
        made: the rows, made one by one; None of what is gone or the caller may not see.
        options: Artemis's filter: JSON with `field`, `operation`, `value`, `sortField`, `sortOrder`; or "".
        page: from 1, and its size; -1 is all.

    Raises:
        ManagementError: the filter is malformed.
    """

    __slots__ = (
        "_admits", "_count", "_descending", "_fault", "_made", "_memory", "_page", "_shown_bytes",
        "_sort_field", "_texts",
    )  # fmt: skip

    def __init__(
        self,
        call: ManagementCall,
        made: Iterable[Row | None],
        options: object = "",
        page: tuple[int, int] = (-1, -1),
    ) -> None:
        super().__init__(call.owner.connection, _AT_ONCE)
        wanted = _options(options)
        self._made = iter(made)
        # The places of the rows that are shown: from the first to before the second.
        number, size = page
        self._page = None if -1 in page else (max(0, number - 1) * size, max(0, number) * size)
        # With the place in the order, which is that of the rows where nothing else is asked for.
        self._texts: list[tuple[tuple[bool, float, str], int, str]] = []
        self._count = 0
        self._shown_bytes = 0
        self._fault: LastvalueError | None = None
        self._memory = MemoryAccount(call.broker.memory)
        self._memory.belong(call.owner.principal)
        self._sort_field = str(wanted.get("sortField", wanted.get("sortColumn", "")))
        self._descending = str(wanted.get("sortOrder", "asc")).lower() == "desc"
        self._admits = _row_filter(wanted)
        call.broker.long_commands.begin(self, call.moment)

    def step(self, now: int) -> bool:
        """See LongCommand."""
        del now
        try:
            for row in self._made:
                if row is not None and self._admits(row):
                    self._add(row)
                return True
        except LastvalueError as fault:
            self._fault = fault
            self._texts = []
        # The answer follows at once.
        self._memory.close()
        return False

    def _add(self, row: Row) -> None:
        place, number = (False, 0.0, ""), self._count
        self._count += 1
        if self._sort_field:
            value = row.get(self._sort_field, "")
            rank = _number(value)
            place = rank is None, rank or 0.0, str(value)
        elif self._page is not None and not self._page[0] <= number < self._page[1]:
            return
        # Without spaces, as Artemis writes it: its tool looks for such text.
        text = strict_json(row, separators=(",", ":"))
        self._memory.take(_ROW_BYTES + len(text))
        if not self._sort_field:
            self._count_shown(text)
        # Rows of the same place keep their order in either direction.
        insort(self._texts, (place, -number if self._descending else number, text))

    def _count_shown(self, text: str) -> None:
        self._shown_bytes += len(text)
        if self._shown_bytes > MOST_ANSWER_BYTES:
            hint = "choose some by a filter, or ask for a page"
            raise ManagementError(f"the answer has more than {MOST_ANSWER_BYTES} bytes; {hint}")

    def page(self) -> str:
        """The page, complete at the end of the command, and the number of all rows.

        Raises:
            LastvalueError: it is too large.
        """
        return f'{{"data":[{self._shown()}],"count":{self.count()}}}'

    def array(self) -> str:
        """All rows.

        Raises:
            LastvalueError: they are too many.
        """
        return f"[{self._shown()}]"

    def count(self) -> int:
        """How many rows there are.

        Raises:
            LastvalueError: there is no room for them.
        """
        if self._fault is not None:
            raise self._fault
        return self._count

    def _shown(self) -> str:
        self.count()
        texts = [text for _, _, text in (reversed(self._texts) if self._descending else self._texts)]
        if self._sort_field:
            if self._page is not None:
                texts = texts[self._page[0] : self._page[1]]
            for text in texts:
                self._count_shown(text)
        return ",".join(texts)


@final
class Names(LongCommand):
    """Finds names in steps; None among them counts as none."""

    __slots__ = ("_found", "_names")

    def __init__(self, call: ManagementCall, names: Iterable[str | None]) -> None:
        super().__init__(call.owner.connection, STEPS)
        self._names = iter(names)
        self._found: list[str] = []
        call.broker.long_commands.begin(self, call.moment)

    def step(self, now: int) -> bool:
        """See LongCommand."""
        del now
        names = list(islice(self._names, LOOKED_IN_A_STEP))
        self._found += [name for name in names if name is not None]
        return len(names) == LOOKED_IN_A_STEP

    def names(self) -> list[str]:
        """The names, at the end of the command.

        Raises:
            ManagementError: they are too many for an answer.
        """
        if sum(map(len, self._found)) > MOST_ANSWER_BYTES:
            raise ManagementError(f"the names have more than {MOST_ANSWER_BYTES} characters; ask for a page")
        return self._found

    def count(self) -> int:
        """How many there are, at the end of the command."""
        return len(self._found)


@final
class ForEach(LongCommand):
    """Does something for each of many things in steps; the first that is refused ends it.

    Args:
        call: that asks for it.
        things: for each of them.
        act: does it; it returns a number.
        at_once: how many of them in a turn at most.
    """

    __slots__ = ("_act", "_fault", "_things", "_total")

    def __init__(
        self, call: ManagementCall, things: Iterable[Any], act: Callable[[Any], int], at_once: int = _AT_ONCE
    ) -> None:
        super().__init__(call.owner.connection, at_once)
        self._act = act
        self._things = iter(things)
        self._fault: LastvalueError | None = None
        self._total = 0
        call.broker.long_commands.begin(self, call.moment)

    def step(self, now: int) -> bool:
        """See LongCommand."""
        del now
        try:
            for thing in self._things:
                self._total += self._act(thing)
                return True
        except LastvalueError as fault:
            self._fault = fault
        return False

    def total(self) -> int:
        """The sum of the numbers, at the end of the command.

        Raises:
            LastvalueError: one was refused.
        """
        if self._fault is not None:
            raise self._fault
        return self._total

    def done(self) -> None:
        """Nothing, at the end of the command.

        Raises:
            LastvalueError: one was refused.
        """
        self.total()


def _options(options: object) -> Row:
    if not isinstance(options, str) or not options.strip():
        return {}
    found = read_json(options, "the filter")
    if not isinstance(found, dict):
        raise ManagementError(f"the filter is {options!r}; expected a JSON object")
    return found


def _row_filter(wanted: Row) -> Callable[[Row], bool]:
    name, operation, value = (str(wanted.get(each) or "") for each in ("field", "operation", "value"))
    if not operation or not name:
        return lambda _: True
    holds = _OPERATIONS.get(operation)
    if holds is None:
        raise ManagementError(f"operation {operation!r}; expected one of {', '.join(_OPERATIONS)}")
    # [Artemis] Its tool says MESSAGE_COUNT for messageCount.
    wanted_name = name.replace("_", "").lower()
    return lambda row: any(holds(each, value) for field, each in row.items() if field.lower() == wanted_name)
