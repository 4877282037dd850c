"""Messages of AMQP 0-10 as the broker keeps them, which is in AMQP 1.0's sections, and back.

What each property becomes is the table of docs/protocols/amqp-0-10.md.
"""

from typing import Final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.codec.amqp010.decoder import decode_list, decode_map, decode_structs
from lastvalue.codec.amqp010.encoder import encode_list, encode_map, encode_struct
from lastvalue.codec.amqp010.errors import DecodeError
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.tables import (
    MESSAGE_DELIVERY_PROPERTIES,
    MESSAGE_MESSAGE_PROPERTIES,
    MESSAGE_REPLY_TO,
)
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.values import Array, Symbol, UByte, Value
from lastvalue.queues.entry import Entry

SUBJECT: Final = "qpid.subject"
APP_ID: Final = "x-amqp-0-10.app-id"
MESSAGE_ID: Final = "x-amqp-1.0.message-id"
HEADERS: Final = "x-opt-amqp-0-10.headers"
"""The message annotation with the application headers that AMQP 1.0 has no place for: maps, lists, arrays."""
PRIORITY: Final = "x-opt-amqp-0-10.priority"
"""The message annotation that says that the usual priority was given, not left out."""
MAP: Final = "amqp/map"
LIST: Final = "amqp/list"
PERSISTENT: Final = 2
_MOST_TTL_MS: Final = 2**32 - 1
_USUAL_PRIORITY: Final = 4


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


def encoded(exchange: str, properties: Properties, body: bytes) -> bytes:
    """The sections of a message that was published to an exchange.

    Raises:
        EncodeError: a header has a value that the broker cannot keep.
    """
    delivery, message = properties.delivery, properties.message
    key = delivery.text("routing_key")
    headers = message.map("application_headers")
    simple: dict[str, Value] = {}
    rest: dict[str, Value] = {}
    for name, value in headers.items():
        if isinstance(value, dict | list | Array | Record):
            rest[name] = value
        else:
            simple[name] = value
    app_id = message.binary("app_id")
    if app_id is not None and APP_ID not in simple:
        simple[APP_ID] = _text_or_bytes(app_id)
    kind, value = _body(message.text("content_type"), body)
    annotations: dict[str, Value] = {HEADERS: rest} if rest else {}
    if delivery.has("priority") and delivery.number("priority") == _USUAL_PRIORITY:
        annotations[PRIORITY] = True
    ttl_ms = delivery.number("ttl")
    expiration = delivery.number("expiration")
    content = MessageContent(
        durable=delivery.number("delivery_mode") == PERSISTENT,
        priority=delivery.number("priority", _USUAL_PRIORITY),
        ttl_ms=min(ttl_ms, _MOST_TTL_MS) if ttl_ms > 0 else None,
        message_annotations=annotations,
        message_id=_uuid(message),
        user_id=message.binary("user_id"),
        to=exchange or None,
        subject=key if delivery.has("routing_key") else None,
        reply_to=_reply_address(message.record("reply_to")),
        correlation_id=_text_or_bytes(message.binary("correlation_id")),
        content_type=Symbol(_ascii(message.text("content_type"))) if message.has("content_type") else None,
        content_encoding=Symbol(_ascii(message.text("content_encoding")))
        if message.has("content_encoding")
        else None,
        absolute_expiry_time=expiration if expiration > 0 else None,
        creation_time=delivery.number("timestamp") if delivery.has("timestamp") else None,
        application_properties=simple,
        body=value,
        body_kind=kind,
    )
    return encode_content(content)


def _body(content_type: str, body: bytes) -> tuple[BodyKind, Value]:
    try:
        if content_type == MAP:
            return BodyKind.VALUE, decode_map(body)
        if content_type == LIST:
            return BodyKind.VALUE, decode_list(body)
    except DecodeError:
        # It says what it is not.
        return BodyKind.DATA, body
    return BodyKind.DATA, body


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


def header_and_body(entry: Entry, names: Names, sequence_name: str, now: i64) -> tuple[bytes, bytes]:
    """The header segment and the body of an entry that is delivered.

    Args:
        entry: what is delivered.
        names: what there is of a name.
        sequence_name: the application header that has the entry's number, or "" for none.
        now: the time; what is left of the time to live is told.

    Raises:
        LastvalueError: the message cannot be read, or has a value that AMQP 0-10 has not.
    """
    content = decode_content(entry.message.encoded)
    body, content_type = _written_body(content)
    delivery = _delivery_properties(content, entry, names, now)
    header = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, delivery))
    values = _message_properties(content, content_type, names)
    if sequence_name:
        headers = values.get("application_headers")
        numbered: dict[str, Value] = dict(headers) if isinstance(headers, dict) else {}
        numbered[sequence_name] = int(entry.sequence)
        values["application_headers"] = numbered
    if values:
        if body:
            values["content_length"] = len(body)
        header += encode_struct(Record(MESSAGE_MESSAGE_PROPERTIES, values))
    return header, body


def _written_body(content: MessageContent) -> tuple[bytes, str | None]:
    """The body's bytes, and its content type, which a map or a list has by what it is."""
    body = content.body
    given = None if content.content_type is None else str(content.content_type)
    if content.body_kind is BodyKind.DATA:
        return bytes(body) if isinstance(body, bytes) else b"", given
    if isinstance(body, dict):
        return encode_map({str(name): value for name, value in body.items()}), MAP
    if isinstance(body, list):
        return encode_list(body), LIST
    if body is None:
        return b"", given
    if isinstance(body, bytes):
        return body, given
    return str(body).encode("utf-8", "surrogatepass"), given or "text/plain"


def _delivery_properties(content: MessageContent, entry: Entry, names: Names, now: i64) -> dict[str, Value]:
    values: dict[str, Value] = {}
    if entry.delivery_count > 0:
        values["redelivered"] = True
    if content.priority != _USUAL_PRIORITY or PRIORITY in content.message_annotations:
        values["priority"] = UByte(content.priority)
    if content.durable:
        values["delivery_mode"] = PERSISTENT
    if content.ttl_ms:
        left = entry.expires_ms - now if entry.expires_ms >= 0 else content.ttl_ms
        values["ttl"] = max(1, int(left))
    if content.creation_time is not None:
        values["timestamp"] = content.creation_time
    if content.absolute_expiry_time is not None:
        values["expiration"] = content.absolute_expiry_time
    to = content.to or ""
    values["exchange"] = to if to and names.is_exchange(to) else ""
    values["routing_key"] = _cut(content.subject or "")
    return values


def _message_properties(content: MessageContent, content_type: str | None, names: Names) -> dict[str, Value]:
    values: dict[str, Value] = {}
    headers = _headers(content, names)
    if isinstance(content.message_id, UUID):
        values["message_id"] = content.message_id
    elif content.message_id is not None and MESSAGE_ID not in headers:
        headers[MESSAGE_ID] = content.message_id
    if content.correlation_id is not None:
        values["correlation_id"] = _binary(content.correlation_id)
    if content.reply_to is not None:
        values["reply_to"] = _reply_to(content.reply_to, names)
    if content_type is not None:
        values["content_type"] = _cut(content_type)
    if content.content_encoding is not None:
        values["content_encoding"] = _cut(str(content.content_encoding))
    if content.user_id is not None:
        values["user_id"] = content.user_id
    app_id = headers.pop(APP_ID, None)
    if app_id is not None:
        values["app_id"] = _binary(app_id)
    if headers:
        values["application_headers"] = headers
    return values


def _headers(content: MessageContent, names: Names) -> dict[str, Value]:
    """The application headers: the application properties, and what the annotations have beside them."""
    headers = {str(name): value for name, value in content.application_properties.items()}
    for name, value in content.message_annotations.items():
        if name == HEADERS:
            if isinstance(value, dict):
                headers.update({str(inner): item for inner, item in value.items()})
        elif name != PRIORITY and name not in headers:
            headers[str(name)] = value
    if content.subject is not None and SUBJECT not in headers and not _is_routing_key(content, names):
        headers[SUBJECT] = content.subject
    if content.group_id is not None and "JMSXGroupID" not in headers:
        headers["JMSXGroupID"] = content.group_id
    return headers


def _is_routing_key(content: MessageContent, names: Names) -> bool:
    """Whether the subject is by what the message was routed, and says nothing beside it."""
    if not content.subject:
        return True
    if content.to is None:
        return names.is_queue(content.subject)
    return names.is_exchange(content.to)


def _binary(value: Value) -> bytes:
    if isinstance(value, bytes):
        return value
    return str(value).encode("utf-8", "surrogatepass")


def _reply_to(address: str, names: Names) -> Record:
    exchange, _, key = address.partition("/")
    if exchange and names.is_exchange(exchange):
        return Record(MESSAGE_REPLY_TO, {"exchange": _cut(exchange), "routing_key": _cut(key)})
    return Record(MESSAGE_REPLY_TO, {"exchange": "", "routing_key": _cut(address)})


def _cut(text: str) -> str:
    """As much of a text as fits where 255 bytes do."""
    if len(text) < 64:
        return text
    return text.encode("utf-8", "surrogatepass")[:255].decode(errors="ignore")
