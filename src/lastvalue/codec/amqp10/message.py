"""Messages as queues see them [1.0 §3.2]: stored as received, decoded only as far as needed.

    header? delivery-annotations? message-annotations? properties? application-properties? body footer?

`read_message` walks the heads of the sections, and decodes only the header and the expiry time.
A key is read in place, as a slice of the message.
"""

import struct
from collections.abc import Mapping
from typing import Final, final

from mypy_extensions import i32, i64, mypyc_attr

from lastvalue.codec.amqp10.conflated_body import body_value, conflated_payload
from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.fields import (
    DURABLE_FIELD,
    PRIORITY_FIELD,
    PROPERTY_NAMES,
    STANDARD_FIELDS,
    field_value_at,
    milliseconds_at,
    property_at,
    text_value_at,
    utf8_of,
)
from lastvalue.codec.amqp10.keys import key_at, order_at
from lastvalue.codec.amqp10.payloads import forwarded_payload, prioritised_payload
from lastvalue.codec.amqp10.sections import (
    ABSENT,
    AMQP_SEQUENCE,
    AMQP_VALUE,
    APPLICATION_PROPERTIES,
    DATA,
    DELIVERY_ANNOTATIONS,
    FOOTER,
    HEADER,
    MESSAGE_ANNOTATIONS,
    PROPERTIES,
    field_at,
    find_value,
    find_values,
    is_bodiless,
    list_start,
    section_head,
)
from lastvalue.codec.amqp10.value_codec import NO_UINT, encode_value, skip_value, uint_at, uint_end
from lastvalue.codec.amqp10.values import Described, Symbol, ULong, Value
from lastvalue.model.message import (
    AT_ONCE,
    MOST_UPDATES,
    NEVER,
    USUAL_PRIORITY,
    FieldValue,
    Message,
    MessageExtras,
    OrderValue,
    PropertyName,
)
from lastvalue.model.property_names import (
    CONFLATION,
    DELIVERY_DELAY,
    DELIVERY_TIME,
    DUPLICATE_ID,
    UPDATES,
)

_DELIVERY_TIME: Final = DELIVERY_TIME.encode()
_DELIVERY_DELAY: Final = DELIVERY_DELAY.encode()
_UPDATES: Final = UPDATES.encode()
_DUPLICATE_ID: Final = DUPLICATE_ID.encode()
_CONFLATION: Final = CONFLATION.encode()

_PROPERTY_INDEX: Final = {
    prefix + name: index for index, name in enumerate(PROPERTY_NAMES) for prefix in ("", "properties.")
}
_STANDARD_INDEX: Final = {
    name.encode(): index for name, index in {**STANDARD_FIELDS, **_PROPERTY_INDEX}.items()
}
"""By the UTF-8 of the name."""
_FEW_NAMES: Final = 4
"""This many names are sought one by one."""
EXPIRY_INDEX: Final = 8
_TIMESTAMP: Final = struct.Struct(">q")


@mypyc_attr(acyclic=True)
@final
class EncodedMessage(Message):
    """A message with its sections as received.

    A name means an application property, else a message annotation, else a field of the properties
    ("subject", "group-id", …, also spelled "properties.subject").
    """

    __slots__ = ("_application", "_has_annotations", "_has_properties")

    def __init__(self, encoded: bytes) -> None:
        self.encoded = encoded
        self.extras = None
        self.durable = False
        self.annotated = False
        self._has_annotations = False
        self._has_properties = False
        # The start of the value of the application properties, or ABSENT; that of the others is found.
        self._application: i32 = ABSENT

    def key(self, name: PropertyName) -> bytes | None:
        """See Message.

        Raises:
            DecodeError: the section that should hold the property is malformed.
        """
        data = self.encoded
        pos = i64(self._application)
        if pos >= 0:
            pos = find_value(data, pos, name.utf8)
        if pos < 0:
            pos = self._elsewhere(name)
            if pos < 0:
                return None
        if data[pos] == 0xA1:
            return data[pos : pos + 2 + data[pos + 1]]
        return key_at(data, pos, len(data))

    def order(self, name: PropertyName) -> OrderValue | None:
        """See Message.

        Raises:
            DecodeError: the section that should hold the property is malformed.
        """
        data = self.encoded
        pos = i64(self._application)
        if pos >= 0:
            pos = find_value(data, pos, name.utf8)
        if pos < 0:
            pos = self._elsewhere(name)
            if pos < 0:
                return None
        return order_at(data, pos, len(data))

    def text(self, name: PropertyName) -> str | None:
        """See Message.

        Raises:
            DecodeError: the section that should hold the property is malformed.
        """
        pos = self.position(name)
        return None if pos < 0 else text_value_at(self.encoded, pos, len(self.encoded))

    def field(self, name: str) -> FieldValue:
        """See Message.

        Raises:
            DecodeError: the section that should hold the field is malformed.
        """
        index = STANDARD_FIELDS.get(name)
        if index is not None:
            return self._standard_field(index)
        pos = self._place_of(name)
        if pos >= 0:
            return field_value_at(self.encoded, pos, len(self.encoded))
        index = _PROPERTY_INDEX.get(name)
        return None if index is None else self._standard_field(index)

    def _place_of(self, name: str) -> i64:
        """Where the application property or message annotation of a name has its value, or ABSENT."""
        utf8 = utf8_of(name)
        pos = ABSENT if self._application < 0 else find_value(self.encoded, i64(self._application), utf8)
        if pos < 0 and self._has_annotations:
            pos = find_value(self.encoded, self._start_of(MESSAGE_ANNOTATIONS), utf8)
        return pos

    def fields(self, names: Mapping[bytes, str]) -> dict[str, FieldValue]:
        """See Message.

        Raises:
            DecodeError: a section that has properties or annotations is malformed.
        """
        if len(names) <= _FEW_NAMES:
            return self._few_fields(names)
        data = self.encoded
        positions: dict[str, int] = {}
        if self._application >= 0:
            find_values(data, i64(self._application), names, positions)
        if self._has_annotations:
            find_values(data, self._start_of(MESSAGE_ANNOTATIONS), names, positions)
        found: dict[str, FieldValue] = {}
        for name, pos in positions.items():
            found[name] = field_value_at(data, pos, len(data))
        for utf8, index in _STANDARD_INDEX.items():
            asked = names.get(utf8)
            if asked is not None and (asked not in positions or asked in STANDARD_FIELDS):
                value = self._standard_field(index)
                if value is not None:
                    found[asked] = value
                else:
                    found.pop(asked, None)
        return found

    def _few_fields(self, names: Mapping[bytes, str]) -> dict[str, FieldValue]:
        found: dict[str, FieldValue] = {}
        for name in names.values():
            index = STANDARD_FIELDS.get(name)
            pos = self._place_of(name) if index is None else ABSENT
            if pos >= 0:
                found[name] = field_value_at(self.encoded, pos, len(self.encoded))
                continue
            index = _PROPERTY_INDEX.get(name) if index is None else index
            value = None if index is None else self._standard_field(index)
            if value is not None:
                found[name] = value
        return found

    def not_before(self, now: i64) -> i64:
        """See Message; the annotations x-opt-delivery-time and x-opt-delivery-delay say it, in this order.

        Raises:
            DecodeError: the message annotations are malformed.
        """
        if not self._has_annotations:
            return AT_ONCE
        start = self._start_of(MESSAGE_ANNOTATIONS)
        pos = find_value(self.encoded, start, _DELIVERY_TIME)
        if pos >= 0:
            time_ms = milliseconds_at(self.encoded, pos)
            if time_ms >= 0:
                return time_ms
        pos = find_value(self.encoded, start, _DELIVERY_DELAY)
        if pos >= 0:
            delay_ms = milliseconds_at(self.encoded, pos)
            if delay_ms >= 0:
                return now + delay_ms
        return AT_ONCE

    def is_empty(self) -> bool:
        """See Message.

        Raises:
            DecodeError: a section is malformed.
        """
        return is_bodiless(self.encoded)

    def body_value(self) -> object:
        """See Message.

        Raises:
            DecodeError: a section is malformed.
        """
        return body_value(self.encoded)

    def conflated(
        self, body: Mapping[str, object] | None, notes: Mapping[str, str | int], durable: bool
    ) -> Message:
        """See Message.

        Raises:
            DecodeError: a section is malformed.
        """
        copy = read_message(conflated_payload(self.encoded, body, notes, durable))
        copy.origin = self.origin
        return copy

    def conflation(self) -> str:
        """See Message; the message annotation x-opt-conflation says it.

        Raises:
            DecodeError: the message annotations are malformed.
        """
        data = self.encoded
        pos: i64 = ABSENT
        if self._has_annotations:
            pos = find_value(data, self._start_of(MESSAGE_ANNOTATIONS), _CONFLATION)
        value = None if pos < 0 else field_value_at(data, pos, len(data))
        return value if isinstance(value, str) else ""

    def explicit_id(self) -> bytes:
        """See Message; the application property _AMQ_DUPL_ID says it, a text or a binary.

        Raises:
            DecodeError: the application properties are malformed.
        """
        pos = i64(self._application)
        if pos < 0:
            return b""
        pos = find_value(self.encoded, pos, _DUPLICATE_ID)
        if pos >= 0 and self.encoded[pos] == 0xA1:
            short = self.encoded[pos + 2 : pos + 2 + self.encoded[pos + 1]]
            if short.isascii():
                return short
        value = None if pos < 0 else field_value_at(self.encoded, pos, len(self.encoded))
        if value is None or isinstance(value, bytes):
            return value or b""
        return str(value).encode("utf-8", "surrogatepass")

    def annotation(self, name: str) -> object:
        """See Message."""
        if not self._has_annotations:
            return None
        try:
            pos = find_value(self.encoded, self._start_of(MESSAGE_ANNOTATIONS), name.encode())
            return None if pos < 0 else Decoder(self.encoded, pos, len(self.encoded)).read()
        except DecodeError:
            return None

    def forwarded(self, notes: Mapping[str, object], keeps_expiry: bool) -> Message:
        """See Message.

        Raises:
            DecodeError: a section before the application properties is malformed.
        """
        copy = read_message(forwarded_payload(self.encoded, notes, keeps_expiry))
        copy.origin = self.origin
        copy.wire_bytes = self.wire_bytes
        return copy

    def with_priority(self, priority: i64) -> Message:
        """See Message.

        Raises:
            DecodeError: a section before the application properties is malformed.
        """
        copy = read_message(prioritised_payload(self.encoded, priority))
        copy.origin = self.origin
        copy.wire_bytes = self.wire_bytes
        return copy

    def like(self, encoded: bytes, application: i64) -> "EncodedMessage":
        """A message with the same sections up to the properties; nothing is decoded.

        Args:
            encoded: its sections: the same ones, optional application properties, and a body.
            application: the start of the value of the application properties, or ABSENT.
        """
        extras = self.extras
        if extras is not None:
            own = extras.priority != USUAL_PRIORITY or extras.expires
            extras = MessageExtras(extras.priority, extras.ttl_ms, extras.expires_ms) if own else None
        return self._other(encoded, application, extras)

    def alike(self, encoded: bytes) -> "EncodedMessage":
        """See Message."""
        return self._other(encoded, i64(self._application), self.extras)

    def _other(self, encoded: bytes, application: i64, extras: MessageExtras | None) -> "EncodedMessage":
        other = EncodedMessage(encoded)
        other.durable = self.durable
        other.extras = extras
        other.annotated = self.annotated
        other._has_annotations = self._has_annotations
        other._has_properties = self._has_properties
        other._application = i32(application)
        return other

    def has_terms(self) -> bool:
        """Whether an annotation says when it is delivered, or how many updates it is.

        Raises:
            DecodeError: the message annotations are malformed.
        """
        if not self._has_annotations:
            return False
        data = self.encoded
        start = self._start_of(MESSAGE_ANNOTATIONS)
        if find_value(data, start, _DELIVERY_TIME) >= 0 or find_value(data, start, _DELIVERY_DELAY) >= 0:
            return True
        return find_value(data, start, _UPDATES) >= 0

    def _standard_field(self, index: i64) -> FieldValue:
        if index >= 0:
            pos: i64 = ABSENT
            if self._has_properties:
                pos = field_at(self.encoded, self._start_of(PROPERTIES), index)
            return None if pos < 0 else property_at(self.encoded, pos, len(self.encoded), index)
        if index == PRIORITY_FIELD:
            return int(self.priority)
        if index == DURABLE_FIELD:
            return self.durable
        return None if self.ttl_ms == NEVER else int(self.ttl_ms)

    def position(self, name: PropertyName) -> i64:
        """The position of the named value, or ABSENT."""
        pos = i64(self._application)
        if pos >= 0:
            pos = find_value(self.encoded, pos, name.utf8)
            if pos >= 0:
                return pos
        return self._elsewhere(name)

    def updates(self) -> i64:
        """See Message; the message annotation x-opt-updates says it.

        Raises:
            DecodeError: the message annotations are malformed.
        """
        if not self._has_annotations:
            return 1
        pos = find_value(self.encoded, self._start_of(MESSAGE_ANNOTATIONS), _UPDATES)
        if pos < 0:
            return 1
        count = order_at(self.encoded, pos, len(self.encoded))
        if not isinstance(count, int) or count < 1:
            return 1
        return min(count, MOST_UPDATES)

    def _elsewhere(self, name: PropertyName) -> i64:
        """The position of the named annotation or field of the properties, or ABSENT."""
        if self._has_annotations:
            pos = find_value(self.encoded, self._start_of(MESSAGE_ANNOTATIONS), name.utf8)
            if pos >= 0:
                return pos
        if self._has_properties:
            index = _PROPERTY_INDEX.get(name.text)
            if index is not None:
                return field_at(self.encoded, self._start_of(PROPERTIES), index)
        return ABSENT

    def _start_of(self, section: i64) -> i64:
        """The start of the value of a section that the message has, before the application properties."""
        data = self.encoded
        size: i64 = len(data)
        found, start = section_head(data, 0, size)
        while found < section:
            found, start = section_head(data, skip_value(data, start, size), size)
        return start

    def read_sections(self) -> None:  # noqa: C901, PLR0912 - hot: no calls for the usual sections
        """Walk the sections; see read_message."""
        data = self.encoded
        size: i64 = len(data)
        pos: i64 = 0
        last: i64 = 0
        while pos < size:
            # What `section_head` does first; its call costs a tenth of the whole walk.
            if data[pos + 1] == 0x53 and data[pos] == 0:
                section: i64 = data[pos + 2]
                pos += 3
            else:
                section, pos = section_head(data, pos, size)
            start = pos
            code: i64 = data[pos]
            if code == 0xC1 or code == 0xA0 or code == 0xC0:
                pos += 2 + data[pos + 1]
            elif code == 0x45:
                pos += 1
            else:
                pos = skip_value(data, pos, size)
            # From here on, the section is data[start:pos].
            if section <= last and not (section == last and section in (DATA, AMQP_SEQUENCE)):
                raise DecodeError(f"section 0x{section:02x} after section 0x{last:02x}")
            if section == APPLICATION_PROPERTIES:
                if code & 0xEF != 0xC1:
                    raise _wrong_type(section, code)
                self._application = i32(start)
            elif section == DATA:
                if code & 0xEF != 0xA0:
                    raise _wrong_type(section, code)
            else:
                self._note(section, code, start, pos, last)
            last = section
        if pos > size:
            raise DecodeError(f"section 0x{last:02x} ends {pos - size} bytes after the message")

    def _note(self, section: i64, code: i64, start: i64, end: i64, last: i64) -> None:
        """Read a section that is not in every message."""
        kind = code & 0xEF
        if section in (HEADER, PROPERTIES):
            if kind != 0xC0 and code != 0x45:
                raise _wrong_type(section, code)
            if end > len(self.encoded):
                raise DecodeError(f"section 0x{section:02x} ends after the message")
            if section == HEADER:
                self._take_header(start, end)
            else:
                self._has_properties = True
                self._take_expiry(start)
        elif section in (AMQP_VALUE, AMQP_SEQUENCE):
            # [1.0 §3.2] A body is of one kind.
            if last >= DATA and last != section:
                raise DecodeError(f"section 0x{section:02x} after section 0x{last:02x}")
            if section == AMQP_SEQUENCE and kind != 0xC0 and code != 0x45:
                raise _wrong_type(section, code)
        elif kind != 0xC1 or section < HEADER or section > FOOTER:
            raise _wrong_type(section, code)
        elif section == MESSAGE_ANNOTATIONS:
            self._has_annotations = True
            self.annotated = True

    def _take_header(self, start: i64, end: i64) -> None:  # noqa: C901 - hot: a field after the other
        data = self.encoded
        pos, count = list_start(data, start)
        if count > 0:
            durable = data[pos]
            if durable == 0x41:
                self.durable = True
            elif durable == 0x56:
                pos += 1
                self.durable = data[pos] == 1
            elif durable not in (0x42, 0x40):
                raise DecodeError(f"header.durable is a boolean, not 0x{durable:02x}")
            pos += 1
        if count > 1:
            priority = data[pos]
            if priority == 0x50:
                pos += 1
                self.priority = data[pos]
            elif priority != 0x40:
                raise DecodeError(f"header.priority is a ubyte, not 0x{priority:02x}")
            pos += 1
        if count > 2:
            ttl_ms = uint_at(data, pos)
            pos = uint_end(data, pos)
            if ttl_ms == NO_UINT:
                raise DecodeError("header.ttl is a uint")
            if ttl_ms > 0:
                self.ttl_ms = ttl_ms
        if pos > end:
            raise DecodeError("the fields of the header exceed its size")

    def _take_expiry(self, start: i64) -> None:
        data = self.encoded
        pos = field_at(data, start, EXPIRY_INDEX)
        if pos >= 0:
            if data[pos] != 0x83:
                raise DecodeError("properties.absolute-expiry-time is a timestamp")
            expires_ms: i64 = _TIMESTAMP.unpack_from(data, pos + 1)[0]
            if expires_ms != 0:
                # A time before the epoch has passed, as 1 has.
                self.expires_ms = max(expires_ms, 1)


def is_property_field(name: str) -> bool:
    """Whether a name may be that of a field of the properties section."""
    return name in _PROPERTY_INDEX


def read_message(payload: bytes) -> EncodedMessage:
    """The message with these sections.

    A message without a body is accepted. A time to live or an expiry time of 0 means none, because some
    clients always send the field.

    Raises:
        DecodeError: the sections are out of order, or of another type, or do not fit; or the header or the
            expiry time is malformed.
    """
    message = EncodedMessage(payload)
    try:
        message.read_sections()
    except IndexError as fault:
        raise DecodeError("the message ends within a section") from fault
    return message


def annotated(payload: bytes, annotations: Mapping[str, Value]) -> bytes:
    """The message with these delivery annotations after its header; they replace its own of the same name.

    Raises:
        DecodeError: the payload's header or delivery annotations are malformed.
        EncodeError: an annotation has no encoding.
    """
    size = len(payload)
    start = header_end(payload)
    section, end = section_head(payload, start, size)
    own: Value = {}
    if section == DELIVERY_ANNOTATIONS:
        decoder = Decoder(payload, end, size)
        own = decoder.read()
        end = decoder.pos
    else:
        end = start
    if not isinstance(own, dict):
        raise DecodeError("the delivery annotations must be a map")
    merged = {**own, **{Symbol(name): value for name, value in annotations.items()}}
    return payload[:start] + encode_value(Described(ULong(DELIVERY_ANNOTATIONS), merged)) + payload[end:]


def header_end(payload: bytes) -> i64:
    """The end of a message's header, or 0 if it has none."""
    size: i64 = len(payload)
    section, start = section_head(payload, 0, size)
    return skip_value(payload, start, size) if section == HEADER else 0


def _wrong_type(section: i64, code: i64) -> DecodeError:
    return DecodeError(f"a message has no section 0x{section:02x} of type 0x{code:02x}")
