"""Encodes control packets of both sides [MQTT 5.0 §3]."""

from typing import Final

from librt.strings import BytesWriter, write_i32_be
from mypy_extensions import i32, i64, u8

from lastvalue.codec.mqtt.fields import binary, text, uint16, variable
from lastvalue.codec.mqtt.packet_types import FLAGS, LEVEL_5, PROTOCOL_NAMES, PacketType
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
)
from lastvalue.codec.mqtt.properties import property_octets, with_length
from lastvalue.codec.mqtt.reason_codes import FIRST_FAILURE, ReasonCode, return_code

_PUBLISH: Final = 0x30
_QOS_SHIFT: Final = 1
_DUPLICATE: Final = 8
_RETAIN: Final = 1
_SUCCESS: Final = ReasonCode.SUCCESS


def encode_packet(packet: Packet, level: int) -> bytes:
    """The octets of a packet at a level of the protocol, which has no properties before LEVEL_5."""
    match packet:
        case Publish():
            return encode_publish(packet, packet.topic.encode(), property_octets(packet.properties), level)
        case Connect():
            kind, body = PacketType.CONNECT, _connect(packet)
        case ConnAck():
            kind, body = PacketType.CONNACK, _connack(packet, level)
        case Ack():
            kind, body = packet.packet_type, uint16(packet.packet_id) + _result(packet, level)
        case Disconnect():
            kind, body = PacketType.DISCONNECT, _result(packet, level)
        case Auth():
            kind, body = PacketType.AUTH, _result(packet, level)
        case Ping():
            kind, body = packet.packet_type, b""
        case _:
            kind, body = _of_filters(packet, level)
    size: i64 = len(body)
    return bytes((kind << 4 | FLAGS.get(kind, 0),)) + variable(size) + body


def _of_filters(packet: SubAck | Subscribe | Unsubscribe, level: int) -> tuple[PacketType, bytes]:
    head = uint16(packet.packet_id) + with_length(property_octets(packet.properties), level)
    if isinstance(packet, SubAck):
        return packet.packet_type, head + _reasons(packet, level)
    if isinstance(packet, Subscribe):
        parts = [text(each.topic_filter) + bytes((_options(each),)) for each in packet.subscriptions]
        return PacketType.SUBSCRIBE, head + b"".join(parts)
    return PacketType.UNSUBSCRIBE, head + b"".join([text(each) for each in packet.filters])


def encode_publish(publish: Publish, topic: bytes, properties: bytes, level: i64) -> bytes:
    """A PUBLISH with the octets of its topic and its properties, in place of those that it has itself."""
    start, fields = publish_start(publish, topic, properties, level, len(publish.payload))
    packet_id = b"" if publish.qos == 0 else uint16(int(publish.packet_id))
    return b"".join((start, packet_id, fields, publish.payload))


def publish_start(
    publish: Publish, topic: bytes, properties: bytes, level: i64, size: i64
) -> tuple[bytes, bytes]:
    """The octets of a PUBLISH before its packet identifier, and between that and a payload of this size.

    At QoS 0, where there is no packet identifier, all is in the first part.
    """
    first: i64 = _PUBLISH | publish.qos << _QOS_SHIFT
    if publish.duplicate:
        first |= _DUPLICATE
    if publish.retain:
        first |= _RETAIN
    fields = with_length(properties, level)
    length: i64 = 2 + len(topic) + (0 if publish.qos == 0 else 2) + len(fields) + size
    start = b"".join((bytes((first,)), variable(length), uint16(len(topic)), topic))
    return (start + fields, b"") if publish.qos == 0 else (start, fields)


def encode_acks(packet_type: PacketType, first: i64, last: i64, reason: ReasonCode, level: i64) -> bytes:
    """PUBACK, PUBREC, PUBREL or PUBCOMP of all packet identifiers from one to another, without properties."""
    says = level >= LEVEL_5 and reason is not _SUCCESS
    head: i64 = (int(packet_type) << 4 | FLAGS.get(packet_type, 0)) << 24 | (3 if says else 2) << 16
    code = u8(int(reason))
    writer = BytesWriter()
    number = first
    while number <= last:
        write_i32_be(writer, i32(head | number))
        if says:
            writer.append(code)
        number += 1
    return writer.getvalue()


def _connect(packet: Connect) -> bytes:
    will = packet.will
    flags = 2 if packet.clean_start else 0
    if will is not None:
        flags |= 4 | will.qos << 3 | (0x20 if will.retain else 0)
    flags |= (0 if packet.user_name is None else 0x80) | (0 if packet.password is None else 0x40)
    level = packet.level
    parts = [text(PROTOCOL_NAMES[level]), bytes((level, flags)), uint16(packet.keep_alive_s)]
    parts += [with_length(property_octets(packet.properties), level), text(packet.client_id)]
    if will is not None:
        parts.append(with_length(property_octets(will.properties), level))
        parts += [text(will.topic), binary(will.payload)]
    if packet.user_name is not None:
        parts.append(text(packet.user_name))
    if packet.password is not None:
        parts.append(binary(packet.password))
    return b"".join(parts)


def _connack(packet: ConnAck, level: int) -> bytes:
    flags = 1 if packet.session_present else 0
    if level < LEVEL_5:
        return bytes((flags, return_code(packet.reason)))
    return bytes((flags, packet.reason)) + with_length(property_octets(packet.properties), level)


def _result(packet: Ack | Disconnect | Auth, level: int) -> bytes:
    """[MQTT 5.0 §3.4.2.1] What says nothing is left out."""
    octets = property_octets(packet.properties)
    if level < LEVEL_5 or (not octets and packet.reason is ReasonCode.SUCCESS):
        return b""
    return bytes((packet.reason,)) + (with_length(octets, level) if octets else b"")


def _reasons(packet: SubAck, level: int) -> bytes:
    if level >= LEVEL_5:
        return bytes(packet.reasons)
    if packet.packet_type is PacketType.UNSUBACK:
        return b""
    # [MQTT 3.1.1, MQTT-3.9.3-2] There is one code for all failures.
    return bytes([min(reason, FIRST_FAILURE) for reason in packet.reasons])


def _options(subscription: Subscription) -> int:
    local = 4 if subscription.no_local else 0
    published = 8 if subscription.retain_as_published else 0
    return subscription.qos | local | published | subscription.retain_handling << 4
