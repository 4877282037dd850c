"""One channel: methods and contents put together, and what is said on it."""

from typing import Final, final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.codec.amqp091.dialects import Method
from lastvalue.codec.amqp091.errors import (
    CHANNEL_ERROR,
    CONTENT_TOO_LARGE,
    FRAME_ERROR,
    SYNTAX_ERROR,
    UNEXPECTED_FRAME,
    ReplyError,
    reply_text,
)
from lastvalue.codec.amqp091.methods import (
    ACK,
    NACK,
    PUBLISH,
    REJECT,
    PublishHead,
    confirm_frame,
    content_frames,
    decode_method,
    deliver_frame,
    encode_method,
    get_ok_frame,
    method_of,
    return_frame,
    settlement,
)
from lastvalue.protocols.amqp091.events import (
    ACCEPT,
    DISCARD,
    REQUEUE,
    Answered,
    Called,
    ChannelEnded,
    Event,
    Published,
)
from lastvalue.protocols.amqp091.output import Output

_CHANNEL: Final = 20
_CLASSES: Final = (20, 30, 40, 50, 60, 85, 90)
"""The classes of methods that belong on a channel."""


@final
class Channel:
    """A channel that the peer has opened.

    Attributes:
        number: its number.
        open: this side has not closed it, nor answered the peer's close.
        closing: this side has, and waits for the answer.
        gone: both have; its number is free.
        context: the owner's.
    """

    __slots__ = (
        "_body",
        "_events",
        "_head",
        "_header",
        "_left",
        "_max_message_size",
        "_output",
        "closing",
        "context",
        "gone",
        "number",
        "open",
    )

    def __init__(self, number: int, output: Output, events: list[Event], max_message_size: i64) -> None:
        self.number = number
        self.open = True
        self.closing = False
        self.gone = False
        self.context: object = None
        self._output = output
        self._events = events
        self._max_message_size: i64 = max_message_size
        self._head: PublishHead | None = None
        self._header = b""
        self._body: list[bytes] = []
        self._left: i64 = 0

    @property
    def version(self) -> tuple[int, int]:
        """Of the protocol, as a start tells it."""
        return self._output.dialect.version

    @property
    def between(self) -> bool:
        """Whether it takes methods, and no content is under way."""
        return not self.closing and not self.gone and self._head is None

    # ------------------------------------------------------------------ frames

    def take_method(self, data: bytes, start: i64, end: i64) -> None:
        """Take a method's frame.

        Raises:
            ReplyError: it breaks the rules.
        """
        number = method_of(data, start, end)
        if self.closing:
            self._take_while_closing(number)
        elif self._head is not None:
            raise ReplyError(UNEXPECTED_FRAME, "a method where a content should go on")
        elif number == PUBLISH:
            self._head = PublishHead(data, start, end)
            self._header = b""
        elif number == ACK:
            tag, flags = settlement(data, start, end)
            self._events.append(Answered(self, tag, flags & 1 != 0, ACCEPT))
        elif number == REJECT:
            tag, flags = settlement(data, start, end)
            self._events.append(Answered(self, tag, False, REQUEUE if flags & 1 != 0 else DISCARD))  # noqa: FBT003 - compiled, positional
        elif number == NACK:
            tag, flags = settlement(data, start, end)
            self._events.append(Answered(self, tag, flags & 1 != 0, REQUEUE if flags & 2 != 0 else DISCARD))
        else:
            self._take_rare(decode_method(data[start:end], self._output.dialect))

    def _take_while_closing(self, number: i64) -> None:
        """[0-9-1 channel.close] All but the answer is discarded; a close of the peer's crossed ours."""
        if number == commands.Channel.CloseOk.index:
            self.closing = False
            self.gone = True
        elif number == commands.Channel.Close.index:
            self._output.put(encode_method(commands.Channel.CloseOk(), self.number))

    def _take_rare(self, method: Method) -> None:
        class_id = method.index >> 16
        if class_id not in _CLASSES:
            raise ReplyError(
                CHANNEL_ERROR, f"{method.name} belongs on channel 0", (class_id, method.index & 0xFFFF)
            )
        if isinstance(method, commands.Channel.Close):
            self._events.append(ChannelEnded(self))
        elif isinstance(method, commands.Channel.Open):
            raise ReplyError(CHANNEL_ERROR, f"channel {self.number} is open already", (20, 10))
        else:
            self._events.append(Called(self, method))

    def take_header(self, data: bytes, start: i64, end: i64) -> None:
        """Take a content header's frame.

        Raises:
            ReplyError: it breaks the rules.
        """
        if self.closing:
            return
        if self._head is None or self._header:
            raise ReplyError(UNEXPECTED_FRAME, "a content header without a basic.publish before it")
        if end - start < 14:
            raise ReplyError(SYNTAX_ERROR, "a content header of fewer than 14 bytes")
        if data[start] != 0 or data[start + 1] != 60:
            raise ReplyError(FRAME_ERROR, "a content header of another class than its method")
        # The compiler's integers have 63 bits: what is more counts as that.
        size = min(int.from_bytes(data[start + 4 : start + 12], "big"), 2**63 - 1)
        if size > self._max_message_size:
            self._head = None
            self.fail(
                CONTENT_TOO_LARGE, f"a message of {size} bytes; at most {self._max_message_size}", (60, 40)
            )
            return
        self._header = data[start:end]
        self._left = size
        if size == 0:
            self._finish(b"")

    def take_body(self, data: bytes, start: i64, end: i64) -> None:
        """Take a part of a content's body.

        Raises:
            ReplyError: it breaks the rules.
        """
        if self.closing:
            return
        if not self._header:
            raise ReplyError(UNEXPECTED_FRAME, "a content body without a header before it")
        self._left -= end - start
        if self._left > 0:
            self._body.append(data[start:end])
        elif self._left < 0:
            raise ReplyError(FRAME_ERROR, f"a body {-self._left} bytes longer than its header says")
        elif self._body:
            self._body.append(data[start:end])
            body = b"".join(self._body)
            self._body = []
            self._finish(body)
        else:
            self._finish(data[start:end])

    def _finish(self, body: bytes) -> None:
        head = self._head
        if head is not None:
            self._events.append(Published(self, head, self._header, body))
        self._head = None
        self._header = b""

    # ------------------------------------------------------------------ what is said

    def send(self, method: Method) -> None:
        """Have a method sent."""
        self._output.put(encode_method(method, self.number, self._output.dialect))

    def put(self, frames: bytes) -> None:
        """Have frames sent that are written already."""
        self._output.put(frames)

    @property
    def frame_max(self) -> i64:
        """The largest frame that the peer takes."""
        return self._output.frame_max

    def deliver(
        self,
        consumer: bytes,
        tag: i64,
        redelivered: bool,  # noqa: FBT001 - hot
        content: tuple[bytes, bytes, bytes],
    ) -> None:
        """Have a message delivered to a consumer.

        Args:
            consumer: its tag, a shortstr.
            tag: the delivery's.
            redelivered: it was delivered before, perhaps.
            content: exchange and key as two shortstrs, the content header, the body.
        """
        self._output.put(deliver_frame(self.number, consumer, tag, redelivered, content[0]))
        self._output.put(content_frames(self.number, content[1], content[2], self._output.frame_max))

    def give(self, tag: i64, redelivered: bool, content: tuple[bytes, bytes, bytes], left: int) -> None:  # noqa: FBT001 - compiled, positional
        """Answer a basic.get with a message; `left` are how many more there are."""
        self._output.put(get_ok_frame(self.number, tag, redelivered, content[0], left))
        self._output.put(content_frames(self.number, content[1], content[2], self._output.frame_max))

    def give_back(self, code: int, text: str, content: tuple[bytes, bytes, bytes]) -> None:
        """Return a message that nobody gets."""
        self._output.put(return_frame(self.number, code, text, content[0]))
        self._output.put(content_frames(self.number, content[1], content[2], self._output.frame_max))

    def confirm(self, tag: i64, multiple: bool, taken: bool) -> None:  # noqa: FBT001 - hot
        """Tell a publisher what became of its messages."""
        self._output.put(confirm_frame(self.number, ACK if taken else NACK, tag, multiple))

    def fail(self, code: int, text: str, method: tuple[int, int] = (0, 0)) -> None:
        """Close from this side; twice does nothing."""
        if self.open:
            self.open = False
            self.closing = True
            self._forget()
            self.send(commands.Channel.Close(code, reply_text(code, text), method[0], method[1]))

    def end(self) -> None:
        """Answer the peer's close."""
        self.open = False
        self.gone = True
        self.send(commands.Channel.CloseOk())

    def _forget(self) -> None:
        self._head = None
        self._header = b""
        self._body = []
