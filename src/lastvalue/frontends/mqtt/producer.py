"""What a client publishes: to the exchange of all topics, and if it is retained to the queue of its topic."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.authorization import Target
from lastvalue.broker.not_leader import NotLeaderError
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.routing.patterns import MAX_WORDS
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.message_decoder import message_body, message_head
from lastvalue.codec.mqtt.packet_types import LEVEL_5, PacketType
from lastvalue.codec.mqtt.packets import Publish
from lastvalue.codec.mqtt.properties import PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.codec.mqtt.topic_keys import EXCHANGE, topic_key
from lastvalue.delivery.producer import Producer, StopCause
from lastvalue.delivery.producer_run import ProducerRun
from lastvalue.frontends.mqtt.connection_state import (
    TAKEN,
    TAKEN_BY_NOBODY,
    MqttConnectionState,
    Result,
    reason_of,
)
from lastvalue.frontends.mqtt.session import Session
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message

_WITHOUT_ROOM: Final = (StopCause.MEMORY, StopCause.STORE, StopCause.STORE_FAULT)
_EXCHANGE: Final = EXCHANGE.encode()
_ANSWERS: Final = {1: PacketType.PUBACK, 2: PacketType.PUBREC}


@final
class ClientProducer(Producer):
    """Publishes what a client sends, and its will; it stops the client by reading nothing."""

    __slots__ = ("_joined", "_node", "_state")

    def __init__(self, state: MqttConnectionState) -> None:
        super().__init__(state.broker, state.owner(), state.output)
        self._state = state
        self._joined = False
        self._node = Node(EXCHANGE, None, state.broker.exchanges.find(EXCHANGE))

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

    def retain(self, key: str, message: Message, levels: list[str], now: i64) -> None:
        """Publish a retained message to the exchange and to the queue of its topic, or to neither.

        Raises:
            LastvalueError: one of them does not take it.
        """
        retained = self._state.shared.retained
        hosted = retained.hosted(retained.of(levels))
        target = self.target()
        kept = self.targets.of(Node(hosted.queue.spec.name, hosted))
        fault = self.broker.alarms.fault
        if fault is not None and hosted.queue.spec.durable:
            raise fault.with_traceback(None)
        transaction = Transaction(self._state.memory)
        try:
            transaction.post(kept, key, message, now)
            transaction.post(target, key, message, now)
        except LastvalueError:
            transaction.clear()
            raise
        self.broker.commit(transaction, now)
        if hosted.queue.spec.durable and not self.durable:
            self.durable = True
            self.regulated = True

    def regulate(self) -> None:
        """See Producer: the client is not read while there is no room, as MQTT cannot ask it to wait."""
        self.regulated = False
        self._state.stop_reading(self, self.stopped_by() in _WITHOUT_ROOM)

    def close(self) -> None:
        """The connection is over."""
        self.stop()
        self._state.stop_reading(self, False)


@final
class PublishRun(ProducerRun):
    """A PUBLISH, or a will: `session` is None, and nobody hears what becomes of it."""

    __slots__ = (
        "_has_queues", "_levels", "_producer", "_publish", "_session", "_state"
    )  # fmt: skip

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
        self._levels: list[str] = []
        self._has_queues = True

    def read(self) -> Message | None:
        """See ProducerRun.

        Raises:
            MqttError: its topic has too many levels, or its payload is not what it says.
        """
        publish = self._publish
        topic = publish.topic
        session = self._session
        if publish.qos == 2 and session is not None and publish.packet_id in session.received:
            # [MQTT-4.3.3-10] It was published when it came first.
            self.received += 1
            self._answer(TAKEN)
            return None
        self.key = topic_key(topic)
        if topic.count("/") >= MAX_WORDS:
            raise MqttError(ReasonCode.TOPIC_NAME_INVALID, f"a topic has at most {MAX_WORDS} levels")
        keys: list[tuple[str, str]] | None = None
        if publish.retain:
            self._levels = topic.split("/")
            keys = self._state.shared.retained.of(self._levels).properties_of(topic, self._levels)
        properties = publish.properties
        place = (_EXCHANGE, self.key.encode())
        head = message_head(place, int(publish.qos), keys, properties, self.arrival_ms)
        is_text = properties.number(PropertyId.PAYLOAD_FORMAT) == 1
        return read_message(head + message_body(publish.payload, is_text))

    def destination(self, message: Message) -> Target | None:
        """See ProducerRun.

        Raises:
            LastvalueError: the client may not publish there; of a retained message also that it is not taken.
        """
        publish = self._publish
        target = self._producer.target()
        if publish.qos == 2 and self._session is not None:
            self._session.need_received(self.arrival_ms)
        if not publish.retain:
            return target
        self._producer.retain(self.key, message, self._levels, self.arrival_ms)
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
        reason = reason_of(error)
        if isinstance(error, NotLeaderError):
            # All of what the client wants to change is elsewhere.
            self.over = True
            self._state.engine.disconnect(reason, str(error), error.host)
            return False
        if self._session is not None and self._publish.qos > 0 and self._state.engine.level < LEVEL_5:
            self.over = True
            self._state.engine.disconnect(reason, str(error))
            return False
        self._answer(Result(reason, str(error)))
        return False

    def unroutable(self, rejected: bool) -> LastvalueError | None:
        """See ProducerRun."""
        del rejected
        self._has_queues = False
        return None
