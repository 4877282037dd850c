"""Rows encoded by column are the messages that they are one by one."""

from typing import Any

import pyarrow as pa
import pytest
from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.client.message_codec import decode_message, encode_message
from lastvalue.pipeline.sink.encoded_rows import encoded_rows
from lastvalue.pipeline.sink.sink_columns import messages

LONG = "é" * 200


def one_by_one(batch: pa.RecordBatch) -> list[Any]:
    return [decode_message(encode_message(message)) for message in messages(batch, "k")]


def by_column(batch: pa.RecordBatch) -> list[Any]:
    found = encoded_rows(batch, "k", durable=False)
    assert found is not None
    return [decode_message(payload) for payload in found.to_pylist()]


def texts(**more: Any) -> st.SearchStrategy[Any]:
    return st.none() | st.sampled_from(["", "a", "key-7", LONG]) | st.text(max_size=5)


def numbers(least: int = -(2**63), most: int = 2**63 - 1) -> st.SearchStrategy[Any]:
    return st.none() | st.integers(least, most)


NAMES = st.sampled_from(["x-opt-a", "x-opt-b", "n" * 255])
STRUCT = pa.struct(
    [("a", "string"), ("b", "int32"), ("c", "float64"), ("d", "bool"), ("e", "binary"), ("f", "float32")]
)
VALUES: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "key": (pa.string(), texts()),
    "properties": (pa.map_("string", "string"), st.none() | st.dictionaries(NAMES, texts(), max_size=3)),
    "subject": (pa.string(), texts()),
    "message_id": (pa.string(), texts()),
    "correlation_id": (pa.string(), texts()),
    "group_id": (pa.large_string(), texts()),
    "content_type": (pa.string(), st.none() | st.sampled_from(["text/plain", ""])),
    "reply_to": (pa.string(), texts()),
    "priority": (pa.int16(), numbers(0, 255)),
    "ttl_ms": (pa.int64(), numbers(1, 2**32 - 1)),
    "durable": (pa.bool_(), st.none() | st.booleans()),
    "updates": (pa.int64(), numbers(1)),
    "not_before": (pa.int64(), numbers(0, 2**40)),
    "annotations": (pa.map_("string", "int64"), st.none() | st.dictionaries(NAMES, numbers(), max_size=3)),
}
STRUCTS: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "key": (pa.int32(), numbers(-(2**31), 2**31 - 1)),
    "body": (pa.binary(), st.sampled_from([b"", b"x", b"y" * 255, b"z" * 70_000])),
    "properties": (
        STRUCT,
        st.none()
        | st.fixed_dictionaries(
            {
                "a": texts(),
                "b": numbers(-9, 9),
                "c": st.none() | st.floats(allow_nan=False),
                "d": st.none() | st.booleans(),
                "e": st.none() | st.binary(max_size=3),
                "f": st.none() | st.floats(width=32, allow_nan=False),
            }
        ),
    ),
    "annotations": (pa.struct([("x-opt-z", "string")]), st.fixed_dictionaries({"x-opt-z": texts()})),
}


@st.composite
def batches(draw: st.DrawFn) -> pa.RecordBatch:
    columns: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]]
    columns = {"body": (pa.string(), st.sampled_from(["", "b", LONG]))}
    others = VALUES | (STRUCTS if draw(st.booleans()) else {})
    for name in draw(st.sets(st.sampled_from(sorted(others)), max_size=6)):
        columns[name] = others[name]
    rows = draw(st.integers(1, 4))
    made = {
        name: pa.array(
            [_pairs(value) if pa.types.is_map(kind) else value for value in draw(lists(values, rows))], kind
        )
        for name, (kind, values) in columns.items()
    }
    first = draw(st.integers(0, rows - 1))
    return pa.RecordBatch.from_pydict(made).slice(first)


def lists(values: st.SearchStrategy[Any], rows: int) -> st.SearchStrategy[list[Any]]:
    return st.lists(values, min_size=rows, max_size=rows)


def _pairs(value: dict[str, Any] | None) -> list[tuple[str, Any]] | None:
    return None if value is None else list(value.items())


@settings(max_examples=example_count(200), deadline=None)
@given(batches())
def test_rows_are_the_same_messages_by_column_as_one_by_one(batch: pa.RecordBatch) -> None:
    assert by_column(batch) == one_by_one(batch)


def test_usual_rows_have_the_same_bytes_by_column_as_one_by_one() -> None:
    batch = pa.RecordBatch.from_pydict(
        {
            "body": [b"x", b"y" * 300],
            "key": ["a", LONG],
            "properties": pa.array([{"order": 7, "price": 1.5}, {"order": None, "price": None}]),
        }
    )
    found = encoded_rows(batch, "k", durable=False)
    assert found is not None
    assert found.to_pylist() == [encode_message(message) for message in messages(batch, "k")]


@pytest.mark.parametrize(("says", "is_durable"), [(None, True), (True, True), (False, False)])
def test_rows_that_do_not_say_are_as_durable_as_the_sink(says: bool | None, is_durable: bool) -> None:
    batch = pa.RecordBatch.from_pydict({"body": ["x"], "durable": pa.array([says], "bool")})
    found = encoded_rows(batch, "k", durable=True)
    assert found is not None
    assert decode_message(found[0].as_py()).durable is is_durable


@pytest.mark.parametrize(
    "columns",
    [
        {"body": pa.array([None], "string")},
        {"key": ["a"]},
        {"body": ["x"], "priority": [256]},
        {"body": ["x"], "ttl_ms": [0]},
        {"body": ["x"], "updates": [0]},
        {"body": ["x"], "key": ["a"], "properties": pa.array([{"k": "b"}])},
        {"body": ["x"], "properties": pa.array([{"mine": "b"}])},
        {"body": ["x"], "properties": pa.array([[("mine", "b")]], pa.map_("string", "string"))},
        {"body": ["x"], "properties": pa.array([{"nested": [1]}])},
        {"body": ["x"], "annotations": pa.array([{"x-opt-é": "b"}])},
        {"body": ["x"], "not_before": [1], "annotations": pa.array([{"x-opt-delivery-time": 2}])},
        {"body": ["x"], "content_type": ["é"]},
        {"body": pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff"], "binary").buffers())},
    ],
)
def test_an_unusual_batch_is_left_to_those_who_look_at_its_rows(columns: dict[str, Any]) -> None:
    batch = pa.RecordBatch.from_pydict(columns)
    assert encoded_rows(batch, "k", durable=False, reserved=("mine",)) is None
