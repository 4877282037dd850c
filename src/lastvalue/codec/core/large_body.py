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
"""So many bytes of a text are looked at at once: a copy of them stays in the processor's cache."""
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
        octets: the body; or a message that ends with a text of ASCII, which is the body.
        text_at: where that begins; the parts are converted when they are asked for.

    Attributes:
        size_bytes: of the body as CORE has it.
    """

    __slots__ = ("_octets", "_text_at", "size_bytes")

    def __init__(self, octets: bytes, text_at: i64 = _NO_TEXT) -> None:
        self._octets = octets
        self._text_at: i64 = text_at
        self.size_bytes: i64 = len(octets)
        if text_at != _NO_TEXT:
            self.size_bytes = _TEXT_HEAD_BYTES + 2 * (len(octets) - text_at)

    def part(self, start: i64, end: i64) -> bytes:
        """The octets from start to end."""
        if self._text_at == _NO_TEXT:
            return self._octets[start:end]
        head = b"\x01" + _SIZE.pack(self.size_bytes - _TEXT_HEAD_BYTES & 0xFFFFFFFF)
        # Of whole characters: the first one may begin before the part, the last one may end after it.
        first: i64 = max(0, start - _TEXT_HEAD_BYTES) // 2
        last: i64 = max(0, end - _TEXT_HEAD_BYTES + 1) // 2
        text = self._octets[self._text_at + first : self._text_at + last].decode("ascii")
        begins: i64 = _TEXT_HEAD_BYTES + 2 * first
        if start < begins:
            return (head + text.encode("utf-16-le"))[start:end]
        return text.encode("utf-16-le")[start - begins : end - begins]


def encode_in_parts(payload: bytes, address: str, expires_ms: i64) -> tuple[MessageEncoder, LargeBody]:
    """A message's content, and its body.

    It is what `encode_message` has, but that a large text of ASCII is converted later, part by part.

    Raises:
        DecodeError: the message is malformed, or has too many values.
    """
    text_at = _text_at(payload)
    if text_at > 0 and _is_ascii(payload, text_at):
        message = encode_message(payload[: text_at - _STRING_HEAD_BYTES] + _EMPTY, address, expires_ms)
        # With other sections of the body the text may not be the body.
        if message.kind == TEXT_TYPE and len(message.body) == _TEXT_HEAD_BYTES:
            return message, LargeBody(payload, text_at)
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


def _is_ascii(payload: bytes, start: i64) -> bool:
    """Whether all octets from there on are ASCII."""
    size: i64 = len(payload)
    while start < size:
        if not payload[start : start + _STEP_BYTES].isascii():
            return False
        start += _STEP_BYTES
    return True
