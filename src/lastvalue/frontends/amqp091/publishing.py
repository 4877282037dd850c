"""What one channel publishes: at once, with confirms, or in transactions."""

from typing import final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.broker.exchange_spec import ExchangeType
from lastvalue.broker.exchanges import Exchange
from lastvalue.broker.nodes import Node
from lastvalue.broker.permissions import WRITE
from lastvalue.broker.reading import HostedQueue, Publisher
from lastvalue.broker.routing import Routed
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp091.arriving import encoded_message
from lastvalue.codec.amqp091.errors import NO_CONSUMERS, NO_ROUTE, NOT_IMPLEMENTED, ReplyError
from lastvalue.codec.amqp091.methods import place_of
from lastvalue.codec.amqp091.reply_to import with_reply_queue
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.frontends.amqp091.confirms import Confirms
from lastvalue.frontends.amqp091.setting import Setting
from lastvalue.model.errors import LastvalueError, ResourceLimitError
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.events import Published, PublishedRun
from lastvalue.queues.subscription import Mode


@final
class Publishing(Publisher):
    """The writing side of a channel.

    Attributes:
        confirms: what it owes, where the peer asked for confirms.
        transaction: what publishing waits for, or None where it counts at once.
        keeps: it has published to durable queues.
        replies: the queue that replies come to directly; empty where none do.
    """

    __slots__ = (
        "_blocked",
        "_channel",
        "_joined",
        "_node",
        "_node_name",
        "_permitted",
        "_regulated",
        "_returns",
        "_setting",
        "confirms",
        "keeps",
        "replies",
        "transaction",
    )

    def __init__(self, channel: Channel, setting: Setting) -> None:
        self.confirms: Confirms | None = None
        self.transaction: Transaction | None = None
        self.keeps = False
        self.replies = b""
        self._channel = channel
        self._setting = setting
        self._joined = False
        self._regulated = False
        self._permitted: set[str] = set()
        self._blocked: list[HostedQueue] = []
        self._node: Node | None = None
        self._node_name = ""
        # Of the transaction: what is returned at the commit where no queue gets it.
        self._returns: list[tuple[Published, Node, EncodedMessage]] = []

    # ------------------------------------------------------------------ messages

    def publish(self, event: Published, now: i64) -> None:
        """Take a message.

        Raises:
            ReplyError, LastvalueError: it cannot be taken, and the peer asked for no confirms.
        """
        head = event.head
        encoded = event.message
        if not encoded:
            encoded = encoded_message(event.header, head.raw_exchange, head.raw_key, event.body)
        message = read_message(with_reply_queue(encoded, self.replies) if self.replies else encoded)
        message.origin = self._setting.container
        node = self._destination(head.exchange, head.key)
        if self.transaction is not None:
            self._post(event, node, message, self.transaction, now)
            return
        if head.immediate and self._setting.modern:
            # [RabbitMQ] Whether a consumer is ready is nothing that a publisher can rely on.
            raise ReplyError(NOT_IMPLEMENTED, "immediate=true")
        if head.immediate and not self._has_taker(node, head.key, message):
            self._give_back(event, NO_CONSUMERS, "no consumer takes it at once")
            self._confirm(True, False)  # noqa: FBT003 - compiled, positional
            return
        routed = self._give(node, head.key, message, now)
        if routed is not None:
            if routed.queues == 0 and head.mandatory:
                self._give_back(event, NO_ROUTE, "no queue gets it")
            self._confirm(not routed.refused, routed.kept and message.durable)

    def publish_run(self, event: PublishedRun, now: i64) -> None:
        """Take messages that nobody wants back.

        Raises:
            LastvalueError: one of them cannot be taken, and the peer asked for no confirms.
        """
        head = event.head
        broker = self._setting.broker
        messages = event.messages
        if self.replies:
            messages = [with_reply_queue(encoded, self.replies) for encoded in messages]
        node = self._destination(head.exchange, head.key)
        exchange = node.exchange
        if (
            exchange is not None
            and exchange is broker.exchanges.default
            and self.transaction is None
            and broker.gates.fault is None
            and broker.has_queue(head.key)
        ):
            self._fill(broker.lookup(head.key), exchange, messages, now)
            return
        for encoded in messages:
            message = read_message(encoded)
            message.origin = self._setting.container
            if self.transaction is not None:
                self.transaction.post(node, head.key, message, now)
                continue
            routed = self._give(node, head.key, message, now)
            if routed is not None:
                self._confirm(not routed.refused, routed.kept and message.durable)

    def _fill(self, hosted: HostedQueue, exchange: Exchange, messages: list[bytes], now: i64) -> None:
        """Give messages to the one queue that gets them: what `_give` does, without looking for it."""
        confirms = self.confirms
        container = self._setting.container
        queue = hosted.queue
        durable = queue.spec.durable
        hosted.touch()
        for encoded in messages:
            message = read_message(encoded)
            message.origin = container
            fault: LastvalueError | None = None
            try:
                taken = hosted.take(exchange.admitted(message), now)
            except LastvalueError as why:
                taken = False
                fault = why
            blocked = hosted.watched and queue.blocked
            if blocked or self._regulated or (durable and not self.keeps):
                self._note(durable, [hosted] if blocked else [])
            if confirms is not None:
                confirms.add(taken, taken and durable and message.durable)
            elif fault is not None:
                raise fault
            elif not taken:
                raise _full(queue.spec.name)

    def _give(self, node: Node, key: str, message: EncodedMessage, now: i64) -> Routed | None:
        """Publish a message; None where that is refused, and the peer told by a confirm."""
        try:
            return self._route(node, key, message, now)
        except LastvalueError:
            if self.confirms is None:
                raise
            self._confirm(False, False)  # noqa: FBT003 - compiled, positional
            return None

    def _route(self, node: Node, key: str, message: EncodedMessage, now: i64) -> Routed:
        """Give a message to the queues that get it; it raises why one does not take it."""
        gates = self._setting.broker.gates
        if gates.fault is not None and message.durable and self.confirms is not None:
            for hosted in self._setting.broker.reached(node, key, message):
                if hosted.queue.spec.durable:
                    raise gates.fault.with_traceback(None)
        routed = self._setting.broker.route(node, key, message, now)
        self._note(routed.kept, routed.blocked)
        if routed.fault is not None:
            raise routed.fault
        if routed.full:
            raise _full(routed.full[0])
        return routed

    def _confirm(self, taken: bool, kept: bool) -> None:  # noqa: FBT001 - hot
        if self.confirms is not None:
            self.confirms.add(taken, kept)

    def _destination(self, exchange: str, key: str) -> Node:
        """Where a message goes; the last place is known again."""
        node = self._node
        exchanges = self._setting.broker.exchanges
        if node is None or exchange != self._node_name or exchanges.get(exchange) is not node.exchange:
            found = exchanges.find(exchange)
            # An address has no exchange of its own: its name may be a pattern of several.
            node = Node(exchange, None, None if found.spec.type is ExchangeType.ADDRESS else found)
            self._node = node
            self._node_name = exchange
            self._join()
        name = exchange or key
        if self._setting.broker.access is not None and name not in self._permitted:
            self._setting.permit(WRITE, name)
            self._permitted.add(name)
        return node

    def _has_taker(self, node: Node, key: str, message: EncodedMessage) -> bool:
        for hosted in self._setting.broker.reached(node, key, message):
            for reading in hosted.readings:
                if reading.subscription.mode is Mode.CONSUME and reading.outlet.wants():
                    return True
        return False

    def _give_back(self, event: Published, code: int, text: str) -> None:
        place = place_of(event.head.raw_exchange, event.head.raw_key)
        self._channel.give_back(code, text, (place, event.header, event.body))

    # ------------------------------------------------------------------ transactions

    def _post(
        self, event: Published, node: Node, message: EncodedMessage, transaction: Transaction, now: i64
    ) -> None:
        transaction.post(node, event.head.key, message, now)
        if event.head.mandatory:
            self._returns.append((event, node, message))

    def unroutable(self) -> list[Published]:
        """What of the open transaction was mandatory and no queue gets; asked for once."""
        returns = self._returns
        self._returns = []
        reached = self._setting.broker.reached
        return [event for event, node, message in returns if not reached(node, event.head.key, message)]

    def give_back(self, events: list[Published]) -> None:
        """Return messages that no queue gets."""
        for event in events:
            self._give_back(event, NO_ROUTE, "no queue gets it")

    # ------------------------------------------------------------------ what stops producers

    def _note(self, kept: bool, blocked: list[HostedQueue]) -> None:  # noqa: FBT001 - compiled, positional
        """Stop the peer where what its message reached is a reason to."""
        if kept and not self.keeps:
            self.keeps = True
            self._regulate()
        elif self._regulated:
            self._regulate()
        for hosted in blocked:
            if hosted not in self._blocked:
                hosted.hold(self)
                self._blocked.append(hosted)
                if len(self._blocked) == 1:
                    # [0-9-1 channel.flow] The peer is asked to wait; what it sends meanwhile is taken.
                    self._channel.send(commands.Channel.Flow(False))  # noqa: FBT003 - compiled, positional

    def _join(self) -> None:
        if not self._joined:
            self._joined = True
            self._setting.broker.gates.join(self)
            self._regulate()

    def _regulate(self) -> None:
        """Stop reading from a peer that publishes while a gate is shut."""
        gates = self._setting.broker.gates
        stops = gates.stops(self.keeps) or (self.keeps and gates.fault is not None)
        self._regulated = False
        self._setting.stop_reading(self, stops)

    def may_send(self) -> None:
        """See Publisher."""
        self._regulate()
        blocked = [hosted for hosted in self._blocked if hosted.queue.blocked and not hosted.tenure.ending]
        for hosted in blocked:
            hosted.hold(self)
        if self._blocked and not blocked and self._channel.open:
            self._channel.send(commands.Channel.Flow(True))  # noqa: FBT003 - compiled, positional
            self._setting.touch()
        self._blocked = blocked

    def hold(self) -> None:
        """See Publisher."""
        self._regulated = True

    def queue_deleted(self) -> None:
        """See Publisher."""

    def stop(self) -> None:
        """Publish no more."""
        self.transaction = None
        self._returns = []
        self._setting.broker.gates.leave(self)
        self._setting.stop_reading(self, False)  # noqa: FBT003 - compiled, positional
        for hosted in self._blocked:
            hosted.held.pop(self, None)
        self._blocked = []


def _full(queue: str) -> ResourceLimitError:
    return ResourceLimitError(f"queue {queue!r} is full")
