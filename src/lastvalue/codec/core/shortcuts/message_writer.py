"""Messages of the usual form as CORE has them, with the same result as `message_encoder`.

Usual are a message-id that is a UUID, an address, a time and an expiry, properties that are texts, numbers
and booleans, and a body of bytes or text.
"""

import struct
import sys
from codecs import utf_16_le_encode
from typing import Final, final

from librt.strings import BytesWriter, write_i16_le, write_i32_be, write_i64_be
from mypy_extensions import i16, i32, i64

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
_FIXED_HEAD_BYTES: Final = 8 + 2 + 8 + 8 + 1
"""Of a message's number, its type and whether it is durable, its expiry, time and priority."""
_CONNECTION: Final = b"__AMQ_CID"
"""[Artemis JMS] The property that names a client's connection, in each of its messages."""
_ORIGINAL_QUEUE: Final = ORIGINAL_QUEUE.encode()
_MOST_KNOWN: Final = 256
_MOST_NAMES: Final = 64
_UNKNOWN: Final = (b"", b"", False)

_INT: Final = struct.Struct(">i")
_LONG: Final = struct.Struct(">q")
_TIME_BYTES: Final = 8
_NO_TIME: Final = bytes(_TIME_BYTES)
_USER_ID_BYTES: Final = 16
_TO_USER_ID_BYTES: Final = 7
"""The beginning of properties that begin with a UUID."""
_COUNTS: Final = [b"\x01" + _INT.pack(count) for count in range(256)]
"""How properties begin, by their number."""
_ENCODE: Final = utf_16_le_encode
"""The codec itself: `str.encode` looks this one up anew each time, which takes longer than to encode."""
_IS_LITTLE: Final = sys.byteorder == "little"
_MARK_BYTES: Final = 2
"""The codec `utf-16`, which is not looked up, writes a mark of the order of octets first."""
_SHORT_TEXT: Final = 64
"""Up to so many octets a loop over those of ASCII is quicker than the codec."""


@final
class MessageWriter:
    """Writes the messages of one consumer; what several messages share is computed once.

    Attributes:
        body: of the last message that was read.
        head_bytes: how many octets `write_head` writes for it.
    """

    __slots__ = (
        "_address", "_content", "_counted", "_expires", "_expires_ms", "_expiry", "_form", "_form_text",
        "_front", "_is_text", "_kinds", "_known", "_names", "_pos", "_priority", "_sent_at", "_texts", "_to",
        "_to_times", "_user_id", "_varies", "body", "head_bytes",
    )  # fmt: skip

    def __init__(self, address: str) -> None:
        self.body = b""
        self.head_bytes: i64 = 0
        self._address = _simple(address)
        # Of the last message: whether it has properties and how many, and these.
        self._counted = b""
        self._content = BytesWriter()
        # The octets before the application properties of the last message. Where it has an id and a time,
        # these vary: then the octets before the id, and those from it to the times.
        self._front = b""
        self._varies = False
        self._expires = False
        self._to_times = b""
        # What they mean: its headers after its number, with its own type, and as a text.
        self._known: tuple[int, int, bytes] = (-1, 0, b"")
        self._to = b""
        self._user_id = b""
        self._form = b""
        self._form_text = b""
        self._sent_at = b""
        self._priority = b""
        self._is_text = False
        # When its queue expires it.
        self._expires_ms: i64 = NEVER
        self._expiry = _NO_TIME
        self._pos: i64 = 0
        # The names of the last message's properties by their places, as AMQP 1.0 and as CORE have them;
        # that of the connection with its value, which the next message shares.
        self._names: list[tuple[bytes, bytes, bool]] = []
        # By the annotations' section: the type of a message with bytes, and the properties that they are.
        self._kinds: dict[bytes, tuple[int, int, bytes]] = {}
        self._texts: dict[bytes, bytes] = {}

    def read(self, payload: bytes, expires_ms: i64) -> bool:
        """Read a message; false where it has another form, or is malformed."""
        try:
            return self._read(payload, expires_ms)
        except (IndexError, UnicodeDecodeError, struct.error):
            return False

    def write_head(self, into: BytesWriter, message_id: i64) -> None:
        """Write the headers and properties of the last message."""
        write_i64_be(into, message_id)
        into.write(self._to)
        into.write(self._user_id)
        into.write(self._form_text if self._is_text else self._form)
        into.write(self._expiry)
        into.write(self._sent_at)
        into.write(self._priority)
        into.write(self._counted)
        if len(self._content) > 0:
            into.write(self._content.getvalue())

    # ------------------------------------------------------------------ sections

    def _read(self, data: bytes, expires_ms: i64) -> bool:
        front = self._front
        size: i64 = len(front)
        if size == 0 or data[:size] != front or (self._varies and not self._is_alike(data, size)):
            if not self._read_front(data):
                return False
        elif not self._varies:
            self._pos = size
        if expires_ms != self._expires_ms:
            self._expires_ms = expires_ms
            self._expiry = _NO_TIME if expires_ms == NEVER else _LONG.pack(expires_ms)
        count = self._application(data)
        if count < 0:
            return False
        start: i64 = self._pos
        is_text = data[start : start + 3] == _VALUE
        kind, annotated, properties = self._known
        if not self._body(data) or (not is_text and kind != BYTES_TYPE and kind != DEFAULT_TYPE):
            return False
        self._is_text = is_text
        count += annotated
        if count == 0:
            self._counted = b"\x00"
        else:
            self._counted = _COUNTS[count] if count < 256 else b"\x01" + _INT.pack(count)
            if annotated > 0:
                self._content.write(properties)
        self.head_bytes = (
            _FIXED_HEAD_BYTES + len(self._to) + len(self._user_id) + len(self._counted) + len(self._content)
        )
        return True

    def _is_alike(self, data: bytes, pos: i64) -> bool:
        """Read an id and times; whether they are all in which a message differs, up to its properties."""
        start: i64 = pos + _USER_ID_BYTES
        end: i64 = start + len(self._to_times)
        if data[start:end] != self._to_times:
            return False
        self._user_id = data[pos:start]
        if self._expires:
            end += 1 + _TIME_BYTES
            if data[end - 1] != _TIMESTAMP:
                return False
        self._pos = end + _TIME_BYTES
        self._sent_at = data[end : self._pos]
        return True

    def _read_front(self, data: bytes) -> bool:
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
        if known is None or not self._fields(data):
            return False
        self._known = known
        self._form = OCTETS[known[0]] + durable
        self._form_text = OCTETS[TEXT_TYPE] + durable
        self._priority = OCTETS[priority]
        # With fewer sections, or cut off, it would be the beginning of other messages, too.
        if start < self._pos <= min(len(data), MOST_LEARNED_BYTES):
            end = self._pos
            if self._varies:
                end = start + _TO_USER_ID_BYTES
                times: i64 = self._pos - (2 * _TIME_BYTES + 1 if self._expires else _TIME_BYTES)
                self._to_times = data[end + _USER_ID_BYTES : times]
            self._front = data[:end]
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

    def _fields(self, data: bytes) -> bool:
        """Read the address, the id and the times of the properties; false where they have others."""
        pos = self._pos
        to, user_id, sent_at = self._address, b"", _NO_TIME
        self._expires = False
        end: i64 = pos
        count: i64 = 0
        if data.startswith(_PROPERTIES, pos):
            end = pos + 5 + data[pos + 4]
            count = data[pos + 5]
            pos += 6
        for index in range(count):
            code = data[pos]
            if code == _NULL:
                pos += 1
            elif index == 0 and code == _UUID:
                user_id = data[pos + 1 : pos + 17]
                pos += 17
            elif index == _TO and code == 0xA1:
                after: i64 = pos + 2 + data[pos + 1]
                to = self._text(data[pos + 2 : after])
                pos = after
            elif index == _CREATED and code == _TIMESTAMP:
                sent_at = data[pos + 1 : pos + 9]
                pos += 9
            elif index == _EXPIRY and code == _TIMESTAMP:
                # The queue says when the message expires.
                self._expires = True
                pos += 9
            else:
                return False
        self._pos = end
        self._to = b"\x01" + to + (b"\x01" if user_id else b"\x00")
        self._user_id = user_id
        self._sent_at = sent_at
        # The time is the last field.
        self._varies = len(user_id) > 0 and sent_at != _NO_TIME and count == _CREATED + 1
        return pos == end

    def _application(self, data: bytes) -> i64:
        """Read the application properties; returns their number, or -1 where one is unusual."""
        content = self._content
        content.truncate(0)
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
            name, encoded, is_whole = names[index] if index < known else _UNKNOWN
            self._pos = pos + len(name)
            if index >= known or data[pos : self._pos] != name:
                encoded, is_whole = self._name(data, pos, index)
                if not encoded:
                    return -1
            content.write(encoded)
            if is_whole:
                pos = self._pos
            elif data[self._pos] == 0xA1:
                start: i64 = self._pos + 2
                pos = start + data[start - 1]
                content.append(STRING)
                _write_text(content, data, start, pos)
            else:
                value = self._value(data)
                if not value:
                    return -1
                content.write(value)
                pos = self._pos
        self._pos = pos
        return count if pos == end <= len(data) else -1

    def _name(self, data: bytes, pos: i64, index: i64) -> tuple[bytes, bool]:
        """Read a name; how CORE has it at this place, and whether with its value.

        It is empty where the general conversion knows what becomes of it.
        """
        self._pos = pos + 2 + data[pos + 1]
        if data[pos] != 0xA1 or self._pos >= len(data):
            return b"", False
        text = data[pos + 2 : self._pos]
        if text.startswith((b"_AMQ", b"JMS")):
            return b"", False
        encoded = self._text(text)
        is_whole = text == _CONNECTION and data[self._pos] == 0xA1
        if is_whole:
            start = self._pos + 2
            self._pos = start + data[start - 1]
            if self._pos >= len(data):
                # Cut off, it would be the beginning of other values, too.
                return b"", False
            encoded += OCTETS[STRING] + _simple(data[start : self._pos].decode())
        entry = (data[pos : self._pos], encoded, is_whole)
        names = self._names
        if index < len(names):
            names[index] = entry
        elif index < _MOST_NAMES:
            names.append(entry)
        return encoded, is_whole

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
            body = BytesWriter()
            body.append(1)
            _write_text(body, data, start, len(data))
            self.body = body.getvalue()
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


def _write_text(into: BytesWriter, data: bytes, start: i64, end: i64) -> None:
    """Write a text that is there in UTF-8, with its size.

    Raises:
        IndexError: it does not end in the data.
        UnicodeDecodeError: it is not UTF-8.
    """
    size: i64 = end - start
    if size <= _SHORT_TEXT:
        before = len(into)
        write_i32_be(into, i32(2 * size))
        pos = start
        while pos < end and data[pos] < 0x80:
            write_i16_le(into, i16(data[pos]))
            pos += 1
        if pos == end:
            return
        into.truncate(before)
    octets = _utf16(data[start:end].decode())
    write_i32_be(into, i32(len(octets)))
    into.write(octets)


def _simple(text: str) -> bytes:
    octets = _utf16(text)
    return _INT.pack(len(octets)) + octets


def _utf16(text: str) -> bytes:
    if _IS_LITTLE:
        return text.encode("utf-16")[_MARK_BYTES:]
    return _ENCODE(text)[0]
