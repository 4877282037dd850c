"""What a declaration touches, by the table of the options."""

from collections.abc import Iterable
from dataclasses import replace
from operator import attrgetter
from typing import Any, Final

from lastvalue.queues.option import Option, Touch
from lastvalue.queues.options import OPTIONS
from lastvalue.queues.spec import (
    LastValue,
    Limit,
    Ordering,
    Priority,
    QueueSpec,
    Sorted,
    Standard,
    WhenFull,
)

_TYPES: Final[dict[type[Ordering], str]] = {
    Standard: "standard",
    LastValue: "lvq",
    Priority: "priority",
    Sorted: "sorted",
}
_MOST_KNOWN: Final = 64
"""Declarations that differ in their options."""


class TouchTable:
    """What the options of declarations touch.

    A hundred thousand queues of a store mostly have the same options, and share what these make; so for a
    declaration like the one before nothing is looked up.
    """

    def __init__(self, options: Iterable[Option]) -> None:
        self._options = [option for option in options if option.touches and option.field]
        self._read = attrgetter("ordering", *{each.field.partition(".")[0] for each in self._options})
        self._known: dict[tuple[Any, ...], frozenset[Touch]] = {}
        self._last: tuple[Any, ...] = ()
        self._touched: frozenset[Touch] = frozenset()

    def of(self, spec: QueueSpec) -> frozenset[Touch]:
        """What a declaration touches."""
        parts = self._read(spec)
        if parts != self._last:
            touched = self._known.get(parts)
            if touched is None:
                touched = self._find(spec)
                if len(self._known) == _MOST_KNOWN:
                    self._known.clear()
                self._known[parts] = touched
            self._touched = touched
            self._last = parts
        return self._touched

    def _find(self, spec: QueueSpec) -> frozenset[Touch]:
        kind = _TYPES[type(spec.ordering)]
        options = [option for option in self._options if kind in option.types and _is_touching(option, spec)]
        return frozenset(touch for option in options for touch in option.touches)


def _is_touching(option: Option, spec: QueueSpec) -> bool:
    """Whether a declaration has an option with a value that touches what the option says."""
    part, _, field = option.field.rpartition(".")
    owner = getattr(spec, part) if part else spec
    if owner is None or part == "grouping":
        # Without groups there are none of their options, and with them there are all.
        return owner is not None
    value = getattr(owner, field)
    if option.touching:
        return value in [option.form.to_field(each) for each in option.touching]
    return bool(value != option.form.to_field(option.default))


TOUCHES: Final = TouchTable(OPTIONS)


def may_refuse(spec: QueueSpec) -> bool:
    """Whether a queue refuses some valid messages; one that drops its oldest has room for a message."""
    limit = spec.limit
    if limit.messages > 0 and limit.size_bytes == 0 and limit.when_full is WhenFull.DROP_OLDEST:
        spec = replace(spec, limit=Limit())
    return Touch.REFUSES in TOUCHES.of(spec)
