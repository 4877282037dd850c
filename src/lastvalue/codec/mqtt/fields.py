"""The data types of packets [MQTT 5.0 §1.5]: numbers, texts in UTF-8, octets."""

from struct import Struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.mqtt.errors import malformed
from lastvalue.codec.octets import number_at

MOST_VARIABLE: Final = 268_435_455
"""The largest variable byte integer [MQTT 5.0 §1.5.5]."""
MOST_TEXT_BYTES: Final = 0xFFFF

_UINT16: Final = Struct(">H")
_UINT32: Final = Struct(">I")


@final
class FieldReader:
    """Reads fields one after the other; raises MqttError where one is malformed.

    Attributes:
        data: that is read.
        pos: of the next field.
        end: where the fields end.
    """

    __slots__ = ("data", "end", "pos")

    def __init__(self, data: bytes, pos: i64 = 0, end: i64 = -1) -> None:
        self.data = data
        self.pos: i64 = pos
        self.end: i64 = len(data) if end < 0 else end

    def left(self) -> i64:
        """The number of bytes that are not read."""
        return self.end - self.pos

    def uint8(self) -> i64:
        """A byte."""
        return self.data[self._skip(1)]

    def uint16(self) -> i64:
        """A two byte integer."""
        pos = self._skip(2)
        return self.data[pos] << 8 | self.data[pos + 1]

    def uint32(self) -> i64:
        """A four byte integer."""
        return number_at(self.data, self._skip(4))

    def variable(self) -> i64:
        """A variable byte integer."""
        value: i64 = 0
        shift: i64 = 0
        while True:
            byte = self.uint8()
            value |= (byte & 127) << shift
            if byte < 128:
                break
            shift += 7
            if shift > 21:
                raise malformed("[MQTT-1.5.5-1] a variable byte integer has at most four bytes")
        if byte == 0 and shift > 0:
            raise malformed("[MQTT-1.5.5-1] a variable byte integer has no more bytes than it needs")
        return value

    def octets(self, size: i64) -> bytes:
        """This many bytes."""
        pos = self._skip(size)
        return self.data[pos : pos + size]

    def binary(self) -> bytes:
        """Binary data."""
        return self.octets(self.uint16())

    def text(self) -> str:
        """A UTF-8 encoded string."""
        return text_of(self.binary())

    def finish(self) -> None:
        """Nothing follows."""
        if self.pos != self.end:
            raise malformed(f"a packet has {self.end - self.pos} bytes more than its fields")

    def _skip(self, size: i64) -> i64:
        pos = self.pos
        if size > self.end - pos:
            raise malformed(f"a field of {size} bytes where {self.end - pos} are left")
        self.pos = pos + size
        return pos


def text_of(octets: bytes) -> str:
    """The text of the octets of a UTF-8 encoded string.

    Raises:
        MqttError: they are ill-formed.
    """
    try:
        # Python's codec refuses surrogates, and leaves U+FEFF [MQTT-1.5.4-1, MQTT-1.5.4-3].
        text = octets.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise malformed(f"[MQTT-1.5.4-1] a text is no UTF-8: {fault.reason} at byte {fault.start}") from None
    if "\0" in text:
        raise malformed("[MQTT-1.5.4-2] a text has no U+0000")
    return text


def uint16(value: int) -> bytes:
    """A two byte integer."""
    return _UINT16.pack(value)


def uint32(value: int) -> bytes:
    """A four byte integer."""
    return _UINT32.pack(value)


def variable(value: i64) -> bytes:
    """A variable byte integer."""
    if value < 128:
        return bytes((value,))
    octets = bytearray()
    while value > 127:
        octets.append(value & 127 | 128)
        value >>= 7
    octets.append(value)
    return bytes(octets)


def binary(octets: bytes) -> bytes:
    """Binary data of at most MOST_TEXT_BYTES bytes."""
    return uint16(len(octets)) + octets


def text(value: str) -> bytes:
    """A UTF-8 encoded string of at most MOST_TEXT_BYTES bytes; surrogates become question marks."""
    return binary(value.encode("utf-8", "replace"))
