"""Sessions: links by handle, the windows, and the outcomes of deliveries [1.0 §2.5, §2.6]."""

from collections.abc import Mapping
from typing import final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp10.dispositions import DispositionHead, encode_disposition
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    ROLE_SENDER,
    SENDER_MIXED,
    Accepted,
    AmqpError,
    Attach,
    Begin,
    DeliveryState,
    Detach,
    End,
    Flow,
    Received,
    Source,
    Target,
)
from lastvalue.codec.amqp10.transfers import TransferHead
from lastvalue.codec.amqp10.values import Value
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.faults import SessionFault
from lastvalue.protocols.amqp10.receiver import ReceiverLink
from lastvalue.protocols.amqp10.sender import DeliverySettled, SenderLink
from lastvalue.protocols.amqp10.terms import Terms
from lastvalue.protocols.amqp10.transitions import Input, State, after
from lastvalue.protocols.amqp10.windows import HALF_SERIAL, OUTGOING_WINDOW, SERIAL, Windows
from lastvalue.protocols.amqp10.wire import Event, Wire
from lastvalue.protocols.engine import UsageError

ACCEPTED = Accepted()
Link = SenderLink | ReceiverLink


@final
class Session:
    """One session of a connection.

    Attributes:
        channel: this side's number for it; `remote_channel` is the peer's.
        links: by this side's handle.
        context: the owner's own.
    """

    __slots__ = (
        "_by_remote",
        "_free",
        "_handle_max",
        "_head",
        "_max_message_size",
        "_receivers",
        "channel",
        "context",
        "links",
        "remote_channel",
        "remote_handle_max",
        "state",
        "windows",
        "wire",
    )

    def __init__(
        self, channel: int, wire: Wire, incoming_window: int, handle_max: int, max_message_size: int
    ) -> None:
        self.channel = channel
        self.remote_channel = -1
        self.wire = wire
        self.windows = Windows(incoming_window)
        self.links: dict[int, Link] = {}
        self.context: object = None
        self.state = State.START
        self.remote_handle_max = SERIAL
        self._handle_max = handle_max
        self._max_message_size = max_message_size
        self._by_remote: dict[int, Link] = {}
        self._receivers: dict[int, ReceiverLink] = {}
        self._head = DispositionHead()
        self._free = 0

    # ------------------------------------------------------------------ life

    @property
    def open(self) -> bool:
        """Both sides have begun and neither has ended."""
        return self.state is State.OPEN

    def move(self, action: Input) -> bool:
        """Take a step of the session's life; false where its state does not allow it."""
        state = after(self.state, action)
        if state is None:
            return False
        self.state = state
        return True

    def begin(self, *, answering: bool) -> None:
        """Send this side's begin."""
        self.move(Input.SEND_OPEN)
        self.wire.perform(
            Begin(
                remote_channel=self.remote_channel if answering else None,
                next_outgoing_id=self.windows.next_outgoing_id,
                incoming_window=self.windows.incoming_window,
                outgoing_window=OUTGOING_WINDOW,
                handle_max=self._handle_max,
            ),
            self.channel,
        )

    def take_begin(self, begin: Begin, remote_channel: int) -> None:
        """The peer's begin."""
        self.move(Input.RECEIVE_OPEN)
        self.remote_channel = remote_channel
        self.windows.next_incoming_id = begin.next_outgoing_id
        self.windows.remote_incoming_window = begin.incoming_window
        self.remote_handle_max = begin.handle_max

    def end(self, error: AmqpError | None = None) -> None:
        """End the session; its links end with it."""
        if self.move(Input.SEND_CLOSE):
            self.wire.perform(End(error), self.channel)

    # ------------------------------------------------------------------ links of this side's making

    def attach_sender(
        self,
        name: str,
        target: Target,
        source: Source | None = None,
        *,
        settle_mode: int = SENDER_MIXED,
        desired_capabilities: tuple[str, ...] = (),
        properties: Mapping[str, Value] | None = None,
    ) -> SenderLink:
        """Attach a link to send on; LinkAttached or LinkDetached tells the peer's answer."""
        link = SenderLink(self._new_terms(name))
        self._offer(
            link,
            Attach(
                name=name,
                handle=link.terms.handle,
                role=ROLE_SENDER,
                snd_settle_mode=settle_mode,
                source=source if source is not None else Source(),
                target=target,
                initial_delivery_count=0,
                desired_capabilities=desired_capabilities,
                properties=properties or {},
            ),
        )
        return link

    def attach_receiver(
        self,
        name: str,
        source: Source,
        target: Target | None = None,
        *,
        settle_mode: int = SENDER_MIXED,
        desired_capabilities: tuple[str, ...] = (),
        properties: Mapping[str, Value] | None = None,
    ) -> ReceiverLink:
        """Attach a link to receive on; LinkAttached or LinkDetached tells the peer's answer."""
        link = ReceiverLink(self._new_terms(name), self._max_message_size)
        self._offer(
            link,
            Attach(
                name=name,
                handle=link.terms.handle,
                role=ROLE_RECEIVER,
                snd_settle_mode=settle_mode,
                source=source,
                target=target if target is not None else Target(),
                max_message_size=self._max_message_size or None,
                desired_capabilities=desired_capabilities,
                properties=properties or {},
            ),
        )
        return link

    def _offer(self, link: Link, attach: Attach) -> None:
        self.links[link.terms.handle] = link
        link.terms.offer(attach)

    def _new_terms(self, name: str) -> Terms:
        if self.state in (State.CLOSE_SENT, State.CLOSE_RECEIVED, State.CLOSED):
            raise UsageError("the session has ended; begin another")
        handle = self._free
        while handle in self.links:
            handle += 1
        if handle > self.remote_handle_max:
            raise UsageError(
                f"the peer takes {self.remote_handle_max + 1} links a session; begin another session"
            )
        self._free = handle + 1
        return Terms(name, handle, self.channel, self.wire, self.windows)

    # ------------------------------------------------------------------ what the peer sends

    def take_transfer(self, head: TransferHead, data: bytes, end: i64) -> None:
        """One transfer frame: data[head.payload_start:end] is the message, or a part of it."""
        windows = self.windows
        windows.next_incoming_id = (windows.next_incoming_id + 1) & SERIAL
        windows.incoming_window -= 1
        if windows.incoming_window < 0:
            raise SessionFault(Condition.WINDOW_VIOLATION, "a transfer beyond the session's incoming window")
        link = self._receivers.get(head.handle)
        if link is None:
            raise self._unattached(head.handle, "transfer")
        if link.terms.state is State.OPEN:
            link.take(head, data[head.payload_start : end])
        if windows.incoming_window * 2 <= windows.incoming_limit:
            self._open_window()

    def take_disposition(self, head: DispositionHead) -> None:
        """The peer's word on deliveries first to last."""
        if head.role != ROLE_RECEIVER:
            # The sender settles what this side has told the outcome of: nothing is kept here for it.
            return
        state: DeliveryState | None = ACCEPTED if head.accepted else head.state
        if not head.settled and (state is None or isinstance(state, Received)):
            return
        windows = self.windows
        events = self.wire.events
        unsettled = windows.unsettled
        for delivery_id in windows.in_range(head.first, head.last):
            sent = unsettled[delivery_id]
            del unsettled[delivery_id]
            link = self.links.get(sent.handle)
            if isinstance(link, SenderLink):
                events.append(DeliverySettled(link, delivery_id, sent.context, state))
        if not head.settled:
            self.wire.put(
                encode_disposition(self.channel, head.first, head.last, state, role=ROLE_SENDER, settled=True)
            )

    def take_flow(self, flow: Flow) -> None:
        """The peer's windows, and a link's credit."""
        windows = self.windows
        # [1.0 §2.5.6] Before it has seen our begin the peer counts from our initial outgoing id, 0.
        counted = flow.next_incoming_id if flow.next_incoming_id is not None else 0
        room: i64 = (counted + flow.incoming_window - windows.next_outgoing_id) & SERIAL
        windows.remote_incoming_window = room if room <= HALF_SERIAL else 0
        windows.send_parcels(self.wire)
        self.wire.events.append(WindowChanged(self))
        if flow.handle is None:
            if flow.echo:
                self._open_window()
            return
        link = self._by_remote.get(flow.handle)
        if link is None:
            raise self._unattached(flow.handle, "flow")
        if not link.terms.closing:
            link.take_flow(flow)

    def take_attach(self, attach: Attach) -> Link | None:
        """The peer's attach: an answer to this side's, or a new link for the owner to answer, returned."""
        if attach.handle > self._handle_max:
            raise SessionFault(Condition.FRAMING_ERROR, f"handle {attach.handle}; at most {self._handle_max}")
        if attach.handle in self._by_remote:
            raise SessionFault(
                Condition.HANDLE_IN_USE, f"handle {attach.handle} is attached; detach it first"
            )
        for link in self.links.values():
            terms = link.terms
            if (
                terms.name == attach.name
                and terms.remote is None
                and isinstance(link, SenderLink) == attach.role
            ):
                self._answered(link, attach)
                return None
        terms = self._new_terms(attach.name)
        made: Link = (
            SenderLink(terms) if attach.role == ROLE_RECEIVER else ReceiverLink(terms, self._max_message_size)
        )
        self._adopt(made, attach)
        self.wire.events.append(LinkAttached(self, made))
        return made

    def _answered(self, link: Link, attach: Attach) -> None:
        self._adopt(link, attach)
        # [1.0 §2.6.3] A null terminus is a refusal; a detach with the reason follows.
        refused = attach.source is None if isinstance(link, ReceiverLink) else attach.target is None
        if not refused:
            self.wire.events.append(LinkAttached(self, link))

    def _adopt(self, link: Link, attach: Attach) -> None:
        link.terms.take_attach(attach)
        self.links[link.terms.handle] = link
        self._by_remote[attach.handle] = link
        if isinstance(link, ReceiverLink):
            self._receivers[attach.handle] = link
            link.delivery_count = attach.initial_delivery_count or 0

    def take_detach(self, detach: Detach) -> None:
        """The peer's detach; answered at once."""
        link = self._by_remote.get(detach.handle)
        if link is None:
            raise self._unattached(detach.handle, "detach")
        ours_first = link.terms.closing
        link.terms.move(Input.RECEIVE_CLOSE)
        self.forget(link)
        if not ours_first or detach.error is not None:
            self.wire.events.append(LinkDetached(link, detach.closed, detach.error))
        if link.terms.state is not State.ABANDONED:
            link.terms.detach(None, detach.closed)

    def forget(self, link: Link) -> None:
        """Free a link's handles; what it sent and nobody settled is settled by nobody any more."""
        terms = link.terms
        self.links.pop(terms.handle, None)
        self._by_remote.pop(terms.remote_handle, None)
        self._receivers.pop(terms.remote_handle, None)
        self._free = min(self._free, terms.handle)
        unsettled = self.windows.unsettled
        for delivery_id in [number for number, sent in unsettled.items() if sent.handle == terms.handle]:
            del unsettled[delivery_id]
        if isinstance(link, SenderLink):
            link.abandon()

    def fault_link(self, remote_handle: int, error: AmqpError) -> None:
        """Detach the link that the peer misused; frames it still sends on it are ignored."""
        link = self._by_remote.get(remote_handle)
        if link is not None and not link.terms.closing:
            link.terms.detach(error, closed=True)
            self.wire.events.append(LinkDetached(link, closed=True, error=error))

    def _unattached(self, handle: int, performative: str) -> SessionFault:
        return SessionFault(
            Condition.UNATTACHED_HANDLE, f"a {performative} on handle {handle}, which is not attached"
        )

    def _open_window(self) -> None:
        windows = self.windows
        windows.incoming_window = windows.incoming_limit
        self.wire.perform(
            Flow(
                next_incoming_id=windows.next_incoming_id,
                incoming_window=windows.incoming_window,
                next_outgoing_id=windows.next_outgoing_id,
                outgoing_window=OUTGOING_WINDOW,
            ),
            self.channel,
        )


@final
@mypyc_attr(acyclic=True)
class LinkAttached(Event):
    """The peer attached: on a server a link to accept or to refuse, on a client the answer."""

    __slots__ = ("link", "session")

    def __init__(self, session: Session, link: Link) -> None:
        self.session = session
        self.link = link


@final
@mypyc_attr(acyclic=True)
class LinkDetached(Event):
    """The peer detached a link, or misused it so that it was detached."""

    __slots__ = ("closed", "error", "link")

    def __init__(self, link: Link, closed: bool, error: AmqpError | None) -> None:  # noqa: FBT001
        self.link = link
        self.closed = closed
        self.error = error


@final
@mypyc_attr(acyclic=True)
class WindowChanged(Event):
    """The peer told how many frames the session may send."""

    __slots__ = ("session",)

    def __init__(self, session: Session) -> None:
        self.session = session
