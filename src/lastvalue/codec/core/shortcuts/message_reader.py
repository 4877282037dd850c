"""Messages of the usual form as the broker stores them, with the same result as `message_decoder`.

Usual are bodies of bytes or text, and properties that are texts, numbers and booleans, besides the routing
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
"""The codec itself: `bytes.decode` looks this one up again each time, which takes longer than to decode."""
_IS_LITTLE: Final = sys.byteorder == "little"
_FIRST_OF_MARKS: Final = 0xFE
"""The codec `utf-16`, which is not looked up, reads FE FF and FF FE at the beginning as marks."""
_MOST_TEXT_BYTES: Final = 64 * 1024
_TIME_BYTES: Final = 8
_NO_TIME: Final = bytes(_TIME_BYTES)
_TIME: Final = struct.Struct(">q")
_TIMESTAMP: Final = b"\x83"
_UUID: Final = b"\x98"
_USER_ID_BYTES: Final = 16
_FORM_BYTES: Final = 2
"""The type, and whether it is durable."""
_VARYING_BYTES: Final = _USER_ID_BYTES + _FORM_BYTES + 2 * _TIME_BYTES + 1
"""From the id to the priority."""
_NO_PROPERTIES: Final = b"\x00"
_ROUTING: Final = ROUTING_TYPE.encode("utf-16-le")
_CONNECTION: Final = "__AMQ_CID".encode("utf-16-le")
"""[Artemis JMS] The property that names a client's connection, in each of its messages."""
_OWN: Final = ("_A".encode("utf-16-le"), "JM".encode("utf-16-le"))
_MOST_KNOWN: Final = 256


@final
class MessageReader:
    """Reads the messages of one session; what several messages share is computed once.

    Attributes:
        address: the octets of the last message's address; the same object while that is the same.
    """

    __slots__ = (
        "_addresses", "_annotations", "_before", "_content", "_count", "_ending", "_expires", "_fields",
        "_form", "_front", "_header", "_kind", "_learned", "_model", "_names", "_pos", "_priority",
        "_routing", "_shape", "_tail", "_times", "_to_times", "_to_user_id", "_user_id", "_varies", "address",
    )  # fmt: skip

    def __init__(self) -> None:
        self.address = b""
        self._pos: i64 = 0
        self._routing = b""
        # The octets before the properties of the last message, and what they mean. Where it has an id and
        # a time, these vary: then the octets before the id, and the type, the flag and the priority.
        self._front = b""
        self._varies = False
        self._form = b""
        self._priority: i64 = 0
        self._expires = False
        self._user_id = b""
        self._times = b""
        self._header = b""
        self._fields = b""
        self._kind: i64 = 0
        # The sections before the application properties, once the routing type is known.
        self._model = EncodedMessage(b"")
        # Their octets: before the id, and between it and the times; or all.
        self._to_user_id = b""
        self._to_times = b""
        # What came before each value of the last message's properties, and after the last one, with the
        # encoding of that: a message that has the same there differs only in its values.
        self._before: list[bytes] = []
        self._shape: list[bytes] = []
        self._tail = b""
        self._ending = b""
        self._count: i64 = 0
        self._learned = False
        # The encoding of the application properties.
        self._content = b""
        # By the type of the message and the routing type: the section of annotations.
        self._annotations: dict[bytes, bytes] = {}
        self._addresses: dict[bytes, bytes] = {}
        # Of properties, none of which is Artemis's own.
        self._names: dict[bytes, bytes] = {}

    def read(self, data: bytes, start: i64, end: i64, body: bytes) -> EncodedMessage | None:
        """The message with the head data[start:end]; None if it has another form, or is malformed."""
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
        if not front or data[first:pos] != front or (self._varies and not self._is_alike(data, pos)):
            pos = self._read_front(data, first)
            self._learned = False
        elif self._varies:
            pos += _VARYING_BYTES
        kind = self._kind
        if kind == TEXT_TYPE:
            # [Artemis] A text may be none; that, too, and a long one is for the general conversion.
            size: i64 = len(body)
            if not 5 <= size <= _MOST_TEXT_BYTES or not body[0] or 5 + number_at(body, 1) != size:
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
        size: i64 = len(body)
        is_text = self._kind == TEXT_TYPE
        if size < 256:
            start = _VALUES[size] if is_text else _DATA[size]
        else:
            start = (b"\x00\x53\x77\xb1" if is_text else b"\x00\x53\x75\xb0") + _SIZE.pack(size)
        prefix = self._to_user_id
        if self._varies:
            prefix = b"%b%b%b%b" % (prefix, self._user_id, self._to_times, self._times)
        count: i64 = 2 * self._count
        application = ABSENT
        if count == 0:
            octets = b"%b%b%b" % (prefix, start, body)
        else:
            application = len(prefix) + _DESCRIPTOR_BYTES
            content = self._content
            size = len(content)
            if size < 255 and count < 256:
                octets = b"%b\x00\x53\x74\xc1%b%b%b%b%b" % (
                    prefix, OCTETS[size + 1], OCTETS[count], content, start, body
                )  # fmt: skip
            else:
                wide = _WIDE_MAP.pack(b"\x00\x53\x74\xd1", size + 4, count)
                octets = b"%b%b%b%b%b" % (prefix, wide, content, start, body)
        message = model.like(octets, application)
        if self._expires:
            message.expires_ms = _expiry_ms(self._times)
        return message

    def _is_alike(self, data: bytes, pos: i64) -> bool:
        """Read an id and times; whether they are all in which a message differs, up to its properties."""
        form: i64 = pos + _USER_ID_BYTES
        expiry: i64 = form + _FORM_BYTES
        sent: i64 = expiry + _TIME_BYTES
        end: i64 = sent + _TIME_BYTES
        sent_at = data[sent:end]
        if data[form:expiry] != self._form or data[end] != self._priority or sent_at == _NO_TIME:
            return False
        expires = data[expiry:sent]
        if (expires != _NO_TIME) != self._expires:
            return False
        self._user_id = data[pos:form]
        self._times = expires + _TIMESTAMP + sent_at if self._expires else sent_at
        return True

    def _read_front(self, data: bytes, start: i64) -> i64:
        """Read what comes before the properties, which the next message may share; the position after it."""
        self._front = b""
        address = self._address(data, start)
        varying: i64 = start + len(self.address) + 1
        pos = varying
        message_id = _NULL
        if data[pos - 1]:
            pos += _USER_ID_BYTES
            self._user_id = data[varying:pos]
            message_id = _UUID + self._user_id
        self._kind = data[pos]
        self._form = data[pos : pos + _FORM_BYTES]
        pos += _FORM_BYTES
        expiry, sent_at = data[pos : pos + _TIME_BYTES], data[pos + _TIME_BYTES : pos + 2 * _TIME_BYTES]
        pos += 2 * _TIME_BYTES
        self._priority = data[pos]
        self._header = _HEADER + (b"\x41\x50" if self._form[1] else b"\x42\x50") + OCTETS[self._priority]
        fields = [message_id, _NULL, address]
        if expiry != _NO_TIME or sent_at != _NO_TIME:
            fields += [_NULL] * 5
            fields.append(_NULL if expiry == _NO_TIME else _TIMESTAMP + expiry)
        if sent_at != _NO_TIME:
            fields.append(_TIMESTAMP + sent_at)
        unusual = address is _NULL and len(fields) == 3
        self._fields = b"" if unusual else _FIELDS + encoded_list(fields)
        pos += 1
        self._varies = message_id is not _NULL and sent_at != _NO_TIME
        self._expires = self._varies and expiry != _NO_TIME
        self._times = expiry + _TIMESTAMP + sent_at if self._expires else sent_at
        end = varying if self._varies else pos
        if end - start <= MOST_LEARNED_BYTES:
            self._front = data[start:end]
        return pos

    def _address(self, data: bytes, start: i64) -> bytes:
        """Read the address; as AMQP 1.0 has it."""
        address = _NULL
        end: i64 = start + 1
        if data[start]:
            end += 4 + number_at(data, end)
            utf16 = data[start + 5 : end]
            address = self._addresses.get(utf16) or _learn(self._addresses, utf16)
        octets = data[start:end]
        if octets != self.address:
            self.address = octets
        return address

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
        self._content = content + self._ending if self._ending else content
        tail = self._tail
        return pos + len(tail) == end and (pos == end or data[pos:end] == tail)

    def _properties(self, data: bytes, first: i64, end: i64) -> bool:
        """Read the application properties; false where one is unusual."""
        self._routing = b""
        self._learned = False
        content = b""
        self._before = before = []
        self._shape = shape = []
        seen: list[bytes] = []
        # The name of the connection, where it comes before the next value.
        same = b""
        # What is between two values.
        between = first
        count: i64 = number_at(data, first + 1) if data[first] else 0
        pos = first + (5 if data[first] else 1)
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
            name = self._names.get(utf16) or _property_name(self._names, utf16)
            value = self._value(data, pos + 1, code)
            if not name or not value or name in seen:
                return False
            seen.append(name)
            content = b"%b%b%b" % (content, name, value)
            if utf16 == _CONNECTION and code == STRING:
                same = b"%b%b%b" % (same, name, value)
            else:
                before.append(data[between : pos + 1])
                shape.append(same + name)
                same = b""
                between = self._pos
            pos = self._pos
        if pos != end:
            return False
        self._content = content
        self._count = len(seen)
        self._ending = same
        self._tail = data[between:end]
        self._learned = end - first <= MOST_LEARNED_BYTES
        self._make_model()
        return True

    def _make_model(self) -> None:
        """Read the sections before the application properties; and divide them where those of others vary."""
        before = self._header + self._annotated(self._kind)
        encoded = before + self._fields
        self._model = read_message(encoded)
        # Its annotations say nothing to a queue.
        self._model.annotated = False
        if not self._varies:
            self._to_user_id = encoded
            return
        # A list of at most 255 octets has one for their number, and one for its fields.
        user_id = len(before) + _DESCRIPTOR_BYTES + (4 if self._fields[_DESCRIPTOR_BYTES] == 0xC0 else 10)
        self._to_user_id = encoded[:user_id]
        self._to_times = encoded[user_id + _USER_ID_BYTES : len(encoded) - len(self._times)]

    def _value(self, data: bytes, pos: i64, code: i64) -> bytes:
        """A property's value, after which it continues at `_pos`; empty where its type is unusual."""
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
            whole = decode_message(head, b"")
            known = whole[_HEADER_BYTES : _HEADER_BYTES + 5 + whole[_HEADER_BYTES + 4]]
            self._annotations[key] = known
        return known


def _expiry_ms(times: bytes) -> i64:
    """When a message expires: a time before the epoch has passed, as 1 has."""
    expires_ms: i64 = _TIME.unpack_from(times)[0]
    return max(expires_ms, 1)


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
