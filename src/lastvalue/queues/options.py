"""One table of what a queue may be declared with, and how each dialect spells it.

Declare arguments, management requests, command line flags and the reference page derive from it.
"""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.spec import LastValue, Limit, Ordering, QueueSpec, Standard, WhenFull


class Kind(Enum):
    """The type of an option's value."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "true or false"
    CHOICE = "one of"


@dataclass(frozen=True)
class Option:
    """One option of a queue.

    Attributes:
        spellings: other names for it on the wire, by dialect.
        choices: for a CHOICE, each accepted value and ours for it.
    """

    name: str
    kind: Kind
    default: str | int | bool | None
    sentence: str
    unit: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    qpid_cpp: tuple[str, ...] = ()
    broker_j: tuple[str, ...] = ()
    artemis: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every name the option has, ours first."""
        return (self.name, *self.qpid_cpp, *self.broker_j, *self.artemis)


OPTIONS: tuple[Option, ...] = (
    Option(
        "type",
        Kind.CHOICE,
        "standard",
        "The order of the queue: first in first out, or the newest message per key.",
        choices=(("standard", "standard"), ("lvq", "lvq")),
    ),
    Option(
        "lvq_key",
        Kind.TEXT,
        None,
        "The property whose value is the last-value key; it makes the queue a last-value queue.",
        qpid_cpp=("qpid.last_value_queue_key",),
        broker_j=("lvqKey",),
        artemis=("last-value-key",),
    ),
    Option(
        "order_by",
        Kind.TEXT,
        None,
        "The property that says which update of a key is newer; an older one leaves as stale.",
    ),
    Option(
        "max_messages",
        Kind.NUMBER,
        0,
        "How many messages the queue holds; 0 is no limit.",
        unit="messages",
        qpid_cpp=("qpid.max_count",),
        broker_j=("maximumQueueDepthMessages",),
    ),
    Option(
        "max_bytes",
        Kind.NUMBER,
        0,
        "How many bytes of messages the queue holds; 0 is no limit.",
        unit="bytes",
        qpid_cpp=("qpid.max_size",),
        broker_j=("maximumQueueDepthBytes", "x-qpid-capacity"),
    ),
    Option(
        "when_full",
        Kind.CHOICE,
        "reject",
        "What a full queue does: refuse the new message, or drop its oldest available ones.",
        choices=(("reject", "reject"), ("drop-oldest", "drop-oldest"), ("ring", "drop-oldest")),
        qpid_cpp=("qpid.policy_type",),
        broker_j=("overflowPolicy",),
    ),
    Option(
        "minimum_ttl_ms",
        Kind.NUMBER,
        0,
        "A message that expires does so no earlier than this after arrival; 0 is off.",
        unit="milliseconds",
        broker_j=("minimumMessageTtl",),
    ),
    Option(
        "maximum_ttl_ms",
        Kind.NUMBER,
        0,
        "Every message expires no later than this after arrival; 0 is off.",
        unit="milliseconds",
        broker_j=("maximumMessageTtl",),
    ),
    Option(
        "durable",
        Kind.FLAG,
        default=False,
        sentence="The queue survives a restart of a broker that has a store.",
    ),
)

_BY_SPELLING = {spelling: option for option in OPTIONS for spelling in option.spellings}
_NUMBER = re.compile("-?[0-9]{1,20}")
Value = str | int | bool | None


def spec_from_arguments(name: str, arguments: Mapping[str, object]) -> QueueSpec:
    """The declaration that these arguments make, in any dialect's spelling; texts are converted.

    Raises:
        InvalidSpecError: an unknown name (the nearest known one is told), a value of the wrong type, the same
            option twice with different values, or a refused combination.
    """
    values: dict[str, Value] = {option.name: option.default for option in OPTIONS}
    given: dict[str, str] = {}
    for spelling, raw in arguments.items():
        option = _BY_SPELLING.get(spelling)
        if option is None:
            raise InvalidSpecError(f"unknown queue option {spelling!r}{_nearest(spelling)}")
        value = _converted(option, spelling, raw)
        if option.name in given and values[option.name] != value:
            raise InvalidSpecError(f"{given[option.name]!r} and {spelling!r} are one option with two values")
        values[option.name] = value
        given[option.name] = spelling
    return QueueSpec(
        name=name,
        ordering=_ordering(values, "type" in given),
        limit=Limit(
            messages=_number(values, "max_messages"),
            size_bytes=_number(values, "max_bytes"),
            when_full=WhenFull(values["when_full"]),
        ),
        minimum_ttl_ms=_number(values, "minimum_ttl_ms"),
        maximum_ttl_ms=_number(values, "maximum_ttl_ms"),
        durable=values["durable"] is True,
    )


def spec_to_arguments(spec: QueueSpec) -> dict[str, str | int | bool]:
    """The arguments, in our spelling, that make this declaration; defaults are left out but for the type."""
    ordering = spec.ordering
    arguments: dict[str, str | int | bool] = {
        "type": "lvq" if isinstance(ordering, LastValue) else "standard"
    }
    if isinstance(ordering, LastValue):
        arguments["lvq_key"] = ordering.key
        if ordering.order_by is not None:
            arguments["order_by"] = ordering.order_by
    rest: dict[str, str | int | bool] = {
        "max_messages": spec.limit.messages,
        "max_bytes": spec.limit.size_bytes,
        "when_full": spec.limit.when_full.value,
        "minimum_ttl_ms": spec.minimum_ttl_ms,
        "maximum_ttl_ms": spec.maximum_ttl_ms,
        "durable": spec.durable,
    }
    defaults = {option.name: option.default for option in OPTIONS}
    arguments.update({name: value for name, value in rest.items() if value != defaults[name]})
    return arguments


def differences(wanted: QueueSpec, present: QueueSpec) -> str:
    """What differs between two declarations, as `option: wanted X, has Y`; empty where nothing does."""
    first, second = spec_to_arguments(wanted), spec_to_arguments(present)
    names = [option.name for option in OPTIONS if first.get(option.name) != second.get(option.name)]
    return "; ".join(f"{name}: wanted {first.get(name)!r}, has {second.get(name)!r}" for name in names)


def _ordering(values: Mapping[str, Value], type_given: bool) -> Ordering:  # noqa: FBT001 - private
    key, order_by = values["lvq_key"], values["order_by"]
    if key is None:
        if values["type"] == "lvq":
            raise InvalidSpecError(
                "a queue of type 'lvq' needs lvq_key, the name of the property that holds the key"
            )
        if order_by is not None:
            raise InvalidSpecError("order_by needs lvq_key: only a last-value queue compares updates")
        return Standard()
    if type_given and values["type"] == "standard":
        raise InvalidSpecError("lvq_key makes a last-value queue; leave it out for type 'standard'")
    return LastValue(str(key), None if order_by is None else str(order_by))


def _converted(option: Option, spelling: str, raw: object) -> Value:
    value = _read(option, raw)
    if value is None:
        raise InvalidSpecError(f"{spelling!r} is {raw!r}; expected {_expected(option)}")
    # Broker-J and Artemis write "none" as -1; elsewhere it is refused as every negative number is.
    if option.kind is Kind.NUMBER and value == -1 and spelling in option.broker_j + option.artemis:
        return 0
    return value


def _expected(option: Option) -> str:
    if option.kind is Kind.CHOICE:
        return "one of " + ", ".join(accepted for accepted, _ in option.choices)
    return f"{option.kind.value} ({option.unit})" if option.unit else str(option.kind.value)


def _read(option: Option, raw: object) -> Value:
    match option.kind:
        case Kind.TEXT:
            return raw if isinstance(raw, str) else None
        case Kind.NUMBER:
            return _read_number(raw)
        case Kind.FLAG:
            text = str(raw).lower() if isinstance(raw, bool | str) else ""
            return {"true": True, "false": False}.get(text)
        case Kind.CHOICE:
            return dict(option.choices).get(raw.lower()) if isinstance(raw, str) else None


def _read_number(raw: object) -> int | None:
    if isinstance(raw, str) and _NUMBER.fullmatch(raw):
        return int(raw)
    return raw if isinstance(raw, int) and not isinstance(raw, bool) else None


def _number(values: Mapping[str, Value], name: str) -> int:
    value = values[name]
    return value if isinstance(value, int) else 0


def _nearest(spelling: str) -> str:
    near = difflib.get_close_matches(spelling, list(_BY_SPELLING), n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return "; known are " + ", ".join(option.name for option in OPTIONS)
