"""The messages of a session's sends, on their way to its producer's queues."""

from abc import abstractmethod
from typing import final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.authorization import Target
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.amqp10.message_shape import MessageShape
from lastvalue.codec.core.message_decoder import decode_message
from lastvalue.delivery.producer_run import ProducerRun
from lastvalue.frontends.core.producer import SessionProducer
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message
from lastvalue.protocols.core.events import Published, PublishedRun


@mypyc_attr(allow_interpreted_subclasses=True)
class SendAnswers:
    """Answers what a session sends."""

    __slots__ = ()

    @abstractmethod
    def answer(self, size_bytes: i64, answer: bytes, durable: bool) -> None:
        """Answer a message, of a packet of this size, once the journal has what it did if it is durable."""
        raise NotImplementedError

    @abstractmethod
    def refuse(self, event: Published, error: LastvalueError) -> None:
        """Answer a message that is refused."""
        raise NotImplementedError

    @abstractmethod
    def null(self, event: Published) -> bytes:
        """The answer of a message that came by itself."""
        raise NotImplementedError

    @abstractmethod
    def has_ended(self) -> bool:
        """Whether the session is over, and takes nothing more."""
        raise NotImplementedError


@final
class SendRun(ProducerRun):
    """The messages of consecutive packets, or one that came in parts; the session answers each by itself.

    Those of the usual form to the same address go along. Requests to the management are among them, and are
    carried out in their places.
    """

    __slots__ = (
        "_address", "_ahead", "_ahead_at", "_answers", "_event", "_is_usual", "_producer", "_whole",
    )  # fmt: skip

    def __init__(
        self, producer: SessionProducer, event: PublishedRun | Published, answers: SendAnswers, now: i64
    ) -> None:
        super().__init__(now, producer.sender, producer.detection)
        self._producer = producer
        self._answers = answers
        self._event: PublishedRun | None = None
        self._whole: Published | None = None
        if isinstance(event, PublishedRun):
            self._event = event
            self.over = event.is_over
        else:
            self._whole = event
        self.transaction = producer.transaction
        self._is_usual = False
        # How the address of the target is encoded, if it was found for a message of the usual form.
        self._address = b""
        # A message that `gather` has read in vain, and its place.
        self._ahead: EncodedMessage | None = None
        self._ahead_at: i64 = -1

    def read(self) -> Message | None:
        """See ProducerRun.

        Raises:
            DecodeError: it is malformed.
        """
        message: EncodedMessage | None = None
        event, whole = self._event, self._whole
        if whole is not None:
            if not whole.converted:
                message = self._producer.reader.read(whole.head, 0, len(whole.head), whole.body)
        elif event is not None:
            event.look(event.at)
            message = self._ahead if self._ahead_at == event.at else self._quickly_read(event)
        self._ahead = None
        self._ahead_at = -1
        self._is_usual = message is not None
        # No property of a usual one is Artemis's own, and the id of a duplicate would be.
        self.may_have_id = message is None
        if message is not None:
            self.shape = self._producer.shapes.shape_of(message)
            return message
        self.shape = None
        if whole is not None:
            sections = decode_message(
                whole.head, whole.body, inflated=whole.inflated, converted=whole.converted
            )
            return read_message(sections)
        return (
            None
            if event is None
            else read_message(decode_message(self._head(), event.data[event.body : event.head]))
        )

    def _quickly_read(self, event: PublishedRun) -> EncodedMessage | None:
        data = event.data
        return self._producer.reader.read(data, event.head, event.trailer, data[event.body : event.head])

    def _head(self) -> bytes:
        event, whole = self._event, self._whole
        if whole is not None:
            return whole.head
        return b"" if event is None else event.data[event.head : event.trailer]

    def destination(self, message: Message) -> Target | None:
        """See ProducerRun; None, too, if nobody reads the address, or the message is a request.

        Raises:
            LastvalueError: the peer may not publish there, or the request cannot be read.
        """
        producer = self._producer
        self._address = b""
        address = producer.address_of(self._head())
        is_request = producer.takes_request(message, self.arrival_ms)
        target = None if is_request else producer.destination(address, message)
        if target is None:
            self.pass_by()
            self._go_past(1, is_request)
            return None
        self.key = target.node.subject or ""
        if self._is_usual:
            self._address = producer.reader.address
        return target

    def goes_along(self) -> bool:
        """See ProducerRun."""
        return self._is_usual and len(self._address) > 0 and self._producer.reader.address is self._address

    def gather(self, shape: MessageShape, encodings: list[bytes]) -> None:
        """See ProducerRun."""
        event = self._event
        if event is None:
            return
        reader = self._producer.reader
        address = reader.address
        at = event.at + event.size_bytes
        while event.look(at):
            message = self._quickly_read(event)
            if message is None or reader.address is not address or not shape.fits(message.encoded):
                self._ahead = message
                self._ahead_at = -1 if message is None else at
                return
            encodings.append(message.encoded)
            at += event.size_bytes

    def take(self, message: Message, count: i64, durable: bool) -> None:
        """See ProducerRun."""
        del message
        self._go_past(count, durable)

    def _go_past(self, count: i64, durable: bool) -> None:
        event, whole = self._event, self._whole
        answers = self._answers
        if whole is not None:
            self._producer.note_sent(whole.size_bytes)
            answers.answer(whole.size_bytes, answers.null(whole) if whole.answered else b"", durable)
            self.over = True
        elif event is not None:
            left: i64 = count
            while left > 0:
                left -= 1
                event.look(event.at)
                self._producer.note_sent(event.size_bytes)
                correlation = event.correlation
                answer = event.channel.null_response(correlation) if correlation else b""
                answers.answer(event.size_bytes, answer, durable)
                event.step()
            self.over = event.is_over or answers.has_ended()

    def refuse(self, error: LastvalueError) -> bool:
        """See ProducerRun."""
        event, whole = self._event, self._whole
        if whole is not None:
            self._producer.note_sent(whole.size_bytes)
            self._answers.refuse(whole, error)
            self.over = True
        elif event is not None:
            event.look(event.at)
            self._producer.note_sent(event.size_bytes)
            self._answers.refuse(event.published(), error)
            event.step()
            self.over = event.is_over or self._answers.has_ended()
        return True

    def refuses_by_fault(self) -> bool:
        """See ProducerRun; the commit of a transaction says what became of its messages."""
        return self.transaction is None
