"""Packets with messages of the usual form, with the same result as `message_encoder` has."""

from struct import Struct
from typing import Final, final

from librt.strings import (
    BytesWriter,
    read_i32_le,
    read_i64_le,
    write_i16_le,
    write_i32_be,
    write_i32_le,
    write_i64_be,
    write_i64_le,
)
from mypy_extensions import i16, i32, i64, u8

from lastvalue.codec.core.packets import HEADER_BYTES, RECEIVE
from lastvalue.codec.core.shortcuts.message_shapes import (
    BODY,
    EIGHT,
    EXPIRY,
    FLAG,
    FOUR,
    SIZE,
    TEXT,
    USER_ID,
    WIDE_BODY,
    WIDE_SIZE,
    MessageShape,
    ShapeLearner,
    utf16,
)
from lastvalue.codec.octets import number_at
from lastvalue.model.message import NEVER

_START: Final = Struct(">iBqi")
"""The size of a packet behind it, its type, its channel, and where the message's head begins."""
_SIZE_BYTES: Final = 4
_TEXT_HEAD_BYTES: Final = 5
"""A body that is a text: that it is not null, and its size."""
_TRUE: Final = 0x41
_FALSE: Final = 0x42
_OTHER: Final = 0
_WRITTEN: Final = 1
_LARGE: Final = 2
_MOST_SHAPES: Final = 4
_NOT_ASCII: Final = 0x80808080
"""The first bit of each of four octets."""
_SHORT_TEXT: Final = 256
"""Up to this many octets, a loop over ASCII is quicker than the codec."""


@final
class MessageWriter:
    """Writes the messages of one consumer as packets; most have the shape of an earlier one.

    Args:
        address: of messages that have none.
        channel: of the consumer's session.
        consumer: its number.
        most_bytes: a body of this size is large.
    """

    __slots__ = ("_consumer", "_expires_ms", "_learner", "_message_id", "_most_bytes", "_shapes", "_start")

    def __init__(self, address: str, channel: i64, consumer: i64, most_bytes: i64) -> None:
        self._start = _START.pack(0, RECEIVE.code, channel, 0)
        self._consumer: i64 = consumer
        self._most_bytes: i64 = most_bytes
        self._learner = ShapeLearner(address)
        # That of the last message is the first.
        self._shapes: list[MessageShape] = []
        # Of the message that is written.
        self._message_id: i64 = 0
        self._expires_ms: i64 = 0

    def write(
        self, into: BytesWriter, payload: bytes, expires_ms: i64, message_id: i64, deliveries: i64
    ) -> i64:
        """Write a message; the size of its packet, or 0 where it has another form, is malformed or large.

        Args:
            into: gets the packet.
            payload: the message.
            expires_ms: when its queue expires it, or NEVER.
            message_id: the number by which the consumer settles it.
            deliveries: how often it was delivered, with this time.
        """
        self._expires_ms = expires_ms
        if expires_ms == NEVER:
            self._expires_ms = 0
        self._message_id = message_id
        start: i64 = len(into)
        try:
            written = self._write(into, payload)
        except (IndexError, UnicodeDecodeError):
            # Up to where it is malformed it has a shape, and no other one.
            written = False
        if not written:
            into.truncate(start)
            return 0
        write_i64_be(into, self._consumer)
        write_i32_be(into, i32(deliveries))
        size: i64 = len(into) - start
        _set_number(into, start, size - _SIZE_BYTES)
        return size

    def _write(self, into: BytesWriter, data: bytes) -> bool:
        """Write a packet up to the end of the message, by the message's shape."""
        shapes = self._shapes
        start: i64 = len(into)
        for index in range(len(shapes)):
            shape = shapes[index]
            result = self._write_shape(shape, into, data)
            if result != _OTHER:
                if index > 0:
                    del shapes[index]
                    shapes.insert(0, shape)
                return result == _WRITTEN
            into.truncate(start)
        learned = self._learner.learn(data)
        if learned is None:
            return False
        del shapes[_MOST_SHAPES - 1 :]
        shapes.insert(0, learned)
        return self._write_shape(learned, into, data) == _WRITTEN

    def _write_shape(self, shape: MessageShape, into: BytesWriter, data: bytes) -> i64:
        """Write a packet up to the end of the message; whether it is written, large, or has another shape.

        Raises:
            IndexError: the message is cut off.
            UnicodeDecodeError: a text is not UTF-8.
        """
        body: i64 = _find_body(shape, data)
        if body == 0:
            return _OTHER
        size: i64 = len(data) - body
        if shape.is_text:
            size = 2 * size + _TEXT_HEAD_BYTES
        if size >= self._most_bytes:
            return _LARGE
        start: i64 = len(into)
        into.write(self._start)
        if shape.is_text:
            into.append(1)
            _write_text(into, data, body, len(data))
        else:
            into.write(data[body:])
        _set_number(into, start + HEADER_BYTES, len(into) - start - _SIZE_BYTES)
        write_i64_be(into, self._message_id)
        return _WRITTEN if self._write_head(shape, into, data) else _OTHER

    def _write_head(  # noqa: C901 - hot: without calls
        self, shape: MessageShape, into: BytesWriter, data: bytes
    ) -> bool:
        """Write headers and properties without the message's number; false where it has another shape."""
        pos: i64 = 0
        body_head: i64 = 0
        properties_end: i64 = -1
        for part in shape.parts:
            if not _has_at(data, pos, part.before):
                return False
            pos += part.step
            into.write(part.written)
            value = part.value
            if value == TEXT:
                start = pos
                pos += data[start - 1]
                _write_text(into, data, start, pos)
            elif value == EIGHT:
                write_i64_le(into, read_i64_le(data, pos - 8))
            elif value == EXPIRY:
                write_i64_be(into, self._expires_ms)
            elif value == USER_ID:
                write_i64_le(into, read_i64_le(data, pos - 16))
                write_i64_le(into, read_i64_le(data, pos - 8))
            elif value == SIZE:
                properties_end = pos + data[pos - 1]
            elif value == FOUR:
                write_i32_le(into, read_i32_le(data, pos - 4))
            elif value == FLAG:
                code = data[pos - 1]
                if code != _TRUE and code != _FALSE:
                    return False
                into.append(_FALSE - code)
            elif value == WIDE_SIZE:
                properties_end = pos + number_at(data, pos - 4)
            else:
                # A section's descriptor, the code of the body's type, and its size.
                body_head = 5 if value == BODY else 8
        return properties_end < 0 or properties_end == pos - body_head


def _find_body(shape: MessageShape, data: bytes) -> i64:
    """Where the body is if a message has this shape; 0 where it cannot have it."""
    end: i64 = len(data)
    pos: i64 = 0
    size: i64 = 0
    for part in shape.parts:
        pos += part.step
        if pos > end:
            return 0
        if part.value == TEXT:
            pos += data[pos - 1]
        elif part.value == BODY:
            size = data[pos - 1]
        elif part.value == WIDE_BODY:
            size = number_at(data, pos - 4)
    if pos + size != end:
        return 0
    return pos


def _set_number(into: BytesWriter, at: i64, number: i64) -> None:
    """Set four octets that are 0."""
    if number >= 0x10000:
        into[at] = u8(number >> 24 & 0xFF)
        into[at + 1] = u8(number >> 16 & 0xFF)
    into[at + 2] = u8(number >> 8 & 0xFF)
    into[at + 3] = u8(number & 0xFF)


def _has_at(data: bytes, pos: i64, octets: bytes) -> bool:
    """Whether these octets are there."""
    if pos == 0:
        return data.startswith(octets)
    size: i64 = len(octets)
    if pos + size > len(data):
        return False
    at: i64 = 0
    last: i64 = size - 8
    if size < 4:
        while at < size and data[pos + at] == octets[at]:
            at += 1
        return at == size
    if last < 0:
        last += 4
        return read_i32_le(data, pos) == read_i32_le(octets, 0) and read_i32_le(
            data, pos + last
        ) == read_i32_le(octets, last)
    while at < last:
        if read_i64_le(data, pos + at) != read_i64_le(octets, at):
            return False
        at += 8
    return read_i64_le(data, pos + last) == read_i64_le(octets, last)


def _write_text(into: BytesWriter, data: bytes, start: i64, end: i64) -> None:
    """Write a text that is there in UTF-8, with its size.

    Raises:
        IndexError: it does not end in the data.
        UnicodeDecodeError: it is not UTF-8.
    """
    size: i64 = end - start
    if size <= _SHORT_TEXT:
        before: i64 = len(into)
        write_i32_be(into, i32(2 * size))
        pos: i64 = start
        while end - pos >= 8:
            eight: i64 = read_i64_le(data, pos)
            four: i64 = eight >> 32
            if (eight | four) & _NOT_ASCII:
                break
            write_i64_le(into, _spread(eight & 0xFFFFFFFF))
            write_i64_le(into, _spread(four))
            pos += 8
        while pos < end and data[pos] < 0x80:
            write_i16_le(into, i16(data[pos]))
            pos += 1
        if pos == end:
            return
        into.truncate(before)
    octets = utf16(data[start:end].decode())
    write_i32_be(into, i32(len(octets)))
    into.write(octets)


def _spread(four: i64) -> i64:
    """Four octets with an octet of 0 behind each."""
    pairs = (four | four << 16) & 0x0000FFFF0000FFFF
    return (pairs | pairs << 8) & 0x00FF00FF00FF00FF
