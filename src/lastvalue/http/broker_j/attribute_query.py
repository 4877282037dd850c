"""Queries over objects: which attributes of which of them, and in what order."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastvalue.http.problems import FieldProblem
from lastvalue.model.message import FieldValue, Message
from lastvalue.selectors import InvalidSelectorError, parse_selector

_SELECTED: Final = re.compile(r"([\w.$]+)(?:\s+as\s+([\w.$]+))?", re.IGNORECASE | re.ASCII)
_ORDERED: Final = re.compile(r"([\w.$]+)(?:\s+(asc|desc))?", re.IGNORECASE | re.ASCII)


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
            Problem: one of them is not valid.
        """
        selected = [_SELECTED.fullmatch(each) for each in _listed(self.select) or ["id"]]
        ordered = [_ORDERED.fullmatch(each) for each in _listed(self.order_by)]
        if None in selected:
            expected = "names of attributes, each with AS and a header if wanted"
            raise FieldProblem("select", f"select is {self.select!r:.80}; expected {expected}")
        if None in ordered:
            expected = "names of attributes, each with ASC or DESC if wanted"
            raise FieldProblem("orderBy", f"orderBy is {self.order_by!r:.80}; expected {expected}")
        flat = [{**each, **each.get("statistics", {})} for each in objects]
        chosen = [each for each in flat if self._admits(each)]
        for name, direction in (each.groups() for each in reversed(ordered) if each is not None):
            chosen.sort(key=lambda it: _rank(it.get(name)), reverse=(direction or "").lower() == "desc")
        end = None if self.limit < 0 else self.offset + self.limit
        names = [each.groups() for each in selected if each is not None]
        rows = [[each.get(name) for name, _ in names] for each in chosen[self.offset : end]]
        return {"headers": [header or name for name, header in names], "results": rows, "total": len(chosen)}

    def _admits(self, attributes: Mapping[str, Any]) -> bool:
        if not self.where:
            return True
        try:
            return parse_selector(self.where).matches(_Attributes(attributes))
        except InvalidSelectorError as error:
            raise FieldProblem("where", f"where: {error}") from None


class _Attributes(Message):
    """Attributes that a selector reads as it reads the properties of a message."""

    def __init__(self, attributes: Mapping[str, Any]) -> None:
        super().__init__(b"")
        self.attributes = attributes

    def field(self, name: str) -> FieldValue:
        value = self.attributes.get(name)
        return value if isinstance(value, bool | int | float | str) else None


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
