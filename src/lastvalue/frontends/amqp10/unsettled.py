"""Unsettled deliveries of both sides of a resumed link, and which of them go on [1.0 §2.6.13, §2.7.3]."""

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
"""Bytes of an attach besides its name, termini, properties and map, about."""

_FROM_THE_START: Final = encode_value(decomposed(Received(section_number=0, section_offset=0)))

Settle = Callable[[Entry, DeliveryState | None], None]
"""Ends the delivery of an entry; the state is None where the peer does not have the delivery."""


def map_room(frame_size: i64, name: str, *fields: object) -> i64:
    """Bytes that an attach has for its unsettled map beside its other large fields."""
    used = _ATTACH + len(name.encode())
    for each in fields:
        used += len(encode_value(decomposed(each)))
    return max(0, frame_size - used)


@final
class UnsettledMatch:
    """Which of a reader's unsettled deliveries go on.

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
        size += _size(tag, None)
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


def _size(tag: bytes, state: Value) -> i64:
    return len(encode_value(tag)) + len(encode_value(state))


def _name(match: UnsettledMatch, size: i64, room: i64) -> None:
    """Name the deliveries that are left, too, as far as there is room."""
    for tag in match.left:
        if tag not in match.named:
            size += _size(tag, None)
        if size > room:
            match.incomplete = True
            match.partial = True
            return
        match.named[tag] = None


def unsettled_map(states: Mapping[bytes, DeliveryState | None], room: i64) -> tuple[dict[Value, Value], bool]:
    """A publisher's unsettled deliveries as an attach names them, and whether the map is incomplete.

    Where there is room for none of them the map is empty and complete.
    """
    named: dict[Value, Value] = {}
    size: i64 = 0
    for tag, state in states.items():
        encoded = None if state is None else decomposed(state)
        size += _size(tag, encoded)
        if size > room:
            return named, bool(named)
        named[tag] = encoded
    return named, False
