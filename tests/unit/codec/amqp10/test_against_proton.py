"""python-qpid-proton as an independent judge: it reads what we write, and we read what it writes."""

from typing import Any
from uuid import UUID

import pytest
from amqp10_material import EXAMPLES, exactly
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.value_codec import decode_value, encode_value
from lastvalue.codec.amqp10.values import (
    Array,
    Byte,
    Char,
    Described,
    Float,
    Int,
    Short,
    Symbol,
    Timestamp,
    UByte,
    UInt,
    ULong,
    UShort,
    Value,
)
from lastvalue.model.message import PropertyName

proton = pytest.importorskip("proton", reason="the judge is python-qpid-proton, which is not installed")

pytestmark = pytest.mark.interop

# Proton's type, and ours.
SCALARS: list[tuple[Any, Value]] = [
    (None, None),
    (True, True),
    (False, False),
    (proton.ubyte(200), UByte(200)),
    (proton.ushort(60_000), UShort(60_000)),
    (proton.uint(0), UInt(0)),
    (proton.uint(200), UInt(200)),
    (proton.uint(2**32 - 1), UInt(2**32 - 1)),
    (proton.ulong(0), ULong(0)),
    (proton.ulong(200), ULong(200)),
    (proton.ulong(2**64 - 1), ULong(2**64 - 1)),
    (proton.byte(-100), Byte(-100)),
    (proton.short(-30_000), Short(-30_000)),
    (proton.int32(-5), Int(-5)),
    (proton.int32(-(2**31)), Int(-(2**31))),
    (5, 5),
    (-(2**63), -(2**63)),
    (proton.float32(1.5), Float(1.5)),
    (1.1, 1.1),
    (proton.char("é"), Char("é")),
    (proton.timestamp(1_700_000_000_000), Timestamp(1_700_000_000_000)),
    (UUID(int=77), UUID(int=77)),
    (b"", b""),
    (bytes(300), bytes(300)),
    ("", ""),
    ("é" * 200, "é" * 200),
    (proton.symbol("sym"), Symbol("sym")),
    (proton.symbol("s" * 300), Symbol("s" * 300)),
]

COMPOUND: list[tuple[Any, Value]] = [
    ([], []),
    ([1, "two", [None]], [1, "two", [None]]),
    ([0] * 300, [0] * 300),
    ({}, {}),
    ({"a": {proton.symbol("b"): [True]}}, {"a": {Symbol("b"): [True]}}),
    (proton.Described(proton.ulong(36), []), Described(ULong(36), [])),
    (proton.Described(proton.symbol("x:y"), {"a": 1}), Described(Symbol("x:y"), {"a": 1})),
    (
        proton.Array(proton.UNDESCRIBED, proton.Data.SYMBOL, proton.symbol("a"), proton.symbol("b")),
        Array("symbol", [Symbol("a"), Symbol("b")]),
    ),
    (
        proton.Array(proton.UNDESCRIBED, proton.Data.INT, proton.int32(1), proton.int32(-70_000)),
        Array("int", [Int(1), Int(-70_000)]),
    ),
    (
        proton.Array(proton.symbol("d"), proton.Data.STRING, "x", "y"),
        Array("string", ["x", "y"], Symbol("d")),
    ),
]

PAIRS = SCALARS + COMPOUND
IDS = [f"{index} {type(ours).__name__}" for index, (_, ours) in enumerate(PAIRS)]


def written_by_proton(value: Any) -> bytes:
    data = proton.Data()
    data.put_object(value)
    return bytes(data.encode())


def read_by_proton(encoded: bytes) -> Any:
    data = proton.Data()
    assert data.decode(encoded) == len(encoded)
    data.rewind()
    assert data.next() is not None
    value = data.get_object()
    # A memoryview of bytes that go with `data`.
    return bytes(value) if isinstance(value, memoryview) else value


@pytest.mark.parametrize(("theirs", "ours"), PAIRS, ids=IDS)
def test_we_read_the_values_that_proton_writes(theirs: Any, ours: Value) -> None:
    encoded = written_by_proton(theirs)
    value, pos = decode_value(encoded, 0, len(encoded))
    assert exactly(value) == exactly(ours)
    assert pos == len(encoded)


@pytest.mark.parametrize(("theirs", "ours"), PAIRS, ids=IDS)
def test_proton_reads_the_values_that_we_write(theirs: Any, ours: Value) -> None:
    value = read_by_proton(encode_value(ours))
    assert value == theirs
    assert type(value) is type(theirs)


def test_proton_reads_a_message_that_we_write() -> None:
    message = proton.Message()
    message.decode(
        encode_content(
            MessageContent(
                durable=True,
                priority=9,
                ttl_ms=60_000,
                delivery_count=2,
                message_annotations={"x-opt-a": UInt(1)},
                message_id="id",
                user_id=b"me",
                to="q",
                subject="s",
                reply_to="r",
                correlation_id=UUID(int=5),
                content_type="text/plain",
                absolute_expiry_time=1_700_000_000_000,
                creation_time=1_600_000_000_000,
                group_id="g",
                group_sequence=7,
                application_properties={"key": "k", "n": 5},
                body={"price": 1.5},
            )
        )
    )
    assert (message.durable, message.priority, message.ttl, message.delivery_count) == (True, 9, 60.0, 2)
    assert message.annotations == {proton.symbol("x-opt-a"): 1}
    assert (message.id, message.user_id, message.address, message.subject) == ("id", b"me", "q", "s")
    assert (message.reply_to, message.correlation_id) == ("r", UUID(int=5))
    assert (message.content_type, message.expiry_time, message.creation_time) == ("text/plain", 1.7e9, 1.6e9)
    assert (message.group_id, message.group_sequence) == ("g", 7)
    assert message.properties == {"key": "k", "n": 5}
    assert message.body == {"price": 1.5}


def test_we_read_a_message_that_proton_writes() -> None:
    message = proton.Message(
        body=b"data",
        durable=True,
        priority=7,
        ttl=60,
        id=5,
        user_id=b"me",
        address="q",
        subject="s",
        reply_to="r",
        correlation_id="c",
        content_type="text/plain",
        expiry_time=1.7e9,
        creation_time=1.6e9,
        group_id="g",
        group_sequence=7,
        properties={"key": "k", "n": 5, "flag": True},
        annotations={proton.symbol("x-opt-updates"): 4},
        instructions={proton.symbol("x"): 1},
    )
    message.inferred = True
    payload = bytes(message.encode())
    assert decode_content(payload) == MessageContent(
        durable=True,
        priority=7,
        ttl_ms=60_000,
        delivery_annotations={"x": 1},
        message_annotations={"x-opt-updates": 4},
        message_id=5,
        user_id=b"me",
        to="q",
        subject="s",
        reply_to="r",
        correlation_id="c",
        content_type="text/plain",
        absolute_expiry_time=1_700_000_000_000,
        creation_time=1_600_000_000_000,
        group_id="g",
        group_sequence=7,
        application_properties={"key": "k", "n": 5, "flag": True},
        body=b"data",
        body_kind=BodyKind.DATA,
    )
    seen = read_message(payload)
    assert (seen.durable, seen.priority, seen.ttl_ms, seen.expires_ms) == (True, 7, 60_000, 1_700_000_000_000)
    assert seen.key(PropertyName("key")) == b"\xa1\x01k"
    assert seen.order(PropertyName("n")) == 5
    assert seen.updates() == 4


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    st.dictionaries(
        st.text(max_size=8), st.text(max_size=8) | st.integers(-(2**63), 2**63 - 1) | st.booleans()
    ),
    st.text(max_size=20) | st.binary(max_size=20) | st.lists(st.integers(-100, 100), max_size=5),
)
def test_properties_and_bodies_cross_both_ways(properties: dict[str, Any], body: Any) -> None:
    message = proton.Message(body=body, properties=properties)
    content = decode_content(bytes(message.encode()))
    assert (content.application_properties, content.body) == (properties, body)
    back = proton.Message()
    back.decode(encode_content(MessageContent(application_properties=properties, body=body)))
    assert (back.properties or {}, back.body) == (properties, body)
