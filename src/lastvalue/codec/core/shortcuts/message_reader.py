"""Messages of the usual form as the broker stores them, with the same result as `message_decoder`.

Usual are bodies of bytes or text, and properties that are texts, numbers and booleans, beside the routing
type that JMS clients set.
"""

import struct
import sys
from codecs import utf_16_le_decode
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.encoded_values import encoded_list, string
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.amqp10.sections import ABSENT
from lastvalue.codec.core.jms_names import BYTES_TYPE, DEFAULT_TYPE, ROUTING_TYPE, TEXT_TYPE
from lastvalue.codec.core.message_decoder import decode_message
from lastvalue.codec.core.typed_properties import BOOLEAN, BYTE, DOUBLE, INT, LONG, STRING
from lastvalue.codec.octets import MOST_LEARNED_BYTES, MOST_QUICK_BYTES, OCTETS, number_at

_ID_BYTES: Final = 8
_NULL: Final = b"\x40"
_HEADER: Final = b"\x00\x53\x70\xc0\x04\x02"
_HEADER_BYTES: Final = 9
_FIELDS: Final = b"\x00\x53\x73"
_DESCRIPTOR_BYTES: Final = 3
_WIDE_MAP: Final = struct.Struct(">4sII")
_SIZE: Final = struct.Struct(">I")
_STRINGS: Final = [b"\xa1" + octet for octet in OCTETS]
"""How a string of AMQP 1.0 begins, by its size."""
_DATA: Final = [b"\x00\x53\x75\xa0" + octet for octet in OCTETS]
_VALUES: Final = [b"\x00\x53\x77\xa1" + octet for octet in OCTETS]
"""How a body begins, of bytes or text, by its size."""
_DECODE: Final = utf_16_le_decode
"""The codec itself: `bytes.decode` looks this one up anew each time, which takes longer than to decode."""
_IS_LITTLE: Final = sys.byteorder == "little"
_FIRST_OF_MARKS: Final = 0xFE
"""The codec `utf-16`, which is not looked up, reads FE FF and FF FE at the beginning as marks."""
_NO_TIME: Final = bytes(8)
_NO_PROPERTIES: Final = b"\x00"
_ROUTING: Final = ROUTING_TYPE.encode("utf-16-le")
_OWN: Final = ("_A".encode("utf-16-le"), "JM".encode("utf-16-le"))
_MOST_KNOWN: Final = 256


@final
class MessageReader:
    """Reads the messages of one session; what several messages share is computed once.

    Attributes:
        address: the octets of the last message's address; the same object while that is the same.
    """

    __slots__ = (
        "_addresses", "_annotations", "_before", "_content", "_fields", "_front", "_header", "_kind",
        "_learned", "_model", "_names", "_pos", "_routing", "_shape", "_tail", "address",
    )  # fmt: skip

    def __init__(self) -> None:
        self.address = b""
        self._pos: i64 = 0
        self._routing = b""
        # The octets before the properties of the last message, and what they mean.
        self._front = b""
        self._header = b""
        self._fields = b""
        self._kind: i64 = 0
        # The sections before the application properties, once the routing type is known.
        self._model = EncodedMessage(b"")
        # What came before each value of the last message's properties, with the names' own encoding,
        # and after the last value: a message that has the same there differs only in its values.
        self._before: list[bytes] = []
        self._shape: list[bytes] = []
        self._tail = b""
        self._learned = False
        # The encoding of the application properties.
        self._content = b""
        # By the type of the message and the routing type: the section of annotations.
        self._annotations: dict[bytes, bytes] = {}
        self._addresses: dict[bytes, bytes] = {}
        # Of properties, none of which is Artemis's own.
        self._names: dict[bytes, bytes] = {}

    def read(self, data: bytes, start: i64, end: i64, body: bytes) -> EncodedMessage | None:
        """The message with the head data[start:end]; None where it has another form, or is malformed."""
        try:
            return self._read(data, start, end, body)
        except (IndexError, struct.error, DecodeError):
            return None

    def _read(self, data: bytes, start: i64, end: i64, body: bytes) -> EncodedMessage | None:
        if end - start > MOST_QUICK_BYTES:
            return None
        front = self._front
        first: i64 = start + _ID_BYTES
        pos: i64 = first + len(front)
        if not front or data[first:pos] != front:
            pos = self._read_front(data, first)
            self._learned = False
        kind = self._kind
        if kind == TEXT_TYPE:
            # [Artemis] A text may be none; that, too, is for the general conversion.
            if len(body) < 5 or not body[0] or 5 + number_at(body, 1) != len(body):
                return None
            body = _utf8(body[5:])
        elif kind != BYTES_TYPE and kind != DEFAULT_TYPE:
            return None
        if pos > end or not self._fields:
            return None
        if not self._known_properties(data, pos, end) and not self._properties(data, pos, end):
            return None
        return self._message(body)

    def _message(self, body: bytes) -> EncodedMessage:
        """The message of the sections that were read, and a body."""
        model = self._model
        prefix = model.encoded
        size: i64 = len(body)
        is_text = self._kind == TEXT_TYPE
        if size < 256:
            start = _VALUES[size] if is_text else _DATA[size]
        else:
            start = (b"\x00\x53\x77\xb1" if is_text else b"\x00\x53\x75\xb0") + _SIZE.pack(size)
        count: i64 = 2 * len(self._shape)
        if count == 0:
            return model.like(b"%b%b%b" % (prefix, start, body), ABSENT)
        content = self._content
        size = len(content)
        application: i64 = len(prefix) + _DESCRIPTOR_BYTES
        if size < 255 and count < 256:
            octets = b"%b\x00\x53\x74\xc1%b%b%b%b%b" % (
                prefix, OCTETS[size + 1], OCTETS[count], content, start, body
            )  # fmt: skip
        else:
            wide = _WIDE_MAP.pack(b"\x00\x53\x74\xd1", size + 4, count)
            octets = b"%b%b%b%b%b" % (prefix, wide, content, start, body)
        return model.like(octets, application)

    def _read_front(self, data: bytes, start: i64) -> i64:
        """Read what comes before the properties, which the next message may share; the position after it."""
        self._front = b""
        pos = start
        address = _NULL
        if data[pos]:
            pos += 5 + number_at(data, pos + 1)
            utf16 = data[start + 5 : pos]
            address = self._addresses.get(utf16) or _learn(self._addresses, utf16)
            pos -= 1
        pos += 1
        octets = data[start:pos]
        if octets != self.address:
            self.address = octets
        message_id = _NULL
        if data[pos]:
            message_id = b"\x98" + data[pos + 1 : pos + 17]
            pos += 16
        self._kind = data[pos + 1]
        self._header = _HEADER + (b"\x41\x50" if data[pos + 2] else b"\x42\x50") + OCTETS[data[pos + 19]]
        expiration, timestamp = data[pos + 3 : pos + 11], data[pos + 11 : pos + 19]
        fields = [message_id, _NULL, address]
        if expiration != _NO_TIME or timestamp != _NO_TIME:
            fields += [_NULL] * 5
            fields.append(_NULL if expiration == _NO_TIME else b"\x83" + expiration)
        if timestamp != _NO_TIME:
            fields.append(b"\x83" + timestamp)
        unusual = address is _NULL and len(fields) == 3
        self._fields = b"" if unusual else _FIELDS + encoded_list(fields)
        # The type, the flag, two times and the priority end it.
        pos += 20
        if pos - start <= MOST_LEARNED_BYTES:
            self._front = data[start:pos]
        return pos

    # ------------------------------------------------------------------ properties

    def _known_properties(self, data: bytes, pos: i64, end: i64) -> bool:
        """Read the application properties; false where they are not those of the last message."""
        if not self._learned:
            return False
        before = self._before
        shape = self._shape
        content = b""
        for index in range(len(before)):
            known = before[index]
            start: i64 = pos + len(known)
            if data[pos:start] != known:
                return False
            if data[start - 1] == STRING:
                first: i64 = start + 4
                pos = first + number_at(data, start)
                text = _utf8(data[first:pos])
                size: i64 = len(text)
                if size < 256:
                    content = b"%b%b%b%b" % (content, shape[index], _STRINGS[size], text)
                else:
                    content = b"%b%b%b" % (content, shape[index], string(text))
            else:
                content = b"%b%b%b" % (content, shape[index], self._value(data, start, data[start - 1]))
                pos = self._pos
        self._content = content
        tail = self._tail
        return pos + len(tail) == end and (pos == end or data[pos:end] == tail)

    def _properties(self, data: bytes, pos: i64, end: i64) -> bool:
        """Read the application properties; false where one is unusual."""
        self._routing = b""
        self._learned = False
        content = b""
        before: list[bytes] = []
        shape: list[bytes] = []
        first = pos
        # What is between two values.
        between = pos
        pos += 1
        count: i64 = 0
        if data[between]:
            count = number_at(data, pos)
            pos += 4
        names = self._names
        for _ in range(count):
            start: i64 = pos + 4
            pos = start + number_at(data, pos)
            if pos >= end:
                return False
            utf16 = data[start:pos]
            code: i64 = data[pos]
            if utf16 == _ROUTING and code == BYTE and not self._routing:
                self._routing = data[pos + 1 : pos + 2]
                pos += 2
                continue
            name = names.get(utf16) or _property_name(names, utf16)
            if not name or name in shape:
                return False
            pos += 1
            before.append(data[between:pos])
            shape.append(name)
            value = self._value(data, pos, code)
            if not value:
                return False
            content = b"%b%b%b" % (content, name, value)
            pos = between = self._pos
        if pos != end:
            return False
        self._content = content
        self._shape = shape
        self._before = before
        self._tail = data[between:end]
        self._learned = end - first <= MOST_LEARNED_BYTES
        # Its annotations say nothing to a queue.
        self._model = read_message(self._header + self._annotated(self._kind) + self._fields)
        self._model.annotated = False
        return True

    def _value(self, data: bytes, pos: i64, code: i64) -> bytes:
        """A property's value, after which it goes on at `_pos`; empty where its type is unusual."""
        if code == STRING:
            start: i64 = pos + 4
            self._pos = start + number_at(data, pos)
            return string(_utf8(data[start : self._pos]))
        if code == INT:
            self._pos = pos + 4
            return b"\x71" + data[pos : pos + 4]
        if code in (LONG, DOUBLE):
            self._pos = pos + 8
            return (b"\x81" if code == LONG else b"\x82") + data[pos : pos + 8]
        if code == BOOLEAN:
            self._pos = pos + 1
            return b"\x41" if data[pos] else b"\x42"
        return b""

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


def _property_name(known: dict[bytes, bytes], utf16: bytes) -> bytes:
    """A property's name; empty where it may be one of Artemis's own."""
    return b"" if utf16.startswith(_OWN) else _learn(known, utf16)


def _utf8(utf16: bytes) -> bytes:
    size: i64 = len(utf16)
    if size & 1:
        raise DecodeError("a SimpleString has an even number of octets")
    if size > 0 and _IS_LITTLE and utf16[0] < _FIRST_OF_MARKS:
        return utf16.decode("utf-16", "replace").encode()
    return _DECODE(utf16, "replace", True)[0].encode()
