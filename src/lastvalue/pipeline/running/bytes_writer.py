"""What the package uses of `librt.strings`, in Python.

Workers of a cluster that get the package in a zip file have it, as no compiled module is imported from there.
"""

from typing import final


@final
class BytesWriter:
    """Collects bytes; see librt."""

    __slots__ = ("_data",)

    def __init__(self) -> None:
        self._data = bytearray()

    def __len__(self) -> int:
        return len(self._data)

    def append(self, x: int, /) -> None:
        """Add an octet."""
        self._data.append(x)

    def write(self, b: bytes, /) -> None:
        """Add bytes."""
        self._data += b

    def getvalue(self) -> bytes:
        """All bytes."""
        return bytes(self._data)

    def truncate(self, size: int, /) -> None:
        """Keep the first bytes only."""
        del self._data[size:]


def write_i16_le(b: BytesWriter, n: int, /) -> None:
    """Add an integer of 16 bits, the lowest first."""
    b.write(n.to_bytes(2, "little", signed=True))


def write_i16_be(b: BytesWriter, n: int, /) -> None:
    """Add an integer of 16 bits, the highest first."""
    b.write(n.to_bytes(2, "big", signed=True))


def write_i32_be(b: BytesWriter, n: int, /) -> None:
    """Add an integer of 32 bits, the highest first."""
    b.write(n.to_bytes(4, "big", signed=True))


def write_i64_be(b: BytesWriter, n: int, /) -> None:
    """Add an integer of 64 bits, the highest first."""
    b.write(n.to_bytes(8, "big", signed=True))
