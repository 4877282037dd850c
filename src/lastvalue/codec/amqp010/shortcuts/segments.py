"""The parts of an encoded header segment."""

from typing import Final

from mypy_extensions import i64

from lastvalue.codec.amqp010.command_layouts import MESSAGE_MESSAGE_PROPERTIES
from lastvalue.codec.amqp010.decoder import Decoder
from lastvalue.codec.amqp10.sections import ABSENT
from lastvalue.codec.octets import is_text, number_at

MOST_KNOWN: Final = 4096
"""The largest number of cached kinds of messages, per exchange and for all queues."""


def behind_delivery(header: bytes) -> i64:
    """The end of the delivery properties that begin the segment, or ABSENT."""
    size: i64 = len(header)
    if size < 8 or header[4] != 4 or header[5] != 1:
        return ABSENT
    behind = 4 + number_at(header, 0)
    return behind if behind <= size else ABSENT


def segment_fields(header: bytes, behind: i64) -> tuple[bytes, bytes] | None:
    """The code and flags of the message properties, and their fields before the application headers.

    Both are empty if the segment ends; None if anything else follows.
    """
    end: i64 = len(header)
    if behind == end:
        return b"", b""
    if end - behind < 8 or header[behind + 4 : behind + 6] != b"\x04\x03":
        return None
    if number_at(header, behind) != end - behind - 4:
        return None
    flags = header[behind + 4 : behind + 8]
    decoder = Decoder(header, behind + 8, end)
    start: i64 = -1
    bit: i64 = flags[2] | flags[3] << 8
    for name, kind in MESSAGE_MESSAGE_PROPERTIES.fields:
        if name == "correlation_id":
            start = decoder.pos
        if name == "application_headers":
            break
        if bit & 1:
            decoder.field(kind)
        bit >>= 1
    return flags, header[start : decoder.pos]


def is_sized_text(sized: bytes) -> bool:
    """Whether the text, which begins with its size in one byte, is valid UTF-8."""
    return sized.isascii() or is_text(sized[1:])
