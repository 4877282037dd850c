"""Transfer frames on the hot path [1.0 §2.7.5].

The reader reads the compact layout that every peer writes, octet by octet and without a call.
It passes any other layout to the general decoder; the result is the same.
The writer puts the fields into the output one by one, which costs nothing compiled.
"""

import struct
from typing import Final, final

from librt.strings import read_i16_be, read_i32_be, read_i64_be, write_i16_be, write_i32_be, write_i64_be
from mypy_extensions import i16, i32, i64

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.performatives import (
    DeliveryState,
    TransactionalState,
    Transfer,
    decode_composite,
    decode_performative,
)
from lastvalue.codec.output_buffer import OutputBuffer

ABSENT: Final = -1
"""The value of a number field that the peer left out."""

_TRANSFER: Final = 0x14
_STATE: Final = b"\x00\x53\x34\xc0"
"""The first bytes of a transactional state [1.0 §4.5.8] as most peers encode it."""


@final
class TransferHead:
    """The fields of a transfer; one object serves all frames of a link, session or connection.

    Attributes:
        handle: the link.
        delivery_id: or ABSENT, as on the frames of a delivery after its first.
        tag: the delivery tag, or None.
        message_format: or ABSENT.
        settled: also false if the peer left it out.
        more: further frames of this delivery follow.
        aborted: the delivery is aborted, and its earlier frames are discarded.
        rcv_settle_mode: or ABSENT.
        state: the sender's delivery state, or None.
        resume: a delivery of an earlier attachment continues.
        batchable: a hint that dispositions may be batched.
        known_state, known: the last transactional state, encoded and decoded.
        payload_start: the start of the payload in the frame's data; it ends with the frame.
        id_start: the start of a delivery-id of four bytes in the frame's data, or ABSENT.
        tag_start: the start of the delivery tag in the frame's data, or ABSENT.
    """

    __slots__ = (
        "_has_rare",
        "aborted",
        "batchable",
        "delivery_id",
        "handle",
        "id_start",
        "known",
        "known_state",
        "message_format",
        "more",
        "payload_start",
        "rcv_settle_mode",
        "resume",
        "settled",
        "state",
        "tag",
        "tag_start",
    )

    def __init__(self) -> None:
        self.handle: i64 = 0
        self.id_start: i64 = ABSENT
        self.tag_start: i64 = ABSENT
        self.delivery_id: i64 = ABSENT
        self.tag: bytes | None = None
        self.message_format: i64 = ABSENT
        self.settled = False
        self.more = False
        self.payload_start: i64 = 0
        self.rcv_settle_mode: i64 = ABSENT
        self.state: DeliveryState | None = None
        self.resume = False
        self.aborted = False
        self.batchable = False
        self._has_rare = False
        self.known_state = b""
        self.known: DeliveryState | None = None

    def remember(self, encoded: bytes) -> None:
        """Remember the state and its encoding, because the next transfer may have the same."""
        self.known_state = encoded
        self.known = self.state

    def has_known_state(self) -> None:
        """Set the state to the remembered one."""
        self.state = self.known
        self._has_rare = True

    def forget_rare(self) -> None:
        """Clear the fields that few frames have."""
        if self._has_rare:
            self._has_rare = False
            self.rcv_settle_mode = ABSENT
            self.state = None
            self.resume = False
            self.aborted = False
            self.batchable = False

    def take(self, transfer: Transfer, payload_start: i64) -> None:
        """Copy every field of a transfer that the general decoder read."""
        self.handle = transfer.handle
        self.delivery_id = ABSENT if transfer.delivery_id is None else transfer.delivery_id
        self.tag = transfer.delivery_tag
        self.message_format = ABSENT if transfer.message_format is None else transfer.message_format
        self.settled = transfer.settled is True
        self.more = transfer.more
        self.payload_start = payload_start
        self.id_start = ABSENT
        self.tag_start = ABSENT
        self.rcv_settle_mode = ABSENT if transfer.rcv_settle_mode is None else transfer.rcv_settle_mode
        self.state = transfer.state
        self.resume = transfer.resume
        self.aborted = transfer.aborted
        self.batchable = transfer.batchable
        self._has_rare = True


def parse_transfer(  # noqa: C901, PLR0911, PLR0912, PLR0915 - hot: without calls
    data: bytes, start: i64, end: i64, into: TransferHead
) -> bool:
    """Read the transfer of the frame body data[start:end]; returns false for another performative.

    Raises:
        FieldError: a field is missing, of the wrong type or out of range.
        DecodeError: the body is not a performative.
    """
    try:
        if data[start + 1] != 0x53 or data[start] != 0:
            return _parse_any_transfer(data, start, end, into)
        if data[start + 2] != _TRANSFER:
            return False
        stop: i64 = start + 5 + data[start + 4]
        fields: i64 = data[start + 5]
        if data[start + 3] != 0xC0 or stop > end or fields < 4 or fields > 11:
            return _parse_any_transfer(data, start, end, into)
        code: i64 = data[start + 6]
        pos: i64 = start + 7
        if code == 0x43:
            into.handle = 0
        elif code == 0x52:
            into.handle = data[pos]
            pos += 1
        else:
            return _parse_any_transfer(data, start, end, into)
        into.id_start = ABSENT
        into.tag_start = ABSENT
        code = data[pos]
        if code == 0x70:
            into.id_start = pos + 1
            into.delivery_id = data[pos + 1] << 24 | data[pos + 2] << 16 | data[pos + 3] << 8 | data[pos + 4]
            pos += 5
        elif code == 0x52:
            into.delivery_id = data[pos + 1]
            pos += 2
        elif code == 0x43:
            into.delivery_id = 0
            pos += 1
        elif code == 0x40:
            into.delivery_id = ABSENT
            pos += 1
        else:
            return _parse_any_transfer(data, start, end, into)
        code = data[pos]
        if code == 0xA0:
            code = pos + 2
            pos = code + data[pos + 1]
            into.tag = data[code:pos]
            into.tag_start = code
        elif code == 0x40:
            into.tag = None
            pos += 1
        else:
            return _parse_any_transfer(data, start, end, into)
        code = data[pos]
        pos += 1
        if code == 0x43:
            into.message_format = 0
        elif code == 0x40:
            into.message_format = ABSENT
        else:
            return _parse_any_transfer(data, start, end, into)
        into.settled = False
        into.more = False
        stated = False
        if fields > 4:
            code = data[pos]
            pos += 1
            if code == 0x41:
                into.settled = True
            elif code != 0x42 and code != 0x40:
                return _parse_any_transfer(data, start, end, into)
            if fields > 5:
                code = data[pos]
                pos += 1
                if code == 0x41:
                    into.more = True
                elif code != 0x42 and code != 0x40:
                    return _parse_any_transfer(data, start, end, into)
                if fields > 6:
                    # rcv-settle-mode, state: null. resume, aborted, batchable: null or false.
                    field: i64 = 6
                    while field < fields:
                        code = data[pos]
                        if field == 7 and code == 0:
                            # The same transaction's state comes with each of its messages.
                            known: i64 = len(into.known_state)
                            if known == 0 or data[pos : pos + known] != into.known_state:
                                return _parse_any_transfer(data, start, end, into)
                            stated = True
                            pos += known - 1
                        elif code != 0x40 and (code != 0x42 or field < 8):
                            return _parse_any_transfer(data, start, end, into)
                        pos += 1
                        field += 1
        if pos != stop:
            return _parse_any_transfer(data, start, end, into)
    except IndexError:
        return _parse_any_transfer(data, start, end, into)
    into.payload_start = pos
    into.forget_rare()
    if stated:
        into.has_known_state()
    return True


def _parse_any_transfer(data: bytes, start: i64, end: i64, into: TransferHead) -> bool:
    performative, payload_start = decode_performative(data, start, end)
    if not isinstance(performative, Transfer):
        return False
    into.take(performative, payload_start)
    if isinstance(performative.state, TransactionalState):
        _remember_state(data, start, payload_start, into)
    return True


def _remember_state(data: bytes, start: i64, end: i64, into: TransferHead) -> None:
    """Remember the state's encoding in a transfer, if it is a list with one-byte sizes."""
    place: i64 = data.rfind(_STATE, start, end)
    if place < 0 or place + 5 > end:
        return
    encoded = data[place : place + 5 + data[place + 4]]
    try:
        if decode_composite(encoded, TransactionalState) == into.state:
            into.remember(encoded)
    except DecodeError:
        # These bytes are not a state but part of the tag.
        return


_SERIAL: Final = 0xFFFFFFFF
_FRAME_START: Final = 4
"""A frame begins with its size; the rest of its header is the same in alike frames."""


def find_alike(data: bytes, start: i64, head: TransferHead, most: i64, largest: i64) -> tuple[i64, i64]:
    """Find the frames that follow a transfer and differ from it in number, tag, size and payload only.

    Their tags are as long, and their delivery-ids follow one another.

    Args:
        data: bytes of a connection.
        start: the start of the transfer's frame.
        head: what `parse_transfer` has read of it.
        most: the largest number of frames.
        largest: the largest size of a frame, in bytes.

    Returns: their number, and the end of the last one.
    """
    size: i64 = len(data)
    head_size: i64 = head.payload_start - start
    id_at: i64 = head.id_start - start
    tag = head.tag
    frame: i64 = i64(read_i32_be(data, start))
    pos: i64 = start + frame
    if tag is None or head.tag_start < 0 or id_at < _FRAME_START + 8 or id_at > _FRAME_START + 16:
        return 0, pos
    # What is alike: two overlapping pieces up to the delivery-id, the tag's constructor, and what follows it.
    first: i64 = read_i64_be(data, start + _FRAME_START)
    second: i64 = read_i64_be(data, start + id_at - 8)
    constructor: i16 = read_i16_be(data, head.tag_start - 2)
    rest_at: i64 = head.tag_start - start + len(tag)
    delivery_id: i64 = head.delivery_id
    count: i64 = 0
    while count < most and size - pos >= head_size:
        frame = i64(read_i32_be(data, pos))
        delivery_id = (delivery_id + 1) & _SERIAL
        if (
            frame < head_size
            or frame > largest
            or frame > size - pos
            or read_i64_be(data, pos + _FRAME_START) != first
            or read_i64_be(data, pos + id_at - 8) != second
            or i64(read_i32_be(data, pos + id_at)) & _SERIAL != delivery_id
            or read_i16_be(data, pos + id_at + 4) != constructor
        ):
            break
        at: i64 = rest_at
        while at < head_size and data[pos + at] == data[start + at]:
            at += 1
        if at < head_size:
            break
        pos += frame
        count += 1
    return count, pos


_STATED: Final = struct.Struct(">BIHIHBB")
_ID: Final = struct.Struct(">BI")
_SIZE: Final = struct.Struct(">I")
_TAG_OF_4: Final = 0xA004
_FORMAT_0_SETTLED: Final = 0x4341
_FORMAT_0_UNSETTLED: Final = 0x4342
_TRUE: Final = 0x41
_LOWEST: Final = -(1 << 63)

MAX_TRANSFER_HEAD_SIZE: Final = 33
"""The size of the longest head of a TransferWriter, in bytes; a state adds one byte and its own size.

A frame's payload may take the rest of its size.
"""

TAGGED_SIZE: Final = 8
"""The bytes that a head grows by with its own tag, or on a link with a generation."""


@final
class HeadPattern:
    """The head of a transfer frame as a template, to write many frames at once.

    Attributes:
        octets: the head with three empty fields of four bytes in network order: the frame's size (head and
            payload) at 0, and the following two;
        delivery_id_at: the offset of the delivery-id;
        tag_at: the offset of the delivery-tag, which equals the delivery-id.
    """

    __slots__ = ("delivery_id_at", "octets", "tag_at")

    def __init__(self, octets: bytes, delivery_id_at: int, tag_at: int) -> None:
        self.octets = octets
        self.delivery_id_at = delivery_id_at
        self.tag_at = tag_at


@final
class TransferWriter:
    """Writes the heads of one sending link's transfer frames; the payload follows unchanged.

    A delivery's tag is its delivery-id in four bytes, then the link's generation in four more unless that is
    0; its message format is 0.

    Attributes:
        prefix: of the head of a message in one frame what is between the frame's size and the delivery-id.
    """

    __slots__ = ("_generation", "_handle", "_prefix_more", "_size", "_start", "_tagged", "prefix")

    def __init__(self, channel: int, handle: int) -> None:
        handle_bytes = b"\x70" + _SIZE.pack(handle) if handle > 0xFF else bytes((0x52, handle))
        self._start = b"\x02\x00" + channel.to_bytes(2, "big") + b"\x00\x53\x14\xc0"
        self._handle = handle_bytes
        self._generation = b""
        self._tagged = False
        # count, handle, delivery-id, delivery-tag, message-format, settled, more
        fields_size = 1 + len(handle_bytes) + 5 + 6 + 1 + 1
        self.prefix = self._start + bytes((fields_size, 5)) + handle_bytes + b"\x70"
        self._prefix_more = self._start + bytes((fields_size + 1, 6)) + handle_bytes + b"\x70"
        self._size: i64 = 4 + len(self._start) + 1 + fields_size

    def set_generation(self, generation: int) -> None:
        """Set the generation, which distinguishes the tags from those of earlier links of the same name."""
        self._generation = _SIZE.pack(generation) if generation > 0 else b""
        self._tagged = True

    def tag(self, delivery_id: i64) -> bytes:
        """The tag of a delivery that `first` begins."""
        return _SIZE.pack(delivery_id) + self._generation

    def put_first(
        self,
        into: OutputBuffer,
        delivery_id: i64,
        payload_size: i64,
        *,
        settled: bool,
        more: bool,
        state: bytes = b"",
    ) -> None:
        """Put the head of a delivery's first frame, which is its only one unless `more`.

        `state` is the encoded delivery state, of 100 bytes at most; empty is none.
        """
        if self._tagged:
            tag = self.tag(delivery_id)
            into.put(self.tagged(tag, delivery_id, payload_size, settled, more, state, False))
            return
        if len(state) > 0:
            into.put(self._stated(delivery_id, payload_size, settled, more, state))
            return
        size: i64 = self._size
        writer = into.writer()
        number = signed(delivery_id)
        if more:
            size += 1
        write_i32_be(writer, signed(size + payload_size))
        writer.write(self._prefix_more if more else self.prefix)
        write_i32_be(writer, number)
        write_i16_be(writer, _TAG_OF_4 - 0x10000)
        write_i32_be(writer, number)
        write_i16_be(writer, _FORMAT_0_SETTLED if settled else _FORMAT_0_UNSETTLED)
        if more:
            writer.append(_TRUE)
        into.size += size

    def put_whole(self, into: OutputBuffer, delivery_id: i64, payload: bytes, settled: bool) -> None:
        """Put a frame with a whole message, for a link without a generation."""
        size: i64 = self._size + len(payload)
        writer = into.writer()
        write_i32_be(writer, signed(size))
        writer.write(self.prefix)
        # The delivery-id, the tag's constructor, and the tag, which is the delivery-id.
        high: i64 = (delivery_id & 0x7FFFFFFF) << 32 | _TAG_OF_4 << 16 | delivery_id >> 16
        if delivery_id > 0x7FFFFFFF:
            high += _LOWEST
        write_i64_be(writer, high)
        low = (delivery_id & 0xFFFF) << 16 | (_FORMAT_0_SETTLED if settled else _FORMAT_0_UNSETTLED)
        write_i32_be(writer, signed(low))
        writer.write(payload)
        into.size += size

    def first(
        self, delivery_id: i64, payload_size: i64, *, settled: bool, more: bool, state: bytes = b""
    ) -> bytes:
        """The head that `put_first` puts."""
        head = OutputBuffer()
        self.put_first(head, delivery_id, payload_size, settled=settled, more=more, state=state)
        return head.take()

    def _stated(self, delivery_id: i64, payload_size: i64, settled: bool, more: bool, state: bytes) -> bytes:
        flags = _FORMAT_0_SETTLED if settled else _FORMAT_0_UNSETTLED
        fields = self._handle + _STATED.pack(
            0x70, delivery_id, _TAG_OF_4, delivery_id, flags, 0x41 if more else 0x42, 0x40
        )
        body = self._start + bytes((len(fields) + len(state) + 1, 8)) + fields + state
        return _SIZE.pack(4 + len(body) + payload_size) + body

    def pattern(self, *, settled: bool, state: bytes = b"") -> "HeadPattern":
        """The template of the heads of this link's deliveries in one frame each; see `first`."""
        octets = self.first(0, 0, settled=settled, more=False, state=state)
        delivery_id_at = 4 + len(self._start) + 2 + len(self._handle) + 1
        return HeadPattern(octets, delivery_id_at, delivery_id_at + 6)

    def tagged(  # noqa: PLR0913, PLR0917 - the transfer's own fields
        self,
        tag: bytes,
        delivery_id: i64,
        payload_size: i64,
        settled: bool,
        more: bool,
        state: bytes,
        resume: bool,
    ) -> bytes:
        """The head of the first frame of a delivery with its own tag of at most 8 bytes."""
        flags = bytes((0x43, 0x41 if settled else 0x42, 0x41 if more else 0x42, 0x40))
        fields = self._handle + _ID.pack(0x70, delivery_id) + bytes((0xA0, len(tag))) + tag + flags
        fields += (state or b"\x40") + (b"\x41" if resume else b"\x42")
        body = self._start + bytes((len(fields) + 1, 9)) + fields
        return _SIZE.pack(4 + len(body) + payload_size) + body

    def rest(self, payload_size: i64, *, more: bool) -> bytes:
        """The head of a further frame of the delivery that `first` began."""
        fields = self._handle + (b"\x40\x40\x40\x40\x41" if more else b"")
        body = self._start + bytes((len(fields) + 1, 6 if more else 1)) + fields
        return _SIZE.pack(4 + len(body) + payload_size) + body


def signed(number: i64) -> i32:
    """The signed integer with the same 32 bits."""
    return i32(number if number < 1 << 31 else number - (1 << 32))


def find_frames(data: bytes, pos: i64, pattern: HeadPattern, most: i64, bounds: list[int]) -> i64:
    """Find whole consecutive frames whose heads have this pattern; returns their end.

    Args:
        data: bytes of a connection.
        pos: the start of a frame.
        pattern: the pattern of deliveries in one frame each.
        most: the largest number of frames.
        bounds: receives the start and the end of each payload.
    """
    size: i64 = len(data)
    head: i64 = len(pattern.octets)
    id_at: i64 = pattern.delivery_id_at
    tag_at: i64 = pattern.tag_at
    # Up to the delivery-id, between it and the tag, behind the tag.
    prefix = pattern.octets[4:id_at]
    middle = pattern.octets[id_at + 4 : tag_at]
    rest = pattern.octets[tag_at + 4 :]
    while most > 0 and size - pos >= head:
        end: i64 = pos + (data[pos] << 24 | data[pos + 1] << 16 | data[pos + 2] << 8 | data[pos + 3])
        start: i64 = pos + head
        if (
            end > size
            or end < start
            or data[pos + 4 : pos + id_at] != prefix
            or data[pos + id_at + 4 : pos + tag_at] != middle
            or data[pos + tag_at + 4 : start] != rest
        ):
            break
        bounds.append(start)
        bounds.append(end)
        pos = end
        most -= 1
    return pos
