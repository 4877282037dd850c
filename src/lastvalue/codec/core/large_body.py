"""Bodies that are sent in parts."""

from struct import Struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.sections import ABSENT, AMQP_VALUE, section_head
from lastvalue.codec.amqp10.value_codec import skip_value
from lastvalue.codec.core.jms_names import TEXT_TYPE
from lastvalue.codec.core.message_encoder import MessageEncoder, encode_message
from lastvalue.codec.octets import number_at

_LARGE_TEXT_BYTES: Final = 64 * 1024
"""From this size on a text is converted part by part."""
_STEP_BYTES: Final = 64 * 1024
"""This many bytes of a text are looked at at once: a copy of them stays in the processor's cache."""
_SIZE: Final = Struct(">I")
_WIDE_STRING: Final = 0xB1
_STRING_HEAD_BYTES: Final = 5
_NO_TEXT: Final = -1
_EMPTY: Final = b"\xa1\x00"
"""A text without characters."""
_TEXT_HEAD_BYTES: Final = 5
"""That a text is not null, and its size."""


@final
class LargeBody:
    """A body, of which one part after the other is asked for.

    Args:
        octets: the body; or a message that ends with a text, which is the body.
        text_at: where that begins; it is converted part by part, when these are asked for.
        text_bytes: of the text in UTF-16.

    Attributes:
        size_bytes: of the body as CORE has it.
    """

    __slots__ = ("_converted", "_octets", "_pos", "size_bytes")

    def __init__(self, octets: bytes, text_at: i64 = _NO_TEXT, text_bytes: i64 = 0) -> None:
        self._octets = octets
        self._converted: bytes | None = None
        self._pos: i64 = 0
        self.size_bytes: i64 = len(octets)
        if text_at != _NO_TEXT:
            self._pos = text_at
            self._converted = b"\x01" + _SIZE.pack(text_bytes)
            self.size_bytes = _TEXT_HEAD_BYTES + text_bytes

    def next_part(self, most_bytes: i64) -> bytes:
        """The next octets: this many, or all that are left."""
        octets = self._octets
        converted = self._converted
        if converted is None:
            start = self._pos
            self._pos += most_bytes
            return octets[start : self._pos]
        parts = [converted]
        size: i64 = len(converted)
        while size < most_bytes and self._pos < len(octets):
            end = _end_of_step(octets, self._pos)
            part = octets[self._pos : end].decode().encode("utf-16-le")
            parts.append(part)
            size += len(part)
            self._pos = end
        converted = b"".join(parts)
        self._converted = converted[most_bytes:]
        return converted[:most_bytes]


@final
class TextSize:
    """Measures the large text with which a message ends, step by step.

    Attributes:
        payload: the message.
        start: where the text begins; 0 where the message ends otherwise, or the text is not large.
        size_bytes: of what is measured of it, in UTF-16.

    Raises:
        DecodeError: a section is malformed.
    """

    __slots__ = ("_pos", "payload", "size_bytes", "start")

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        self.start: i64 = _text_at(payload)
        self.size_bytes: i64 = 0
        self._pos: i64 = self.start

    def measure(self, most_bytes: i64) -> bool:
        """Measure about this many octets more, or all that are left; true once nothing is left."""
        payload = self.payload
        size: i64 = len(payload)
        until = min(self._pos + most_bytes, size)
        while self.start > 0 and self._pos < until:
            end = _end_of_step(payload, self._pos)
            part = payload[self._pos : end]
            self._pos = end
            if part.isascii():
                self.size_bytes += 2 * len(part)
                continue
            try:
                self.size_bytes += len(part.decode().encode("utf-16-le"))
            except UnicodeDecodeError:
                # It is for the general conversion.
                self.start = 0
        return self.start == 0 or self._pos == size


def encode_in_parts(
    payload: bytes, address: str, expires_ms: i64, text: TextSize | None = None
) -> tuple[MessageEncoder, LargeBody]:
    """A message's content, and its body.

    It is what `encode_message` has, but that a large text is converted later, part by part; `text` has its
    size where that is measured already.

    Raises:
        DecodeError: the message is malformed, or has too many values.
    """
    if text is None:
        text = TextSize(payload)
        text.measure(len(payload))
    if text.start > 0:
        message = encode_message(payload[: text.start - _STRING_HEAD_BYTES] + _EMPTY, address, expires_ms)
        # With other sections of the body the text may not be the body.
        if message.kind == TEXT_TYPE and len(message.body) == _TEXT_HEAD_BYTES:
            return message, LargeBody(payload, text.start, text.size_bytes)
    message = encode_message(payload, address, expires_ms)
    return message, LargeBody(message.body)


def _text_at(payload: bytes) -> i64:
    """Where the text begins with which a message ends; 0 where it ends otherwise, or the text is not large.

    Raises:
        DecodeError: a section is malformed.
    """
    size: i64 = len(payload)
    if size < _LARGE_TEXT_BYTES:
        return 0
    pos: i64 = 0
    while pos < size:
        section, start = section_head(payload, pos, size)
        if section == ABSENT:
            return 0
        if section == AMQP_VALUE:
            text: i64 = start + _STRING_HEAD_BYTES
            if size - text < _LARGE_TEXT_BYTES or payload[start] != _WIDE_STRING:
                return 0
            return text if text + number_at(payload, start + 1) == size else 0
        pos = skip_value(payload, start, size)
    return 0


def _end_of_step(payload: bytes, start: i64) -> i64:
    """Where the next step ends, after a whole character."""
    end: i64 = start + _STEP_BYTES
    if end >= len(payload):
        return len(payload)
    # [UTF-8] A character's octets after the first one begin with the bits 10; there are at most three.
    least: i64 = end - 3
    while end > least and payload[end] & 0xC0 == 0x80:
        end -= 1
    return end
