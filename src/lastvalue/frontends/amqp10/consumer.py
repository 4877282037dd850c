"""Consumers of AMQP 1.0 [1.0 §2.6]: how messages are sent on a link."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.content import redelivered
from lastvalue.codec.amqp10.message import annotated
from lastvalue.codec.amqp10.payloads import flagged_payload
from lastvalue.codec.amqp10.performatives import (
    SENDER_MIXED,
    Accepted,
    AmqpError,
    DeliveryState,
    Modified,
    Source,
)
from lastvalue.codec.amqp10.shortcuts.shared_frames import SharedFrames
from lastvalue.codec.amqp10.shortcuts.stamps import STAMP_SIZE, stamped
from lastvalue.codec.amqp10.values import Value
from lastvalue.delivery.consumer import FAULT, UNBOUNDED, BlockedBy, Consumer
from lastvalue.delivery.delivered_payload import delivered_payload
from lastvalue.delivery.output import Output
from lastvalue.delivery.reader_filters import WATCH
from lastvalue.delivery.unsettled import PINNED_BYTES
from lastvalue.frontends.amqp10.outcomes import RELEASED, outcome_of, reached, remark
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.property_names import REPLACED_TRACES
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.protocols.amqp10.windows import SERIAL
from lastvalue.queues.entry import ACQUIRED, REMOVED, Entry
from lastvalue.queues.entry_run import EntryRun
from lastvalue.queues.subscription import Outcome
from lastvalue.queues.watch_terms import read_watch_terms

_OUTCOME_ACCEPTED: Final = Outcome.ACCEPTED
_PACE: Final = ("rate", "interval_ms")
_FULL_VALUES: Final = "full_values"
_CHANGES: Final = (*_PACE, _FULL_VALUES)
_TRACES_SIZE: Final = 64
"""More than what the annotation takes besides its value."""

_CREDIT: Final = BlockedBy.CREDIT
_WINDOW: Final = BlockedBy.WINDOW


@final
class ResumedDelivery:
    """A delivery of an earlier link that this link resumes.

    Attributes:
        tag: of the delivery.
        entry: to send again; None if an outcome ends the delivery.
        state: the encoded outcome, or how much was received.
    """

    __slots__ = ("entry", "state", "tag")

    def __init__(self, tag: bytes, entry: Entry | None, state: bytes) -> None:
        self.tag = tag
        self.entry = entry
        self.state = state


# Most links resume nothing: they share these, which stay empty.
_NO_RESUMPTIONS: Final[list[ResumedDelivery]] = []
_NONE_LEFT: Final[dict[bytes, Entry]] = {}


@final
class LinkConsumer(Consumer):
    """One sending link that reads one queue.

    Attributes:
        stamps: messages carry their entry's sequence, arrival time and updates.
        largest: bytes of the largest message that the peer takes, or 0.
        special: `largest` or `first_key` is set.
        default: the outcome of a delivery that the peer settles without one, or never settles.
        source: that the peer asked for; answer: the source that it got; settle_mode: of the peer's attach.
        generation: how many links there were before this one.
        resumptions: their deliveries that continue, which are sent when there is credit.
        left: their deliveries, by tag, that wait for the next link.
        partial: this link only resumes deliveries: nothing new is sent on it.
    """

    __slots__ = (
        "_resumes",
        "_shown_bytes",
        "answer",
        "default",
        "generation",
        "largest",
        "left",
        "link",
        "partial",
        "resumptions",
        "settle_mode",
        "source",
        "special",
        "stamps",
    )

    def __init__(self, link: SenderLink, output: Output, *, settles: bool, stamps: bool) -> None:
        super().__init__(output, UNBOUNDED)
        self.link = link
        self.settles = settles
        self.stamps = stamps
        self.largest: i64 = 0
        self.special = False
        self.default: DeliveryState = RELEASED
        self.source: Source | None = None
        self.answer: Source | None = None
        self.settle_mode = SENDER_MIXED
        self.generation = 0
        self.resumptions: list[ResumedDelivery] = _NO_RESUMPTIONS
        self.left: dict[bytes, Entry] = _NONE_LEFT
        self.partial = False
        self._resumes = False
        self._shown_bytes: i64 = 0

    @property
    def credit(self) -> i64:
        """See Consumer."""
        return self.link.credit

    def wants(self, now: i64) -> bool:
        """See Receiver: it needs credit, a window, and room in the connection's output."""
        if self.link.sendable() and not self.partial:
            return self.has_room(now)
        if self.partial:
            return self.wait_for(BlockedBy.FLOW, now)
        return self.wait_for(_CREDIT if self.link.credit == 0 else _WINDOW, now)

    def deliver(self, entry: Entry, now: i64) -> None:
        """Send the message as it came, but for stamps, group flags and the count of failed deliveries."""
        payload = delivered_payload(entry)
        if entry.delivery_count > 0:
            payload = redelivered(payload, entry.delivery_count)
        if self.special:
            if self.opens_group():
                payload = flagged_payload(payload, self.first_key)
            if 0 < self.largest < len(payload) + (STAMP_SIZE if self.stamps else 0):
                # [1.0 §2.7.3] It is too large for the peer.
                self.pass_over(entry, f"the link's max-message-size is {self.largest}", now)
                return
        if self.stamps:
            payload = self._stamped(payload, entry)
        self.sent(entry, now)
        if not self.settles:
            self.link.send(payload, False, entry)
            self._note_shown(len(payload))
            return
        self.link.send(payload, True)
        self.settle(entry, _OUTCOME_ACCEPTED, now)

    def takes_more(self) -> i64:
        """See Receiver; stamps, groups and small frames are asked for each message."""
        if self.special or self.stamps or self._resumes or self.partial:
            return 0
        return self.link.room_for_small

    def send_run(self, run: EntryRun, now: i64) -> list[Entry]:
        """See Consumer."""
        del now
        entries = run.entries
        link = self.link
        settles = self.settles
        number = link.reserve(len(entries))
        if run.readers == 1 or not self._send_shared(run, number):
            for entry in entries:
                link.send_small(number, entry.encoded, settles, entry)
                number = (number + 1) & SERIAL
        link.end_reserved()
        if not settles:
            # The messages of a run are small.
            self._note_shown(len(entries) * len(entries[0].encoded))
        return entries

    def _note_shown(self, size_bytes: i64) -> None:
        """A browser's peer may settle late, or never: let go of what has left the queue meanwhile."""
        if self.acquires:
            return
        self._shown_bytes += size_bytes
        if self._shown_bytes >= PINNED_BYTES:
            self._shown_bytes = 0
            self.link.drop_contexts(_has_left)

    def _send_shared(self, run: EntryRun, number: i64) -> bool:
        """Send a run that others are given too, whose frames they share; false where they cannot."""
        frames = run.encoding
        if frames is None:
            frames = SharedFrames([entry.encoded for entry in run.entries])
            run.encoding = frames
        if not isinstance(frames, SharedFrames) or not self.link.send_shared(number, frames, self.settles):
            return False
        if not self.settles:
            for entry in run.entries:
                self.link.note_sent(number, entry)
                number = (number + 1) & SERIAL
        return True

    def _stamped(self, payload: bytes, entry: Entry) -> bytes:
        payload = stamped(payload, entry.sequence, entry.arrival_ms, entry.updates)
        traces = entry.replaced_traces
        if traces == "" or 0 < self.largest < len(payload) + len(traces) + _TRACES_SIZE:
            return payload
        return annotated(payload, {REPLACED_TRACES: traces})

    def specialise(self) -> None:
        """Note what the link and the queue require of messages."""
        remote = self.link.remote
        size = None if remote is None else remote.max_message_size
        self.largest = 0 if size is None else min(size, 1 << 62)
        self.special = self.first_key != "" or self.largest > 0

    def take_up(self, link: SenderLink, output: Output, resumptions: list[ResumedDelivery]) -> None:
        """Continue on another link of the same name, on any connection."""
        self.link = link
        self.output = output
        self.traffic.move(output.traffic)
        self.generation += 1
        self.specialise()
        self.resumptions = list(resumptions)
        self.partial = False
        self._resumes = bool(resumptions)
        link.set_generation(self.generation)

    def resume_only(self, left: dict[bytes, Entry]) -> None:
        """[1.0 §2.7.3] Send nothing new on this link, because an unsettled map is incomplete."""
        self.left = left
        self.partial = True
        self._resumes = True

    def _send_resumptions(self) -> None:
        """Send the deliveries of earlier links again, as far as there is credit."""
        while self.resumptions and self.link.sendable():
            resumption = self.resumptions.pop(0)
            entry = resumption.entry
            if entry is None:
                self.link.resume(resumption.tag, b"", True, None, resumption.state)
            elif entry.state == ACQUIRED:
                payload = delivered_payload(entry)
                if entry.delivery_count > 0:
                    payload = redelivered(payload, entry.delivery_count)
                if self.stamps:
                    payload = self._stamped(payload, entry)
                self.link.resume(resumption.tag, payload, False, entry, resumption.state)
        self._resumes = self.partial or bool(self.resumptions)
        if self.partial and not self.resumptions:
            self.link.drained()
        self.output.schedule_write()

    def on_empty(self, now: i64) -> None:
        """See Receiver: a draining link gives up its credit."""
        if self.link.drain:
            self.link.drained()
            self.output.schedule_write()
        super().on_empty(now)

    def revoked(self) -> None:
        """See Receiver."""
        self._lose_queue(Condition.UNAUTHORIZED_ACCESS, "the permission to read the queue was revoked")

    def closed(self) -> None:
        """See Receiver."""
        self._lose_queue(Condition.DETACH_FORCED, "the consumer was closed by management")

    def failed(self) -> None:
        """See Receiver."""
        self._lose_queue(Condition.INTERNAL_ERROR, FAULT)

    def queue_deleted(self) -> None:
        """See Receiver: the peer's link is detached."""
        self._lose_queue(Condition.RESOURCE_DELETED, "the queue was deleted")

    def _lose_queue(self, condition: Condition, text: str) -> None:
        self.reader = None
        self.link.detach(AmqpError(condition.amqp10, text))
        self.output.schedule_write()

    def take_outcome(self, entry: Entry, state: DeliveryState | None, now: i64) -> None:
        """Settle a delivery with the peer's outcome, or the default outcome where it has none."""
        reader = self.reader
        if reader is None:
            return
        if not isinstance(state, Accepted):
            state = reached(state, self.default)
            if isinstance(state, Modified):
                remark(reader, entry, state)
        reader.settle(entry, outcome_of(state), now)

    def accept(self, contexts: list[object], now: i64) -> None:
        """Settle deliveries that the peer has accepted together."""
        reader = self.reader
        if reader is None or not self.acquires:
            return
        queue = reader.hosted.queue
        for entry in contexts:
            if isinstance(entry, Entry):
                queue.settle(entry, _OUTCOME_ACCEPTED, now)
        reader.hosted.mark_changed()

    def abandon(self, now: i64, orderly: bool = False) -> None:
        """Settle all unsettled deliveries with the default outcome [1.0 §3.5.3].

        Where the peer detached its link in order, none of them counts as failed.
        """
        reader = self.reader
        default = self.default
        if orderly and isinstance(default, Modified):
            default = replace(default, delivery_failed=False)
        if reader is None or default is RELEASED:
            return
        for entry in reversed(reader.subscription.held.entries()):
            self.take_outcome(entry, default, now)

    def resume(self) -> None:
        """There may be room, credit or window again: continue."""
        if self._resumes:
            self._send_resumptions()
            if self.partial:
                return
        self.wake()

    def change_watch(self, told: Mapping[str, Value]) -> None:
        """[lastvalue] Change what a watching reader is sent, as the properties of a flow ask.

        Raises:
            InvalidSpecError: they cannot be asked.
        """
        reader = self.reader
        watch = None if reader is None else reader.watch
        asked = told.get(WATCH)
        if reader is None or watch is None or asked is None:
            return
        if not isinstance(asked, dict) or not all(name in _CHANGES for name in asked):
            raise InvalidSpecError(f"{WATCH} of a flow is a map of {', '.join(_CHANGES)}; not {asked!r:.80}")
        terms = read_watch_terms({name: value for name, value in asked.items() if name in _PACE})
        if asked.get(_FULL_VALUES) is True:
            watch.ask_full_values()
        if any(name in asked for name in _PACE):
            reader.change_pace(terms.rate, terms.interval_ms)


def _has_left(context: object) -> bool:
    """Whether what was shown has left its queue."""
    return isinstance(context, Entry) and context.state == REMOVED
