"""The map of unsettled deliveries in an attach, as far as the peer's frames have room for it [1.0 §2.7.3]."""

from collections.abc import Mapping
from typing import Final

from mypy_extensions import i64

from lastvalue.codec.amqp10.composites import decomposed
from lastvalue.codec.amqp10.performatives import DeliveryState
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import Value

_ATTACH: Final = 128
"""Bytes of an attach besides its name, termini, properties and map, about."""


def map_room(frame_size: i64, name: str, *fields: object) -> i64:
    """Bytes that an attach has for its unsettled map besides its other large fields."""
    used = _ATTACH + len(name.encode())
    for each in fields:
        used += len(encode_value(decomposed(each)))
    return max(0, frame_size - used)


def entry_size(tag: bytes, state: Value) -> i64:
    """The bytes of a delivery in the map."""
    return len(encode_value(tag)) + len(encode_value(state))


def unsettled_map(states: Mapping[bytes, DeliveryState | None], room: i64) -> tuple[dict[Value, Value], bool]:
    """A publisher's unsettled deliveries as an attach names them, and whether the map is incomplete.

    Where there is room for none of them the map is empty and complete.
    """
    named: dict[Value, Value] = {}
    size: i64 = 0
    for tag, state in states.items():
        encoded = None if state is None else decomposed(state)
        size += entry_size(tag, encoded)
        if size > room:
            return named, bool(named)
        named[tag] = encoded
    return named, False
