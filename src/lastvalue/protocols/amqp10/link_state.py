"""The state of a link, and what its two sides agreed on [1.0 §2.6.3]."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, final

from lastvalue.codec.amqp10.performatives import AmqpError, Attach, Detach
from lastvalue.codec.amqp10.values import Value
from lastvalue.protocols.amqp10.settlements import Settlements
from lastvalue.protocols.amqp10.transitions import Input, State, after
from lastvalue.protocols.amqp10.windows import Windows
from lastvalue.protocols.amqp10.wire import Wire
from lastvalue.protocols.engine import UsageError

OPEN: Final = State.OPEN
OPEN_SENT: Final = State.OPEN_SENT
_CLOSING: Final = (State.CLOSE_PIPELINED, State.CLOSE_SENT, State.CLOSED)


@final
class LinkState:
    """The state of a link that senders and receivers share.

    Attributes:
        name: of the link, unique for its direction between two containers.
        remote: the peer's attach, or None before it came.
        handle: this side's number for the link; `remote_handle` is the peer's.
        close_refusal: asked when the peer closes the link: why the owner keeps what would end with it.
        live: its deliveries may get outcomes: it was neither closed nor detached with an error [1.0 §2.7.6].
    """

    __slots__ = (
        "_pending_detach",
        "channel",
        "close_refusal",
        "handle",
        "live",
        "name",
        "remote",
        "remote_handle",
        "settlements",
        "state",
        "windows",
        "wire",
    )

    def __init__(
        self, name: str, handle: int, channel: int, wire: Wire, windows: Windows, settlements: Settlements
    ) -> None:
        self.name = name
        self.handle = handle
        self.channel = channel
        self.wire = wire
        self.windows = windows
        self.settlements = settlements
        self.state = State.START
        self.live = True
        self.close_refusal: Callable[[], AmqpError | None] | None = None
        self.remote: Attach | None = None
        self.remote_handle = -1
        self._pending_detach: Detach | None = None

    @property
    def attached(self) -> bool:
        """Both sides have attached and neither has detached."""
        return self.state is OPEN

    @property
    def closing(self) -> bool:
        """This side has sent its detach, or sends it with its attach, or cannot send one any more."""
        return self._pending_detach is not None or self.state in _CLOSING

    def move(self, action: Input) -> bool:
        """Take a step of the link's state; false where the state does not allow it."""
        state = after(self.state, action)
        if state is None:
            return False
        self.state = state
        return True

    def lose(self) -> None:
        """The session is over, and the link with it; nothing is sent for it any more."""
        self.state = State.CLOSED
        self.live = False

    def offer(self, attach: Attach) -> None:
        """Send this side's attach before the peer's.

        Raises:
            LongAttachError: it is larger than the peer's frames.
        """
        self.wire.attach(attach, self.channel)
        self.move(Input.SEND_OPEN)

    def take_attach(self, attach: Attach) -> None:
        """The peer's attach."""
        self.move(Input.RECEIVE_OPEN)
        self.remote = attach
        self.remote_handle = attach.handle

    def answer(self, attach: Attach) -> None:
        """Send this side's attach; detach at once where the link has ended meanwhile.

        Raises:
            UsageError: the attach was sent before.
            LongAttachError: it is larger than the peer's frames; another one can be sent.
        """
        if self.state is State.CLOSED:
            return
        answered = after(self.state, Input.SEND_OPEN)
        if answered is None:
            raise UsageError(f"link {self.name!r} is {self.state.value}; it can be answered once")
        self.wire.attach(attach, self.channel)
        self.state = answered
        pending = self._pending_detach
        if pending is not None:
            self._pending_detach = None
            self.detach(pending.error, pending.closed)

    def ends(self, error: AmqpError | None, closed: bool) -> None:
        """One side detaches the link in this way."""
        if closed or error is not None:
            self.live = False

    def detach(self, error: AmqpError | None, closed: bool) -> None:
        """Send a detach, unless one was sent; it follows this side's answer to the peer's attach."""
        self.ends(error, closed)
        performative = Detach(handle=self.handle, closed=closed, error=error)
        if self.state is State.OPEN_RECEIVED or self.state is State.ABANDONED:
            self._pending_detach = self._pending_detach or performative
        elif self.move(Input.SEND_CLOSE):
            self.settlements.flush()
            self.wire.perform(performative, self.channel)

    def tell(
        self,
        delivery_count: int | None,
        credit: int,
        *,
        drain: bool,
        properties: Mapping[str, Value] | None = None,
    ) -> bool:
        """Send a flow for the link; false where this side has not attached or has detached."""
        if self.state is not OPEN and self.state is not OPEN_SENT:
            return False
        flow = replace(
            self.windows.flow(),
            handle=self.handle,
            delivery_count=delivery_count,
            link_credit=credit,
            drain=drain,
            properties=properties or {},
        )
        self.wire.perform(flow, self.channel)
        return True


class LinkEnd:
    """This side of a link, whichever way it sends.

    Attributes:
        context: belongs to the owner.
    """

    __slots__ = ("context", "link_state")

    def __init__(self, link_state: LinkState) -> None:
        self.link_state = link_state
        self.context: object = None

    @final
    @property
    def name(self) -> str:
        """The link's name."""
        return self.link_state.name

    @final
    @property
    def attached(self) -> bool:
        """Both sides have attached and neither has detached."""
        return self.link_state.attached

    @final
    @property
    def remote(self) -> Attach | None:
        """The peer's attach; its max_message_size bounds what may be sent."""
        return self.link_state.remote

    @final
    def asked(self) -> Attach:
        """The peer's attach, which this side has to answer.

        Raises:
            UsageError: this side attached the link.
        """
        remote = self.link_state.remote
        if remote is None:
            raise UsageError(f"link {self.name!r} was not attached by the peer")
        return remote
