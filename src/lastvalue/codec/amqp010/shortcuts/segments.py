"""Header segments of messages as bytes: where their parts are, and when it pays to keep what they say."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp010.command_layouts import MESSAGE_MESSAGE_PROPERTIES
from lastvalue.codec.amqp010.decoder import Decoder
from lastvalue.codec.amqp10.sections import ABSENT
from lastvalue.codec.octets import is_text, number_at

MOST_KNOWN: Final = 4096
"""Kinds of messages of which is kept what they become, for each exchange and for all queues."""

_PATIENCE: Final = 64


@final
class CacheBenefit:
    """Whether it pays to learn what messages are like: where each is of another kind, it does not.

    Attributes:
        misses: messages since the last one that was like one before.
    """

    __slots__ = ("misses",)

    def __init__(self) -> None:
        self.misses: i64 = 0

    def missed(self) -> bool:
        """A message came that is like none before; whether to learn it."""
        self.misses += 1
        return self.misses < _PATIENCE or self.misses % _PATIENCE == 0


def behind_delivery(header: bytes) -> i64:
    """Where the delivery properties end that the segment begins with, or ABSENT."""
    size: i64 = len(header)
    if size < 8 or header[4] != 4 or header[5] != 1:
        return ABSENT
    behind = 4 + number_at(header, 0)
    return behind if behind <= size else ABSENT


def segment_fields(header: bytes, behind: i64) -> tuple[bytes, bytes] | None:
    """The code and flags of the message properties there, and the fields before the application headers.

    Nothing and nothing where the segment ends there; None where something else follows.
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
    """Whether what follows its size of one byte is UTF-8."""
    return sized.isascii() or is_text(sized[1:])
