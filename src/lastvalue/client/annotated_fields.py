"""The fields of a received message that the broker writes into its delivery annotations.

An application asks few messages for them, so they are read when it asks for the first one: to read them all
takes a quarter of what a message costs that is received (plain Python, `bench/clients.py`, batches).
"""

from collections.abc import Mapping
from typing import Final

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.shortcuts.plain_message import decode_simple_map
from lastvalue.codec.amqp10.shortcuts.stamps import place_in
from lastvalue.codec.amqp10.values import Value
from lastvalue.model.message import MOST_UPDATES
from lastvalue.model.property_names import (
    DELTA,
    ENQUEUED_TIME,
    FIRST_TIME,
    PLACE,
    POLICY,
    REMOVED,
    REPLACED_TRACES,
    SEQUENCE_NUMBER,
    SNAPSHOT,
    UPDATES,
)

ENCODED: Final = "encoded_annotations"
"""Where a message has delivery annotations that are not read."""

_TYPES: Final[dict[str, tuple[str, type[int] | type[str]]]] = {
    SEQUENCE_NUMBER: ("sequence", int),
    ENQUEUED_TIME: ("arrival_time_ms", int),
    PLACE: ("token", str),
    REMOVED: ("removed", str),
    SNAPSHOT: ("snapshot", str),
    FIRST_TIME: ("first_time_ms", int),
    POLICY: ("policy", str),
    DELTA: ("delta", str),
}

NAMES: Final = {field: name for name, (field, _) in _TYPES.items()} | {
    "updates": UPDATES,
    "replaced_traces": REPLACED_TRACES,
}
"""The fields, each with the name of its annotation."""


_MARKS: Final = (SNAPSHOT.encode(), REMOVED.encode(), DELTA.encode())


def is_only_a_value(fields: Mapping[str, object]) -> bool:
    """Whether the fields of a message show, unread, that it is no marker, no removal and no delta."""
    encoded = fields.get(ENCODED)
    if not isinstance(encoded, bytes):
        return False
    return not (_MARKS[0] in encoded or _MARKS[1] in encoded or _MARKS[2] in encoded)


def fields_in(encoded: bytes) -> dict[str, object]:
    """The fields in encoded annotations; none if these are malformed, which the broker's are not."""
    place = place_in(encoded)
    if place is not None:
        sequence, time_ms, updates = place
        counted = min(max(updates, 1), MOST_UPDATES)
        return {"sequence": sequence, "arrival_time_ms": time_ms, "updates": counted}
    try:
        return annotated_fields(decode_simple_map(encoded))
    except DecodeError:
        return {}


def annotated_fields(annotations: Mapping[str, Value]) -> dict[str, object]:
    """The fields in annotations; what has another type is left out."""
    fields: dict[str, object] = {}
    for name, value in annotations.items():
        known = _TYPES.get(name)
        if known is not None:
            field, kind = known
            if isinstance(value, kind):
                fields[field] = value if type(value) is kind else kind(value)
        elif name == UPDATES:
            fields["updates"] = updates_in(annotations)
        elif name == REPLACED_TRACES and isinstance(value, str):
            fields["replaced_traces"] = tuple(value.split())
    return fields


def updates_in(annotations: Mapping[str, Value]) -> int:
    """How many updates annotations say that a message stands for."""
    updates = annotations.get(UPDATES)
    return min(max(int(updates), 1), MOST_UPDATES) if isinstance(updates, int) else 1
