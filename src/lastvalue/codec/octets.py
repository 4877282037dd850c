"""Octets, numbers and texts within bytes, for all codecs."""

from typing import Final

from mypy_extensions import i64

OCTETS: Final = [bytes((number,)) for number in range(256)]
"""Each octet as bytes."""


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
