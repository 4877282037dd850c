"""Changes to an encoded message: annotations, priority, a property, and its expiry."""

import struct
from collections.abc import Mapping
from typing import Any, Final

from mypy_extensions import i64

from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError
from lastvalue.codec.amqp10.sections import (
    ABSENT,
    APPLICATION_PROPERTIES,
    DELIVERY_ANNOTATIONS,
    HEADER,
    MESSAGE_ANNOTATIONS,
    PROPERTIES,
    decoded_sections,
    list_start,
    section_head,
)
from lastvalue.codec.amqp10.value_codec import encode_value, skip_value
from lastvalue.codec.amqp10.values import Described, Symbol, UByte, ULong, Value
from lastvalue.model.message import NEVER

_PRIORITY: Final = 1
_TTL: Final = 2
_TO: Final = 2
_SUBJECT: Final = 3
_EXPIRY: Final = 8
_MOST_TTL_MS: Final = 2**32 - 1
_NULL: Final = b"\x40"
_NO_FIELDS: Final = b"\x45"
_TIMESTAMP: Final = struct.Struct(">Bq")
_UINT: Final = struct.Struct(">BI")
_PAIR: Final = struct.Struct(">II")


def forwarded_payload(
    payload: bytes, notes: Mapping[str, object], keeps_expiry: bool, place: tuple[str, str] | None = None
) -> bytes:
    """The message with these message annotations, which replace its own of the same name; None removes one.

    Its delivery annotations are dropped, because they concern only the last transfer. Without `keeps_expiry`
    it loses its time to live and its expiry time. With a `place`, that becomes its address and its subject.

    Raises:
        DecodeError: a section before the application properties is malformed.
    """
    sections, rest = decoded_sections(payload, PROPERTIES)
    own = sections.get(MESSAGE_ANNOTATIONS)
    annotations = dict(own) if isinstance(own, dict) else {}
    for name, note in notes.items():
        annotations.pop(Symbol(name), None)
        if note is not None:
            annotations[Symbol(name)] = note
    sections[MESSAGE_ANNOTATIONS] = annotations
    sections.pop(DELIVERY_ANNOTATIONS, None)
    if not keeps_expiry:
        _set_field(sections, HEADER, _TTL, None)
        _set_field(sections, PROPERTIES, _EXPIRY, None)
    if place is not None:
        _set_field(sections, PROPERTIES, _TO, place[0])
        _set_field(sections, PROPERTIES, _SUBJECT, place[1])
    return _encoded(sections) + payload[rest:]


def expiring_payload(payload: bytes, arrival_ms: i64, expires_ms: i64) -> bytes:
    """The message with this expiry: its absolute expiry time, and its time to live from the arrival.

    With NEVER as its expiry it has neither. A time to live that exceeds a uint is left out. Nothing is
    decoded: each delivery of a message does this.

    Raises:
        DecodeError: a section before the application properties is malformed.
    """
    ttl = expiry = _NULL
    if expires_ms != NEVER:
        expiry = _TIMESTAMP.pack(0x83, expires_ms)
        ttl_ms = expires_ms - arrival_ms
        if ttl_ms <= _MOST_TTL_MS:
            ttl = _UINT.pack(0x70, ttl_ms if ttl_ms > 0 else 1)
    size: i64 = len(payload)
    section, start = section_head(payload, 0, size)
    header = _NO_FIELDS if section != HEADER else payload[start : skip_value(payload, start, size)]
    pos: i64 = 0 if section != HEADER else start + len(header)
    between = pos
    section, start = section_head(payload, pos, size)
    while ABSENT < section < PROPERTIES:
        pos = skip_value(payload, start, size)
        section, start = section_head(payload, pos, size)
    end = pos
    properties = _NO_FIELDS
    if section == PROPERTIES:
        end = skip_value(payload, start, size)
        properties = payload[start:end]
    return (
        _section_with(HEADER, header, _TTL, ttl)
        + payload[between:pos]
        + _section_with(PROPERTIES, properties, _EXPIRY, expiry)
        + payload[end:]
    )


def _section_with(section: i64, fields: bytes, index: i64, value: bytes) -> bytes:
    """A section of these fields, an encoded list, but with this encoded value for one of them."""
    size: i64 = len(fields)
    first, count = list_start(fields, 0)
    if index >= count and value == _NULL:
        return b"" if count == 0 else b"\x00\x53" + bytes((section,)) + fields
    pos = first
    place: i64 = 0
    while place < index and place < count:
        pos = skip_value(fields, pos, size)
        place += 1
    rest = skip_value(fields, pos, size) if index < count else pos
    content = fields[first:pos] + _NULL * (index - place) + value + fields[rest:]
    number = count if count > index else index + 1
    head = b"\xd0" + _PAIR.pack(len(content) + 4, number)
    if len(content) < 255 and number < 256:
        head = bytes((0xC0, len(content) + 1, number))
    return b"\x00\x53" + bytes((section,)) + head + content


def _set_field(sections: dict[int, Value], section: int, index: int, value: Value) -> None:
    """Set a field of a section that is a list; None removes it, and adds no section."""
    present = sections.get(section)
    fields: list[Value] = list(present) if isinstance(present, list) else []
    if value is None and len(fields) <= index:
        return
    fields += [None] * (index + 1 - len(fields))
    fields[index] = value
    sections[section] = fields


def _encoded(sections: dict[int, Value]) -> bytes:
    return b"".join(
        encode_value(Described(ULong(section), sections[section])) for section in sorted(sections)
    )


def amended_payload(payload: bytes, notes: Mapping[Any, Value], most: int) -> bytes:
    """The message with these message annotations, which replace its own of the same name.

    Raises:
        DecodeError: a section before the application properties is malformed.
        EncodeError: the annotations would take more bytes than `most`.
    """
    size: i64 = len(payload)
    annotations: dict[Value, Value] = {}
    section, value = section_head(payload, 0, size)
    start: i64 = 0
    while ABSENT < section < MESSAGE_ANNOTATIONS:
        start = skip_value(payload, value, size)
        section, value = section_head(payload, start, size)
    end = start
    if section == MESSAGE_ANNOTATIONS:
        decoder = Decoder(payload, value, size)
        own = decoder.read()
        if not isinstance(own, dict):
            raise DecodeError("the message annotations must be a map")
        annotations.update(own)
        end = decoder.pos
    annotations.update(notes)
    encoded = encode_value(Described(ULong(MESSAGE_ANNOTATIONS), annotations))
    if len(encoded) > most:
        raise EncodeError(f"the annotations take {len(encoded)} bytes; a message may have {most}")
    return payload[:start] + encoded + payload[end:]


def prioritised_payload(payload: bytes, priority: i64) -> bytes:
    """The message with this priority in its header; adds a header if there is none.

    Raises:
        DecodeError: a section before the application properties is malformed.
    """
    sections, rest = decoded_sections(payload, HEADER)
    _set_field(sections, HEADER, _PRIORITY, UByte(priority))
    return _encoded(sections) + payload[rest:]


def flagged_payload(payload: bytes, name: str) -> bytes:
    """The message with the application property `name` set to true.

    Raises:
        DecodeError: a section up to the application properties is malformed.
    """
    _, start = decoded_sections(payload, PROPERTIES)
    sections, end = decoded_sections(payload, APPLICATION_PROPERTIES)
    properties = sections.get(APPLICATION_PROPERTIES, {})
    if not isinstance(properties, dict):
        raise DecodeError("the application properties must be a map")
    section = encode_value(Described(ULong(APPLICATION_PROPERTIES), {**properties, name: True}))
    return payload[:start] + section + payload[end:]
