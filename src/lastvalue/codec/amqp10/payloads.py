"""A message on its way from one queue to another: annotated, and without its expiry where that has passed."""

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
    section_head,
)
from lastvalue.codec.amqp10.value_codec import encode_value, skip_value
from lastvalue.codec.amqp10.values import Described, Symbol, UByte, ULong, Value

_PRIORITY: Final = 1
_TTL: Final = 2
_EXPIRY: Final = 8


def forwarded_payload(payload: bytes, notes: Mapping[str, str | int], keeps_expiry: bool) -> bytes:
    """The message with these message annotations, which win over those it has.

    Delivery annotations were for this broker and stay behind. Without `keeps_expiry` it has no time to live
    and no expiry time any more.

    Raises:
        DecodeError: a section before the application properties is malformed.
    """
    sections, rest = decoded_sections(payload, PROPERTIES)
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
        known = decoder.read()
        if not isinstance(known, dict):
            raise DecodeError("the message annotations must be a map")
        annotations.update(known)
        end = decoder.pos
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
    sections, rest = decoded_sections(payload, HEADER)
    known = sections.get(HEADER)
    fields: list[Value] = list(known) if isinstance(known, list) else []
    fields += [None] * (_PRIORITY + 1 - len(fields))
    fields[_PRIORITY] = UByte(priority)
    return encode_value(Described(ULong(HEADER), fields)) + payload[rest:]


def flagged_payload(payload: bytes, name: str) -> bytes:
    """The message with an application property of that name, which is true.

    Raises:
        DecodeError: a section up to the application properties is malformed.
    """
    _, start = decoded_sections(payload, PROPERTIES)
    sections, end = decoded_sections(payload, APPLICATION_PROPERTIES)
    known = sections.get(APPLICATION_PROPERTIES, {})
    if not isinstance(known, dict):
        raise DecodeError("the application properties must be a map")
    section = encode_value(Described(ULong(APPLICATION_PROPERTIES), {**known, name: True}))
    return payload[:start] + section + payload[end:]
