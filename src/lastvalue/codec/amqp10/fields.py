"""A message's values as selectors, sort keys and groups read them."""

import math
from typing import Final

from mypy_extensions import i64

from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.values import Char, Timestamp, Value
from lastvalue.model.message import NEVER, FieldValue, PropertyName

DELIVERY_TIME: Final = PropertyName("x-opt-delivery-time")
DELIVERY_DELAY: Final = PropertyName("x-opt-delivery-delay")


def field_value(value: Value) -> FieldValue:
    """An AMQP value as a field: booleans, numbers and texts; a timestamp is its milliseconds."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, float):
        return float(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        return str(value)
    return None


def text_of(value: Value) -> str | None:
    """The text of a value: texts as they are, numbers decimal, booleans `true` and `false`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return _text_of_float(float(value))
    if isinstance(value, str):
        return str(value)
    return None


def _text_of_float(value: float) -> str:
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return f"{int(value)}.0"
    return repr(value)


def milliseconds_at(data: bytes, pos: i64) -> i64:
    """The time at pos, whole milliseconds; NEVER where it is no number."""
    value = Decoder(data, pos, len(data)).read()
    if isinstance(value, bool | Char) or not isinstance(value, int | float | Timestamp):
        return NEVER
    if isinstance(value, float) and not math.isfinite(value):
        return NEVER
    return max(0, min(int(value), 2**62))
