"""Messages of the usual form as the broker stores them, with the same result as `message_decoder`.

Usual are bodies of bytes or text, and properties that are texts, numbers and booleans, beside the routing
type that JMS clients set.
"""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.encoded_values import binary, encoded_list, encoded_map, string
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
_APPLICATION: Final = b"\x00\x53\x74"
_NO_TIME: Final = bytes(8)
_NO_PROPERTIES: Final = b"\x00"
_ROUTING: Final = ROUTING_TYPE.encode("utf-16-le")
_OWN: Final = ("_A".encode("utf-16-le"), "JM".encode("utf-16-le"))
_MOST_KNOWN: Final = 256


@final
class MessageReader:
    """Reads the messages of one session; what several messages share is computed once."""

    __slots__ = (
        "_addresses", "_annotations", "_fields", "_front", "_header", "_kind", "_names", "_pos", "_routing"
    )  # fmt: skip

    def __init__(self) -> None:
        self._pos: i64 = 0
        self._routing = b""
        # The octets before the properties of the last message, and what they mean.
        self._front = b""
        self._header = b""
        self._fields = b""
        self._kind: i64 = 0
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
        if not front or not head.startswith(front, _ID_BYTES):
            front = self._read_front(head)
        self._pos = _ID_BYTES + len(front)
        section = _body(self._kind, body)
        application = self._properties(head)
        if section is None or application is None or not self._fields:
            return None
        return b"".join((self._header, self._annotated(self._kind), self._fields, application, section))

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

    def _properties(self, head: bytes) -> bytes | None:
        """The section of the application properties; None where one is unusual."""
        self._routing = b""
        pos = self._pos
        if not head[pos]:
            return b"" if pos + 1 == len(head) else None
        count: i64 = number_at(head, pos + 1)
        pos += 5
        parts: list[bytes] = []
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
                    return None
                name = _learn(names, utf16)
            if name in parts[::2]:
                return None
            parts.append(name)
            if code == STRING:
                start = pos + 5
                pos = start + number_at(head, pos + 1)
                parts.append(_string(head[start:pos]))
                continue
            self._pos = pos
            if not self._value(head, code, parts):
                return None
            pos = self._pos
        if pos != len(head):
            return None
        return _APPLICATION + encoded_map(parts) if parts else b""

    def _value(self, head: bytes, code: i64, parts: list[bytes]) -> bool:
        pos = self._pos + 1
        if code == INT:
            end: i64 = pos + 4
            parts.append(b"\x71" + head[pos:end])
        elif code == LONG:
            end = pos + 8
            parts.append(b"\x81" + head[pos:end])
        elif code == DOUBLE:
            end = pos + 8
            parts.append(b"\x82" + head[pos:end])
        elif code == BOOLEAN:
            end = pos + 1
            parts.append(b"\x41" if head[pos] else b"\x42")
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
    if len(utf16) & 1:
        raise DecodeError("a SimpleString has an even number of octets")
    return string(utf16.decode("utf-16-le", "replace").encode())


def _body(kind: i64, body: bytes) -> bytes | None:
    if kind in (BYTES_TYPE, DEFAULT_TYPE):
        return _DATA + binary(body)
    if kind == TEXT_TYPE and len(body) >= 5 and body[0] and 5 + number_at(body, 1) == len(body):
        return _VALUE + _string(body[5:])
    return None
