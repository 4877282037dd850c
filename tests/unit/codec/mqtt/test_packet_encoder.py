"""The octets of control packets, and that decoding them is the way back [MQTT 5.0 §3]."""

import pytest

from lastvalue.codec.mqtt.frames import FrameReader
from lastvalue.codec.mqtt.packet_decoder import decode_packet
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LEVEL_5, LEVEL_31, LEVEL_311, PacketType
from lastvalue.codec.mqtt.packets import (
    Ack,
    Auth,
    ConnAck,
    Connect,
    Disconnect,
    Packet,
    Ping,
    Publish,
    SubAck,
    Subscribe,
    Subscription,
    Unsubscribe,
    Will,
)
from lastvalue.codec.mqtt.properties import Properties, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode

REASON = Properties({PropertyId.REASON_STRING: "r"})
WILL = Will("w", b"gone", 1, True, Properties({PropertyId.WILL_DELAY_S: 1}))

PACKETS: list[tuple[Packet, int, bytes]] = [
    (Connect(LEVEL_31, "c"), 3, b"\x10\x0f\0\6MQIsdp\3\2\0\0\0\1c"),
    (Connect(LEVEL_311, "", True, 60), 4, b"\x10\x0c\0\4MQTT\4\2\0\x3c\0\0"),
    (Connect(LEVEL_311, "c", False, 0, "u", b"p"), 4, b"\x10\x13\0\4MQTT\4\xc0\0\0\0\1c\0\1u\0\1p"),
    (
        Connect(LEVEL_5, "c", True, 0, None, b"p", WILL, Properties({PropertyId.SESSION_EXPIRY_S: 9})),
        5,
        b"\x10\x25\0\4MQTT\5\x6e\0\0\5\x11\0\0\0\x09\0\1c\5\x18\0\0\0\1\0\1w\0\4gone\0\1p",
    ),
    (ConnAck(True), 4, b"\x20\x02\1\0"),
    (ConnAck(False, ReasonCode.SUCCESS), 5, b"\x20\x03\0\0\0"),
    (ConnAck(False, ReasonCode.BANNED, REASON), 5, b"\x20\x07\0\x8a\4\x1f\0\1r"),
    (Ack(PacketType.PUBACK, 258), 4, b"\x40\x02\1\2"),
    (Ack(PacketType.PUBACK, 1), 5, b"\x40\x02\0\1"),
    (Ack(PacketType.PUBREC, 1, ReasonCode.QUOTA_EXCEEDED), 5, b"\x50\x03\0\1\x97"),
    (Ack(PacketType.PUBREL, 1, ReasonCode.SUCCESS, REASON), 5, b"\x62\x08\0\1\0\4\x1f\0\1r"),
    (Ack(PacketType.PUBCOMP, 1, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND), 5, b"\x70\x03\0\1\x92"),
    (Subscribe(1, (Subscription("a", 1),)), 4, b"\x82\x06\0\1\0\1a\1"),
    (
        Subscribe(
            1,
            (Subscription("a/#", 2, True, True, 2), Subscription("b")),
            Properties({PropertyId.SUBSCRIPTION_IDENTIFIER: 5}),
        ),
        5,
        b"\x82\x0f\0\1\2\x0b\5\0\3a/#\x2e\0\1b\0",
    ),
    (SubAck(PacketType.SUBACK, 1, (ReasonCode.GRANTED_QOS_1,)), 4, b"\x90\x03\0\1\1"),
    (SubAck(PacketType.SUBACK, 1, (ReasonCode.TOPIC_FILTER_INVALID,)), 5, b"\x90\x04\0\1\0\x8f"),
    (Unsubscribe(7, ("a", "b")), 4, b"\xa2\x08\0\7\0\1a\0\1b"),
    (Unsubscribe(7, ("a",)), 5, b"\xa2\x06\0\7\0\0\1a"),
    (SubAck(PacketType.UNSUBACK, 7, ()), 4, b"\xb0\x02\0\7"),
    (SubAck(PacketType.UNSUBACK, 7, (ReasonCode.SUCCESS,)), 5, b"\xb0\x04\0\7\0\0"),
    (Ping(PacketType.PINGREQ), 4, b"\xc0\x00"),
    (Ping(PacketType.PINGRESP), 5, b"\xd0\x00"),
    (Disconnect(), 4, b"\xe0\x00"),
    (Disconnect(ReasonCode.DISCONNECT_WITH_WILL), 5, b"\xe0\x01\4"),
    (Disconnect(ReasonCode.SERVER_MOVED, REASON), 5, b"\xe0\x06\x9d\4\x1f\0\1r"),
    (Auth(), 5, b"\xf0\x00"),
    (Auth(ReasonCode.REAUTHENTICATE, REASON), 5, b"\xf0\x06\x19\4\x1f\0\1r"),
]


def decoded(octets: bytes, level: int) -> Packet:
    reader = FrameReader(1 << 20)
    reader.feed(octets)
    assert reader.next()
    assert reader.waiting_bytes == 0
    return decode_packet(reader.first, reader.data, reader.start, reader.end, level)


@pytest.mark.parametrize(("packet", "level", "octets"), PACKETS)
def test_a_packet_has_these_octets_and_they_are_this_packet(
    packet: Packet, level: int, octets: bytes
) -> None:
    assert encode_packet(packet, level) == octets
    assert decoded(octets, level) == packet


def test_a_publish_says_what_it_is_in_its_first_byte() -> None:
    publish = Publish("a/b", b"xy", 2, 10, Properties({PropertyId.TOPIC_ALIAS: 3}))
    publish.retain = publish.duplicate = True
    octets = b"\x3d\x0d\0\3a/b\0\x0a\3\x23\0\3xy"
    assert encode_packet(publish, LEVEL_5) == octets
    again = decoded(octets, LEVEL_5)
    assert isinstance(again, Publish)
    assert (again.topic, again.payload, again.qos, again.packet_id) == ("a/b", b"xy", 2, 10)
    assert (again.retain, again.duplicate, again.properties) == (True, True, publish.properties)


def test_a_publish_at_qos_0_has_no_packet_identifier() -> None:
    publish = Publish("a", b"", 0, 0, Properties())
    assert encode_packet(publish, LEVEL_311) == b"\x30\x03\0\1a"
    assert encode_packet(publish, LEVEL_5) == b"\x30\x04\0\1a\0"


@pytest.mark.parametrize(
    ("packet", "octets"),
    [
        (ConnAck(False, ReasonCode.USE_ANOTHER_SERVER, REASON), b"\x20\x02\0\3"),
        (Ack(PacketType.PUBACK, 1, ReasonCode.NOT_AUTHORIZED, REASON), b"\x40\x02\0\1"),
        (SubAck(PacketType.SUBACK, 1, (ReasonCode.TOPIC_FILTER_INVALID,)), b"\x90\x03\0\1\x80"),
        (SubAck(PacketType.UNSUBACK, 1, (ReasonCode.NO_SUBSCRIPTION_EXISTED,)), b"\xb0\x02\0\1"),
    ],
)
def test_mqtt_3_1_1_has_no_reasons_but_those_of_connack_and_suback(packet: Packet, octets: bytes) -> None:
    assert encode_packet(packet, LEVEL_311) == octets
