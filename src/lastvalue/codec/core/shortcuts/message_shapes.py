"""What messages of the usual form have in common, so that of each message only its values are read.

Usual are a message-id that is a UUID, an address, a time and an expiry, properties that are texts, numbers
and booleans, and a body of bytes or text.
"""

import struct
import sys
from codecs import utf_16_le_encode
from typing import Final, final

from librt.strings import BytesWriter
from mypy_extensions import i64

from lastvalue.codec.amqp10.sections import HEADER, MESSAGE_ANNOTATIONS, section_head
from lastvalue.codec.amqp10.value_codec import skip_value
from lastvalue.codec.core.jms_names import BYTES_TYPE, DEFAULT_TYPE, TEXT_TYPE
from lastvalue.codec.core.message_encoder import encode_message
from lastvalue.codec.core.typed_properties import BOOLEAN, DOUBLE, FLOAT, INT, LONG, NULL, STRING
from lastvalue.codec.octets import MOST_LEARNED_BYTES, MOST_QUICK_BYTES, number_at
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER
from lastvalue.model.property_names import ORIGINAL_QUEUE

USER_ID: Final = 0
"""Sixteen octets, which are copied."""
EIGHT: Final = 1
"""Eight octets, which are copied."""
FOUR: Final = 2
"""Four octets, which are copied."""
TEXT: Final = 3
"""An octet with the size, and UTF-8."""
FLAG: Final = 4
"""The code of true or of false."""
EXPIRY: Final = 5
"""The time of expiry that the producer has set, or nothing; CORE has the one that the queue has set."""
SIZE: Final = 6
"""An octet with the size of the application properties; CORE has none."""
WIDE_SIZE: Final = 7
"""Four octets with it."""
BODY: Final = 8
"""An octet with the size, and the body."""
WIDE_BODY: Final = 9
"""Four octets with the size, and the body."""

_PROPERTIES: Final = b"\x00\x53\x73\xc0"
_APPLICATION: Final = b"\x00\x53\x74"
_DATA: Final = b"\x00\x53\x75"
_VALUE: Final = b"\x00\x53\x77"
_NO_DATA: Final = b"\x00\x53\x75\xa0\x00"
_OWN: Final = (b"_AMQ", b"JMS")
"""How names begin that mean something to the general conversion."""
_ORIGINAL_QUEUE: Final = ORIGINAL_QUEUE.encode()
_NULL: Final = 0x40
_STRING: Final = 0xA1
_TIMESTAMP: Final = 0x83
_UUID: Final = 0x98
_USER_ID_BYTES: Final = 16
_TIME_BYTES: Final = 8
_NO_TIME: Final = bytes(_TIME_BYTES)
_TO: Final = 2
_EXPIRES: Final = 8
_CREATED: Final = 9
_INT: Final = struct.Struct(">i")
_MOST_KNOWN: Final = 8
_KIND_AT: Final = 14
"""Of a head without address and id: the type, the flag that it is durable, times, priority, properties."""
_DURABLE_AT: Final = 15
_PRIORITY_AT: Final = 32

_COPIED: Final = {
    0x71: (INT, FOUR, 4),
    0x72: (FLOAT, FOUR, 4),
    0x81: (LONG, EIGHT, 8),
    0x82: (DOUBLE, EIGHT, 8),
}
"""By the code of a number: its type in CORE, what it is, and its octets."""
_ENCODE: Final = utf_16_le_encode
"""The codec itself: `str.encode` looks this one up again each time, which takes longer than to encode."""
_IS_LITTLE: Final = sys.byteorder == "little"
_MARK_BYTES: Final = 2
"""The codec `utf-16`, which is not looked up, writes a mark of the order of octets first."""


@final
class ShapePart:
    """A value, and what is between it and the one before.

    Attributes:
        before: the octets before the value.
        written: what CORE has instead of them, in a head without its number.
        value: what the value is.
        step: from the end of the last value to that of this one, without its text or body.
    """

    __slots__ = ("before", "step", "value", "written")

    def __init__(self, before: bytes, written: bytes, value: i64, size: i64) -> None:
        self.before = before
        self.written = written
        self.value: i64 = value
        self.step: i64 = len(before) + size


@final
class MessageShape:
    """Messages that differ only in their values.

    A message with the same octets before each value is one of them: they say where the next value is.

    Attributes:
        parts: the last one is the body.
        is_text: that is a text.
    """

    __slots__ = ("is_text", "parts")

    def __init__(self, parts: list[ShapePart], is_text: bool) -> None:
        self.parts = parts
        self.is_text = is_text


@final
class _Front:
    """What the sections before the properties mean, as the general conversion says.

    Attributes:
        kind: the type of a message with bytes.
        durable: as CORE has it; so is the priority.
        count: of the properties that are made of annotations.
        properties: these.
    """

    __slots__ = ("count", "durable", "kind", "priority", "properties")

    def __init__(self, head: bytes) -> None:
        self.kind: i64 = head[_KIND_AT]
        self.durable = head[_DURABLE_AT : _DURABLE_AT + 1]
        self.priority = head[_PRIORITY_AT : _PRIORITY_AT + 1]
        properties = head[_PRIORITY_AT + 1 :]
        self.count: i64 = number_at(properties, 1) if properties[0] else 0
        self.properties = properties[5:]


@final
class _Fields:
    """The address of a message as CORE has it, and where its other properties are; 0 is nowhere."""

    __slots__ = ("created_at", "end", "expires_at", "to", "user_id_at")

    def __init__(self, to: bytes, end: i64) -> None:
        self.to = to
        self.user_id_at: i64 = 0
        self.expires_at: i64 = 0
        self.created_at: i64 = 0
        self.end: i64 = end


@final
class _Builder:
    """Collects the parts of a shape.

    Attributes:
        into: what CORE has before the next value.
    """

    __slots__ = ("_data", "_end", "into", "parts")

    def __init__(self, data: bytes) -> None:
        self.into = BytesWriter()
        self.parts: list[ShapePart] = []
        self._data = data
        # Of the last value.
        self._end: i64 = 0

    def value(self, value: i64, at: i64, size: i64) -> None:
        """Add a value; its size is without its text or body."""
        self.parts.append(ShapePart(self._data[self._end : at], self.into.getvalue(), value, size))
        self.into.truncate(0)
        self._end = at + size
        if value == TEXT:
            self._end += self._data[at]

    def missing(self, value: i64) -> None:
        """Add a value of no octets."""
        self.value(value, self._end, 0)


@final
class ShapeLearner:
    """Finds out the shapes of messages.

    Args:
        address: of messages that have none.
    """

    __slots__ = ("_address", "_fronts")

    def __init__(self, address: str) -> None:
        self._address = simple_string(address)
        # By the octets of their sections.
        self._fronts: dict[bytes, _Front] = {}

    def learn(self, data: bytes) -> MessageShape | None:
        """The shape of a message; None if it has another form, or is malformed."""
        try:
            return self._learn(data)
        except (IndexError, UnicodeDecodeError, LastvalueError):
            return None

    def _learn(self, data: bytes) -> MessageShape | None:
        start = _front_end(data)
        front = self._front(data[:start]) if start <= MOST_LEARNED_BYTES else None
        fields = self._fields(data, start)
        if front is None or fields is None:
            return None
        properties = _Properties(data, fields.end)
        body: i64 = properties.end
        is_text = data[body : body + 3] == _VALUE and data[body + 3] in (0xA1, 0xB1)
        is_data = data[body : body + 3] == _DATA and data[body + 3] in (0xA0, 0xB0)
        if is_data and front.kind != BYTES_TYPE and front.kind != DEFAULT_TYPE:
            return None
        if not (is_text or is_data) or body > MOST_QUICK_BYTES:
            return None
        builder = _Builder(data)
        _build_headers(builder, front, fields, TEXT_TYPE if is_text else front.kind)
        count = front.count + (properties.count >> 1)
        builder.into.write(b"\x01" + _INT.pack(count) if count > 0 else b"\x00")
        if not properties.build(builder):
            return None
        builder.into.write(front.properties)
        is_wide = data[body + 3] >= 0xB0
        builder.value(WIDE_BODY if is_wide else BODY, body + 4, 4 if is_wide else 1)
        return MessageShape(builder.parts, is_text)

    def _front(self, sections: bytes) -> _Front | None:
        """What the sections before the properties mean; None if it takes more to know that.

        Besides the queue that a message was on before there is its address, which is no annotation.
        """
        front = self._fronts.get(sections)
        if front is None:
            if _ORIGINAL_QUEUE in sections:
                return None
            front = _Front(encode_message(sections + _NO_DATA, "", NEVER).head(0))
            if len(self._fronts) >= _MOST_KNOWN:
                self._fronts.clear()
            self._fronts[sections] = front
        return front

    def _fields(self, data: bytes, pos: i64) -> _Fields | None:
        """The message's properties; None if it has others than usual."""
        if data[pos : pos + 4] != _PROPERTIES:
            return _Fields(self._address, pos)
        fields = _Fields(self._address, pos + 5 + data[pos + 4])
        count: i64 = data[pos + 5]
        pos += 6
        for index in range(count):
            code = data[pos]
            pos += 1
            if code == _NULL:
                continue
            if index == 0 and code == _UUID:
                fields.user_id_at = pos
                pos += _USER_ID_BYTES
            elif index == _TO and code == _STRING:
                start: i64 = pos + 1
                pos = start + data[pos]
                fields.to = simple_string(data[start:pos].decode())
            elif index == _EXPIRES and code == _TIMESTAMP:
                fields.expires_at = pos
                pos += _TIME_BYTES
            elif index == _CREATED and code == _TIMESTAMP:
                fields.created_at = pos
                pos += _TIME_BYTES
            else:
                return None
        return fields if pos == fields.end else None


def _front_end(data: bytes) -> i64:
    """Where the sections before the properties end."""
    size: i64 = len(data)
    pos: i64 = 0
    while True:
        section, start = section_head(data, pos, size)
        if section < HEADER or section > MESSAGE_ANNOTATIONS:
            return pos
        pos = skip_value(data, start, size)


def _build_headers(builder: _Builder, front: _Front, fields: _Fields, kind: i64) -> None:
    into = builder.into
    into.append(1)
    into.write(fields.to)
    if fields.user_id_at > 0:
        into.append(1)
        builder.value(USER_ID, fields.user_id_at, _USER_ID_BYTES)
    else:
        into.append(0)
    into.append(kind)
    into.write(front.durable)
    if fields.expires_at > 0:
        builder.value(EXPIRY, fields.expires_at, _TIME_BYTES)
    else:
        builder.missing(EXPIRY)
    if fields.created_at > 0:
        builder.value(EIGHT, fields.created_at, _TIME_BYTES)
    else:
        into.write(_NO_TIME)
    into.write(front.priority)


@final
class _Properties:
    """The application properties of a message, of which there may be none.

    Attributes:
        count: of their names and values.
        end: of their section.
    """

    __slots__ = ("_at", "_data", "_is_wide", "count", "end")

    def __init__(self, data: bytes, pos: i64) -> None:
        self._data = data
        self._at: i64 = pos + 4
        self._is_wide = False
        self.count: i64 = 0
        self.end: i64 = pos
        if data[pos : pos + 3] != _APPLICATION:
            return
        code = data[pos + 3]
        if code == 0xC1:
            self.end = pos + 5 + data[pos + 4]
            self.count = data[pos + 5]
        elif code == 0xD1:
            self._is_wide = True
            self.end = pos + 8 + number_at(data, pos + 4)
            self.count = number_at(data, pos + 8)

    def build(self, builder: _Builder) -> bool:
        """Add them; false where one is unusual."""
        data, pos, end = self._data, self._at, self.end
        if pos >= end:
            # There is none, or what looks like some is the body.
            return True
        builder.value(WIDE_SIZE if self._is_wide else SIZE, pos, 4 if self._is_wide else 1)
        pos += 8 if self._is_wide else 2
        names: set[bytes] = set()
        for _ in range(self.count >> 1):
            start: i64 = pos + 2
            if data[pos] != _STRING:
                return False
            pos = start + data[pos + 1]
            name = data[start:pos]
            if pos >= end or name.startswith(_OWN) or name in names:
                return False
            names.add(name)
            builder.into.write(simple_string(name.decode()))
            pos = _build_value(builder, data, pos)
            if pos == 0:
                return False
        return pos == end and not self.count & 1


def _build_value(builder: _Builder, data: bytes, pos: i64) -> i64:
    """Add a property's value; its end, or 0 where its type is unusual."""
    code = data[pos]
    copied = _COPIED.get(code)
    if code == _STRING:
        builder.into.append(STRING)
        builder.value(TEXT, pos + 1, 1)
        return pos + 2 + data[pos + 1]
    if code == 0x41 or code == 0x42:
        builder.into.append(BOOLEAN)
        builder.value(FLAG, pos, 1)
        return pos + 1
    if code == _NULL:
        builder.into.append(NULL)
        return pos + 1
    if copied is None:
        return 0
    builder.into.append(copied[0])
    builder.value(copied[1], pos + 1, copied[2])
    return pos + 1 + copied[2]


def simple_string(text: str) -> bytes:
    """A text as CORE has it, with its size."""
    octets = utf16(text)
    return _INT.pack(len(octets)) + octets


def utf16(text: str) -> bytes:
    """A text in UTF-16, the low octet of each unit first."""
    if _IS_LITTLE:
        return text.encode("utf-16")[_MARK_BYTES:]
    return _ENCODE(text)[0]
