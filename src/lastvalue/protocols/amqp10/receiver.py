"""Links on which this side receives [1.0 §2.6.7, §2.6.14]."""

from collections.abc import Mapping
from typing import Final, final

from librt.strings import read_i32_be
from mypy_extensions import i64

from lastvalue.codec.amqp10.message_shape import MessageShape
from lastvalue.codec.amqp10.performatives import (
    RECEIVER_FIRST,
    RECEIVER_SECOND,
    ROLE_RECEIVER,
    SENDER_MIXED,
    SENDER_SETTLED,
    SENDER_UNSETTLED,
    AmqpError,
    Attach,
    Coordinator,
    DeliveryState,
    Flow,
    Source,
    Target,
)
from lastvalue.codec.amqp10.shortcuts.transfers import (
    ABSENT,
    HeadPattern,
    TransferHead,
    find_alike,
    find_frames,
)
from lastvalue.codec.amqp10.values import Described, Value
from lastvalue.model.conditions import Condition
from lastvalue.model.memory_budget import MemoryLimitError
from lastvalue.protocols.amqp10.faults import LinkFault
from lastvalue.protocols.amqp10.link_state import OPEN, LinkEnd, LinkState
from lastvalue.protocols.amqp10.transitions import State
from lastvalue.protocols.amqp10.windows import SERIAL, passed
from lastvalue.protocols.amqp10.wire import Event
from lastvalue.protocols.message_parts import MessageParts

MAX_TAG_SIZE: Final = 32
"""[1.0 §2.8.7] The most bytes of a delivery-tag."""


@final
class ReceiverLink(LinkEnd):
    """A link on which this side receives.

    Attributes:
        credit: messages the peer may still send.
        credit_window: if over 0, credit is raised to it whenever half of it is used.
        delivery_count: of the sender, as far as this side knows.
        max_message_size: the largest message taken, in bytes; 0 is no limit.
        second: the sender settles first, and this side answers (rcv-settle-mode second).
        settle_mode: whether deliveries have to be settled or unsettled (snd-settle-mode of the link).
            A client takes either: some brokers send what they were not asked for.
    """

    __slots__ = (
        "_format",
        "_id",
        "_owes_flow",
        "_parts",
        "_resumed",
        "_settled",
        "_settles_first",
        "_state",
        "_tag",
        "_withdrawn",
        "credit",
        "credit_window",
        "delivery_count",
        "max_message_size",
        "second",
        "settle_mode",
    )

    def __init__(self, link_state: LinkState, max_message_size: int) -> None:
        super().__init__(link_state)
        self.max_message_size: i64 = max_message_size
        self.credit: i64 = 0
        self.credit_window: i64 = 0
        self.delivery_count: i64 = 0
        self.second = False
        self.settle_mode: i64 = SENDER_MIXED
        self._owes_flow = False
        # Of the delivery that has not arrived whole.
        self._parts: MessageParts | None = None
        self._id: i64 = 0
        self._tag = b""
        self._format: i64 = 0
        self._settled = False
        self._resumed = False
        self._state: DeliveryState | None = None
        self._withdrawn: i64 = 0
        # Deliveries on a link of `second` that this side is to settle first.
        self._settles_first: set[int] = set()

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
        `unsettled` are the deliveries of an earlier link that the peer may resume, by tag;
        `incomplete_unsettled` says that there are more.

        Raises:
            UsageError: the link was answered before, or this side attached it.
            LongAttachError: the answer is larger than the peer's frames; it can be answered otherwise.
        """
        remote = self.asked()
        self.second = remote.rcv_settle_mode == RECEIVER_SECOND
        self.settle_mode = remote.snd_settle_mode
        self.link_state.answer(
            Attach(
                name=self.name,
                handle=self.link_state.handle,
                role=ROLE_RECEIVER,
                snd_settle_mode=remote.snd_settle_mode,
                rcv_settle_mode=remote.rcv_settle_mode,
                source=source,
                target=target,
                unsettled=unsettled,
                incomplete_unsettled=incomplete_unsettled,
                max_message_size=self.max_message_size or None,
                offered_capabilities=offered_capabilities,
                properties=properties or {},
            )
        )
        if self.credit > 0 or self._owes_flow:
            self._tell(drain=False)

    def refuse(self, error: AmqpError) -> None:
        """Server side: answer with no target, and detach at once [1.0 §2.6.3]."""
        if self.link_state.state is State.OPEN_RECEIVED or self.link_state.state is State.ABANDONED:
            self.accept(self.link_state.remote.source if self.link_state.remote is not None else None, None)
        self.detach(error)

    def detach(self, error: AmqpError | None = None, *, closed: bool = True) -> None:
        """End the link, or detach it so that it can be resumed; outcomes are sent first."""
        self.link_state.detach(error, closed)
        self._forget()

    def lose(self) -> None:
        """The session is over."""
        self.link_state.lose()
        self._forget()

    def joined(self, remote: Attach) -> None:
        """The peer's attach."""
        self.link_state.take_attach(remote)
        self.delivery_count = remote.initial_delivery_count or 0
        self.second = remote.rcv_settle_mode == RECEIVER_SECOND

    # ------------------------------------------------------------------ what the owner asks for

    def add_credit(self, messages: int) -> None:
        """Grant the peer more credit; before `accept` it goes out with the attach."""
        self.credit += messages
        if self._withdrawn > 0:
            self._withdrawn = max(0, self._withdrawn - messages)
        self._tell(drain=False)

    def withdraw_credit(self) -> None:
        """Withdraw unused credit; messages that are under way are still taken."""
        if self.credit > 0:
            self._withdrawn += self.credit
            self.credit = 0
            self._tell(drain=False)

    def tell_properties(self, properties: Mapping[str, Value]) -> None:
        """[1.0 §2.7.4] Tell the peer properties of the link's state."""
        count = None if self.link_state.remote is None else self.delivery_count
        self.link_state.tell(count, self.credit, drain=False, properties=properties)

    def request_drain(self) -> None:
        """Ask the peer to use its credit now or to give it up; Drained is the answer."""
        self._tell(drain=True)

    def settle(self, first: int, last: int, state: DeliveryState | None) -> None:
        """Send the outcome of the deliveries first to last, by the range, with `data_to_send`.

        It settles them, unless the link asks that the sender settle first (rcv-settle-mode second), and the
        delivery does not say otherwise.
        """
        settlements = self.link_state.settlements
        if not self._settles_first:
            settlements.add(first, last, state, not self.second)
            return
        for step in range(((last - first) & SERIAL) + 1):
            number = (first + step) & SERIAL
            settlements.add(number, number, state, number in self._settles_first)
            self._settles_first.discard(number)

    # ------------------------------------------------------------------ what the peer sends

    def take(self, head: TransferHead, payload: bytes) -> "Delivery | None":
        """Process a transfer frame; returns the delivery that is the whole of it, if it is one."""
        parts = self._parts
        if parts is None:
            if self.credit <= 0 or head.delivery_id == ABSENT:
                if self._withdrawn <= 0 or head.delivery_id == ABSENT:
                    raise self._unexpected()
                # [1.0 §2.6.7] Messages that are under way when credit is reduced may be handled as usual.
                self._withdrawn -= 1
                self.credit += 1
            self.credit -= 1
            self.delivery_count = (self.delivery_count + 1) & SERIAL
            tag = head.tag
            if tag is None or len(tag) > MAX_TAG_SIZE:
                raise _bad_tag(tag)
            if not head.more and not head.aborted and not head.resume:
                if 0 < self.max_message_size < len(payload):
                    raise self._too_large()
                if self.settle_mode != SENDER_MIXED or head.rcv_settle_mode != ABSENT:
                    self._check_settlement(head, head.settled)
                delivery = Delivery(self, head.delivery_id, tag, head.settled, payload)
                delivery.state = head.state
                self.link_state.wire.events.append(delivery)
                if self.credit_window > 0 and self.credit * 2 <= self.credit_window:
                    self.add_credit(self.credit_window - self.credit)
                return delivery
            parts = self._parts = MessageParts(self.link_state.wire.memory)
            self._id = head.delivery_id
            self._tag = tag
            self._format = max(0, head.message_format)
            self._settled = False
            self._state = head.state
            self._resumed = head.resume
        self._gather(head, payload, parts)
        return None

    def take_alike(
        self, delivery: "Delivery", head: TransferHead, data: bytes, start: i64, largest: i64
    ) -> i64:
        """Add the messages to a delivery whose frames follow its own and are like it.

        Args:
            delivery: the one that `take` has returned.
            head: of its frame.
            data: bytes of the connection.
            start: where its frame starts.
            largest: the largest size of a frame, in bytes.

        Returns: the end of the last frame.
        """
        most = self._room()
        if self.max_message_size > 0:
            largest = min(largest, head.payload_start - start + self.max_message_size)
        if self._settles_first:
            # How each one is settled is known by its number.
            most = 0
        count, end = find_alike(data, start, head, most, largest)
        if count > 0:
            delivery.join(data, head, start, count)
            self._count(count)
        return end

    def _room(self) -> i64:
        """How many messages of one frame may come before the session's window or the credit is renewed."""
        windows = self.link_state.windows
        room: i64 = min(self.credit, windows.incoming_window - windows.incoming_limit // 2 - 1)
        return min(room, self.credit - self.credit_window // 2 - 1) if self.credit_window > 0 else room

    def _count(self, frames: i64) -> None:
        """Messages of one frame each have come."""
        windows = self.link_state.windows
        windows.next_incoming_id = (windows.next_incoming_id + frames) & SERIAL
        windows.incoming_window -= frames
        self.credit -= frames
        self.delivery_count = (self.delivery_count + frames) & SERIAL

    def take_frames(self, data: bytes, pos: int, pattern: HeadPattern, bounds: list[int]) -> int:
        """Take settled messages of one frame each, without events; the position of the first other byte.

        It is for an owner that reads the connection's bytes itself and passes the other frames to the engine,
        also frames of such messages where the session's window or the credit has to be renewed.

        Args:
            data: bytes of the connection.
            pos: where a frame starts.
            pattern: the first bytes of such a frame on this link.
            bounds: receives the start and the end of each message.
        """
        most = self._room()
        if self._parts is not None or most <= 0 or self.link_state.state is not OPEN:
            return pos
        before: i64 = len(bounds)
        end = find_frames(data, pos, pattern, most, bounds)
        self._count((len(bounds) - before) // 2)
        return end

    def _gather(self, head: TransferHead, payload: bytes, parts: MessageParts) -> None:
        if head.delivery_id not in (ABSENT, self._id):
            raise LinkFault(
                Condition.INVALID_FIELD, f"delivery {self._id} is not complete; finish or abort it"
            )
        self._check_continuation(head)
        # [1.0 §2.7.5] A delivery is settled if any of its transfers is.
        self._settled = self._settled or head.settled
        if head.aborted:
            # [1.0 §2.7.5] An aborted delivery is dropped with this frame's payload, and settled.
            self._settles_first.discard(self._id)
            self._forget()
        else:
            if 0 < self.max_message_size < parts.size_bytes + len(payload):
                raise self._too_large()
            try:
                parts.add(payload)
            except MemoryLimitError as fault:
                raise LinkFault(fault.condition, str(fault)) from fault
            if not self._resumed:
                self._check_settlement(head, self._settled)
            if head.more:
                return
            delivery = Delivery(self, self._id, self._tag, self._settled, parts.join())
            delivery.state = self._state
            events = self.link_state.wire.events
            events.append(DeliveryResumed(delivery) if self._resumed else delivery)
            self._forget()
        if self.credit_window > 0 and self.credit * 2 <= self.credit_window:
            self.add_credit(self.credit_window - self.credit)

    def _check_continuation(self, head: TransferHead) -> None:
        """[1.0 §2.7.5] The transfers of a delivery have the tag and the format of the first, or none."""
        if head.tag is not None and head.tag != self._tag:
            raise LinkFault(Condition.INVALID_FIELD, f"the delivery-tag of delivery {self._id} has changed")
        if head.message_format not in (ABSENT, self._format):
            raise LinkFault(Condition.INVALID_FIELD, f"the message-format of delivery {self._id} has changed")

    def _check_settlement(self, head: TransferHead, settled: bool) -> None:
        """[1.0 §2.7.5] Both sides settle as they have agreed in their attaches."""
        if settled and self.settle_mode == SENDER_UNSETTLED:
            raise LinkFault(
                Condition.INVALID_FIELD, "a settled delivery on a link whose snd-settle-mode is unsettled"
            )
        if not settled and self.settle_mode == SENDER_SETTLED and not head.more:
            raise LinkFault(
                Condition.INVALID_FIELD, "an unsettled delivery on a link whose snd-settle-mode is settled"
            )
        if head.rcv_settle_mode == RECEIVER_SECOND and not self.second and not settled:
            raise LinkFault(
                Condition.INVALID_FIELD, "rcv-settle-mode second on a link whose rcv-settle-mode is first"
            )
        if head.rcv_settle_mode == RECEIVER_FIRST and self.second and not settled:
            self._settles_first.add(self._id if head.delivery_id == ABSENT else head.delivery_id)

    def _forget(self) -> None:
        if self._parts is not None:
            self._parts.clear()
            self._parts = None
        self._resumed = False
        self._state = None

    def _unexpected(self) -> LinkFault:
        if self.credit <= 0:
            return LinkFault(
                Condition.TRANSFER_LIMIT_EXCEEDED, f"link {self.name!r} has no credit for this delivery"
            )
        return LinkFault(Condition.INVALID_FIELD, "the first transfer of a delivery has a delivery-id")

    def _too_large(self) -> LinkFault:
        return LinkFault(
            Condition.MESSAGE_SIZE_EXCEEDED, f"a message may have {self.max_message_size} bytes on this link"
        )

    def take_flow(self, flow: Flow) -> None:
        """Process a flow frame of the sender; Drained reports that it gave up its credit."""
        if flow.delivery_count is not None:
            used = passed(flow.delivery_count, self.delivery_count)
            if used > 0:
                self.delivery_count = flow.delivery_count
                if used > self.credit:
                    self._withdrawn = max(0, self._withdrawn - (used - self.credit))
                self.credit = self.credit - used if used < self.credit else 0
        if flow.drain and self.credit == 0:
            self.link_state.wire.events.append(Drained(self))
        if flow.echo:
            self._tell(drain=False)

    def _tell(self, *, drain: bool) -> None:
        # [1.0 §2.7.4] Before the sender's attach its delivery count is unknown and must not be set.
        count = None if self.link_state.remote is None else self.delivery_count
        self._owes_flow = not self.link_state.tell(count, self.credit, drain=drain)


def _bad_tag(tag: bytes | None) -> LinkFault:
    if tag is None:
        return LinkFault(Condition.INVALID_FIELD, "the first transfer of a delivery has a delivery-tag")
    return LinkFault(
        Condition.INVALID_FIELD, f"a delivery-tag of {len(tag)} bytes; it has at most {MAX_TAG_SIZE}"
    )


@final
class Delivery(Event):
    """Complete messages arrived: one, or several in a row whose frames are alike.

    It stands at the first one; `step` leads to the next, and `each` gives one delivery for each of them.

    Attributes:
        delivery_id: of the message at which it stands.
        settled: the sender wants no outcome.
        payload: the message's sections, as they came.
        state: the delivery's state at its sender, such as the transaction it is part of, or None.
        left: how many messages follow.
    """

    __slots__ = (
        "_frame",
        "_frames",
        "_head_size",
        "_tag",
        "_tag_at",
        "delivery_id",
        "left",
        "link",
        "payload",
        "settled",
        "state",
    )

    def __init__(
        self,
        link: ReceiverLink,
        delivery_id: i64,
        tag: bytes,
        settled: bool,
        payload: bytes,
    ) -> None:
        self.link = link
        self.delivery_id: i64 = delivery_id
        self._tag: bytes | None = tag
        self.settled = settled
        self.payload = payload
        self.state: DeliveryState | None = None
        self.left: i64 = 0
        # The frame of the message that it stands at, and where the others' parts are.
        self._frames = b""
        self._frame: i64 = 0
        self._head_size: i64 = 0
        self._tag_at: i64 = 0

    def join(self, frames: bytes, head: TransferHead, start: i64, count: i64) -> None:
        """Add this many messages, in the frames after the one of this head that starts there."""
        self._frames = frames
        self._frame = start
        self._head_size = head.payload_start - start
        self._tag_at = head.tag_start - start
        self.left = count

    @property
    def tag(self) -> bytes:
        """The delivery-tag of the message at which it stands."""
        tag = self._tag
        if tag is None:
            start = self._frame + self._tag_at
            tag = self._tag = self._frames[start : start + self._frames[start - 1]]
        return tag

    def step(self) -> bool:
        """Continue to the next message; false where there is none."""
        if self.left == 0:
            return False
        frames = self._frames
        start = self._frame + i64(read_i32_be(frames, self._frame))
        self.payload = frames[start + self._head_size : start + i64(read_i32_be(frames, start))]
        self._frame = start
        self._tag = None
        self.delivery_id = (self.delivery_id + 1) & SERIAL
        self.left -= 1
        return True

    def gather(self, shape: MessageShape, into: list[bytes]) -> None:
        """Add the messages that follow and have a shape, up to one that has not; it stays where it is."""
        if self.left > 0:
            start = self._frame + i64(read_i32_be(self._frames, self._frame))
            shape.gather(self._frames, start, self._head_size, self.left, into)

    def skip(self, count: i64) -> None:
        """Skip this many messages that follow, at least one."""
        frames = self._frames
        frame = self._frame
        passed: i64 = count - 1
        while passed > 0:
            frame += i64(read_i32_be(frames, frame))
            passed -= 1
        self._frame = frame
        self.delivery_id = (self.delivery_id + count - 1) & SERIAL
        self.left -= count - 1
        self.step()

    def each(self) -> "list[Delivery]":
        """A delivery for the message at which it stands, and one for each that follows."""
        if self.left == 0:
            return [self]
        each = [self._single()]
        while self.step():
            each.append(self._single())
        return each

    def _single(self) -> "Delivery":
        single = Delivery(self.link, self.delivery_id, self.tag, self.settled, self.payload)
        single.state = self.state
        return single


@final
class DeliveryResumed(Event):
    """The peer resumes a delivery of an earlier link.

    `delivery.payload` is the part that the peer sent again, which may be empty.
    """

    __slots__ = ("delivery",)

    def __init__(self, delivery: Delivery) -> None:
        self.delivery = delivery


@final
class Drained(Event):
    """The sender used its credit or gave it up, as it was asked to."""

    __slots__ = ("link",)

    def __init__(self, link: ReceiverLink) -> None:
        self.link = link
