"""Messages of the usual form as the broker stores them, with the same result as `message_decoder`.

Usual are bodies of bytes or text, and properties that are texts, numbers and booleans, beside the routing
type that JMS clients set.
"""

import struct
from codecs import utf_16_le_decode
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.encoded_values import binary, encoded_list, string
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.core.jms_names import BYTES_TYPE, DEFAULT_TYPE, ROUTING_TYPE, TEXT_TYPE
from lastvalue.codec.core.message_decoder import decode_message
from lastvalue.codec.core.typed_properties import BOOLEAN, BYTE, DOUBLE, INT, LONG, STRING
from lastvalue.codec.octets import MOST_LEARNED_BYTES, MOST_QUICK_BYTES, OCTETS, number_at

_ID_BYTES: Final = 8
_NULL: Final = b"\x40"
_DATA: Final = b"\x00\x53\x75"
_VALUE: Final = b"\x00\x53\x77"
_HEADER: Final = b"\x00\x53\x70\xc0\x04\x02"
_HEADER_BYTES: Final = 9
_FIELDS: Final = b"\x00\x53\x73"
_NARROW_MAP: Final = b"\x00\x53\x74\xc1"
_WIDE_HEAD: Final = b"\x00\x53\x74\xd1"
_WIDE_MAP: Final = struct.Struct(">4sII")
_STRINGS: Final = [b"\xa1" + octet for octet in OCTETS]
"""How a string of AMQP 1.0 begins, by its size."""
_DECODE: Final = utf_16_le_decode
"""The codec itself: `bytes.decode` looks it up anew each time, which takes longer than to decode."""
_NO_TIME: Final = bytes(8)
_NO_PROPERTIES: Final = b"\x00"
_ROUTING: Final = ROUTING_TYPE.encode("utf-16-le")
_OWN: Final = ("_A".encode("utf-16-le"), "JM".encode("utf-16-le"))
_MOST_KNOWN: Final = 256


@final
class MessageReader:
    """Reads the messages of one session; what several messages share is computed once."""

    __slots__ = (
        "_addresses", "_annotations", "_before", "_fields", "_front", "_header", "_kind", "_learned",
        "_names", "_parts", "_pos", "_prefix", "_routing", "_section_bytes", "_shape", "_tail",
    )  # fmt: skip

    def __init__(self) -> None:
        self._pos: i64 = 0
        self._routing = b""
        # The octets before the properties of the last message, and what they mean.
        self._front = b""
        self._header = b""
        self._fields = b""
        self._kind: i64 = 0
        # The sections before the application properties, once the routing type is known.
        self._prefix = b""
        # What came before each value of the last message's properties, with the names' own encoding,
        # and after the last value: a message that has the same there differs only in its values.
        self._before: list[bytes] = []
        self._shape: list[bytes] = []
        self._tail = b""
        self._learned = False
        # The encoding of the application properties, and its size.
        self._parts: list[bytes] = []
        self._section_bytes: i64 = 0
        # By the type of the message and the routing type: the section of annotations.
        self._annotations: dict[bytes, bytes] = {}
        self._addresses: dict[bytes, bytes] = {}
        # Of properties, none of which is Artemis's own.
        self._names: dict[bytes, bytes] = {}

    def read(self, head: bytes, body: bytes) -> bytes | None:
        """The sections of a message; None where it has another form, or is malformed."""
        try:
            return self._read(head, body)
        except (IndexError, struct.error, DecodeError):
            return None

    def _read(self, head: bytes, body: bytes) -> bytes | None:
        if len(head) > MOST_QUICK_BYTES:
            return None
        front = self._front
        start: i64 = _ID_BYTES + len(front)
        if not front or head[_ID_BYTES:start] != front:
            start = _ID_BYTES + len(self._read_front(head))
            self._learned = False
        section = _body(self._kind, body)
        if section is None or not self._fields:
            return None
        self._pos = start
        if not self._known_properties(head):
            self._pos = start
            if not self._properties(head):
                return None
        parts = self._parts
        count: i64 = len(self._shape)
        if count == 0:
            return b"".join((self._prefix, section))
        size = self._section_bytes
        count *= 2
        if size < 255 and count < 256:
            parts[0] = self._prefix
            parts[1] = _NARROW_MAP
            parts[2] = OCTETS[size + 1]
            parts[3] = OCTETS[count]
        else:
            parts[0] = self._prefix
            parts[1] = _WIDE_MAP.pack(_WIDE_HEAD, size + 4, count)
        parts.append(section)
        self._parts = []
        return b"".join(parts)

    def _read_front(self, head: bytes) -> bytes:
        """Read what comes before the properties, which the next message may share."""
        self._front = b""
        pos: i64 = _ID_BYTES
        address = _NULL
        if head[pos]:
            end: i64 = pos + 5 + number_at(head, pos + 1)
            utf16 = head[pos + 5 : end]
            address = self._addresses.get(utf16) or _learn(self._addresses, utf16)
            pos = end - 1
        pos += 1
        message_id = _NULL
        if head[pos]:
            message_id = b"\x98" + head[pos + 1 : pos + 17]
            pos += 16
        self._kind = head[pos + 1]
        self._header = _HEADER + (b"\x41\x50" if head[pos + 2] else b"\x42\x50") + OCTETS[head[pos + 19]]
        expiration, timestamp = head[pos + 3 : pos + 11], head[pos + 11 : pos + 19]
        fields = [message_id, _NULL, address]
        if expiration != _NO_TIME or timestamp != _NO_TIME:
            fields += [_NULL] * 5
            fields.append(_NULL if expiration == _NO_TIME else b"\x83" + expiration)
        if timestamp != _NO_TIME:
            fields.append(b"\x83" + timestamp)
        unusual = address is _NULL and len(fields) == 3
        self._fields = b"" if unusual else _FIELDS + encoded_list(fields)
        # The type, the flag, two times and the priority end it.
        front = head[_ID_BYTES : pos + 20]
        self._front = front if len(front) <= MOST_LEARNED_BYTES else b""
        return front

    def _known_properties(self, head: bytes) -> bool:
        """Read the application properties; false where they are not those of the last message."""
        if not self._learned:
            return False
        before = self._before
        shape = self._shape
        tail = self._tail
        self._begin_section()
        for index in range(len(before)):
            known = before[index]
            start: i64 = self._pos + len(known)
            if head[self._pos : start] != known:
                return False
            self._parts.append(shape[index])
            self._section_bytes += len(shape[index])
            self._pos = start
            self._value(head, head[start - 1])
        pos = self._pos
        return pos + len(tail) == len(head) and head[pos:] == tail

    def _properties(self, head: bytes) -> bool:
        """Read the application properties; false where one is unusual."""
        self._routing = b""
        self._learned = False
        self._begin_section()
        before: list[bytes] = []
        shape: list[bytes] = []
        # What is between two values.
        between = self._pos
        pos = between + 1
        count: i64 = 0
        if head[between]:
            count = number_at(head, pos)
            pos += 4
        names = self._names
        for _ in range(count):
            start: i64 = pos + 4
            pos = start + number_at(head, pos)
            utf16 = head[start:pos]
            code = head[pos]
            name = names.get(utf16)
            if name is None:
                if utf16 == _ROUTING and code == BYTE and not self._routing:
                    self._routing = head[pos + 1 : pos + 2]
                    pos += 2
                    continue
                if utf16.startswith(_OWN):
                    return False
                name = _learn(names, utf16)
            if name in shape:
                return False
            pos += 1
            before.append(head[between:pos])
            shape.append(name)
            self._parts.append(name)
            self._section_bytes += len(name)
            self._pos = pos
            if not self._value(head, code):
                return False
            pos = between = self._pos
        if pos != len(head):
            return False
        self._prefix = self._header + self._annotated(self._kind) + self._fields
        self._before = before
        self._shape = shape
        self._tail = head[between:]
        self._learned = len(head) <= MOST_LEARNED_BYTES
        return True

    def _begin_section(self) -> None:
        # Before its contents: what precedes it, and its own head in one part or in three.
        self._parts = [b"", b"", b"", b""]
        self._section_bytes = 0

    def _value(self, head: bytes, code: i64) -> bool:
        """Read a property's value; false where its type is unusual."""
        pos = self._pos
        parts = self._parts
        if code == STRING:
            start: i64 = pos + 4
            end: i64 = start + number_at(head, pos)
            text = _utf8(head[start:end])
            size: i64 = len(text)
            if size < 256:
                parts.append(_STRINGS[size])
                parts.append(text)
                self._section_bytes += size + 2
            else:
                parts.append(string(text))
                self._section_bytes += size + 5
        elif code == INT:
            end = pos + 4
            parts.append(b"\x71" + head[pos:end])
            self._section_bytes += 5
        elif code in (LONG, DOUBLE):
            end = pos + 8
            parts.append((b"\x81" if code == LONG else b"\x82") + head[pos:end])
            self._section_bytes += 9
        elif code == BOOLEAN:
            end = pos + 1
            parts.append(b"\x41" if head[pos] else b"\x42")
            self._section_bytes += 1
        else:
            return False
        self._pos = end
        return True

    def _annotated(self, kind: i64) -> bytes:
        """The annotations of a message, as the general conversion has them."""
        key = OCTETS[kind] + self._routing
        known = self._annotations.get(key)
        if known is None:
            properties = _NO_PROPERTIES
            if self._routing:
                size = len(_ROUTING).to_bytes(4, "big")
                properties = b"\x01\x00\x00\x00\x01" + size + _ROUTING + OCTETS[BYTE] + self._routing
            head = bytes(10) + OCTETS[kind] + bytes(18) + properties
            whole = decode_message(head, b"", 0)
            known = whole[_HEADER_BYTES : _HEADER_BYTES + 5 + whole[_HEADER_BYTES + 4]]
            self._annotations[key] = known
        return known


def _learn(known: dict[bytes, bytes], utf16: bytes) -> bytes:
    """A text that occurs in many messages."""
    encoded = _string(utf16)
    if len(utf16) <= MOST_LEARNED_BYTES:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        known[utf16] = encoded
    return encoded


def _string(utf16: bytes) -> bytes:
    return string(_utf8(utf16))


def _utf8(utf16: bytes) -> bytes:
    if len(utf16) & 1:
        raise DecodeError("a SimpleString has an even number of octets")
    return _DECODE(utf16, "replace", True)[0].encode()


def _body(kind: i64, body: bytes) -> bytes | None:
    if kind in (BYTES_TYPE, DEFAULT_TYPE):
        return _DATA + binary(body)
    if kind == TEXT_TYPE and len(body) >= 5 and body[0] and 5 + number_at(body, 1) == len(body):
        return _VALUE + _string(body[5:])
    return None
