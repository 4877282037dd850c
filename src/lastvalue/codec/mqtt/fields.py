"""The data types of packets [MQTT 5.0 §1.5]: numbers, texts in UTF-8, octets."""

from struct import Struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.mqtt.errors import MqttError, malformed
from lastvalue.codec.octet_reader import OctetReader

MOST_VARIABLE: Final = 268_435_455
"""The largest variable byte integer [MQTT 5.0 §1.5.5]."""
MOST_TEXT_BYTES: Final = 0xFFFF

_UINT16: Final = Struct(">H")
_UINT32: Final = Struct(">I")


@final
class FieldReader(OctetReader):
    """Reads fields one after the other; raises MqttError where one is malformed."""

    __slots__ = ()

    def too_short(self, size: i64) -> MqttError:
        """See OctetReader."""
        return malformed(f"a field of {size} bytes where {self.end - self.pos} are left")

    def uint8(self) -> i64:
        """A byte."""
        return self.data[self._skip(1)]

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


def is_mqtt_text(value: str) -> bool:
    """Whether MQTT has such a text [MQTT-1.5.4-2]: at most 65,535 bytes, and no U+0000."""
    if "\0" in value:
        return False
    return 4 * len(value) <= MOST_TEXT_BYTES or len(value.encode("utf-8", "replace")) <= MOST_TEXT_BYTES
