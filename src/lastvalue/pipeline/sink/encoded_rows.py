"""From rows to encoded messages, a batch at a time and by column, without an object for each row.

The messages are those that `sink_columns.message` and `client.message_codec` make of each row. A batch that
cannot be encoded by column, for example because a row has no body, is left to these two, which report the
fault.
"""

from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lastvalue.client.arrow.byte_columns import NotVectorizableError
from lastvalue.client.message_codec import MOST_TTL_MS
from lastvalue.codec.amqp10.shortcuts.transfers import HeadPattern
from lastvalue.model.composite_key import is_composite_key
from lastvalue.model.property_names import DELIVERY_TIME, UPDATES
from lastvalue.pipeline.sink.encoded_columns import (
    BINARY,
    STRING,
    SYMBOL,
    EncodedColumns,
    Numbers,
    big_endian,
    concatenate,
    flags,
    from_matrix,
    length_prefixed,
    map_entries,
    map_entry,
    map_section,
    numbers,
    only_where,
)
from lastvalue.pipeline.sink.sink_columns import NOT_BEFORE
from lastvalue.protocols.amqp10.windows import SERIAL

MOST_BYTES: Final = 1 << 30
"""A larger batch is encoded row by row, because an encoded column must fit into 2 GiB."""

_HEADER: Final = b"\x00\x53\x70"
_ANNOTATIONS: Final = b"\x00\x53\x72"
_PROPERTIES: Final = b"\x00\x53\x73"
_APPLICATION_PROPERTIES: Final = b"\x00\x53\x74"
_DATA: Final = b"\x00\x53\x75"
_VALUE: Final = b"\x00\x53\x77"
_NULL: Final = b"\x40"
_DEFAULT_PRIORITY: Final = 4
# [1.0 §3.2.4] The fields of the properties section; None if the sink has no column.
_FIELDS: Final = (
    "message_id", None, None, "subject", "reply_to", "correlation_id", "content_type",
    None, None, None, "group_id",
)  # fmt: skip
_CONTENT_TYPE: Final = "content_type"


def encoded_rows(
    batch: pa.RecordBatch, key_property: str, *, durable: bool, reserved: tuple[str, ...] = ()
) -> pa.Array | None:
    """The batch's rows as a column of messages, or None if they have to be encoded one by one.

    Args:
        batch: columns as `sink_columns.check_columns` allows them.
        key_property: the application property that the column `key` becomes.
        durable: the default for rows without the column `durable`.
        reserved: application properties that no row may have.
    """
    if batch.num_rows == 0 or batch.nbytes > MOST_BYTES:
        return None
    columns = {
        name: column
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
        if column.null_count < len(column)
    }
    try:
        # Finds texts that are not valid UTF-8.
        batch.validate(full=True)
        return concatenate(
            [
                *_header(columns, batch.num_rows, durable=durable),
                *_annotations(columns, batch.num_rows),
                *_properties(columns, batch.num_rows),
                *_application_properties(columns, batch.num_rows, key_property, reserved),
                *_body(columns),
            ],
            batch.num_rows,
        )
    except (NotVectorizableError, pa.ArrowInvalid):
        return None


class RowBlock:
    """Encoded rows as a block for a sender.

    Args:
        messages: from `encoded_rows`, at least one.
    """

    def __init__(self, messages: pa.Array) -> None:
        self._messages = messages
        self._sizes = numbers(pc.binary_length(messages), 0)

    def __len__(self) -> int:
        """See Block."""
        return len(self._messages)

    @property
    def largest(self) -> int:
        """See Block."""
        return int(self._sizes.max())

    def frames(self, first: int, count: int, pattern: HeadPattern, delivery_id: int) -> bytes:
        """See Block."""
        template = np.frombuffer(pattern.octets, np.uint8)
        heads = np.empty((count, len(template)), np.uint8)
        heads[:] = template
        heads[:, :4] = big_endian(self._sizes[first : first + count] + len(template), 4)
        ids = big_endian(np.arange(delivery_id, delivery_id + count) & SERIAL, 4)
        heads[:, pattern.delivery_id_at : pattern.delivery_id_at + 4] = ids
        heads[:, pattern.tag_at : pattern.tag_at + 4] = ids
        frames = concatenate([from_matrix(heads), self._messages.slice(first, count)], count)
        octets = frames.buffers()[2]
        start, end = np.frombuffer(frames.buffers()[1], np.int32)[[frames.offset, frames.offset + count]]
        content: bytes = octets[start:end].to_pybytes()
        return content

    def payloads(self) -> list[bytes]:
        """All encoded messages."""
        messages: list[bytes] = self._messages.to_pylist()
        return messages

    def payload(self, index: int) -> bytes:
        """See Block."""
        message: bytes = self._messages[index].as_py()
        return message


_Columns = dict[str, pa.Array]


def _header(columns: _Columns, rows: int, *, durable: bool) -> EncodedColumns:
    """[1.0 §3.2.1] durable, priority, ttl; nothing if all rows have the defaults."""
    own, priority, ttl = columns.get("durable"), columns.get("priority"), columns.get("ttl_ms")
    if own is None and priority is None and ttl is None:
        return [_HEADER + b"\xc0\x02\x01\x41"] if durable else []
    head = np.empty((rows, 9), np.uint8)
    # A list of durable and priority, after its size in bytes and its number of fields.
    head[:] = np.frombuffer(_HEADER + bytes((0xC0, 4, 2, 0x41 if durable else 0x42, 0x50, 4)), np.uint8)
    if own is not None:
        head[:, 6] = np.where(flags(own.fill_null(durable)), 0x41, 0x42)
    if priority is not None:
        head[:, 8] = _within(priority, _DEFAULT_PRIORITY, 0, 255)
    if ttl is None:
        return [from_matrix(head)]
    ttl_fields = np.full((rows, 5), 0x70, np.uint8)
    ttl_fields[:, 1:] = big_endian(_within(ttl, 1, 1, MOST_TTL_MS), 4)
    has_ttl = flags(ttl.is_valid())
    head[:, 4] += np.where(has_ttl, 5, 0).astype(np.uint8)
    head[:, 5] += has_ttl
    return [from_matrix(head), only_where(ttl.is_valid(), from_matrix(ttl_fields))]


def _annotations(columns: _Columns, rows: int) -> EncodedColumns:
    annotations, moment, updates = columns.get("annotations"), columns.get(NOT_BEFORE), columns.get("updates")
    entries = []
    if annotations is not None:
        reserved = (
            *((DELIVERY_TIME,) if moment is not None else ()),
            *((UPDATES,) if updates is not None else ()),
        )
        entries = map_entries(annotations, SYMBOL, reserved)
    if moment is not None:
        if pa.types.is_timestamp(moment.type):
            moment = moment.cast(pa.timestamp("ms", moment.type.tz), safe=False)
        entries.append(map_entry(DELIVERY_TIME.encode(), SYMBOL, moment.cast(pa.int64())))
    if updates is not None:
        counts = _within(updates, 1, 1, 2**63 - 1)
        if (counts > 1).any():
            entries.append(map_entry(UPDATES.encode(), SYMBOL, pa.array(counts, mask=counts == 1)))
    return map_section(_ANNOTATIONS, entries, rows)


def _properties(columns: _Columns, rows: int) -> EncodedColumns:
    """[1.0 §3.2.4] A list, in which a field that a row does not have is null."""
    present = [name for name in _FIELDS if name in columns]
    if not present:
        return []
    count = _FIELDS.index(present[-1]) + 1
    content: EncodedColumns = []
    for name in _FIELDS[:count]:
        content += [_NULL] if name not in columns else _field(columns[name], name)
    fields = concatenate(content, rows)
    size = numbers(pc.binary_length(fields), 0)
    if int(size.max()) < 255:
        head = np.empty((rows, 6), np.uint8)
        head[:] = np.frombuffer(_PROPERTIES + bytes((0xC0, 0, count)), np.uint8)
        head[:, 4:5] = big_endian(size + 1, 1)
    else:
        head = np.empty((rows, 12), np.uint8)
        head[:] = np.frombuffer(_PROPERTIES + b"\xd0\x00\x00\x00\x00\x00\x00\x00" + bytes((count,)), np.uint8)
        head[:, 4:8] = big_endian(size + 4, 4)
    return [from_matrix(head), fields]


def _field(column: pa.Array, name: str) -> EncodedColumns:
    if name == _CONTENT_TYPE and not pc.all(pc.string_is_ascii(column), min_count=0).as_py():
        raise NotVectorizableError("a content type that is not a symbol")
    head, text = length_prefixed(column, SYMBOL if name == _CONTENT_TYPE else STRING)
    return [pc.if_else(column.is_valid(), head, _NULL) if column.null_count else head, text]


def _application_properties(
    columns: _Columns, rows: int, key_property: str, reserved: tuple[str, ...]
) -> EncodedColumns:
    properties, key = columns.get("properties"), columns.get("key")
    entries = []
    if properties is not None:
        names = reserved if key is None else (*reserved, key_property)
        entries = map_entries(properties, STRING, names)
    if key is not None:
        if is_composite_key(key_property):
            raise NotVectorizableError("a key of several properties")
        if key_property in reserved:
            raise NotVectorizableError("a key with a reserved name")
        entries.append(map_entry(key_property.encode(), STRING, key))
    return map_section(_APPLICATION_PROPERTIES, entries, rows)


def _body(columns: _Columns) -> EncodedColumns:
    body = columns.get("body")
    if body is None or body.null_count:
        raise NotVectorizableError("a row without a body")
    if pa.types.is_string(body.type) or pa.types.is_large_string(body.type):
        return length_prefixed(body, STRING, _VALUE)
    return length_prefixed(body, BINARY, _DATA)


def _within(column: pa.Array, default: int, least: int, most: int) -> Numbers:
    values = numbers(column, default)
    if int(values.min()) < least or int(values.max()) > most:
        raise NotVectorizableError("a number out of range")
    return values
