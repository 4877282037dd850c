"""One channel: its state, and the methods that are sent on it."""

from typing import final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.codec.amqp091.dialects import Dialect, Method
from lastvalue.codec.amqp091.errors import reply_text
from lastvalue.codec.amqp091.frames import FRAME_OVERHEAD
from lastvalue.codec.amqp091.methods import (
    ACK,
    NACK,
    confirm_frame,
    deliver_frame,
    encode_method,
    get_ok_frame,
    put_content,
    return_frame,
)
from lastvalue.protocols.amqp091.output import Output


@final
class Channel:
    """A channel that the peer has opened.

    Attributes:
        number: its number.
        open: this side has neither closed it nor answered the peer's close.
        closing: this side has closed it, and waits for the answer.
        gone: both sides have closed it; its number is free.
    """

    __slots__ = ("_output", "closing", "gone", "number", "open")

    def __init__(self, number: int, output: Output) -> None:
        self.number = number
        self.open = True
        self.closing = False
        self.gone = False
        self._output = output

    @property
    def version(self) -> tuple[int, int]:
        """The protocol version, major and minor."""
        return self._output.dialect.version

    @property
    def dialect(self) -> Dialect:
        """How methods are encoded on this connection."""
        return self._output.dialect

    def send(self, method: Method) -> None:
        """Send a method."""
        self._output.put(encode_method(method, self.number, self._output.dialect))

    def put(self, frames: bytes) -> None:
        """Send encoded frames."""
        self._output.put(frames)

    @property
    def frame_max(self) -> i64:
        """The largest frame that the peer takes."""
        return self._output.frame_max

    def fits(self, header: bytes) -> bool:
        """Whether a content header fits into a frame, of which there is one for it [0-9-1 §4.2.6.1]."""
        return len(header) + FRAME_OVERHEAD <= self._output.frame_max

    def deliver(
        self,
        consumer: bytes,
        tag: i64,
        redelivered: bool,
        content: tuple[bytes, bytes, bytes],
    ) -> None:
        """Send a message to a consumer.

        Args:
            consumer: its tag, a shortstr.
            tag: the delivery's.
            redelivered: the message may have been delivered before.
            content: exchange and key as two shortstrs, the content header, the body.
        """
        self._output.put(deliver_frame(self.number, consumer, tag, redelivered, content[0]))
        put_content(self._output, self.number, content[1], content[2], self._output.frame_max)

    def give(self, tag: i64, redelivered: bool, content: tuple[bytes, bytes, bytes], left: int) -> None:
        """Answer a basic.get with a message; `left` is how many more the queue has."""
        self._output.put(get_ok_frame(self.number, tag, redelivered, content[0], left))
        put_content(self._output, self.number, content[1], content[2], self._output.frame_max)

    def give_back(self, code: int, text: str, content: tuple[bytes, bytes, bytes]) -> None:
        """Return an unroutable message."""
        self._output.put(return_frame(self.number, code, text, content[0]))
        put_content(self._output, self.number, content[1], content[2], self._output.frame_max)

    def confirm(self, tag: i64, multiple: bool, taken: bool) -> None:
        """Confirm messages to their publisher, positively where they were taken."""
        self._output.put(confirm_frame(self.number, ACK if taken else NACK, tag, multiple))

    def fail(self, code: int, text: str, method: tuple[int, int] = (0, 0)) -> None:
        """Close from this side; a second call does nothing."""
        if self.open:
            self.open = False
            self.closing = True
            self.send(commands.Channel.Close(code, reply_text(code, text), method[0], method[1]))

    def end(self) -> None:
        """Answer the peer's close; if it crosses a close of this side, that is still to be answered."""
        self.open = False
        self.gone = not self.closing
        self.send(commands.Channel.CloseOk())

    def take_while_closing(self, number: i64) -> None:
        """[0-9-1 channel.close] All but the answer is discarded; a close of the peer has crossed ours."""
        if number == commands.Channel.CloseOk.index:
            self.closing = False
            self.gone = True
        elif number == commands.Channel.Close.index:
            self.send(commands.Channel.CloseOk())
