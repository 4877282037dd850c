"""Drives one AMQP 1.0 engine over one socket; it writes once per turn of the loop."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, cast

from lastvalue.client.errors import (
    AuthenticationError,
    ClientError,
    ConnectFailedError,
    ConnectionLostError,
    NotOpenError,
    RefusedError,
    again,
)
from lastvalue.client.redirect import Redirect, redirect_of
from lastvalue.codec.amqp10.performatives import (
    SENDER_SETTLED,
    SENDER_UNSETTLED,
    AmqpError,
    Coordinator,
    DeliveryState,
    Source,
    Target,
)
from lastvalue.codec.amqp10.values import Value
from lastvalue.model.conditions import Condition
from lastvalue.model.message import NEVER
from lastvalue.protocols.amqp10.connection import Connection, ConnectionClosed, ConnectionOpened
from lastvalue.protocols.amqp10.receiver import Delivery, DeliveryResumed, Drained, ReceiverLink
from lastvalue.protocols.amqp10.sender import (
    CreditChanged,
    DeliveriesAccepted,
    DeliverySettled,
    DeliveryTransacted,
    SenderLink,
)
from lastvalue.protocols.amqp10.session import (
    LinkAttached,
    LinkDetached,
    Session,
    SessionBegun,
    SessionEnded,
    WindowChanged,
)
from lastvalue.protocols.amqp10.wire import Event, LongAttachError

if TYPE_CHECKING:
    from lastvalue.client.tracing import Tracing

READ_SIZE_BYTES: Final = 65536
WRITE_SIZE_BYTES: Final = 65536
"""Bytes of output that are written at once, so that the broker has work while a busy sender continues."""

_UNASKED: Final = AmqpError(Condition.NOT_ALLOWED.amqp10, "the client begins sessions and links itself")


class LinkUser(Protocol):
    """The user of a link, which is the link's `context`."""

    def opened(self) -> None:
        """The peer has attached."""

    def ended(self, error: AmqpError | None) -> None:
        """The peer has detached."""

    def lost(self, error: ClientError) -> None:
        """The connection has ended."""


class SendingUser(LinkUser, Protocol):
    """The user of a sending link."""

    def may_send(self) -> None:
        """There is more credit, or room in the session's window or in the transport."""

    def settle(self, message: Any, state: DeliveryState | None) -> None:
        """Take the outcome of one message."""

    def accepted(self, messages: list[Any]) -> None:
        """These messages were accepted."""


class ReceivingUser(LinkUser, Protocol):
    """The user of a receiving link."""

    def arrived(self, delivery: Delivery) -> None:
        """Take a message that has come."""

    def drained(self) -> None:
        """The peer has used the credit or dropped it after a drain."""


class ReturningUser(LinkUser, Protocol):
    """The user of a link that is attached again after the connection was lost."""

    def interrupted(self, error: ConnectionLostError) -> None:
        """The connection is lost, and will be made again."""

    def resume(self) -> None:
        """The connection is there again: attach."""


class Driver(asyncio.BufferedProtocol):
    """Owns the engine and the socket of a connection; of one that reconnects, those of the time being.

    A user of the engine calls `schedule` afterwards; the output is written once, after the callbacks of the
    loop's turn.

    Attributes:
        engine: the connection's engine.
        session: the connection's one session, once begun; None while the connection is lost.
        failure: why the connection has ended, or None.
        writable: the transport takes more output without buffering.
        redirect: where the broker has sent this client last; its owner takes it.
        reconnects, redirects_only: a lost connection is made again; only one that was sent elsewhere is.
        tracing: makes spans of what is sent and received; None makes none.

    Args:
        on_interrupted: called when the connection is lost and the socket gone: the owner calls `begin`, or
            `give_up`. Without it a lost connection has ended.
    """

    engine: Connection
    _opened: asyncio.Future[None]
    _lost: asyncio.Future[None]

    def __init__(self, on_interrupted: Callable[[ConnectionLostError], None] | None = None) -> None:
        loop = asyncio.get_running_loop()
        self.session: Session | None = None
        self.failure: ClientError | None = None
        self.writable = True
        self.redirect: Redirect | None = None
        self.tracing: Tracing | None = None
        self._loop = loop
        self._where = ("", 0)
        self._begun: Session | None = None
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray(READ_SIZE_BYTES)
        self._view = memoryview(self._buffer)
        self._scheduled = False
        # In the order in which they came, in which they attach again.
        self._users: dict[LinkUser, None] = {}
        self._returning: dict[ReturningUser, None] = {}
        self.reconnects = on_interrupted is not None
        self.redirects_only = False
        self._on_interrupted = on_interrupted
        # Of which the owner learns once the socket is gone.
        self._interruption: ConnectionLostError | None = None
        self._usable = asyncio.Event()
        self._usable.set()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = NEVER
        self._links = 0

    async def until_open(self) -> None:
        """Wait until the connection and its session are open.

        Raises:
            ConnectFailedError: the connection or its session did not open.
        """
        await asyncio.shield(self._opened)

    async def until_usable(self) -> None:
        """While the connection is lost, wait until it is there again, or has ended."""
        # It may be lost again before the waiting call continues.
        while not self._usable.is_set():
            await self._usable.wait()

    def keep(self, user: ReturningUser) -> None:
        """Let a link's user attach again after the connection was lost."""
        self._returning[user] = None

    def begin(self, engine: Connection, host: str, port: int) -> None:
        """Begin with an engine for a new connection; the last socket, if there was one, is gone."""
        self.engine = engine
        self._where = (host, port)
        self._begun = None
        self._opened = self._loop.create_future()
        self._lost = self._loop.create_future()
        self.writable = True
        self._timer_at = NEVER

    async def drop(self) -> None:
        """End an attempt to open the connection, and wait until its socket is gone."""
        if self._transport is not None:
            self._transport.abort()
            await asyncio.wait([self._lost])

    def follow(self, redirect: Redirect | None) -> bool:
        """Connect to another broker, where this one sends the client there and the connection reconnects.

        Its links are attached there, as after a loss of the connection. Returns whether it does.
        """
        if redirect is None or not self.reconnects or self.failure is not None or self.session is None:
            return False
        self._note_redirect(redirect)
        self._end(f"the broker has sent this client to {redirect.host}:{redirect.port}", None)
        return True

    def _note_redirect(self, redirect: Redirect | None) -> None:
        self.redirect = redirect or self.redirect

    def give_up(self, failure: ClientError) -> None:
        """End the connection with this failure, as it cannot be made again."""
        self._fail(failure)

    async def close(self) -> None:
        """Close the connection and wait for its end; closing twice does nothing."""
        if self.failure is None:
            self._fail(NotOpenError("the connection is closed"))
            self.engine.close()
            self._write()
        if self._transport is not None:
            await asyncio.wait([self._lost])

    def abort(self) -> None:
        """End the connection at once, without a close frame."""
        self._fail(NotOpenError("the connection is closed"))
        if self._transport is not None:
            self._transport.abort()

    def attach_sender(
        self,
        user: SendingUser,
        address: str,
        *,
        settled: bool,
        target: Target | Coordinator | None = None,
        capabilities: tuple[str, ...] = (),
        properties: Mapping[str, Value] | None = None,
    ) -> SenderLink:
        """Attach a link that sends to a node, or to another target.

        Raises:
            ClientError: the connection has ended, for this reason.
            RefusedError: the attach is larger than the broker's frames.
        """
        with _refused_for_size(address):
            link = self._checked().attach_sender(
                self._link_name(address),
                Target(address=address) if target is None else target,
                settle_mode=SENDER_SETTLED if settled else SENDER_UNSETTLED,
                desired_capabilities=capabilities,
                properties=properties,
            )
        link.context = user
        self._users[user] = None
        self.schedule()
        return link

    def attach_receiver(
        self,
        user: ReceivingUser,
        source: Source,
        target: Target,
        *,
        settled: bool,
        capabilities: tuple[str, ...],
        properties: Mapping[str, Value] | None = None,
    ) -> ReceiverLink:
        """Attach a link that receives from a node.

        Raises:
            ClientError: the connection has ended, for this reason.
            RefusedError: the attach, with its filters, is larger than the broker's frames.
        """
        address = source.address or ""
        with _refused_for_size(address):
            link = self._checked().attach_receiver(
                self._link_name(address),
                source,
                target,
                settle_mode=SENDER_SETTLED if settled else SENDER_UNSETTLED,
                desired_capabilities=capabilities,
                properties=properties,
            )
        link.context = user
        self._users[user] = None
        self.schedule()
        return link

    def call(self, function: Callable[[], None]) -> None:
        """Let the loop call a function, from any thread; a closed loop ignores it."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function)

    def forget(self, user: LinkUser) -> None:
        """Forget a link that has ended."""
        self._users.pop(user, None)
        self._returning.pop(cast("ReturningUser", user), None)

    def schedule(self) -> None:
        """Write the engine's output in the loop's next turn."""
        if self.engine.output_size >= WRITE_SIZE_BYTES:
            self._write()
        elif not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._write)

    def settle_first(self) -> None:
        """Flush the outcomes that the engine collects into the output, before anything that follows."""
        if self.session is not None:
            self.session.settlements.flush()

    # ---- Calls of the transport.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio.Protocol; asyncio has set TCP_NODELAY."""
        self._transport = cast("asyncio.Transport", transport)
        self.engine.open()
        self._write()

    def get_buffer(self, sizehint: int) -> memoryview:
        """See asyncio.BufferedProtocol."""
        del sizehint
        return self._view

    def buffer_updated(self, nbytes: int) -> None:
        """See asyncio.BufferedProtocol."""
        self.engine.receive(bytes(self._view[:nbytes]), now())
        self._dispatch()
        self.schedule()

    def eof_received(self) -> None:
        """See asyncio.BufferedProtocol; the transport closes itself."""
        self.engine.receive_eof(now())
        self._dispatch()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.BufferedProtocol."""
        if exc is not None:
            self._end(f"the connection broke: {exc}", exc)
        else:
            self._end("the broker closed the connection", None)
        if self._timer is not None:
            self._timer.cancel()
        self._transport = None
        if not self._lost.done():
            self._lost.set_result(None)
        interruption, self._interruption = self._interruption, None
        self._release()
        if interruption is not None and self._on_interrupted is not None:
            self._on_interrupted(interruption)

    def pause_writing(self) -> None:
        """See asyncio.BufferedProtocol."""
        self.writable = False
        self.engine.wire.blocked = True

    def resume_writing(self) -> None:
        """See asyncio.BufferedProtocol."""
        self.writable = True
        self.engine.wire.blocked = False
        if self.engine.streaming:
            self.schedule()
        self._senders_go_on()

    # ---- Events of the engine.

    def _dispatch(self) -> None:
        engine = self.engine
        while happened := engine.events():
            for event in happened:
                if self._is_over:
                    return
                self._HANDLERS[type(event)](self, event)

    def _connection_opened(self, event: ConnectionOpened) -> None:
        # A broker that refuses the open closes at once: the reason is in the next event.
        del event
        if self.engine.opened:
            self._begun = self.engine.begin()

    def _session_begun(self, event: SessionBegun) -> None:
        if event.session is not self._begun:
            event.session.end(_UNASKED)
            return
        self.session = event.session
        event.session.joins_accepted = True
        self._opened.set_result(None)
        self._usable.set()
        for user in list(self._returning):
            user.resume()

    def _session_ended(self, event: SessionEnded) -> None:
        if event.session is self._begun:
            self._end("the broker ended the session", None, event.error)
            self.engine.close()

    def _connection_closed(self, event: ConnectionClosed) -> None:
        self._note_redirect(redirect_of(event.error))
        self._end("the broker closed the connection", None, event.error)

    def _link_attached(self, event: LinkAttached) -> None:
        if event.link.context is None:
            event.link.refuse(_UNASKED)
        else:
            cast("LinkUser", event.link.context).opened()

    def _link_detached(self, event: LinkDetached) -> None:
        if event.link.context is not None:
            user = cast("LinkUser", event.link.context)
            if self.follow(redirect_of(event.error)):
                return
            self.forget(user)
            user.ended(event.error)
            event.link.context = None
            if self.session is not None:
                self.session.drop_unsettled(event.link)

    def _credit_changed(self, event: CreditChanged) -> None:
        if event.link.context is not None:
            cast("SendingUser", event.link.context).may_send()
            event.link.drained()

    def _window_changed(self, event: WindowChanged) -> None:
        del event
        self._senders_go_on()

    def _delivery(self, event: Delivery) -> None:
        for delivery in event.each():
            cast("ReceivingUser", event.link.context).arrived(delivery)

    def _drained(self, event: Drained) -> None:
        cast("ReceivingUser", event.link.context).drained()

    def _delivery_resumed(self, event: DeliveryResumed) -> None:
        """[1.0 §2.7.5] The client has no unsettled deliveries of an earlier attachment, so ignore it."""

    def _delivery_settled(self, event: DeliverySettled) -> None:
        cast("SendingUser", event.link.context).settle(event.context, event.state)

    def _deliveries_accepted(self, event: DeliveriesAccepted) -> None:
        cast("SendingUser", event.link.context).accepted(event.contexts)

    def _delivery_transacted(self, event: DeliveryTransacted) -> None:
        event.link.settle(event.delivery_id, event.state)
        cast("SendingUser", event.link.context).settle(event.context, event.state)

    # A driver with a table of its own methods would refer to itself.
    _HANDLERS: ClassVar[dict[type[Event], Callable[[Any, Any], None]]] = {
        ConnectionOpened: _connection_opened,
        ConnectionClosed: _connection_closed,
        SessionBegun: _session_begun,
        SessionEnded: _session_ended,
        LinkAttached: _link_attached,
        LinkDetached: _link_detached,
        CreditChanged: _credit_changed,
        WindowChanged: _window_changed,
        Delivery: _delivery,
        DeliveryResumed: _delivery_resumed,
        DeliverySettled: _delivery_settled,
        DeliveriesAccepted: _deliveries_accepted,
        DeliveryTransacted: _delivery_transacted,
        Drained: _drained,
    }

    # ----

    def _checked(self) -> Session:
        if self.failure is not None:
            raise again(self.failure)
        if self.session is None:
            raise NotOpenError("the connection is not open yet; use `async with connect(...)`")
        return self.session

    def _link_name(self, address: str) -> str:
        self._links += 1
        return f"{address}-{self._links}"

    def _senders_go_on(self) -> None:
        if self.session is not None:
            for link in list(self.session.links.values()):
                if isinstance(link, SenderLink) and link.context is not None:
                    cast("SendingUser", link.context).may_send()

    @property
    def _is_over(self) -> bool:
        """Whether the socket is of no use any more: it was not opened, or the connection is lost."""
        return self._opened.done() and self.session is None

    def _end(self, text: str, cause: Exception | None, error: AmqpError | None = None) -> None:
        """The connection is lost, or could not be opened."""
        if self._is_over:
            return
        if error is not None:
            text = f"{text}: {error.description or error.condition}"
        if self.session is not None:
            lost = ConnectionLostError(text)
            lost.__cause__ = cause
            if self.reconnects and self.failure is None and (self.redirect or not self.redirects_only):
                self._interrupt(lost)
            else:
                self._fail(lost)
            return
        failure: ClientError
        if error is not None and error.condition == Condition.UNAUTHORIZED_ACCESS.amqp10:
            failure = AuthenticationError(*self._where, error.description or "wrong user or password")
        else:
            failure = ConnectFailedError(*self._where, text)
        failure.__cause__ = cause
        self._refuse_opening(failure)

    def _interrupt(self, error: ConnectionLostError) -> None:
        """The connection is lost, and will be made again: the users of links that end with it learn that."""
        self._interruption = error
        self.session = None
        self._usable.clear()
        users, self._users = self._users, dict.fromkeys(self._returning)
        for user in users:
            if user not in self._users:
                user.lost(error)
        for returning in list(self._returning):
            returning.interrupted(error)
        self._write()
        if self._transport is not None:
            self._transport.abort()

    def _release(self) -> None:
        """The socket is gone, and perhaps the connection has ended: refer to nobody who refers to this."""
        if self._begun is not None:
            for link in self._begun.links.values():
                link.context = None
        if self.failure is not None:
            self._on_interrupted = None

    def _refuse_opening(self, failure: ClientError) -> None:
        if not self._opened.done():
            self._opened.set_exception(failure)
            # Mark the exception as retrieved: perhaps no call waits for it.
            self._opened.exception()

    def _fail(self, failure: ClientError) -> None:
        if self.failure is not None:
            return
        self.failure = failure
        self._usable.set()
        self._refuse_opening(failure)
        users = [*self._users, *(user for user in self._returning if user not in self._users)]
        self._users = {}
        self._returning = {}
        for user in users:
            user.lost(failure)
        if self._transport is None:
            self._release()

    def _write(self) -> None:
        self._scheduled = False
        transport = self._transport
        if transport is None:
            return
        data = self.engine.data_to_send()
        if data:
            transport.write(data)
        if self.engine.finished:
            transport.close()
            return
        if self.engine.streaming:
            self.schedule()
        if self.engine.wire.events:
            # The output of large messages that was written made room for other messages.
            self._loop.call_soon(self._dispatch)
        deadline = self.engine.next_deadline()
        if deadline != self._timer_at:
            self._set_timer(deadline)

    def _set_timer(self, deadline: int) -> None:
        # Moving a timer at each frame costs more than waking up too early sometimes.
        if self._timer is not None:
            if self._timer_at <= deadline:
                return
            self._timer.cancel()
            self._timer = None
        self._timer_at = deadline
        if deadline != NEVER:
            self._timer = self._loop.call_later(max(0, deadline - now()) / 1000, self._advance)

    def _advance(self) -> None:
        self._timer = None
        self._timer_at = NEVER
        self.engine.advance(now())
        self._dispatch()
        self._write()


def now() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


@contextlib.contextmanager
def _refused_for_size(address: str) -> Iterator[None]:
    """A link whose attach does not fit into a frame is refused before it is sent; the connection stays."""
    try:
        yield
    except LongAttachError as error:
        raise RefusedError(f"{address!r} cannot be asked so", error.condition.amqp10, str(error)) from None
