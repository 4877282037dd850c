"""Converts a published message to AMQP 1.0's encoding, in which the broker stores messages.

docs/protocols/messages.md has the table of the properties.
"""

import struct
from typing import Final

from mypy_extensions import i64

from lastvalue.codec.amqp091.errors import PRECONDITION_FAILED, SYNTAX_ERROR, ReplyError
from lastvalue.codec.amqp091.tables import read_table, table_end, timestamp
from lastvalue.codec.amqp10.encoded_values import (
    binary,
    binary_start,
    encoded_list,
    encoded_map,
    string,
    symbol,
)
from lastvalue.codec.amqp10.sections import check_structure
from lastvalue.model import property_names

CONTENT_TYPE: Final = 1 << 15
CONTENT_ENCODING: Final = 1 << 14
HEADERS: Final = 1 << 13
DELIVERY_MODE: Final = 1 << 12
PRIORITY: Final = 1 << 11
CORRELATION_ID: Final = 1 << 10
REPLY_TO: Final = 1 << 9
EXPIRATION: Final = 1 << 8
MESSAGE_ID: Final = 1 << 7
TIMESTAMP: Final = 1 << 6
TYPE: Final = 1 << 5
USER_ID: Final = 1 << 4
APP_ID: Final = 1 << 3
CLUSTER_ID: Final = 1 << 2
MORE_FLAGS: Final = 1

PERSISTENT: Final = 2

GROUP_ID: Final = property_names.GROUP_ID.encode()
GROUP_SEQUENCE: Final = property_names.GROUP_SEQUENCE.encode()
COPIES: Final = (property_names.COPIED_TO.encode(), property_names.HIDDEN_COPIES.encode())
"""[RabbitMQ] Headers with further routing keys."""
ANNOTATION_PREFIX: Final = property_names.ANNOTATION_PREFIX.encode()

# Properties that AMQP 1.0 does not have become annotations.
ANNOTATED: Final = (
    (TYPE, property_names.TYPE.encode()),
    (APP_ID, property_names.APP_ID.encode()),
    (CLUSTER_ID, property_names.CLUSTER_ID.encode()),
)

_NULL: Final = b"\x40"
_NESTED: Final = (0x41, 0x46)
_TEXT: Final = 0x53
_MOST_TTL: Final = 2**32 - 1
_MOST_SEQUENCE: Final = 2**32 - 1
_SIZE: Final = struct.Struct(">I")
_SHORT: Final = struct.Struct(">H")
_SURELY_FEW_BYTES: Final = 1 << 12
"""A content header up to this size has few values."""


def decode_message(  # noqa: C901, PLR0912, PLR0915 - hot: one property after the other
    header: bytes, exchange: bytes, key: bytes, body: bytes, qpid: bool = False
) -> bytes:
    """The sections of a message.

    Args:
        header: the payload of its content header frame.
        exchange: the exchange that it is published to; "" is the default exchange.
        key: its routing key.
        body: its body.
        qpid: the expiration is a time, not a time to live, and times are in milliseconds [Broker-J].

    Raises:
        ReplyError: a property is malformed.
        LargeStructureError: the headers have very many values.
    """
    end: i64 = len(header)
    try:
        flags: i64 = header[12] << 8 | header[13]
        pos: i64 = 14
        if flags & MORE_FLAGS != 0:
            raise ReplyError(SYNTAX_ERROR, "a content header must have one word of flags")
        durable = priority = ttl = _NULL
        # [1.0 §3.2.4] message-id, user-id, to, subject, reply-to, correlation-id, …, reply-to-group-id
        fields = [_NULL] * 12
        application: list[bytes] = []
        annotations: list[bytes] = []
        if exchange:
            fields[2] = string(exchange)
        if key:
            fields[3] = string(key)
        if flags & CONTENT_TYPE != 0:
            size: i64 = header[pos]
            fields[6] = _symbol(header[pos + 1 : pos + 1 + size], b"properties.content-type", application)
            pos += 1 + size
        if flags & CONTENT_ENCODING != 0:
            size = header[pos]
            fields[7] = _symbol(header[pos + 1 : pos + 1 + size], b"properties.content-encoding", application)
            pos += 1 + size
        if flags & HEADERS != 0:
            _take_headers(header, pos, end, fields, application, annotations)
            pos = table_end(header, pos, end)
        if flags & DELIVERY_MODE != 0:
            durable = b"\x41" if header[pos] == PERSISTENT else b"\x42"
            pos += 1
        if flags & PRIORITY != 0:
            priority = b"\x50" + header[pos : pos + 1]
            pos += 1
        if flags & CORRELATION_ID != 0:
            size = header[pos]
            fields[5] = _string(header[pos + 1 : pos + 1 + size])
            pos += 1 + size
        if flags & REPLY_TO != 0:
            size = header[pos]
            fields[4] = _string(header[pos + 1 : pos + 1 + size])
            pos += 1 + size
        if flags & EXPIRATION != 0:
            size = header[pos]
            milliseconds = _expiration(header[pos + 1 : pos + 1 + size])
            if not qpid:
                # A ttl of 0 would mean none.
                ttl = b"\x70" + _SIZE.pack(max(1, min(milliseconds, _MOST_TTL)))
            elif milliseconds > 0:
                fields[8] = b"\x83" + milliseconds.to_bytes(8, "big")
            pos += 1 + size
        if flags & MESSAGE_ID != 0:
            size = header[pos]
            fields[0] = _string(header[pos + 1 : pos + 1 + size])
            pos += 1 + size
        if flags & TIMESTAMP != 0:
            octets = header[pos : pos + 8]
            fields[9] = b"\x83" + octets if qpid else timestamp(int.from_bytes(octets, "big"))
            pos += 8
        for flag, name in ANNOTATED[:1]:
            if flags & flag != 0:
                pos = _annotate(header, pos, name, annotations)
        if flags & USER_ID != 0:
            size = header[pos]
            fields[1] = binary(header[pos + 1 : pos + 1 + size])
            pos += 1 + size
        for flag, name in ANNOTATED[1:]:
            if flags & flag != 0:
                pos = _annotate(header, pos, name, annotations)
    except IndexError as fault:
        raise ReplyError(SYNTAX_ERROR, "a content header ends within a property") from fault
    if pos != end:
        raise ReplyError(SYNTAX_ERROR, "the properties do not fill the content header exactly")
    sections: list[bytes] = []
    if durable is not _NULL or priority is not _NULL or ttl is not _NULL:
        sections.append(b"\x00\x53\x70" + _trimmed([durable, priority, ttl]))
    if annotations:
        sections.append(b"\x00\x53\x72" + encoded_map(annotations))
    sections.append(b"\x00\x53\x73" + _trimmed(fields))
    if application:
        sections.append(b"\x00\x53\x74" + encoded_map(application))
    sections.append(b"\x00\x53\x75" + binary_start(len(body)))
    sections.append(body)
    message = b"".join(sections)
    if end > _SURELY_FEW_BYTES:
        # Otherwise nobody could read it over another protocol.
        check_structure(message)
    return message


def _trimmed(fields: list[bytes]) -> bytes:
    last: i64 = len(fields)
    while last > 0 and fields[last - 1] is _NULL:
        last -= 1
    return b"\x45" if last == 0 else encoded_list(fields[:last])


def _take_headers(
    header: bytes, pos: i64, end: i64, fields: list[bytes], application: list[bytes], annotations: list[bytes]
) -> None:
    for name, kind, value in read_table(header, pos, end):
        if name == GROUP_ID and kind == _TEXT and value[0] & 0xEF == 0xA1:
            fields[10] = value
        elif name == GROUP_SEQUENCE and value[0] in (0x60, 0x70, 0x61, 0x71, 0x81, 0x50, 0x51):
            _take_sequence(value, fields, application)
        elif (kind in _NESTED or name.startswith(ANNOTATION_PREFIX)) and name.isascii():
            # [1.0 §3.2.5] Application properties are simple values.
            annotations.append(symbol(name))
            annotations.append(value)
        else:
            application.append(string(name))
            application.append(value)


def _take_sequence(value: bytes, fields: list[bytes], application: list[bytes]) -> None:
    number = int.from_bytes(value[1:], "big", signed=value[0] not in (0x50, 0x60, 0x70))
    if 0 <= number <= _MOST_SEQUENCE:
        fields[11] = b"\x70" + _SIZE.pack(number)
    else:
        application.append(string(GROUP_SEQUENCE))
        application.append(value)


def _annotate(header: bytes, pos: i64, name: bytes, annotations: list[bytes]) -> i64:
    stop = pos + 1 + header[pos]
    annotations.append(symbol(name))
    annotations.append(_string(header[pos + 1 : stop]))
    return stop


def _string(text: bytes) -> bytes:
    if not text.isascii():
        try:
            text.decode("utf-8")
        except UnicodeDecodeError as fault:
            raise ReplyError(SYNTAX_ERROR, "a property is not valid UTF-8") from fault
    return string(text)


def _symbol(text: bytes, name: bytes, application: list[bytes]) -> bytes:
    """A symbol; a text that is not ASCII becomes an application property instead."""
    if text.isascii():
        return symbol(text)
    application.append(string(name))
    application.append(_string(text))
    return _NULL


def _expiration(text: bytes) -> int:
    """The number of milliseconds of an expiration; those that need more than 8 octets count as the most."""
    if not text.isdigit():
        raise ReplyError(
            PRECONDITION_FAILED, f"the expiration is {text!r:.40}; expected milliseconds, as in '60000'"
        )
    return min(int(text), 2**63 - 1)
