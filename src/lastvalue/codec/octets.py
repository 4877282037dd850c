"""Octets, numbers and texts within bytes, for all codecs."""

from typing import Final

from mypy_extensions import i64

OCTETS: Final = [bytes((number,)) for number in range(256)]
"""Each octet as bytes."""

MOST_QUICK_BYTES: Final = 4096
"""The size of properties beyond which a message has not the usual form, which quick forms are made for."""

MOST_LEARNED_BYTES: Final = 1024
"""The longest octets that a quick form remembers for further messages."""


def number_at(data: bytes, pos: i64) -> i64:
    """The number of four octets at pos; raises IndexError if the data ends within it."""
    return data[pos] << 24 | data[pos + 1] << 16 | data[pos + 2] << 8 | data[pos + 3]


def is_text(octets: bytes) -> bool:
    """Whether the octets are valid UTF-8."""
    if octets.isascii():
        return True
    try:
        str(octets, "utf-8")
    except UnicodeDecodeError:
        return False
    return True
