"""Queries over objects: which attributes of which of them, and in what order."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastvalue.client import Page
from lastvalue.http.problems import FieldProblem
from lastvalue.model.message import FieldValue, Message
from lastvalue.selectors import InvalidSelectorError, parse_selector

_SELECTED: Final = re.compile(r"([\w.$]+)(?:\s+as\s+([\w.$]+))?", re.IGNORECASE | re.ASCII)
_ORDERED: Final = re.compile(r"([\w.$]+)(?:\s+(asc|desc))?", re.IGNORECASE | re.ASCII)


_KEPT_AT_ONCE: Final = 1000
"""How many more rows than are wanted are kept until they are sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeQuery:
    """What `querybroker` and `queryvhost` ask for.

    Attributes:
        select: the attributes of each result, by comma, each with ` as NAME` for another header; empty
            is `id`.
        where: a condition in the selector language, over attributes; empty is all.
        order_by: attributes by comma, each with ` desc` if it descends.
        limit, offset: of the results; a limit of -1 is none.
    """

    select: str = ""
    where: str = ""
    order_by: str = ""
    limit: int = -1
    offset: int = 0

    def answer(self, objects: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The headers, the rows and how many there are without limit.

        Raises:
            FieldProblem: one of them is not valid.
        """
        rows = QueryRows(self)
        rows.add(objects)
        return rows.document()

    def page(self, names: Mapping[str, str]) -> Page | None:
        """The same part of a list that the broker sorts by itself; None if it does not.

        Args:
            names: the broker's names of attributes.
        """
        orders = _ordered(self.order_by)
        if self.where or self.limit < 1 or len(orders) > 1:
            return None
        name, descends = orders[0] if orders else ("name", False)
        if name not in names:
            return None
        sort = "-" * descends + names[name]
        return Page(sort=sort, offset=self.offset, count=self.limit)


class QueryRows:
    """The rows of a query's answer, from objects that come one after another; only those wanted are kept.

    Raises:
        FieldProblem: the query is not valid.
    """

    def __init__(self, query: AttributeQuery) -> None:
        self._columns = _selected(query.select)
        self._orders = _ordered(query.order_by)
        self._offset = query.offset
        self._wanted = None if query.limit < 0 else query.offset + query.limit
        self._rows: list[tuple[list[tuple[int, Any]], list[Any]]] = []
        self._total = 0
        try:
            self._selector = parse_selector(query.where) if query.where else None
        except InvalidSelectorError as error:
            raise FieldProblem("where", f"where: {error}") from None

    def add(self, objects: Iterable[Mapping[str, Any]]) -> None:
        """Take the next objects."""
        selector = self._selector
        for each in objects:
            found = {**each, **each.get("statistics", {})}
            if selector is None or selector.matches(_Attributes(found)):
                ranks = [_rank(found.get(name)) for name, _ in self._orders]
                self._rows.append((ranks, [found.get(name) for name, _ in self._columns]))
                self._total += 1
        if self._wanted is not None and len(self._rows) > self._wanted + _KEPT_AT_ONCE:
            self._sort()
            del self._rows[self._wanted :]

    def document(self, total: int | None = None) -> dict[str, Any]:
        """The headers, the rows and how many there are without limit: `total`, or all that were added."""
        self._sort()
        rows = [row for _, row in self._rows[self._offset : self._wanted]]
        headers = [header for _, header in self._columns]
        return {"headers": headers, "results": rows, "total": self._total if total is None else total}

    def _sort(self) -> None:
        for place, (_, descends) in reversed([*enumerate(self._orders)]):
            self._rows.sort(key=lambda row: row[0][place], reverse=descends)


class _Attributes(Message):
    """Attributes that a selector reads as it reads the properties of a message."""

    def __init__(self, attributes: Mapping[str, Any]) -> None:
        super().__init__(b"")
        self.attributes = attributes

    def field(self, name: str) -> FieldValue:
        value = self.attributes.get(name)
        return value if isinstance(value, bool | int | float | str) else None


def _selected(select: str) -> list[tuple[str, str]]:
    """Each attribute that is selected, and its header."""
    found = [_SELECTED.fullmatch(each) for each in _listed(select) or ["id"]]
    if None in found:
        expected = "names of attributes, each with AS and a header if wanted"
        raise FieldProblem("select", f"select is {select!r:.80}; expected {expected}")
    return [(each[1], each[2] or each[1]) for each in found if each is not None]


def _ordered(order_by: str) -> list[tuple[str, bool]]:
    """Each attribute that decides about the order, and whether it descends."""
    found = [_ORDERED.fullmatch(each) for each in _listed(order_by)]
    if None in found:
        expected = "names of attributes, each with ASC or DESC if wanted"
        raise FieldProblem("orderBy", f"orderBy is {order_by!r:.80}; expected {expected}")
    return [(each[1], (each[2] or "").lower() == "desc") for each in found if each is not None]


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _rank(value: object) -> tuple[int, Any]:
    """Sorts values of different types apart, absent ones first."""
    match value:
        case None:
            return 0, 0
        case bool() | int() | float():
            return 1, value
        case _:
            return 2, str(value)
