"""Unsettled deliveries of both sides of a resumed link, and which of them continue [1.0 §2.6.13, §2.7.3]."""

from collections.abc import Callable, Mapping
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.composites import composed, decomposed
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    Attach,
    DeliveryState,
    Modified,
    Received,
    Rejected,
    Released,
)
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import Value
from lastvalue.frontends.amqp10.consumer import ResumedDelivery
from lastvalue.protocols.amqp10.unsettled_map import entry_size
from lastvalue.queues.entry import ACQUIRED, Entry

_FROM_THE_START: Final = encode_value(decomposed(Received(section_number=0, section_offset=0)))

Settle = Callable[[Entry, DeliveryState | None], None]
"""Ends the delivery of an entry; the state is None if the peer does not have the delivery."""


@final
class UnsettledMatch:
    """Which of a reader's unsettled deliveries continue.

    Attributes:
        resumptions: deliveries to send again, and outcomes to repeat.
        left: deliveries that neither side has settled and that this attachment does not resume, by tag.
        named: this side's map.
        incomplete: the map does not name all unsettled deliveries.
        partial: one of the maps is incomplete, so nothing new is sent.
    """

    __slots__ = ("incomplete", "left", "named", "partial", "resumptions")

    def __init__(self, partial: bool) -> None:
        self.resumptions: list[ResumedDelivery] = []
        self.left: dict[bytes, Entry] = {}
        self.named: dict[Value, Value] = {}
        self.incomplete = False
        self.partial = partial


def match_unsettled(
    entries: Mapping[bytes, Entry], attach: Attach, room: i64, settle: Settle
) -> UnsettledMatch:
    """Compare the deliveries of a reader's earlier link with the peer's map.

    A delivery that the peer does not have ends here, unless the peer's map is incomplete. One that the peer
    has an outcome for gets this outcome; the others are sent again, as far as this side's map has room. Where
    the map has no room at all, they end, too.
    """
    remote: Mapping[Value, Value] = attach.unsettled or {}
    match = UnsettledMatch(attach.incomplete_unsettled)
    size: i64 = 0
    for tag, entry in entries.items():
        if entry.state != ACQUIRED:
            continue
        if tag not in remote:
            if attach.incomplete_unsettled:
                match.left[tag] = entry
            else:
                settle(entry, None)
            continue
        size += entry_size(tag, None)
        state = composed(remote[tag])
        outcome = state if isinstance(state, Accepted | Rejected | Released | Modified) else None
        if size > room and match.resumptions:
            match.left[tag] = entry
            continue
        if outcome is not None or size > room:
            settle(entry, outcome)
        if size <= room:
            match.named[tag] = None
            match.resumptions.append(_resumption(tag, entry, outcome))
    _name(match, size, room)
    return match


def _resumption(tag: bytes, entry: Entry, outcome: DeliveryState | None) -> ResumedDelivery:
    if outcome is None:
        return ResumedDelivery(tag, entry, _FROM_THE_START)
    return ResumedDelivery(tag, None, encode_value(decomposed(outcome)))


def _name(match: UnsettledMatch, size: i64, room: i64) -> None:
    """Name the deliveries that are left, too, as far as there is room."""
    for tag in match.left:
        if tag not in match.named:
            size += entry_size(tag, None)
        if size > room:
            match.incomplete = True
            match.partial = True
            return
        match.named[tag] = None
