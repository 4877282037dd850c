"""Messages of the usual form as CORE has them, with the same result as `message_encoder`.

Usual are a message-id that is a UUID, an address, a time and an expiry, properties that are texts, numbers
and booleans, and a body of bytes or text.
"""

import struct
import sys
from codecs import utf_16_le_encode
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.core.jms_names import BYTES_TYPE, DEFAULT_TYPE, TEXT_TYPE
from lastvalue.codec.core.message_encoder import encode_message
from lastvalue.codec.core.typed_properties import BOOLEAN, DOUBLE, INT, LONG, NULL, STRING
from lastvalue.codec.octets import MOST_LEARNED_BYTES, OCTETS, number_at
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER
from lastvalue.model.property_names import ORIGINAL_QUEUE

_HEADER: Final = b"\x00\x53\x70\xc0\x04\x02"
_ANNOTATIONS: Final = b"\x00\x53\x72"
_PROPERTIES: Final = b"\x00\x53\x73\xc0"
_APPLICATION: Final = b"\x00\x53\x74"
_DATA: Final = b"\x00\x53\x75"
_VALUE: Final = b"\x00\x53\x77"
_NO_DATA: Final = b"\x00\x53\x75\xa0\x00"
_NULL: Final = 0x40
_TIMESTAMP: Final = 0x83
_UUID: Final = 0x98
_TO: Final = 2
_EXPIRY: Final = 8
_CREATED: Final = 9
_MOST_PRIORITY: Final = 9
_ID_BYTES: Final = 8
_ORIGINAL_QUEUE: Final = ORIGINAL_QUEUE.encode()
_MOST_KNOWN: Final = 256
_MOST_NAMES: Final = 64
_UNKNOWN: Final = (b"", b"")

_INT: Final = struct.Struct(">i")
_LONG: Final = struct.Struct(">q")
_NO_TIME: Final = bytes(8)
_STRINGS: Final = [OCTETS[STRING] + _INT.pack(size) for size in range(512)]
"""How a text begins as a value, by its size: at most two octets for each of at most 255 in AMQP 1.0."""
_COUNTS: Final = [b"\x01" + _INT.pack(count) for count in range(256)]
"""How properties begin, by their number."""
_ENCODE: Final = utf_16_le_encode
"""The codec itself: `str.encode` looks this one up anew each time, which takes longer than to encode."""
_IS_LITTLE: Final = sys.byteorder == "little"
_MARK_BYTES: Final = 2
"""The codec `utf-16`, which is not looked up, writes a mark of the order of octets first."""


@final
class MessageWriter:
    """Writes the messages of one consumer; what several messages share is computed once.

    Attributes:
        body: of the last message that was read.
    """

    __slots__ = (
        "_address", "_before", "_before_text", "_content", "_counted", "_expires_ms", "_front", "_head",
        "_kinds", "_known", "_names", "_pos", "_texts", "body",
    )  # fmt: skip

    def __init__(self, address: str) -> None:
        self.body = b""
        self._address = _simple(address)
        # Of the last message: what follows its id, then whether it has properties and how many, and these.
        self._head = b""
        self._counted = b""
        self._content = b""
        # The octets before the application properties of the last message, and what they mean.
        self._front = b""
        self._expires_ms: i64 = NEVER
        self._known: tuple[int, int, bytes] = (-1, 0, b"")
        # The headers of the last message, after its id: with its own type, and as a text.
        self._before = b""
        self._before_text = b""
        self._pos: i64 = 0
        # The names of the last message's properties by their places, as AMQP 1.0 and as CORE have them.
        self._names: list[tuple[bytes, bytes]] = []
        # By the annotations' section: the type of a message with bytes, and the properties that they are.
        self._kinds: dict[bytes, tuple[int, int, bytes]] = {}
        self._texts: dict[bytes, bytes] = {}

    def read(self, payload: bytes, expires_ms: i64) -> bool:
        """Read a message; false where it has another form, or is malformed."""
        try:
            return self._read(payload, expires_ms)
        except (IndexError, UnicodeDecodeError, struct.error):
            return False

    def head(self, message_id: i64) -> bytes:
        """The headers and properties of the last message."""
        number = int(message_id).to_bytes(_ID_BYTES, "big")
        return b"%b%b%b%b" % (number, self._head, self._counted, self._content)

    # ------------------------------------------------------------------ sections

    def _read(self, data: bytes, expires_ms: i64) -> bool:
        front = self._front
        size: i64 = len(front)
        if size == 0 or expires_ms != self._expires_ms or data[:size] != front:
            if not self._read_front(data, expires_ms):
                return False
        else:
            self._pos = size
        count = self._application(data)
        if count < 0:
            return False
        start: i64 = self._pos
        is_text = data[start : start + 3] == _VALUE
        kind, annotated, properties = self._known
        if not self._body(data) or (not is_text and kind != BYTES_TYPE and kind != DEFAULT_TYPE):
            return False
        self._head = self._before_text if is_text else self._before
        count += annotated
        if count == 0:
            self._counted = b"\x00"
        else:
            self._counted = _COUNTS[count] if count < 256 else b"\x01" + _INT.pack(count)
            if annotated > 0:
                self._content += properties
        return True

    def _read_front(self, data: bytes, expires_ms: i64) -> bool:
        """Read what comes before the application properties, which the next message may share."""
        self._front = b""
        self._pos = 0
        durable, priority = b"\x00", 4
        if data.startswith(_HEADER):
            if data[6] not in (0x41, 0x42) or data[7] != 0x50:
                return False
            durable, priority = OCTETS[0x42 - data[6]], min(data[8], _MOST_PRIORITY)
            self._pos = 9
        known = self._annotations(data)
        start = self._pos
        fields = None if known is None else self._fields(data)
        if known is None or fields is None:
            return False
        to, user_id, created = fields
        expiry = _NO_TIME if expires_ms == NEVER else _LONG.pack(expires_ms)
        self._known = known
        before = b"\x01" + to + user_id
        times = durable + expiry + created + OCTETS[priority]
        self._before = before + OCTETS[known[0]] + times
        self._before_text = before + OCTETS[TEXT_TYPE] + times
        self._expires_ms = expires_ms
        if start < self._pos <= len(data):
            # With fewer sections, or cut off, it would be the beginning of other messages, too.
            self._front = data[: self._pos] if self._pos <= MOST_LEARNED_BYTES else b""
        return True

    def _annotations(self, data: bytes) -> tuple[int, int, bytes] | None:
        """What the annotations mean; None where they have an unusual form."""
        pos = self._pos
        section = b""
        if data.startswith(_ANNOTATIONS, pos):
            if data[pos + 3] != 0xC1:
                return None
            self._pos = pos + 5 + data[pos + 4]
            section = data[pos : self._pos]
        known = self._kinds.get(section) or self._learn(section)
        return None if known[0] < 0 else known

    def _learn(self, section: bytes) -> tuple[int, int, bytes]:
        """What the annotations mean for a message with bytes, as the general conversion says; else -1.

        Beside the queue that a message was on before there is its address, which is no annotation.
        """
        if _ORIGINAL_QUEUE in section:
            return -1, 0, b""
        try:
            encoder = encode_message(section + _NO_DATA, "", NEVER)
        except LastvalueError:
            return -1, 0, b""
        head = encoder.head(0)
        # The number, a text without characters, no user id, the type; flags, times and priority; properties.
        kind, properties = head[14], head[33:]
        count = _INT.unpack_from(properties, 1)[0] if properties[0] else 0
        if len(self._kinds) >= _MOST_KNOWN:
            self._kinds.clear()
        learned = (kind, count, properties[5:])
        self._kinds[section] = learned
        return learned

    def _fields(self, data: bytes) -> tuple[bytes, bytes, bytes] | None:
        """The address, the user id and the time of the properties; None where they have others."""
        pos = self._pos
        to, user_id, created = self._address, b"\x00", _NO_TIME
        if not data.startswith(_PROPERTIES, pos):
            return to, user_id, created
        end: i64 = pos + 5 + data[pos + 4]
        count: i64 = data[pos + 5]
        pos += 6
        for index in range(count):
            code = data[pos]
            if code == _NULL:
                pos += 1
            elif index == 0 and code == _UUID:
                user_id = b"\x01" + data[pos + 1 : pos + 17]
                pos += 17
            elif index == _TO and code == 0xA1:
                after: i64 = pos + 2 + data[pos + 1]
                to = self._text(data[pos + 2 : after])
                pos = after
            elif index == _CREATED and code == _TIMESTAMP:
                created = data[pos + 1 : pos + 9]
                pos += 9
            elif index == _EXPIRY and code == _TIMESTAMP:
                # The queue says when the message expires.
                pos += 9
            else:
                return None
        self._pos = end
        return (to, user_id, created) if pos == end else None

    def _application(self, data: bytes) -> i64:
        """Read the application properties; returns their number, or -1 where one is unusual."""
        content = b""
        self._content = content
        pos = self._pos
        if data[pos : pos + 3] != _APPLICATION:
            return 0
        if data[pos + 3] == 0xC1:
            end: i64 = pos + 5 + data[pos + 4]
            count: i64 = data[pos + 5]
            pos += 6
        elif data[pos + 3] == 0xD1:
            end = pos + 8 + number_at(data, pos + 4)
            count = number_at(data, pos + 8)
            pos += 12
        else:
            return -1
        count >>= 1
        names = self._names
        known: i64 = len(names)
        for index in range(count):
            name, encoded = names[index] if index < known else _UNKNOWN
            self._pos = pos + len(name)
            if index >= known or data[pos : self._pos] != name:
                self._pos = pos + 2 + data[pos + 1]
                if data[pos] != 0xA1 or self._pos >= len(data):
                    return -1
                encoded = self._name(data[pos : self._pos], index)
                if not encoded:
                    return -1
            if data[self._pos] == 0xA1:
                start: i64 = self._pos + 2
                pos = start + data[start - 1]
                octets = _utf16(data[start:pos].decode())
                content = b"%b%b%b%b" % (content, encoded, _STRINGS[len(octets)], octets)
            else:
                value = self._value(data)
                if not value:
                    return -1
                content = b"%b%b%b" % (content, encoded, value)
                pos = self._pos
        self._content = content
        self._pos = pos
        return count if pos == end <= len(data) else -1

    def _name(self, name: bytes, index: i64) -> bytes:
        """How CORE has a name at this place; empty where the general conversion knows what becomes of it."""
        text = name[2:]
        if text.startswith((b"_AMQ", b"JMS")):
            return b""
        encoded = self._text(text)
        names = self._names
        if index < len(names):
            names[index] = (name, encoded)
        elif index < _MOST_NAMES:
            names.append((name, encoded))
        return encoded

    def _value(self, data: bytes) -> bytes:
        """A property's value that is no text, after which it goes on; empty where its type is unusual."""
        pos = self._pos
        code = data[pos]
        end: i64 = pos + 1
        if code == 0x71:
            end = pos + 5
            value = OCTETS[INT] + data[pos + 1 : end]
        elif code == 0x81 or code == 0x82:
            end = pos + 9
            value = OCTETS[LONG if code == 0x81 else DOUBLE] + data[pos + 1 : end]
        elif code == 0x41 or code == 0x42:
            value = OCTETS[BOOLEAN] + OCTETS[0x42 - code]
        elif code == _NULL:
            value = OCTETS[NULL]
        else:
            value = b""
        self._pos = end
        return value

    def _body(self, data: bytes) -> bool:
        """Read the body, with which the message ends."""
        pos = self._pos
        code = data[pos + 3]
        if code == 0xA0 or code == 0xA1:
            start: i64 = pos + 5
            size: i64 = data[pos + 4]
        elif code == 0xB0 or code == 0xB1:
            start = pos + 8
            size = number_at(data, pos + 4)
        else:
            return False
        if start + size != len(data):
            return False
        section = data[pos : pos + 3]
        if section == _DATA and code <= 0xB0 and code != 0xA1:
            self.body = data[start:]
            return True
        if section == _VALUE and code & 1:
            self.body = b"\x01" + _simple(data[start:].decode())
            return True
        return False

    def _text(self, utf8: bytes) -> bytes:
        """A text that occurs in many messages."""
        encoded = self._texts.get(utf8)
        if encoded is None:
            if len(self._texts) >= _MOST_KNOWN:
                self._texts.clear()
            encoded = self._texts[utf8] = _simple(utf8.decode())
        return encoded


def _simple(text: str) -> bytes:
    octets = _utf16(text)
    return _INT.pack(len(octets)) + octets


def _utf16(text: str) -> bytes:
    if _IS_LITTLE:
        return text.encode("utf-16")[_MARK_BYTES:]
    return _ENCODE(text)[0]
