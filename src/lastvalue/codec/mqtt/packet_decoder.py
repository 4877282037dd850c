"""Decodes control packets of both sides [MQTT 5.0 §3]."""

from typing import Final

from mypy_extensions import i64

from lastvalue.codec.mqtt.errors import MqttError, malformed, protocol_error
from lastvalue.codec.mqtt.fields import FieldReader
from lastvalue.codec.mqtt.packet_types import FLAGS, LEVEL_5, LEVEL_31, PROTOCOL_NAMES, PacketType
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
from lastvalue.codec.mqtt.properties import NONE, WILL, Properties, PropertyId, read_properties
from lastvalue.codec.mqtt.reason_codes import ALLOWED, ReasonCode
from lastvalue.codec.mqtt.topic_names import TopicNames
from lastvalue.codec.mqtt.topics import check_topic_name

PUBLISH: Final = 3
_DUPLICATE: Final = 8
_MOST_CLIENT_ID_31: Final = 23
MOST_FILTERS: Final = 4096
"""The filters of a SUBSCRIBE or UNSUBSCRIBE: each may be an octet, so a packet could have millions."""


def decode_packet(first: int, data: bytes, start: int, end: int, level: int) -> Packet:
    """The packet with this first byte, and after its length data[start:end], at a level of the protocol.

    A CONNECT says its level itself.

    Raises:
        MqttError: it is malformed, or violates the protocol whatever came before it.
    """
    kind = first >> 4
    if kind == PUBLISH:
        return decode_publish(first, data, start, end, level)
    if kind == 0 or (kind == PacketType.AUTH and level < LEVEL_5):
        raise malformed(f"[MQTT 5.0 §2.1.2] the packet type {kind} is reserved")
    packet_type = PacketType(kind)
    flags = first & 15
    if level == LEVEL_31 and flags & _DUPLICATE and packet_type in FLAGS:
        # [MQTT 3.1 §2.1] These may say that they have been sent before.
        flags -= _DUPLICATE
    if flags != FLAGS.get(packet_type, 0):
        raise malformed(f"[MQTT-2.1.3-1] {packet_type.name} has wrong flags: {flags:04b}")
    reader = FieldReader(data, start, end)
    packet = _packet(packet_type, reader, level)
    reader.finish()
    return packet


def _packet(packet_type: PacketType, reader: FieldReader, level: int) -> Packet:
    packet: Packet
    match packet_type:
        case PacketType.PUBACK | PacketType.PUBREC | PacketType.PUBREL | PacketType.PUBCOMP:
            packet_id = int(_packet_id(reader))
            packet = Ack(packet_type, packet_id, *_result(packet_type, reader, level))
        case PacketType.CONNECT:
            packet = _connect(reader)
        case PacketType.CONNACK:
            packet = _connack(reader, level)
        case PacketType.PINGREQ | PacketType.PINGRESP:
            packet = Ping(packet_type)
        case PacketType.DISCONNECT:
            packet = Disconnect(*_result(packet_type, reader, level))
        case PacketType.AUTH:
            packet = Auth(*_result(packet_type, reader, level))
        case _:
            packet = _of_filters(packet_type, reader, level)
    return packet


def level_of(data: bytes, start: i64, end: i64) -> i64:
    """The level of the protocol that a CONNECT has, or 0 if it is unknown."""
    place = start + 2 + (data[start] << 8 | data[start + 1]) if end - start > 2 else end
    level: i64 = data[place] if place < end else 0
    return level if int(level) in PROTOCOL_NAMES else 0


def decode_publish(
    first: i64, data: bytes, start: i64, end: i64, level: i64, names: TopicNames | None = None
) -> Publish:
    """A PUBLISH; see `decode_packet`. `names` has the topics that come again."""
    qos: i64 = first >> 1 & 3
    if qos == 3:
        raise malformed("[MQTT-3.3.1-4] quality of service 3")
    if qos == 0 and first & _DUPLICATE:
        raise malformed("[MQTT-3.3.1-2] at quality of service 0 nothing is sent again")
    packet_id: i64 = 0
    if names is not None and end - start > 2:
        after: i64 = start + 2 + (data[start] << 8 | data[start + 1])
        payload: i64 = after + (2 if qos > 0 else 0) + (1 if level >= LEVEL_5 else 0)
        if start + 2 < after and payload <= end and (level < LEVEL_5 or data[payload - 1] == 0):
            # It has a topic and no properties.
            if qos > 0:
                packet_id = data[after] << 8 | data[after + 1]
                if packet_id == 0:
                    raise _no_packet_id()
            name = names.name_of(data[start + 2 : after])
            known = Publish(name.text, data[payload:end], qos, packet_id, NONE)
            known.name = name
            known.retain = first & 1 != 0
            known.duplicate = first & _DUPLICATE != 0
            return known
    reader = FieldReader(data, start, end)
    topic = reader.text()
    if qos > 0:
        packet_id = _packet_id(reader)
    properties = (
        read_properties(reader, PUBLISH, level) if names is None else names.properties_of(reader, level)
    )
    if topic or PropertyId.TOPIC_ALIAS not in properties.values:
        check_topic_name(topic)
    publish = Publish(topic, data[reader.pos : end], qos, packet_id, properties)
    if names is not None and topic:
        publish.name = names.name_of(topic.encode())
    publish.retain = first & 1 != 0
    publish.duplicate = first & _DUPLICATE != 0
    return publish


def _packet_id(reader: FieldReader) -> i64:
    packet_id = reader.uint16()
    if packet_id == 0:
        raise _no_packet_id()
    return packet_id


def _no_packet_id() -> MqttError:
    return protocol_error("[MQTT-2.2.1-3] a packet identifier is 1 to 65535")


# ---------------------------------------------------------------------- CONNECT and CONNACK


def _connect(reader: FieldReader) -> Connect:
    name = reader.text()
    level = int(reader.uint8())
    if name not in PROTOCOL_NAMES.values():
        raise MqttError(
            ReasonCode.UNSUPPORTED_PROTOCOL_VERSION, f"[MQTT-3.1.2-1] the protocol {name!r} is not MQTT"
        )
    if PROTOCOL_NAMES.get(level) != name:
        raise MqttError(
            ReasonCode.UNSUPPORTED_PROTOCOL_VERSION,
            f"[MQTT-3.1.2-2] level {level} of {name} is not spoken; 3.1, 3.1.1 and 5.0 are",
        )
    flags = int(reader.uint8())
    if flags & 1 and level > LEVEL_31:
        # MQTT 3.1 leaves the bit to its clients.
        raise malformed("[MQTT-3.1.2-3] the lowest connect flag is 0")
    keep_alive_s = int(reader.uint16())
    properties = read_properties(reader, PacketType.CONNECT, level)
    client_id = reader.text()
    if level == LEVEL_31 and not 1 <= len(client_id) <= _MOST_CLIENT_ID_31:
        raise MqttError(
            ReasonCode.CLIENT_IDENTIFIER_INVALID,
            f"[MQTT 3.1 §3.1] a client identifier has 1 to {_MOST_CLIENT_ID_31} characters",
        )
    will = _will(reader, flags, level)
    has_user, has_password = flags & 0x80, flags & 0x40
    if has_password and not has_user and level < LEVEL_5:
        raise malformed("[MQTT 3.1.1, MQTT-3.1.2-22] a password without a user name")
    user_name = reader.text() if has_user else None
    password = reader.binary() if has_password else None
    return Connect(
        level, client_id, bool(flags & 2), keep_alive_s, user_name, password, will, properties
    )  # fmt: skip


def _will(reader: FieldReader, flags: int, level: int) -> Will | None:
    qos = flags >> 3 & 3
    if not flags & 4:
        if flags & 0x38:
            raise malformed("[MQTT-3.1.2-11, MQTT-3.1.2-13] flags of a will without a will")
        return None
    if qos == 3:
        raise malformed("[MQTT-3.1.2-12] a will with quality of service 3")
    properties = read_properties(reader, WILL, level)
    topic = reader.text()
    check_topic_name(topic)
    return Will(topic, reader.binary(), qos, bool(flags & 0x20), properties)


def _connack(reader: FieldReader, level: int) -> ConnAck:
    flags = reader.uint8()
    if flags > 1:
        raise malformed("[MQTT-3.2.2-1] the flags of a CONNACK besides the lowest are 0")
    code = int(reader.uint8())
    if level < LEVEL_5:
        return ConnAck(flags == 1, ReasonCode.SUCCESS if code == 0 else ReasonCode.NOT_AUTHORIZED)
    reason = _reason(PacketType.CONNACK, code)
    return ConnAck(flags == 1, reason, read_properties(reader, PacketType.CONNACK, level))


# ---------------------------------------------------------------------- results


def _reason(packet_type: PacketType, code: int) -> ReasonCode:
    if code not in ALLOWED[packet_type]:
        raise protocol_error(f"[MQTT 5.0 §2.4] {packet_type.name} has no reason code 0x{code:02X}")
    return ReasonCode(code)


def _result(packet_type: PacketType, reader: FieldReader, level: int) -> tuple[ReasonCode, Properties]:
    """[MQTT 5.0 §3.4.2.1] A reason code and properties, which may both be left out."""
    if level < LEVEL_5 or reader.left() == 0:
        return ReasonCode.SUCCESS, NONE
    reason = _reason(packet_type, int(reader.uint8()))
    properties = read_properties(reader, packet_type, level) if reader.left() > 0 else NONE
    return reason, properties


# ---------------------------------------------------------------------- subscriptions


def _of_filters(packet_type: PacketType, reader: FieldReader, level: int) -> Subscribe | Unsubscribe | SubAck:
    packet_id = int(_packet_id(reader))
    properties = read_properties(reader, packet_type, level)
    if packet_type in (PacketType.SUBACK, PacketType.UNSUBACK):
        reasons = tuple([_reason(packet_type, code) for code in reader.octets(reader.left())])
        return SubAck(packet_type, packet_id, reasons, properties)
    if reader.left() == 0:
        raise protocol_error(
            f"[MQTT-3.8.3-2, MQTT-3.10.3-2] {packet_type.name} has at least one topic filter"
        )
    filters: list[str] = []
    subscriptions: list[Subscription] = []
    while reader.left() > 0:
        if len(filters) == MOST_FILTERS:
            text = f"a packet with more than {MOST_FILTERS} topic filters; more take several packets"
            raise MqttError(ReasonCode.QUOTA_EXCEEDED, text)
        filters.append(reader.text())
        if packet_type is PacketType.SUBSCRIBE:
            subscriptions.append(_subscription(filters[-1], int(reader.uint8()), level))
    if subscriptions:
        return Subscribe(packet_id, tuple(subscriptions), properties)
    return Unsubscribe(packet_id, tuple(filters), properties)


def _subscription(text: str, options: int, level: int) -> Subscription:
    qos = options & 3
    if qos == 3:
        raise malformed("[MQTT-3.8.3-5] a subscription with quality of service 3")
    if options & (0xC0 if level >= LEVEL_5 else 0xFC):
        raise malformed("[MQTT-3.8.3-5] the reserved bits of subscription options are 0")
    handling = options >> 4
    if handling == 3:
        raise protocol_error("[MQTT 5.0 §3.8.3.1] retain handling is 0, 1 or 2")
    no_local = bool(options & 4)
    if no_local and text.startswith("$share/"):
        raise protocol_error("[MQTT-3.8.3-4] a shared subscription is never no local")
    return Subscription(text, qos, no_local, bool(options & 8), handling)
