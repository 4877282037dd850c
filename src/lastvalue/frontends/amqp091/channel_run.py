"""The messages of a channel's publishes, on their way to its producer's queues."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.authorization import Target
from lastvalue.codec.amqp091.errors import NO_CONSUMERS, NO_ROUTE, ReplyError
from lastvalue.codec.amqp091.methods import PublishHead
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.message_shape import MessageShape
from lastvalue.delivery.producer_run import ProducerRun
from lastvalue.frontends.amqp091.copies import has_copies, without_hidden_copies
from lastvalue.frontends.amqp091.producer import ChannelProducer
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message
from lastvalue.protocols.amqp091.events import Published, PublishedRun

_NO_KEYS: Final[list[str]] = []


@final
class ChannelRun(ProducerRun):
    """Messages of a channel for one exchange; confirms say what becomes of each.

    A channel without confirms ends with a message that is refused, and so does one with confirms if the
    message is malformed or has nowhere to go.

    Attributes:
        at: the place of the message at which it stands.
    """

    __slots__ = (
        "_event", "_head", "_heads", "_messages", "_more_keys", "_placed", "_producer",
        "_target", "at",
    )  # fmt: skip

    def __init__(self, producer: ChannelProducer, event: Published | PublishedRun, now: i64) -> None:
        super().__init__(now, producer.sender, None)
        self._producer = producer
        # The message that came with all that a return needs.
        self._event: Published | None = None
        self._messages: list[bytes] = []
        if isinstance(event, PublishedRun):
            self._messages = producer.with_replies(event.messages)
            self._heads = event.heads
        else:
            self._event = event
            self._heads = [event.head]
        self._head: PublishHead = self._heads[0]
        # The head of the last message whose destination is known.
        self._placed = self._head
        self._target: Target | None = None
        self._more_keys: list[str] = _NO_KEYS
        self.transaction = producer.transaction
        self.at: i64 = 0

    def read(self) -> Message | None:
        """See ProducerRun.

        Raises:
            ReplyError, DecodeError: it is malformed.
        """
        self._head = self._heads[self.at]
        if self._event is not None:
            self._messages = self._producer.with_replies([self._producer.decoded(self._event)])
        encoded = self._messages[self.at]
        if self._event is not None and self._producer.copies and has_copies(encoded):
            message, self._more_keys = without_hidden_copies(read_message(encoded))
            return message
        shapes = self._producer.shapes
        shape = shapes.shape
        if shape is not None and shape.fits(encoded):
            self.shape = shape
            return shape.message(encoded)
        message = read_message(encoded)
        self.shape = shapes.learn(message)
        return message

    def destination(self, message: Message) -> Target | None:
        """See ProducerRun.

        Raises:
            ReplyError: it is to be taken at once, which AMQP 0-9-1 does not promise.
            LastvalueError: its exchange does not exist, or the peer may not publish there.
        """
        head = self._placed = self._head
        self.key = head.key
        target = self._target
        if target is None:
            target = self._producer.destination(head.exchange, head.key)
            target = self._producer.copied(target, head.exchange, head.key, self._more_keys)
            self._target = target
        if head.immediate and self.transaction is None and self._event is not None:
            self._producer.check_immediate()
            if not self._producer.has_taker(target.node, head.key, message, self.arrival_ms):
                self._producer.give_back(self._event, NO_CONSUMERS)
                self.pass_by()
                self._go_past(1, True, False)
                return None
        return target

    def goes_along(self) -> bool:
        """See ProducerRun."""
        return self._goes_with(self._head)

    def _goes_with(self, head: PublishHead) -> bool:
        """Whether a message with this head goes where the one before went; then it is the one before."""
        if head is not self._placed:
            if not self._producer.shares_route(self, self._target, head.key):
                return False
            self._placed = head
            self.key = head.key
        return True

    def gather(self, shape: MessageShape, encodings: list[bytes]) -> None:
        """See ProducerRun."""
        messages = self._messages
        at = self.at + 1
        size: i64 = len(messages)
        while at < size and shape.fits(messages[at]) and self._goes_with(self._heads[at]):
            encodings.append(messages[at])
            at += 1

    def take(self, message: Message, count: i64, durable: bool) -> None:
        """See ProducerRun."""
        event, target = self._event, self._target
        if self.transaction is not None and event is not None and target is not None and self._head.mandatory:
            self._producer.return_at_commit(event, target.node, message)
        self._go_past(count, True, durable)

    def refuse(self, error: LastvalueError) -> bool:
        """See ProducerRun."""
        if self._producer.confirms is None or not self.is_placed:
            if self.is_placed:
                self._count(1)
            raise error
        self._go_past(1, False, False)
        return True

    def _go_past(self, count: i64, taken: bool, durable: bool) -> None:
        self._producer.confirm(count, taken, durable)
        self._count(count)
        self.at += count
        self.over = self._event is not None or self.at == len(self._messages)

    def _count(self, count: i64) -> None:
        target = self._target
        if target is not None and target.node.hosted is not None:
            self._producer.broker.exchanges.default.received += count

    def refuses_by_fault(self) -> bool:
        """See ProducerRun."""
        return self._producer.confirms is not None

    def unroutable(self, rejected: bool) -> LastvalueError | None:
        """See ProducerRun; a mandatory message returns, and its exchange may refuse a confirm."""
        event = self._event
        if event is not None and self._head.mandatory:
            self._producer.give_back(event, NO_ROUTE)
        if rejected and self._producer.confirms is not None:
            return ReplyError(NO_ROUTE, "no queue gets it")
        return None
