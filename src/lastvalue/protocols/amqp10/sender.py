"""Links on which this side sends [1.0 §2.6.7]."""

from collections.abc import Callable, Mapping
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.performatives import (
    ROLE_SENDER,
    SENDER_SETTLED,
    AmqpError,
    Attach,
    Coordinator,
    DeliveryState,
    Flow,
    Source,
    Target,
    TransactionalState,
)
from lastvalue.codec.amqp10.shortcuts.dispositions import encode_disposition
from lastvalue.codec.amqp10.shortcuts.shared_frames import SharedFrames
from lastvalue.codec.amqp10.shortcuts.transfers import (
    MAX_TRANSFER_HEAD_SIZE,
    TAGGED_SIZE,
    HeadPattern,
    TransferWriter,
)
from lastvalue.codec.amqp10.values import Described, Value
from lastvalue.protocols.amqp10.link_state import OPEN, LinkEnd, LinkState
from lastvalue.protocols.amqp10.transitions import State
from lastvalue.protocols.amqp10.windows import SERIAL, PartialDelivery, Unsettled, head_size, passed
from lastvalue.protocols.amqp10.wire import Event
from lastvalue.protocols.engine import UsageError

_TXN_ID: Final = "txn-id"
# Most links resume nothing: they share these, which stay empty.
_NO_CONTEXTS: Final[dict[bytes, object]] = {}
_NO_TAGS: Final[dict[int, bytes]] = {}

MOST_JOINED: Final = 25
"""This many deliveries are accepted in one event, at most."""

SMALL_BYTES: Final = 4096
"""Smaller messages may be counted together: they fit into a frame of most peers."""


@final
class SenderLink(LinkEnd):
    """A link on which this side sends.

    Attributes:
        credit: messages the peer still takes.
        delivery_count: messages sent, and credit given up.
        drain: the peer asks this side to use its credit now or to give it up.
        settles: every message has to be sent settled (snd-settle-mode settled).
        keeps: a link that ends without being closed keeps its unsettled deliveries.
        told: the properties that the peer's last flows had, until the owner takes them; or None.
        unsettled_contexts: their contexts, as passed to `send`, by delivery tag.
    """

    __slots__ = (
        "_drain_due",
        "_owes_flow",
        "_resumed",
        "_spare",
        "_writer",
        "credit",
        "delivery_count",
        "drain",
        "keeps",
        "settles",
        "told",
        "unsettled_contexts",
    )

    def __init__(self, link_state: LinkState) -> None:
        super().__init__(link_state)
        self.credit: i64 = 0
        self.delivery_count: i64 = 0
        self.drain = False
        self.settles = False
        self.told: Mapping[str, Value] | None = None
        self._owes_flow = False
        self._drain_due = False
        self.keeps = False
        self.unsettled_contexts: dict[bytes, object] = _NO_CONTEXTS
        self._resumed: dict[int, bytes] = _NO_TAGS
        self._spare: i64 = 0
        self._writer = TransferWriter(link_state.channel, link_state.handle)

    def sendable(self) -> bool:
        """Whether `send` would write a message now.

        That takes credit, room in the session's window, and fewer unsettled deliveries than its limit.
        CreditChanged and WindowChanged report that it may have become true.
        """
        windows = self.link_state.windows
        return (
            self.credit > 0
            and windows.remote_incoming_window > 0
            and not windows.partials
            and len(windows.unsettled) < windows.unsettled_limit
        )

    # ------------------------------------------------------------------ life

    def accept(
        self,
        source: Source | Described | None,
        target: Target | Coordinator | Described | None,
        *,
        offered_capabilities: tuple[str, ...] = (),
        properties: Mapping[str, Value] | None = None,
        unsettled: Mapping[Value, Value] | None = None,
        incomplete_unsettled: bool = False,
    ) -> None:
        """Server side: attach in answer to the peer, with the actual termini.

        Answer the links of a session in the order in which they were attached.
        A link that has ended meanwhile stays ended.
        `unsettled` are the deliveries of an earlier link that `resume` sends again, by tag;
        `incomplete_unsettled` says that there are more.

        Raises:
            UsageError: the link was answered before, or this side attached it.
            LongAttachError: the answer is larger than the peer's frames; it can be answered otherwise.
        """
        remote = self.asked()
        self.link_state.answer(
            Attach(
                name=self.name,
                handle=self.link_state.handle,
                role=ROLE_SENDER,
                snd_settle_mode=remote.snd_settle_mode,
                rcv_settle_mode=remote.rcv_settle_mode,
                source=source,
                target=target,
                unsettled=unsettled,
                incomplete_unsettled=incomplete_unsettled,
                initial_delivery_count=0,
                offered_capabilities=offered_capabilities,
                properties=properties or {},
            )
        )
        if not self.link_state.attached:
            self.credit = 0
        elif self._owes_flow:
            self._tell(drain=False)

    def refuse(self, error: AmqpError) -> None:
        """Server side: answer with no source, and detach at once [1.0 §2.6.3]."""
        if self.link_state.state is State.OPEN_RECEIVED or self.link_state.state is State.ABANDONED:
            self.accept(None, self.link_state.remote.target if self.link_state.remote is not None else None)
        self.detach(error)

    def detach(self, error: AmqpError | None = None, *, closed: bool = True) -> None:
        """End the link, or detach it so that it can be resumed; unsent messages are dropped."""
        if not closed and self.link_state.attached:
            self.keep()
        self.abandon()
        self.link_state.detach(error, closed)

    def lose(self) -> None:
        """The session is over."""
        if self.link_state.attached:
            self.keep()
        self.abandon()
        self.link_state.lose()

    def joined(self, remote: Attach) -> None:
        """The peer's attach."""
        self.link_state.take_attach(remote)
        self.settles = remote.snd_settle_mode == SENDER_SETTLED

    def keep(self) -> None:
        """The link ends without being closed."""
        if self.keeps:
            contexts = dict(self.unsettled_contexts)
            for delivery_id, sent in self.link_state.windows.unsettled.items():
                if sent.link is self:
                    contexts[self.tag_of(delivery_id)] = sent.context
            self.unsettled_contexts = contexts

    def tag_of(self, delivery_id: i64) -> bytes:
        """The tag of a delivery of this link."""
        tag = self._resumed.get(int(delivery_id))
        return self._writer.tag(delivery_id) if tag is None else tag

    def abandon(self) -> None:
        """Drop the unsent messages and the credit: the link ends."""
        self.credit = 0
        self.drain = False
        self.link_state.windows.drop_parcels(self._writer)

    # ------------------------------------------------------------------ what the owner sends

    def send(
        self,
        payload: bytes,
        settled: bool,
        context: object = None,
        state: bytes = b"",
    ) -> int:
        """Send one message; its delivery-id. `context` comes back with the outcome.

        `state` is the encoded state of the message's transaction, or empty.

        A message larger than a frame is sent in several, as far as the session's window allows; the rest
        follows by itself.

        Raises:
            UsageError: there is no credit, or the link is not attached.
        """
        link_state = self.link_state
        if self.credit <= 0 or link_state.state is not OPEN:
            raise self._unable()
        windows = link_state.windows
        wire = link_state.wire
        delivery_id = windows.next_delivery_id
        windows.next_delivery_id = (delivery_id + 1) & SERIAL
        self.credit -= 1
        self.delivery_count = (self.delivery_count + 1) & SERIAL
        size: i64 = len(payload)
        fits = size + head_size(state) + self._spare <= wire.max_frame_size
        if fits and windows.remote_incoming_window > 0 and not windows.partials:
            self._writer.put_first(wire, delivery_id, size, settled=settled, more=False, state=state)
            wire.put(payload)
            windows.next_outgoing_id = (windows.next_outgoing_id + 1) & SERIAL
            windows.remote_incoming_window -= 1
        else:
            partial = PartialDelivery(self._writer, delivery_id, payload, settled, state)
            partial.spare = self._spare
            windows.partials.append(partial)
            windows.send_parcels(wire)
        if not settled:
            windows.unsettled[delivery_id] = Unsettled(self, context)
        if self.drain and self.credit == 0:
            self.drained()
        return delivery_id

    @property
    def room_for_small(self) -> i64:
        """How many messages smaller than SMALL_BYTES `reserve` takes now; 0 where each needs `send`."""
        link_state = self.link_state
        windows = link_state.windows
        fits = link_state.wire.max_frame_size >= SMALL_BYTES + MAX_TRANSFER_HEAD_SIZE
        if not fits or windows.partials or self._spare > 0 or link_state.state is not OPEN:
            return 0
        unsettled: i64 = windows.unsettled_limit - len(windows.unsettled)
        room: i64 = min(windows.remote_incoming_window, unsettled)
        return min(self.credit, room)

    def reserve(self, count: i64) -> i64:
        """Count messages, no more than `room_for_small`, that `send_small` sends; the first delivery-id."""
        windows = self.link_state.windows
        delivery_id = windows.next_delivery_id
        windows.next_delivery_id = (delivery_id + count) & SERIAL
        windows.next_outgoing_id = (windows.next_outgoing_id + count) & SERIAL
        windows.remote_incoming_window -= count
        self.credit -= count
        self.delivery_count = (self.delivery_count + count) & SERIAL
        return delivery_id

    def send_small(self, delivery_id: i64, payload: bytes, settled: bool, context: object) -> None:
        """Send a message that was counted, as `send` does."""
        self._writer.put_whole(self.link_state.wire, delivery_id, payload, settled)
        if not settled:
            self.note_sent(delivery_id, context)

    def send_shared(self, delivery_id: i64, frames: SharedFrames, settled: bool) -> bool:
        """Send messages that were counted, the first of which has this delivery-id; false if it sends none.

        Call `note_sent` for each that is not settled.
        """
        return frames.put(self.link_state.wire, self._writer, delivery_id, settled)

    def drop_contexts(self, is_over: Callable[[object], bool]) -> None:
        """Forget those contexts of unsettled deliveries for which this is true; each is None then."""
        for sent in self.link_state.windows.unsettled.values():
            if sent.link is self and is_over(sent.context):
                sent.context = None

    def note_sent(self, delivery_id: i64, context: object) -> None:
        """A message that was sent is not settled."""
        self.link_state.windows.unsettled[delivery_id] = Unsettled(self, context)

    def end_reserved(self) -> None:
        """All that were counted are sent."""
        if self.drain and self.credit == 0:
            self.drained()

    @property
    def room(self) -> int:
        """How many messages `send_frames` would write now."""
        if not self.sendable():
            return 0
        return min(self.credit, self.link_state.windows.remote_incoming_window)

    @property
    def largest_frame(self) -> int:
        """Bytes of the largest frame that the peer takes."""
        return self.link_state.wire.max_frame_size

    @property
    def next_delivery_id(self) -> int:
        """The delivery-id of the session's next message."""
        return self.link_state.windows.next_delivery_id

    def pattern(self, state: bytes = b"") -> HeadPattern:
        """The head of the frames for `send_frames`; `state` as for `send`."""
        return self._writer.pattern(settled=True, state=state)

    def send_frames(self, frames: bytes, count: int) -> None:
        """Send settled messages in frames that the owner has made: `pattern` and the payload of each.

        No frame is larger than the peer takes; delivery-ids continue from `next_delivery_id`, 32 bits wide.

        Raises:
            UsageError: there is not room for all of them, or the link is not attached.
        """
        link_state = self.link_state
        if link_state.state is not OPEN or not 0 < count <= self.room:
            raise UsageError(f"link {self.name!r} has room for {self.room} messages, not for {count}")
        windows = link_state.windows
        windows.next_delivery_id = (windows.next_delivery_id + count) & SERIAL
        windows.next_outgoing_id = (windows.next_outgoing_id + count) & SERIAL
        windows.remote_incoming_window -= count
        self.credit -= count
        self.delivery_count = (self.delivery_count + count) & SERIAL
        link_state.wire.put(frames)
        if self.drain and self.credit == 0:
            self.drained()

    def set_generation(self, generation: int) -> None:
        """Set how many earlier links may have left deliveries; call it before anything is sent."""
        self._writer.set_generation(generation)
        self._spare = TAGGED_SIZE

    def resume(
        self,
        tag: bytes,
        payload: bytes,
        settled: bool,
        context: object,
        state: bytes,
    ) -> None:
        """Resume a delivery of an earlier link, like `send` [1.0 §2.6.13].

        Args:
            tag: of the delivery; the peer has it among its unsettled ones.
            payload: the message, or empty where only the state is sent.
            settled: the state is the outcome of the delivery.
            context: comes back with the outcome.
            state: the encoded delivery state.

        Raises:
            UsageError: there is no credit, or the link is not attached.
        """
        link_state = self.link_state
        if self.credit <= 0 or not link_state.attached:
            raise self._unable()
        windows = link_state.windows
        delivery_id = windows.next_delivery_id
        windows.next_delivery_id = (delivery_id + 1) & SERIAL
        self.credit -= 1
        self.delivery_count = (self.delivery_count + 1) & SERIAL
        partial = PartialDelivery(self._writer, delivery_id, payload, settled, state)
        partial.resumed = tag
        partial.spare = TAGGED_SIZE
        windows.partials.append(partial)
        windows.send_parcels(link_state.wire)
        if not settled:
            windows.unsettled[delivery_id] = Unsettled(self, context)
            if self._resumed is _NO_TAGS:
                self._resumed = {}
            self._resumed[int(delivery_id)] = tag
        if self.drain and self.credit == 0:
            self.drained()

    def settle(self, delivery_id: i64, state: DeliveryState) -> None:
        """Settle a delivery whose outcome in a transaction the peer has sent without settling it."""
        link_state = self.link_state
        if link_state.windows.unsettled.pop(delivery_id, None) is not None and link_state.live:
            link_state.wire.put(
                encode_disposition(
                    link_state.channel, delivery_id, delivery_id, state, role=ROLE_SENDER, settled=True
                )
            )

    def _unable(self) -> UsageError:
        if not self.attached:
            return UsageError(
                f"link {self.name!r} is {self.link_state.state.value}; only an attached link sends"
            )
        return UsageError(f"link {self.name!r} has no credit; wait for CreditChanged")

    def drained(self) -> None:
        """Give up unused credit, where the peer asked for that.

        Used credit needs no call. Where messages wait for the session's window, credit is given up once they
        are sent.
        """
        if not self.drain:
            return
        windows = self.link_state.windows
        if windows.unstarted(self._writer) > 0:
            self._drain_due = True
            windows.drain_waits = True
            return
        # [1.0 §2.6.7] The sender advances delivery-count past all unused credit and tells the receiver.
        self.delivery_count = (self.delivery_count + self.credit) & SERIAL
        self.credit = 0
        self.drain = False
        self._drain_due = False
        self._tell(drain=True)

    # ------------------------------------------------------------------ what the peer sends

    def take_flow(self, flow: Flow) -> None:
        """Process the peer's credit: CreditChanged; or AcquisitionAsked, without credit, in a transaction."""
        if flow.properties and flow.properties.get(_TXN_ID) is not None:
            self.link_state.wire.events.append(AcquisitionAsked(self))
            return
        if flow.link_credit is not None:
            # [1.0 §2.6.7] link-credit(snd) = delivery-count(rcv) + link-credit(rcv) - delivery-count(snd);
            # a receiver that has not seen our attach counts from our initial delivery count, 0.
            counted = flow.delivery_count if flow.delivery_count is not None else 0
            credit: i64 = flow.link_credit - passed(self.delivery_count, counted)
            self.credit = max(0, credit)
        if flow.properties:
            # One that comes before the owner has looked adds to what the last one said.
            self.told = flow.properties if self.told is None else added(self.told, flow.properties)
        self.drain = flow.drain
        self.link_state.wire.events.append(CreditChanged(self))
        if flow.drain and self.credit == 0:
            self.drained()
        elif flow.echo:
            self._tell(drain=False)

    def go_on(self) -> None:
        """The session's window has opened: carry out a drain that waited for it."""
        if self._drain_due:
            self.drained()

    def _tell(self, *, drain: bool) -> None:
        # The peer has not seen messages that wait for the window, so they count as credit.
        unstarted = self.link_state.windows.unstarted(self._writer)
        count = (self.delivery_count - unstarted) & SERIAL
        self._owes_flow = not self.link_state.tell(count, self.credit + unstarted, drain=drain)


@final
class CreditChanged(Event):
    """A receiver granted credit, or asks for a drain: `link.credit`, `link.drain`."""

    __slots__ = ("link",)

    def __init__(self, link: SenderLink) -> None:
        self.link = link


@final
class AcquisitionAsked(Event):
    """A receiver asks to acquire messages in a transaction [1.0 §4.4.3]."""

    __slots__ = ("link",)

    def __init__(self, link: SenderLink) -> None:
        self.link = link


@final
class DeliverySettled(Event):
    """The peer sent the outcome of a delivery; the engine has settled it.

    `state` is None if the peer settled without one: the link's default outcome applies.
    """

    __slots__ = ("context", "delivery_id", "link", "state")

    def __init__(
        self, link: SenderLink, delivery_id: i64, context: object, state: DeliveryState | None
    ) -> None:
        self.link = link
        self.delivery_id: i64 = delivery_id
        self.context = context
        self.state = state


@final
class DeliveriesAccepted(Event):
    """The peer accepted deliveries of a link; the engine has settled them.

    A session whose owner says so has one in place of up to MOST_JOINED events.

    Attributes:
        contexts: of the deliveries, as passed to `send`.
        numbers: their delivery-ids.
    """

    __slots__ = ("contexts", "link", "numbers")

    def __init__(self, link: SenderLink) -> None:
        self.link = link
        self.contexts: list[object] = []
        self.numbers: list[int] = []


@final
class DeliveryTransacted(Event):
    """The peer sent the outcome of a delivery in a transaction, and keeps the delivery until its end."""

    __slots__ = ("context", "delivery_id", "link", "state")

    def __init__(
        self, link: SenderLink, delivery_id: i64, context: object, state: TransactionalState
    ) -> None:
        self.link = link
        self.delivery_id: i64 = delivery_id
        self.context = context
        self.state = state


def added(before: Mapping[str, Value], later: Mapping[str, Value]) -> dict[str, Value]:
    """Properties of flows; of one that is a map in both, the later entries are added to the earlier ones."""
    result = dict(before)
    for name, value in later.items():
        earlier = result.get(name)
        if isinstance(earlier, dict) and isinstance(value, dict):
            result[name] = {**earlier, **value}
        else:
            result[name] = value
    return result
