"""What the updates of one key become by a policy, update by update; the same as `conflate` on Spark.

An aggregate is a value that JSON can hold, so that it is kept with the message and survives a restart.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, Final, TypeAlias, assert_never, final

from mypy_extensions import i64

from lastvalue.model.message import MOST_UPDATES, Message, OrderValue
from lastvalue.queues.errors import ConflationValueError
from lastvalue.queues.order_values import is_older
from lastvalue.queues.policy import (
    Count,
    First,
    Last,
    List,
    Max,
    Merge,
    Min,
    Ohlc,
    Policy,
    Sum,
    ValuePolicy,
    Vwap,
)

Aggregate: TypeAlias = dict[str, Any]
"""What is known of a key's updates, by short names.

n: the number of updates; f, l: the times of the first and the last; i: the start of the interval.
c: the order value of the update whose properties the value has. Others belong to a policy.
"""

LISTED: Final = "list"
"""The field of a list of whole bodies."""

_MOST_NESTED: Final = 32
_LARGEST: Final = 2**63 - 1
_INTEGERS: Final = (-(2**63), 2**64 - 1)
"""The least and the greatest integer that every protocol can carry."""


@final
class Update:
    """What a policy reads of a message.

    Attributes:
        value, volume: the fields that the policy names; None if they are null or missing.
        order: its order value; None if the queue has no order or the message has none.
        time_ms: when it came.
        updates: for how many updates it stands.
    """

    __slots__ = ("order", "time_ms", "updates", "value", "volume")

    def __init__(self, order: OrderValue | None, time_ms: i64, updates: i64) -> None:
        self.value: Any = None
        self.volume: Any = None
        self.order = order
        self.time_ms: i64 = time_ms
        self.updates: i64 = updates


def read_update(
    policy: Policy, message: Message, order: OrderValue | None, time_ms: i64, where: str
) -> Update:
    """What a policy reads of a message that came to `where`: fields of its body, else its properties.

    Errors from reading the message pass.

    Raises:
        ConflationValueError: the policy cannot use a value.
    """
    update = Update(order, time_ms, message.updates())
    match policy:
        case Last() | First() | Count():
            return update
        case Merge() | List() if not policy.value:
            update.value = _whole_body(policy, message, where)
            return update
        case Merge() | List() | Max() | Min() | Sum() | Ohlc() | Vwap():
            body = message.body_value()
            fields = body if isinstance(body, dict) else None
            update.value = _checked(policy, policy.value, _field(message, fields, policy.value, where), where)
            if isinstance(policy, (Ohlc, Vwap)) and policy.volume is not None:
                volume = _field(message, fields, policy.volume, where)
                update.volume = None if volume is None else _number(policy.volume, volume, where)
        case _:
            assert_never(policy)
    return update


def _whole_body(policy: Merge | List, message: Message, where: str) -> Any:
    value = message.body_value()
    if isinstance(policy, Merge) and not isinstance(value, dict):
        raise ConflationValueError(where, "the body", "is no map", "a map, or JSON of one")
    return _json_value("the body", value, where)


def _field(message: Message, fields: Mapping[str, Any] | None, name: str, where: str) -> Any:
    if fields is not None and name in fields:
        return fields[name]
    value = message.field(name)
    if value is None and fields is None and not message.is_empty():
        raise ConflationValueError(
            where, f"field {name!r}", "is in no property, and the body is no map", "a map with it"
        )
    return value


def _checked(policy: Policy, name: str, value: Any, where: str) -> Any:
    if value is None:
        return None
    match policy:
        case Max() | Min():
            return (
                _text(f"field {name!r}", value, where)
                if isinstance(value, str)
                else _number(name, value, where)
            )
        case Merge():
            if not isinstance(value, dict):
                raise ConflationValueError(where, f"field {name!r}", f"is {value!r:.40}", "a map")
            return _json_value(f"field {name!r}", value, where)
        case List():
            return _json_value(f"field {name!r}", value, where)
        case _:
            return _number(name, value, where)


def _number(name: str, value: Any, where: str) -> int | float:
    number = None if isinstance(value, bool) else _finite(value)
    if number is None:
        raise ConflationValueError(where, f"field {name!r}", f"is {value!r:.40}", "a finite number")
    return number


def _finite(value: Any) -> int | float | None:
    """An integer if it is one of 64 bits, otherwise a double; None if it is no finite number."""
    if isinstance(value, int):
        if _INTEGERS[0] <= value <= _INTEGERS[1]:
            return int(value)
        try:
            return float(value)
        except OverflowError:
            return None
    return float(value) if isinstance(value, float) and math.isfinite(value) else None


def _text(name: str, value: str, where: str) -> str:
    """A text that has an encoding; one from JSON may have half of a character."""
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as fault:
            raise ConflationValueError(
                where, name, f"has {value!r:.40}", "texts without surrogates"
            ) from fault
    return str(value)


def _json_value(name: str, value: Any, where: str, depth: i64 = 0) -> Any:
    """The value if JSON has it, with plain types."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(name, value, where)
    if depth < _MOST_NESTED:
        if isinstance(value, list):
            return [_json_value(name, each, where, depth + 1) for each in value]
        if isinstance(value, dict) and all(isinstance(each, str) for each in value):
            return {
                _text(name, each, where): _json_value(name, inner, where, depth + 1)
                for each, inner in value.items()
            }
    number = _finite(value)
    if number is None:
        raise ConflationValueError(where, name, f"has {value!r:.40}", "values that JSON has")
    return number


# ---------------------------------------------------------------------- folding


def fold(policy: Policy, before: Aggregate | None, update: Update) -> Aggregate:
    """The aggregate after one more update; `before` is not changed."""
    after: Aggregate = {} if before is None else dict(before)
    after["n"] = min(after.get("n", 0) + int(update.updates), MOST_UPDATES)
    after["f"] = min(after.get("f", update.time_ms), int(update.time_ms))
    after["l"] = max(after.get("l", update.time_ms), int(update.time_ms))
    if update.order is not None and chosen(policy, before, update):
        after["c"] = update.order
    match policy:
        case Last() | First():
            pass
        case Count():
            after["k"] = after.get("k", 0) + 1
        case Max() | Min() | Sum():
            _fold_value(policy, after, update.value)
        case Ohlc():
            _fold_candle(after, update)
        case Vwap():
            _fold_mean(after, update)
        case Merge():
            _fold_map(after, update)
        case List():
            _fold_list(policy, after, update)
        case _:
            assert_never(policy)
    return after


def chosen(policy: Policy, before: Aggregate | None, update: Update) -> bool:
    """Whether the value has the properties of this update from now on, and with a row policy its body."""
    if before is None:
        return True
    if isinstance(policy, First):
        return is_older(update.order, before.get("c"))
    return not is_older(update.order, before.get("c"))


def _fold_value(policy: Max | Min | Sum, after: Aggregate, value: Any) -> None:
    if value is None:
        return
    present = after.get("v")
    if present is None:
        after["v"] = value
    elif isinstance(policy, Sum):
        after["v"] = present + value
    elif (_rank(value) > _rank(present)) is isinstance(policy, Max) and value != present:
        after["v"] = value


def _rank(value: Any) -> tuple[bool, Any]:
    """Numbers come before texts."""
    return isinstance(value, str), value


def _fold_candle(after: Aggregate, update: Update) -> None:
    value = update.value
    if value is None:
        return
    if "o" not in after or is_older(update.order, after.get("oo")):
        after["o"], after["oo"] = value, update.order
    if "e" not in after or not is_older(update.order, after.get("eo")):
        after["e"], after["eo"] = value, update.order
    after["h"] = max(after.get("h", value), value)
    after["w"] = min(after.get("w", value), value)
    _add_volume(after, update.volume)


def _fold_mean(after: Aggregate, update: Update) -> None:
    if update.value is None or update.volume is None:
        return
    after["s"] = after.get("s", 0.0) + float(update.value) * float(update.volume)
    _add_volume(after, update.volume)


def _add_volume(after: Aggregate, volume: Any) -> None:
    if volume is not None:
        after["u"] = after.get("u", 0) + volume


def _fold_map(after: Aggregate, update: Update) -> None:
    if update.value is None:
        return
    orders: dict[str, OrderValue] = dict(after.get("mo", {}))
    patch: dict[str, Any] = {}
    for name, value in update.value.items():
        if not is_older(update.order, orders.get(name)):
            patch[name] = value
            if update.order is not None:
                orders[name] = update.order
    after["m"] = apply_patch(after.get("m", {}), patch)
    if orders:
        after["mo"] = orders


def apply_patch(target: object, patch: dict[str, Any]) -> dict[str, Any]:
    """[RFC 7396] A map after a merge patch; neither is changed."""
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict):
            result[name] = apply_patch(result.get(name), value)
        else:
            result[name] = value
    return result


def _fold_list(policy: List, after: Aggregate, update: Update) -> None:
    if update.value is None:
        return
    values: list[Any] = list(after.get("v", []))
    orders: list[OrderValue | None] = list(after.get("vo", []))
    orders += [None] * (len(values) - len(orders))
    place = len(values)
    while place > 0 and is_older(update.order, orders[place - 1]):
        place -= 1
    values.insert(place, update.value)
    orders.insert(place, update.order)
    after["v"] = values[-policy.most :]
    if any(order is not None for order in orders):
        after["vo"] = orders[-policy.most :]


# ---------------------------------------------------------------------- as a message


def body_of(policy: Policy, aggregate: Aggregate) -> dict[str, Any] | None:
    """The body of the message with an aggregate; None: that of the update that is the value."""
    if isinstance(policy, (Last, First)):
        return None
    body = _fields_of(policy, aggregate)
    if isinstance(policy, Merge) and not policy.value:
        return body
    body["updates"] = aggregate["n"]
    body["first_time"] = aggregate["f"]
    body["last_time"] = aggregate["l"]
    if "i" in aggregate:
        body["interval_start"] = aggregate["i"]
    return body


def _fields_of(policy: ValuePolicy, aggregate: Aggregate) -> dict[str, Any]:
    match policy:
        case Max() | Min() | Sum():
            return {policy.value: _bounded(aggregate.get("v"))}
        case Count():
            return {"count": aggregate["k"]}
        case Ohlc():
            names = {"open": "o", "high": "h", "low": "w", "close": "e"}
            candle = {name: aggregate.get(short) for name, short in names.items()}
            return candle if policy.volume is None else {**candle, "volume": _bounded(aggregate.get("u"))}
        case Vwap():
            return {"vwap": _mean(aggregate), "volume": _bounded(aggregate.get("u"))}
        case Merge():
            merged: dict[str, Any] = aggregate.get("m", {})
            return {policy.value: merged} if policy.value else dict(merged)
        case List():
            return {policy.value or LISTED: aggregate.get("v", [])}
        case _:
            assert_never(policy)


def aggregate_text(policy: Policy, aggregate: Aggregate) -> str:
    """An aggregate as text, without what the body has."""
    own = {name: value for name, value in aggregate.items() if name not in _in_body(policy)}
    return json.dumps(own, separators=(",", ":"), ensure_ascii=False)


def aggregate_from(policy: Policy, text: str, body: Mapping[str, Any] | None) -> Aggregate | None:
    """The aggregate of a text and the body that came with it; None if this policy did not make them."""
    try:
        aggregate = json.loads(text)
    except ValueError:
        return None
    if not isinstance(aggregate, dict) or not isinstance(aggregate.get("n"), int):
        return None
    if isinstance(policy, Merge):
        merged = body if body is None or not policy.value else body.get(policy.value)
        aggregate["m"] = merged if isinstance(merged, dict) else {}
    elif isinstance(policy, List):
        listed = None if body is None else body.get(policy.value or LISTED)
        aggregate["v"] = listed if isinstance(listed, list) else []
    return aggregate


def _in_body(policy: Policy) -> tuple[str, ...]:
    if isinstance(policy, Merge):
        return ("m",)
    return ("v",) if isinstance(policy, List) else ()


def _mean(aggregate: Aggregate) -> float | None:
    volume = float(aggregate.get("u", 0))
    return aggregate["s"] / volume if volume else None


def _bounded(value: Any) -> Any:
    """A number that every protocol can carry."""
    return float(value) if isinstance(value, int) and abs(value) > _LARGEST else value
