"""Fully decoded messages for clients and management [1.0 §3.2]."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any, Final
from uuid import UUID

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp10.composites import composed, composite, decomposed, wire
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError
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
    decoded_sections,
    section_head,
)
from lastvalue.codec.amqp10.value_codec import encode_value, skip_value
from lastvalue.codec.amqp10.values import Array, Described, Symbol, ULong, Value


@mypyc_attr(native_class=False)
class BodyKind(Enum):
    """The kind of a body's sections [1.0 §3.2.6 to §3.2.8]; the value is their descriptor."""

    DATA = DATA
    SEQUENCE = AMQP_SEQUENCE
    VALUE = AMQP_VALUE


@mypyc_attr(native_class=False)
@composite(0x70, "header", "section")
@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The delivery options of a message [1.0 §3.2.1]; ttl is in milliseconds."""

    durable: bool = field(default=False, metadata=wire("boolean"))
    priority: int = field(default=4, metadata=wire("ubyte"))
    ttl: int | None = field(default=None, metadata=wire("uint"))
    first_acquirer: bool = field(default=False, metadata=wire("boolean"))
    delivery_count: int = field(default=0, metadata=wire("uint"))


@mypyc_attr(native_class=False)
@composite(0x73, "properties", "section")
@dataclass(frozen=True, slots=True, kw_only=True)
class Properties:
    """The producer's properties of a message [1.0 §3.2.4]; times are in milliseconds since the epoch."""

    message_id: int | UUID | bytes | str | None = field(default=None, metadata=wire("message-id"))
    user_id: bytes | None = field(default=None, metadata=wire("binary"))
    to: str | None = field(default=None, metadata=wire("string"))
    subject: str | None = field(default=None, metadata=wire("string"))
    reply_to: str | None = field(default=None, metadata=wire("string"))
    correlation_id: int | UUID | bytes | str | None = field(default=None, metadata=wire("message-id"))
    content_type: str | None = field(default=None, metadata=wire("symbol"))
    content_encoding: str | None = field(default=None, metadata=wire("symbol"))
    absolute_expiry_time: int | None = field(default=None, metadata=wire("timestamp"))
    creation_time: int | None = field(default=None, metadata=wire("timestamp"))
    group_id: str | None = field(default=None, metadata=wire("string"))
    group_sequence: int | None = field(default=None, metadata=wire("uint"))
    reply_to_group_id: str | None = field(default=None, metadata=wire("string"))


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True, kw_only=True)
class MessageContent:
    """A message with all its fields.

    Attributes:
        ttl_ms: the time to live from its arrival in milliseconds, or None.
        absolute_expiry_time: in milliseconds since the epoch, like creation_time.
        body: bytes for DATA, a list for SEQUENCE, any value for VALUE; several sections are joined.
        body_kind: a message without a body reads as a VALUE of None.
    """

    durable: bool = False
    priority: int = 4
    ttl_ms: int | None = None
    first_acquirer: bool = False
    delivery_count: int = 0
    delivery_annotations: Mapping[str, Value] = field(default_factory=dict)
    message_annotations: Mapping[str, Value] = field(default_factory=dict)
    message_id: int | UUID | bytes | str | None = None
    user_id: bytes | None = None
    to: str | None = None
    subject: str | None = None
    reply_to: str | None = None
    correlation_id: int | UUID | bytes | str | None = None
    content_type: str | None = None
    content_encoding: str | None = None
    absolute_expiry_time: int | None = None
    creation_time: int | None = None
    group_id: str | None = None
    group_sequence: int | None = None
    reply_to_group_id: str | None = None
    application_properties: Mapping[str, Value] = field(default_factory=dict)
    body: Value = None
    body_kind: BodyKind = BodyKind.VALUE
    footer: Mapping[str, Value] = field(default_factory=dict)


_PROPERTIES: Final = tuple([each.name for each in fields(Properties)])
_COMPOSITES: Final = (HEADER, PROPERTIES)
_MAPS: Final = {
    DELIVERY_ANNOTATIONS: "delivery_annotations",
    MESSAGE_ANNOTATIONS: "message_annotations",
    APPLICATION_PROPERTIES: "application_properties",
    FOOTER: "footer",
}


def encode_content(content: MessageContent) -> bytes:
    """The message's sections; empty ones are left out, except the body.

    Raises:
        EncodeError: a value has no encoding in its field.
    """
    header = Header(
        durable=content.durable,
        priority=content.priority,
        ttl=content.ttl_ms,
        first_acquirer=content.first_acquirer,
        delivery_count=content.delivery_count,
    )
    properties = Properties(**{name: getattr(content, name) for name in _PROPERTIES})
    return b"".join(
        [
            _composite_section(header),
            _map_section(DELIVERY_ANNOTATIONS, _symbolic(content.delivery_annotations)),
            _map_section(MESSAGE_ANNOTATIONS, _symbolic(content.message_annotations)),
            _composite_section(properties),
            _map_section(APPLICATION_PROPERTIES, _simple(content.application_properties)),
            _body_section(content),
            _map_section(FOOTER, _symbolic(content.footer)),
        ]
    )


def decode_content(payload: bytes) -> MessageContent:
    """Decode a message with all its values.

    Raises:
        DecodeError: the payload is not a valid message.
    """
    read_message(payload)
    arguments: dict[str, Value] = {}
    _take_sections(payload, arguments)
    return _content(arguments)


def decode_readable(payload: bytes) -> MessageContent:
    """What can be decoded of a message that is not valid; see `readable`."""
    arguments: dict[str, Value] = {}
    _take_sections(readable(payload), arguments)
    return _content(arguments)


def readable(payload: bytes) -> bytes:
    """A message without its malformed sections.

    From a malformed body on, the body is the bytes as they came.
    """
    sections: dict[int, bytes] = {}
    size: i64 = len(payload)
    pos: i64 = 0
    try:
        while pos < size:
            section, start = section_head(payload, pos, size)
            if section >= DATA:
                break
            end = skip_value(payload, start, size)
            with suppress(DecodeError):
                decode_content(payload[pos:end])
                sections[section] = payload[pos:end]
            pos = end
        decode_content(payload[pos:])
        body = payload[pos:]
    except (DecodeError, IndexError):
        body = b"\x00\x53" + bytes((DATA,)) + encode_value(payload[pos:])
    return b"".join([*(sections[section] for section in sorted(sections)), body])


def _content(arguments: dict[str, Value]) -> MessageContent:
    return MessageContent(**arguments)  # type: ignore[arg-type]  # each taken by its section's table


def _take_sections(payload: bytes, arguments: dict[str, Value]) -> None:
    sections, _ = decoded_sections(payload, FOOTER)
    for code, value in sections.items():
        _take_section(code, value, arguments)


def _take_section(code: int, value: Value, arguments: dict[str, Value]) -> None:
    if code in _MAPS:
        arguments[_MAPS[code]] = _named(value)
    elif code in _COMPOSITES:
        typed = composed(Described(ULong(code), value))
        if isinstance(typed, Header):
            arguments["durable"] = typed.durable
            arguments["priority"] = typed.priority
            arguments["ttl_ms"] = typed.ttl
            arguments["first_acquirer"] = typed.first_acquirer
            arguments["delivery_count"] = typed.delivery_count
        elif isinstance(typed, Properties):
            for name in _PROPERTIES:
                arguments[name] = getattr(typed, name)
    else:
        arguments["body_kind"] = BodyKind(code)
        arguments["body"] = value


def _named(value: Value) -> dict[str, Value]:
    if not isinstance(value, dict):
        raise DecodeError(f"{value!r:.80} must be a map")
    for key in value:
        if not isinstance(key, str):
            raise DecodeError(f"a name must be text, not {key!r:.80}")
    return {str(key): item for key, item in value.items()}


def _symbolic(annotations: Mapping[Any, Value]) -> dict[Value, Value]:
    return {Symbol(_name(name)): value for name, value in annotations.items()}


def _simple(properties: Mapping[Any, Value]) -> dict[Value, Value]:
    """[1.0 §3.2.5] Keys are strings; values are of simple types."""
    for name, value in properties.items():
        if isinstance(value, (list, tuple, dict, Array, Described)):
            raise EncodeError(f"application property {name!r:.80} needs a simple value, not {value!r:.80}")
    return {_name(name): value for name, value in properties.items()}


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise EncodeError(f"a name must be text, not {name!r:.80}")
    return str(name)


def _composite_section(value: Value) -> bytes:
    section = decomposed(value)
    # A list of defaults only is empty, and left out.
    return encode_value(section) if isinstance(section, Described) and section.value else b""


def _map_section(code: int, entries: dict[Value, Value]) -> bytes:
    return b"\x00\x53" + bytes((code,)) + encode_value(entries) if entries else b""


def _body_section(content: MessageContent) -> bytes:
    kind = content.body_kind
    body = content.body
    if kind is BodyKind.DATA and not isinstance(body, bytes):
        raise EncodeError(f"a body of kind DATA must be bytes, not {body!r:.80}")
    if kind is BodyKind.SEQUENCE and not isinstance(body, (list, tuple)):
        raise EncodeError(f"a body of kind SEQUENCE must be a list, not {body!r:.80}")
    return b"\x00\x53" + bytes((kind.value,)) + encode_value(body)


def redelivered(payload: bytes, delivery_count: int) -> bytes:
    """The message with this delivery-count in its header; adds a header if there is none [1.0 §3.2.1].

    Raises:
        DecodeError: the payload's header is malformed.
    """
    header = Header()
    sections, rest = decoded_sections(payload, HEADER)
    if HEADER in sections:
        section = composed(Described(ULong(HEADER), sections[HEADER]))
        if isinstance(section, Header):
            header = section
    return encode_value(decomposed(replace(header, delivery_count=delivery_count))) + payload[rest:]
