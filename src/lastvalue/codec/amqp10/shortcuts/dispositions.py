"""Disposition frames on the hot path [1.0 §2.7.6]: accepts by the range, or one for each message."""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.frames import encode_frame
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    DeliveryState,
    Disposition,
    Released,
    decode_performative,
    encode_performative,
)
from lastvalue.codec.amqp10.value_codec import NO_UINT, NULL_UINT, uint_at, uint_end

_DISPOSITION: Final = 0x15


@final
class DispositionHead:
    """The fields of a disposition; one object serves every frame.

    Attributes:
        role: ROLE_SENDER or ROLE_RECEIVER, of the peer that sent it.
        first: first delivery-id of the range.
        last: last delivery-id of the range, equal to first if the peer left it out.
        settled: the peer has settled the range.
        accepted: the state is Accepted.
        state: any state except Accepted, or None.
    """

    __slots__ = ("accepted", "first", "last", "role", "settled", "state")

    def __init__(self) -> None:
        self.role = False
        self.first: i64 = 0
        self.last: i64 = 0
        self.settled = False
        self.accepted = False
        self.state: DeliveryState | None = None


def parse_disposition(data: bytes, start: i64, end: i64, into: DispositionHead) -> bool:
    """Read the disposition of the frame body data[start:end]; returns false for another performative.

    Raises:
        FieldError: a field is missing, of the wrong type or out of range.
        DecodeError: the body is not a performative.
    """
    try:
        if data[start + 1] == 0x53 and data[start] == 0:
            if data[start + 2] != _DISPOSITION:
                return False
            if _parse_compact(data, start, end, into):
                return True
    except IndexError:
        pass
    performative, _ = decode_performative(data, start, end)
    if not isinstance(performative, Disposition):
        return False
    into.role = performative.role
    into.first = performative.first
    into.last = performative.first if performative.last is None else performative.last
    into.settled = performative.settled
    into.accepted = isinstance(performative.state, Accepted)
    into.state = None if into.accepted else performative.state
    return True


def _parse_compact(data: bytes, start: i64, end: i64, into: DispositionHead) -> bool:
    """Read a range that is accepted or has no state; returns false for any other layout."""
    stop: i64 = start + 5 + data[start + 4]
    fields: i64 = data[start + 5]
    role: i64 = data[start + 6]
    if data[start + 3] != 0xC0 or stop > end or fields < 4 or fields > 6 or role not in (0x41, 0x42):
        return False
    first = uint_at(data, start + 7)
    pos = uint_end(data, start + 7)
    last = uint_at(data, pos)
    pos = uint_end(data, pos)
    settled: i64 = data[pos]
    pos += 1
    accepted = fields > 4 and data[pos] == 0
    if accepted:
        if data[pos + 1] != 0x53 or data[pos + 2] != 0x24 or data[pos + 3] != 0x45:
            return False
        pos += 4
    elif fields > 4:
        if data[pos] != 0x40:
            return False
        pos += 1
    if fields > 5:
        # batchable: a hint
        if data[pos] < 0x40 or data[pos] > 0x42:
            return False
        pos += 1
    if pos != stop or first < 0 or last == NO_UINT or settled < 0x40 or settled > 0x42:
        return False
    into.role = role == 0x41
    into.first = first
    into.last = first if last == NULL_UINT else last
    into.settled = settled == 0x41
    into.accepted = accepted
    into.state = None
    return True


_LAYOUT: Final = struct.Struct(">IHH6sBBIBIB4s")
_SIZE: Final = 30
_HEAD: Final = b"\x00\x53\x15\xc0\x11\x05"
_NO_FIELDS: Final[dict[type, bytes]] = {Accepted: b"\x00\x53\x24\x45", Released: b"\x00\x53\x26\x45"}


def encode_disposition(
    channel: int, first: int, last: int, state: DeliveryState | None, *, role: bool, settled: bool
) -> bytes:
    """One whole frame with the state of the deliveries first to last.

    Raises:
        EncodeError: a field's value is of the wrong type or out of range.
    """
    outcome = _NO_FIELDS.get(type(state))
    if outcome is None:
        performative = Disposition(role=role, first=first, last=last, settled=settled, state=state)
        return encode_frame(encode_performative(performative), channel)
    role_code = 0x41 if role else 0x42
    settled_code = 0x41 if settled else 0x42
    return _LAYOUT.pack(
        _SIZE, 0x0200, channel, _HEAD, role_code, 0x70, first, 0x70, last, settled_code, outcome
    )
