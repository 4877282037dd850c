"""The types of control packets [MQTT 5.0 §2.1.2]."""

from enum import IntEnum
from typing import Final


class PacketType(IntEnum):
    """The four high bits of a packet's first byte."""

    CONNECT = 1
    CONNACK = 2
    PUBLISH = 3
    PUBACK = 4
    PUBREC = 5
    PUBREL = 6
    PUBCOMP = 7
    SUBSCRIBE = 8
    SUBACK = 9
    UNSUBSCRIBE = 10
    UNSUBACK = 11
    PINGREQ = 12
    PINGRESP = 13
    DISCONNECT = 14
    AUTH = 15


LEVEL_31: Final = 3
LEVEL_311: Final = 4
LEVEL_5: Final = 5
"""The protocol levels of MQTT 3.1, 3.1.1 and 5.0 [MQTT 5.0 §3.1.2.2]."""

PROTOCOL_NAMES: Final = {LEVEL_31: "MQIsdp", LEVEL_311: "MQTT", LEVEL_5: "MQTT"}
VERSION_NAMES: Final = {LEVEL_31: "MQTT 3.1", LEVEL_311: "MQTT 3.1.1", LEVEL_5: "MQTT 5.0"}

FLAGS: Final = {PacketType.PUBREL: 2, PacketType.SUBSCRIBE: 2, PacketType.UNSUBSCRIBE: 2}
"""The four low bits of a first byte, where they are not 0 [MQTT-2.1.3-1]; PUBLISH has its own."""

LASTS_FOR_EVER: Final = 0xFFFFFFFF
"""The session expiry without limit [MQTT 5.0 §3.1.2.11.2]."""
