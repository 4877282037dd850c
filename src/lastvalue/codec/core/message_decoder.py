"""Converts a message of CORE to AMQP 1.0's encoding, in which the broker stores messages.

docs/protocols/messages.md has the table of the properties.
"""

from struct import Struct
from typing import Final

from mypy_extensions import i64

from lastvalue.codec.amqp10.encoded_values import (
    binary,
    binary_start,
    encoded_list,
    encoded_map,
    string,
    string_start,
    symbol,
)
from lastvalue.codec.amqp10.errors import DecodeError, LargeStructureError
from lastvalue.codec.amqp10.sections import MOST_VALUES, check_structure
from lastvalue.codec.amqp10.value_codec import decode_value
from lastvalue.codec.amqp10.values import Array, Described
from lastvalue.codec.core.jms_names import (
    ANNOTATION,
    ANYCAST,
    BYTES_TYPE,
    COMPRESSED,
    CONTENT_ENCODING,
    CONTENT_TYPE,
    CORRELATION_ID,
    ENCODED_ANNOTATION,
    GROUP,
    JMS_TYPES,
    LARGE_SIZE,
    MAP_TYPE,
    OBJECT_CONTENT,
    OBJECT_TYPE,
    PREFIXES,
    REPLY_GROUP,
    REPLY_TO,
    ROUTING_TYPE,
    SCHEDULED,
    SEQUENCE,
    STREAM_TYPE,
    TEXT_TYPE,
    TYPE_HEADER,
    USER,
)
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.core.typed_properties import (
    BOOLEAN,
    BYTE,
    BYTES,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    SHORT,
    STRING,
    PropertyValue,
    TypedProperties,
    read_properties,
    read_value,
)
from lastvalue.codec.octets import number_at
from lastvalue.model.property_names import (
    DELIVERY_TIME,
    JMS_DESTINATION,
    JMS_MESSAGE_TYPE,
    JMS_REPLY_TO,
)

_NULL: Final = b"\x40"
_VALUE: Final = b"\x00\x53\x77"
_NO_TEXT: Final = b"\x00\x53\x77\x40"
_INTEGERS: Final[dict[int, tuple[bytes, Struct]]] = {
    BYTE: (b"\x51", Struct(">b")),
    SHORT: (b"\x61", Struct(">h")),
    INT: (b"\x71", Struct(">i")),
    LONG: (b"\x81", Struct(">q")),
}
_FLOAT: Final = Struct(">f")
_DOUBLE: Final = Struct(">d")
_LONG: Final = Struct(">q")
_UINT: Final = Struct(">I")
_MOST_SEQUENCE: Final = 2**32 - 1
_ID_BYTES: Final = 8
_USER_ID_BYTES: Final = 16
TEXT_HEAD_BYTES: Final = 5
"""That a text is not null, and its size; the text in UTF-16 follows."""
_FORM_BYTES: Final = 19
"""The type, whether it is durable, two times and the priority."""
_COMPRESSED_NAME: Final = COMPRESSED.encode("utf-16-le")

# The places of the fields in the properties [1.0 §3.2.4].
_SUBJECT: Final = 3
_REPLY_TO: Final = 4
_CONTENT_TYPE: Final = 6
_REPLY_GROUP: Final = 12
_TEXTS: Final[dict[str, int]] = {TYPE_HEADER: _SUBJECT, GROUP: 10, REPLY_GROUP: _REPLY_GROUP}
_SYMBOLS: Final[dict[str, int]] = {CONTENT_TYPE: _CONTENT_TYPE, CONTENT_ENCODING: 7}

_DESTINATION_NAME: Final = symbol(JMS_DESTINATION.encode())
_MESSAGE_TYPE_NAME: Final = symbol(JMS_MESSAGE_TYPE.encode())
_REPLY_TO_NAME: Final = symbol(JMS_REPLY_TO.encode())
_DELIVERY_TIME_NAME: Final = symbol(DELIVERY_TIME.encode())
_OWN: Final = (JMS_DESTINATION, JMS_MESSAGE_TYPE, JMS_REPLY_TO, DELIVERY_TIME)
"""The annotations that other properties say."""


def is_compressed(head: bytes) -> bool:
    """Whether the body of a message with this head is compressed; false where the head is malformed, too."""
    if _COMPRESSED_NAME not in head:
        return False
    try:
        reader = _at_form(head)
        reader.octets(_FORM_BYTES)
        return _says_compressed(read_properties(reader))
    except DecodeError:
        return False


def is_text(head: bytes, body: bytes) -> bool:
    """Whether a message with this head is a text, and has one of which `TEXT_HEAD_BYTES` say the size."""
    size: i64 = len(body) - TEXT_HEAD_BYTES
    if size < 0 or size & 1 or body[0] == 0 or number_at(body, 1) != size:
        return False
    try:
        return _at_form(head).int8() == TEXT_TYPE
    except DecodeError:
        return False


def _at_form(head: bytes) -> CoreReader:
    """What reads a head from its type on."""
    reader = CoreReader(head)
    reader.octets(_ID_BYTES)
    reader.nullable_simple_string()
    reader.octets(_USER_ID_BYTES if reader.boolean() else 0)
    return reader


def _says_compressed(properties: TypedProperties) -> bool:
    return properties.pop(COMPRESSED, (BOOLEAN, False))[1] is True


def decode_message(head: bytes, body: bytes, *, inflated: bool = False, converted: bool = False) -> bytes:
    """The sections of a message.

    Args:
        head: its headers and properties.
        body: its body, whatever frames brought it.
        inflated: the head may say that the body is compressed: it is not any more.
        converted: the body is a text in UTF-8.

    Raises:
        DecodeError: the head is malformed, or the body should be compressed and is not.
        LargeStructureError: there are too many values for those who read it.
    """
    reader = CoreReader(head)
    reader.octets(_ID_BYTES)
    fields = [_NULL] * 13
    address = reader.nullable_simple_string()
    if address is not None:
        fields[2] = string(address.encode())
    if reader.boolean():
        fields[0] = b"\x98" + reader.octets(_USER_ID_BYTES)
    kind = int(reader.int8())
    number = JMS_TYPES.get(kind)
    if number is None:
        raise DecodeError(f"a message of type {kind}; a client sends one of {[*JMS_TYPES]}")
    header = b"\x41\x50" if reader.boolean() else b"\x42\x50"
    expiration = reader.int64()
    if expiration != 0:
        fields[8] = b"\x83" + _LONG.pack(expiration)
    timestamp = reader.int64()
    if timestamp != 0:
        fields[9] = b"\x83" + _LONG.pack(timestamp)
    header += reader.octets(1)
    properties = read_properties(reader)
    if _says_compressed(properties) and not inflated:
        raise DecodeError("a compressed body cannot be decompressed: it has no header of zlib")
    properties.pop(LARGE_SIZE, None)
    annotations: list[bytes] = []
    application = _application(properties, fields, annotations)
    body_section = [_VALUE, string_start(len(body)), body] if converted else _body(kind, body)
    if kind == OBJECT_TYPE and body_section is not None:
        fields[_CONTENT_TYPE] = symbol(OBJECT_CONTENT.encode())
    elif body_section is None:
        # It is not what its type says.
        number, body_section = JMS_TYPES[BYTES_TYPE], _data(body)
    annotations.append(_MESSAGE_TYPE_NAME)
    annotations.append(b"\x51" + bytes((number,)))
    while fields and fields[-1] is _NULL:
        fields.pop()
    whole = b"".join(
        [
            b"\x00\x53\x70\xc0\x04\x02" + header,
            b"\x00\x53\x72" + encoded_map(annotations),
            b"\x00\x53\x73" + encoded_list(fields) if fields else b"",
            b"\x00\x53\x74" + encoded_map(application) if application else b"",
            *body_section,
        ]
    )
    # Nobody could read it over this protocol.
    check_structure(whole)
    return whole


def encoded_property(code: i64, value: PropertyValue) -> bytes:  # noqa: PLR0911 - a table of types
    """A typed value in AMQP 1.0, of the type with the same name."""
    if isinstance(value, str):
        if code == CHAR:
            return b"\x73" + _UINT.pack(ord(value))
        return string(value.encode("utf-8", "replace"))
    if isinstance(value, bytes):
        return binary(value)
    if value is None:
        return _NULL
    if code == BOOLEAN:
        return b"\x41" if value else b"\x42"
    if code == FLOAT:
        return b"\x72" + _FLOAT.pack(value)
    if code == DOUBLE:
        return b"\x82" + _DOUBLE.pack(value)
    constructor, form = _INTEGERS[int(code)]
    return constructor + form.pack(value)


# ---------------------------------------------------------------------- properties


def _application(properties: TypedProperties, fields: list[bytes], annotations: list[bytes]) -> list[bytes]:
    """The application properties; those that are fields or annotations go there."""
    application: list[bytes] = []
    for name, (code, value) in properties.items():
        if name[:3] in ("JMS", "_AM") and (
            _is_field(name, code, value, fields, annotations)
            or _is_annotation(name, code, value, annotations)
        ):
            continue
        application.append(string(name.encode("utf-8", "replace")))
        application.append(encoded_property(code, value))
    return application


def _is_field(  # noqa: C901, PLR0911 - one property after the other
    name: str, code: i64, value: PropertyValue, fields: list[bytes], annotations: list[bytes]
) -> bool:
    """Whether the property is a field of the properties section, or an annotation of JMS has it."""
    if code == STRING and isinstance(value, str):
        place = _TEXTS.get(name)
        if place is None and name in _SYMBOLS and value.isascii():
            fields[_SYMBOLS[name]] = symbol(value.encode())
            return True
        if place is not None:
            fields[place] = string(value.encode())
            return True
        if name == USER:
            fields[1] = binary(value.encode())
            return True
        if name == REPLY_TO:
            _reply(value, fields, annotations)
            return True
    if name == CORRELATION_ID and code in (STRING, BYTES):
        fields[5] = encoded_property(code, value)
        return True
    if not isinstance(value, int):
        return False
    if name == SEQUENCE and code in (INT, LONG) and 0 <= value <= _MOST_SEQUENCE:
        fields[11] = b"\x70" + _UINT.pack(value)
        return True
    if name == ROUTING_TYPE and code == BYTE:
        annotations.append(_DESTINATION_NAME)
        annotations.append(b"\x51\x00" if value == ANYCAST else b"\x51\x01")
        return True
    if name == SCHEDULED and code == LONG and value >= 0:
        annotations.append(_DELIVERY_TIME_NAME)
        annotations.append(b"\x81" + _LONG.pack(value))
        return True
    return False


def _reply(value: str, fields: list[bytes], annotations: list[bytes]) -> None:
    """Put the address for replies into the fields; that it has no prefix is an annotation of null."""
    annotations.append(_REPLY_TO_NAME)
    for place, prefix in enumerate(PREFIXES):
        if value.startswith(prefix):
            annotations.append(b"\x51" + bytes((place,)))
            value = value[len(prefix) :]
            break
    else:
        annotations.append(_NULL)
    fields[_REPLY_TO] = string(value.encode())


def _is_annotation(name: str, code: i64, value: PropertyValue, annotations: list[bytes]) -> bool:
    encoded = name.startswith(ENCODED_ANNOTATION)
    if not encoded and not name.startswith(ANNOTATION):
        return False
    bare = name[len(ENCODED_ANNOTATION if encoded else ANNOTATION) :]
    if not bare.isascii() or bare in _OWN:
        return bare in _OWN
    if not encoded:
        octets = encoded_property(code, value)
    elif isinstance(value, bytes) and _is_compound(value):
        octets = value
    else:
        return False
    annotations.append(symbol(bare.encode()))
    annotations.append(octets)
    return True


def _is_compound(octets: bytes) -> bool:
    """Whether they are a compound or described value of AMQP 1.0: other annotations are not encoded."""
    try:
        value, end = decode_value(octets, 0, len(octets))
    except DecodeError:
        return False
    return end == len(octets) and isinstance(value, dict | list | Array | Described)


# ---------------------------------------------------------------------- bodies


def _body(kind: i64, body: bytes) -> list[bytes] | None:
    """The section of a body, in parts; or None if it is not what its type says."""
    if kind not in (TEXT_TYPE, MAP_TYPE, STREAM_TYPE, OBJECT_TYPE):
        return _data(body)
    reader = CoreReader(body)
    try:
        section = _typed_body(kind, reader)
    except LargeStructureError:
        raise
    except DecodeError:
        return None
    return section if reader.left() == 0 else None


def _typed_body(kind: i64, reader: CoreReader) -> list[bytes]:
    if kind == TEXT_TYPE:
        if reader.left() == 0 or not reader.boolean():
            return [_NO_TEXT]
        parts = reader.simple_string_as_utf8()
        return [_VALUE, string_start(sum([len(part) for part in parts])), *parts]
    if kind == OBJECT_TYPE:
        return _data(reader.binary() if reader.left() > 0 else b"")
    parts = []
    if kind == MAP_TYPE:
        if reader.left() > 0:
            for name, (code, value) in read_properties(reader).items():
                parts.append(string(name.encode()))
                parts.append(encoded_property(code, value))
        return [_VALUE, encoded_map(parts)]
    while reader.left() > 0:
        if len(parts) == MOST_VALUES:
            raise LargeStructureError(f"a stream message has more than {MOST_VALUES} values")
        code = reader.int8()
        if code == STRING:
            text = reader.nullable_string()
            parts.append(_NULL if text is None else string(text.encode()))
        else:
            parts.append(encoded_property(code, read_value(reader, code)))
    return [b"\x00\x53\x76", encoded_list(parts)]


def _data(body: bytes) -> list[bytes]:
    # A body may be a large part of the memory: it is copied once, with the whole message.
    return [b"\x00\x53\x75", binary_start(len(body)), body]
