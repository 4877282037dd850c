"""Messages taken apart in step are the rows that they are one by one."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("pyspark")

from lastvalue.client.arrow.byte_columns import PADDING
from lastvalue.client.arrow.record_batches import columnar_record_batch, record_batch
from lastvalue.client.message import Message
from lastvalue.client.message_codec import encode_message
from lastvalue.codec.amqp10.columns import Columns
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.shortcuts.stamps import stamped
from lastvalue.codec.amqp10.values import Symbol, Timestamp, UInt, ULong
from lastvalue.pipeline.source.source_schema import source_schema

LONG = "é" * 200


def one_by_one(payloads: list[bytes], key: str = "k") -> pa.RecordBatch:
    columns = Columns(key)
    columns.take_all(payloads)
    return record_batch(columns, "q")


def in_step(
    payloads: list[bytes],
    key: str = "k",
    between: bytes = b"",
    *,
    effects: bool = False,
    names: Sequence[str] = (),
) -> pa.RecordBatch | None:
    bounds, data = [], b""
    for payload in payloads:
        data += between
        bounds += [len(data), len(data) + len(payload)]
        data += payload
    return columnar_record_batch(data + PADDING, np.array(bounds), "q", key, effects=effects, names=names)


TEXTS = st.sampled_from(["", "a", LONG]) | st.text(max_size=5)
SIMPLE = (
    st.none() | TEXTS | st.integers(-(2**63), 2**63 - 1) | st.integers(-9, 9) | st.booleans() | st.floats()
    | st.builds(UInt, st.integers(0, 2**32 - 1)) | st.builds(Timestamp, st.integers(0, 2**40))
)  # fmt: skip
NAMES = st.sampled_from(["k", "a", "b", "n" * 255])
CONTENTS = st.builds(
    MessageContent,
    durable=st.booleans(),
    priority=st.integers(0, 255),
    ttl_ms=st.none() | st.integers(1, 2**32 - 1),
    delivery_count=st.sampled_from([0, 1, 300]),
    message_annotations=st.dictionaries(st.sampled_from(["x-opt-a", "k"]), SIMPLE, max_size=2)
    | st.just({"x-opt-updates": 3}),
    message_id=st.none() | TEXTS,
    user_id=st.none() | st.binary(max_size=3),
    to=st.none() | TEXTS,
    subject=st.none() | TEXTS,
    content_type=st.none() | st.just("text/plain"),
    absolute_expiry_time=st.none() | st.integers(0, 2**40),
    creation_time=st.none() | st.integers(0, 2**40),
    group_id=st.none() | TEXTS,
    application_properties=st.dictionaries(NAMES, SIMPLE, max_size=3),
    body=st.none() | TEXTS,
)


@settings(max_examples=example_count(150), deadline=None)
@given(st.lists(CONTENTS, min_size=1, max_size=5), st.sampled_from([b"", b"\x00\x53\x70"]))
def test_messages_are_the_same_rows_in_step_as_one_by_one(contents: list[Any], between: bytes) -> None:
    payloads = [stamped(encode_content(content), 7, 8, 9) for content in contents]
    found = in_step(payloads, between=between)
    assert found is not None
    expected = one_by_one(payloads)
    assert found.schema == expected.schema
    assert found.to_pylist() == expected.to_pylist()


@settings(max_examples=example_count(150), deadline=None)
@given(st.lists(CONTENTS, min_size=1, max_size=5))
def test_keys_of_several_properties_are_the_same_in_step_as_one_by_one(contents: list[Any]) -> None:
    payloads = [encode_content(content) for content in contents]
    found = in_step(payloads, "a,k")
    assert found is None or found.to_pylist() == one_by_one(payloads, "a,k").to_pylist()


@pytest.mark.parametrize("names", [(), ("key",)])
def test_keys_of_several_properties_are_read_in_step(names: tuple[str, ...]) -> None:
    """A property that not all messages have keeps them from having a key, and stays among the properties."""
    properties: list[dict[str, Any]] = [
        {"b": "x,y", "a": 5},
        {"a": "\\", "b": True},
        {"a": "z"},
        {"b": 1.5, "a": ""},
    ]
    found = in_step([encode_message(Message(b"x", each)) for each in properties], "a,b", names=names)
    assert found is not None
    assert found.column("key").to_pylist() == ["5,x\\,y", "\\\\,true", None, ",1.5"]
    if not names:
        assert dict(found.column("properties").to_pylist()[0]) == {"a": "5", "b": "x,y"}


@settings(max_examples=example_count(50), deadline=None)
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["effect", "reason", "key", "queue", "time", "sequence", "updates", "other"]),
            st.integers(0, 2**40),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_effects_are_the_same_rows_in_step_as_one_by_one(told: list[dict[str, int]]) -> None:
    payloads = [
        stamped(
            encode_message(Message(b"x", {"k": "v"}, {f"x-opt-lastvalue-{n}": note[n] for n in note})),
            1,
            2,
            3,
        )
        for note in told
    ]
    columns = Columns("k")
    columns.take_all(payloads)
    found = in_step(payloads, effects=True)
    assert found is not None
    expected = record_batch(columns, "q", effects=True)
    assert found.schema == expected.schema
    assert found.to_pylist() == expected.to_pylist()


@settings(max_examples=example_count(50), deadline=None)
@given(
    st.lists(CONTENTS, min_size=1, max_size=3),
    st.lists(st.sampled_from(source_schema().names), min_size=1, unique=True),
)
def test_columns_that_are_asked_for_are_what_they_are_among_all(
    contents: list[Any], names: list[str]
) -> None:
    payloads = [stamped(encode_content(content), 7, 8, 9) for content in contents]
    found = in_step(payloads, names=names)
    assert found is not None
    assert found.to_pylist() == one_by_one(payloads).select(names).to_pylist()


def test_bodies_of_bytes_and_of_text_and_what_the_sink_adds_are_the_same_in_step() -> None:
    payloads = [
        encode_message(Message(b"x" * 300, {"k": "1", "_AMQ_DUPL_ID": "w/0"})),
        encode_message(Message("text", {"k": 5, "n": None})),
        stamped(encode_message(Message(b"", durable=True, content_type="a/b")), 2**40, 1, 1),
    ]
    found = in_step(payloads)
    assert found is not None
    assert found.to_pylist() == one_by_one(payloads).to_pylist()


@pytest.mark.parametrize(
    "payload",
    [
        encode_message(Message(5)),
        encode_message(Message({"a": 1})),
        encode_message(Message(b"x", {"n": b"\xff"})),
        encode_message(Message(b"x", {"n": 2**64 - 1})),
        encode_content(MessageContent(body="x", footer={Symbol("x"): 1})),
        encode_message(Message(b"x"))[:-1],
        encode_message(Message(b"x")) + b"\x00",
        encode_message(Message(b"x", {"n": "y"}))[:-10],
        b"\x00\x53\x77\xa1\x01\xff",
        b"\x00\x53\x74\xc1\x04\x02\xa1\x01a" + encode_message(Message(b"x")),
        b"",
        b"\x00\x53\x75\xb0\xff\xff\xff\xff",
    ],
)
def test_unusual_messages_are_left_to_those_who_look_at_each(payload: bytes) -> None:
    usual = encode_message(Message(b"x", {"k": "v"}))
    bytes_of_all = [usual, payload, usual]
    found = in_step(bytes_of_all)
    assert found is None or found.to_pylist() == one_by_one(bytes_of_all).to_pylist()


@pytest.mark.parametrize("count", [0, 2**32 - 1, 2**32, 2**63 - 1, ULong(2**64 - 1)])
def test_a_count_of_updates_is_the_same_in_step(count: int) -> None:
    payload = encode_content(MessageContent(message_annotations={"x-opt-updates": count}, body=b"x"))
    found = in_step([payload])
    assert found is None or found == one_by_one([payload])
    assert one_by_one([payload]).column("updates").to_pylist() == [min(max(count, 1), 2**32 - 1)]


def test_a_malformed_message_does_not_keep_readers_from_the_others() -> None:
    payloads = [encode_content(MessageContent(body=body)) for body in (b"x", b"y")]
    payloads.insert(1, b"\x00\x53\x77\xa1\x05FAUL")
    assert in_step(payloads) is None
    rows = one_by_one(payloads)
    assert rows.column("body").to_pylist() == [b"x", payloads[1], b"y"]
    assert [fault is None for fault in rows.column("malformed").to_pylist()] == [True, False, True]


def test_a_key_that_is_a_field_of_the_message_is_found() -> None:
    payloads = [encode_message(Message(b"x", subject="s"))]
    assert in_step(payloads, "subject") is None
    assert one_by_one(payloads, "subject").column("key").to_pylist() == ["s"]
