"""Reads the simple types of CORE from bytes.

Numbers are big-endian; a text is counted UTF-16, which Artemis calls SimpleString, or one of three forms that
depend on its length.
"""

from codecs import utf_16_le_decode
from struct import Struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.octet_reader import OctetReader

SHORT_STRING: Final = 9
"""Texts with fewer UTF-16 units are written as these units."""
LONG_STRING: Final = 0xFFF
"""Texts of at least this many UTF-16 units are written as SimpleStrings."""

_STEP_BYTES: Final = 64 * 1024
"""This many bytes of a text are converted at once: a copy of them stays in the processor's cache."""

_DOUBLE: Final = Struct(">d")
_FLOAT: Final = Struct(">f")


def next_as_utf8(data: bytes, pos: i64, end: i64) -> tuple[bytes, i64]:
    """The next part of UTF-16 that ends at `end`, in UTF-8, and where the part after it begins."""
    stop = min(pos + _STEP_BYTES, end)
    # A pair of surrogates is in one part.
    text, used = utf_16_le_decode(data[pos:stop], "replace", stop == end)
    return text.encode(), pos + used


@final
class CoreReader(OctetReader):
    """Reads values one after the other; raises DecodeError where the bytes end within one."""

    __slots__ = ()

    def too_short(self, size: i64) -> DecodeError:
        """See OctetReader."""
        return DecodeError(f"{size} bytes are expected where {self.end - self.pos} are left")

    def rest(self) -> bytes:
        """All that is left."""
        return self.octets(self.end - self.pos)

    # ------------------------------------------------------------------ numbers

    def int8(self) -> i64:
        """A signed octet."""
        value: i64 = self.data[self._skip(1)]
        return value - 256 if value > 127 else value

    def boolean(self) -> bool:
        """An octet; every one but 0 is true."""
        return self.data[self._skip(1)] != 0

    def int16(self) -> i64:
        """A signed number of two octets."""
        value = self.uint16()
        return value - 0x10000 if value > 0x7FFF else value

    def int32(self) -> i64:
        """A signed number of four octets."""
        value = self.uint32()
        return value - 0x100000000 if value > 0x7FFFFFFF else value

    def int64(self) -> i64:
        """A signed number of eight octets."""
        high = self.int32()
        return high << 32 | self.int32() & 0xFFFFFFFF

    def float32(self) -> float:
        """A number in single precision."""
        number: float = _FLOAT.unpack_from(self.data, self._skip(4))[0]
        return number

    def float64(self) -> float:
        """A number in double precision."""
        number: float = _DOUBLE.unpack_from(self.data, self._skip(8))[0]
        return number

    # ------------------------------------------------------------------ texts and bytes

    def binary(self) -> bytes:
        """Bytes with their number."""
        return self.octets(self.int32())

    def simple_string(self) -> str:
        """A SimpleString: UTF-16, low octet first, with the number of octets."""
        octets = self.binary()
        if len(octets) & 1:
            raise DecodeError(f"a SimpleString has an even number of octets, not {len(octets)}")
        return octets.decode("utf-16-le", "replace")

    def simple_string_as_utf8(self) -> list[bytes]:
        """The parts of a SimpleString, in UTF-8."""
        pos = self.pos + 4
        size = self.int32()
        self._skip(size)
        if size & 1:
            raise DecodeError(f"a SimpleString has an even number of octets, not {size}")
        end = pos + size
        parts: list[bytes] = []
        while pos < end:
            part, pos = next_as_utf8(self.data, pos, end)
            parts.append(part)
        return parts

    def string(self) -> str:
        """A text as Java's clients write names: its form depends on its length."""
        units = self.int32()
        if units < 0:
            raise DecodeError(f"a string of {units} characters")
        if units < SHORT_STRING:
            return self.octets(2 * units).decode("utf-16-be", "replace")
        if units < LONG_STRING:
            return self.utf()
        return self.simple_string()

    def utf(self) -> str:
        """A text in UTF-8 with the number of octets; a pair of surrogates is written as two characters."""
        octets = self.octets(self.uint16())
        try:
            text = octets.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as fault:
            raise DecodeError(f"a string is no UTF-8: {fault.reason} at octet {fault.start}") from None
        return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    # ------------------------------------------------------------------ what may be missing

    def nullable_simple_string(self) -> str | None:
        """A SimpleString, or None."""
        return self.simple_string() if self.boolean() else None

    def nullable_string(self) -> str | None:
        """A string, or None."""
        return self.string() if self.boolean() else None

    def nullable_boolean(self) -> bool | None:
        """A boolean, or None."""
        present = self.boolean()
        return self.boolean() if present else None

    def nullable_int32(self) -> i64 | None:
        """A number of four octets, or None."""
        return self.int32() if self.boolean() else None

    def nullable_int64(self) -> i64 | None:
        """A number of eight octets, or None."""
        return self.int64() if self.boolean() else None
