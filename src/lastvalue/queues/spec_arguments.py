"""Converts between declarations and arguments in any dialect's spelling."""

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, Final, final

from lastvalue.model.composite_key import SEPARATOR, is_composite_key
from lastvalue.model.durations import DURATION_EXAMPLES, duration_ms
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.meanings import BESIDE, BY_ALIAS, COMPARED, FAIRSHARE, combined, refuse_not_offered
from lastvalue.queues.option import PLAIN, TYPES, Implied, Kind, Option, Value
from lastvalue.queues.options import BY_NAME, BY_SPELLING, OPTIONS, RECORDED, nearest
from lastvalue.queues.order_options import ORDER_OPTIONS
from lastvalue.queues.spec import (
    Expiry,
    FlowControl,
    Grouping,
    LastValue,
    Lifetime,
    Limit,
    Ordering,
    Priority,
    QueueSpec,
    Readers,
    Sorted,
    Standard,
    Thresholds,
    WhenFull,
)

_CHOICES: Final = {option.name: dict(option.choices) for option in OPTIONS}
_NUMBER: Final = re.compile("-?[0-9]{1,20}")
_MOST_ARGUMENTS: Final = 256
_MOST_FAULTS: Final = 10
"""How many faults of one declaration a refusal names; the others follow with the next try."""
_OF_AN_OWNER: Final = frozenset(
    (Lifetime.CONNECTION_CLOSE, Lifetime.SESSION_END, Lifetime.CREATING_LINK_CLOSE)
)
"""Lifetimes that end with the one that declared the queue."""
FOR_LIFE: Final = frozenset(("durable", *(each.name for each in ORDER_OPTIONS)))
"""The options that a queue cannot change."""
Values = dict[str, Value]


def spec_from_arguments(
    name: str, arguments: Mapping[str, object], yielding: Collection[str] = ()
) -> QueueSpec:
    """The declaration that arguments in any dialect's spelling make; texts are converted.

    What a spelling in `yielding` implies gives way to the options that have values of their own: those are
    arguments of a lower layer, such as the settings of the queue's address.

    Raises:
        InvalidSpecError: lists every unknown name (with the nearest option), every value of a wrong type and
            every option that has two values; or says the first refused combination.
    """
    said = _read_arguments(arguments, yielding)
    explicit = {option: value for option, (_, value) in said.explicit.items()}
    return _spec(
        name, combined(name, {option: value for option, (_, value) in said.implied.items()}, explicit)
    )


def stored_spec(name: str, arguments: Mapping[str, Value]) -> QueueSpec:
    """The declaration that gave these arguments, which are as `spec_to_arguments` wrote them.

    A store has a hundred thousand of them, so that what nobody can have mistyped is not read again; what an
    earlier version spelled in another way is.

    Raises:
        InvalidSpecError: as by `spec_from_arguments`.
    """
    if arguments.keys() <= BY_NAME.keys():
        return QueueSpec(name=name, **_known_fields(tuple(arguments.items())))
    return spec_from_arguments(name, arguments)


def changed_spec(present: QueueSpec, changes: Mapping[str, object]) -> QueueSpec:
    """A queue's declaration after changes in any dialect's spelling; options that they leave out stay.

    A change to None gives an option its default.

    Raises:
        InvalidSpecError: an option is unknown or has two values, cannot have that value, or would change
            nothing.
    """
    given = {spelling: raw for spelling, raw in changes.items() if raw is not None}
    said = _read_arguments(given)
    touched = {option for option in (*said.explicit, *said.implied) if option in BY_NAME}
    for spelling, raw in changes.items():
        decided = _decided(spelling, raw)
        if not decided:
            raise InvalidSpecError(f"{spelling!r} is {raw!r}; that changes nothing of a queue that exists")
        touched.update(decided)
    others = {name: value for name, value in spec_to_arguments(present).items() if name not in touched}
    wanted = spec_from_arguments(present.name, {**others, **given})
    shown = spec_to_arguments(wanted)
    for option, (spelling, value) in said.explicit.items():
        if value not in (BY_NAME[option].default, "") and option not in shown:
            raise InvalidSpecError(f"{spelling!r} is {value!r}; that has no effect with the other options")
    return wanted


def check_changeable(present: QueueSpec, wanted: QueueSpec) -> None:
    """Refuse a change of what a queue has for life.

    Raises:
        InvalidSpecError: names the options.
    """
    fixed = fixed_options(present, wanted)
    if present.name != wanted.name:
        fixed.append("name")
    if fixed:
        raise InvalidSpecError(
            f"{', '.join(fixed)} cannot change on queue {present.name!r}; delete it and declare it again"
        )


def fixed_options(present: QueueSpec, wanted: QueueSpec) -> list[str]:
    """What differs and a queue has for life: its order, groups, durability, and an owner's lifetime."""
    first, second = spec_to_arguments(present), spec_to_arguments(wanted)
    differing = [option for option in OPTIONS if first.get(option.name) != second.get(option.name)]
    fixed = [option.name for option in differing if option.name in FOR_LIFE]
    if present.lifetime != wanted.lifetime and {present.lifetime, wanted.lifetime} & _OF_AN_OWNER:
        fixed.append("lifetime")
    return fixed


def spec_to_arguments(spec: QueueSpec) -> dict[str, str | int | bool]:
    """The arguments that make this declaration, in our spelling: the type and all that are not defaults."""
    values = _arguments_of(spec)
    arguments: dict[str, str | int | bool] = {"type": str(values["type"])}
    for option in OPTIONS:
        value = values.get(option.name)
        if value is not None and value != option.default:
            arguments[option.name] = value
    return arguments


def type_name(spec: QueueSpec) -> str:
    """The type of a queue, as the option `type` has it."""
    return next(kind for kind, ordering in _ORDERINGS.items() if isinstance(spec.ordering, ordering))


def differences(requested: QueueSpec, present: QueueSpec) -> str:
    """The differences between two declarations, as `option: wanted X, has Y`; empty if there are none."""
    first, second = spec_to_arguments(requested), spec_to_arguments(present)
    pairs = [
        (it.name, first.get(it.name, it.default), second.get(it.name, it.default))
        for it in OPTIONS
        if it.name not in RECORDED
    ]
    return "; ".join(f"{name}: wanted {value!r}, has {has!r}" for name, value, has in pairs if value != has)


def contradictions(arguments: Mapping[str, object], present: QueueSpec) -> str:
    """The differences, if a queue lacks anything that arguments ask for, its type aside; else empty."""
    requested = spec_from_arguments(present.name, arguments)
    wanted, has = spec_to_arguments(requested), spec_to_arguments(present)
    lacks = any(
        name != "type" and name not in RECORDED and has.get(name) != value for name, value in wanted.items()
    )
    return differences(requested, present) if lacks else ""


# ---------------------------------------------------------------------- arguments to values


def knows_argument(spelling: str) -> bool:
    """Whether a declaration may have an argument of this name."""
    return spelling in BY_SPELLING or spelling in BY_ALIAS or FAIRSHARE.fullmatch(spelling) is not None


def read_argument(spelling: str, raw: object) -> tuple[str, Value]:
    """The option that a spelling names, and its value converted; not for arguments in `queues.meanings`.

    Raises:
        InvalidSpecError: the name is unknown, or the value has a wrong type.
    """
    option = _option(spelling)
    return option.name, _converted(option, spelling, raw)


@final
class _ReadArguments:
    """What arguments say: options with values of their own, and those that other spellings imply."""

    __slots__ = ("explicit", "implied")

    def __init__(self) -> None:
        # By option: the spelling and the value.
        self.explicit: dict[str, tuple[str, Value]] = {}
        self.implied: dict[str, tuple[str, Value]] = {}

    def imply(self, meaning: Implied, spelling: str) -> None:
        for option, value in meaning.items():
            present = self.implied.setdefault(option, (spelling, value))
            if present[1] != value:
                raise InvalidSpecError(_contradiction(option, present, (spelling, value)))

    def contradictions(self, yielding: Collection[str]) -> list[str]:
        found = []
        for name, implied in self.implied.items():
            option = COMPARED.get(name, name)
            explicit = self.explicit.get(option)
            if (
                explicit is not None
                and explicit[1] != implied[1]
                and implied[0] not in yielding
                and option not in _yields(implied[0])
            ):
                found.append(_contradiction(option, explicit, implied))
        return found


def _read_arguments(arguments: Mapping[str, object], yielding: Collection[str] = ()) -> _ReadArguments:
    if len(arguments) > _MOST_ARGUMENTS:
        raise InvalidSpecError(f"{len(arguments)} arguments; a queue has at most {_MOST_ARGUMENTS}")
    said = _ReadArguments()
    faults: list[str] = []
    shares: list[str] = []
    for spelling, raw in arguments.items():
        share = FAIRSHARE.fullmatch(spelling)
        try:
            refuse_not_offered(spelling, raw)
            if share is not None:
                shares.append(f"{share[1]}:{_converted(BY_NAME['fairshare'], spelling, raw)}")
                continue
            meaning = BY_ALIAS[spelling].implied(raw) if spelling in BY_ALIAS else None
            if meaning is not None:
                said.imply(meaning, spelling)
                continue
            option, value = read_argument(spelling, raw)
            said.imply(BESIDE.get(spelling, {}), spelling)
        except InvalidSpecError as fault:
            faults.append(str(fault))
            if len(faults) == _MOST_FAULTS:
                break
            continue
        if option in said.explicit and said.explicit[option][1] != value:
            faults.append(f"{said.explicit[option][0]!r} and {spelling!r} are one option with two values")
        said.explicit[option] = (spelling, value)
    if shares:
        said.implied["fairshare_levels"] = ("qpid.fairshare", ",".join(shares))
    faults += said.contradictions(yielding)
    if faults:
        raise InvalidSpecError("; ".join(faults))
    return said


def _contradiction(option: str, first: tuple[str, Value], second: tuple[str, Value]) -> str:
    return f"{first[0]!r} and {second[0]!r} contradict each other: {option} is {first[1]!r} or {second[1]!r}"


def _yields(spelling: str) -> tuple[str, ...]:
    if spelling in BY_ALIAS:
        return BY_ALIAS[spelling].yields
    return tuple(BESIDE.get(spelling, ()))


def _decided(spelling: str, raw: object) -> tuple[str, ...]:
    """The options that an argument of a change sets."""
    if FAIRSHARE.fullmatch(spelling):
        return ("fairshare_levels",)
    if spelling in BY_ALIAS and (raw is None or BY_ALIAS[spelling].implied(raw) is not None):
        return BY_ALIAS[spelling].decides
    return (_option(spelling).name,)


def _option(spelling: str) -> Option:
    option = BY_SPELLING.get(spelling)
    if option is None:
        raise InvalidSpecError(
            f"unknown queue option {spelling[:200]!r}{nearest(spelling, [*BY_SPELLING, *BY_ALIAS])}"
        )
    return option


def _converted(option: Option, spelling: str, raw: object) -> Value:
    value = _read(option, raw)
    if value is None and option.is_duration and spelling == option.name and isinstance(raw, str):
        value = duration_ms(raw)
    if value is None:
        raise InvalidSpecError(f"{spelling!r} is {raw!r:.200}; expected {_expected(option)}")
    # Broker-J and Artemis write "none" as -1; elsewhere -1 is refused like every negative number.
    if option.kind is Kind.NUMBER and value == -1 and spelling in option.broker_j + option.artemis:
        return 0
    return value


def _expected(option: Option) -> str:
    if option.joins:
        return "text, or a list of texts without commas"
    if option.kind is Kind.CHOICE:
        return "one of " + ", ".join(accepted for accepted, _ in option.choices)
    durations = f", or a duration such as {DURATION_EXAMPLES}" if option.is_duration else ""
    return f"{option.kind.value} ({option.unit}){durations}" if option.unit else str(option.kind.value)


def _read(option: Option, raw: object) -> Value:
    match option.kind:
        case Kind.TEXT:
            if option.joins and isinstance(raw, list | tuple):
                return _joined(raw)
            return raw if isinstance(raw, str) else None
        case Kind.NUMBER:
            if isinstance(raw, str) and _NUMBER.fullmatch(raw):
                return int(raw)
            return raw if isinstance(raw, int) and not isinstance(raw, bool) else None
        case Kind.FLAG:
            # 0-10 clients write flags as numbers.
            text = str(raw).lower() if isinstance(raw, bool | str) or raw in (0, 1) else ""
            return {"true": True, "false": False, "1": True, "0": False}.get(text)
        case Kind.CHOICE:
            return _CHOICES[option.name].get(raw.lower()) if isinstance(raw, str) else None


def _joined(names: Collection[object]) -> str | None:
    """A list of names as one text, or None if it is none."""
    texts = [name for name in names if isinstance(name, str) and name and SEPARATOR not in name]
    return SEPARATOR.join(texts) if texts and len(texts) == len(names) else None


# ---------------------------------------------------------------------- values to a spec


_ORDERINGS: Final[dict[str, type[Ordering]]] = {
    "standard": Standard,
    "lvq": LastValue,
    "priority": Priority,
    "sorted": Sorted,
}
_OF_SOME_TYPES: Final = [option for option in OPTIONS if option.types != TYPES]
_DEFAULTS: Final = {option.name: option.default for option in OPTIONS}
_PLACES: Final = {
    kind: [
        (option.name, *option.field.rpartition(".")[::2], option.form)
        for option in OPTIONS
        if option.field and kind in option.types
    ]
    for kind in _ORDERINGS
}
"""The options of each queue type, each with the part and the field of the spec that it sets."""
_PARTS: Final = ("", "ordering", "limit", "flow", "expiry", "alerts", "grouping", "readers")
_GROUP_OPTIONS: Final = (
    "group_key", "group_buckets", "group_rebalance", "group_rebalance_pauses", "group_first_key",
)  # fmt: skip


def _spec(name: str, named: Values) -> QueueSpec:
    return QueueSpec(name=name, **_known_fields(tuple(named.items())))


def _fields(options: tuple[tuple[str, Value], ...]) -> dict[str, Any]:
    """The fields of a spec besides its name, which queues with the same options share."""
    named: Values = dict(options)
    values: Values = _DEFAULTS | named
    kind = _type(values, named)
    _refuse_strangers(kind, values)
    if kind == "priority" and "priorities" not in named:
        values["priorities"] = 10
    if is_composite_key(values["lvq_key"]) and "lvq_key_equality" not in named:
        values["lvq_key_equality"] = "text"
    values |= _flow(values)
    mode = _group_mode(values, named)
    values["group_mode"] = mode
    fields: dict[str, dict[str, Any]] = {part: {} for part in _PARTS}
    for option, part, field, form in _PLACES[kind]:
        value = values[option]
        fields[part][field] = value if form is PLAIN else form.to_field(value)
    return {
        "ordering": _ORDERINGS[kind](**fields["ordering"]),
        "limit": Limit(**fields["limit"]),
        "flow": FlowControl(**fields["flow"]),
        "expiry": Expiry(**fields["expiry"]),
        "alerts": Thresholds(**fields["alerts"]),
        "grouping": None if mode == "none" else Grouping(**fields["grouping"]),
        "readers": Readers(**fields["readers"]),
        **fields[""],
    }


_known_fields = lru_cache(maxsize=64)(_fields)


def _type(values: Values, named: Values) -> str:
    if "type" in named:
        return str(values["type"])
    if values["lvq_key"] is not None:
        return "lvq"
    if _number(values, "priorities") != 0:
        return "priority"
    return "standard" if values["sort_key"] is None else "sorted"


def _refuse_strangers(kind: str, values: Values) -> None:
    if kind == "lvq" and values["lvq_key"] is None:
        raise InvalidSpecError(
            "a queue of type 'lvq' needs lvq_key, the name of the property that holds the key"
        )
    for option in _OF_SOME_TYPES:
        if kind not in option.types and values[option.name] != option.default:
            if kind == "standard" and option.name == "order_by":
                raise InvalidSpecError("order_by needs lvq_key: only a last-value queue compares updates")
            types = " or ".join(map(repr, option.types))
            raise InvalidSpecError(f"{option.name} belongs to type {types}; leave it out for type {kind!r}")
    if kind == "sorted" and values["sort_key"] is None:
        raise InvalidSpecError("a queue of type 'sorted' needs sort_key, the property to sort by")


def _flow(values: Values) -> Values:
    """The depths at which producers stop and resume; a queue that blocks refuses nothing."""
    blocks = values["when_full"] == WhenFull.BLOCK.value
    flow: Values = {"max_messages": 0, "max_bytes": 0} if blocks else {}
    for unit in ("messages", "bytes"):
        if blocks and values[f"flow_stop_{unit}"]:
            raise InvalidSpecError(
                f"flow_stop_{unit} contradicts when_full 'block', which stops at max_{unit}; give one of them"
            )
        stop = _number(values, f"max_{unit}" if blocks else f"flow_stop_{unit}")
        flow[f"flow_stop_{unit}"] = stop
        flow[f"flow_resume_{unit}"] = _number(values, f"flow_resume_{unit}") or _resume(stop)
    if blocks and not (flow["flow_stop_messages"] or flow["flow_stop_bytes"]):
        raise InvalidSpecError("when_full 'block' needs max_messages or max_bytes: the depth to block at")
    return flow


def _resume(stop: int) -> int:
    return stop * 4 // 5


def _group_mode(values: Values, named: Values) -> Value:
    if "group_mode" in named:
        return values["group_mode"]
    return "default" if any(named.get(name, False) is not False for name in _GROUP_OPTIONS) else "none"


def _number(values: Values, name: str) -> int:
    value = values[name]
    return value if isinstance(value, int) else 0


# ---------------------------------------------------------------------- a spec to values


def _arguments_of(spec: QueueSpec) -> Values:
    kind = type_name(spec)
    values: Values = {"type": kind}
    for option, part, field, form in _PLACES[kind]:
        owner = getattr(spec, part) if part else spec
        if owner is not None:
            value = getattr(owner, field)
            values[option] = value if form is PLAIN else form.to_value(value)
    blocks = spec.limit.when_full is WhenFull.BLOCK
    for unit in ("messages", "bytes"):
        stop = _number(values, f"flow_stop_{unit}")
        if values[f"flow_resume_{unit}"] == _resume(stop):
            # So that a change of the one changes the other.
            values[f"flow_resume_{unit}"] = 0
        if blocks:
            values |= {f"max_{unit}": stop, f"flow_stop_{unit}": 0}
    return values
