"""Messages of AMQP 1.0 become messages of AMQP 0-9-1."""

import struct
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from amqp091_properties import PROPERTIES, payload
from hypothesis import given
from hypothesis import strategies as st
from pamqp import header

from lastvalue.codec.amqp091.fields import field_of
from lastvalue.codec.amqp091.message_decoder import decode_message
from lastvalue.codec.amqp091.message_encoder import MessageEncoder, encode_message
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Float, Int, Symbol, Timestamp, UByte, ULong
from lastvalue.model.message import NEVER

NOW_MS = 1_700_000_000_123


def properties_of(message: MessageEncoder) -> dict[str, Any]:
    back = header.ContentHeader()
    back.unmarshal(message.header())
    return {name: value for name, value in back.properties if value is not None and value != ""}


@given(PROPERTIES, st.binary(max_size=700), st.text(max_size=50), st.text(min_size=1, max_size=50))
def test_what_was_published_is_what_is_delivered(
    properties: dict[str, Any], body: bytes, exchange: str, key: str
) -> None:
    encoded = decode_message(payload(**properties), exchange.encode(), key.encode(), body)
    read_message(encoded)
    back = encode_message(encoded)
    assert properties_of(back) == properties
    assert (back.to.decode(), (back.subject or b"").decode(), back.body) == (exchange, key, body)


def test_what_is_published_by_amqp_10_is_delivered() -> None:
    content = MessageContent(
        durable=True,
        priority=9,
        ttl_ms=500,
        message_id=ULong(7),
        correlation_id=UUID(int=5),
        user_id=b"me",
        to="news",
        subject="eu.uk",
        content_type="text/plain",
        creation_time=1_700_000_000_123,
        group_id="g",
        application_properties={"number": Int(-5), "byte": UByte(3), "when": Timestamp(2_000), "no": None},
        message_annotations={"x-opt-jms-dest": UByte(0)},
        body="text",
        body_kind=BodyKind.VALUE,
    )
    back = encode_message(encode_content(content))
    assert properties_of(back) == {
        "content_type": "text/plain",
        "delivery_mode": 2,
        "priority": 9,
        "expiration": "500",
        "message_id": "7",
        "correlation_id": str(UUID(int=5)),
        "user_id": "me",
        "timestamp": datetime.fromtimestamp(1_700_000_000, UTC),
        "headers": {
            "number": -5,
            "byte": 3,
            "when": datetime.fromtimestamp(2, UTC),
            "no": None,
            "JMSXGroupID": "g",
            "x-opt-jms-dest": 0,
        },
    }
    assert (back.to, back.subject, back.body) == (b"news", b"eu.uk", b"text")


@pytest.mark.parametrize(
    ("value", "body", "content_type"),
    [
        (None, b"", None),
        ({"a": [1, True, None], "b": b"x"}, b'{"a": [1, true, null], "b": "x"}', "application/json"),
        ([1.5, Symbol("s")], b'[1.5, "s"]', "application/json"),
        (b"raw", b"raw", None),
        (Int(3), b"3", "application/json"),
    ],
)
def test_bodies_that_are_values_are_delivered_as_text_or_as_json(
    value: object, body: bytes, content_type: str | None
) -> None:
    back = encode_message(encode_content(MessageContent(body=value, body_kind=BodyKind.VALUE)))
    assert (back.body, properties_of(back).get("content_type")) == (body, content_type)


def test_a_content_type_that_is_no_symbol_is_a_header() -> None:
    back = encode_message(decode_message(payload(content_type="größe"), b"", b"q", b""))
    assert properties_of(back) == {"headers": {"properties.content-type": "größe"}}


def test_a_property_that_is_too_long_is_a_header() -> None:
    back = encode_message(encode_content(MessageContent(message_id="x" * 256)))
    assert properties_of(back) == {"headers": {"properties.message-id": "x" * 256}}


@pytest.mark.parametrize(
    ("number", "field"),
    [(0, b"I\0\0\0\0"), (3, b"I\0\0\0\3"), (2**31 - 1, b"I\x7f\xff\xff\xff"), (2**31, b"i\x80\0\0\0")],
)
def test_a_group_sequence_is_the_int_of_jms_where_it_fits(number: int, field: bytes) -> None:
    back = encode_message(encode_content(MessageContent(group_id="g", group_sequence=number)))
    assert b"\x0cJMSXGroupSeq" + field in back.header()


def test_numbers_that_no_field_holds_are_text() -> None:
    assert field_of(ULong(2**64 - 1)) == b"S\x00\x00\x00\x1418446744073709551615"
    assert field_of(-(2**40)) == b"l" + struct.pack(">q", -(2**40))


def test_nested_values_keep_their_types() -> None:
    nested = {"when": Timestamp(2_000), "float": Float(1.5), "byte": UByte(3), "text": "x"}
    back = field_of(nested)
    assert back[:1] == b"F"
    for name, kind in (("when", b"T"), ("float", b"f"), ("byte", b"B"), ("text", b"S")):
        assert name.encode() + kind in back


def test_decimals_keep_their_digits() -> None:
    back = encode_message(decode_message(payload(headers={"price": Decimal("-12.50")}), b"", b"q", b""))
    assert str(properties_of(back)["headers"]["price"]) == "-12.50"


def test_qpids_client_is_sent_times_in_milliseconds() -> None:
    message = encode_message(encode_content(MessageContent(creation_time=NOW_MS)), True)
    assert message.header().endswith(NOW_MS.to_bytes(8, "big"))


@pytest.mark.parametrize(("expires_ms", "expected"), [(NOW_MS, {"expiration": str(NOW_MS)}), (NEVER, {})])
def test_the_time_when_a_message_expires_replaces_its_time_to_live(
    expires_ms: int, expected: dict[str, Any]
) -> None:
    message = encode_message(encode_content(MessageContent(ttl_ms=5000)))
    message.set_expiration(expires_ms)
    assert properties_of(message) == expected


def test_several_sequences_are_one_body() -> None:
    section = b"\x00\x53\x76\xc0\x03\x01\x54"
    back = encode_message(section + b"\x01" + section + b"\x02")
    assert back.body == b"[1, 2]"


def test_a_sequence_that_is_no_list_is_malformed() -> None:
    with pytest.raises(DecodeError):
        encode_message(b"\x00\x53\x76\x41")
