"""What a client publishes: to the exchange of all topics, and if it is retained to the queue of its topic."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.authorization import Target
from lastvalue.broker.not_leader import NotLeaderError
from lastvalue.broker.routing.nodes import Node
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.message_shape import MessageShape, ShapeLearner
from lastvalue.codec.mqtt.packet_types import LEVEL_5, PacketType
from lastvalue.codec.mqtt.packets import Publish, Will
from lastvalue.codec.mqtt.properties import NONE
from lastvalue.codec.mqtt.topic_keys import EXCHANGE
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
from lastvalue.frontends.mqtt.message_heads import MessageHead, TopicRoute
from lastvalue.frontends.mqtt.retained_queues import RetainedQueue
from lastvalue.frontends.mqtt.session import Session
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message
from lastvalue.protocols.mqtt.connection import Connection
from lastvalue.protocols.mqtt.options import Options
from lastvalue.protocols.sasl import Authenticator

_PUBACK: Final = PacketType.PUBACK
_PUBREC: Final = PacketType.PUBREC


@final
class ClientProducer(Producer):
    """Publishes what a client sends, and its will; it stops the client by reading nothing.

    Attributes:
        heads: of messages.
        shapes: of its messages whose heads are not kept.
    """

    __slots__ = ("_exchange", "_joined", "_node", "_state", "heads", "shapes")

    def __init__(self, state: MqttConnectionState) -> None:
        super().__init__(state.broker, state.owner(), state.output)
        self.heads = state.shared.heads
        self.shapes = ShapeLearner()
        self._state = state
        self._joined = False
        self._exchange = state.broker.exchanges.find(EXCHANGE)
        self._node = Node(EXCHANGE, None, self._exchange)

    def target(self) -> Target:
        """The right to publish to the exchange of all topics.

        Raises:
            NotPermittedError: the client may not.
        """
        self.join()
        return self.targets.of(self._node)

    def join(self) -> None:
        """Let the broker's gates stop the client, also before its first message."""
        if not self._joined:
            self._joined = True
            self.join_gates()
            self.regulate()

    # ------------------------------------------------------------------ where messages go

    def route_of(self, head: MessageHead) -> TopicRoute:
        """Where messages with a head go at the exchange."""
        changes = self.broker.exchanges.changes
        route = head.route
        if route is None or head.changes != changes:
            route = self.heads.route_of(head, self.broker.router, self._exchange, changes)
        return route

    def is_for_nobody(self, head: MessageHead, publish: Publish) -> bool:
        """Whether nothing becomes of a message; then it is counted.

        Raises:
            NotPermittedError: the client may not publish it.
        """
        if head.retained is not None or publish.qos > 1 or publish.properties is not NONE:
            # It is to be remembered, or may be refused.
            return False
        if self.route_of(head).has_queues:
            return False
        self.target().check()
        self._exchange.received += 1
        self._exchange.unrouted += 1
        return True

    def is_only_kept(self, head: MessageHead, publish: Publish) -> bool:
        """Whether a retained message goes to the queue of its topic alone."""
        if len(publish.payload) == 0:
            return False
        route = self.route_of(head)
        watchers = self._state.shared.watchers
        if route.watch_changes != watchers.changes:
            queues = route.known.queues
            route.only_kept = queues is not None and watchers.have_all(queues, head.topic)
            route.watch_changes = watchers.changes
        return route.only_kept

    def kept_target(self, retained: RetainedQueue) -> Target:
        """The right to publish to the queue of a topic.

        Raises:
            LastvalueError: the client may not, or there is no such queue.
        """
        self.target().check()
        hosted = self._state.shared.retained.hosted(retained)
        return self.targets.of(Node(hosted.queue.spec.name, hosted))

    def count_kept(self, count: i64) -> None:
        """Count messages that went past the exchange to the queue of their topic."""
        self._exchange.received += int(count)
        self.broker.exchanges.work.spend(count)

    def retain(self, retained: RetainedQueue, key: str, message: Message, topic: str, now: i64) -> bool:
        """Publish a retained message to the exchange and to the queue of its topic, or to neither.

        Returns whether the topic has subscribers.

        Raises:
            LastvalueError: one of them does not take it.
        """
        kept = self.kept_target(retained)
        kept.check()
        hosted = kept.taker()
        fault = self.broker.alarms.fault
        if fault is not None and hosted.queue.spec.durable:
            raise fault.with_traceback(None)
        plan = self.broker.router.plan(self._node, key, message)
        has_subscribers = len(plan.queues) > 0
        plan.queues = self._state.shared.watchers.others(plan.queues, topic, message)
        plan.queues.append(hosted)
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
    """PUBLISHes that came together, or a will: then `session` is None, and nobody hears what becomes of it.

    Attributes:
        at: the place of the message at which it stands.
        ends: the connection ends with a message that is refused, and what follows it is not published.
    """

    __slots__ = (
        "_has_queues", "_head", "_is_remembered", "_kept", "_producer", "_publishes", "_session", "_state",
        "at", "ends",
    )  # fmt: skip

    def __init__(
        self,
        producer: ClientProducer,
        state: MqttConnectionState,
        session: Session | None,
        publishes: list[Publish],
        now: i64,
    ) -> None:
        super().__init__(now, producer.sender, None)
        self._producer = producer
        self._state = state
        self._session = session
        self._publishes = publishes
        self.at: i64 = 0
        self.ends = False
        self._head: MessageHead | None = None
        # The queue of its topic, if the message goes to that alone.
        self._kept: RetainedQueue | None = None
        self._has_queues = True
        # Whether it is to be published once only.
        self._is_remembered = False

    def read(self) -> Message | None:
        """See ProducerRun; messages of which nothing becomes are passed.

        Raises:
            LastvalueError: the topic has too many levels, the payload is not what it says, or the client may
                not publish.
        """
        producer = self._producer
        while not self.over:
            publish = self._publishes[self.at]
            if self._is_known(publish):
                self._go_past(publish, TAKEN)
            else:
                head = self._head = producer.heads.of(publish, self.arrival_ms)
                if not producer.is_for_nobody(head, publish):
                    self.key = head.key
                    return self._read(head, publish)
                self._go_past(publish, TAKEN_BY_NOBODY)
            self.received += 1
        return None

    def _is_known(self, publish: Publish) -> bool:
        """[MQTT-4.3.3-10] Whether a message was published when it came first."""
        session = self._session
        return publish.qos == 2 and session is not None and int(publish.packet_id) in session.received

    def _read(self, head: MessageHead, publish: Publish) -> Message:
        payload = publish.payload
        encoded = head.message(payload)
        shape = head.shape_of(payload)
        if shape is None and head.learns:
            shape = self._producer.heads.learn(head, publish, read_message(encoded))
        if shape is None:
            shape = self._producer.shapes.shape
            if shape is None or not shape.fits(encoded):
                message = read_message(encoded)
                self.shape = self._producer.shapes.learn(message)
                return message
        self.shape = shape
        return shape.message(encoded)

    def destination(self, message: Message) -> Target | None:
        """See ProducerRun.

        Raises:
            LastvalueError: the client may not publish there; of a retained message also that it is not taken.
        """
        producer, publish, head = self._producer, self._publishes[self.at], self._head
        self._kept = None
        self._has_queues = True
        target = producer.target()
        self._is_remembered = publish.qos == 2
        if self._is_remembered and self._session is not None:
            self._session.need_received(self.arrival_ms)
        if head is None:
            return target
        retained = head.retained
        if retained is None:
            self.route = producer.route_of(head).known
            return target
        if producer.is_only_kept(head, publish):
            self._kept = retained
            self._has_queues = producer.route_of(head).has_queues
            return producer.kept_target(retained)
        self._has_queues = producer.retain(retained, self.key, message, publish.topic, self.arrival_ms)
        self.pass_by()
        self.take(message, 1, True)
        return None

    def goes_along(self) -> bool:
        """See ProducerRun."""
        head = self._head
        return head is not None and self._goes_with(head, self._publishes[self.at])

    def _goes_with(self, head: MessageHead, publish: Publish) -> bool:
        """Whether a message goes where the one before went, and is remembered as that."""
        producer, kept = self._producer, self._kept
        if (publish.qos == 2) is not self._is_remembered:
            return False
        if kept is not None:
            return (
                head.retained is kept
                and producer.is_only_kept(head, publish)
                and producer.route_of(head).has_queues == self._has_queues
            )
        if self.route is None or head.retained is not None:
            return False
        known = producer.route_of(head).known
        return known is self.route or known.takers() == self.route.takers()

    def gather(self, shape: MessageShape, encodings: list[bytes]) -> None:
        """See ProducerRun."""
        publishes = self._publishes
        size: i64 = len(publishes)
        at = self.at + 1
        while at < size:
            publish = publishes[at]
            head = self._producer.heads.find(publish)
            if head is None or head.shape_of(publish.payload) is not shape:
                break
            if not self._goes_with(head, publish) or (publish.qos == 2 and self._may_be_known(at)):
                break
            try:
                encodings.append(head.message(publish.payload))
            except LastvalueError:
                # It is refused when it is read.
                break
            at += 1

    def _may_be_known(self, at: i64) -> bool:
        """Whether a message may have been published before, also by those before it in the run."""
        publish = self._publishes[at]
        return self._is_known(publish) or publish.packet_id <= self._publishes[at - 1].packet_id

    def take(self, message: Message, count: i64, durable: bool) -> None:
        """See ProducerRun."""
        del message, durable
        session = self._session
        if self._kept is not None:
            self._producer.count_kept(count)
        if self._publishes[self.at].qos == 0:
            # So are all that are taken with it.
            self.at += count
            self.over = self.at == len(self._publishes)
            return
        result = TAKEN if self._has_queues else TAKEN_BY_NOBODY
        while count > 0:
            publish = self._publishes[self.at]
            if publish.qos == 2 and session is not None:
                session.received.add(publish.packet_id, self.arrival_ms)
            self._go_past(publish, result)
            count -= 1

    def _go_past(self, publish: Publish, result: Result) -> None:
        """Answer a message once the journal has what it did: answers come in the order of the messages."""
        self.at += 1
        self.over = self.at == len(self._publishes)
        if publish.qos > 0 and self._session is not None:
            packet_type = _PUBACK if publish.qos == 1 else _PUBREC
            self._state.confirmations.add(packet_type, publish.packet_id, result, True)

    def refuse(self, error: LastvalueError) -> bool:
        """See ProducerRun.

        MQTT 3.1.1 has no refusal: the connection ends if the message is to be answered, so that its client
        does not take it for stored.
        """
        publish = self._publishes[self.at]
        reason, text, engine = reason_of(error), str(error), self._state.engine
        # Where all of what the client wants to change is.
        leader = error.host if isinstance(error, NotLeaderError) else None
        if leader is not None or (self._session is not None and publish.qos > 0 and engine.level < LEVEL_5):
            self.over = self.ends = True
            engine.disconnect(reason, text, leader or "")
            return False
        self._go_past(publish, Result(reason, text))
        return True

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
    producer.give(PublishRun(producer, state, None, [message], now), now)
    producer.close()
    context.memory.close()


def _nothing() -> None:
    pass


def _everybody(user: str) -> str | None:
    del user
    return None
