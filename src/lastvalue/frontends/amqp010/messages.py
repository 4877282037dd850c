"""Messages of AMQP 0-10 as the broker keeps them, which is in AMQP 1.0's sections, and back.

What each property becomes is the table of docs/protocols/messages.md.
"""

import struct
from typing import Final
from uuid import UUID

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp010.decoder import decode_list, decode_map, decode_structs
from lastvalue.codec.amqp010.encoder import encode_list, encode_map, encode_struct
from lastvalue.codec.amqp010.errors import DecodeError
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.tables import (
    MESSAGE_DELIVERY_PROPERTIES,
    MESSAGE_MESSAGE_PROPERTIES,
    MESSAGE_REPLY_TO,
)
from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.primitives import encode_value
from lastvalue.codec.amqp10.sections import (
    AMQP_SEQUENCE,
    AMQP_VALUE,
    APPLICATION_PROPERTIES,
    DATA,
    HEADER,
    MESSAGE_ANNOTATIONS,
    PROPERTIES,
    section_of,
)
from lastvalue.codec.amqp10.values import Array, Described, Symbol, Timestamp, UByte, UInt, Value
from lastvalue.model.message import NEVER
from lastvalue.queues.entry import Entry

SUBJECT: Final = "qpid.subject"
APP_ID: Final = "x-opt-amqp-app-id"
"""The message annotation with the app-id."""
QPID_APP_ID: Final = "x-amqp-0-10.app-id"
"""[Qpid C++] The application property that is the app-id to readers of AMQP 0-10."""
MESSAGE_ID: Final = "x-amqp-1.0.message-id"
HEADERS: Final = "x-opt-amqp-0-10.headers"
"""The message annotation with maps, lists and arrays that could have none of their own names."""
REPLY_EXCHANGE: Final = "x-opt-amqp-0-10.reply-exchange"
"""The message annotation with the exchange to reply to, where this broker has none of that name."""
MAP: Final = "amqp/map"
LIST: Final = "amqp/list"
NOT_PERSISTENT: Final = 1
PERSISTENT: Final = 2
_MOST_TTL_MS: Final = 2**32 - 1
GROUP_ID: Final = "JMSXGroupID"
GROUP_SEQUENCE: Final = "JMSXGroupSeq"
_OURS: Final = "x-opt-"
_SILENT: Final = ("x-opt-amqp-0-10.", "x-opt-original-queue", "x-opt-reason", APP_ID)
"""Annotations that are no application headers."""

_SIZE: Final = struct.Struct(">I")
_PAIR: Final = struct.Struct(">II")

# The fields of the properties [1.0 §3.2.4].
_TO: Final = 2
_SUBJECT: Final = 3
_REPLY_TO: Final = 4
_CORRELATION: Final = 5
_CONTENT_TYPE: Final = 6
_CONTENT_ENCODING: Final = 7
_EXPIRY: Final = 8
_CREATION: Final = 9
_GROUP_ID: Final = 10
_GROUP_SEQUENCE: Final = 11
_MOST_SEQUENCE: Final = 2**32 - 1
_UUID_LENGTH: Final = 36


@mypyc_attr(allow_interpreted_subclasses=True)
class Names:
    """What there is of a name."""

    __slots__ = ()

    def is_exchange(self, name: str) -> bool:
        """Whether there is an exchange of that name."""
        raise NotImplementedError

    def is_queue(self, name: str) -> bool:
        """Whether there is a queue of that name."""
        raise NotImplementedError


class Properties:
    """The structs of a message's header segment."""

    __slots__ = ("delivery", "message")

    def __init__(self, delivery: Record, message: Record) -> None:
        self.delivery = delivery
        self.message = message


def read_properties(header: bytes) -> Properties:
    """What the header segment says; a struct that is not there says nothing.

    Raises:
        DecodeError: the segment is malformed.
    """
    delivery, message = Record(MESSAGE_DELIVERY_PROPERTIES), Record(MESSAGE_MESSAGE_PROPERTIES)
    for record in decode_structs(header):
        if record.layout is MESSAGE_DELIVERY_PROPERTIES:
            delivery = record
        elif record.layout is MESSAGE_MESSAGE_PROPERTIES:
            message = record
    return Properties(delivery, message)


def encoded(exchange: str, properties: Properties, body: bytes | None, names: Names) -> bytes:
    """The sections of a message that was published to an exchange; a body of None is none at all.

    What was not given stays so: a field of the header is null then.

    Raises:
        EncodeError: a header has a value that the broker cannot keep.
    """
    delivery, message = properties.delivery, properties.message
    simple, annotations = _kept_headers(message)
    group_id, group_sequence = _taken_group(simple) if simple else (None, None)
    reply = message.record("reply_to")
    if reply is not None and reply.text("exchange") and not names.is_exchange(reply.text("exchange")):
        annotations[Symbol(REPLY_EXCHANGE)] = reply.text("exchange")
    ttl_ms = delivery.number("ttl")
    expiration = delivery.number("expiration")
    mode = delivery.number("delivery_mode")
    content_type = message.text("content_type")
    parts = [
        _list_section(
            HEADER,
            [
                mode == PERSISTENT if delivery.has("delivery_mode") else None,
                UByte(delivery.number("priority")) if delivery.has("priority") else None,
                UInt(min(ttl_ms, _MOST_TTL_MS)) if ttl_ms > 0 else None,
            ],
        ),
        _map_section(MESSAGE_ANNOTATIONS, annotations),
        _list_section(
            PROPERTIES,
            [
                _uuid(message),
                message.binary("user_id"),
                exchange or None,
                delivery.text("routing_key") if delivery.has("routing_key") else None,
                _reply_address(reply),
                _text_or_bytes(message.binary("correlation_id")),
                Symbol(_ascii(content_type)) if message.has("content_type") else None,
                Symbol(_ascii(message.text("content_encoding"))) if message.has("content_encoding") else None,
                Timestamp(expiration) if expiration > 0 else None,
                Timestamp(delivery.number("timestamp")) if delivery.has("timestamp") else None,
                group_id,
                group_sequence,
            ],
        ),
        _map_section(APPLICATION_PROPERTIES, simple),
    ]
    if body is not None:
        section, value = _body(content_type, body)
        parts.append(bytes((0, 0x53, section)) + _body_value(value))
    return b"".join(parts)


def _kept_headers(message: Record) -> tuple[dict[Value, Value], dict[Value, Value]]:
    """The application properties, and the message annotations for what has no place among them."""
    simple: dict[Value, Value] = {}
    annotations: dict[Value, Value] = {}
    rest: dict[str, Value] = {}
    for name, value in message.map("application_headers").items():
        if not isinstance(value, dict | list | Array | Record):
            simple[name] = value
        elif name.isascii() and not name.startswith(_OURS):
            annotations[Symbol(name)] = value
        else:
            rest[name] = value
    if rest:
        annotations[Symbol(HEADERS)] = rest
    app_id = message.binary("app_id")
    if app_id is not None:
        annotations[Symbol(APP_ID)] = _text_or_bytes(app_id)
    return simple, annotations


def _taken_group(simple: dict[Value, Value]) -> tuple[Value, Value]:
    """The group's id and the number in it, taken out of the headers that say them."""
    group_id, number = simple.get(GROUP_ID), simple.get(GROUP_SEQUENCE)
    if isinstance(group_id, str):
        del simple[GROUP_ID]
    else:
        group_id = None
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= _MOST_SEQUENCE:
        return group_id, None
    del simple[GROUP_SEQUENCE]
    return group_id, UInt(number)


def _list_section(section: i64, fields: list[Value]) -> bytes:
    while fields and fields[-1] is None:
        fields.pop()
    return _compound(section, 0xC0, len(fields), [quick_value(field) for field in fields]) if fields else b""


def _map_section(section: i64, entries: dict[Value, Value]) -> bytes:
    parts: list[bytes] = []
    for name, value in entries.items():
        parts.append(quick_value(name))
        parts.append(quick_value(value))
    return _compound(section, 0xC1, len(parts), parts) if parts else b""


def _compound(section: i64, code: i64, count: i64, parts: list[bytes]) -> bytes:
    """A section that is a list or a map of these values [1.0 §1.6.22]."""
    content = b"".join(parts)
    size: i64 = len(content)
    if size < 255 and count < 256:
        return bytes((0, 0x53, section, code, size + 1, count)) + content
    return bytes((0, 0x53, section, code + 0x10)) + _PAIR.pack(size + 4, count) + content


def quick_value(value: Value) -> bytes:
    """What `encode_value` says, sooner for the values that most messages have."""
    kind = type(value)
    if value is None:
        return b"\x40"
    if kind is str or kind is Symbol:
        text = str(value).encode("utf-8", "surrogatepass")
        size = len(text)
        if size < 256:
            return (b"\xa1" if kind is str else b"\xa3") + bytes((size,)) + text
    elif kind is bool:
        return b"\x41" if value else b"\x42"
    elif kind is UByte and isinstance(value, int):
        return bytes((0x50, value))
    return encode_value(value)


def _body_value(value: Value) -> bytes:
    if not isinstance(value, bytes):
        return encode_value(value)
    size = len(value)
    return (bytes((0xA0, size)) if size < 256 else b"\xb0" + _SIZE.pack(size)) + value


def _body(content_type: str, body: bytes) -> tuple[int, Value]:
    try:
        if content_type == MAP:
            return AMQP_VALUE, decode_map(body)
        if content_type == LIST:
            return AMQP_VALUE, decode_list(body)
    except DecodeError:
        # It says what it is not.
        return DATA, body
    return DATA, body


def _uuid(message: Record) -> UUID | None:
    value = message.values.get("message_id")
    return value if isinstance(value, UUID) else None


def _reply_address(record: Record | None) -> str | None:
    if record is None:
        return None
    exchange, key = record.text("exchange"), record.text("routing_key")
    if not exchange:
        return key or None
    return f"{exchange}/{key}" if key else exchange


def _text_or_bytes(value: bytes | None) -> str | bytes | None:
    if value is None:
        return None
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode()


# ---------------------------------------------------------------------- back


def header_and_body(
    entry: Entry, names: Names, extra: dict[str, Value], now: i64
) -> tuple[bytes, bytes | None]:
    """The header segment and the body of an entry that is delivered; None is no body.

    Args:
        entry: what is delivered.
        names: what there is of a name.
        extra: application headers to tell beside those of the message.
        now: the time; what is left of the time to live is told.

    Raises:
        LastvalueError: the message cannot be read, or has a value that AMQP 0-10 has not.
    """
    sections = _sections(entry.message.encoded)
    fields = _fields(sections, PROPERTIES)
    body, content_type = _written_body(sections, _at(fields, _CONTENT_TYPE))
    delivery = _delivery_properties(sections, fields, entry, names, now)
    header = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, delivery))
    values = _message_properties(sections, fields, content_type, names)
    headers = _told_headers(sections, fields, names)
    app_id = _map(sections, MESSAGE_ANNOTATIONS).get(APP_ID, headers.pop(QPID_APP_ID, None))
    if app_id is not None:
        values["app_id"] = _binary(app_id)
    headers.update(extra)
    if headers:
        values["application_headers"] = headers
    if values:
        if body:
            values["content_length"] = len(body)
        header += encode_struct(Record(MESSAGE_MESSAGE_PROPERTIES, values))
    return header, body


def routed_by(payload: bytes) -> tuple[str | None, str | None]:
    """What the properties of a message say of where it was published to: the address and the subject.

    Raises:
        DecodeError: the message is malformed.
    """
    fields = _fields(_sections(payload), PROPERTIES)
    address, subject = _at(fields, _TO), _at(fields, _SUBJECT)
    return (
        str(address) if isinstance(address, str) else None,
        str(subject) if isinstance(subject, str) else None,
    )


def _sections(payload: bytes) -> dict[int, Value]:
    """The values of the sections; of several of a body, joined."""
    decoder = Decoder(payload, 0, len(payload))
    found: dict[int, Value] = {}
    while decoder.pos < decoder.end:
        described = decoder.read()
        if not isinstance(described, Described):
            raise DecodeError("a message of AMQP 1.0 consists of described sections")
        section = section_of(described.descriptor)
        value = described.value
        before = found.get(section)
        if isinstance(before, bytes) and isinstance(value, bytes):
            value = before + value
        elif isinstance(before, list) and isinstance(value, list):
            value = [*before, *value]
        found[section] = value
    return found


def _fields(sections: dict[int, Value], section: int) -> list[Value]:
    value = sections.get(section)
    return value if isinstance(value, list) else []


def _at(fields: list[Value], index: int) -> Value:
    return fields[index] if index < len(fields) else None


def _map(sections: dict[int, Value], section: int) -> dict[Value, Value]:
    value = sections.get(section)
    return value if isinstance(value, dict) else {}


def _written_body(sections: dict[int, Value], content_type: Value) -> tuple[bytes | None, str | None]:
    """The body's bytes, and its content type, which a map or a list has by what it is."""
    given = None if content_type is None else str(content_type)
    data = sections.get(DATA)
    if isinstance(data, bytes):
        return data, given
    sequence = sections.get(AMQP_SEQUENCE)
    body = sections.get(AMQP_VALUE) if sequence is None else sequence
    if isinstance(body, dict):
        return encode_map({str(name): value for name, value in body.items()}), MAP
    if isinstance(body, list):
        return encode_list(body), LIST
    if body is None:
        return None, given
    if isinstance(body, bytes):
        return body, given
    return str(body).encode("utf-8", "surrogatepass"), given or "text/plain"


def _delivery_properties(
    sections: dict[int, Value], fields: list[Value], entry: Entry, names: Names, now: i64
) -> dict[str, Value]:
    header = _fields(sections, HEADER)
    durable, priority, ttl_ms = _at(header, 0), _at(header, 1), _at(header, 2)
    values: dict[str, Value] = {}
    if entry.delivery_count > 0:
        values["redelivered"] = True
    if priority is not None:
        values["priority"] = priority
    if durable is not None:
        values["delivery_mode"] = PERSISTENT if durable is True else NOT_PERSISTENT
    if isinstance(ttl_ms, int) and ttl_ms > 0:
        left = int(entry.expires_ms - now) if entry.expires_ms != NEVER else int(ttl_ms)
        values["ttl"] = max(1, left)
    timestamp, expiration = _at(fields, _CREATION), _at(fields, _EXPIRY)
    if timestamp is not None:
        values["timestamp"] = timestamp
    if expiration is not None:
        values["expiration"] = expiration
    to, subject = _at(fields, _TO), _at(fields, _SUBJECT)
    values["exchange"] = to if isinstance(to, str) and names.is_exchange(to) else ""
    values["routing_key"] = _cut(subject if isinstance(subject, str) else "")
    return values


def _message_properties(
    sections: dict[int, Value], fields: list[Value], content_type: str | None, names: Names
) -> dict[str, Value]:
    values: dict[str, Value] = {}
    message_id, correlation_id, user_id = _uuid_of(_at(fields, 0)), _at(fields, _CORRELATION), _at(fields, 1)
    if message_id is not None:
        values["message_id"] = message_id
    if correlation_id is not None:
        values["correlation_id"] = _binary(correlation_id)
    reply_to = _at(fields, _REPLY_TO)
    if isinstance(reply_to, str):
        exchange = _map(sections, MESSAGE_ANNOTATIONS).get(REPLY_EXCHANGE)
        values["reply_to"] = _reply_to(reply_to, exchange if isinstance(exchange, str) else "", names)
    if content_type is not None:
        values["content_type"] = _cut(content_type)
    encoding = _at(fields, _CONTENT_ENCODING)
    if encoding is not None:
        values["content_encoding"] = _cut(str(encoding))
    if user_id is not None:
        values["user_id"] = user_id
    return values


def _uuid_of(message_id: Value) -> UUID | None:
    """A message's id as AMQP 0-10 has it, which may be a text elsewhere."""
    if isinstance(message_id, str) and len(message_id) == _UUID_LENGTH:
        try:
            return UUID(message_id)
        except ValueError:
            return None
    return message_id if isinstance(message_id, UUID) else None


def _told_headers(sections: dict[int, Value], fields: list[Value], names: Names) -> dict[str, Value]:
    """The application headers: the application properties, and what the annotations have beside them."""
    headers = {str(name): value for name, value in _map(sections, APPLICATION_PROPERTIES).items()}
    for name, value in _map(sections, MESSAGE_ANNOTATIONS).items():
        if name == HEADERS:
            if isinstance(value, dict):
                headers.update({str(inner): item for inner, item in value.items()})
        elif isinstance(name, str) and name not in headers and not name.startswith(_SILENT):
            headers[str(name)] = value
    message_id, subject, to = _at(fields, 0), _at(fields, _SUBJECT), _at(fields, _TO)
    if message_id is not None and _uuid_of(message_id) is None and MESSAGE_ID not in headers:
        headers[MESSAGE_ID] = message_id
    if isinstance(subject, str) and SUBJECT not in headers and not _is_routing_key(subject, to, names):
        headers[SUBJECT] = str(subject)
    for name, place in ((GROUP_ID, _GROUP_ID), (GROUP_SEQUENCE, _GROUP_SEQUENCE)):
        value = _at(fields, place)
        if value is not None and name not in headers:
            headers[name] = value
    return headers


def _is_routing_key(subject: str, to: Value, names: Names) -> bool:
    """Whether the subject is by what the message was routed, and says nothing beside it."""
    if not subject:
        return True
    if not isinstance(to, str):
        return names.is_queue(subject)
    return names.is_exchange(to)


def _binary(value: Value) -> bytes:
    if isinstance(value, bytes):
        return value
    return str(value).encode("utf-8", "surrogatepass")


def _reply_to(address: str, stranger: str, names: Names) -> Record:
    """The struct of an address; a stranger is an exchange that is not of this broker."""
    exchange, _, key = address.partition("/")
    if exchange and (exchange == stranger or names.is_exchange(exchange)):
        return Record(MESSAGE_REPLY_TO, {"exchange": _cut(exchange), "routing_key": _cut(key)})
    return Record(MESSAGE_REPLY_TO, {"exchange": "", "routing_key": _cut(address)})


def _cut(text: str) -> str:
    """As much of a text as fits where 255 bytes do."""
    if len(text) < 64:
        return text
    return text.encode("utf-8", "surrogatepass")[:255].decode(errors="ignore")
