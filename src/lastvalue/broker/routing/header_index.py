"""The bindings of a headers exchange, found by the fields of a message."""

from math import isnan
from typing import Any, Final, TypeAlias, final

from mypy_extensions import i64

from lastvalue.broker.routing.bindings import Binding, Conditions
from lastvalue.codec.amqp10.fields import STANDARD_FIELDS, utf8_of
from lastvalue.model.message import FieldValue, Message, PropertyName

_Place: TypeAlias = tuple[str, Any]
"""The name of a field, and what its value has to be, as `_comparable` makes it; or PRESENT."""

# Objects and not tuples: of a constant tuple a compiled module makes another one wherever it is named.
_PRESENT: Final = object()
_NOT_EQUAL: Final = object()
_NEVER: Final = object()


def _comparable(value: FieldValue) -> Any:
    """A value that is equal to others exactly if `x-match` takes the two values for equal.

    The width of integers and of floats does not matter, their kind does, and so does that of a flag.
    """
    if isinstance(value, bool):
        return "flag", value
    if isinstance(value, float):
        return _NOT_EQUAL if isnan(value) else ("float", value)
    return value


@final
class _Group:
    """Bindings with equal conditions.

    Attributes:
        every: all conditions must hold; otherwise one is enough.
        places: the conditions.
        filed: those of them under which the group is found.
    """

    __slots__ = ("bindings", "every", "filed", "key", "places")

    def __init__(self, key: object, every: bool, places: list[_Place]) -> None:
        self.key = key
        self.every = every
        self.places = places
        self.filed: list[_Place] = []
        self.bindings: dict[Binding, None] = {}

    def holds(self, values: dict[str, Any], present: dict[str, None]) -> bool:
        """Whether a message with these values meets every condition."""
        for name, wanted in self.places:
            if wanted is _PRESENT:
                if name not in present:
                    return False
            elif name not in values or values[name] != wanted:
                return False
        return True


@final
class HeaderIndex:
    """An index of bindings by their conditions.

    A group of which every condition must hold is filed under the one under which the fewest groups are,
    another one under each of its conditions. So a message costs one walk over its fields, and the groups
    that are filed under what it has.

    Attributes:
        steps: how many fields and groups the last match looked at.
    """

    __slots__ = ("_always", "_by_place", "_groups", "_names", "_of_name", "_standard", "steps")

    def __init__(self) -> None:
        self.steps: i64 = 0
        self._groups: dict[object, _Group] = {}
        self._by_place: dict[_Place, dict[_Group, None]] = {}
        # The names in conditions by their UTF-8, and in how many of them each is.
        self._names: dict[bytes, str] = {}
        self._of_name: dict[str, int] = {}
        # The fields of other sections that have to be present: `key` reads a property of that name first.
        self._standard: dict[str, PropertyName] = {}
        # Without conditions all hold.
        self._always: dict[Binding, None] = {}

    def add(self, binding: Binding, conditions: Conditions) -> None:
        """Add a binding."""
        places = _places(conditions)
        if not places:
            if conditions.every:
                self._always[binding] = None
            return
        key = (conditions.every, frozenset(places))
        group = self._groups.get(key)
        if group is None:
            group = _Group(key, conditions.every, places)
            self._groups[key] = group
            self._file(group)
        group.bindings[binding] = None

    def _file(self, group: _Group) -> None:
        group.filed = [min(group.places, key=self._weight)] if group.every else group.places
        for place in group.filed:
            self._by_place.setdefault(place, {})[group] = None
        for name, wanted in group.places:
            self._names[utf8_of(name)] = name
            self._of_name[name] = self._of_name.get(name, 0) + 1
            if wanted is _PRESENT and name in STANDARD_FIELDS:
                self._standard[name] = PropertyName(name)

    def _weight(self, place: _Place) -> tuple[bool, int]:
        return place[1] is _PRESENT, len(self._by_place.get(place, ()))

    def remove(self, binding: Binding, conditions: Conditions) -> None:
        """Remove a binding that was added with these conditions."""
        self._always.pop(binding, None)
        key = (conditions.every, frozenset(_places(conditions)))
        group = self._groups.get(key)
        if group is None:
            return
        group.bindings.pop(binding, None)
        if not group.bindings:
            del self._groups[key]
            self._take_out(group)

    def _take_out(self, group: _Group) -> None:
        for place in group.filed:
            filed = self._by_place[place]
            del filed[group]
            if not filed:
                del self._by_place[place]
        for name, _ in group.places:
            self._of_name[name] -= 1
            if self._of_name[name] == 0:
                del self._of_name[name]
                del self._names[utf8_of(name)]
                self._standard.pop(name, None)

    def match(self, message: Message) -> list[Binding]:
        """The bindings whose conditions the message meets."""
        found = list(self._always)
        if not self._groups:
            return found
        values: dict[str, Any] = {}
        present: dict[str, None] = {}
        for name, value in message.fields(self._names).items():
            values[name] = _comparable(value)
            if name not in STANDARD_FIELDS:
                present[name] = None
        for name, property_name in self._standard.items():
            if message.key(property_name) is not None:
                present[name] = None
        candidates = self._candidates(values, present)
        self.steps = len(values) + len(candidates)
        for group in candidates:
            if not group.every or group.holds(values, present):
                found.extend(group.bindings)
        return found

    def _candidates(self, values: dict[str, Any], present: dict[str, None]) -> dict[_Group, None]:
        """The groups that are filed under something that a message has."""
        candidates: dict[_Group, None] = {}
        by_place = self._by_place
        for name, comparable in values.items():
            filed = by_place.get((name, comparable))
            if filed is not None:
                candidates.update(filed)
        for name in present:
            filed = by_place.get((name, _PRESENT))
            if filed is not None:
                candidates.update(filed)
        return candidates


def _places(conditions: Conditions) -> list[_Place]:
    return [(name, _wanted(value)) for name, value in conditions.wanted]


def _wanted(value: FieldValue) -> Any:
    if value is None:
        return _PRESENT
    comparable = _comparable(value)
    return _NEVER if comparable is _NOT_EQUAL else comparable
