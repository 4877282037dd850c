"""Sessions: links by handle, the windows, and the outcomes of deliveries [1.0 §2.5, §2.6]."""

from collections.abc import Mapping
from typing import Final, TypeAlias, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.performatives import (
    RECEIVER_FIRST,
    ROLE_RECEIVER,
    ROLE_SENDER,
    SENDER_MIXED,
    Accepted,
    AmqpError,
    Attach,
    Begin,
    Coordinator,
    DeliveryState,
    Detach,
    End,
    Flow,
    Received,
    Source,
    Target,
    TransactionalState,
)
from lastvalue.codec.amqp10.shortcuts.dispositions import DispositionHead, encode_disposition
from lastvalue.codec.amqp10.shortcuts.transfers import TransferHead
from lastvalue.codec.amqp10.values import Value
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.faults import PeerFault, SessionFault, peer_error
from lastvalue.protocols.amqp10.handles import Handles, LinksByName
from lastvalue.protocols.amqp10.link_state import LinkState
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.amqp10.receiver import ReceiverLink
from lastvalue.protocols.amqp10.sender import (
    MOST_JOINED,
    DeliveriesAccepted,
    DeliverySettled,
    DeliveryTransacted,
    SenderLink,
)
from lastvalue.protocols.amqp10.settlements import Settlements
from lastvalue.protocols.amqp10.transitions import Input, State, after
from lastvalue.protocols.amqp10.windows import OUTGOING_WINDOW, SERIAL, Unsettled, Windows
from lastvalue.protocols.amqp10.wire import Event, Wire
from lastvalue.protocols.engine import UsageError

ACCEPTED: Final = Accepted()
OPEN: Final = State.OPEN
Link: TypeAlias = SenderLink | ReceiverLink


@final
class Session:
    """One session of a connection.

    Attributes:
        channel: this side's number for it; `remote_channel` is the peer's.
        joins_accepted: the owner takes DeliveriesAccepted.
        keeps_outcomes: the owner retains outcomes until the sender settles, see SettledBySender.
        settles_later: the owner settles deliveries that the peer has sent an outcome for, see
            SettlementAsked.
        context: belongs to the owner.
    """

    __slots__ = (
        "_handles",
        "_largest_frame",
        "_options",
        "_remote_handle_max",
        "channel",
        "context",
        "joins_accepted",
        "keeps_outcomes",
        "remote_channel",
        "settlements",
        "settles_later",
        "state",
        "windows",
        "wire",
    )

    def __init__(self, channel: int, wire: Wire, options: ConnectionOptions, names: LinksByName) -> None:
        self.channel = channel
        self.remote_channel = -1
        self.wire = wire
        self.windows = Windows(options.incoming_window, options.max_unsettled)
        self.settlements = Settlements(channel, wire)
        self.context: object = None
        self.keeps_outcomes = False
        self.settles_later = False
        self.joins_accepted = False
        self.state = State.START
        self._options = options
        self._largest_frame: i64 = options.max_frame_size
        self._remote_handle_max = SERIAL
        self._handles = Handles(names)

    # ------------------------------------------------------------------ life

    @property
    def open(self) -> bool:
        """Both sides have begun and neither has ended."""
        return self.state is OPEN

    @property
    def links(self) -> dict[int, Link]:
        """The links by this side's handle; after the session's end, those that ended with it."""
        return self._handles.by_local

    def move(self, action: Input) -> bool:
        """Take a step of the session's state; false where the state does not allow it."""
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
                handle_max=self._options.handle_max,
            ),
            self.channel,
        )

    def take_begin(self, begin: Begin, remote_channel: int) -> None:
        """The peer's begin."""
        self.move(Input.RECEIVE_OPEN)
        self.remote_channel = remote_channel
        self.windows.next_incoming_id = begin.next_outgoing_id
        self.windows.remote_incoming_window = begin.incoming_window
        self._remote_handle_max = begin.handle_max

    def end(self, error: AmqpError | None = None) -> None:
        """End the session, and its links with it; an ended session stays ended."""
        if self.move(Input.SEND_CLOSE):
            self.settlements.flush()
            self.wire.perform(End(error), self.channel)
            self._lose()

    def cut(self) -> None:
        """The connection is over, and the session and its links with it."""
        self.state = State.CLOSED
        self._lose()

    def _lose(self) -> None:
        """Send nothing for the session and its links any more."""
        self.settlements.closed = True
        self._handles.lose()
        self.windows.unsettled.clear()

    # ------------------------------------------------------------------ links of this side's making

    def attach_sender(
        self,
        name: str,
        target: Target | Coordinator,
        source: Source | None = None,
        *,
        settle_mode: int = SENDER_MIXED,
        desired_capabilities: tuple[str, ...] = (),
        properties: Mapping[str, Value] | None = None,
    ) -> SenderLink:
        """Attach a link to send on; LinkAttached or LinkDetached is the peer's answer.

        Raises:
            UsageError: the session is not open, the name is in use, or the peer allows no further link.
            LongAttachError: the attach is larger than the peer's frames.
        """
        link = SenderLink(self._new_terms(name, remote_role=ROLE_RECEIVER))
        attach = Attach(
            name=name,
            handle=link.link_state.handle,
            role=ROLE_SENDER,
            snd_settle_mode=settle_mode,
            source=source if source is not None else Source(),
            target=target,
            initial_delivery_count=0,
            desired_capabilities=desired_capabilities,
            properties=properties or {},
        )
        link.link_state.offer(attach)
        self._handles.add(link)
        return link

    def attach_receiver(  # noqa: PLR0913 - the attach's own fields
        self,
        name: str,
        source: Source,
        target: Target | None = None,
        *,
        settle_mode: int = SENDER_MIXED,
        rcv_settle_mode: int = RECEIVER_FIRST,
        desired_capabilities: tuple[str, ...] = (),
        properties: Mapping[str, Value] | None = None,
    ) -> ReceiverLink:
        """Attach a link to receive on; LinkAttached or LinkDetached is the peer's answer.

        Raises:
            UsageError: the session is not open, the name is in use, or the peer allows no further link.
            LongAttachError: the attach is larger than the peer's frames.
        """
        link = ReceiverLink(self._new_terms(name, remote_role=ROLE_SENDER), self._options.max_message_size)
        attach = Attach(
            name=name,
            handle=link.link_state.handle,
            role=ROLE_RECEIVER,
            snd_settle_mode=settle_mode,
            rcv_settle_mode=rcv_settle_mode,
            source=source,
            target=target if target is not None else Target(),
            max_message_size=self._options.max_message_size or None,
            desired_capabilities=desired_capabilities,
            properties=properties or {},
        )
        link.link_state.offer(attach)
        self._handles.add(link)
        return link

    def _new_terms(self, name: str, *, remote_role: bool) -> LinkState:
        handles = self._handles
        if self.state is not OPEN and self.state is not State.OPEN_SENT:
            raise UsageError(f"the session is {self.state.value}; a link needs one that is open")
        present = handles.named(name, remote_role=remote_role)
        if present is not None and not present.link_state.closing:
            raise UsageError(f"link {name!r} exists; use another name")
        handle = handles.free()
        if handle > self._remote_handle_max:
            raise UsageError(
                f"the peer takes {self._remote_handle_max + 1} links a session; begin another session"
            )
        return self._terms(name, handle)

    def _terms(self, name: str, handle: int) -> LinkState:
        return LinkState(name, handle, self.channel, self.wire, self.windows, self.settlements)

    # ------------------------------------------------------------------ what the peer sends

    def take_transfer(self, head: TransferHead, data: bytes, start: i64, end: i64) -> i64:
        """Process data[start:end], a transfer frame, and frames after it that are alike; the end of the last.

        data[head.payload_start:end] is the message, or a part of it.
        """
        windows = self.windows
        windows.next_incoming_id = (windows.next_incoming_id + 1) & SERIAL
        window: i64 = windows.incoming_window - 1
        windows.incoming_window = window
        if window * 2 <= windows.incoming_limit:
            if window < 0:
                raise SessionFault(
                    Condition.WINDOW_VIOLATION, "a transfer beyond the session's incoming window"
                )
            self._open_window()
        link = self._handles.receiver(head.handle)
        if link is None:
            raise self._unattached(head.handle, "transfer")
        if link.link_state.state is not OPEN and link.link_state.closing:
            return end
        delivery = link.take(head, data[head.payload_start : end])
        return end if delivery is None else link.take_alike(delivery, head, data, start, self._largest_frame)

    def take_disposition(self, head: DispositionHead) -> None:
        """Process a disposition of the peer."""
        if head.role != ROLE_RECEIVER:
            # The sender settles deliveries whose outcome it has: this side keeps nothing of them.
            if head.settled and self.keeps_outcomes:
                self.wire.events.append(SettledBySender(self, head.first, head.last))
            return
        state: DeliveryState | None = ACCEPTED if head.accepted else head.state
        if not head.settled and (state is None or isinstance(state, Received)):
            return
        if not head.settled and isinstance(state, TransactionalState):
            self._take_transacted(head, state)
            return
        windows = self.windows
        events = self.wire.events
        before = len(windows.unsettled)
        was_full = before >= windows.unsettled_limit
        if self.joins_accepted and head.accepted and head.first != head.last:
            self._accept(head.first, head.last)
        else:
            self._settle(windows.in_range(head.first, head.last), state)
        if len(windows.unsettled) < before and not head.settled:
            # [1.0 §2.6.12] The receiver keeps the delivery until the sender has settled.
            if self.settles_later:
                events.append(SettlementAsked(self, head.first, head.last, state))
            else:
                self.settle_sent(head.first, head.last, state)
        if was_full and windows.open:
            events.append(WindowChanged(self))

    def _settle(self, numbers: list[int], state: DeliveryState | None) -> None:
        unsettled = self.windows.unsettled
        for delivery_id in numbers:
            sent = unsettled[delivery_id]
            del unsettled[delivery_id]
            link = sent.link
            if isinstance(link, SenderLink):
                self.wire.events.append(DeliverySettled(link, delivery_id, sent.context, state))

    def _accept(self, first: i64, last: i64) -> None:
        """Settle deliveries that the peer accepted together."""
        windows = self.windows
        unsettled = windows.unsettled
        event: DeliveriesAccepted | None = None
        left: i64 = ((last - first) & SERIAL) + 1
        if left > len(unsettled):
            for number in windows.in_range(first, last):
                event = self._accept_one(number, unsettled[number], event)
            return
        while left > 0:
            delivery_id: int = first
            sent = unsettled.get(delivery_id)
            if sent is not None:
                event = self._accept_one(delivery_id, sent, event)
            first = (first + 1) & SERIAL
            left -= 1

    def _accept_one(
        self, delivery_id: int, sent: Unsettled, event: DeliveriesAccepted | None
    ) -> DeliveriesAccepted | None:
        """Settle a delivery by the last event, or by a new one, which is then the last."""
        # Not `pop`, which costs the compiled code several times as much.
        del self.windows.unsettled[delivery_id]
        link = sent.link
        if isinstance(link, SenderLink):
            if event is None or event.link is not link or len(event.numbers) == MOST_JOINED:
                event = DeliveriesAccepted(link)
                self.wire.events.append(event)
            event.numbers.append(delivery_id)
            event.contexts.append(sent.context)
        return event

    def settle_sent(self, first: i64, last: i64, state: DeliveryState | None) -> None:
        """Settle deliveries that the peer has sent an outcome for, unless the session has ended."""
        if self.state is OPEN:
            self.wire.put(
                encode_disposition(self.channel, first, last, state, role=ROLE_SENDER, settled=True)
            )

    def _take_transacted(self, head: DispositionHead, state: TransactionalState) -> None:
        """[1.0 §4.4.2] Both sides keep the deliveries until the transaction is over."""
        for delivery_id in self.windows.in_range(head.first, head.last):
            sent = self.windows.unsettled[delivery_id]
            link = sent.link
            if isinstance(link, SenderLink):
                self.wire.events.append(DeliveryTransacted(link, delivery_id, sent.context, state))

    def take_flow(self, flow: Flow) -> None:
        """Process a flow frame: the peer's windows, and a link's credit."""
        windows = self.windows
        was_open = windows.open
        windows.take_flow(flow)
        self.stream(was_open)
        if flow.handle is None:
            if flow.echo:
                self._open_window()
            return
        link = self._handles.by_remote.get(flow.handle)
        if link is None:
            raise self._unattached(flow.handle, "flow")
        if not link.link_state.closing:
            link.take_flow(flow)

    def stream(self, was_open: bool) -> None:
        """Send waiting messages as far as there is room; WindowChanged reports that none wait any more."""
        windows = self.windows
        windows.send_parcels(self.wire)
        if not windows.partials and windows.drain_waits:
            windows.drain_waits = False
            for waiting in self._handles.by_local.values():
                if isinstance(waiting, SenderLink):
                    waiting.go_on()
        if windows.open and not was_open:
            self.wire.events.append(WindowChanged(self))

    def take_attach(self, attach: Attach) -> None:
        """Process an attach: an answer to this side's, or a new link that the owner answers."""
        handles = self._handles
        if attach.handle > self._options.handle_max:
            # [1.0 §2.7.2] A handle outside the supported range closes the connection.
            raise PeerFault(
                Condition.FRAMING_ERROR, f"handle {attach.handle}; at most {self._options.handle_max}"
            )
        if attach.handle in handles.by_remote:
            raise SessionFault(
                Condition.HANDLE_IN_USE, f"handle {attach.handle} is attached; detach it first"
            )
        present = handles.named(attach.name, remote_role=attach.role)
        if present is not None and present.link_state.remote is None:
            self._take_answer(present, attach)
            return
        if present is not None:
            self._steal(present)
        handle = handles.free()
        if handle > self._remote_handle_max:
            raise SessionFault(
                Condition.RESOURCE_LIMIT_EXCEEDED, f"this side may not use a handle over {handle - 1}"
            )
        link_state = self._terms(attach.name, handle)
        link: Link = (
            SenderLink(link_state)
            if attach.role == ROLE_RECEIVER
            else ReceiverLink(link_state, self._options.max_message_size)
        )
        handles.add(link)
        handles.join(link, attach)
        self.wire.events.append(LinkAttached(self, link))

    def _take_answer(self, link: Link, attach: Attach) -> None:
        if link.link_state.channel != self.channel:
            raise SessionFault(
                Condition.NOT_ALLOWED, "a link is answered on the session on which it was attached"
            )
        self._handles.join(link, attach)
        # [1.0 §2.6.3] A null terminus is a refusal; a detach with the reason follows.
        refused = attach.source is None if isinstance(link, ReceiverLink) else attach.target is None
        if not refused and link.link_state.attached:
            self.wire.events.append(LinkAttached(self, link))

    def _steal(self, link: Link) -> None:
        """[1.0 §2.6.1] The second attach of a link succeeds, and the first one is closed."""
        if not link.link_state.closing:
            error = peer_error(Condition.STOLEN, f"link {link.name!r} was attached again")
            self.wire.events.append(LinkDetached(link, closed=True, error=error))
            link.detach(error)

    def take_detach(self, detach: Detach) -> None:
        """Process a detach, and answer it."""
        link = self._handles.by_remote.get(detach.handle)
        if link is None:
            raise self._unattached(detach.handle, "detach")
        if not link.link_state.closing or detach.error is not None:
            self.wire.events.append(LinkDetached(link, detach.closed, detach.error))
        if not detach.closed and isinstance(link, SenderLink):
            link.keep()
        refuses = link.link_state.close_refusal
        refusal = refuses() if refuses is not None and detach.closed and detach.error is None else None
        link.link_state.ends(detach.error, detach.closed)
        link.link_state.move(Input.RECEIVE_CLOSE)
        link.detach(refusal, closed=detach.closed)
        self._handles.remove(link)
        if not link.link_state.live:
            self.drop_unsettled(link)

    def drop_unsettled(self, link: Link) -> None:
        """The deliveries of a detached link get no outcomes any more."""
        windows = self.windows
        was_full = len(windows.unsettled) >= windows.unsettled_limit
        windows.drop_unsettled(link)
        if was_full and windows.open:
            self.wire.events.append(WindowChanged(self))

    def fault_link(self, remote_handle: int, error: AmqpError) -> None:
        """Detach a link for a fault of the peer; further frames on it are ignored."""
        link = self._handles.by_remote.get(remote_handle)
        if link is not None and not link.link_state.closing:
            self.wire.events.append(LinkDetached(link, closed=True, error=error))
            link.detach(error)

    def _unattached(self, handle: int, performative: str) -> SessionFault:
        return SessionFault(
            Condition.UNATTACHED_HANDLE, f"a {performative} on handle {handle}, which is not attached"
        )

    def _open_window(self) -> None:
        windows = self.windows
        windows.incoming_window = windows.incoming_limit
        self.wire.perform(windows.flow(), self.channel)


@final
class SessionBegun(Event):
    """The peer began a session, or answered this side's begin."""

    __slots__ = ("session",)

    def __init__(self, session: Session) -> None:
        self.session = session


@final
class SessionEnded(Event):
    """The peer ended a session, or its fault did, and not this side; its links are gone. It comes once."""

    __slots__ = ("error", "session")

    def __init__(self, session: Session, error: AmqpError | None) -> None:
        self.session = session
        self.error = error


@final
class LinkAttached(Event):
    """The peer attached: on a server a link to accept or to refuse, on a client the answer."""

    __slots__ = ("link", "session")

    def __init__(self, session: Session, link: Link) -> None:
        self.session = session
        self.link = link


@final
class LinkDetached(Event):
    """The peer detached a link, or it was detached for a fault of the peer; it has ended.

    The event comes once for a link, and not where this side detached first, unless the peer names an error.
    """

    __slots__ = ("closed", "error", "link")

    def __init__(self, link: Link, closed: bool, error: AmqpError | None) -> None:
        self.link = link
        self.closed = closed
        self.error = error


@final
class SettlementAsked(Event):
    """The peer sent an outcome of the deliveries first to last, and keeps them until `settle_sent`."""

    __slots__ = ("first", "last", "session", "state")

    def __init__(self, session: Session, first: i64, last: i64, state: DeliveryState | None) -> None:
        self.session = session
        self.first: i64 = first
        self.last: i64 = last
        self.state = state


@final
class SettledBySender(Event):
    """The peer has settled the deliveries first to last, which came on this session."""

    __slots__ = ("first", "last", "session")

    def __init__(self, session: Session, first: i64, last: i64) -> None:
        self.session = session
        self.first: i64 = first
        self.last: i64 = last


@final
class WindowChanged(Event):
    """A session can send again: the peer takes frames, or has settled enough deliveries."""

    __slots__ = ("session",)

    def __init__(self, session: Session) -> None:
        self.session = session
