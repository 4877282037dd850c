"""A message's fields as selectors read them, and their texts."""

from uuid import UUID

import pytest
from amqp10_material import listed

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import (
    Char,
    Decimal,
    Described,
    Float,
    Symbol,
    Timestamp,
    UInt,
    ULong,
    Value,
)
from lastvalue.model.message import FieldValue, Message, PropertyName

BODY = bytes.fromhex("005375a00178")
UUID_1 = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")


def section(code: int, content: Value) -> bytes:
    return encode_value(Described(ULong(code), content))


def message_of(*sections: bytes) -> Message:
    return read_message(b"".join(sections) + BODY)


def with_value(value: Value) -> Message:
    return message_of(section(0x74, {"x": value}))


@pytest.mark.parametrize(
    ("value", "field", "text"),
    [
        (None, None, None),
        (True, True, "true"),
        (False, False, "false"),
        (-5, -5, "-5"),
        (2**63 - 1, 2**63 - 1, "9223372036854775807"),
        (ULong(2**64 - 1), 2**64 - 1, "18446744073709551615"),
        (UInt(7), 7, "7"),
        (1.5, 1.5, "1.5"),
        (Float(0.5), 0.5, "0.5"),
        (Timestamp(1000), 1000, "1000"),
        ("", "", ""),
        ("ABC", "ABC", "ABC"),
        ("é" * 200, "é" * 200, "é" * 200),
        (Symbol("sym"), "sym", "sym"),
        (Char("c"), "c", "c"),
        (UUID_1, str(UUID_1), None),
        (b"\x00\xff", b"\x00\xff", None),
        (Decimal(b"\x01\x02\x03\x04"), b"\x74\x01\x02\x03\x04", None),
        ([1], encode_value([1]), None),
    ],
)
def test_a_value_is_given_as_a_field_and_as_text(value: Value, field: FieldValue, text: str | None) -> None:
    message = with_value(value)
    assert repr(message.field("x")) == repr(field)
    assert message.text(PropertyName("x")) == text


def test_a_name_is_an_application_property_else_an_annotation_else_a_property() -> None:
    annotations = section(0x72, {Symbol("a"): "annotation", Symbol("b"): "annotation"})
    properties = section(0x73, [None, None, None, "subject"])
    application = section(0x74, {"a": "application"})
    message = message_of(annotations, properties, application)
    assert [message.field(name) for name in ("a", "b", "subject", "c")] == [
        "application",
        "annotation",
        "subject",
        None,
    ]


def test_the_names_of_the_specification_are_never_application_properties() -> None:
    application = {"properties.subject": "no", "header.priority": "no", "properties.colour": "red"}
    message = message_of(section(0x74, application))
    assert message.field("properties.subject") is None
    assert message.field("header.priority") == 4
    assert message.field("properties.colour") == "red"


def test_the_header_has_three_fields() -> None:
    names = ("header.durable", "header.priority", "header.ttl")
    message = message_of(bytes.fromhex(listed(0x70, "41", "5009", "520a")))
    assert [message.field(name) for name in names] == [True, 9, 10]
    assert [message_of().field(name) for name in names] == [False, 4, None]


def test_every_field_of_the_properties_is_read_by_its_name() -> None:
    values: dict[str, Value] = {
        "message-id": "m",
        "user-id": b"u",
        "to": "t",
        "subject": "s",
        "reply-to": "r",
        "correlation-id": "c",
        "content-type": Symbol("text/plain"),
        "content-encoding": Symbol("gzip"),
        "absolute-expiry-time": Timestamp(2),
        "creation-time": Timestamp(3),
        "group-id": "g",
        "group-sequence": UInt(4),
        "reply-to-group-id": "rg",
    }
    message = message_of(section(0x73, list(values.values())))
    read = [message.field(f"properties.{name}") for name in values]
    assert read == ["m", "u", "t", "s", "r", "c", "text/plain", "gzip", 2, 3, "g", 4, "rg"]


@pytest.mark.parametrize(
    ("identifier", "field"),
    [
        (None, None),
        ("m", "m"),
        (ULong(7), "7"),
        (UUID_1, str(UUID_1)),
        (b"bytes", "bytes"),
        (b"\xff", b"\xff"),
    ],
)
def test_identifiers_are_text_whatever_their_type(identifier: Value, field: FieldValue) -> None:
    message = message_of(section(0x73, [identifier, None, None, None, None, identifier]))
    assert message.field("properties.message-id") == field
    assert message.field("properties.correlation-id") == field


@pytest.mark.parametrize(
    "broken",
    [
        "005374c10402a1017b",
        "005374c10602a10178a105",
        "005374c10702a10178a102ffff",
        "005374c10602a10178820000",
        "005374c1ff02a10178",
    ],
)
@pytest.mark.parametrize("name", ["x", "y"])
def test_a_malformed_section_is_told_when_a_field_is_asked_for(broken: str, name: str) -> None:
    with pytest.raises(DecodeError):
        _read_field(bytes.fromhex(broken), name)


def _read_field(payload: bytes, name: str) -> None:
    message = read_message(payload)
    message.field(name)
    message.text(PropertyName(name))
