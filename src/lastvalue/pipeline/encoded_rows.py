"""Rows to encoded messages, a batch at a time and by column: no object is made for a row.

What comes out means what `outgoing.message` and `client.encoding.encoded` make of each row. A batch with
anything unusual in it, such as a row that is no message, is left to them: they say what is wrong with it.
"""

from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lastvalue.client.encoding import MOST_TTL_MS
from lastvalue.codec.amqp10.shortcuts.transfers import HeadPattern
from lastvalue.model.property_names import DELIVERY_TIME, UPDATES
from lastvalue.pipeline.encoded_values import (
    BINARY,
    STRING,
    SYMBOL,
    Numbers,
    Pieces,
    big_endian,
    entries,
    fixed,
    flags,
    joined,
    map_section,
    named,
    numbers,
    sized,
    where,
)
from lastvalue.pipeline.outgoing import NOT_BEFORE
from lastvalue.pipeline.unusual import UnusualError
from lastvalue.protocols.amqp10.windows import SERIAL

MOST_BYTES: Final = 1 << 30
"""A larger batch is left to the rows: what becomes of it has to fit into 2 GiB."""

_HEADER: Final = b"\x00\x53\x70"
_ANNOTATIONS: Final = b"\x00\x53\x72"
_PROPERTIES: Final = b"\x00\x53\x73"
_APPLICATION_PROPERTIES: Final = b"\x00\x53\x74"
_DATA: Final = b"\x00\x53\x75"
_VALUE: Final = b"\x00\x53\x77"
_NULL: Final = b"\x40"
_DEFAULT_PRIORITY: Final = 4
# [1.0 §3.2.4] The fields of the properties section, as far as rows have them.
_FIELDS: Final = (
    "message_id", None, None, "subject", "reply_to", "correlation_id", "content_type",
    None, None, None, "group_id",
)  # fmt: skip
_CONTENT_TYPE: Final = "content_type"


def encoded_rows(
    batch: pa.RecordBatch, key_property: str, *, durable: bool, reserved: tuple[str, ...] = ()
) -> pa.Array | None:
    """The batch's rows as a column of messages, or None where they have to be looked at one by one.

    Args:
        batch: columns as `outgoing.check_columns` allows them.
        key_property: the application property that the column `key` becomes.
        durable: of rows that do not say.
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
        # Bytes that are no UTF-8 in a text.
        batch.validate(full=True)
        return joined(
            [
                *_header(columns, batch.num_rows, durable=durable),
                *_annotations(columns, batch.num_rows),
                *_properties(columns, batch.num_rows),
                *_application_properties(columns, batch.num_rows, key_property, reserved),
                *_body(columns),
            ],
            batch.num_rows,
        )
    except (UnusualError, pa.ArrowInvalid):
        return None


class RowBlock:
    """Encoded rows as a block that a sender takes.

    Args:
        messages: what `encoded_rows` made, at least one.
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
        made = joined([fixed(heads), self._messages.slice(first, count)], count)
        octets = made.buffers()[2]
        start, end = np.frombuffer(made.buffers()[1], np.int32)[[made.offset, made.offset + count]]
        found: bytes = octets[start:end].to_pybytes()
        return found

    def payloads(self) -> list[bytes]:
        """All of them."""
        found: list[bytes] = self._messages.to_pylist()
        return found

    def payload(self, index: int) -> bytes:
        """See Block."""
        found: bytes = self._messages[index].as_py()
        return found


_Columns = dict[str, pa.Array]


def _header(columns: _Columns, rows: int, *, durable: bool) -> Pieces:
    """[1.0 §3.2.1] durable, priority, ttl; nothing where all rows have the defaults."""
    says, priority, ttl = columns.get("durable"), columns.get("priority"), columns.get("ttl_ms")
    if says is None and priority is None and ttl is None:
        return [_HEADER + b"\xc0\x02\x01\x41"] if durable else []
    head = np.empty((rows, 9), np.uint8)
    # A list of durable and priority: so many bytes, so many fields.
    head[:] = np.frombuffer(_HEADER + bytes((0xC0, 4, 2, 0x41 if durable else 0x42, 0x50, 4)), np.uint8)
    if says is not None:
        head[:, 6] = np.where(flags(says.fill_null(durable)), 0x41, 0x42)
    if priority is not None:
        head[:, 8] = _within(priority, _DEFAULT_PRIORITY, 0, 255)
    if ttl is None:
        return [fixed(head)]
    lives = np.full((rows, 5), 0x70, np.uint8)
    lives[:, 1:] = big_endian(_within(ttl, 1, 1, MOST_TTL_MS), 4)
    given = flags(ttl.is_valid())
    head[:, 4] += np.where(given, 5, 0).astype(np.uint8)
    head[:, 5] += given
    return [fixed(head), where(ttl.is_valid(), fixed(lives))]


def _annotations(columns: _Columns, rows: int) -> Pieces:
    given, moment, updates = columns.get("annotations"), columns.get(NOT_BEFORE), columns.get("updates")
    found = []
    if given is not None:
        refused = (
            *((DELIVERY_TIME,) if moment is not None else ()),
            *((UPDATES,) if updates is not None else ()),
        )
        found = entries(given, SYMBOL, refused)
    if moment is not None:
        if pa.types.is_timestamp(moment.type):
            moment = moment.cast(pa.timestamp("ms", moment.type.tz), safe=False)
        found.append(named(DELIVERY_TIME.encode(), SYMBOL, moment.cast(pa.int64())))
    if updates is not None:
        counts = _within(updates, 1, 1, 2**63 - 1)
        if (counts > 1).any():
            found.append(named(UPDATES.encode(), SYMBOL, pa.array(counts, mask=counts == 1)))
    return map_section(_ANNOTATIONS, found, rows)


def _properties(columns: _Columns, rows: int) -> Pieces:
    """[1.0 §3.2.4] A list, in which a field that a row does not have is null."""
    known = [name for name in _FIELDS if name in columns]
    if not known:
        return []
    count = _FIELDS.index(known[-1]) + 1
    content: Pieces = []
    for name in _FIELDS[:count]:
        content += [_NULL] if name not in columns else _field(columns[name], name)
    fields = joined(content, rows)
    size = numbers(pc.binary_length(fields), 0)
    if int(size.max()) < 255:
        head = np.empty((rows, 6), np.uint8)
        head[:] = np.frombuffer(_PROPERTIES + bytes((0xC0, 0, count)), np.uint8)
        head[:, 4:5] = big_endian(size + 1, 1)
    else:
        head = np.empty((rows, 12), np.uint8)
        head[:] = np.frombuffer(_PROPERTIES + b"\xd0\x00\x00\x00\x00\x00\x00\x00" + bytes((count,)), np.uint8)
        head[:, 4:8] = big_endian(size + 4, 4)
    return [fixed(head), fields]


def _field(column: pa.Array, name: str) -> Pieces:
    if name == _CONTENT_TYPE and not pc.all(pc.string_is_ascii(column), min_count=0).as_py():
        raise UnusualError("a content type that is no symbol")
    head, text = sized(column, SYMBOL if name == _CONTENT_TYPE else STRING)
    return [pc.if_else(column.is_valid(), head, _NULL) if column.null_count else head, text]


def _application_properties(
    columns: _Columns, rows: int, key_property: str, reserved: tuple[str, ...]
) -> Pieces:
    given, key = columns.get("properties"), columns.get("key")
    found = []
    if given is not None:
        found = entries(given, STRING, (*reserved, key_property) if key is not None else reserved)
    if key is not None:
        if key_property in reserved:
            raise UnusualError("a key that stands for something else")
        found.append(named(key_property.encode(), STRING, key))
    return map_section(_APPLICATION_PROPERTIES, found, rows)


def _body(columns: _Columns) -> Pieces:
    body = columns.get("body")
    if body is None or body.null_count:
        raise UnusualError("a row without a body")
    if pa.types.is_string(body.type) or pa.types.is_large_string(body.type):
        return sized(body, STRING, _VALUE)
    return sized(body, BINARY, _DATA)


def _within(column: pa.Array, default: int, least: int, most: int) -> Numbers:
    found = numbers(column, default)
    if int(found.min()) < least or int(found.max()) > most:
        raise UnusualError("a number out of range")
    return found
