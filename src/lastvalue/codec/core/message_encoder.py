"""Converts a message from AMQP 1.0's encoding to one of CORE.

docs/protocols/messages.md has the table of the properties.
"""

from typing import Final, final
from uuid import NAMESPACE_OID, UUID, uuid5

from mypy_extensions import i64

from lastvalue.codec.amqp10.fields import text_of
from lastvalue.codec.amqp10.json_text import json_text
from lastvalue.codec.amqp10.sections import (
    AMQP_SEQUENCE,
    AMQP_VALUE,
    APPLICATION_PROPERTIES,
    DATA,
    FOOTER,
    HEADER,
    MESSAGE_ANNOTATIONS,
    PROPERTIES,
    check_structure,
    decoded_sections,
)
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import (
    Array,
    Byte,
    Char,
    Decimal,
    Described,
    Float,
    Int,
    Short,
    UByte,
    UInt,
    UShort,
    Value,
)
from lastvalue.codec.core.jms_names import (
    ANNOTATION,
    ANYCAST,
    BYTES_TYPE,
    CONTENT_ENCODING,
    CONTENT_TYPE,
    CORE_TYPES,
    CORRELATION_ID,
    DEFAULT_TYPE,
    ENCODED_ANNOTATION,
    GROUP,
    LARGE_SIZE,
    MAP_TYPE,
    MULTICAST,
    OBJECT_CONTENT,
    OBJECT_TYPE,
    ORIGINAL_ADDRESS,
    ORIGINAL_QUEUE,
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
from lastvalue.codec.core.typed_properties import (
    BOOLEAN,
    BYTE,
    BYTES,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    NULL,
    SHORT,
    STRING,
    PropertyValue,
    TypedProperties,
    write_properties,
    write_value,
)
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.model import property_names
from lastvalue.model.message import NEVER

_NORMAL_PRIORITY: Final = 4
_MOST_PRIORITY: Final = 9
_UUID_LENGTH: Final = 36
_TEXTUAL: Final = ("text/", "application/json", "application/xml", "application/javascript")
"""[Qpid JMS] The beginnings of the content types of texts."""


@final
class MessageEncoder:
    """The content of a message on the wire.

    Attributes:
        kind: its type, one of those in `jms_names`.
        properties: by name.
        body: its body.
    """

    __slots__ = ("_before", "body", "kind", "properties")

    def __init__(self, before: bytes, kind: int, properties: TypedProperties, body: bytes) -> None:
        self._before = before
        self.kind = kind
        self.properties = properties
        self.body = body

    def mark(self, name: str) -> None:
        """Set a property that is a flag."""
        self.properties[name] = (BOOLEAN, True)

    def head(self, message_id: i64, large_bytes: i64 = 0) -> bytes:
        """Its headers and properties.

        Args:
            message_id: the number by which its consumer settles it.
            large_bytes: of the body if that follows in parts, for a property; else 0.
        """
        writer = CoreWriter()
        writer.int64(message_id)
        writer.octets(self._before)
        properties = self.properties
        if large_bytes > 0:
            properties = {**properties, LARGE_SIZE: (LONG, int(large_bytes))}
        write_properties(writer, properties)
        return writer.data()


def encode_message(payload: bytes, address: str, expires_ms: i64) -> MessageEncoder:
    """A message's content.

    Args:
        payload: the message.
        address: where it was read, which is the address of a message that does not say one.
        expires_ms: when its queue expires it, or NEVER.

    Raises:
        DecodeError: the message is malformed, or has too many values.
    """
    check_structure(payload)
    sections, _ = decoded_sections(payload, FOOTER)
    header, fields = _list(sections, HEADER), _list(sections, PROPERTIES)
    annotations = _map(sections, MESSAGE_ANNOTATIONS)
    properties: TypedProperties = {}
    for name, value in _map(sections, APPLICATION_PROPERTIES).items():
        properties[_text(name)] = typed_value(value)
    to = _at(fields, 2)
    sent_to = _text(to) if to is not None else address
    _take_annotations(annotations, properties)
    if property_names.ORIGINAL_QUEUE in annotations:
        properties[ORIGINAL_ADDRESS] = (STRING, sent_to)
    kind, body = _body(sections, annotations, _at(fields, 6))
    _take_fields(fields, kind, annotations.get(property_names.JMS_REPLY_TO, 0), properties)
    user_id = _user_id(_at(fields, 0), properties)
    created, priority = _at(fields, 9), _at(header, 1)
    writer = CoreWriter()
    writer.nullable_simple_string(sent_to)
    writer.boolean(user_id is not None)
    if user_id is not None:
        writer.octets(user_id.bytes)
    writer.int8(kind)
    writer.boolean(_at(header, 0) is True)
    writer.int64(0 if expires_ms == NEVER else expires_ms)
    writer.int64(int(created) if isinstance(created, int) else 0)
    writer.int8(min(int(priority), _MOST_PRIORITY) if isinstance(priority, int) else _NORMAL_PRIORITY)
    return MessageEncoder(writer.data(), kind, properties, body)


_WHOLE_NUMBERS: Final[dict[type[object], tuple[int, int, int]]] = {
    Byte: (BYTE, 2**7, BYTE),
    UByte: (BYTE, 2**7, SHORT),
    Short: (SHORT, 2**15, SHORT),
    UShort: (SHORT, 2**15, INT),
    Int: (INT, 2**31, INT),
    UInt: (INT, 2**31, LONG),
}
"""The type of a whole number in CORE, by its type in AMQP: below a limit, and from it on."""
_OTHER_WHOLE_NUMBER: Final = (LONG, 2**63, STRING)


def typed_value(value: Value) -> tuple[int, PropertyValue]:  # noqa: PLR0911 - a table of types
    """A value of AMQP 1.0 with the code of its type in CORE.

    What has no type of its own takes the next larger one; at the end it is a text, a map or a list as JSON.
    """
    # A value that is known to be an int is one to mypyc, of no other type.
    kind: type[object] = type(value)
    if value is None:
        return NULL, None
    if isinstance(value, bool):
        return BOOLEAN, value
    if isinstance(value, Char):
        return (CHAR, str(value)) if ord(value) < 0x10000 else (STRING, str(value))
    if isinstance(value, str):
        return STRING, str(value)
    if isinstance(value, int):
        number = int(value)
        smaller, limit, larger = _WHOLE_NUMBERS.get(kind, _OTHER_WHOLE_NUMBER)
        code = smaller if number < limit else larger
        return code, str(number) if code == STRING else number
    if isinstance(value, float):
        return (FLOAT if isinstance(value, Float) else DOUBLE), float(value)
    if isinstance(value, bytes):
        return BYTES, value
    if isinstance(value, Decimal):
        return BYTES, value.encoded
    return STRING, str(value) if isinstance(value, UUID) else json_text(value)


# ---------------------------------------------------------------------- properties


def _take_annotations(annotations: dict[Value, Value], properties: TypedProperties) -> None:
    """Make properties of the message annotations."""
    for key, value in annotations.items():
        name = _text(key)
        if name in (property_names.JMS_MESSAGE_TYPE, property_names.JMS_REPLY_TO):
            continue
        if name == property_names.JMS_DESTINATION:
            # Topics have odd numbers.
            topic = isinstance(value, int) and value & 1 == 1
            properties[ROUTING_TYPE] = (BYTE, MULTICAST if topic else ANYCAST)
        elif name == property_names.DELIVERY_TIME and isinstance(value, int):
            properties[SCHEDULED] = (LONG, int(value))
        elif name == property_names.ORIGINAL_QUEUE:
            properties[ORIGINAL_QUEUE] = (STRING, _text(value))
        elif isinstance(value, dict | list | Array | Described):
            properties[ENCODED_ANNOTATION + name] = (BYTES, encode_value(value))
        else:
            properties[ANNOTATION + name] = typed_value(value)


def _take_fields(fields: list[Value], kind: int, reply: Value, properties: TypedProperties) -> None:
    """Make properties of the fields that CORE does not have."""
    user, correlation_id, group_sequence = _at(fields, 1), _at(fields, 5), _at(fields, 11)
    if isinstance(user, bytes):
        properties[USER] = (STRING, user.decode("utf-8", "replace"))
    if isinstance(correlation_id, bytes):
        properties[CORRELATION_ID] = (BYTES, correlation_id)
    elif correlation_id is not None:
        prefix = "ID:" if isinstance(correlation_id, UUID) else ""
        properties[CORRELATION_ID] = (STRING, prefix + _text(correlation_id))
    reply_to = _at(fields, 4)
    if reply_to is not None:
        properties[REPLY_TO] = (STRING, _prefix(reply) + _text(reply_to))
    content_type = _at(fields, 6)
    for name, value in (
        (TYPE_HEADER, _at(fields, 3)),
        (CONTENT_TYPE, None if kind == OBJECT_TYPE else content_type),
        (CONTENT_ENCODING, _at(fields, 7)),
        (GROUP, _at(fields, 10)),
        (REPLY_GROUP, _at(fields, 12)),
    ):
        if value is not None:
            properties[name] = (STRING, _text(value))
    if isinstance(group_sequence, int):
        properties[SEQUENCE] = typed_value(UInt(group_sequence))


def _prefix(reply: Value) -> str:
    """What stands before an address for replies: nothing where the annotation is null, else its type."""
    if reply is None:
        return ""
    return PREFIXES[reply if isinstance(reply, int) and 0 <= reply < len(PREFIXES) else 0]


def _user_id(message_id: Value, properties: TypedProperties) -> UUID | None:
    """The UUID of a message; one whose message-id is none gets one that is computed from it."""
    if message_id is None or isinstance(message_id, UUID):
        return message_id
    if isinstance(message_id, str):
        text = message_id.removeprefix("ID:")
        if len(text) == _UUID_LENGTH:
            try:
                return UUID(text)
            except ValueError:
                pass
    properties.setdefault(property_names.MESSAGE_ID, typed_value(message_id))
    return uuid5(NAMESPACE_OID, repr(message_id))


# ---------------------------------------------------------------------- bodies


def _body(
    sections: dict[int, Value], annotations: dict[Value, Value], content_type: Value
) -> tuple[int, bytes]:
    """The type of a message and its body."""
    said = annotations.get(property_names.JMS_MESSAGE_TYPE)
    kind = CORE_TYPES.get(int(said)) if isinstance(said, int) else None
    content = "" if content_type is None else _text(content_type)
    data = sections.get(DATA)
    if isinstance(data, bytes):
        return _data_body(data, kind, content)
    sequence = sections.get(AMQP_SEQUENCE)
    value = sections.get(AMQP_VALUE) if sequence is None else sequence
    if isinstance(value, list):
        return STREAM_TYPE, _stream(value)
    if isinstance(value, dict):
        return MAP_TYPE, _typed_map(value)
    if isinstance(value, bytes):
        return _data_body(value, kind, content)
    if value is not None or AMQP_VALUE in sections:
        return TEXT_TYPE, _text_body(value)
    # [1.0 §3.2] Brokers accept messages without a body.
    return (BYTES_TYPE if kind is None else kind), _text_body(None) if kind == TEXT_TYPE else b""


def _data_body(data: bytes, kind: int | None, content: str) -> tuple[int, bytes]:
    if kind == OBJECT_TYPE or (kind is None and content == OBJECT_CONTENT):
        return OBJECT_TYPE, len(data).to_bytes(4, "big") + data if data else b""
    if kind == TEXT_TYPE or (kind is None and content.startswith(_TEXTUAL)):
        try:
            return TEXT_TYPE, _text_body(data.decode())
        except UnicodeDecodeError:
            return BYTES_TYPE, data
    return (DEFAULT_TYPE if kind == DEFAULT_TYPE else BYTES_TYPE), data


def _text_body(value: Value) -> bytes:
    writer = CoreWriter()
    writer.nullable_simple_string(None if value is None else _text(value))
    return writer.data()


def _typed_map(value: dict[Value, Value]) -> bytes:
    writer = CoreWriter()
    write_properties(writer, {_text(name): typed_value(item) for name, item in value.items()})
    return writer.data()


def _stream(items: list[Value]) -> bytes:
    writer = CoreWriter()
    for item in items:
        code, value = typed_value(item)
        if value is None or code == STRING:
            writer.int8(STRING)
            writer.nullable_string(value if isinstance(value, str) else None)
        else:
            write_value(writer, code, value)
    return writer.data()


# ---------------------------------------------------------------------- values


def _list(sections: dict[int, Value], section: int) -> list[Value]:
    value = sections.get(section)
    return value if isinstance(value, list) else []


def _map(sections: dict[int, Value], section: int) -> dict[Value, Value]:
    value = sections.get(section)
    return value if isinstance(value, dict) else {}


def _at(fields: list[Value], index: int) -> Value:
    return fields[index] if index < len(fields) else None


def _text(value: Value) -> str:
    text = text_of(value)
    if text is not None:
        return text
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
