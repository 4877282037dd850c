"""Writes the simple types of CORE; `reader` says what they are."""

from struct import Struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.core.reader import LONG_STRING, SHORT_STRING
from lastvalue.codec.octets import OCTETS

_DOUBLE: Final = Struct(">d")
_FLOAT: Final = Struct(">f")
_SHORT: Final = Struct(">H")
_INT: Final = Struct(">I")
_LONG: Final = Struct(">q")
_TRUE: Final = b"\x01"
_FALSE: Final = b"\x00"


@final
class CoreWriter:
    """Writes values one after the other; a number that is too large for its type loses its first bits.

    Attributes:
        parts: the bytes written.
    """

    __slots__ = ("parts",)

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def data(self) -> bytes:
        """All that was written."""
        return b"".join(self.parts)

    def octets(self, octets: bytes) -> None:
        """Bytes without their number."""
        self.parts.append(octets)

    # ------------------------------------------------------------------ numbers

    def int8(self, value: i64) -> None:
        """See CoreReader."""
        self.parts.append(OCTETS[value & 0xFF])

    def boolean(self, value: bool) -> None:
        """See CoreReader."""
        self.parts.append(_TRUE if value else _FALSE)

    def int16(self, value: i64) -> None:
        """See CoreReader."""
        self.parts.append(_SHORT.pack(value & 0xFFFF))

    def int32(self, value: i64) -> None:
        """See CoreReader."""
        self.parts.append(_INT.pack(value & 0xFFFFFFFF))

    def int64(self, value: i64) -> None:
        """See CoreReader."""
        self.parts.append(_LONG.pack(value))

    def float32(self, value: float) -> None:
        """See CoreReader."""
        self.parts.append(_FLOAT.pack(value))

    def float64(self, value: float) -> None:
        """See CoreReader."""
        self.parts.append(_DOUBLE.pack(value))

    # ------------------------------------------------------------------ texts and bytes

    def binary(self, octets: bytes) -> None:
        """See CoreReader."""
        self.int32(len(octets))
        self.parts.append(octets)

    def simple_string(self, text: str) -> None:
        """See CoreReader."""
        self.binary(text.encode("utf-16-le", "surrogatepass"))

    def string(self, text: str) -> None:
        """See CoreReader."""
        octets = text.encode("utf-16-be", "surrogatepass")
        units = len(octets) >> 1
        self.int32(units)
        if units < SHORT_STRING:
            self.parts.append(octets)
        elif units < LONG_STRING:
            self.utf(text)
        else:
            self.simple_string(text)

    def utf(self, text: str) -> None:
        """See CoreReader."""
        octets = text.encode() if text.isascii() else _utf8_of_units(text)
        self.int16(len(octets))
        self.parts.append(octets)

    # ------------------------------------------------------------------ what may be missing

    def nullable_simple_string(self, text: str | None) -> None:
        """See CoreReader."""
        self.boolean(text is not None)
        if text is not None:
            self.simple_string(text)

    def nullable_string(self, text: str | None) -> None:
        """See CoreReader."""
        self.boolean(text is not None)
        if text is not None:
            self.string(text)

    def nullable_boolean(self, value: bool | None) -> None:
        """See CoreReader."""
        self.boolean(value is not None)
        if value is not None:
            self.boolean(value)

    def nullable_int32(self, value: i64 | None) -> None:
        """See CoreReader."""
        self.boolean(value is not None)
        if value is not None:
            self.int32(value)

    def nullable_int64(self, value: i64 | None) -> None:
        """See CoreReader."""
        self.boolean(value is not None)
        if value is not None:
            self.int64(value)


def _utf8_of_units(text: str) -> bytes:
    """The text in UTF-8, in which a character outside of the first plane is a pair of surrogates."""
    octets = text.encode("utf-16-be", "surrogatepass")
    units = [chr(octets[at] << 8 | octets[at + 1]) for at in range(0, len(octets), 2)]
    return "".join(units).encode("utf-8", "surrogatepass")
