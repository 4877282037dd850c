"""Messages of AMQP 1.0 as CORE has them."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.values import (
    Byte,
    Char,
    Decimal,
    Float,
    Short,
    Symbol,
    Timestamp,
    UByte,
    UInt,
    ULong,
    UShort,
)
from lastvalue.codec.core.message_encoder import encode_message
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.core.typed_properties import (
    BOOLEAN,
    BYTE,
    BYTES,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    NULL,
    SHORT,
    STRING,
    TypedProperties,
    read_properties,
)
from lastvalue.model.message import NEVER

USER_ID = UUID("0e2f2a5c-7a3f-11ee-b962-0242ac120002")


@dataclass
class Read:
    """What a client of CORE reads of a message."""

    message_id: int
    address: str | None
    user_id: bytes | None
    kind: int
    rest: tuple[bool, int, int, int]
    properties: TypedProperties
    body: bytes


def read(content: MessageContent, expires_ms: int = NEVER, large_bytes: int = 0) -> Read:
    encoder = encode_message(encode_content(content), "q", expires_ms)
    reader = CoreReader(encoder.head(7, large_bytes))
    return Read(
        int(reader.int64()),
        reader.nullable_simple_string(),
        reader.octets(16) if reader.boolean() else None,
        int(reader.int8()),
        (reader.boolean(), int(reader.int64()), int(reader.int64()), int(reader.int8())),
        read_properties(reader),
        encoder.body,
    )


def test_fields_of_the_header_and_the_properties_are_headers() -> None:
    found = read(
        MessageContent(durable=True, priority=7, to="prices", message_id=USER_ID, creation_time=5_000), 9_000
    )
    assert (found.message_id, found.address, found.user_id) == (7, "prices", USER_ID.bytes)
    assert (found.rest, found.properties) == ((True, 9_000, 5_000, 7), {})


def test_a_message_that_says_nothing_has_its_queue_as_the_address() -> None:
    found = read(MessageContent())
    assert (found.address, found.user_id, found.rest) == ("q", None, (False, 0, 0, 4))


def test_a_priority_that_jms_does_not_have_is_its_highest() -> None:
    assert read(MessageContent(priority=200)).rest[3] == 9


@pytest.mark.parametrize("message_id", [str(USER_ID), f"ID:{USER_ID}"])
def test_a_message_id_that_is_the_text_of_a_uuid_is_that_uuid(message_id: str) -> None:
    assert read(MessageContent(message_id=message_id)).user_id == USER_ID.bytes


def test_any_other_message_id_gives_the_same_uuid_each_time_and_is_a_property() -> None:
    one, again, other = (read(MessageContent(message_id=each)) for each in ("ID:1", "ID:1", ULong(1)))
    assert one.user_id == again.user_id != other.user_id
    assert one.properties == {"x-amqp-1.0.message-id": (STRING, "ID:1")}


VALUES = [
    (None, NULL, None),
    (True, BOOLEAN, True),
    (Byte(-1), BYTE, -1),
    (UByte(127), BYTE, 127),
    (UByte(128), SHORT, 128),
    (Short(5), SHORT, 5),
    (UShort(2**15), INT, 2**15),
    (UInt(2**31 - 1), INT, 2**31 - 1),
    (UInt(2**31), LONG, 2**31),
    (5, LONG, 5),
    (ULong(2**63), STRING, str(2**63)),
    (Timestamp(5), LONG, 5),
    (Float(0.5), FLOAT, 0.5),
    (0.1, DOUBLE, 0.1),
    (Char("é"), CHAR, "é"),
    (Char("😀"), STRING, "😀"),
    ("a", STRING, "a"),
    (Symbol("a"), STRING, "a"),
    (USER_ID, STRING, str(USER_ID)),
    (b"a", BYTES, b"a"),
    (Decimal(b"\0\0\0\1"), BYTES, b"\0\0\0\1"),
]


@pytest.mark.parametrize(("value", "code", "expected"), VALUES)
def test_a_value_takes_the_type_that_holds_it(value: Any, code: int, expected: Any) -> None:
    assert read(MessageContent(application_properties={"p": value})).properties["p"] == (code, expected)


FIELDS: list[tuple[MessageContent, TypedProperties]] = [
    (MessageContent(subject="tick"), {"JMSType": (STRING, "tick")}),
    (MessageContent(correlation_id="c"), {"JMSCorrelationID": (STRING, "c")}),
    (MessageContent(correlation_id=b"c"), {"JMSCorrelationID": (BYTES, b"c")}),
    (MessageContent(correlation_id=USER_ID), {"JMSCorrelationID": (STRING, f"ID:{USER_ID}")}),
    (MessageContent(correlation_id=ULong(3)), {"JMSCorrelationID": (STRING, "3")}),
    (MessageContent(user_id=b"ann"), {"_AMQ_VALIDATED_USER": (STRING, "ann")}),
    (MessageContent(group_id="g"), {"_AMQ_GROUP_ID": (STRING, "g")}),
    (MessageContent(group_sequence=3), {"_AMQ_GROUP_SEQUENCE": (INT, 3)}),
    (MessageContent(reply_to="a"), {"JMSReplyTo": (STRING, "queue://a")}),
    (
        MessageContent(reply_to="a", message_annotations={"x-opt-jms-reply-to": Byte(2)}),
        {"JMSReplyTo": (STRING, "temp-queue://a")},
    ),
    (
        MessageContent(reply_to="a", message_annotations={"x-opt-jms-reply-to": None}),
        {"JMSReplyTo": (STRING, "a")},
    ),
    (MessageContent(content_encoding="gzip"), {"JMS_AMQP_ContentEncoding": (STRING, "gzip")}),
    (MessageContent(message_annotations={"x-opt-jms-dest": Byte(0)}), {"_AMQ_ROUTING_TYPE": (BYTE, 1)}),
    (MessageContent(message_annotations={"x-opt-jms-dest": Byte(3)}), {"_AMQ_ROUTING_TYPE": (BYTE, 0)}),
    (
        MessageContent(message_annotations={"x-opt-delivery-time": Timestamp(9)}),
        {"_AMQ_SCHED_DELIVERY": (LONG, 9)},
    ),
    (
        MessageContent(to="a", message_annotations={"x-opt-original-queue": "q"}),
        {"_AMQ_ORIG_QUEUE": (STRING, "q"), "_AMQ_ORIG_ADDRESS": (STRING, "a")},
    ),
    (
        MessageContent(message_annotations={"x-opt-amqp-app-id": "app"}),
        {"JMS_AMQP_MA_x-opt-amqp-app-id": (STRING, "app")},
    ),
    (
        MessageContent(message_annotations={"x-death": []}),
        {"JMS_AMQP_ENCODED_MA_x-death": (BYTES, b"\x45")},
    ),
]


@pytest.mark.parametrize(("content", "expected"), FIELDS)
def test_what_core_has_no_header_for_is_a_property(
    content: MessageContent, expected: TypedProperties
) -> None:
    assert read(content).properties == expected


def text(value: str) -> bytes:
    octets = value.encode("utf-16-le")
    return b"\1" + len(octets).to_bytes(4, "big") + octets


BODIES = [
    (MessageContent(body=b"a"), 4, b"a"),
    (MessageContent(body=b"a", content_type="text/plain"), 3, text("a")),
    (MessageContent(body=b"{}", content_type="application/json"), 3, text("{}")),
    (MessageContent(body=b"\xff", content_type="text/plain"), 4, b"\xff"),
    (MessageContent(body=b"a", content_type="application/x-java-serialized-object"), 2, b"\0\0\0\1a"),
    (MessageContent(body=b"a", message_annotations={"x-opt-jms-msg-type": Byte(0)}), 0, b"a"),
    (MessageContent(body=b"a", message_annotations={"x-opt-jms-msg-type": Byte(5)}), 3, text("a")),
    (MessageContent(body=b"a", message_annotations={"x-opt-jms-msg-type": Byte(77)}), 4, b"a"),
    (MessageContent(body="a", body_kind=BodyKind.VALUE), 3, text("a")),
    (MessageContent(body=None, body_kind=BodyKind.VALUE), 3, b"\0"),
    (MessageContent(body=5, body_kind=BodyKind.VALUE), 3, text("5")),
    (MessageContent(body=b"a", body_kind=BodyKind.VALUE), 4, b"a"),
    (MessageContent(body={}, body_kind=BodyKind.VALUE), 5, b"\0"),
    (MessageContent(body={"a": True}, body_kind=BodyKind.VALUE), 5, b"\1\0\0\0\1\0\0\0\2a\0\2\1"),
    (MessageContent(body=[True, "a", None], body_kind=BodyKind.VALUE), 6, b"\2\1\12\1\0\0\0\1\0a\12\0"),
    (MessageContent(body=[True], body_kind=BodyKind.SEQUENCE), 6, b"\2\1"),
    (MessageContent(body=[{"a": [1]}], body_kind=BodyKind.VALUE), 6, b"\12\1\0\0\0\12\0\12" + b'{"a": [1]}'),
]


@pytest.mark.parametrize(("content", "kind", "body"), BODIES)
def test_every_body_is_one_that_jms_can_read(content: MessageContent, kind: int, body: bytes) -> None:
    found = read(content)
    assert (found.kind, found.body) == (kind, body)


def test_a_message_without_a_body_is_one_of_bytes_or_what_it_says() -> None:
    header = b"\x00\x53\x70\x45"
    assert encode_message(header, "q", NEVER).body == b""
    said = header + b"\x00\x53\x72\xc1\x17\x02\xa3\x12x-opt-jms-msg-type\x51\x05"
    assert encode_message(said, "q", NEVER).body == b"\0"


def test_a_large_message_says_how_large_it_is() -> None:
    assert read(MessageContent(body=b"abc"), large_bytes=3).properties == {"_AMQ_LARGE_SIZE": (LONG, 3)}
