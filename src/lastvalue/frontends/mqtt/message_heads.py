"""What the messages of a topic have in common: the sections before their bodies, and where they go."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.routing.exchanges import Exchange
from lastvalue.broker.routing.known_routes import KnownRoute
from lastvalue.broker.routing.patterns import MAX_WORDS
from lastvalue.broker.routing.router import Router
from lastvalue.codec.amqp10.message import EncodedMessage
from lastvalue.codec.amqp10.message_shape import MessageShape, message_shape
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.message_decoder import (
    LARGE_BODY,
    MOST_TTL_S,
    body_start,
    message_body,
    message_head,
)
from lastvalue.codec.mqtt.packets import Publish
from lastvalue.codec.mqtt.properties import NONE, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.codec.mqtt.topic_keys import EXCHANGE, RESERVED, topic_key
from lastvalue.frontends.mqtt.retained_queues import RetainedQueue, RetainedQueues

_EXCHANGE: Final = EXCHANGE.encode()
_MOST_ROUTES: Final = 1 << 14
_MOST_OTHERS: Final = 1 << 10
_KINDS: Final = 6
"""Three QoS, retained or not."""
_MOST_SHAPES: Final = 1024
UNKNOWN: Final = -1


@final
class TopicRoute:
    """Where messages of some topics go, which the same subscriptions are for.

    Attributes:
        known: the queues that get those that are not retained.
        has_queues: there may be some.
        only_kept: retained ones with a payload go to the queue of their topic alone, as the sessions of all
            queues watch that; so it was when `Watchers` had `watch_changes`.
    """

    __slots__ = ("has_queues", "known", "only_kept", "watch_changes")

    def __init__(self, known: KnownRoute) -> None:
        self.known = known
        self.has_queues = known.queues is None or len(known.queues) > 0
        self.only_kept = False
        self.watch_changes: i64 = UNKNOWN


@final
class MessageHead:
    """What messages of a topic with one QoS, all of them retained or none, have in common.

    Attributes:
        topic: of the messages.
        key: the routing key.
        octets: the sections before the body.
        retained: the queue of the topic, if the messages are retained.
        is_kept: it is used for further messages.
        route: where they go, when the exchanges had these `changes`, or UNKNOWN.
    """

    __slots__ = (
        "_is_text", "_large", "_shapeless", "_small", "_start", "_start_bytes", "changes", "is_kept", "key",
        "octets", "retained", "route", "topic",
    )  # fmt: skip

    def __init__(
        self, topic: str, octets: bytes, retained: RetainedQueue | None, is_text: bool = False
    ) -> None:
        self.topic = topic
        self._is_text = is_text
        self.key = topic_key(topic)
        self.octets = octets
        self.retained = retained
        self.is_kept = False
        self.route: TopicRoute | None = None
        self.changes: i64 = UNKNOWN
        # The octets before a payload of this many bytes.
        self._start = octets
        self._start_bytes: i64 = UNKNOWN
        self._small: MessageShape | None = None
        self._large: MessageShape | None = None
        self._shapeless = False

    def message(self, payload: bytes) -> bytes:
        """The message with a payload.

        Raises:
            MqttError: the payload is said to be text, and is none.
        """
        if self._is_text:
            return self.octets + message_body(payload, True)
        size: i64 = len(payload)
        if size != self._start_bytes:
            self._start_bytes = size
            self._start = self.octets + body_start(size)
        return self._start + payload

    def shape_of(self, payload: bytes) -> MessageShape | None:
        """The shape of its messages with such a payload, if it is known."""
        return self._small if len(payload) < LARGE_BODY else self._large

    @property
    def learns(self) -> bool:
        """Whether its shapes are to be learnt from its messages."""
        return self.is_kept and not self._shapeless

    def learn(self, payload: bytes, shape: MessageShape | None) -> None:
        """Its messages with such a payload have this shape, or none."""
        if shape is None:
            self._shapeless = True
        elif len(payload) < LARGE_BODY:
            self._small = shape
        else:
            self._large = shape


@final
class MessageHeads:
    """The heads of messages, which connections share: most topics come again, some with the same properties.

    Args:
        retained: the queues of retained messages.
    """

    __slots__ = ("_changes", "_others", "_retained", "_routes", "_shapes")

    def __init__(self, retained: RetainedQueues) -> None:
        self._retained = retained
        # Those with properties, by kind, topic and the octets of the properties; others are kept with names.
        self._others: dict[tuple[int, str, bytes], MessageHead] = {}
        # Of the heads that differ in nothing but the letters of their topics.
        self._shapes: dict[tuple[int, int, bool], MessageShape] = {}
        self._routes: dict[object, TopicRoute] = {}
        self._changes: i64 = UNKNOWN

    def find(self, publish: Publish) -> MessageHead | None:
        """The head of a message, if it is kept already."""
        kind = publish.qos + 3 if publish.retain else publish.qos
        properties = publish.properties
        if properties is NONE:
            name = publish.name
            kept = None if name is None else name.kept
            head = None if kept is None else kept[kind]
            return head if isinstance(head, MessageHead) else None
        encoded = properties.encoded
        return self._others.get((int(kind), publish.topic, encoded)) if encoded else None

    def of(self, publish: Publish, now: i64) -> MessageHead:
        """The head of a message.

        Raises:
            MqttError: its topic has too many levels.
        """
        head = self.find(publish)
        if head is None:
            head = self._made(publish, now)
            kind = publish.qos + 3 if publish.retain else publish.qos
            name, properties = publish.name, publish.properties
            if name is None:
                return head
            if properties is NONE:
                head.is_kept = True
                if name.kept is None:
                    name.kept = [None] * _KINDS
                name.kept[kind] = head
            elif properties.encoded and properties.number(PropertyId.MESSAGE_EXPIRY_S) <= MOST_TTL_S:
                if len(self._others) >= _MOST_OTHERS:
                    self._others = {}
                head.is_kept = True
                self._others[int(kind), publish.topic, properties.encoded] = head
        return head

    def route_of(self, head: MessageHead, router: Router, exchange: Exchange, changes: i64) -> TopicRoute:
        """Where the messages of a head go, as of these changes of the exchanges."""
        if changes != self._changes or len(self._routes) >= _MOST_ROUTES:
            self._routes = {}
            self._changes = changes
        known = router.route_of(exchange, head.key)
        # [MQTT-4.7.2-1] Filters with the same pattern may not be for the same topics of the server.
        place: object = head.key if head.topic.startswith(RESERVED) else known
        route = self._routes.get(place)
        if route is None:
            route = self._routes[place] = TopicRoute(known)
        head.route = route
        head.changes = changes
        return route

    def _made(self, publish: Publish, now: i64) -> MessageHead:
        topic = publish.topic
        levels = topic.split("/")
        if len(levels) > MAX_WORDS:
            raise MqttError(ReasonCode.TOPIC_NAME_INVALID, f"a topic has at most {MAX_WORDS} levels")
        retained = self._retained.of(levels) if publish.retain else None
        keys = None if retained is None else retained.properties_of(topic, levels)
        place = (_EXCHANGE, topic_key(topic).encode())
        octets = message_head(place, int(publish.qos), keys, publish.properties, now)
        is_text = publish.properties.number(PropertyId.PAYLOAD_FORMAT) == 1
        return MessageHead(topic, octets, retained, is_text)

    def learn(self, head: MessageHead, publish: Publish, message: EncodedMessage) -> MessageShape | None:
        """The shape of the message of a kept head, which its further ones have, too; None if it has none."""
        kind = int(publish.qos + 3 if publish.retain else publish.qos)
        name = (kind, len(head.octets), len(publish.payload) < LARGE_BODY)
        shape = self._shapes.get(name)
        if shape is None or not shape.fits(message.encoded):
            shape = message_shape(message)
            if shape is not None:
                if len(self._shapes) >= _MOST_SHAPES:
                    self._shapes = {}
                self._shapes[name] = shape
        head.learn(publish.payload, shape)
        return shape
