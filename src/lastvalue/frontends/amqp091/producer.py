"""The publishing side of one channel: plain, with confirms, or in transactions."""

from typing import final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.broker.authorization import Target
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.exchange_spec import ExchangeType
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp091.errors import NAMES, NO_ROUTE, NOT_IMPLEMENTED, ReplyError
from lastvalue.codec.amqp091.message_decoder import decode_message
from lastvalue.codec.amqp091.methods import PublishHead, place_of
from lastvalue.codec.amqp091.reply_to import with_reply_queue
from lastvalue.codec.amqp10.message_shape import ShapeLearner
from lastvalue.delivery.producer import WITHOUT_ROOM, Producer, StopCause
from lastvalue.frontends.amqp091.connection_state import Amqp091ConnectionState
from lastvalue.model.message import Message
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.events import Published
from lastvalue.protocols.amqp091.publisher_confirms import PublisherConfirms
from lastvalue.queues.subscription import Mode


@final
class ChannelProducer(Producer):
    """Publishes a channel's messages; stops the peer by reading nothing, and asks it to wait by channel.flow.

    Attributes:
        confirms: of the channel, where the peer asked for confirms.
        transaction: that messages are part of, or None if they are published at once.
        replies: the queue for direct replies; empty where the channel has none.
        shapes: of its messages.
    """

    __slots__ = (
        "_asked_to_wait",
        "_channel",
        "_copied",
        "_node",
        "_node_name",
        "_returns",
        "_state",
        "confirms",
        "replies",
        "shapes",
        "transaction",
    )

    def __init__(self, channel: Channel, state: Amqp091ConnectionState) -> None:
        super().__init__(state.broker, state.owner(), state.output)
        self.confirms: PublisherConfirms | None = None
        self.transaction: Transaction | None = None
        self.replies = b""
        self.shapes = ShapeLearner()
        self._channel = channel
        self._state = state
        self._asked_to_wait = False
        self._node: Node | None = None
        self._node_name = ""
        # The transaction's mandatory messages, which return at the commit where no queue gets them.
        self._returns: list[tuple[Published, Node, Message]] = []
        # The targets of messages with further keys, until these are routed.
        self._copied: list[Target] = []

    # ------------------------------------------------------------------ messages

    def begin(self, head: PublishHead) -> None:
        """Check where a message is to go, before its content has come.

        Raises:
            LastvalueError: its exchange does not exist, or the peer may not publish there.
        """
        self.destination(head.exchange, head.key)

    def decoded(self, event: Published) -> bytes:
        """A message that came by itself, in AMQP 1.0's encoding.

        Raises:
            ReplyError: it is malformed.
        """
        if event.message:
            return event.message
        head = event.head
        qpid_java = self._state.engine.qpid_java
        return decode_message(event.header, head.raw_exchange, head.raw_key, event.body, qpid_java)

    def with_replies(self, messages: list[bytes]) -> list[bytes]:
        """Messages whose replies come to the channel's own queue if they ask for direct replies."""
        if not self.replies:
            return messages
        return [with_reply_queue(encoded, self.replies) for encoded in messages]

    def destination(self, exchange: str, key: str) -> Target:
        """The target of a message: the queue that the default exchange has for it, or an exchange.

        What a transaction publishes is routed at its commit.

        Raises:
            LastvalueError: the exchange does not exist, or the peer may not publish there.
        """
        node = self._node
        broker = self.broker
        exchanges = broker.exchanges
        # The last exchange is cached.
        if node is None or exchange != self._node_name or exchanges.get(exchange) is not node.exchange:
            bound_to = broker.authorization.find_exchange(self.targets.owner, Verb.PUBLISH, exchange)
            # An address is resolved by name, as several patterns may match it.
            node = Node(exchange, None, None if bound_to.spec.type is ExchangeType.ADDRESS else bound_to)
            if self._node is None:
                self.join()
            self._node = node
            self._node_name = exchange
        if exchange:
            return self.targets.of(node)
        if self.transaction is None and broker.has_queue(key):
            return self.targets.of(Node(key, broker.lookup(key)))
        return self.targets.of(node, key)

    def copied(self, target: Target, exchange: str, key: str, more_keys: list[str]) -> Target:
        """[RabbitMQ] The target of a message with further keys; `end_copies` ends those that are routed.

        Raises:
            NotPermittedError: the peer may not publish to a queue that the default exchange has for a key.
        """
        if not more_keys:
            return target
        for each in more_keys:
            self.destination(exchange, each)
        node = Node(exchange, None, self.broker.exchanges.find(exchange))
        node.more_keys = more_keys
        copied = self.broker.target(node, self.targets.owner, exchange or key)
        self._copied.append(copied)
        return copied

    def end_copies(self) -> None:
        """The messages of `copied` are routed, or will not be."""
        for target in self._copied:
            self.broker.release(target)
        self._copied = []

    @property
    def copies(self) -> bool:
        """Whether messages may have further keys: not those of Qpid's clients."""
        return not self._state.qpid

    def confirm(self, count: i64, taken: bool, durable: bool) -> None:
        """Confirm the next messages, if the channel has confirms."""
        confirms = self.confirms
        if confirms is not None:
            first = confirms.number(count)
            self._state.confirmations.add(confirms, first, taken, durable, first + count - 1)

    def check_immediate(self) -> None:
        """Refuse a message that is to be taken at once, unless Broker-J's rules hold.

        Raises:
            ReplyError: they do not.
        """
        if not self._state.qpid:
            # [RabbitMQ] A publisher cannot rely on a consumer being ready.
            raise ReplyError(NOT_IMPLEMENTED, "immediate=true")

    def has_taker(self, node: Node, key: str, message: Message, now: i64) -> bool:
        """Whether a consumer takes a message at once."""
        for hosted in self.broker.router.reached(node, key, message):
            for reader in hosted.readers:
                if reader.subscription.mode is Mode.CONSUME and reader.receiver.wants(now):
                    return True
        return False

    def give_back(self, event: Published, code: int) -> None:
        """Return a message; [RabbitMQ] the text is the name of the code, which clients compare."""
        place = place_of(event.head.raw_exchange, event.head.raw_key)
        self._channel.give_back(code, NAMES[code], (place, event.header, event.body))

    # ------------------------------------------------------------------ transactions

    def return_at_commit(self, event: Published, node: Node, message: Message) -> None:
        """Return a mandatory message of the transaction at its commit, if no queue gets it.

        Raises:
            MemoryLimitError: there is no memory for it.
        """
        if self.transaction is not None:
            self.transaction.take_memory(len(event.body))
            self._returns.append((event, node, message))

    def unroutable(self) -> list[Published]:
        """Take out the transaction's mandatory messages that no queue gets."""
        returns = self._returns
        self._returns = []
        reached = self.broker.router.reached
        return [event for event, node, message in returns if not reached(node, event.head.key, message)]

    def give_all_back(self, events: list[Published]) -> None:
        """Return messages that no queue gets."""
        for event in events:
            self.give_back(event, NO_ROUTE)

    # ------------------------------------------------------------------ what stops producers

    def join(self) -> None:
        """Have the broker's alarms and gates stop the peer from now on; they may do so at once."""
        self.join_gates()
        self.regulate()

    def regulate(self) -> None:
        """See Producer."""
        self.regulated = False
        cause = self.stopped_by()
        self._state.stop_reading(self, cause in WITHOUT_ROOM)
        if cause is StopCause.SHUTDOWN:
            # Reading continues: the peer's acknowledgements come on the same connection.
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
        self.end_copies()
        self.stop()
        self._state.stop_reading(self, False)
