"""Messages taken apart into columns, held against what the client decodes."""

from math import inf, nan
from typing import Any
from uuid import UUID

import pytest

from lastvalue.client.message import Message
from lastvalue.client.message_codec import decode_message, encode_message
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
)
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content, redelivered
from lastvalue.codec.amqp10.message import annotated, read_message
from lastvalue.codec.amqp10.shortcuts.stamps import stamped
from lastvalue.codec.amqp10.values import Described, Symbol, Timestamp, ULong

ID = UUID("00112233-4455-6677-8899-aabbccddeeff")


def columns_of(*payloads: bytes, key: str = "key") -> Columns:
    columns = Columns(key)
    columns.take_all(list(payloads))
    return columns


def rare(columns: Columns, column: int) -> list[Any]:
    values = columns.rare[column]
    return values + [DEFAULTS[column]] * (columns.rows - len(values))


def pairs(columns: Columns, row: int = 0) -> dict[bytes, bytes | None]:
    ends = [0, *columns.properties.ends]
    place = slice(ends[row], ends[row + 1])
    return dict(zip(columns.properties.names[place], columns.properties.values[place], strict=True))


def test_the_place_on_the_queue_is_what_the_broker_stamped() -> None:
    plain = encode_message(Message(b"x"))
    with_header = encode_message(Message(b"x", durable=True))
    own = annotated(plain, {"x-opt-sequence-number": 9, "x-opt-enqueued-time": Timestamp(8), "other": 1})
    columns = columns_of(stamped(plain, 5, 6, 7), stamped(with_header, 2**40, 2**41, 1), own, plain)
    assert columns.sequences == [5, 2**40, 9, 0]
    assert columns.arrivals_ms == [6, 2**41, 8, 0]
    assert columns.updates == [7, 1, 1, 1]
    assert columns.size_bytes == sum(
        map(len, [stamped(plain, 5, 6, 7), stamped(with_header, 1, 1, 1), own, plain])
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"\x00\xff", b"\x00\xff"),
        (b"", b""),
        ("text", b"text"),
        ("ü" * 300, ("ü" * 300).encode()),
        (None, None),
        (1, b"1"),
        (1.5, b"1.5"),
        (True, b"true"),
        ({"a": [1, None, "ü"]}, '{"a": [1, null, "ü"]}'.encode()),
        ([b"\xff", b"ok", ID], f'["ff", "ok", "{ID}"]'.encode()),
        ([nan, {"a": -inf}], b'["NaN", {"a": "-Infinity"}]'),
    ],
)
def test_a_body_becomes_bytes(body: object, expected: bytes | None) -> None:
    assert columns_of(encode_message(Message(body))).bodies == [expected]


def test_a_body_of_several_sections_is_one() -> None:
    data = encode_message(Message(b"a")) + encode_message(Message(b"b"))
    sequence = encode_content(MessageContent(body=[1], body_kind=BodyKind.SEQUENCE))
    assert columns_of(data, sequence + sequence).bodies == [b"ab", b"[1, 1]"]


def test_properties_become_text_and_the_key_a_column() -> None:
    given = {
        "key": "k",
        "s": "ü",
        "n": 7,
        "d": 2.5,
        "b": False,
        "u": ID,
        "y": b"\xff",
        "z": None,
        "l": "x" * 300,
    }
    columns = columns_of(
        encode_message(Message(b"x", given)),
        encode_message(Message(b"x", {"key": 2**40})),
        encode_message(Message(b"x")),
    )
    assert columns.keys == [b"k", str(2**40).encode(), None]
    assert pairs(columns) == {
        b"s": "ü".encode(),
        b"n": b"7",
        b"d": b"2.5",
        b"b": b"false",
        b"u": str(ID).encode(),
        b"y": b"ff",
        b"z": None,
        b"l": b"x" * 300,
    }
    assert pairs(columns, 1) == pairs(columns, 2) == {}


def test_the_id_of_a_sending_is_no_property_of_the_message() -> None:
    assert pairs(columns_of(encode_message(Message(b"x", {"_AMQ_DUPL_ID": "1", "_AMQ_DUPL_IX": "2"})))) == {
        b"_AMQ_DUPL_IX": b"2"
    }


def test_a_key_may_be_an_annotation_or_a_property() -> None:
    message = encode_message(Message(b"x", annotations={"x-opt-k": 3}, subject="s"))
    assert columns_of(message, key="x-opt-k").keys == [b"3"]
    assert columns_of(message, key="subject").keys == [b"s"]
    assert columns_of(message, key="other").keys == [None]


def test_rare_fields_hold_their_defaults_where_a_message_has_none() -> None:
    full = encode_content(
        MessageContent(
            durable=True,
            priority=9,
            ttl_ms=5000,
            message_id=ID,
            to="t",
            subject="s",
            reply_to="r",
            correlation_id=ULong(12),
            content_type="text/plain",
            absolute_expiry_time=Timestamp(7),
            creation_time=Timestamp(6),
            group_id="g",
            user_id=b"u",
            group_sequence=3,
            body=b"x",
            body_kind=BodyKind.DATA,
        )
    )
    plain = encode_message(Message(b"x"))
    columns = columns_of(plain, redelivered(full, 2), plain)
    expected = {
        SUBJECT: b"s",
        GROUP_ID: b"g",
        MESSAGE_ID: str(ID).encode(),
        CORRELATION_ID: b"12",
        CONTENT_TYPE: b"text/plain",
        REPLY_TO: b"r",
        TO: b"t",
        CREATION_TIME: 6,
        EXPIRY_TIME: 7,
        TTL: 5000,
        PRIORITY: 9,
        DURABLE: True,
        DELIVERY_COUNT: 2,
    }
    for column, value in expected.items():
        assert rare(columns, column) == [DEFAULTS[column], value, DEFAULTS[column]]


def test_a_producers_count_of_updates_is_no_annotation() -> None:
    message = encode_message(Message(b"x", annotations={"x-opt-a": 1, "x-opt-b": "2"}, updates=5))
    columns = columns_of(message, stamped(message, 1, 1, 9))
    assert columns.updates == [5, 9]
    assert columns.annotations.names == [b"x-opt-a", b"x-opt-b"] * 2
    assert columns.annotations.ends == [2, 4]


def test_the_columns_say_what_the_client_says() -> None:
    message = Message(
        "text",
        {"key": "k", "n": "1"},
        {"x-opt-a": "b"},
        subject="s",
        group_id="g",
        priority=7,
        ttl_ms=9,
        updates=3,
    )
    payload = stamped(encode_message(message), 11, 12, 3)
    known, columns = decode_message(payload), columns_of(payload)
    assert (known.sequence, known.arrival_time_ms, known.updates) == (
        columns.sequences[0],
        columns.arrivals_ms[0],
        columns.updates[0],
    )
    assert {b"key": columns.keys[0], **pairs(columns)} == {
        name.encode(): str(value).encode() for name, value in known.properties.items()
    }


@pytest.mark.parametrize(
    "payload",
    [
        b"\x01",
        b"\x00\x53\x75\xa0\x05x",
        b"\x00\x53\x74\xc1\x06\x02\xa1\x01k\xa1\x09",
        b"\x00\x53\x74\x40",
        b"\x00\x53\x74\xc1\x04\x01\xa1\x01k",
        b"\x00\x53\x71\x54\x01",
        b"\x00\x53\x7f\x40",
        encode_content(MessageContent(body=b"x", body_kind=BodyKind.DATA)) + b"\x00",
    ],
)
def test_of_a_malformed_message_the_columns_are_what_the_client_gives(payload: bytes) -> None:
    before, after = (encode_message(Message(text, {"key": text, "a": "b"})) for text in ("x", "y"))
    columns = columns_of(before, payload, after)
    known = decode_message(payload)
    assert columns.rare[MALFORMED] == [None, (known.malformed or "").encode()]
    assert columns.bodies == [b"x", known.body, b"y"]
    assert columns.keys == [b"x", None, b"y"]
    assert columns.properties.ends == [1, 1, 2]
    assert (columns.rows, len(columns.sequences), columns.rare[SUBJECT]) == (3, 3, [])


def test_of_a_malformed_section_nothing_remains_but_what_the_others_say() -> None:
    properties = b"\x00\x53\x73\xc0\x06\x04\x40\x40\x40\xa1\x09"
    own = encode_content(MessageContent(application_properties={"key": "k", "a": "b"}, body="text"))
    columns = columns_of(stamped(properties + own, 5, 6, 7))
    assert (columns.sequences, columns.arrivals_ms, columns.updates) == ([5], [6], [7])
    assert (columns.keys, columns.bodies, columns.properties.names) == ([b"k"], [b"text"], [b"a"])
    assert columns.rare[MALFORMED][0]


@pytest.mark.parametrize("count", [2**32 - 1, 2**32, ULong(2**64 - 1)])
def test_a_count_of_updates_beyond_the_most_is_the_most(count: int) -> None:
    payload = encode_content(MessageContent(message_annotations={"x-opt-updates": count}, body=b"x"))
    assert columns_of(payload).updates == [2**32 - 1] == [decode_message(payload).updates]
    assert read_message(payload).updates() == 2**32 - 1


def test_a_described_value_is_its_value() -> None:
    body = Described(Symbol("x:y"), [1, Described(Symbol("z"), "t")])
    assert columns_of(encode_content(MessageContent(body=body))).bodies == [b'[1, "t"]']
