"""From rows to messages: the columns of the sink, and what each becomes.

| column | type | what it becomes |
| --- | --- | --- |
| body | string or binary, required | the body |
| key | string or a whole number | the application property that the option keyProperty names |
| properties | map of text to simple values, or a struct | application properties; a null is left out |
| subject, message_id, correlation_id, group_id, content_type, reply_to | string | the property of that name |
| priority | whole number | the header's priority |
| ttl_ms | whole number | the header's time to live |
| durable | boolean | the header's durable; by default the option durable |
| not_before | timestamp, or whole number (milliseconds since the epoch) | the earliest time of delivery |
| updates | whole number | how many updates the row stands for |
| annotations | map or struct | message annotations; their names start with x-opt- |

A null in an optional column has the same effect as a missing column.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from lastvalue.client.message import Message
from lastvalue.model.composite_key import properties_of_key
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.model.property_names import DELIVERY_TIME

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

_WHOLE: Final = ("tinyint", "smallint", "int", "bigint")
_TABLE: Final = ("map", "struct")

SINK_COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "body": ("string", "binary"),
    "key": ("string", *_WHOLE),
    "properties": _TABLE,
    "subject": ("string",),
    "message_id": ("string",),
    "correlation_id": ("string",),
    "group_id": ("string",),
    "content_type": ("string",),
    "reply_to": ("string",),
    "priority": _WHOLE,
    "ttl_ms": _WHOLE,
    "durable": ("boolean",),
    "updates": _WHOLE,
    "annotations": _TABLE,
}
"""The columns with their allowed types, named as in Spark SQL."""

NOT_BEFORE: Final = "not_before"
_SENT: Final[Mapping[str, Sequence[str]]] = {**SINK_COLUMNS, NOT_BEFORE: ("timestamp", *_WHOLE)}


class UnusableColumnsError(LastvalueError):
    """A DataFrame cannot be published: a column is unknown, missing or of a wrong type."""

    condition = Condition.INVALID_FIELD


def check_columns(schema: "StructType") -> None:
    """Check that the schema can be published.

    Raises:
        UnusableColumnsError: a column is unknown, missing or of a wrong type.
    """
    for field in schema.fields:
        if field.name not in _SENT:
            raise UnusableColumnsError(
                f"column {field.name!r} cannot be published: a row has body and optionally "
                f"{', '.join(list(_SENT)[1:])}; put other values into properties, "
                "as in F.struct('order').alias('properties')"
            )
        kind = field.dataType.simpleString().partition("<")[0]
        if kind not in _SENT[field.name]:
            allowed = " or ".join(_SENT[field.name])
            raise UnusableColumnsError(f"column {field.name!r} is {kind}; it has to be {allowed}")
    if "body" not in schema.names:
        raise UnusableColumnsError("there is no column 'body', as in F.to_json(F.struct('*')).alias('body')")


def messages(batch: pa.RecordBatch, key_property: str) -> Iterator[Message]:
    """The batch's rows as messages, in order.

    Raises:
        UnusableColumnsError: a row has no body.
    """
    for row in rows(batch):
        yield message(row, key_property)


def rows(batch: pa.RecordBatch) -> Iterator[dict[str, object]]:
    """The batch's rows without their nulls, in order."""
    names = batch.schema.names
    lists = [_values(batch.column(index)) for index in range(len(names))]
    for values in zip(*lists, strict=True):
        yield {name: value for name, value in zip(names, values, strict=True) if value is not None}


def message(row: Mapping[str, object], key_property: str) -> Message:
    """One row, without its nulls, as a message.

    Raises:
        UnusableColumnsError: it has no body, or a key that the queue does not have.
    """
    fields = dict(row)
    if "body" not in fields:
        raise UnusableColumnsError("a row's body is null: a message needs a body")
    properties = _without_nulls(fields.pop("properties")) if "properties" in fields else {}
    if "key" in fields:
        properties |= _key_properties(key_property, fields.pop("key"))
    annotations = _without_nulls(fields.pop("annotations")) if "annotations" in fields else {}
    if NOT_BEFORE in fields:
        annotations[DELIVERY_TIME] = fields.pop(NOT_BEFORE)
    return Message(fields.pop("body"), properties, annotations, **fields)  # type: ignore[arg-type] # check_columns


def _key_properties(key_property: str, key: object) -> Mapping[str, object]:
    try:
        return properties_of_key(key_property, key)
    except ValueError as fault:
        raise UnusableColumnsError(f"a row's key is {key!r:.60}; {fault}") from None


def _values(column: pa.Array) -> Sequence[object]:
    if pa.types.is_map(column.type):
        return [None if pairs is None else dict(pairs) for pairs in column.to_pylist()]
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.timestamp("ms", column.type.tz), safe=False).cast(pa.int64())
    values: Sequence[object] = column.to_pylist()
    return values


def _without_nulls(values: object) -> dict[str, object]:
    assert isinstance(values, dict)  # noqa: S101 - check_columns allows maps and structs only
    return {name: value for name, value in values.items() if value is not None}
