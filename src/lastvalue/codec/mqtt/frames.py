"""Splits bytes into packets [MQTT 5.0 §2.1]."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.mqtt.errors import MqttError, malformed
from lastvalue.codec.mqtt.fields import MOST_VARIABLE
from lastvalue.codec.mqtt.reason_codes import ReasonCode

LARGEST_PACKET: Final = 5 + MOST_VARIABLE
"""With the largest remaining length."""
_CONNECT: Final = 0x10
_NAMES: Final = (b"\0\x04MQTT", b"\0\x06MQIsdp")
_MOST_LENGTH_BYTES: Final = 4
_LEAST_NAME_BYTES: Final = 3


def begins_mqtt(header: bytes) -> bool:
    """Whether a peer whose first eight bytes these are speaks MQTT: they begin a CONNECT."""
    if header[0] != _CONNECT:
        return False
    start = 1
    while start <= _MOST_LENGTH_BYTES and header[start] > 127:
        start += 1
    name = header[start + 1 :]
    return len(name) >= _LEAST_NAME_BYTES and any(each.startswith(name[: len(each)]) for each in _NAMES)


@final
class FrameReader:
    """Splits bytes into packets.

    Attributes:
        max_packet_size: the size of a larger packet is refused as soon as it is known.
        first: the first byte of the current packet, with its type and flags; what follows its length is
            data[start:end].
        data: the bytes that came, with the rest of those before them.
        position: the start of the next packet in the data.
    """

    __slots__ = ("_needed", "_parts", "_parts_bytes", "data", "end", "first", "max_packet_size", "position",
        "start",
    )  # fmt: skip

    def __init__(self, max_packet_size: i64) -> None:
        self.max_packet_size: i64 = max_packet_size
        self.data = b""
        self.first: i64 = 0
        self.start: i64 = 0
        self.end: i64 = 0
        self.position: i64 = 0
        # What came after the data, before the packet at its end is whole: it is copied once.
        self._parts: list[bytes] = []
        self._parts_bytes: i64 = 0
        self._needed: i64 = 0

    @property
    def waiting_bytes(self) -> i64:
        """The number of bytes of a packet that is not whole."""
        return len(self.data) - self.position + self._parts_bytes

    def feed(self, data: bytes) -> None:
        """Add what came."""
        if self.position == len(self.data) and not self._parts:
            self.data = data
            self.position = 0
            return
        self._parts.append(data)
        self._parts_bytes += len(data)
        if self.waiting_bytes >= self._needed:
            self.data = self.data[self.position :] + b"".join(self._parts)
            self._parts.clear()
            self._parts_bytes = 0
            self.position = 0

    def clear(self) -> None:
        """Forget what came: nothing more is read."""
        self.data = b""
        self.position = 0
        self._parts.clear()
        self._parts_bytes = 0

    def next(self) -> bool:
        """Move to the next packet; returns false while it is not whole.

        Raises:
            MqttError: its length is malformed, or too large; then data[start:end] is what has come of it.
        """
        data = self.data
        pos = self.position
        available: i64 = len(data) - pos
        self._needed = 2
        if available < 2 or self._parts_bytes > 0:
            return False
        length: i64 = data[pos + 1]
        start = pos + 2
        if length > 127:
            length &= 127
            shift: i64 = 7
            while True:
                if start - pos > _MOST_LENGTH_BYTES:
                    raise malformed("[MQTT 5.0 §2.1.4] a remaining length has at most four bytes")
                if start >= len(data):
                    self._needed = available + 1
                    return False
                byte: i64 = data[start]
                start += 1
                length |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    if byte == 0:
                        raise malformed("[MQTT-1.5.5-1] a remaining length has no more bytes than it needs")
                    break
        size = start - pos + length
        if size > self.max_packet_size:
            self.start = start
            self.end = min(start + length, len(data))
            raise MqttError(
                ReasonCode.PACKET_TOO_LARGE,
                f"[MQTT-3.2.2-15] a packet of {size} bytes; at most {self.max_packet_size} are taken",
            )
        if available < size:
            self._needed = size
            return False
        self.first = data[pos]
        self.start = start
        self.end = start + length
        self.position = self.end
        return True
