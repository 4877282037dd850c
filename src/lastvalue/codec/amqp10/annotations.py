"""Message annotations that are put into a message as bytes, without decoding the message."""

import struct
from dataclasses import dataclass
from typing import Any, Final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.sections import (
    DELIVERY_ANNOTATIONS,
    HEADER,
    MESSAGE_ANNOTATIONS,
    section_head,
)
from lastvalue.codec.amqp10.value_codec import encode_value, skip_value
from lastvalue.codec.amqp10.values import Symbol, Value

_SECTION: Final = b"\x00\x53\x72"
_MAP: Final = struct.Struct(">3sBII")
_LONG: Final = struct.Struct(">q")


def annotation_name(name: str) -> bytes:
    """The name of an annotation, as `with_annotations` takes it."""
    return encode_value(Symbol(name))


def text_annotation(name: bytes, value: str) -> bytes:
    """An annotation that is a text."""
    return name + encode_value(value)


def bytes_annotation(name: bytes, value: bytes) -> bytes:
    """An annotation that is a binary."""
    return name + encode_value(value)


def number_annotation(name: bytes, value: i64) -> bytes:
    """An annotation that is a long."""
    return name + b"\x81" + _LONG.pack(value)


def time_annotation(name: bytes, value: i64) -> bytes:
    """An annotation that is a timestamp, milliseconds since the epoch."""
    return name + b"\x83" + _LONG.pack(value)


def key_annotation(name: bytes, key: bytes, as_text: bool) -> bytes:
    """A last-value key: a text or a long where the key is one, else its canonical bytes."""
    if as_text:
        return name + encode_value(key.decode("utf-8", "replace"))
    if key[:1] in (b"\xa1", b"\xb1"):
        return name + key
    if key[:1] == b"i":
        number = int(key[1:])
        if -(2**63) <= number < 2**63:
            return name + b"\x81" + _LONG.pack(number)
    return name + encode_value(key)


def with_annotations(payload: bytes, annotations: bytes, count: i64, prefix: bytes) -> bytes:
    """The message with these message annotations before its own.

    Its own annotations with the prefix are dropped, and so are its delivery annotations, which concern only
    the last transfer.

    Args:
        payload: the message; empty for one that is nothing but annotations.
        annotations: alternating names and values.
        count: the number of pairs.
        prefix: the prefix of the annotations' names.

    Raises:
        DecodeError: a section up to the message annotations is malformed.
    """
    size: i64 = len(payload)
    start: i64 = 0
    rest: i64 = 0
    try:
        section, value = section_head(payload, 0, size)
        if section == HEADER:
            start = rest = skip_value(payload, value, size)
            section, value = section_head(payload, rest, size)
        if section == DELIVERY_ANNOTATIONS:
            rest = skip_value(payload, value, size)
            section, value = section_head(payload, rest, size)
        if section == MESSAGE_ANNOTATIONS:
            rest = skip_value(payload, value, size)
            own, own_count = _pairs(payload, value, rest, prefix)
            annotations += own
            count += own_count
    except IndexError as fault:
        raise DecodeError("the message ends within a section") from fault
    annotations = _MAP.pack(_SECTION, 0xD1, 4 + len(annotations), 2 * count) + annotations
    if rest == 0:
        return annotations + payload
    return payload[:start] + annotations + payload[rest:]


def _pairs(payload: bytes, start: i64, end: i64, prefix: bytes) -> tuple[bytes, i64]:
    """The pairs of a map whose names do not have the prefix, and their number."""
    code: i64 = payload[start]
    if code == 0xC1:
        first: i64 = start + 3
        count: i64 = payload[start + 2] // 2
    elif code == 0xD1:
        first = start + 9
        count = int.from_bytes(payload[start + 5 : start + 9], "big") // 2
    else:
        raise DecodeError("the message annotations must be a map")
    content = payload[first:end]
    if prefix not in content:
        return content, count
    try:
        own: Value = Decoder(payload, start, end).read()
    except DecodeError:
        # Annotations that cannot be decoded are dropped, because the prefix may be among them.
        return b"", 0
    others = b""
    count = 0
    if isinstance(own, dict):
        for name, value in own.items():
            if not (isinstance(name, str) and name.encode().startswith(prefix)):
                others += encode_value(name) + encode_value(value)
                count += 1
    return others, count


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class SplitMessage:
    """A message and the annotations that were put on it.

    Attributes:
        annotations: the values, by name.
        place: the delivery annotations.
        message: the message without these annotations.
    """

    annotations: dict[str, Any]
    place: dict[str, Any]
    message: bytes


def split_annotations(payload: bytes, prefix: str) -> SplitMessage:
    """Undo `with_annotations`; the annotations after those with the prefix are not decoded.

    Raises:
        DecodeError: a section up to the message annotations, or an annotation, is malformed.
    """
    size: i64 = len(payload)
    start: i64 = 0
    annotations: dict[str, Any] = {}
    place: dict[str, Any] = {}
    own = b""
    try:
        section, value = section_head(payload, 0, size)
        if section == HEADER:
            start = skip_value(payload, value, size)
            section, value = section_head(payload, start, size)
        rest = start
        if section == DELIVERY_ANNOTATIONS:
            decoder = Decoder(payload, value, size)
            delivery = decoder.read()
            if isinstance(delivery, dict):
                place = {str(name): value for name, value in delivery.items()}
            rest = decoder.pos
            section, value = section_head(payload, rest, size)
        if section == MESSAGE_ANNOTATIONS:
            rest = skip_value(payload, value, size)
            own = _take_annotations(payload, value, rest, prefix, annotations)
    except IndexError as fault:
        raise DecodeError("the message ends within a section") from fault
    return SplitMessage(annotations, place, payload[:start] + own + payload[rest:])


def annotations_of(payload: bytes, prefix: str) -> bytes:
    """The annotations that `with_annotations` put on a message, as a message without other sections.

    Raises:
        DecodeError: as `split_annotations`.
    """
    annotations = split_annotations(payload, prefix).annotations
    encoded = b"".join(annotation_name(name) + encode_value(value) for name, value in annotations.items())
    return with_annotations(b"", encoded, len(annotations), prefix.encode())


def _take_annotations(
    payload: bytes, start: i64, end: i64, prefix: str, annotations: dict[str, Any]
) -> bytes:
    """Move the pairs with the prefix at a map's head to `annotations`; returns a section of the others."""
    wide = payload[start] == 0xD1
    count: i64 = int.from_bytes(payload[start + 5 : start + 9], "big") if wide else payload[start + 2]
    decoder = Decoder(payload, start + 9 if wide else start + 3, end)
    while count > 0:
        before = decoder.pos
        name = _name(decoder)
        if not name.startswith(prefix):
            decoder.pos = before
            break
        annotations[name] = decoder.read()
        count -= 2
    if count <= 0:
        return b""
    content = payload[decoder.pos : end]
    if len(content) < 255 and count < 256:
        return _SECTION + bytes((0xC1, len(content) + 1, count)) + content
    return _MAP.pack(_SECTION, 0xD1, 4 + len(content), count) + content


def _name(decoder: Decoder) -> str:
    """The next name; "" if it is not a text or malformed."""
    try:
        name = decoder.read()
    except DecodeError:
        return ""
    return str(name) if isinstance(name, str) else ""
