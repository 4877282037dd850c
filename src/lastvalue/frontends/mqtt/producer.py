"""What a client publishes: to the exchange of all topics, and if it is retained to the queue of its topic."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.authorization import Target
from lastvalue.broker.not_leader import NotLeaderError
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.routing.patterns import MAX_WORDS
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.message_shape import ShapeLearner
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.message_decoder import message_body, message_head
from lastvalue.codec.mqtt.packet_types import LEVEL_5, PacketType
from lastvalue.codec.mqtt.packets import Publish, Will
from lastvalue.codec.mqtt.properties import NONE, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.codec.mqtt.topic_keys import EXCHANGE, topic_key
from lastvalue.delivery.producer import WITHOUT_ROOM, Producer, refusal
from lastvalue.delivery.producer_run import ProducerRun
from lastvalue.delivery.protocol_connection import ConnectionContext
from lastvalue.frontends.mqtt.broker_state import BrokerState
from lastvalue.frontends.mqtt.connection_state import (
    TAKEN,
    TAKEN_BY_NOBODY,
    MqttConnectionState,
    Result,
    reason_of,
)
from lastvalue.frontends.mqtt.retained_forwarder import not_watching
from lastvalue.frontends.mqtt.retained_queues import RetainedQueue
from lastvalue.frontends.mqtt.session import Session
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message
from lastvalue.protocols.mqtt.connection import Connection
from lastvalue.protocols.mqtt.options import Options
from lastvalue.protocols.sasl import Authenticator

_EXCHANGE: Final = EXCHANGE.encode()
_MOST_HEADS: Final = 1000
_ANSWERS: Final = {1: PacketType.PUBACK, 2: PacketType.PUBREC}


@final
class _Head:
    """What messages of a topic have before their bodies.

    Attributes:
        key: the routing key.
        octets: the sections.
        retained: the queue of the topic, if the messages are retained.
    """

    __slots__ = ("key", "octets", "retained")

    def __init__(self, key: str, octets: bytes, retained: RetainedQueue | None) -> None:
        self.key = key
        self.octets = octets
        self.retained = retained


@final
class ClientProducer(Producer):
    """Publishes what a client sends, and its will; it stops the client by reading nothing.

    Attributes:
        shapes: of its messages.
    """

    __slots__ = ("_heads", "_joined", "_node", "_state", "shapes")

    def __init__(self, state: MqttConnectionState) -> None:
        super().__init__(state.broker, state.owner(), state.output)
        self.shapes = ShapeLearner()
        self._state = state
        self._joined = False
        self._node = Node(EXCHANGE, None, state.broker.exchanges.find(EXCHANGE))
        # By topic, QoS and retain, of messages without properties: most come again.
        self._heads: dict[tuple[str, int, bool], _Head] = {}

    def target(self) -> Target:
        """The right to publish to the exchange of all topics.

        Raises:
            NotPermittedError: the client may not.
        """
        if not self._joined:
            self._joined = True
            self.join_gates()
            self.regulate()
        return self.targets.of(self._node)

    def head_of(self, publish: Publish, now: i64) -> _Head:
        """What a message has before its body.

        Raises:
            MqttError: its topic has too many levels.
        """
        if publish.properties is not NONE:
            return self._made_head(publish, now)
        name = (publish.topic, int(publish.qos), publish.retain)
        head = self._heads.get(name)
        if head is None:
            head = self._made_head(publish, now)
            if len(self._heads) >= _MOST_HEADS:
                self._heads = {}
            self._heads[name] = head
        return head

    def _made_head(self, publish: Publish, now: i64) -> _Head:
        topic = publish.topic
        levels = topic.split("/")
        if len(levels) > MAX_WORDS:
            raise MqttError(ReasonCode.TOPIC_NAME_INVALID, f"a topic has at most {MAX_WORDS} levels")
        retained = self._state.shared.retained.of(levels) if publish.retain else None
        keys = None if retained is None else retained.properties_of(topic, levels)
        key = topic_key(topic)
        place = (_EXCHANGE, key.encode())
        octets = message_head(place, int(publish.qos), keys, publish.properties, now)
        return _Head(key, octets, retained)

    def retain(self, retained: RetainedQueue, key: str, message: Message, topic: str, now: i64) -> bool:
        """Publish a retained message to the exchange and to the queue of its topic, or to neither.

        Returns whether the topic has subscribers.

        Raises:
            LastvalueError: one of them does not take it.
        """
        target = self.target()
        hosted = self._state.shared.retained.hosted(retained)
        self.targets.of(Node(hosted.queue.spec.name, hosted)).check()
        fault = self.broker.alarms.fault
        if fault is not None and hosted.queue.spec.durable:
            raise fault.with_traceback(None)
        plan = self.broker.router.plan(target.node, key, message)
        has_subscribers = len(plan.queues) > 0
        plan.queues = not_watching(plan.queues, topic, message, self._state.shared.watchers)
        plan.queues.append(hosted.taker())
        routed = self.broker.router.carry_out(plan, now)
        error = refusal(routed)
        if error is not None:
            raise error
        self.note_queues(routed)
        return has_subscribers

    def regulate(self) -> None:
        """See Producer: the client is not read while there is no room, as MQTT cannot ask it to wait."""
        self.regulated = False
        self._pause(self.stopped_by() in WITHOUT_ROOM)

    def close(self) -> None:
        """The connection is over."""
        self.stop()
        self._pause(False)

    def _pause(self, pauses: bool) -> None:
        self._state.engine.reading_paused = pauses
        self.output.schedule_write()


@final
class PublishRun(ProducerRun):
    """A PUBLISH, or a will: `session` is None, and nobody hears what becomes of it."""

    __slots__ = ("_has_queues", "_head", "_producer", "_publish", "_session", "_state")

    def __init__(
        self,
        producer: ClientProducer,
        state: MqttConnectionState,
        session: Session | None,
        publish: Publish,
        now: i64,
    ) -> None:
        super().__init__(now, producer.sender, None)
        self._producer = producer
        self._state = state
        self._session = session
        self._publish = publish
        self._head: _Head | None = None
        self._has_queues = True

    def read(self) -> Message | None:
        """See ProducerRun.

        Raises:
            MqttError: its topic has too many levels, or its payload is not what it says.
        """
        publish = self._publish
        session = self._session
        if publish.qos == 2 and session is not None and publish.packet_id in session.received:
            # [MQTT-4.3.3-10] It was published when it came first.
            self.received += 1
            self._answer(TAKEN)
            return None
        producer = self._producer
        head = self._head = producer.head_of(publish, self.arrival_ms)
        self.key = head.key
        is_text = publish.properties.number(PropertyId.PAYLOAD_FORMAT) == 1
        encoded = head.octets + message_body(publish.payload, is_text)
        shape = producer.shapes.shape
        if shape is not None and shape.fits(encoded):
            self.shape = shape
            return shape.message(encoded)
        message = read_message(encoded)
        self.shape = producer.shapes.learn(message)
        return message

    def destination(self, message: Message) -> Target | None:
        """See ProducerRun.

        Raises:
            LastvalueError: the client may not publish there; of a retained message also that it is not taken.
        """
        publish = self._publish
        target = self._producer.target()
        if publish.qos == 2 and self._session is not None:
            self._session.need_received(self.arrival_ms)
        retained = None if self._head is None else self._head.retained
        if retained is None:
            return target
        self._has_queues = self._producer.retain(retained, self.key, message, publish.topic, self.arrival_ms)
        self.pass_by()
        self._take()
        return None

    def goes_along(self) -> bool:
        """See ProducerRun: it is alone."""
        return False

    def take(self, message: Message, count: i64, durable: bool) -> None:
        """See ProducerRun."""
        del message, count, durable
        self._take()

    def _take(self) -> None:
        if self._publish.qos == 2 and self._session is not None:
            self._session.received.add(self._publish.packet_id, self.arrival_ms)
        self._answer(TAKEN if self._has_queues else TAKEN_BY_NOBODY)

    def _answer(self, result: Result) -> None:
        """Answer it once the journal has what it did: answers come in the order of the messages."""
        self.over = True
        packet_type = _ANSWERS.get(int(self._publish.qos))
        if packet_type is not None and self._session is not None:
            self._state.confirmations.add(packet_type, self._publish.packet_id, result, True)

    def refuse(self, error: LastvalueError) -> bool:
        """See ProducerRun.

        MQTT 3.1.1 has no refusal: the connection ends if the message is to be answered, so that its client
        does not take it for stored.
        """
        reason, text, engine = reason_of(error), str(error), self._state.engine
        # Where all of what the client wants to change is.
        leader = error.host if isinstance(error, NotLeaderError) else None
        if leader is not None or (
            self._session is not None and self._publish.qos > 0 and engine.level < LEVEL_5
        ):
            self.over = True
            engine.disconnect(reason, text, leader or "")
        else:
            self._answer(Result(reason, text))
        return False

    def unroutable(self, rejected: bool) -> LastvalueError | None:
        """See ProducerRun."""
        del rejected
        self._has_queues = False
        return None


def publish_will(shared: BrokerState, user: str, client_id: str, will: Will, now: i64) -> None:
    """Publish the will of a user's client, whose connection may be gone since before a restart."""
    context = ConnectionContext(shared.broker, Authenticator(), _nothing, _everybody)
    engine = Connection(Options(), context.authenticator, now)
    engine.identity = user
    state = MqttConnectionState(context, engine, shared)
    state.client_id = client_id
    message = Publish(will.topic, will.payload, will.qos, 0, will.properties)
    message.retain = will.retain
    producer = ClientProducer(state)
    # It comes whatever the turn has routed before.
    shared.broker.exchanges.work.begin()
    producer.give(PublishRun(producer, state, None, message, now), now)
    producer.close()
    context.memory.close()


def _nothing() -> None:
    pass


def _everybody(user: str) -> str | None:
    del user
    return None
