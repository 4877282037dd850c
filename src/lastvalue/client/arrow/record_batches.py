"""From messages to rows: the columns of the Spark source and of the gateway's Arrow streams.

| column | type | what it is |
| --- | --- | --- |
| queue | string | the queue |
| key | string | the application property that is the key, as text |
| body | binary | bytes; a text in UTF-8; any other value as JSON |
| sequence | long | the message's number on its queue |
| arrival_time | timestamp | when it arrived on the queue |
| updates | long | how many updates it stands for |
| subject, group_id, message_id, correlation_id | string | the property of that name |
| content_type, reply_to, to | string | the property of that name |
| priority | int | the header's priority |
| ttl_ms | long | the header's time to live |
| durable | boolean | the header's durable |
| delivery_count | int | the number of its failed deliveries |
| creation_time, expiry_time | timestamp | when it was created and expires, as its producer says |
| malformed | string | what of the message AMQP does not allow; the other columns have what could be read |
| properties | map<string,string> | the other application properties, as text |
| annotations | map<string,string> | message annotations, as text |

The columns of `sink_columns.SINK_COLUMNS` return what the sink wrote, with a body as bytes and values as
text.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lastvalue.client.arrow.byte_columns import NotVectorizableError
from lastvalue.client.arrow.columnar_decoder import ColumnarDecoder
from lastvalue.codec.amqp10.columns import (
    CONTENT_TYPE,
    CORRELATION_ID,
    CREATION_TIME,
    DEFAULTS,
    DELIVERY_COUNT,
    DURABLE,
    EXPIRY_TIME,
    GROUP_ID,
    MALFORMED,
    MESSAGE_ID,
    PRIORITY,
    REPLY_TO,
    SUBJECT,
    TO,
    TTL,
    Columns,
    PairsColumn,
)
from lastvalue.model.property_names import HISTORY_PREFIX

_TIME: Final = pa.timestamp("us", "UTC")
_TEXT: Final = pa.string()
_TEXTS: Final = pa.map_(pa.string(), pa.string())

_RARE: Final[dict[str, tuple[int, pa.DataType]]] = {
    "subject": (SUBJECT, _TEXT),
    "group_id": (GROUP_ID, _TEXT),
    "message_id": (MESSAGE_ID, _TEXT),
    "correlation_id": (CORRELATION_ID, _TEXT),
    "content_type": (CONTENT_TYPE, _TEXT),
    "reply_to": (REPLY_TO, _TEXT),
    "to": (TO, _TEXT),
    "priority": (PRIORITY, pa.int32()),
    "ttl_ms": (TTL, pa.int64()),
    "durable": (DURABLE, pa.bool_()),
    "delivery_count": (DELIVERY_COUNT, pa.int32()),
    "creation_time": (CREATION_TIME, _TIME),
    "expiry_time": (EXPIRY_TIME, _TIME),
    "malformed": (MALFORMED, _TEXT),
}

_PREFIX: Final = HISTORY_PREFIX.encode()
_EFFECT_ANNOTATIONS: Final = tuple(
    _PREFIX + name for name in (b"effect", b"reason", b"time", b"sequence", b"key", b"queue", b"updates")
)


def schema_of(*, effects: bool = False) -> pa.Schema:
    """The columns of a queue's messages, or of the effects in its history."""
    return record_batch(Columns(""), "", effects=effects).schema


def record_batch(columns: Columns, queue: str, *, effects: bool = False) -> pa.RecordBatch:
    """The rows of messages from that queue, decoded one by one into `columns`, which it changes."""
    effect_columns = _take_effects(columns, queue) if effects else {}
    rows = columns.rows
    arrays: dict[str, pa.Array] = {
        "queue": effect_columns.get("queue", _all_default(queue, _TEXT, rows)),
        "key": _texts(columns.keys),
        "body": pa.array(columns.bodies, pa.binary()),
        "sequence": pa.array(columns.sequences, pa.int64()),
        "arrival_time": _times(columns.arrivals_ms),
        "updates": pa.array(columns.updates, pa.int64()),
    }
    for name, (index, kind) in _RARE.items():
        arrays[name] = _rare(columns, index, kind)
    arrays["expiry_time"] = _expiries(columns)
    arrays["properties"] = _pairs(columns.properties)
    arrays["annotations"] = _pairs(columns.annotations)
    for name in ("effect", "reason", "effect_time", "of_sequence") if effects else ():
        arrays[name] = effect_columns[name]
    return pa.RecordBatch.from_pydict(arrays)


def columnar_record_batch(
    messages: bytes,
    bounds: npt.NDArray[np.int64],
    queue: str,
    key_property: str,
    *,
    effects: bool = False,
    names: Sequence[str] = (),
) -> pa.RecordBatch | None:
    """The same rows, decoded by column without an object for each message; None if that is not possible.

    Args:
        messages: their bytes, maybe with other bytes between them, and PADDING at the end.
        bounds: start and end of the first message, of the second, and so on.
        queue: the queue that they come from.
        key_property: the property that is the key.
        effects: the queue is a history, and its messages are effects.
        names: the columns to make; empty: all.
    """
    try:
        columns = ColumnarDecoder(
            messages,
            bounds.reshape(-1, 2),
            key_property,
            _rare_among(names),
            all_properties=not names or "properties" in names,
        )
        arrays: dict[str, Callable[[], pa.Array]] = {
            "queue": lambda: _all_default(queue, _TEXT, columns.rows),
            "key": columns.keys,
            "body": columns.bodies,
            "sequence": lambda: pa.array(columns.sequences),
            "arrival_time": lambda: _of_milliseconds(pa.array(columns.arrivals_ms)),
            "updates": lambda: pa.array(columns.updates),
        }
        for name, (index, kind) in _RARE.items():
            arrays[name] = partial(_decoded_rare, columns, index, kind)
        arrays["expiry_time"] = partial(_decoded_expiries, columns)
        arrays["properties"] = columns.properties
        arrays["annotations"] = columns.annotations
        if effects:
            arrays |= _decoded_effects(columns, queue)
        return pa.RecordBatch.from_pydict({name: arrays[name]() for name in names or arrays})
    except (NotVectorizableError, IndexError, pa.ArrowInvalid):
        return None


def _rare_among(names: Sequence[str]) -> frozenset[int] | None:
    """The rare columns that the named ones are made of; None: all."""
    if not names:
        return None
    ttl = {TTL} if "expiry_time" in names else set()
    return frozenset({_RARE[name][0] for name in names if name in _RARE} | ttl)


def _decoded_rare(columns: ColumnarDecoder, index: int, kind: pa.DataType) -> pa.Array:
    default = DEFAULTS[index]
    if index not in columns.rare:
        return _all_default(default, kind, columns.rows)
    if kind is _TEXT:
        return columns.texts(index)
    if index == DURABLE:
        return columns.flags(index)
    numbers = columns.whole(index, default)
    return _of_milliseconds(numbers) if kind is _TIME else numbers.cast(kind)


def _decoded_effects(columns: ColumnarDecoder, queue: str) -> dict[str, Callable[[], pa.Array]]:
    """The columns of effects, with key and updates; they are annotations of a history's messages."""
    effect, reason, time, sequence, key, of_queue, updates = map(columns.take_annotation, _EFFECT_ANNOTATIONS)
    return {
        "queue": lambda: of_queue.fill_null(queue),
        "key": lambda: key,
        "updates": lambda: updates.cast(pa.int64()).fill_null(1),
        "effect": lambda: effect,
        "reason": lambda: reason,
        "effect_time": lambda: _of_milliseconds(time.cast(pa.int64())),
        "of_sequence": lambda: sequence.cast(pa.int64()),
    }


def _decoded_expiries(columns: ColumnarDecoder) -> pa.Array:
    absolute = _decoded_rare(columns, EXPIRY_TIME, _TIME)
    if TTL not in columns.rare:
        return absolute
    ends = pc.add(pa.array(columns.arrivals_ms), columns.whole(TTL, None))
    return pc.coalesce(absolute, _of_milliseconds(ends))


def _all_default(default: object, kind: pa.DataType, rows: int) -> pa.Array:
    return _constant(default, kind, 1 << rows.bit_length())[:rows]


@lru_cache(maxsize=64)
def _constant(value: object, kind: pa.DataType, rows: int) -> pa.Array:
    """A column with one value in all rows; batches share it as slices."""
    return pa.nulls(rows, kind) if value is None else pa.repeat(pa.scalar(value, kind), rows)


def _rare(columns: Columns, index: int, kind: pa.DataType) -> pa.Array:
    values, default = columns.rare[index], DEFAULTS[index]
    if not values:
        return _all_default(default, kind, columns.rows)
    values = values + [default] * (columns.rows - len(values))
    if kind is _TEXT:
        return _texts(values)
    return _times(values) if kind is _TIME else pa.array(values, kind)


def _expiries(columns: Columns) -> pa.Array:
    """The absolute expiry times; where there is none, arrival time plus time to live."""
    lives = columns.rare[TTL]
    if not lives:
        return _rare(columns, EXPIRY_TIME, _TIME)
    absolute = columns.rare[EXPIRY_TIME] + [None] * (columns.rows - len(columns.rare[EXPIRY_TIME]))
    lives = lives + [None] * (columns.rows - len(lives))
    expiries = [
        arrival + life if expiry is None and life is not None else expiry
        for expiry, life, arrival in zip(absolute, lives, columns.arrivals_ms, strict=True)
    ]
    return _times(expiries)


def _times(milliseconds: Sequence[int | None]) -> pa.Array:
    return _of_milliseconds(pa.array(milliseconds, pa.int64()))


def _of_milliseconds(numbers: pa.Array) -> pa.Array:
    return numbers.cast(pa.timestamp("ms", "UTC")).cast(_TIME)


def _pairs(column: PairsColumn) -> pa.Array:
    ends = pa.array([0, *column.ends], pa.int32())
    return pa.MapArray.from_arrays(ends, _texts(column.names), _texts(column.values), _TEXTS)


def _texts(values: Sequence[bytes | None]) -> pa.Array:
    try:
        return pa.array(values, _TEXT)
    except pa.ArrowInvalid:
        # A producer's text is not valid UTF-8.
        return pa.array(
            [None if value is None else value.decode("utf-8", "replace") for value in values], _TEXT
        )


def _take_effects(columns: Columns, queue: str) -> dict[str, pa.Array]:
    """Move the columns of effects, with key and updates, out of the annotations."""
    annotations = columns.annotations
    names, values, ends = annotations.names, annotations.values, annotations.ends
    annotations.names, annotations.values, annotations.ends = [], [], []
    effects: list[list[Any]] = [[] for _ in _EFFECT_ANNOTATIONS]
    start = 0
    for end in ends:
        row = dict(zip(names[start:end], values[start:end], strict=True))
        for column, name in zip(effects, _EFFECT_ANNOTATIONS, strict=True):
            column.append(row.pop(name, None))
        annotations.names.extend(row)
        annotations.values.extend(row.values())
        annotations.ends.append(len(annotations.names))
        start = end
    effect, reason, time, sequence, key, of_queue, updates = effects
    columns.keys = key
    columns.updates = [1 if count is None else int(count) for count in updates]
    return {
        "queue": _texts([queue.encode() if name is None else name for name in of_queue]),
        "effect": _texts(effect),
        "reason": _texts(reason),
        "effect_time": _times([None if at is None else int(at) for at in time]),
        "of_sequence": pa.array([None if one is None else int(one) for one in sequence], pa.int64()),
    }
