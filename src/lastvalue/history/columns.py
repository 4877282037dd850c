"""Conversion of records to rows of Arrow columns, and back."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

import pyarrow as pa

from lastvalue.codec.amqp10.content import MessageContent, decode_content
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.history.records import Record
from lastvalue.model.jsonable import strict_json

_TIME: Final = pa.timestamp("us", tz="UTC")
LATEST_MS: Final = (2**63 - 1) // 1000
"""The latest time that a column can hold: in the year 294247."""

SCHEMA: Final = pa.schema(
    [
        pa.field("history", pa.string(), nullable=False),
        pa.field("epoch", pa.int32(), nullable=False),
        pa.field("offset", pa.int64(), nullable=False),
        pa.field("queue", pa.string(), nullable=False),
        pa.field("effect", pa.string(), nullable=False),
        pa.field("time", _TIME, nullable=False),
        pa.field("sequence", pa.int64()),
        pa.field("reason", pa.string()),
        pa.field("key", pa.string()),
        pa.field("updates", pa.int64(), nullable=False),
        pa.field("arrival", _TIME),
        pa.field("expires", _TIME),
        pa.field("not_before", _TIME),
        pa.field("delivery_count", pa.int64()),
        pa.field("holder", pa.int64()),
        pa.field("rank", pa.binary(), nullable=False),
        pa.field("place", pa.int64()),
        pa.field("declaration", pa.string()),
        pa.field("durable", pa.bool_(), nullable=False),
        pa.field("body", pa.binary()),
        pa.field("subject", pa.string()),
        pa.field("message_id", pa.string()),
        pa.field("group_id", pa.string()),
        pa.field("content_type", pa.string()),
        pa.field("priority", pa.int16()),
        pa.field("properties", pa.map_(pa.string(), pa.string())),
        pa.field("message", pa.binary()),
        pa.field("newer", pa.int64()),
    ]
)
"""The columns of a history table, oldest first; later versions add columns that are null in older files."""


_MILLISECONDS: Final = pa.timestamp("ms", tz="UTC")
_CONTENT: Final = ("body", "subject", "message_id", "group_id", "content_type", "priority", "properties")


def table_of(records: Iterable[Record], history: str, epoch: int) -> pa.Table:
    """A table with a row for each record of one history, in their order."""
    return pa.Table.from_pylist([row_of(record, history, epoch) for record in records], schema=SCHEMA)


def row_of(record: Record, history: str, epoch: int) -> dict[str, Any]:
    """The values of one record by column."""
    row: dict[str, Any] = {
        "history": history,
        "epoch": epoch,
        "offset": record.offset,
        "queue": record.queue,
        "effect": record.effect,
        "time": _column_time(record.time_ms),
        "sequence": record.sequence,
        "reason": record.reason,
        "key": record.key,
        "updates": record.updates,
        "arrival": _column_time(record.arrival_ms),
        "expires": _column_time(record.expires_ms),
        "not_before": _column_time(record.not_before_ms),
        "delivery_count": record.delivery_count,
        "holder": record.holder,
        "rank": record.rank,
        "place": record.place,
        "declaration": None if record.declaration is None else json.dumps(dict(record.declaration)),
        "durable": record.durable,
        "newer": record.newer,
    }
    if record.message:
        row["message"] = record.message
        row.update(content_columns(record.message))
    return row


def content_columns(message: bytes) -> dict[str, Any]:
    """The content of an encoded message by column; empty if it is malformed."""
    try:
        content = decode_content(message)
    except DecodeError:
        return {}
    return {
        "body": _body(content),
        "subject": content.subject,
        "message_id": _text(content.message_id),
        "group_id": content.group_id,
        "content_type": content.content_type,
        "priority": content.priority,
        "properties": [(name, _text(value)) for name, value in content.application_properties.items()],
    }


def _column_time(time_ms: int | None) -> int | None:
    """A time as columns hold it, in microseconds; one that is too far away is the last that they can hold."""
    return None if time_ms is None else 1000 * max(-LATEST_MS, min(time_ms, LATEST_MS))


_READ: Final = [name for name in SCHEMA.names if name not in _CONTENT]


def records_of(table: pa.Table) -> list[Record]:
    """The records of rows."""
    # As numbers, because Python has no date for a far expiry.
    for index, column in enumerate(table.schema):
        if column.type == _TIME:
            numbers = table.column(index).cast(_MILLISECONDS).cast(pa.int64())
            table = table.set_column(index, column.name, numbers)
    return [_record(row) for row in table.select(_READ).to_pylist()]


def _record(row: Mapping[str, Any]) -> Record:
    declaration = row["declaration"]
    return Record(
        offset=row["offset"],
        effect=row["effect"],
        queue=row["queue"],
        time_ms=row["time"],
        sequence=row["sequence"],
        reason=row["reason"],
        key=row["key"],
        updates=row["updates"],
        arrival_ms=row["arrival"],
        expires_ms=row["expires"],
        not_before_ms=row["not_before"],
        delivery_count=row["delivery_count"],
        holder=row["holder"],
        newer=row["newer"],
        rank=row["rank"],
        place=row["place"],
        declaration=None if declaration is None else json.loads(declaration),
        durable=row["durable"],
        message=row["message"] or b"",
    )


def _body(content: MessageContent) -> bytes | None:
    body = content.body
    if body is None or isinstance(body, bytes):
        return body
    return (body if isinstance(body, str) else strict_json(body, default=str)).encode(errors="surrogatepass")


def _text(value: object) -> str | None:
    match value:
        case None:
            return None
        case bool():
            return "true" if value else "false"
        case bytes():
            return value.hex()
        case _:
            return str(value)
