"""An option of a queue's declaration, and another broker's argument that means several options."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeAlias

from lastvalue.model.composite_key import SEPARATOR, is_composite_key, names_of_key
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.filters import filters_from_json, filters_to_json
from lastvalue.queues.policy import policy_from_text, policy_to_text

Value: TypeAlias = str | int | bool | None


class Kind(Enum):
    """The type of an option's value."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "true or false"
    CHOICE = "one of"


TYPES: Final = ("standard", "lvq", "priority", "sorted")
"""The types of a queue."""


@dataclass(frozen=True)
class Form:
    """The conversions between an option's value and its field's.

    Attributes:
        values: the allowed values; empty if any is allowed.
    """

    to_field: Callable[[Value], Any]
    to_value: Callable[[Any], Value]
    values: tuple[str, ...] = ()


def one_of(*values: str, kind: type[Enum] | None = None) -> Form:
    """One of several texts; with `kind` the field is a member of that Enum."""
    if kind is None:
        return Form(_itself, _itself, values)
    return Form(kind, lambda field: str(field.value), values or tuple(str(each.value) for each in kind))


def either(false: str, true: str, before: tuple[str, ...] = ()) -> Form:
    """One of two texts for a field that is a flag."""
    return Form(lambda value: value == true, lambda field: true if field else false, (*before, false, true))


def or_none(empty: str | None) -> Form:
    """A text; without one the field is `empty`."""
    return Form(lambda value: value or empty, lambda field: field or None)


def _itself(value: Any) -> Any:
    return value


def _filters(value: Value) -> Any:
    return () if value is None else filters_from_json(str(value))


def _filters_text(field: Any) -> Value:
    return filters_to_json(field) if field else None


def _shares(value: Value) -> Any:
    if not value:
        return ()
    try:
        pairs = [part.split(":") for part in str(value).split(",")]
        return tuple(sorted((int(level), int(share)) for level, share in pairs))
    except ValueError:
        raise InvalidSpecError(
            f"fairshare_levels is {value!r}; expected level:messages,… as in 7:0,6:4"
        ) from None


def _shares_text(field: Any) -> Value:
    return ",".join(f"{level}:{share}" for level, share in field) or None


def _policy(value: Value) -> Any:
    return policy_from_text(str(value))


def _names(value: Value) -> Any:
    """The names of the properties of a key, without the spaces that people write behind commas."""
    if not is_composite_key(value):
        return value
    return SEPARATOR.join([name.strip() for name in names_of_key(str(value))])


PLAIN: Final = Form(_itself, _itself)
FILTERS: Final = Form(_filters, _filters_text)
SHARES: Final = Form(_shares, _shares_text)
NAMES: Final = Form(_names, _itself)
POLICY: Final = Form(_policy, policy_to_text)


class Touch(Enum):
    """What an option may touch that does not read the declaration message by message."""

    ALONE = "alone"
    """More than a message's place decides what becomes of it: `FastPath` does not take it."""
    DETAILS = "details"
    """A message has more than its place: its `EntryDetails` take memory."""
    EFFECTS = "effects"
    """Somebody besides the journal reads the effects of each message."""
    TURN = "turn"
    """The broker acts on the effects at the end of a turn."""
    REFUSES = "refuses"
    """The queue refuses some valid messages."""


ALONE: Final = Touch.ALONE
DETAILS: Final = Touch.DETAILS
EFFECTS: Final = Touch.EFFECTS
TURN: Final = Touch.TURN
REFUSES: Final = Touch.REFUSES
EVERYTHING: Final = tuple(Touch)


@dataclass(frozen=True)
class Option:
    """One option of a queue.

    Attributes:
        field: its attribute of `QueueSpec`, or of a part of it, as in `limit.messages`.
        also: other accepted values, in lower case, each with the value it means.
        types: the types of queue that may have it.
        touches: what it touches if it is not the default; an option that does not say it touches EVERYTHING.
        joins: it takes a list of texts too, which becomes one text with commas.
        touching: the values with which it touches that; empty if all but the default do.
        qpid_cpp, broker_j, artemis, rabbitmq: its other names on the wire, by dialect.
    """

    name: str
    field: str
    default: Value
    sentence: str
    unit: str = ""
    form: Form = PLAIN
    also: tuple[tuple[str, str], ...] = ()
    types: tuple[str, ...] = TYPES
    touches: tuple[Touch, ...] = EVERYTHING
    touching: tuple[str, ...] = ()
    joins: bool = False
    qpid_cpp: tuple[str, ...] = ()
    broker_j: tuple[str, ...] = ()
    artemis: tuple[str, ...] = ()
    rabbitmq: tuple[str, ...] = ()

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """Each accepted value in lower case, with the value it means; empty if any value is allowed."""
        return (*((value, value) for value in self.form.values), *self.also)

    @property
    def is_duration(self) -> bool:
        """Whether it is a number of milliseconds, which a text with a unit may tell, too."""
        return self.unit == "milliseconds"

    @property
    def kind(self) -> Kind:
        """The type of its value."""
        if self.form.values:
            return Kind.CHOICE
        if isinstance(self.default, bool):
            return Kind.FLAG
        return Kind.NUMBER if isinstance(self.default, int) else Kind.TEXT

    @property
    def spellings(self) -> tuple[str, ...]:
        """All names of the option, ours first."""
        return (self.name, *self.qpid_cpp, *self.broker_j, *self.artemis, *self.rabbitmq)


Implied: TypeAlias = dict[str, Value]
"""Options and their values."""


@dataclass(frozen=True)
class Alias:
    """Another broker's argument that implies several options, or a value other than its own.

    Attributes:
        decides: the options that it sets, whatever its value.
        meaning: what a value implies; None if the value is for the option that has this spelling.
        types: the types of queue that may have it.
        decides_empty: the options that it sets if it implies nothing, where those are fewer.
        yields: implied options that an explicit one may override; any other must have the same value.
    """

    spelling: str
    decides: tuple[str, ...]
    meaning: Callable[[object], Implied | None]
    types: tuple[str, ...] = TYPES
    decides_empty: tuple[str, ...] | None = None
    yields: tuple[str, ...] = ()

    def implied(self, raw: object) -> Implied | None:
        """What a value implies, or None.

        Raises:
            InvalidSpecError: the argument cannot have this value.
        """
        try:
            return self.meaning(raw)
        except InvalidSpecError as fault:
            raise InvalidSpecError(f"{self.spelling!r} is {raw!r}; {fault}") from None

    def decided(self, raw: object) -> tuple[str, ...]:
        """The options that it sets with this value."""
        if self.decides_empty is not None and not self.implied(raw):
            return self.decides_empty
        return self.decides
