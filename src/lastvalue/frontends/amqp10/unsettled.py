"""What two sides of a link that comes again have unsettled, and which of it goes on [1.0 §2.6.13, §2.7.3]."""

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
from lastvalue.queues.entry import ACQUIRED, Entry

_ATTACH: Final = 128
"""About what an attach has besides its name, termini, properties and map."""

_FROM_THE_START: Final = encode_value(decomposed(Received(section_number=0, section_offset=0)))

Settle = Callable[[Entry, DeliveryState | None], None]
"""Ends the delivery of an entry; with no state, as the peer has not got it."""


def map_room(frame_size: i64, name: str, *beside: object) -> i64:
    """Bytes that an attach has for its unsettled map in frames of that size; `beside` is what else it has."""
    taken = _ATTACH + len(name.encode())
    for each in beside:
        taken += len(encode_value(decomposed(each)))
    return max(0, frame_size - taken)


@final
class UnsettledMatch:
    """What goes on of a reader's unsettled deliveries.

    Attributes:
        resumptions: what the peer is to be told or sent again.
        left: what neither side has settled and this attachment does not go on with, by tag.
        named: this side's map.
        incomplete: that map does not name all that is unsettled.
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
    """Compare what a reader's link has left with its peer's map.

    What the peer does not have comes to an end here, unless its map is incomplete. Of what it has an outcome
    for, that is the outcome; the rest is to be sent again, as far as this side's map has room for it. Where
    there is room for none, that comes to an end, too.
    """
    told: Mapping[Value, Value] = attach.unsettled or {}
    found = UnsettledMatch(attach.incomplete_unsettled)
    size: i64 = 0
    for tag, entry in entries.items():
        if entry.state != ACQUIRED:
            continue
        if tag not in told:
            if attach.incomplete_unsettled:
                found.left[tag] = entry
            else:
                settle(entry, None)
            continue
        size += _size(tag, None)
        state = composed(told[tag])
        outcome = state if isinstance(state, Accepted | Rejected | Released | Modified) else None
        if size > room and found.resumptions:
            found.left[tag] = entry
            continue
        if outcome is not None or size > room:
            settle(entry, outcome)
        if size <= room:
            found.named[tag] = None
            found.resumptions.append(_resumption(tag, entry, outcome))
    _name(found, size, room)
    return found


def _resumption(tag: bytes, entry: Entry, outcome: DeliveryState | None) -> ResumedDelivery:
    if outcome is None:
        return ResumedDelivery(tag, entry, _FROM_THE_START)
    return ResumedDelivery(tag, None, encode_value(decomposed(outcome)))


def _size(tag: bytes, state: Value) -> i64:
    return len(encode_value(tag)) + len(encode_value(state))


def _name(found: UnsettledMatch, size: i64, room: i64) -> None:
    """Name what is left, too, as far as there is room."""
    for tag in found.left:
        if tag not in found.named:
            size += _size(tag, None)
        if size > room:
            found.incomplete = True
            found.partial = True
            return
        found.named[tag] = None


def unsettled_map(states: Mapping[bytes, DeliveryState | None], room: i64) -> tuple[dict[Value, Value], bool]:
    """A publisher's unsettled deliveries as an attach names them, and whether it has no room for all.

    Where it has room for none, nothing is unsettled.
    """
    found: dict[Value, Value] = {}
    size: i64 = 0
    for tag, state in states.items():
        told = None if state is None else decomposed(state)
        size += _size(tag, told)
        if size > room:
            return found, bool(found)
        found[tag] = told
    return found, False
