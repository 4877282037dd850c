"""Declarations from arguments in any dialect's spelling, and back."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.dialects import IMPLIED, Implied
from lastvalue.queues.filters import filters_from_json, filters_to_json
from lastvalue.queues.option import Kind, Option, Value
from lastvalue.queues.options import BY_NAME, BY_SPELLING, OPTIONS, nearest
from lastvalue.queues.spec import (
    Exclusive,
    Expiry,
    FlowControl,
    Grouping,
    LastValue,
    Lifetime,
    Limit,
    Ordering,
    Placement,
    Priority,
    QueueSpec,
    Readers,
    Sorted,
    Standard,
    WhenFull,
)

_NUMBER: Final = re.compile("-?[0-9]{1,20}")
_SHARE: Final = re.compile(r"(?:x-)?qpid[.-]fairshare-([0-9]{1,4})")
Values = dict[str, Value]


def spec_from_arguments(name: str, arguments: Mapping[str, object]) -> QueueSpec:
    """The declaration that these arguments make, in any dialect's spelling; texts are converted.

    Raises:
        InvalidSpecError: every unknown name (with the nearest known one), every value of a wrong type and
            every option given twice with different values; or the first refused combination.
    """
    given: dict[str, tuple[str, Value]] = {}
    implied: Values = {}
    faults: list[str] = []
    shares: list[str] = []
    for spelling, raw in arguments.items():
        share = _SHARE.fullmatch(spelling)
        try:
            if share is not None:
                shares.append(f"{share[1]}:{_converted(BY_NAME['fairshare'], spelling, raw)}")
                continue
            meaning = IMPLIED[spelling](raw) if spelling in IMPLIED else None
            if meaning is not None:
                _imply(implied, meaning, spelling)
                continue
            option, value = read_argument(spelling, raw)
        except InvalidSpecError as fault:
            faults.append(str(fault))
            continue
        if option in given and given[option][1] != value:
            faults.append(f"{given[option][0]!r} and {spelling!r} are one option with two values")
        given[option] = (spelling, value)
    if faults:
        raise InvalidSpecError("; ".join(faults))
    if shares:
        implied["fairshare_levels"] = ",".join(shares)
    explicit = {option: value for option, (_, value) in given.items()}
    return _spec(name, implied, explicit)


def spec_to_arguments(spec: QueueSpec) -> dict[str, str | int | bool]:
    """The arguments, in our spelling, that make this declaration; defaults are left out but for the type."""
    values = _arguments_of(spec)
    arguments: dict[str, str | int | bool] = {"type": str(values["type"])}
    for option in OPTIONS:
        value = values.get(option.name)
        if value is not None and value != option.default:
            arguments[option.name] = value
    return arguments


def differences(wanted: QueueSpec, present: QueueSpec) -> str:
    """What differs between two declarations, as `option: wanted X, has Y`; empty where nothing does."""
    first, second = spec_to_arguments(wanted), spec_to_arguments(present)
    names = [option.name for option in OPTIONS if first.get(option.name) != second.get(option.name)]
    return "; ".join(f"{name}: wanted {first.get(name)!r}, has {second.get(name)!r}" for name in names)


# ---------------------------------------------------------------------- arguments to values


def knows_argument(spelling: str) -> bool:
    """Whether a declaration may have an argument of that name."""
    return spelling in BY_SPELLING or spelling in IMPLIED or _SHARE.fullmatch(spelling) is not None


def read_argument(spelling: str, raw: object) -> tuple[str, Value]:
    """The option that a spelling names, and the value in our terms; not for those in `queues.dialects`.

    Raises:
        InvalidSpecError: the name is unknown, or the value of a wrong type.
    """
    option = _option(spelling)
    return option.name, _converted(option, spelling, raw)


def _imply(implied: Values, meaning: Implied, spelling: str) -> None:
    for option, value in meaning.items():
        if option in implied and implied[option] != value:
            raise InvalidSpecError(
                f"{spelling!r} contradicts another argument: {option} is {value!r} or {implied[option]!r}"
            )
        implied[option] = value


def _option(spelling: str) -> Option:
    option = BY_SPELLING.get(spelling)
    if option is None:
        raise InvalidSpecError(
            f"unknown queue option {spelling!r}{nearest(spelling, [*BY_SPELLING, *IMPLIED])}"
        )
    return option


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
            if isinstance(raw, str) and _NUMBER.fullmatch(raw):
                return int(raw)
            return raw if isinstance(raw, int) and not isinstance(raw, bool) else None
        case Kind.FLAG:
            # 0-10 clients write flags as numbers.
            text = str(raw).lower() if isinstance(raw, bool | str) or raw in (0, 1) else ""
            return {"true": True, "false": False, "1": True, "0": False}.get(text)
        case Kind.CHOICE:
            return dict(option.choices).get(raw.lower()) if isinstance(raw, str) else None


# ---------------------------------------------------------------------- values to a spec


def _spec(name: str, implied: Values, explicit: Values) -> QueueSpec:
    if "lvq_key" in explicit and "lvq_placement" not in explicit:
        # A key of its own makes a queue modern, whatever legacy argument stands beside it.
        implied.pop("lvq_placement", None)
    unlimited = implied.pop("unlimited", False) is True
    if implied.pop("dead_letter_queue", False) is True:
        implied.setdefault("alternate", f"{name}_DLQ")
    _dead_letter(name, implied)
    to_alternate = implied.pop("expires_to_alternate", False) is True
    values: Values = {**{option.name: option.default for option in OPTIONS}, **implied, **explicit}
    named = {**implied, **explicit}
    if to_alternate and values["expiry_alternate"] is None:
        values["expiry_alternate"] = values["alternate"]
    if unlimited:
        values["max_messages"] = values["max_bytes"] = 0
    blocks = values["when_full"] == "block"
    return QueueSpec(
        name=name,
        ordering=_ordering(values, named),
        limit=Limit()
        if blocks
        else Limit(
            messages=_number(values, "max_messages"),
            size_bytes=_number(values, "max_bytes"),
            when_full=WhenFull(values["when_full"]),
        ),
        flow=_flow(values, blocks),
        expiry=Expiry(
            minimum_ttl_ms=_number(values, "minimum_ttl_ms"),
            maximum_ttl_ms=_number(values, "maximum_ttl_ms"),
            default_ttl_ms=_number(values, "default_ttl_ms"),
            never=values["no_expiry"] is True,
        ),
        durable=values["durable"] is True,
        grouping=_grouping(values, named),
        readers=_readers(values),
        holds=values["hold_on_publish"] is True,
        refuses_delay=values["delayed_delivery"] == "refuse",
        filter=_text(values, "filter") or "",
        alternate=_text(values, "alternate"),
        alternate_key=_text(values, "alternate_key"),
        expiry_alternate=_text(values, "expiry_alternate"),
        history=_text(values, "history") or None,
        history_deliveries=values["history_deliveries"] is True,
        exclusive=Exclusive(values["exclusive"]),
        lifetime=Lifetime(values["lifetime"]),
        auto_delete_delay_ms=_number(values, "auto_delete_delay_ms"),
        purge_unread=values["purge_on_no_consumers"] is True,
        paused=values["paused"] is True,
        duplicate_window=_number(values, "duplicate_window"),
        description=_text(values, "description") or "",
    )


def _dead_letter(name: str, implied: Values) -> None:
    """[RabbitMQ] What is rejected, dropped or expires goes to an exchange, where it may have another key."""
    exchange = implied.pop("dead_letter_exchange", None)
    key = implied.pop("dead_letter_key", None)
    if exchange is None:
        if key is not None:
            raise InvalidSpecError("'x-dead-letter-routing-key' needs 'x-dead-letter-exchange'")
        return
    if exchange == "":
        # The default exchange knows queues by their names.
        if not key or key == name:
            raise InvalidSpecError(
                "'x-dead-letter-exchange' is the default exchange; "
                "'x-dead-letter-routing-key' has to name another queue"
            )
        exchange, key = key, None
    implied["alternate"] = implied["expiry_alternate"] = exchange
    if key is not None:
        implied["alternate_key"] = key


def _ordering(values: Values, named: Values) -> Ordering:
    kind = _type(values, named)
    levels = _number(values, "priorities")
    _refuse_strangers(kind, values)
    match kind:
        case "lvq":
            return LastValue(
                str(values["lvq_key"]),
                _text(values, "order_by"),
                Placement(values["lvq_placement"]),
                keys_as_text=values["lvq_key_equality"] == "text",
                keyless=values["lvq_keyless"] == "conflate",
                levels=levels,
            )
        case "priority":
            if "priorities" not in named:
                levels = 10
            return Priority(levels, _number(values, "fairshare"), _shares(_text(values, "fairshare_levels")))
        case "sorted":
            key = _text(values, "sort_key")
            if key is None:
                raise InvalidSpecError("a queue of type 'sorted' needs sort_key, the property to sort by")
            return Sorted(key)
        case _:
            return Standard()


_TYPE_OPTIONS: Final = {
    "lvq_key": ("lvq",),
    "order_by": ("lvq",),
    "lvq_placement": ("lvq",),
    "lvq_key_equality": ("lvq",),
    "lvq_keyless": ("lvq",),
    "priorities": ("priority", "lvq"),
    "fairshare": ("priority",),
    "fairshare_levels": ("priority",),
    "sort_key": ("sorted",),
}
"""Which types an option belongs to."""


def _type(values: Values, named: Values) -> str:
    if "type" in named:
        return str(values["type"])
    if values["lvq_key"] is not None:
        return "lvq"
    if _number(values, "priorities") != 0:
        return "priority"
    if values["sort_key"] is not None:
        return "sorted"
    return "standard"


def _refuse_strangers(kind: str, values: Values) -> None:
    if kind == "lvq" and values["lvq_key"] is None:
        raise InvalidSpecError(
            "a queue of type 'lvq' needs lvq_key, the name of the property that holds the key"
        )
    for name, kinds in _TYPE_OPTIONS.items():
        if kind not in kinds and values[name] != BY_NAME[name].default:
            if kind == "standard" and name == "order_by":
                raise InvalidSpecError("order_by needs lvq_key: only a last-value queue compares updates")
            raise InvalidSpecError(
                f"{name} belongs to type {' or '.join(map(repr, kinds))}; leave it out for type {kind!r}"
            )


def _shares(text: str | None) -> tuple[tuple[int, int], ...]:
    if not text:
        return ()
    try:
        pairs = [part.split(":") for part in text.split(",")]
        return tuple(sorted((int(level), int(share)) for level, share in pairs))
    except ValueError:
        raise InvalidSpecError(
            f"fairshare_levels is {text!r}; expected level:messages,… as in 7:0,6:4"
        ) from None


def _flow(values: Values, blocks: bool) -> FlowControl:  # noqa: FBT001 - private
    stops = {
        unit: _number(values, f"max_{unit}") if blocks else _number(values, f"flow_stop_{unit}")
        for unit in ("messages", "bytes")
    }
    if blocks and not any(stops.values()):
        raise InvalidSpecError("when_full 'block' needs max_messages or max_bytes: the depth to block at")
    resumes = {
        unit: (_number(values, f"flow_resume_{unit}") or stop * 4 // 5) for unit, stop in stops.items()
    }
    return FlowControl(stops["messages"], resumes["messages"], stops["bytes"], resumes["bytes"])


_GROUP_OPTIONS: Final = ("group_key", "group_buckets", "group_rebalance", "group_first_key")


def _grouping(values: Values, named: Values) -> Grouping | None:
    mode = values["group_mode"]
    if "group_mode" not in named and any(
        name in named and values[name] is not False for name in _GROUP_OPTIONS
    ):
        mode = "default"
    if mode == "none":
        return None
    return Grouping(
        key=_text(values, "group_key"),
        shared=mode == "shared",
        default_group=_text(values, "default_group") or "",
        buckets=_number(values, "group_buckets"),
        rebalance=values["group_rebalance"] is True,
        first_key=_text(values, "group_first_key"),
    )


def _readers(values: Values) -> Readers:
    text = _text(values, "default_filters")
    return Readers(
        non_destructive=values["non_destructive"] is True,
        live=_number(values, "live_consumers"),
        most=_number(values, "max_consumers"),
        before_dispatch=_number(values, "consumers_before_dispatch"),
        dispatch_delay_ms=_number(values, "dispatch_delay_ms"),
        attempts=_number(values, "max_delivery_attempts"),
        filters=() if text is None else filters_from_json(text),
        no_local=values["no_local"] is True,
    )


def _number(values: Values, name: str) -> int:
    value = values[name]
    return value if isinstance(value, int) else 0


def _text(values: Values, name: str) -> str | None:
    value = values[name]
    return value if isinstance(value, str) else None


# ---------------------------------------------------------------------- a spec to values


def _arguments_of(spec: QueueSpec) -> Values:
    values: Values = {name: of(spec) for name, of in _PLAIN.items()}
    ordering = spec.ordering
    match ordering:
        case LastValue():
            values |= {
                "type": "lvq",
                "lvq_key": ordering.key,
                "order_by": ordering.order_by,
                "lvq_placement": ordering.placement.value,
                "lvq_key_equality": "text" if ordering.keys_as_text else "value",
                "lvq_keyless": "conflate" if ordering.keyless else "keep",
                "priorities": ordering.levels,
            }
        case Priority():
            shares = ",".join(f"{level}:{share}" for level, share in ordering.fairshare_by_level)
            values |= {
                "type": "priority",
                "priorities": ordering.levels,
                "fairshare": ordering.fairshare,
                "fairshare_levels": shares or None,
            }
        case Sorted():
            values |= {"type": "sorted", "sort_key": ordering.key}
        case _:
            values["type"] = "standard"
    grouping = spec.grouping
    if grouping is not None:
        values |= {
            "group_mode": "shared" if grouping.shared else "default",
            "group_key": grouping.key,
            "default_group": grouping.default_group,
            "group_buckets": grouping.buckets,
            "group_rebalance": grouping.rebalance,
            "group_first_key": grouping.first_key,
        }
    return values


_PLAIN: Final[dict[str, Callable[[QueueSpec], Value]]] = {
    "non_destructive": lambda spec: spec.readers.non_destructive,
    "live_consumers": lambda spec: spec.readers.live,
    "max_consumers": lambda spec: spec.readers.most,
    "consumers_before_dispatch": lambda spec: spec.readers.before_dispatch,
    "dispatch_delay_ms": lambda spec: spec.readers.dispatch_delay_ms,
    "max_delivery_attempts": lambda spec: spec.readers.attempts,
    "default_filters": lambda spec: filters_to_json(spec.readers.filters) if spec.readers.filters else None,
    "no_local": lambda spec: spec.readers.no_local,
    "max_messages": lambda spec: spec.limit.messages,
    "max_bytes": lambda spec: spec.limit.size_bytes,
    "when_full": lambda spec: spec.limit.when_full.value,
    "flow_stop_messages": lambda spec: spec.flow.stop_messages,
    "flow_resume_messages": lambda spec: spec.flow.resume_messages,
    "flow_stop_bytes": lambda spec: spec.flow.stop_bytes,
    "flow_resume_bytes": lambda spec: spec.flow.resume_bytes,
    "minimum_ttl_ms": lambda spec: spec.expiry.minimum_ttl_ms,
    "maximum_ttl_ms": lambda spec: spec.expiry.maximum_ttl_ms,
    "default_ttl_ms": lambda spec: spec.expiry.default_ttl_ms,
    "no_expiry": lambda spec: spec.expiry.never,
    "hold_on_publish": lambda spec: spec.holds,
    "delayed_delivery": lambda spec: "refuse" if spec.refuses_delay else "hold",
    "filter": lambda spec: spec.filter or None,
    "alternate": lambda spec: spec.alternate,
    "alternate_key": lambda spec: spec.alternate_key,
    "expiry_alternate": lambda spec: spec.expiry_alternate,
    "history": lambda spec: spec.history,
    "history_deliveries": lambda spec: spec.history_deliveries,
    "exclusive": lambda spec: spec.exclusive.value,
    "lifetime": lambda spec: spec.lifetime.value,
    "auto_delete_delay_ms": lambda spec: spec.auto_delete_delay_ms,
    "purge_on_no_consumers": lambda spec: spec.purge_unread,
    "paused": lambda spec: spec.paused,
    "duplicate_window": lambda spec: spec.duplicate_window,
    "durable": lambda spec: spec.durable,
    "description": lambda spec: spec.description,
}
