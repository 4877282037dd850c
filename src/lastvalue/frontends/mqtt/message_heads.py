"""What the messages of a topic have in common: the sections before their bodies, and where they go."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.routing.patterns import MAX_WORDS
from lastvalue.codec.amqp10.message import EncodedMessage
from lastvalue.codec.amqp10.message_shape import MessageShape, message_shape
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.message_decoder import LARGE_BODY, message_head
from lastvalue.codec.mqtt.packets import Publish
from lastvalue.codec.mqtt.properties import NONE
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.codec.mqtt.topic_keys import EXCHANGE, topic_key
from lastvalue.frontends.mqtt.retained_queues import RetainedQueue, RetainedQueues

_EXCHANGE: Final = EXCHANGE.encode()
MOST_HEADS: Final = 1 << 14
_KINDS: Final = 6
"""Three QoS, retained or not."""
_MOST_SHAPES: Final = 1024
_MOST_TOPIC: Final = 256
"""The characters of the longest topic whose heads are kept."""
UNKNOWN: Final = -1


@final
class MessageHead:
    """What messages of a topic with one QoS, all of them retained or none, have in common.

    Attributes:
        topic: of the messages.
        key: the routing key.
        octets: the sections before the body.
        retained: the queue of the topic, if the messages are retained.
        is_kept: it is used for further messages.
        queues: `Router.queues_of` the key, when the exchanges had these `changes`, or UNKNOWN.
        only_kept: messages with a payload go to the queue of the topic alone, as all of these queues'
            sessions watch that; so it was when `Watchers` had `watch_changes`.
    """

    __slots__ = (
        "_large", "_shapeless", "_small", "changes", "is_kept", "key", "octets", "only_kept", "queues",
        "retained", "topic", "watch_changes",
    )  # fmt: skip

    def __init__(self, topic: str, octets: bytes, retained: RetainedQueue | None) -> None:
        self.topic = topic
        self.key = topic_key(topic)
        self.octets = octets
        self.retained = retained
        self.is_kept = False
        self.queues: list[HostedQueue] | None = None
        self.changes: i64 = UNKNOWN
        self.only_kept = False
        self.watch_changes: i64 = UNKNOWN
        self._small: MessageShape | None = None
        self._large: MessageShape | None = None
        self._shapeless = False

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
    """The heads of messages without properties, which connections share: most topics come again.

    Args:
        retained: the queues of retained messages.
    """

    __slots__ = ("_changes", "_count", "_kinds", "_retained", "_routed", "_shapes")

    def __init__(self, retained: RetainedQueues) -> None:
        self._retained = retained
        # By QoS and retain, and by topic.
        self._kinds: list[dict[str, MessageHead]] = [{} for _ in range(_KINDS)]
        self._count: i64 = 0
        # Of the heads that differ in nothing but the letters of their topics.
        self._shapes: dict[tuple[int, int, bool], MessageShape] = {}
        # Those that have queues, as of these changes of the exchanges.
        self._routed: list[MessageHead] = []
        self._changes: i64 = UNKNOWN

    def find(self, publish: Publish) -> MessageHead | None:
        """The head of a message, if it is kept already."""
        if publish.properties is not NONE:
            return None
        return self._kinds[publish.qos + 3 if publish.retain else publish.qos].get(publish.topic)

    def of(self, publish: Publish, now: i64) -> MessageHead:
        """The head of a message.

        Raises:
            MqttError: its topic has too many levels.
        """
        head = self.find(publish)
        if head is None:
            head = self._made(publish, now)
            if publish.properties is NONE and len(publish.topic) <= _MOST_TOPIC:
                if self._count >= MOST_HEADS:
                    self._count = 0
                    self._kinds = [{} for _ in range(_KINDS)]
                self._count += 1
                head.is_kept = True
                self._kinds[publish.qos + 3 if publish.retain else publish.qos][publish.topic] = head
        return head

    def keep_route(self, head: MessageHead, queues: list[HostedQueue] | None, changes: i64) -> None:
        """Keep where the messages of a head go, as of these changes of the exchanges.

        What was kept before them is forgotten: it may have queues that are gone.
        """
        if changes != self._changes:
            for each in self._routed:
                each.queues = None
                each.changes = UNKNOWN
            self._routed = []
            self._changes = changes
        head.queues = queues
        head.changes = changes
        if queues and head.is_kept:
            self._routed.append(head)

    def _made(self, publish: Publish, now: i64) -> MessageHead:
        topic = publish.topic
        levels = topic.split("/")
        if len(levels) > MAX_WORDS:
            raise MqttError(ReasonCode.TOPIC_NAME_INVALID, f"a topic has at most {MAX_WORDS} levels")
        retained = self._retained.of(levels) if publish.retain else None
        keys = None if retained is None else retained.properties_of(topic, levels)
        place = (_EXCHANGE, topic_key(topic).encode())
        octets = message_head(place, int(publish.qos), keys, publish.properties, now)
        return MessageHead(topic, octets, retained)

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
