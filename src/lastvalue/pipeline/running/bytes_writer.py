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

    def __setitem__(self, index: int, x: int, /) -> None:
        self._data[index] = x

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


def write_i32_le(b: BytesWriter, n: int, /) -> None:
    """Add an integer of 32 bits, the lowest first."""
    b.write(n.to_bytes(4, "little", signed=True))


def write_i64_be(b: BytesWriter, n: int, /) -> None:
    """Add an integer of 64 bits, the highest first."""
    b.write(n.to_bytes(8, "big", signed=True))


def write_i64_le(b: BytesWriter, n: int, /) -> None:
    """Add an integer of 64 bits, the lowest first."""
    b.write(n.to_bytes(8, "little", signed=True))


def read_i16_be(b: bytes, index: int, /) -> int:
    """The integer of 16 bits, the highest first, that begins at an index; IndexError where there is none."""
    return int.from_bytes(_part(b, index, 2), "big", signed=True)


def read_i32_be(b: bytes, index: int, /) -> int:
    """The integer of 32 bits, the highest first, that begins at an index; IndexError where there is none."""
    return int.from_bytes(_part(b, index, 4), "big", signed=True)


def read_i64_be(b: bytes, index: int, /) -> int:
    """The integer of 64 bits, the highest first, that begins at an index; IndexError where there is none."""
    return int.from_bytes(_part(b, index, 8), "big", signed=True)


def read_i32_le(b: bytes, index: int, /) -> int:
    """The integer of 32 bits, the lowest first, that begins at an index; IndexError where there is none."""
    return int.from_bytes(_part(b, index, 4), "little", signed=True)


def read_i64_le(b: bytes, index: int, /) -> int:
    """The integer of 64 bits, the lowest first, that begins at an index; IndexError where there is none."""
    return int.from_bytes(_part(b, index, 8), "little", signed=True)


def _part(b: bytes, index: int, size: int) -> bytes:
    if not 0 <= index <= len(b) - size:
        raise IndexError(f"no {size} bytes begin at {index} of {len(b)}")
    return b[index : index + size]
