"""The properties of packets [MQTT 5.0 §2.2.2]."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.mqtt.errors import MqttError, malformed, protocol_error
from lastvalue.codec.mqtt.fields import FieldReader, binary, text, uint16, uint32, variable
from lastvalue.codec.mqtt.packet_types import LEVEL_5, PacketType
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.codec.mqtt.topics import check_topic_name

PropertyValue: TypeAlias = int | str | bytes


class PropertyId(IntEnum):
    """The identifiers of properties."""

    PAYLOAD_FORMAT = 0x01
    MESSAGE_EXPIRY_S = 0x02
    CONTENT_TYPE = 0x03
    RESPONSE_TOPIC = 0x08
    CORRELATION_DATA = 0x09
    SUBSCRIPTION_IDENTIFIER = 0x0B
    SESSION_EXPIRY_S = 0x11
    ASSIGNED_CLIENT_IDENTIFIER = 0x12
    SERVER_KEEP_ALIVE_S = 0x13
    AUTHENTICATION_METHOD = 0x15
    AUTHENTICATION_DATA = 0x16
    REQUEST_PROBLEM_INFORMATION = 0x17
    WILL_DELAY_S = 0x18
    REQUEST_RESPONSE_INFORMATION = 0x19
    RESPONSE_INFORMATION = 0x1A
    SERVER_REFERENCE = 0x1C
    REASON_STRING = 0x1F
    RECEIVE_MAXIMUM = 0x21
    TOPIC_ALIAS_MAXIMUM = 0x22
    TOPIC_ALIAS = 0x23
    MAXIMUM_QOS = 0x24
    RETAIN_AVAILABLE = 0x25
    USER_PROPERTY = 0x26
    MAXIMUM_PACKET_SIZE = 0x27
    WILDCARD_SUBSCRIPTION_AVAILABLE = 0x28
    SUBSCRIPTION_IDENTIFIERS_AVAILABLE = 0x29
    SHARED_SUBSCRIPTION_AVAILABLE = 0x2A


class Form(IntEnum):
    """The data type of a property's value."""

    BYTE = 1
    UINT16 = 2
    UINT32 = 3
    VARIABLE = 4
    BINARY = 5
    TEXT = 6
    PAIR = 7


WILL: Final = 0
"""Stands for the will's properties, where others have the type of their packet."""

_CONNECT: Final = PacketType.CONNECT
_CONNACK: Final = PacketType.CONNACK
_MESSAGE: Final = (PacketType.PUBLISH, WILL)
_RESULTS: Final = (
    PacketType.CONNACK,
    PacketType.PUBACK,
    PacketType.PUBREC,
    PacketType.PUBREL,
    PacketType.PUBCOMP,
    PacketType.SUBACK,
    PacketType.UNSUBACK,
    PacketType.DISCONNECT,
    PacketType.AUTH,
)


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class PropertyType:
    """What a property is.

    Attributes:
        form: of its value.
        packets: the types of those in which it may stand, or WILL.
        least, most: the values that a number may have.
    """

    form: Form
    packets: tuple[int, ...]
    least: int = 0
    most: int = 0xFFFFFFFF


def _flag(*packets: int) -> PropertyType:
    return PropertyType(Form.BYTE, packets, most=1)


PROPERTY_TYPES: Final[Mapping[int, PropertyType]] = {
    PropertyId.PAYLOAD_FORMAT: _flag(*_MESSAGE),
    PropertyId.MESSAGE_EXPIRY_S: PropertyType(Form.UINT32, _MESSAGE),
    PropertyId.CONTENT_TYPE: PropertyType(Form.TEXT, _MESSAGE),
    PropertyId.RESPONSE_TOPIC: PropertyType(Form.TEXT, _MESSAGE),
    PropertyId.CORRELATION_DATA: PropertyType(Form.BINARY, _MESSAGE),
    PropertyId.SUBSCRIPTION_IDENTIFIER: PropertyType(
        Form.VARIABLE, (PacketType.PUBLISH, PacketType.SUBSCRIBE), least=1
    ),
    PropertyId.SESSION_EXPIRY_S: PropertyType(Form.UINT32, (_CONNECT, _CONNACK, PacketType.DISCONNECT)),
    PropertyId.ASSIGNED_CLIENT_IDENTIFIER: PropertyType(Form.TEXT, (_CONNACK,)),
    PropertyId.SERVER_KEEP_ALIVE_S: PropertyType(Form.UINT16, (_CONNACK,)),
    PropertyId.AUTHENTICATION_METHOD: PropertyType(Form.TEXT, (_CONNECT, _CONNACK, PacketType.AUTH)),
    PropertyId.AUTHENTICATION_DATA: PropertyType(Form.BINARY, (_CONNECT, _CONNACK, PacketType.AUTH)),
    PropertyId.REQUEST_PROBLEM_INFORMATION: _flag(_CONNECT),
    PropertyId.WILL_DELAY_S: PropertyType(Form.UINT32, (WILL,)),
    PropertyId.REQUEST_RESPONSE_INFORMATION: _flag(_CONNECT),
    PropertyId.RESPONSE_INFORMATION: PropertyType(Form.TEXT, (_CONNACK,)),
    PropertyId.SERVER_REFERENCE: PropertyType(Form.TEXT, (_CONNACK, PacketType.DISCONNECT)),
    PropertyId.REASON_STRING: PropertyType(Form.TEXT, _RESULTS),
    PropertyId.RECEIVE_MAXIMUM: PropertyType(Form.UINT16, (_CONNECT, _CONNACK), least=1),
    PropertyId.TOPIC_ALIAS_MAXIMUM: PropertyType(Form.UINT16, (_CONNECT, _CONNACK)),
    PropertyId.TOPIC_ALIAS: PropertyType(Form.UINT16, (PacketType.PUBLISH,), least=1),
    PropertyId.MAXIMUM_QOS: _flag(_CONNACK),
    PropertyId.RETAIN_AVAILABLE: _flag(_CONNACK),
    PropertyId.USER_PROPERTY: PropertyType(
        Form.PAIR,
        (*_RESULTS, *_MESSAGE, _CONNECT, PacketType.SUBSCRIBE, PacketType.UNSUBSCRIBE),
    ),
    PropertyId.MAXIMUM_PACKET_SIZE: PropertyType(Form.UINT32, (_CONNECT, _CONNACK), least=1),
    PropertyId.WILDCARD_SUBSCRIPTION_AVAILABLE: _flag(_CONNACK),
    PropertyId.SUBSCRIPTION_IDENTIFIERS_AVAILABLE: _flag(_CONNACK),
    PropertyId.SHARED_SUBSCRIPTION_AVAILABLE: _flag(_CONNACK),
}


@final
class Properties:
    """The properties of a packet or a will.

    Attributes:
        values: by identifier, those that stand at most once, and in SUBSCRIBE its subscription identifier.
        user: the user properties, in their order; a name may stand in it several times.
        subscriptions: the subscription identifiers of a PUBLISH.
        encoded: the octets that they were read from, if others with these are the same object; else b"".
    """

    __slots__ = ("encoded", "subscriptions", "user", "values")

    def __init__(
        self,
        values: dict[int, PropertyValue] | None = None,
        user: list[tuple[str, str]] | None = None,
        subscriptions: list[int] | None = None,
    ) -> None:
        self.values: dict[int, PropertyValue] = {} if values is None else values
        self.user: list[tuple[str, str]] = [] if user is None else user
        self.subscriptions: list[int] = [] if subscriptions is None else subscriptions
        self.encoded = b""

    def number(self, identifier: int, default: int = 0) -> int:
        """The value of a number, or the default if it is absent."""
        value = self.values.get(identifier)
        return value if isinstance(value, int) else default

    def text(self, identifier: int) -> str | None:
        """The value of a text, or None."""
        value = self.values.get(identifier)
        return value if isinstance(value, str) else None

    def octets(self, identifier: int) -> bytes | None:
        """The value of binary data, or None."""
        value = self.values.get(identifier)
        return value if isinstance(value, bytes) else None

    @property
    def size_bytes(self) -> int:
        """About the memory that they take."""
        octets = sum([len(name) + len(value) for name, value in self.user])
        octets += sum([len(each) for each in self.values.values() if isinstance(each, (str, bytes))])
        return octets + _VALUE_BYTES * (2 * len(self.user) + len(self.values))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Properties)
            and self.values == other.values
            and self.user == other.user
            and self.subscriptions == other.subscriptions
        )

    def __hash__(self) -> int:
        raise TypeError("properties change")

    def __repr__(self) -> str:
        return f"Properties({self.values!r}, {self.user!r}, {self.subscriptions!r})"


NONE: Final = Properties()
"""No properties; nobody changes it."""


_VALUE_BYTES: Final = 88
"""The memory of a value, and of a user property's name, without its text."""
MOST_USER_PROPERTIES: Final = 4096
"""Of a packet: each may be five octets, so a packet could have millions."""


def read_properties(reader: FieldReader, packet: int, level: i64) -> Properties:
    """Read the properties of a packet of this type, or of a WILL, with their length; NONE before LEVEL_5.

    Raises:
        MqttError: they are malformed, stand in the wrong packet or twice, or have a wrong value.
    """
    size = reader.variable() if level >= LEVEL_5 else 0
    if size == 0:
        return NONE
    if size > reader.left():
        raise malformed(f"properties of {size} bytes where {reader.left()} are left")
    inner = FieldReader(reader.data, reader.pos, reader.pos + size)
    reader.pos += size
    properties = Properties()
    while inner.pos < inner.end:
        _read_property(inner, packet, properties)
    return properties


def _read_property(reader: FieldReader, packet: int, into: Properties) -> None:
    identifier = int(reader.variable())
    kind = PROPERTY_TYPES.get(identifier)
    if kind is None:
        raise malformed(f"[MQTT 5.0 §2.2.2.2] a property with the unknown identifier 0x{identifier:02X}")
    name = PropertyId(identifier).name
    if packet not in kind.packets:
        raise malformed(f"[MQTT 5.0 §2.2.2.2] the property {name} may not stand in this packet")
    if kind.form is Form.PAIR:
        into.user.append((reader.text(), reader.text()))
        if len(into.user) > MOST_USER_PROPERTIES:
            text = f"a packet with more than {MOST_USER_PROPERTIES} user properties"
            raise MqttError(ReasonCode.QUOTA_EXCEEDED, text)
        return
    value = _read_value(reader, kind.form)
    if isinstance(value, int) and not kind.least <= value <= kind.most:
        reason = ReasonCode.PROTOCOL_ERROR
        if identifier == PropertyId.TOPIC_ALIAS:
            reason = ReasonCode.TOPIC_ALIAS_INVALID
        raise MqttError(reason, f"the property {name} may not be {value}")
    if identifier == PropertyId.RESPONSE_TOPIC:
        # [MQTT-3.3.2-14] It has no wildcards.
        check_topic_name(str(value))
    if packet == PacketType.PUBLISH and identifier == PropertyId.SUBSCRIPTION_IDENTIFIER:
        into.subscriptions.append(int(value))
        return
    if identifier in into.values:
        raise protocol_error(f"the property {name} stands in a packet twice")
    into.values[identifier] = value


def _read_value(reader: FieldReader, form: Form) -> PropertyValue:
    if form is Form.BYTE:
        return int(reader.uint8())
    if form is Form.UINT16:
        return int(reader.uint16())
    if form is Form.UINT32:
        return int(reader.uint32())
    if form is Form.VARIABLE:
        return int(reader.variable())
    return reader.text() if form is Form.TEXT else reader.binary()


def property_octets(properties: Properties) -> bytes:
    """The octets of properties, without the length before them."""
    parts = [_encoded(identifier, value) for identifier, value in properties.values.items()]
    parts += [_encoded(PropertyId.SUBSCRIPTION_IDENTIFIER, value) for value in properties.subscriptions]
    parts += [b"\x26" + text(name) + text(value) for name, value in properties.user]
    return b"".join(parts)


def _encoded(identifier: int, value: PropertyValue) -> bytes:
    head = bytes((identifier,))
    if isinstance(value, str):
        return head + text(value)
    if isinstance(value, bytes):
        return head + binary(value)
    form = PROPERTY_TYPES[identifier].form
    if form is Form.BYTE:
        return head + bytes((value,))
    if form is Form.UINT16:
        return head + uint16(value)
    return head + (variable(value) if form is Form.VARIABLE else uint32(value))


def with_length(octets: bytes, level: i64) -> bytes:
    """The octets of properties as they stand in a packet: nothing before LEVEL_5."""
    size: i64 = len(octets)
    return variable(size) + octets if level >= LEVEL_5 else b""
