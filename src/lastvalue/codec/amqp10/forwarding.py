"""A message on its way from one queue to another: annotated, and without its expiry where that has passed."""

from collections.abc import Mapping
from typing import Any, Final

from mypy_extensions import i64

from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError
from lastvalue.codec.amqp10.primitives import encode_value, skip_value
from lastvalue.codec.amqp10.sections import (
    APPLICATION_PROPERTIES,
    DELIVERY_ANNOTATIONS,
    HEADER,
    MESSAGE_ANNOTATIONS,
    PROPERTIES,
    section_of,
)
from lastvalue.codec.amqp10.values import Described, Symbol, UByte, ULong, Value

_PRIORITY: Final = 1
_TTL: Final = 2
_EXPIRY: Final = 8


def forwarded_payload(payload: bytes, notes: Mapping[str, str | int], keeps_expiry: bool) -> bytes:  # noqa: FBT001 - compiled, positional
    """The message with these message annotations, which win over those it has.

    Delivery annotations were for this broker and stay behind. Without `keeps_expiry` it has no time to live
    and no expiry time any more.

    Raises:
        DecodeError: a section before the application properties is malformed.
    """
    sections, rest = _leading_sections(payload)
    known = sections.get(MESSAGE_ANNOTATIONS)
    annotations = dict(known) if isinstance(known, dict) else {}
    annotations.update({Symbol(name): note for name, note in notes.items()})
    sections[MESSAGE_ANNOTATIONS] = annotations
    sections.pop(DELIVERY_ANNOTATIONS, None)
    if not keeps_expiry:
        for section, index in ((HEADER, _TTL), (PROPERTIES, _EXPIRY)):
            fields = sections.get(section)
            if isinstance(fields, list) and len(fields) > index:
                sections[section] = [*fields[:index], None, *fields[index + 1 :]]
    encoded = [encode_value(Described(ULong(section), sections[section])) for section in sorted(sections)]
    return b"".join(encoded) + payload[rest:]


def amended_payload(payload: bytes, notes: Mapping[Any, Value], most: int) -> bytes:
    """The message with these message annotations, which win over those it has; all else as it came.

    Raises:
        DecodeError: a section before the application properties is malformed.
        EncodeError: the annotations would take more bytes than `most`.
    """
    pos: i64 = 0
    size: i64 = len(payload)
    annotations: dict[Value, Value] = {}
    start: i64 = size
    end: i64 = size
    while pos < size:
        section = section_of(Decoder(payload, pos + 1, size).read())
        if section >= MESSAGE_ANNOTATIONS:
            start = pos
            end = pos
            if section == MESSAGE_ANNOTATIONS:
                whole = Decoder(payload, pos, size)
                known = whole.read()
                if not isinstance(known, Described) or not isinstance(known.value, dict):
                    raise DecodeError("the message annotations are no map")
                annotations.update(known.value)
                end = whole.pos
            break
        pos = skip_value(payload, pos, size)
    annotations.update(notes)
    encoded = encode_value(Described(ULong(MESSAGE_ANNOTATIONS), annotations))
    if len(encoded) > most:
        raise EncodeError(f"{len(encoded)} bytes of annotations; a message may have {most}")
    return payload[:start] + encoded + payload[end:]


def prioritised_payload(payload: bytes, priority: i64) -> bytes:
    """The message with this priority in its header, which is made where there is none.

    Raises:
        DecodeError: a section before the application properties is malformed.
    """
    sections, _ = _leading_sections(payload)
    known = sections.get(HEADER)
    fields: list[Value] = list(known) if isinstance(known, list) else []
    fields += [None] * (_PRIORITY + 1 - len(fields))
    fields[_PRIORITY] = UByte(priority)
    rest: i64 = 0
    if HEADER in sections:
        header = Decoder(payload, 0, len(payload))
        header.read()
        rest = header.pos
    return encode_value(Described(ULong(HEADER), fields)) + payload[rest:]


def flagged_payload(payload: bytes, name: str) -> bytes:
    """The message with an application property of that name, which is true.

    Raises:
        DecodeError: a section up to the application properties is malformed.
    """
    _, start = _leading_sections(payload)
    known: Value = {}
    end = start
    if start < len(payload):
        descriptor = Decoder(payload, start + 1, len(payload))
        if section_of(descriptor.read()) == APPLICATION_PROPERTIES:
            known = descriptor.read()
            end = descriptor.pos
    if not isinstance(known, dict):
        raise DecodeError("the application properties are no map")
    section = encode_value(Described(ULong(APPLICATION_PROPERTIES), {**known, name: True}))
    return payload[:start] + section + payload[end:]


def _leading_sections(payload: bytes) -> tuple[dict[int, Value], i64]:
    """The sections up to the properties, and where the others begin."""
    sections: dict[int, Value] = {}
    size: i64 = len(payload)
    pos: i64 = 0
    while pos < size:
        descriptor = Decoder(payload, pos + 1, size)
        section = int(section_of(descriptor.read()))
        if section > PROPERTIES:
            break
        whole = Decoder(payload, pos, size)
        value = whole.read()
        if not isinstance(value, Described):
            raise DecodeError("bytes where a section should start")
        sections[section] = value.value
        pos = whole.pos
    return sections, pos
