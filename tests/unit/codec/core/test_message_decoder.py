"""Messages of CORE in AMQP 1.0's encoding."""

from typing import Any
from uuid import UUID

import pytest

from lastvalue.codec.amqp10.content import BodyKind, decode_content
from lastvalue.codec.amqp10.errors import DecodeError, LargeStructureError
from lastvalue.codec.amqp10.sections import MOST_VALUES
from lastvalue.codec.amqp10.values import Byte, Char, Float, Int, Short, Value
from lastvalue.codec.core.jms_names import MAP_TYPE, STREAM_TYPE
from lastvalue.codec.core.message_decoder import decode_message, is_compressed
from lastvalue.codec.core.typed_properties import (
    BOOLEAN,
    BYTE,
    BYTES,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    MOST_PROPERTIES,
    NULL,
    SHORT,
    STRING,
    TypedProperties,
    write_properties,
)
from lastvalue.codec.core.writer import CoreWriter

USER_ID = UUID("0e2f2a5c-7a3f-11ee-b962-0242ac120002")


def head(
    kind: int = 0,
    address: str | None = "prices",
    user_id: UUID | None = None,
    properties: TypedProperties | None = None,
    rest: tuple[bool, int, int, int] = (True, 0, 0, 4),
) -> bytes:
    """The headers and properties of a message; the rest are durable, expiration, timestamp and priority."""
    writer = CoreWriter()
    writer.int64(7)
    writer.nullable_simple_string(address)
    writer.boolean(user_id is not None)
    writer.octets(b"" if user_id is None else user_id.bytes)
    writer.int8(kind)
    writer.boolean(rest[0])
    writer.int64(rest[1])
    writer.int64(rest[2])
    writer.int8(rest[3])
    write_properties(writer, properties or {})
    return writer.data()


def text(value: str | None) -> bytes:
    writer = CoreWriter()
    writer.nullable_simple_string(value)
    return writer.data()


def typed(properties: TypedProperties) -> bytes:
    writer = CoreWriter()
    write_properties(writer, properties)
    return writer.data()


def read(kind: int, body: bytes, **of_head: Any) -> Any:
    return decode_content(decode_message(head(kind, **of_head), body))


def test_the_headers_are_fields_of_the_header_and_the_properties() -> None:
    content = read(0, b"", user_id=USER_ID, rest=(False, 9_000, 5_000, 8))
    assert (content.durable, content.priority, content.to) == (False, 8, "prices")
    assert (content.message_id, content.creation_time, content.absolute_expiry_time) == (
        USER_ID,
        5_000,
        9_000,
    )


def test_what_a_message_does_not_have_is_left_out() -> None:
    content = read(0, b"", address=None)
    assert (content.to, content.message_id, content.creation_time, content.absolute_expiry_time) == (
        None,
    ) * 4


BODIES = [
    (0, b"\1\2", 0, BodyKind.DATA, b"\1\2"),
    (2, b"\0\0\0\2ab", 1, BodyKind.DATA, b"ab"),
    (2, b"", 1, BodyKind.DATA, b""),
    (3, text("é😀"), 5, BodyKind.VALUE, "é😀"),
    (3, text(None), 5, BodyKind.VALUE, None),
    (3, b"", 5, BodyKind.VALUE, None),
    (4, b"\xff", 3, BodyKind.DATA, b"\xff"),
    (5, typed({"a": (INT, 1), "b": (NULL, None)}), 2, BodyKind.VALUE, {"a": 1, "b": None}),
    (5, b"", 2, BodyKind.VALUE, {}),
    (6, b"\2\1\12\1\0\0\0\1\0a\12\0\4\0\0\0\1x", 4, BodyKind.SEQUENCE, [True, "a", None, b"x"]),
]


@pytest.mark.parametrize(("kind", "body", "jms_type", "body_kind", "expected"), BODIES)
def test_every_body_of_jms_has_a_section(
    kind: int, body: bytes, jms_type: int, body_kind: BodyKind, expected: Value
) -> None:
    content = read(kind, body)
    assert content.message_annotations["x-opt-jms-msg-type"] == jms_type
    assert (content.body_kind, content.body) == (body_kind, expected)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (2, b"\0\0\0\3ab"),
        (3, b"\1\0\0\0\2a"),
        (3, text("a") + b"x"),
        (5, b"\1\0\0\0\1"),
        (6, b"\12\1"),
        (6, b"\77"),
    ],
)
def test_a_body_that_is_not_what_its_type_says_is_kept_as_bytes(kind: int, body: bytes) -> None:
    content = read(kind, body)
    assert (content.message_annotations["x-opt-jms-msg-type"], content.body) == (3, body)


VALUES = [
    (NULL, None, None),
    (BOOLEAN, True, True),
    (BYTE, -3, Byte(-3)),
    (BYTES, b"x", b"x"),
    (SHORT, -300, Short(-300)),
    (INT, -70_000, Int(-70_000)),
    (LONG, 2**40, 2**40),
    (FLOAT, 0.5, Float(0.5)),
    (DOUBLE, 0.1, 0.1),
    (STRING, "é", "é"),
    (CHAR, "é", Char("é")),
]


@pytest.mark.parametrize(("code", "value", "expected"), VALUES)
def test_a_property_keeps_its_type(code: int, value: Any, expected: Value) -> None:
    found = read(0, b"", properties={"p": (code, value)}).application_properties["p"]
    assert (type(found), found) == (type(expected), expected)


FIELDS: list[tuple[TypedProperties, str, Value]] = [
    ({"JMSType": (STRING, "tick")}, "subject", "tick"),
    ({"JMSCorrelationID": (STRING, "c")}, "correlation_id", "c"),
    ({"JMSCorrelationID": (BYTES, b"c")}, "correlation_id", b"c"),
    ({"_AMQ_VALIDATED_USER": (STRING, "ann")}, "user_id", b"ann"),
    ({"_AMQ_GROUP_ID": (STRING, "g")}, "group_id", "g"),
    ({"_AMQ_GROUP_SEQUENCE": (INT, 3)}, "group_sequence", 3),
    ({"JMSReplyTo": (STRING, "topic://answers")}, "reply_to", "answers"),
    ({"JMSReplyTo": (STRING, "answers")}, "reply_to", "answers"),
    ({"JMS_AMQP_ContentType": (STRING, "text/plain")}, "content_type", "text/plain"),
    ({"JMS_AMQP_ContentEncoding": (STRING, "gzip")}, "content_encoding", "gzip"),
    ({"JMS_AMQP_ReplyToGroupID": (STRING, "r")}, "reply_to_group_id", "r"),
]


@pytest.mark.parametrize(("properties", "field", "expected"), FIELDS)
def test_a_property_that_amqp_has_a_field_for_goes_there(
    properties: TypedProperties, field: str, expected: Value
) -> None:
    content = read(0, b"", properties=properties)
    assert (getattr(content, field), content.application_properties) == (expected, {})


ANNOTATIONS: list[tuple[TypedProperties, str, Value]] = [
    ({"_AMQ_ROUTING_TYPE": (BYTE, 1)}, "x-opt-jms-dest", 0),
    ({"_AMQ_ROUTING_TYPE": (BYTE, 0)}, "x-opt-jms-dest", 1),
    ({"JMSReplyTo": (STRING, "temp-topic://t")}, "x-opt-jms-reply-to", 3),
    ({"JMSReplyTo": (STRING, "t")}, "x-opt-jms-reply-to", None),
    ({"_AMQ_SCHED_DELIVERY": (LONG, 9)}, "x-opt-delivery-time", 9),
    ({"JMS_AMQP_MA_x-opt-amqp-app-id": (STRING, "app")}, "x-opt-amqp-app-id", "app"),
    ({"JMS_AMQP_ENCODED_MA_x-opt-list": (BYTES, b"\x45")}, "x-opt-list", []),
]


@pytest.mark.parametrize(("properties", "name", "expected"), ANNOTATIONS)
def test_a_property_that_amqp_has_an_annotation_for_becomes_one(
    properties: TypedProperties, name: str, expected: Value
) -> None:
    content = read(0, b"", properties=properties)
    assert name in content.message_annotations
    assert (content.message_annotations[name], content.application_properties) == (expected, {})


@pytest.mark.parametrize(
    "properties",
    [
        {"_AMQ_GROUP_SEQUENCE": (INT, -1)},
        {"_AMQ_SCHED_DELIVERY": (STRING, "soon")},
        {"_AMQ_DUPL_ID": (STRING, "d")},
        {"_AMQ_LVQ_NAME": (STRING, "k")},
        {"JMSType": (INT, 1)},
        {"JMS_AMQP_ENCODED_MA_x": (BYTES, b"\xc1")},
        {"JMS_AMQP_MA_é": (INT, 1)},
    ],
)
def test_any_other_property_is_an_application_property(properties: TypedProperties) -> None:
    ((name, (_, value)),) = properties.items()
    assert read(0, b"", properties=properties).application_properties == {name: value}


def test_no_property_replaces_an_annotation_that_says_what_the_message_is() -> None:
    content = read(4, b"", properties={"JMS_AMQP_MA_x-opt-jms-msg-type": (BYTE, 5)})
    assert (content.message_annotations["x-opt-jms-msg-type"], content.application_properties) == (3, {})


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (MAP_TYPE, typed({f"{number:x}": (INT, number) for number in range(MOST_PROPERTIES + 1)})),
        # As many as may be, and nobody could read them, because each takes more bytes.
        (MAP_TYPE, typed({f"{number:x}": (LONG, number) for number in range(MOST_PROPERTIES)})),
        (STREAM_TYPE, bytes(MOST_VALUES + 1)),
    ],
    ids=["a map of too many", "a map that is too large", "a stream of too many"],
)
def test_a_body_with_very_many_values_is_refused(kind: int, body: bytes) -> None:
    with pytest.raises(LargeStructureError):
        read(kind, body)


def test_a_body_may_have_thousands_of_values() -> None:
    numbers = {f"{number:x}": number for number in range(6000)}
    assert read(MAP_TYPE, typed({name: (LONG, number) for name, number in numbers.items()})).body == numbers
    assert read(STREAM_TYPE, bytes(MOST_VALUES - 100)).body == [None] * (MOST_VALUES - 100)


def test_very_many_properties_are_refused() -> None:
    with pytest.raises(LargeStructureError):
        read(0, b"", properties={f"{number:x}": (INT, number) for number in range(MOST_PROPERTIES + 1)})


COMPRESSED_BODY: TypedProperties = {"_AMQ_LARGE_COMPRESSED": (BOOLEAN, True), "_AMQ_LARGE_SIZE": (LONG, 3)}


def test_a_body_that_was_decompressed_is_kept_so() -> None:
    octets = head(3, properties=COMPRESSED_BODY)
    content = decode_content(decode_message(octets, text("ten"), inflated=True))
    assert (content.body, content.application_properties) == ("ten", {})


def test_a_body_that_is_not_compressed_as_its_message_says_is_refused() -> None:
    with pytest.raises(DecodeError, match="no header of zlib"):
        read(4, b"body", properties=COMPRESSED_BODY)


def test_a_head_says_whether_the_body_is_compressed() -> None:
    octets = head(4, properties=COMPRESSED_BODY)
    assert is_compressed(octets)
    assert is_compressed(head(4, user_id=USER_ID, properties=COMPRESSED_BODY))
    assert not is_compressed(octets[:-2])
    assert not is_compressed(head(4))
    assert not is_compressed(head(4, properties={"_AMQ_LARGE_COMPRESSED": (BOOLEAN, False)}))
    assert not is_compressed(head(4, properties={"k": (STRING, "_AMQ_LARGE_COMPRESSED")}))


@pytest.mark.parametrize("character", ["x", "\u20ac", "\U0001f600"])
def test_a_long_text_is_what_a_short_one_is(character: str) -> None:
    long = "y" + character * 70_000
    assert read(3, text(long)).body == long


def test_a_message_of_a_type_that_no_client_sends_is_refused() -> None:
    with pytest.raises(DecodeError, match="type 7"):
        read(7, b"")


def test_a_head_that_ends_early_is_refused() -> None:
    with pytest.raises(DecodeError):
        decode_message(head()[:-2], b"")
