"""Converts a message of AMQP 1.0 to a header segment and a body of AMQP 0-10.

docs/protocols/messages.md has the table of the properties.
"""

from typing import Final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.codec.amqp010.command_layouts import (
    MESSAGE_DELIVERY_PROPERTIES,
    MESSAGE_MESSAGE_PROPERTIES,
    MESSAGE_REPLY_TO,
)
from lastvalue.codec.amqp010.encoded_message import LIST, MAP, PERSISTENT
from lastvalue.codec.amqp010.encoder import encode_list, encode_map, encode_struct
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.names import Names
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
from lastvalue.codec.amqp10.values import Int, Value
from lastvalue.model.message import NEVER
from lastvalue.model.property_names import (
    AMQP010_PREFIX,
    APP_ID,
    GROUP_ID,
    GROUP_SEQUENCE,
    HEADERS,
    MESSAGE_ID,
    ORIGINAL_QUEUE,
    ORIGINAL_SEQUENCE,
    QPID_APP_ID,
    REASON,
    REPLY_EXCHANGE,
    SUBJECT,
)

NOT_PERSISTENT: Final = 1
_SILENT: Final = (AMQP010_PREFIX, ORIGINAL_QUEUE, ORIGINAL_SEQUENCE, REASON, APP_ID)
"""Annotations that do not become application headers."""

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
_MOST_INT: Final = 2**31 - 1
_UUID_LENGTH: Final = 36


def header_and_body(
    payload: bytes, names: Names, extra: dict[str, Value], delivery_count: i64, expires_ms: i64, now: i64
) -> tuple[bytes, bytes | None]:
    """The header segment and the body of a delivered message; a body of None means no body segment.

    Args:
        payload: the message.
        names: the existing exchanges and queues.
        extra: application headers to add to those of the message.
        delivery_count: the number of its failed deliveries.
        expires_ms: when it expires, or NEVER.
        now: the time, from which the remaining time to live is computed.

    Raises:
        LastvalueError: the message cannot be read, or has a value that AMQP 0-10 cannot encode.
    """
    check_structure(payload)
    sections, _ = decoded_sections(payload, FOOTER)
    fields = _fields(sections, PROPERTIES)
    body, content_type = _written_body(sections, _at(fields, _CONTENT_TYPE))
    properties = _delivery_properties(sections, fields, names)
    if delivery_count > 0:
        properties["redelivered"] = True
    ttl_ms = properties.get("ttl")
    if isinstance(ttl_ms, int):
        properties["ttl"] = int(left_ms(ttl_ms, expires_ms, now))
    header = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, properties))
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


def left_ms(ttl_ms: i64, expires_ms: i64, now: i64) -> i64:
    """The remaining time to live; all of it for a message that never expires."""
    return ttl_ms if expires_ms == NEVER else max(1, expires_ms - now)


def routed_by(payload: bytes) -> tuple[str | None, str | None]:
    """The address and the subject that a message was published to, from its properties.

    Raises:
        DecodeError: the message is malformed.
    """
    fields = _fields(decoded_sections(payload, PROPERTIES)[0], PROPERTIES)
    address, subject = _at(fields, _TO), _at(fields, _SUBJECT)
    return (
        str(address) if isinstance(address, str) else None,
        str(subject) if isinstance(subject, str) else None,
    )


def _fields(sections: dict[int, Value], section: int) -> list[Value]:
    value = sections.get(section)
    return value if isinstance(value, list) else []


def _at(fields: list[Value], index: int) -> Value:
    return fields[index] if index < len(fields) else None


def _map(sections: dict[int, Value], section: int) -> dict[Value, Value]:
    value = sections.get(section)
    return value if isinstance(value, dict) else {}


def _written_body(sections: dict[int, Value], content_type: Value) -> tuple[bytes | None, str | None]:
    """The body's bytes, and the content type that a map or a list implies."""
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


def _delivery_properties(sections: dict[int, Value], fields: list[Value], names: Names) -> dict[str, Value]:
    header = _fields(sections, HEADER)
    durable, priority, ttl_ms = _at(header, 0), _at(header, 1), _at(header, 2)
    values: dict[str, Value] = {}
    if priority is not None:
        values["priority"] = priority
    if durable is not None:
        values["delivery_mode"] = PERSISTENT if durable is True else NOT_PERSISTENT
    if isinstance(ttl_ms, int) and ttl_ms > 0:
        values["ttl"] = ttl_ms
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
    """A message-id as a UUID for AMQP 0-10; in AMQP 1.0 it may be a text."""
    if isinstance(message_id, str) and len(message_id) == _UUID_LENGTH:
        try:
            return UUID(message_id)
        except ValueError:
            return None
    return message_id if isinstance(message_id, UUID) else None


def _told_headers(sections: dict[int, Value], fields: list[Value], names: Names) -> dict[str, Value]:
    """The application headers: the application properties, and headers from the annotations."""
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
    for name, value in (
        (GROUP_ID, _at(fields, _GROUP_ID)),
        (GROUP_SEQUENCE, _jms_int(_at(fields, _GROUP_SEQUENCE))),
    ):
        if value is not None and name not in headers:
            headers[name] = value
    return headers


def _jms_int(sequence: Value) -> Value:
    """[JMS 2.0 §3.5.9] A group's sequence is an int; larger numbers of AMQP 1.0 stay uint."""
    if isinstance(sequence, int) and sequence <= _MOST_INT:
        return Int(sequence)
    # Not the narrowed name: compiled code would make it a plain int.
    return sequence


def _is_routing_key(subject: str, to: Value, names: Names) -> bool:
    """Whether the subject is only the routing key of the message."""
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
    """The struct of an address; a stranger is an exchange that this broker does not have."""
    exchange, _, key = address.partition("/")
    if exchange and (exchange == stranger or names.is_exchange(exchange)):
        return Record(MESSAGE_REPLY_TO, {"exchange": _cut(exchange), "routing_key": _cut(key)})
    return Record(MESSAGE_REPLY_TO, {"exchange": "", "routing_key": _cut(address)})


def _cut(text: str) -> str:
    """The part of a text that fits into 255 bytes."""
    if len(text) < 64:
        return text
    return text.encode("utf-8", "surrogatepass")[:255].decode(errors="ignore")
