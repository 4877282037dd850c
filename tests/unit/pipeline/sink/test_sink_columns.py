"""Rows become messages."""

from collections.abc import Mapping

import pyarrow as pa
import pytest

from lastvalue.client.message import Message

pytest.importorskip("pyspark")

from pyspark.sql.types import (
    BinaryType,
    BooleanType,
    DataType,
    DoubleType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from lastvalue.pipeline.sink.sink_columns import UnusableColumnsError, check_columns, message, messages


def batch(**columns: list[object]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(columns)


def test_a_row_becomes_a_message_with_its_key_as_a_property() -> None:
    assert list(messages(batch(body=["x"], key=["a"]), "symbol")) == [Message("x", {"symbol": "a"})]


def test_a_null_is_as_if_the_column_were_not_there() -> None:
    rows = batch(body=["x"], key=pa.array([None], "string"), priority=pa.array([None], "int32"))
    assert list(messages(rows, "symbol")) == [Message("x")]


def test_properties_of_a_map_and_of_a_struct_are_the_same() -> None:
    as_map = pa.array([[("order", 7)]], pa.map_("string", "int64"))
    as_struct = pa.array([{"order": 7}])
    assert list(messages(batch(body=["x"], properties=as_map), "k")) == [Message("x", {"order": 7})]
    assert list(messages(batch(body=["x"], properties=as_struct), "k")) == [Message("x", {"order": 7})]


def test_a_null_property_is_left_out() -> None:
    rows = batch(body=["x"], properties=pa.array([{"order": 7, "other": None}]))
    assert list(messages(rows, "k")) == [Message("x", {"order": 7})]


def test_every_optional_column_reaches_its_field() -> None:
    row = {
        "body": b"x",
        "subject": "s",
        "message_id": "m",
        "correlation_id": "c",
        "reply_to": "r",
        "group_id": "g",
        "content_type": "text/plain",
        "priority": 9,
        "ttl_ms": 1000,
        "durable": True,
        "updates": 3,
        "annotations": {"x-opt-origin": "test"},
    }
    assert message(row, "k") == Message(
        b"x",
        {},
        {"x-opt-origin": "test"},
        subject="s",
        message_id="m",
        correlation_id="c",
        reply_to="r",
        group_id="g",
        content_type="text/plain",
        priority=9,
        ttl_ms=1000,
        durable=True,
        updates=3,
    )


@pytest.mark.parametrize(
    "moment",
    [
        pa.array([1_700_000_000_123], "int64"),
        pa.array([1_700_000_000_123_456], pa.timestamp("us", "UTC")),
    ],
)
def test_the_time_before_which_a_row_is_not_delivered_is_an_annotation(moment: pa.Array) -> None:
    (made,) = messages(pa.RecordBatch.from_arrays([pa.array(["x"]), moment], ["body", "not_before"]), "k")
    assert made == Message("x", annotations={"x-opt-delivery-time": 1_700_000_000_123})


def test_a_row_without_a_body_is_refused() -> None:
    with pytest.raises(UnusableColumnsError, match="body is null"):
        message({"key": "a"}, "k")


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"key": StringType()}, "there is no column 'body'"),
        ({"body": StringType(), "price": DoubleType()}, "column 'price' cannot be published"),
        ({"body": DoubleType()}, "column 'body' is double; it has to be string or binary"),
        (
            {"body": StringType(), "priority": StringType()},
            "column 'priority' is string; it has to be tinyint",
        ),
        ({"body": StringType(), "properties": StringType()}, "is string; it has to be map or struct"),
        ({"body": StringType(), "durable": LongType()}, "column 'durable' is bigint; it has to be boolean"),
    ],
)
def test_unusable_columns_are_named(fields: dict[str, DataType], text: str) -> None:
    with pytest.raises(UnusableColumnsError, match=text):
        check_columns(struct(fields))


def test_all_usable_columns_are_taken() -> None:
    texts = ("subject", "message_id", "correlation_id", "reply_to", "group_id", "content_type")
    numbers = ("key", "priority", "ttl_ms", "updates")
    check_columns(
        struct(
            {
                "body": BinaryType(),
                "properties": MapType(StringType(), LongType()),
                "durable": BooleanType(),
                "not_before": TimestampType(),
                "annotations": struct({"x-opt-origin": StringType()}),
                **dict.fromkeys(texts, StringType()),
                **dict.fromkeys(numbers, LongType()),
            }
        )
    )


def struct(fields: Mapping[str, DataType]) -> StructType:
    return StructType([StructField(name, kind) for name, kind in fields.items()])
