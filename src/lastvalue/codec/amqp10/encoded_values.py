"""Values of AMQP 1.0 that are put together from octets which are encoded already."""

import struct
from typing import Final

from mypy_extensions import i64

from lastvalue.codec.octets import OCTETS

_SIZE: Final = struct.Struct(">I")
_SIZE_COUNT: Final = struct.Struct(">II")


def string(text: bytes) -> bytes:
    """A string of AMQP 1.0."""
    size: i64 = len(text)
    return b"\xa1%b%b" % (OCTETS[size], text) if size < 256 else b"\xb1%b%b" % (_SIZE.pack(size), text)


def string_start(size: i64) -> bytes:
    """How a string of AMQP 1.0 begins, before its octets."""
    return b"\xa1" + OCTETS[size] if size < 256 else b"\xb1" + _SIZE.pack(size)


def binary(octets: bytes) -> bytes:
    """A binary of AMQP 1.0."""
    size: i64 = len(octets)
    return b"\xa0%b%b" % (OCTETS[size], octets) if size < 256 else b"\xb0%b%b" % (_SIZE.pack(size), octets)


def binary_start(size: i64) -> bytes:
    """How a binary of AMQP 1.0 begins, before its octets."""
    return b"\xa0" + OCTETS[size] if size < 256 else b"\xb0" + _SIZE.pack(size)


def symbol(text: bytes) -> bytes:
    """A symbol of AMQP 1.0."""
    size: i64 = len(text)
    return b"\xa3%b%b" % (OCTETS[size], text) if size < 256 else b"\xb3%b%b" % (_SIZE.pack(size), text)


def encoded_map(parts: list[bytes]) -> bytes:
    """A map of AMQP 1.0 with these alternating keys and values."""
    return _compound(b"\xc1", b"\xd1", parts)


def encoded_list(parts: list[bytes]) -> bytes:
    """A list of AMQP 1.0."""
    return _compound(b"\xc0", b"\xd0", parts)


def _compound(narrow: bytes, wide: bytes, parts: list[bytes]) -> bytes:
    content = b"".join(parts)
    size: i64 = len(content)
    count: i64 = len(parts)
    if size < 255 and count < 256:
        return b"%b%b%b%b" % (narrow, OCTETS[size + 1], OCTETS[count], content)
    return wide + _SIZE_COUNT.pack(size + 4, count) + content
