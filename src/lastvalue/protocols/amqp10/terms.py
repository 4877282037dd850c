"""What a link's two sides agreed on, and how far its life is [1.0 §2.6.3]."""

from typing import final

from lastvalue.codec.amqp10.performatives import AmqpError, Attach, Detach
from lastvalue.protocols.amqp10.transitions import Input, State, after
from lastvalue.protocols.amqp10.windows import Windows
from lastvalue.protocols.amqp10.wire import Wire
from lastvalue.protocols.engine import UsageError


@final
class Terms:
    """What a link agreed on, and how far its life is: the part that senders and receivers share.

    Attributes:
        name: of the link, unique for its direction between two containers.
        remote: the peer's attach, or None before it came.
        handle: this side's number for the link; `remote_handle` is the peer's.
    """

    __slots__ = (
        "channel",
        "handle",
        "name",
        "remote",
        "remote_handle",
        "state",
        "windows",
        "wire",
    )

    def __init__(self, name: str, handle: int, channel: int, wire: Wire, windows: Windows) -> None:
        self.name = name
        self.handle = handle
        self.channel = channel
        self.wire = wire
        self.windows = windows
        self.state = State.START
        self.remote: Attach | None = None
        self.remote_handle = -1

    @property
    def attached(self) -> bool:
        """Both sides have attached and neither has detached."""
        return self.state is State.OPEN

    def move(self, action: Input) -> bool:
        """Take a step of the link's life; false where its state does not allow it."""
        state = after(self.state, action)
        if state is None:
            return False
        self.state = state
        return True

    @property
    def closing(self) -> bool:
        """This side has sent its detach."""
        return self.state in (State.CLOSE_PIPELINED, State.CLOSE_SENT, State.CLOSED)

    def offer(self, attach: Attach) -> None:
        """Send this side's attach before the peer's."""
        self.move(Input.SEND_OPEN)
        self.wire.perform(attach, self.channel)

    def take_attach(self, attach: Attach) -> None:
        """The peer's attach."""
        self.move(Input.RECEIVE_OPEN)
        self.remote = attach
        self.remote_handle = attach.handle

    def answer(self, attach: Attach) -> bool:
        """Send this side's attach; false where the peer has left already, which is answered too."""
        if not self.move(Input.SEND_OPEN):
            raise UsageError(f"link {self.name!r} is {self.state.value}; it cannot be attached")
        self.wire.perform(attach, self.channel)
        if self.state is State.CLOSE_RECEIVED:
            self.move(Input.SEND_CLOSE)
            self.wire.perform(Detach(handle=self.handle, closed=True), self.channel)
            return False
        return True

    def detach(self, error: AmqpError | None, closed: bool) -> None:  # noqa: FBT001 - the wire's own field
        """Send a detach, unless one was sent."""
        if self.move(Input.SEND_CLOSE):
            self.wire.perform(Detach(handle=self.handle, closed=closed, error=error), self.channel)
