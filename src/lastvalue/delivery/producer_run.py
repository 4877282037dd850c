"""Messages that came together from one producer, and what its protocol says about them."""

from abc import abstractmethod
from typing import final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.authorization import Target
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.routing.known_routes import KnownRoute
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp10.message_shape import MessageShape
from lastvalue.delivery.duplicate_detection import DuplicateDetection
from lastvalue.delivery.sender import Sender
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import AlikeMessages, Message, MessageRun, PropertyName


@mypyc_attr(allow_interpreted_subclasses=True)
class ProducerRun(MessageRun):
    """The messages of one event, in their order, which `Producer.give` publishes.

    It stands at a message until that is taken or refused. Each protocol says how a message is read, where it
    goes, and what the peer hears of it.

    Args:
        now: the time.
        sender: whose they are.
        detection: how queues recognise duplicates of these messages, or None.

    Attributes:
        arrival_ms: when the messages came.
        message: the one at which it stands, once that is read.
        over: all messages are taken or refused.
        received: how many are, or were passed by; `routed` of them were taken.
        is_placed: the destination of the message at which it stands is known.
        key: the routing key of the message; `destination` sets it.
        shape: that the message fits, or None.
        may_have_id: the message may have an id by which queues recognise its duplicates.
        transaction: that publishes the messages at its commit; None if they are published at once.
        route: where an exchange gives the message at which it stands, if that is known: `destination` may
            set it.
        hosted: the queue that the messages are given to together, or None.
        durable: a queue that took the message before is durable.
        blocked: flow control of a queue that the message was routed to stops its producer.
    """

    __slots__ = (
        "_detection", "_sender", "arrival_ms", "blocked", "durable", "hosted", "is_placed", "key",
        "may_have_id", "message", "over", "received", "route", "routed", "shape",
        "transaction",
    )  # fmt: skip

    def __init__(self, now: i64, sender: Sender, detection: DuplicateDetection | None) -> None:
        self.arrival_ms: i64 = now
        self._sender = sender
        self._detection = detection
        self.message: Message | None = None
        self.over = False
        self.received: i64 = 0
        self.routed: i64 = 0
        self.is_placed = False
        self.key = ""
        self.shape: MessageShape | None = None
        self.may_have_id = True
        self.transaction: Transaction | None = None
        self.route: KnownRoute | None = None
        self.hosted: HostedQueue | None = None
        self.durable = False
        self.blocked = False

    # ------------------------------------------------------------------ what each protocol says

    @abstractmethod
    def read(self) -> Message | None:
        """The message at which it stands; None if the rest was no messages, and it is over.

        Raises:
            LastvalueError: the message is malformed.
        """
        raise NotImplementedError

    @abstractmethod
    def destination(self, message: Message) -> Target | None:
        """Where the message at which it stands goes; None if it is dealt with, and passed by.

        Raises:
            LastvalueError: nowhere.
        """
        raise NotImplementedError

    @abstractmethod
    def goes_along(self) -> bool:
        """Whether the message at which it stands, which was just read, goes where the one before went."""
        raise NotImplementedError

    @abstractmethod
    def take(self, message: Message, count: i64, durable: bool) -> None:
        """Go past messages from the one at which it stands; they are taken, and the peer may hear that.

        Args:
            message: the first, which the others are like.
            count: how many messages.
            durable: the journal is to have them first.
        """
        raise NotImplementedError

    @abstractmethod
    def refuse(self, error: LastvalueError) -> bool:
        """Go past the message at which it stands, and tell the peer why it is refused; whether it continues.

        Raises:
            LastvalueError: the error, if the peer hears it otherwise.
        """
        raise NotImplementedError

    def refuses_by_fault(self) -> bool:
        """Whether a message is refused that the disk cannot take now; else it is taken, and waits for it."""
        return True

    def unroutable(self, rejected: bool) -> LastvalueError | None:
        """Why a message is refused that no queue gets, or None if it is taken.

        Args:
            rejected: the exchange rejects such messages.
        """
        del rejected
        return None

    def gather(self, shape: MessageShape, encodings: list[bytes]) -> None:
        """Add the messages that follow, go along, and fit the shape, up to one that does not."""
        del shape, encodings

    def end(self) -> None:
        """Nothing more of it is published now, whatever ended it."""

    # ------------------------------------------------------------------ what is the same for all

    def read_next(self) -> Message | None:
        """Read the message at which it stands, and note whose it is; None if the run is over.

        Raises:
            LastvalueError: the message is malformed, or another user's.
        """
        self.is_placed = False
        message = None if self.over else self.read()
        if message is not None:
            sender, shape = self._sender, self.shape
            if shape is None or not shape.is_own:
                sender.check(message, shape)
            if message.extras is None:
                message.extras = sender.signature
            elif sender.signature is not None:
                message.origin = sender.signature.origin
            if self._detection is not None and self.may_have_id:
                self._detection.mark(message)
            self.message = message
        return message

    def forget_route(self) -> None:
        """The message at which it stands may go elsewhere than the one before."""
        self.route = None

    def pass_by(self) -> None:
        """Leave the message at which it stands, which no queue gets."""
        self.message = None
        self.received += 1

    def take_one(self) -> None:
        """Go past the message at which it stands, which is taken."""
        message = self.message
        if message is not None:
            # It is over, should the next one be malformed.
            self.message = None
            self.received += 1
            self.routed += 1
            self.take(message, 1, self.durable and message.durable)

    def next(self) -> Message | None:
        """See MessageRun; None, too, at a message that is for another queue."""
        self.take_one()
        message = self.read_next()
        self.is_placed = message is not None and self.goes_along()
        return message if self.is_placed else None

    def alike(
        self, message: Message, name: PropertyName | None, order_by: PropertyName | None
    ) -> AlikeMessages:
        """See MessageRun."""
        shape = self.shape
        encodings = [message.encoded]
        if shape is None or (self._detection is not None and self.may_have_id):
            return AlikeMessages(message, encodings)
        key_place = None if name is None else shape.key_place(name, order_by)
        if name is None or key_place is not None:
            self.gather(shape, encodings)
        return AlikeMessages(shape.example(message), encodings, key_place, shape.empty_bytes)

    def skip(self, count: i64) -> None:
        """See MessageRun."""
        message = self.message
        if message is not None:
            self.received += count
            self.routed += count
            self.take(message, count, self.durable and message.durable)


@final
class RepeatedRun(MessageRun):
    """Messages that are alike, once more for another queue, whose place in them is its own.

    Args:
        alike: the messages.
        shape: that they fit, or None.
    """

    __slots__ = ("_alike", "_at", "_shape")

    def __init__(self, alike: AlikeMessages, shape: MessageShape | None) -> None:
        self._alike = alike
        self._shape = shape
        self._at: i64 = 0

    def next(self) -> Message | None:
        """See MessageRun."""
        self._at += 1
        encodings = self._alike.encodings
        return self._alike.example.alike(encodings[self._at]) if self._at < len(encodings) else None

    def alike(
        self, message: Message, name: PropertyName | None, order_by: PropertyName | None
    ) -> AlikeMessages:
        """See MessageRun."""
        alike, shape = self._alike, self._shape
        key_place = None if name is None or shape is None else shape.key_place(name, order_by)
        if name is not None and key_place is None:
            return AlikeMessages(message, [message.encoded])
        return AlikeMessages(alike.example, alike.encodings[self._at :], key_place, alike.empty_bytes)

    def skip(self, count: i64) -> None:
        """See MessageRun."""
        self._at += count
