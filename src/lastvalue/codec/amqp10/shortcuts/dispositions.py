"""Disposition frames on the hot path [1.0 §2.7.6]: accepts by the range, or one for each message."""

from typing import Final, final

from librt.strings import write_i32_be, write_i64_be
from mypy_extensions import i32, i64

from lastvalue.codec.amqp10.frames import encode_frame
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    DeliveryState,
    Disposition,
    Released,
    decode_performative,
    encode_performative,
)
from lastvalue.codec.amqp10.shortcuts.transfers import signed
from lastvalue.codec.amqp10.value_codec import NO_UINT, NULL_UINT, uint_at, uint_end
from lastvalue.codec.output_buffer import OutputBuffer

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


_SIZE: Final = 30
_START: Final = 0x0200_0000
_HEAD: Final = 0x0053_15C0_1105_0070
_SENDER: Final = 0x4200
_RECEIVER: Final = 0x4100
_UINT: Final = 0x70
_ACCEPTED: Final = 0x0053_2445
_RELEASED: Final = 0x0053_2645


def put_disposition(  # noqa: PLR0913, PLR0917 - the disposition's own fields
    into: OutputBuffer,
    channel: i64,
    first: i64,
    last: i64,
    state: DeliveryState | None,
    role: bool,
    settled: bool,
) -> bool:
    """Put a frame with the state of the deliveries first to last; false, and nothing, where it has fields.

    It fits into a frame of every peer.
    """
    if isinstance(state, Accepted):
        outcome: i64 = _ACCEPTED
    elif isinstance(state, Released):
        outcome = _RELEASED
    else:
        return False
    writer = into.writer()
    write_i32_be(writer, _SIZE)
    write_i32_be(writer, i32(_START | channel))
    write_i64_be(writer, _HEAD | (_RECEIVER if role else _SENDER))
    write_i32_be(writer, signed(first))
    writer.append(_UINT)
    write_i32_be(writer, signed(last))
    writer.append(0x41 if settled else 0x42)
    write_i32_be(writer, i32(outcome))
    into.size += _SIZE
    return True


def encode_disposition(
    channel: int, first: int, last: int, state: DeliveryState | None, *, role: bool, settled: bool
) -> bytes:
    """One whole frame with the state of the deliveries first to last.

    Raises:
        EncodeError: a field's value is of the wrong type or out of range.
    """
    frame = OutputBuffer()
    if put_disposition(frame, channel, first, last, state, role, settled):
        return frame.take()
    performative = Disposition(role=role, first=first, last=last, settled=settled, state=state)
    return encode_frame(encode_performative(performative), channel)
