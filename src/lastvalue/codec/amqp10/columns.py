"""Decodes messages into columns, many at a time, for readers that need tables rather than objects.

Texts stay UTF-8 bytes. Other values become text:

AMQP type                          text
boolean                            true, false
numbers, timestamp                 decimal; a timestamp its milliseconds
binary                             itself if it is UTF-8, else hexadecimal
uuid                               its usual form
list, map, array, described        JSON
null                               None
"""

import json
import struct
from typing import Any, Final, final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.codec.amqp10.content import decode_content, readable
from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.fields import text_of
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.sections import (
    AMQP_SEQUENCE,
    AMQP_VALUE,
    APPLICATION_PROPERTIES,
    DATA,
    DELIVERY_ANNOTATIONS,
    FOOTER,
    HEADER,
    MESSAGE_ANNOTATIONS,
    PROPERTIES,
    list_start,
    section_head,
)
from lastvalue.codec.amqp10.shortcuts.stamps import STAMP, STAMP_SEQUENCE, STAMP_SIZE
from lastvalue.codec.amqp10.value_codec import skip_value
from lastvalue.codec.amqp10.values import Array, Decimal, Described, Value
from lastvalue.model.composite_key import composite_key_of, composite_names
from lastvalue.model.jsonable import json_number
from lastvalue.model.message import MOST_UPDATES, PropertyName
from lastvalue.model.property_names import DUPLICATE_ID, ENQUEUED_TIME, SEQUENCE_NUMBER, UPDATES

SUBJECT: Final = 0
GROUP_ID: Final = 1
MESSAGE_ID: Final = 2
CORRELATION_ID: Final = 3
CONTENT_TYPE: Final = 4
REPLY_TO: Final = 5
TO: Final = 6
CREATION_TIME: Final = 7
EXPIRY_TIME: Final = 8
TTL: Final = 9
PRIORITY: Final = 10
DURABLE: Final = 11
DELIVERY_COUNT: Final = 12
MALFORMED: Final = 13

DEFAULTS: Final[list[Any]] = [None, None, None, None, None, None, None, None, None, None, 4, False, 0, None]
"""The value in a rare column for a message that does not have the field."""

UNREAD: Final = -1
"""The column of a field that has none."""

# [1.0 §3.2.4] The rare column of each field of the properties section.
OF_PROPERTIES: Final = [
    MESSAGE_ID, UNREAD, TO, SUBJECT, REPLY_TO, CORRELATION_ID, CONTENT_TYPE,
    UNREAD, EXPIRY_TIME, CREATION_TIME, GROUP_ID, UNREAD, UNREAD,
]  # fmt: skip
# [1.0 §3.2.1] And of the header's; first-acquirer says nothing of the message.
OF_HEADER: Final = [DURABLE, PRIORITY, TTL, UNREAD, DELIVERY_COUNT]
# Of which type the values of rare columns are; those of the others are texts, but for DURABLE.
_TIMES: Final = (CREATION_TIME, EXPIRY_TIME)
_NUMBERS: Final = (TTL, PRIORITY, DELIVERY_COUNT)
_LONG: Final = struct.Struct(">q")
_UPDATES: Final = UPDATES.encode()
_DUPLICATE_ID: Final = DUPLICATE_ID.encode()
_DUPLICATE_ID_SIZE: Final = len(_DUPLICATE_ID)
_NO_NAME: Final = b"\xff"
"""No name is this, as it is no UTF-8."""


@final
class PairsColumn:
    """A column of maps from text to text: all pairs in order, and the end of each row's pairs."""

    __slots__ = ("ends", "names", "values")

    def __init__(self) -> None:
        self.names: list[bytes] = []
        self.values: list[bytes | None] = []
        self.ends: list[int] = []


@final
class Columns:
    """The columns of some messages of one queue.

    A rare column ends with the last row that has another value than its default: see `DEFAULTS`.

    Attributes:
        rows: the number of messages.
        size_bytes: the size of their payloads.
        sequences, arrivals_ms, updates: from the broker's delivery annotations, or 0, 0 and 1 without these.
        keys: the key property, which is then not among `properties`; those of a key of several are.
        bodies: bytes; a text in UTF-8, any other value as JSON.
        properties: application properties except the id for duplicate detection, of one sending.
        annotations: message annotations except x-opt-updates.
        rare: the columns SUBJECT to MALFORMED; times and the time to live are milliseconds. MALFORMED says
            what of a message AMQP does not allow; see `readable`.
    """

    __slots__ = (
        "_composite",
        "_key",
        "_key_name",
        "annotations",
        "arrivals_ms",
        "bodies",
        "keys",
        "properties",
        "rare",
        "rows",
        "sequences",
        "size_bytes",
        "updates",
    )

    def __init__(self, key_property: str) -> None:
        self.rows: i64 = 0
        self.size_bytes: i64 = 0
        self.sequences: list[int] = []
        self.arrivals_ms: list[int] = []
        self.updates: list[int] = []
        self.keys: list[bytes | None] = []
        self.bodies: list[bytes | None] = []
        self.properties = PairsColumn()
        self.annotations = PairsColumn()
        self.rare: list[list[Any]] = [[] for _ in DEFAULTS]
        self._key = PropertyName(key_property)
        self._composite = composite_names(key_property)
        self._key_name = _NO_NAME if self._composite else key_property.encode("utf-8", "surrogatepass")

    def take_all(self, payloads: list[bytes]) -> None:
        """Add a row for each message."""
        for payload in payloads:
            self.take(payload)

    def take(self, payload: bytes) -> None:
        """Add a row; of a message that is malformed what can be read."""
        try:
            self._take(payload)
        except DecodeError as fault:
            self._drop_row()
            self._take(readable(payload))
            self._put(MALFORMED, _fault(payload, fault).encode("utf-8", "replace"))
        self.size_bytes += len(payload)
        self.rows += 1

    def _drop_row(self) -> None:
        """Take out what has been read of a row that is not complete."""
        rows = self.rows
        columns: list[list[Any]] = [self.sequences, self.arrivals_ms, self.updates, self.keys, self.bodies]
        columns.extend(self.rare)
        for column in columns:
            del column[rows:]
        for pairs in (self.properties, self.annotations):
            del pairs.ends[rows:]
            end = pairs.ends[-1] if pairs.ends else 0
            del pairs.names[end:]
            del pairs.values[end:]

    def _take(self, payload: bytes) -> None:
        """Read the columns of a row.

        Raises:
            DecodeError: the message is malformed.
        """
        self.sequences.append(0)
        self.arrivals_ms.append(0)
        self.updates.append(1)
        self.keys.append(None)
        self.bodies.append(None)
        try:
            plain = self._take_sections(payload)
        except IndexError as fault:
            raise DecodeError("the message ends within a section") from fault
        if not plain and self.keys[-1] is None:
            # The key may stand among the annotations or the properties.
            text = read_message(payload).text(self._key)
            self.keys[-1] = None if text is None else text.encode()
        if self._composite:
            text = composite_key_of(read_message(payload), self._composite)
            self.keys[-1] = None if text is None else text.encode("utf-8", "surrogatepass")
        self.properties.ends.append(len(self.properties.names))
        self.annotations.ends.append(len(self.annotations.names))

    def _take_sections(self, data: bytes) -> bool:
        """Read every section; returns whether there were no annotations and no properties."""
        size: i64 = len(data)
        pos: i64 = 0
        plain = True
        bodies: i64 = 0
        while pos < size:
            section, start = section_head(data, pos, size)
            pos = start
            code: i64 = data[pos]
            pos = pos + 2 + data[pos + 1] if code == 0xC1 or code == 0xA0 else skip_value(data, pos, size)
            if pos > size:
                raise DecodeError(f"section 0x{section:02x} ends after the message")
            if section == APPLICATION_PROPERTIES:
                self._take_map(data, start, pos, self.properties, self._key_name)
            elif section == DATA and code == 0xA0 and bodies == 0:
                bodies = 1
                self.bodies[-1] = data[start + 2 : pos]
            elif section == DELIVERY_ANNOTATIONS:
                self._take_place(data, start, pos)
            elif section in (DATA, AMQP_VALUE, AMQP_SEQUENCE):
                bodies += 1
                self._take_body(data, start, pos, bodies)
            elif section == HEADER:
                self._take_list(data, start, pos, OF_HEADER)
            else:
                plain = False
                self._take_rest(section, data, start, pos)
        return plain

    def _take_rest(self, section: i64, data: bytes, start: i64, end: i64) -> None:
        if section == PROPERTIES:
            self._take_list(data, start, end, OF_PROPERTIES)
        elif section == MESSAGE_ANNOTATIONS:
            self._take_map(data, start, end, self.annotations, b"")
            self._take_updates()
        elif section != FOOTER:
            raise DecodeError(f"a message has no section 0x{section:02x}")

    # ------------------------------------------------------------------ sections

    def _take_place(self, data: bytes, start: i64, end: i64) -> None:
        """Read the delivery annotations that the broker set; see `stamped`."""
        if (
            end - start == STAMP_SIZE - 3
            and data[start - 3 : start - 3 + len(STAMP_SEQUENCE)] == STAMP_SEQUENCE
        ):
            stamp = STAMP.unpack_from(data, start - 3)
            self.sequences[-1] = stamp[1]
            self.arrivals_ms[-1] = stamp[3]
            self.updates[-1] = _count(self.updates[-1], stamp[5])
            return
        place = Decoder(data, start, end).read()
        if not isinstance(place, dict):
            raise DecodeError("the delivery annotations must be a map")
        self.sequences[-1] = _number(place.get(SEQUENCE_NUMBER), 0)
        self.arrivals_ms[-1] = _number(place.get(ENQUEUED_TIME), 0)
        self.updates[-1] = _count(self.updates[-1], _number(place.get(UPDATES), 1))

    def _take_map(self, data: bytes, start: i64, end: i64, into: PairsColumn, key_name: bytes) -> None:
        code: i64 = data[start]
        if code == 0xC1:
            pos: i64 = start + 3
        elif code == 0xD1:
            pos = start + 9
        else:
            raise DecodeError(f"expected a map, not a value of type 0x{code:02x}")
        while pos < end:
            at_name = pos
            pos = _end_of(data, pos, end)
            name = _text_at(data, at_name, pos)
            if name is None or pos >= end:
                raise DecodeError("a map has a key without a name or a value")
            at = pos
            pos = _end_of(data, pos, end)
            value = _text_at(data, at, pos)
            if name == key_name and value is not None:
                self.keys[-1] = value
            elif data[at_name] != 0xA1 or data[at_name + 1] != _DUPLICATE_ID_SIZE or name != _DUPLICATE_ID:
                into.names.append(name)
                into.values.append(value)

    def _take_updates(self) -> None:
        """Move a producer's own count of updates from the annotations to its column."""
        annotations = self.annotations
        first = annotations.ends[-1] if annotations.ends else 0
        for index in range(first, len(annotations.names)):
            if annotations.names[index] == _UPDATES:
                value = annotations.values[index]
                if value is not None and value.isdigit():
                    self.updates[-1] = _count(self.updates[-1], int(value))
                del annotations.names[index]
                del annotations.values[index]
                return

    def _take_list(self, data: bytes, start: i64, end: i64, columns: list[int]) -> None:
        pos, count = list_start(data, start)
        field: i64 = 0
        fields: i64 = len(columns)
        while field < count and field < fields:
            at = pos
            pos = _end_of(data, pos, end)
            column: i64 = columns[field]
            field += 1
            if column >= 0 and data[at] != 0x40:
                self._put(column, _value_at(column, data, at, pos))
        if pos > end:
            raise DecodeError("the fields of a list exceed its size")

    def _put(self, column: i64, value: Any) -> None:
        values = self.rare[column]
        missing = self.rows - len(values)
        if missing > 0:
            values.extend([DEFAULTS[column]] * missing)
        values.append(value)

    def _take_body(self, data: bytes, start: i64, end: i64, bodies: i64) -> None:
        code: i64 = data[start]
        if bodies > 1:
            # Several sections make one body.
            self.bodies[-1] = _body_of(decode_content(data).body)
        elif code == 0xA1:
            self.bodies[-1] = data[start + 2 : end]
        else:
            self.bodies[-1] = _body_of(Decoder(data, start, end).read())


def _fault(payload: bytes, otherwise: DecodeError) -> str:
    """What of a message AMQP does not allow, in the words of the client."""
    try:
        decode_content(payload)
    except DecodeError as fault:
        return str(fault)
    return str(otherwise)


def _count(first: int, second: int) -> int:
    """The greater one of two counts of updates, as far as there are counts."""
    return min(max(first, second), MOST_UPDATES)


def _end_of(data: bytes, pos: i64, end: i64) -> i64:
    """The end of the value at pos; frequent texts without a call."""
    if data[pos] == 0xA1 or data[pos] == 0xA3:
        after: i64 = pos + 2 + data[pos + 1]
        if after > end:
            raise DecodeError("a text exceeds the bytes left")
        return after
    return skip_value(data, pos, end)


def _text_at(data: bytes, pos: i64, end: i64) -> bytes | None:
    code: i64 = data[pos]
    if code == 0xA1 or code == 0xA3:
        return data[pos + 2 : end]
    if code == 0x81:
        return str(_LONG.unpack_from(data, pos + 1)[0]).encode()
    return _text(Decoder(data, pos, end).read())


def _value_at(column: i64, data: bytes, pos: i64, end: i64) -> Any:
    code: i64 = data[pos]
    if code == 0xA1 or code == 0xA3:
        return data[pos + 2 : end]
    value = Decoder(data, pos, end).read()
    if column == DURABLE:
        return value is True
    if column in _NUMBERS:
        return _number(value, 0)
    if column in _TIMES:
        if not isinstance(value, int):
            raise DecodeError(f"{value!r:.80} is not a time")
        return _number(value, 0)
    return _text(value)


def _number(value: Value, default: int) -> int:
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else default


def _text(value: Value) -> bytes | None:
    if value is None:
        return None
    if isinstance(value, bytes):
        return _text_of_bytes(value)
    text = text_of(value)
    if text is None:
        text = str(value) if isinstance(value, UUID) else json.dumps(_plain(value), ensure_ascii=False)
    return text.encode("utf-8", "replace")


def _text_of_bytes(value: bytes) -> bytes:
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        return value.hex().encode()
    return value


def _body_of(value: Value) -> bytes | None:
    if value is None:
        return None
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return str(value).encode("utf-8", "replace")
    return json.dumps(_plain(value), ensure_ascii=False).encode("utf-8", "replace")


def _plain(value: Value) -> Any:  # noqa: PLR0911 - a case for each type
    """The value as JSON has it."""
    if isinstance(value, dict):
        return {(_text(name) or b"null").decode(): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, Array):
        return _plain(value.items)
    if isinstance(value, Described):
        return _plain(value.value)
    if isinstance(value, Decimal):
        return value.encoded.hex()
    if isinstance(value, bytes):
        return _text_of_bytes(value).decode()
    if isinstance(value, float):
        return json_number(value)
    return str(value) if isinstance(value, UUID) else value
