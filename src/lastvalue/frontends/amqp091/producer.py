"""The publishing side of one channel: plain, with confirms, or in transactions."""

from typing import Final, final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.broker.authorization import Target
from lastvalue.broker.exchange_spec import ExchangeType
from lastvalue.broker.exchanges import Exchange
from lastvalue.broker.nodes import Node
from lastvalue.broker.router import RoutingResult
from lastvalue.broker.transactions import Transaction
from lastvalue.broker.verbs import Verb
from lastvalue.codec.amqp091.errors import NO_CONSUMERS, NO_ROUTE, NOT_IMPLEMENTED, ReplyError
from lastvalue.codec.amqp091.message_decoder import decode_message
from lastvalue.codec.amqp091.methods import PublishHead, place_of
from lastvalue.codec.amqp091.reply_to import with_reply_queue
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.delivery.producer import Producer, StopCause, queue_full, refusal
from lastvalue.frontends.amqp091.connection_state import ConnectionState
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.events import Published, PublishedRun
from lastvalue.protocols.amqp091.publisher_confirms import PublisherConfirms
from lastvalue.queues.subscription import Mode

_WITHOUT_ROOM: Final = (StopCause.MEMORY, StopCause.STORE, StopCause.STORE_FAULT)


@final
class ChannelProducer(Producer):
    """Publishes a channel's messages; stops the peer by reading nothing, and asks it to wait by channel.flow.

    Attributes:
        confirms: of the channel, where the peer asked for confirms.
        transaction: that messages are part of, or None where they are published at once.
        replies: the queue for direct replies; empty where the channel has none.
    """

    __slots__ = (
        "_asked_to_wait",
        "_channel",
        "_node",
        "_node_name",
        "_returns",
        "_state",
        "confirms",
        "replies",
        "transaction",
    )

    def __init__(self, channel: Channel, state: ConnectionState) -> None:
        super().__init__(state.broker, state.owner(), state.output)
        self.confirms: PublisherConfirms | None = None
        self.transaction: Transaction | None = None
        self.replies = b""
        self._channel = channel
        self._state = state
        self._asked_to_wait = False
        self._node: Node | None = None
        self._node_name = ""
        # The transaction's mandatory messages, which return at the commit where no queue gets them.
        self._returns: list[tuple[Published, Node, EncodedMessage]] = []

    # ------------------------------------------------------------------ messages

    def begin(self, head: PublishHead) -> None:
        """Check where a message is to go, before its content has come.

        Raises:
            LastvalueError: its exchange does not exist, or the peer may not publish there.
        """
        self._destination(head.exchange, head.key)

    def take(self, event: Published, now: i64) -> None:
        """Publish a message.

        Raises:
            ReplyError, LastvalueError: it is refused, and the channel has no confirms.
        """
        self.traffic.receive(1, now)
        head = event.head
        encoded = event.message
        if not encoded:
            encoded = decode_message(
                event.header, head.raw_exchange, head.raw_key, event.body, self._state.engine.qpid_java
            )
        message = read_message(with_reply_queue(encoded, self.replies) if self.replies else encoded)
        self.sign(message)
        target = self._destination(head.exchange, head.key)
        node = target.node
        if self.transaction is not None:
            self._post(event, target, message, self.transaction, now)
            return
        if head.immediate and not self._state.qpid:
            # [RabbitMQ] A publisher cannot rely on a consumer being ready.
            raise ReplyError(NOT_IMPLEMENTED, "immediate=true")
        if head.immediate and not self._has_taker(node, head.key, message, now):
            self._give_back(event, NO_CONSUMERS, "no consumer takes it at once")
            self._confirm(True, False)
            return
        routed = self._give(target, head.key, message, now)
        if routed is not None:
            if routed.queues == 0 and head.mandatory:
                self._give_back(event, NO_ROUTE, "no queue gets it")
            self._confirm(not routed.refused, routed.durable and message.durable)

    def take_run(self, event: PublishedRun, now: i64) -> bool:
        """Publish a run of messages that are neither mandatory nor immediate; whether none is left in it.

        Raises:
            LastvalueError: one of them is refused, and the channel has no confirms.
        """
        head = event.head
        broker = self.broker
        messages = event.messages
        if self.replies:
            messages = [with_reply_queue(encoded, self.replies) for encoded in messages]
        target = self._destination(head.exchange, head.key)
        exchange = target.node.exchange
        if (
            exchange is not None
            and exchange is broker.exchanges.default
            and self.transaction is None
            and broker.alarms.fault is None
            and broker.has_queue(head.key)
        ):
            self.traffic.receive(len(messages), now)
            self._enqueue_run(
                self.targets.of(Node(head.key, broker.lookup(head.key))), exchange, messages, now
            )
            return True
        work = broker.exchanges.work
        for taken, encoded in enumerate(messages):
            if work.is_over:
                event.drop(taken)
                return False
            self.traffic.receive(1, now)
            message = read_message(encoded)
            self.sign(message)
            if self.transaction is not None:
                self.transaction.post(target, head.key, message, now)
                continue
            routed = self._give(target, head.key, message, now)
            if routed is not None:
                self._confirm(not routed.refused, routed.durable and message.durable)
        return True

    def _enqueue_run(self, target: Target, exchange: Exchange, messages: list[bytes], now: i64) -> None:
        """Enqueue messages on one queue: the same as `_give`, without routing."""
        confirms = self.confirms
        confirmations = self._state.confirmations
        for encoded in messages:
            message = read_message(encoded)
            self.sign(message)
            fault: LastvalueError | None = None
            try:
                taken = self.enqueue(target, exchange.admitted(message), now)
            except LastvalueError as error:
                taken = False
                fault = error
            if self.regulated:
                self.regulate()
            if not taken:
                self.traffic.refuse()
            if confirms is not None:
                durable = taken and self.reached_durable and message.durable
                confirmations.add(confirms, confirms.number(), taken, durable)
            elif fault is not None:
                raise fault
            elif not taken:
                raise queue_full(target.name)

    def _give(self, target: Target, key: str, message: EncodedMessage, now: i64) -> RoutingResult | None:
        """Publish a message; None where it is refused and a confirm says so."""
        try:
            return self._route(target, key, message, now)
        except LastvalueError:
            if self.confirms is None:
                raise
            self.traffic.refuse()
            self._confirm(False, False)
            return None

    def _route(self, target: Target, key: str, message: EncodedMessage, now: i64) -> RoutingResult:
        """Publish a message to its queues; raise the reason where one refuses it."""
        if self.confirms is not None:
            fault = self.store_fault(target.node, key, message)
            if fault is not None:
                raise fault
        routed = self.publish(target, key, message, now)
        if self.regulated:
            self.regulate()
        error = refusal(routed)
        if error is not None:
            raise error
        return routed

    def _confirm(self, taken: bool, durable: bool) -> None:
        confirms = self.confirms
        if confirms is not None:
            self._state.confirmations.add(confirms, confirms.number(), taken, durable)

    def _destination(self, exchange: str, key: str) -> Target:
        """The target of a message; the last exchange is cached."""
        node = self._node
        exchanges = self.broker.exchanges
        if node is None or exchange != self._node_name or exchanges.get(exchange) is not node.exchange:
            bound_to = self.broker.authorization.find_exchange(self.targets.owner, Verb.PUBLISH, exchange)
            # An address is resolved by name, as several patterns may match it.
            node = Node(exchange, None, None if bound_to.spec.type is ExchangeType.ADDRESS else bound_to)
            if self._node is None:
                self.join_gates()
                self.regulate()
            self._node = node
            self._node_name = exchange
        return self.targets.of(node, "" if exchange else key)

    def _has_taker(self, node: Node, key: str, message: EncodedMessage, now: i64) -> bool:
        for hosted in self.broker.reached(node, key, message):
            for reader in hosted.readers:
                if reader.subscription.mode is Mode.CONSUME and reader.receiver.wants(now):
                    return True
        return False

    def _give_back(self, event: Published, code: int, text: str) -> None:
        place = place_of(event.head.raw_exchange, event.head.raw_key)
        self._channel.give_back(code, text, (place, event.header, event.body))

    # ------------------------------------------------------------------ transactions

    def _post(
        self, event: Published, target: Target, message: EncodedMessage, transaction: Transaction, now: i64
    ) -> None:
        transaction.post(target, event.head.key, message, now)
        if event.head.mandatory:
            transaction.take_memory(len(event.body))
            self._returns.append((event, target.node, message))

    def unroutable(self) -> list[Published]:
        """Take out the transaction's mandatory messages that no queue gets."""
        returns = self._returns
        self._returns = []
        reached = self.broker.reached
        return [event for event, node, message in returns if not reached(node, event.head.key, message)]

    def give_back(self, events: list[Published]) -> None:
        """Return messages that no queue gets."""
        for event in events:
            self._give_back(event, NO_ROUTE, "no queue gets it")

    # ------------------------------------------------------------------ what stops producers

    def regulate(self) -> None:
        """See Producer."""
        self.regulated = False
        cause = self.stopped_by()
        self._state.stop_reading(self, cause in _WITHOUT_ROOM)
        if cause is StopCause.SHUTDOWN:
            # Reading goes on: the peer's acknowledgements come on the same connection.
            self._state.ask_to_wait("the broker is shutting down")
        waits = bool(self.blocked)
        if waits is not self._asked_to_wait and self._channel.open:
            # [0-9-1 channel.flow] The peer is asked to wait; messages that it still sends are taken.
            self._asked_to_wait = waits
            self._channel.send(commands.Channel.Flow(not waits))
            self._state.output.schedule_write()

    def close(self) -> None:
        """The channel is over."""
        self.transaction = None
        self._returns = []
        self.stop()
        self._state.stop_reading(self, False)
