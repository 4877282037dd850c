"""Messages of AMQP 0-9-1 become messages of AMQP 1.0, and come back as they were."""

import struct
from typing import Any

import pytest
from amqp091_properties import PROPERTIES, payload
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.amqp091.errors import ReplyError
from lastvalue.codec.amqp091.message_decoder import TIMESTAMP, decode_message
from lastvalue.codec.amqp091.message_encoder import encode_message
from lastvalue.codec.amqp091.tables import read_field
from lastvalue.codec.amqp10.content import BodyKind, decode_content
from lastvalue.codec.amqp10.errors import LargeStructureError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.sections import check_structure
from lastvalue.model.message import PropertyName

NOW_MS = 1_700_000_000_123


@given(PROPERTIES, st.binary(max_size=100))
def test_readers_by_amqp_10_find_every_property_in_its_place(properties: dict[str, Any], body: bytes) -> None:
    content = decode_content(decode_message(payload(**properties), b"news", b"eu.uk", body))
    assert (content.body_kind, content.body, content.to, content.subject) == (
        BodyKind.DATA, body, "news", "eu.uk"
    )  # fmt: skip
    assert content.correlation_id == properties.get("correlation_id")
    assert content.message_id == properties.get("message_id")
    assert content.reply_to == properties.get("reply_to")
    assert content.content_type == properties.get("content_type")
    assert content.durable is (properties.get("delivery_mode") == 2)
    assert content.priority == properties.get("priority", 4)
    assert str(content.ttl_ms or "") == properties.get("expiration", "")
    for name, value in properties.get("headers", {}).items():
        if isinstance(value, str):
            assert content.application_properties[name] == value
        elif isinstance(value, (list, dict)) and name.isascii():
            assert name in content.message_annotations


def test_keys_orders_and_groups_are_read_from_the_headers() -> None:
    headers = {"ticker": "ACME", "sequence": 7, "JMSXGroupID": "g", "JMSXGroupSeq": 3, "x-opt-updates": 5}
    message = read_message(decode_message(payload(headers=headers), b"", b"q", b""))
    assert message.key(PropertyName("ticker")) == b"\xa1\x04ACME"
    assert message.order(PropertyName("sequence")) == 7
    assert message.text(PropertyName("group-id")) == "g"
    assert message.field("properties.group-sequence") == 3
    assert message.updates() == 5


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (b"b\xff", b"\x51\xff"),
        (b"B\xff", b"\x50\xff"),
        (b"U\xff\xfe", b"\x61\xff\xfe"),
        (b"i\xff\xff\xff\xff", b"\x70\xff\xff\xff\xff"),
        (b"L" + b"\xff" * 8, b"\x81" + b"\xff" * 8),
        (b"f" + struct.pack(">f", 1.5), b"\x72" + struct.pack(">f", 1.5)),
        (b"d" + struct.pack(">d", -0.0), b"\x82" + struct.pack(">d", -0.0)),
        (b"S\x00\x00\x00\x01\xff", b"\xa0\x01\xff"),
        (b"V", b"\x40"),
        (b"t\x02", b"\x41"),
        (b"D\x02\xff\xff\xff\xfb", (1 << 63 | 396 << 53 | 5).to_bytes(8, "big").join((b"\x84", b""))),
    ],
)
def test_each_type_of_field_has_its_type_in_amqp_10(field: bytes, value: bytes) -> None:
    assert read_field(field, 0, len(field), 0) == (value, len(field))


@pytest.mark.parametrize(
    ("octets", "says"),
    [
        (payload(expiration="soon"), "expected milliseconds"),
        (payload(headers={"a": 1})[:-1], "exceeds the bytes left"),
        (payload(message_id="abc")[:-1], "do not fill"),
        (payload(priority=3) + b"x", "do not fill"),
        (struct.pack(">HHQH", 60, 0, 0, 1), "one word"),
        (struct.pack(">HHQHI", 60, 0, 0, 1 << 13, 7) + b"\x01aZ" + bytes(4), "is not a field type"),
    ],
)
def test_malformed_properties_are_refused_with_the_reason(octets: bytes, says: str) -> None:
    with pytest.raises(ReplyError, match=says):
        decode_message(octets, b"", b"q", b"")


def test_headers_that_could_not_be_read_over_another_protocol_are_refused() -> None:
    few = payload(headers={f"{number:04x}": None for number in range(5000)})
    check_structure(decode_message(few, b"", b"q", b""))
    many = payload(headers={f"{number:04x}": None for number in range(9000)})
    with pytest.raises(LargeStructureError):
        decode_message(many, b"", b"q", b"")
    nested = payload(headers={"a": [None] * 20_000})
    with pytest.raises(LargeStructureError):
        decode_message(nested, b"", b"q", b"")


def test_tables_nested_too_deep_are_refused() -> None:
    nested: dict[str, Any] = {}
    for _ in range(40):
        nested = {"a": nested}
    with pytest.raises(ReplyError, match="nested"):
        decode_message(payload(headers=nested), b"", b"q", b"")


@given(st.binary(max_size=60))
def test_any_bytes_are_a_message_or_are_refused(octets: bytes) -> None:
    try:
        encoded = decode_message(octets, b"", b"q", b"")
    except ReplyError:
        return
    read_message(encoded)
    encode_message(encoded).header()


@pytest.mark.parametrize(("expiration", "expires_ms"), [(str(NOW_MS), NOW_MS), ("0", None)])
def test_qpids_client_sends_the_time_when_a_message_expires(expiration: str, expires_ms: int | None) -> None:
    head = payload(expiration=expiration)
    content = decode_content(decode_message(head, b"", b"q", b"", True))
    assert (content.ttl_ms, content.absolute_expiry_time) == (None, expires_ms)


def test_qpids_client_sends_milliseconds() -> None:
    head = struct.pack(">HHQHQ", 60, 0, 0, TIMESTAMP, NOW_MS)
    assert decode_content(decode_message(head, b"", b"q", b"", True)).creation_time == NOW_MS
