"""The reason codes, and the packets in which each may stand [MQTT 5.0 §2.4]."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from lastvalue.codec.mqtt.packet_types import PacketType


class ReasonCode(IntEnum):
    """The result of a packet; from 0x80 it is a failure."""

    SUCCESS = 0x00
    """Of DISCONNECT the normal one, of SUBACK quality of service 0."""
    GRANTED_QOS_1 = 0x01
    GRANTED_QOS_2 = 0x02
    DISCONNECT_WITH_WILL = 0x04
    NO_MATCHING_SUBSCRIBERS = 0x10
    NO_SUBSCRIPTION_EXISTED = 0x11
    CONTINUE_AUTHENTICATION = 0x18
    REAUTHENTICATE = 0x19
    UNSPECIFIED_ERROR = 0x80
    MALFORMED_PACKET = 0x81
    PROTOCOL_ERROR = 0x82
    IMPLEMENTATION_ERROR = 0x83
    UNSUPPORTED_PROTOCOL_VERSION = 0x84
    CLIENT_IDENTIFIER_INVALID = 0x85
    BAD_USER_NAME_OR_PASSWORD = 0x86
    NOT_AUTHORIZED = 0x87
    SERVER_UNAVAILABLE = 0x88
    SERVER_BUSY = 0x89
    BANNED = 0x8A
    SERVER_SHUTTING_DOWN = 0x8B
    BAD_AUTHENTICATION_METHOD = 0x8C
    KEEP_ALIVE_TIMEOUT = 0x8D
    SESSION_TAKEN_OVER = 0x8E
    TOPIC_FILTER_INVALID = 0x8F
    TOPIC_NAME_INVALID = 0x90
    PACKET_IDENTIFIER_IN_USE = 0x91
    PACKET_IDENTIFIER_NOT_FOUND = 0x92
    RECEIVE_MAXIMUM_EXCEEDED = 0x93
    TOPIC_ALIAS_INVALID = 0x94
    PACKET_TOO_LARGE = 0x95
    MESSAGE_RATE_TOO_HIGH = 0x96
    QUOTA_EXCEEDED = 0x97
    ADMINISTRATIVE_ACTION = 0x98
    PAYLOAD_FORMAT_INVALID = 0x99
    RETAIN_NOT_SUPPORTED = 0x9A
    QOS_NOT_SUPPORTED = 0x9B
    USE_ANOTHER_SERVER = 0x9C
    SERVER_MOVED = 0x9D
    SHARED_SUBSCRIPTIONS_NOT_SUPPORTED = 0x9E
    CONNECTION_RATE_EXCEEDED = 0x9F
    MAXIMUM_CONNECT_TIME = 0xA0
    SUBSCRIPTION_IDENTIFIERS_NOT_SUPPORTED = 0xA1
    WILDCARD_SUBSCRIPTIONS_NOT_SUPPORTED = 0xA2


FIRST_FAILURE: Final = 0x80

_PUBLISH_RESULTS: Final = frozenset((0x00, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99))

ALLOWED: Final[Mapping[int, frozenset[int]]] = {
    PacketType.CONNACK: frozenset(
        (0x00, *range(0x80, 0x8B), 0x8C, 0x90, 0x95, 0x97, 0x99, 0x9A, 0x9B, 0x9C, 0x9D, 0x9F)
    ),
    PacketType.PUBACK: _PUBLISH_RESULTS,
    PacketType.PUBREC: _PUBLISH_RESULTS,
    PacketType.PUBREL: frozenset((0x00, 0x92)),
    PacketType.PUBCOMP: frozenset((0x00, 0x92)),
    PacketType.SUBACK: frozenset(
        (0x00, 0x01, 0x02, 0x80, 0x83, 0x87, 0x8F, 0x91, 0x97, 0x9E, 0xA1, 0xA2)
    ),
    PacketType.UNSUBACK: frozenset((0x00, 0x11, 0x80, 0x83, 0x87, 0x8F, 0x91)),
    PacketType.DISCONNECT: frozenset(
        (0x00, 0x04, 0x80, 0x81, 0x82, 0x83, 0x87, 0x89, *range(0x8B, 0x91), *range(0x93, 0xA3))
    ),
    PacketType.AUTH: frozenset((0x00, 0x18, 0x19)),
}  # fmt: skip
"""By packet type, the reason codes that may stand in it [MQTT 5.0 §2.4, table 2-6]."""

_RETURN_CODES: Final[Mapping[int, int]] = {
    ReasonCode.SUCCESS: 0,
    ReasonCode.UNSUPPORTED_PROTOCOL_VERSION: 1,
    ReasonCode.CLIENT_IDENTIFIER_INVALID: 2,
    ReasonCode.BAD_USER_NAME_OR_PASSWORD: 4,
    ReasonCode.NOT_AUTHORIZED: 5,
    ReasonCode.BAD_AUTHENTICATION_METHOD: 5,
    ReasonCode.BANNED: 5,
}
_SERVER_UNAVAILABLE: Final = 3


def fitting_reason(reason: int, packet_type: int) -> ReasonCode:
    """The reason code, or where it may not stand in a packet of this type the one for any failure."""
    allowed = reason in ALLOWED[packet_type]
    return ReasonCode(reason) if allowed else ReasonCode.UNSPECIFIED_ERROR


def return_code(reason: int) -> int:
    """What a CONNACK of MQTT 3.1.1 says in place of a reason code [MQTT 3.1.1 §3.2.2.3]."""
    return _RETURN_CODES.get(reason, _SERVER_UNAVAILABLE)


def has_return_code(reason: int) -> bool:
    """Whether a CONNACK says a reason in MQTT 3.1.1; otherwise the connection is closed without one."""
    return reason not in (
        ReasonCode.MALFORMED_PACKET,
        ReasonCode.PROTOCOL_ERROR,
        ReasonCode.TOPIC_NAME_INVALID,
    )
