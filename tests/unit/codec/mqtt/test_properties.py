"""The properties of packets [MQTT 5.0 §2.2.2]."""

import pytest

from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.fields import FieldReader
from lastvalue.codec.mqtt.packet_types import LEVEL_5, PacketType
from lastvalue.codec.mqtt.properties import (
    MOST_USER_PROPERTIES,
    NONE,
    PROPERTY_TYPES,
    WILL,
    Properties,
    PropertyId,
    property_octets,
    read_properties,
    with_length,
)
from lastvalue.codec.mqtt.reason_codes import ReasonCode


def read(octets: bytes, packet: int) -> Properties:
    return read_properties(FieldReader(with_length(octets, LEVEL_5)), packet, LEVEL_5)


def test_every_property_of_the_specification_has_a_type() -> None:
    assert set(PROPERTY_TYPES) == set(PropertyId)


@pytest.mark.parametrize(
    ("octets", "packet", "properties"),
    [
        (b"\x01\x01", PacketType.PUBLISH, Properties({PropertyId.PAYLOAD_FORMAT: 1})),
        (b"\x21\x00\x05", PacketType.CONNECT, Properties({PropertyId.RECEIVE_MAXIMUM: 5})),
        (b"\x18\x00\x00\x00\x07", WILL, Properties({PropertyId.WILL_DELAY_S: 7})),
        (b"\x0b\x80\x01", PacketType.SUBSCRIBE, Properties({PropertyId.SUBSCRIPTION_IDENTIFIER: 128})),
        (b"\x0b\x01\x0b\x02", PacketType.PUBLISH, Properties(subscriptions=[1, 2])),
        (b"\x09\x00\x02\xff\x00", PacketType.PUBLISH, Properties({PropertyId.CORRELATION_DATA: b"\xff\0"})),
        (b"\x03\x00\x01t", PacketType.PUBLISH, Properties({PropertyId.CONTENT_TYPE: "t"})),
        (
            b"\x26\0\1a\0\1b\x26\0\1a\0\1c",
            PacketType.UNSUBSCRIBE,
            Properties(user=[("a", "b"), ("a", "c")]),
        ),
    ],
)
def test_a_property_has_the_octets_of_its_type(octets: bytes, packet: int, properties: Properties) -> None:
    assert read(octets, packet) == properties
    assert property_octets(properties) == octets


def test_no_properties_are_none() -> None:
    assert read(b"", PacketType.PUBLISH) is NONE


@pytest.mark.parametrize(
    ("octets", "packet", "reason", "fault"),
    [
        (b"\x04\x00", PacketType.PUBLISH, ReasonCode.MALFORMED_PACKET, "unknown identifier 0x04"),
        (b"\x21\x00\x05", PacketType.PUBLISH, ReasonCode.MALFORMED_PACKET, "RECEIVE_MAXIMUM may not stand"),
        (b"\x18\0\0\0\7", PacketType.PUBLISH, ReasonCode.MALFORMED_PACKET, "WILL_DELAY_S may not stand"),
        (b"\x01\x01\x01\x01", PacketType.PUBLISH, ReasonCode.PROTOCOL_ERROR, "stands in a packet twice"),
        (b"\x0b\x01\x0b\x02", PacketType.SUBSCRIBE, ReasonCode.PROTOCOL_ERROR, "stands in a packet twice"),
        (b"\x01\x02", PacketType.PUBLISH, ReasonCode.PROTOCOL_ERROR, "PAYLOAD_FORMAT may not be 2"),
        (b"\x21\x00\x00", PacketType.CONNECT, ReasonCode.PROTOCOL_ERROR, "RECEIVE_MAXIMUM may not be 0"),
        (b"\x27\0\0\0\0", PacketType.CONNECT, ReasonCode.PROTOCOL_ERROR, "MAXIMUM_PACKET_SIZE may not be 0"),
        (b"\x0b\x00", PacketType.SUBSCRIBE, ReasonCode.PROTOCOL_ERROR, "SUBSCRIPTION_IDENTIFIER may not be"),
        (b"\x08\0\3a/#", PacketType.PUBLISH, ReasonCode.MALFORMED_PACKET, "MQTT-3.3.2-2"),
        (b"\x23\x00\x00", PacketType.PUBLISH, ReasonCode.TOPIC_ALIAS_INVALID, "TOPIC_ALIAS may not be 0"),
        (b"\x03\x00\x05t", PacketType.PUBLISH, ReasonCode.MALFORMED_PACKET, "5 bytes where 1 are left"),
    ],
)
def test_a_property_in_the_wrong_place_or_with_a_wrong_value_is_refused(
    octets: bytes, packet: int, reason: ReasonCode, fault: str
) -> None:
    with pytest.raises(MqttError, match=fault) as refused:
        read(octets, packet)
    assert refused.value.reason is reason


def test_a_packet_has_a_limited_number_of_user_properties() -> None:
    most = b"\x26\0\0\0\0" * MOST_USER_PROPERTIES
    assert len(read(most, PacketType.PUBLISH).user) == MOST_USER_PROPERTIES
    with pytest.raises(MqttError, match="more than 4096 user properties") as refused:
        read(most + b"\x26\0\0\0\0", PacketType.PUBLISH)
    assert refused.value.reason is ReasonCode.QUOTA_EXCEEDED


def test_properties_do_not_reach_beyond_their_packet() -> None:
    with pytest.raises(MqttError, match="properties of 9 bytes where 2 are left"):
        read_properties(FieldReader(b"\x09\x01\x01"), PacketType.PUBLISH, LEVEL_5)


def test_a_value_of_another_type_is_absent() -> None:
    properties = Properties({PropertyId.CONTENT_TYPE: "t", PropertyId.PAYLOAD_FORMAT: 1})
    assert properties.number(PropertyId.CONTENT_TYPE, 7) == 7
    assert properties.text(PropertyId.PAYLOAD_FORMAT) is None
    assert properties.octets(PropertyId.CONTENT_TYPE) is None
