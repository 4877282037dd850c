"""The control packets [MQTT 5.0 §3]."""

from dataclasses import dataclass
from typing import Final, TypeAlias, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.mqtt.packet_types import LASTS_FOR_EVER, LEVEL_5, PacketType
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode

MOST_IN_FLIGHT: Final = 0xFFFF


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Will:
    """The message that the server publishes when the client goes away without saying so."""

    topic: str
    payload: bytes
    qos: int = 0
    retain: bool = False
    properties: Properties = NONE

    @property
    def delay_s(self) -> int:
        """How long after the end of the connection it is published, unless the session ends before."""
        return self.properties.number(PropertyId.WILL_DELAY_S)

    @property
    def size_bytes(self) -> int:
        """About the memory that it takes."""
        return len(self.topic) + len(self.payload) + self.properties.size_bytes


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Connect:
    """CONNECT.

    Attributes:
        level: of the protocol: LEVEL_31, LEVEL_311 or LEVEL_5.
        client_id: may be empty: the server assigns one.
        clean_start: an earlier session of the client ends.
        keep_alive_s: how long the client is silent at most; 0 is without limit.
    """

    level: int
    client_id: str
    clean_start: bool = True
    keep_alive_s: int = 0
    user_name: str | None = None
    password: bytes | None = None
    will: Will | None = None
    properties: Properties = NONE

    @property
    def session_expiry_s(self) -> int:
        """How long the session outlives the connection; LASTS_FOR_EVER is without limit."""
        if self.level < LEVEL_5:
            return 0 if self.clean_start else LASTS_FOR_EVER
        return self.properties.number(PropertyId.SESSION_EXPIRY_S)

    @property
    def receive_maximum(self) -> int:
        """How many messages above QoS 0 the client takes before it has answered them."""
        return self.properties.number(PropertyId.RECEIVE_MAXIMUM, MOST_IN_FLIGHT)

    @property
    def size_bytes(self) -> int:
        """About the memory that its properties and its will take."""
        return self.properties.size_bytes + (0 if self.will is None else self.will.size_bytes)


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class ConnAck:
    """CONNACK."""

    session_present: bool = False
    reason: ReasonCode = ReasonCode.SUCCESS
    properties: Properties = NONE


@final
class TopicName:
    """A topic that messages have, and what its reader keeps with it.

    Attributes:
        text: the name.
        kept: what the reader keeps, in places of its own; None before it keeps something.
    """

    __slots__ = ("kept", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.kept: list[object] | None = None


@final
class Publish:
    """PUBLISH.

    Attributes:
        topic: empty where an alias stands for it.
        name: the topic, where it is remembered.
        packet_id: 0 at QoS 0.
        duplicate: it may have been sent before.
    """

    __slots__ = ("duplicate", "name", "packet_id", "payload", "properties", "qos", "retain", "topic")

    def __init__(self, topic: str, payload: bytes, qos: i64, packet_id: i64, properties: Properties) -> None:
        self.topic = topic
        self.name: TopicName | None = None
        self.payload = payload
        self.qos: i64 = qos
        self.packet_id: i64 = packet_id
        self.retain = False
        self.duplicate = False
        self.properties = properties


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Ack:
    """PUBACK, PUBREC, PUBREL or PUBCOMP, by its type."""

    packet_type: PacketType
    packet_id: int
    reason: ReasonCode = ReasonCode.SUCCESS
    properties: Properties = NONE


@final
class Acks:
    """PUBACKs, PUBRECs, PUBRELs or PUBCOMPs in a row: for all packet identifiers from `first` to `last`."""

    __slots__ = ("first", "last", "packet_type", "reason")

    def __init__(self, packet_type: PacketType, packet_id: i64, reason: ReasonCode) -> None:
        self.packet_type = packet_type
        self.first: i64 = packet_id
        self.last: i64 = packet_id
        self.reason = reason


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Subscription:
    """A filter of a SUBSCRIBE with its options [MQTT 5.0 §3.8.3.1].

    Attributes:
        topic_filter: as it came: `parse_topic_filter` says whether it is one.
        qos: the most that deliveries may have.
        no_local: what this client publishes is not delivered to it.
        retain_as_published: deliveries say whether the message was published as retained.
        retain_handling: 0: retained messages are sent; 1: if the subscription is new; 2: never.
    """

    topic_filter: str
    qos: int = 0
    no_local: bool = False
    retain_as_published: bool = False
    retain_handling: int = 0


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Subscribe:
    """SUBSCRIBE."""

    packet_id: int
    subscriptions: tuple[Subscription, ...]
    properties: Properties = NONE


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Unsubscribe:
    """UNSUBSCRIBE."""

    packet_id: int
    filters: tuple[str, ...]
    properties: Properties = NONE


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class SubAck:
    """SUBACK or UNSUBACK, by its type; the reasons are in the order of the filters."""

    packet_type: PacketType
    packet_id: int
    reasons: tuple[ReasonCode, ...]
    properties: Properties = NONE


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Ping:
    """PINGREQ or PINGRESP, by its type."""

    packet_type: PacketType


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Disconnect:
    """DISCONNECT."""

    reason: ReasonCode = ReasonCode.SUCCESS
    properties: Properties = NONE


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Auth:
    """AUTH."""

    reason: ReasonCode = ReasonCode.SUCCESS
    properties: Properties = NONE


Packet: TypeAlias = (
    Connect | ConnAck | Publish | Ack | Subscribe | SubAck | Unsubscribe | Ping | Disconnect | Auth
)
