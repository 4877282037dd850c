"""Converts a delivered message from AMQP 1.0's encoding to a content header and a body."""

import struct
from typing import Final, final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.codec.amqp091.deaths import death_headers
from lastvalue.codec.amqp091.fields import field_of, short_string, table, write_field
from lastvalue.codec.amqp091.message_decoder import (
    ANNOTATED,
    CONTENT_ENCODING,
    CONTENT_TYPE,
    CORRELATION_ID,
    DELIVERY_MODE,
    EXPIRATION,
    GROUP_ID,
    GROUP_SEQUENCE,
    HEADERS,
    MESSAGE_ID,
    PRIORITY,
    REPLY_TO,
    TIMESTAMP,
    USER_ID,
)
from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.fields import text_of
from lastvalue.codec.amqp10.json_text import json_text
from lastvalue.codec.amqp10.sections import (
    AMQP_SEQUENCE,
    AMQP_VALUE,
    APPLICATION_PROPERTIES,
    DATA,
    HEADER,
    MESSAGE_ANNOTATIONS,
    PROPERTIES,
    check_structure,
    list_start,
    section_head,
)
from lastvalue.codec.amqp10.value_codec import skip_value, uint_at
from lastvalue.codec.amqp10.values import Value
from lastvalue.model.message import NEVER
from lastvalue.model.property_names import DEATHS, EXCHANGE, ROUTING_KEY
from lastvalue.model.property_names import HEADERS as FOLDED_HEADERS

DELIVERY_COUNT: Final = b"x-delivery-count"
_HEAD: Final = struct.Struct(">HHQH")
_SECONDS: Final = struct.Struct(">Q")
_MILLISECONDS: Final = struct.Struct(">q")
_BASIC: Final = 60
_JSON: Final = b"application/json"
_NATIVE: Final = (b"\x08amqp/map", b"\x09amqp/list")
"""[Qpid C++] Content types that mean AMQP 0-10's own encoding, which the body does not have here."""
_PLACES: Final[dict[bytes, int]] = {name: flag for flag, name in ANNOTATED}
_FOLDED: Final = FOLDED_HEADERS.encode()
_OF_DEAD_LETTERS: Final = (DEATHS.encode(), EXCHANGE.encode(), ROUTING_KEY.encode())

# The names of the properties that are texts; a text that is too long becomes a header of that name.
_LONG_NAMES: Final[dict[int, bytes]] = {
    CONTENT_TYPE: b"properties.content-type",
    CONTENT_ENCODING: b"properties.content-encoding",
    CORRELATION_ID: b"properties.correlation-id",
    REPLY_TO: b"properties.reply-to",
    MESSAGE_ID: b"properties.message-id",
    USER_ID: b"properties.user-id",
}
# [1.0 §3.2.4] By its place in the section, which property a field is.
_TEXTS: Final[dict[int, int]] = {
    0: MESSAGE_ID,
    1: USER_ID,
    4: REPLY_TO,
    5: CORRELATION_ID,
    6: CONTENT_TYPE,
    7: CONTENT_ENCODING,
}
FIELDS: Final[dict[int, int]] = {TIMESTAMP: 9, **{flag: index for index, flag in _TEXTS.items()}}
"""By a property's flag, the place of its field."""
ORDER: Final = (
    CONTENT_TYPE, CONTENT_ENCODING, HEADERS, DELIVERY_MODE, PRIORITY, CORRELATION_ID, REPLY_TO, EXPIRATION,
    MESSAGE_ID, TIMESTAMP, 1 << 5, USER_ID, 1 << 3, 1 << 2,
)  # fmt: skip


@final
class MessageEncoder:
    """The content of a message on the wire.

    Args:
        qpid: times are in milliseconds [Broker-J].

    Attributes:
        to: the address that it was sent to, or b"".
        subject: its subject, which is the routing key, or None.
        body: its body.
    """

    __slots__ = ("_data", "_death", "_headers", "_parts", "_qpid", "_sequence", "body", "subject", "to")

    def __init__(self, qpid: bool = False) -> None:
        self._qpid = qpid
        self.to = b""
        self.subject: bytes | None = None
        self.body = b""
        # The sections of the body.
        self._data: list[bytes] = []
        self._sequence: list[Value] | None = None
        self._parts: dict[int, bytes] = {}
        self._headers: dict[bytes, bytes] = {}
        # What a dead letter has, by the names of the annotations.
        self._death: dict[bytes, Value] = {}

    def header(self, delivery_count: int = 0) -> bytes:
        """The payload of its content header frame.

        Args:
            delivery_count: the number of its failed deliveries, which becomes a header if it is not 0.
        """
        headers = self._headers
        if delivery_count > 0:
            headers = {**headers, DELIVERY_COUNT: field_of(delivery_count)}
        parts = self._parts
        if headers:
            parts = {**parts, HEADERS: table(headers)}
        flags = 0
        values: list[bytes] = []
        for flag in ORDER:
            part = parts.get(flag)
            if part is not None:
                flags |= flag
                values.append(part)
        return _HEAD.pack(_BASIC, 0, len(self.body), flags) + b"".join(values)

    @property
    def properties(self) -> dict[int, bytes]:
        """The properties that it has, besides its headers, by their flags."""
        return self._parts

    @property
    def headers(self) -> dict[bytes, bytes]:
        """Its headers as fields, by their names."""
        return self._headers

    def set_expiration(self, expires_ms: i64) -> None:
        """Have the time when the message expires as its expiration; NEVER is none."""
        self._parts.pop(EXPIRATION, None)
        if expires_ms != NEVER:
            self._parts[EXPIRATION] = short_string(str(int(expires_ms)).encode())

    def mark(self, name: bytes) -> None:
        """Set a header that is a flag."""
        self._headers[name] = field_of(True)

    # ------------------------------------------------------------------ sections

    def take(self, data: bytes) -> None:
        """Read a message's sections.

        Raises:
            DecodeError: the sections are malformed, or have too many values.
        """
        check_structure(data, True)
        size: i64 = len(data)
        pos: i64 = 0
        try:
            while pos < size:
                section, start = section_head(data, pos, size)
                pos = skip_value(data, start, size)
                self._take_section(section, data, start, pos)
        except IndexError as fault:
            raise DecodeError("the message ends within a section") from fault
        if self._data:
            self.body = self._data[0] if len(self._data) == 1 else b"".join(self._data)
            self._data = []
        if self._sequence is not None:
            self._take_json(self._sequence)
            self._sequence = None
        if self._death:
            self._tell_death()

    def _tell_death(self) -> None:
        """[RabbitMQ] Tell why it is a dead letter, and how it was published again; not Qpid's client."""
        deaths, exchange, key = [self._death.get(name) for name in _OF_DEAD_LETTERS]
        if self._qpid or not isinstance(deaths, list):
            return
        self._headers |= death_headers(deaths)
        if isinstance(exchange, str) and isinstance(key, str):
            self.to, self.subject = exchange.encode(), key.encode()

    def _take_section(self, section: i64, data: bytes, pos: i64, end: i64) -> None:
        if section == DATA:
            start = pos + 2 if data[pos] == 0xA0 else pos + 5
            self._data.append(data[start:end])
        elif section == PROPERTIES:
            self._take_properties(data, pos, end)
        elif section in (APPLICATION_PROPERTIES, MESSAGE_ANNOTATIONS):
            self._take_map(section, data, pos, end)
        elif section == HEADER:
            self._take_header(data, pos, end)
        elif section == AMQP_VALUE:
            self._take_value(Decoder(data, pos, end).read())
        elif section == AMQP_SEQUENCE:
            self._take_sequence(Decoder(data, pos, end).read())

    def _take_header(self, data: bytes, pos: i64, end: i64) -> None:
        pos, count = list_start(data, pos)
        if count > 0:
            if data[pos] == 0x41 or (data[pos] == 0x56 and data[pos + 1] == 1):
                self._parts[DELIVERY_MODE] = b"\x02"
            elif data[pos] != 0x40:
                self._parts[DELIVERY_MODE] = b"\x01"
            pos = skip_value(data, pos, end)
        if count > 1:
            if data[pos] == 0x50:
                self._parts[PRIORITY] = data[pos + 1 : pos + 2]
            pos = skip_value(data, pos, end)
        if count > 2:
            ttl_ms = uint_at(data, pos)
            if ttl_ms > 0:
                self._parts[EXPIRATION] = short_string(str(int(ttl_ms)).encode())

    def _take_properties(self, data: bytes, pos: i64, end: i64) -> None:
        pos, count = list_start(data, pos)
        place: i64 = 0
        while place < count:
            stop = skip_value(data, pos, end)
            code: i64 = data[pos]
            if code != 0x40:
                if place == 2:
                    self.to = _bytes_at(data, pos, stop)
                elif place == 3:
                    self.subject = key = _bytes_at(data, pos, stop)
                    if len(key) > 255:
                        self._headers[b"properties.subject"] = field_of(key.decode("utf-8", "replace"))
                elif place == 9 and code == 0x83:
                    milliseconds: i64 = _MILLISECONDS.unpack_from(data, pos + 1)[0]
                    self._parts[TIMESTAMP] = _SECONDS.pack(
                        max(0, milliseconds if self._qpid else milliseconds // 1000)
                    )
                elif place == 10:
                    self._headers[GROUP_ID] = write_field(data, pos, stop)[0]
                elif place == 11:
                    self._headers[GROUP_SEQUENCE] = _int_field(write_field(data, pos, stop)[0])
                else:
                    flag = _TEXTS.get(place)
                    if flag is not None:
                        self._take_text(flag, _bytes_at(data, pos, stop))
            pos = stop
            place += 1

    def _take_text(self, flag: int, text: bytes) -> None:
        if len(text) > 255:
            self._headers[_LONG_NAMES[flag]] = field_of(text.decode("utf-8", "replace"))
        else:
            self._parts[flag] = bytes((len(text),)) + text

    def _take_map(self, section: i64, data: bytes, pos: i64, end: i64) -> None:
        if data[pos] == 0xC1:
            pos += 3
        elif data[pos] == 0xD1:
            pos += 9
        else:
            raise DecodeError("a section of names and values must be a map")
        while pos < end:
            stop = skip_value(data, pos, end)
            name = _bytes_at(data, pos, stop)
            flag = _PLACES.get(name) if section == MESSAGE_ANNOTATIONS else None
            if flag is not None:
                pos = skip_value(data, stop, end)
                text = _bytes_at(data, stop, pos)
                if len(text) < 256:
                    self._parts[flag] = short_string(text)
                else:
                    self._headers[name] = field_of(text.decode("utf-8", "replace"))
                continue
            if name == _FOLDED and section == MESSAGE_ANNOTATIONS and data[stop] in (0xC1, 0xD1):
                pos = skip_value(data, stop, end)
                self._take_map(APPLICATION_PROPERTIES, data, stop, pos)
                continue
            if name in _OF_DEAD_LETTERS and section == MESSAGE_ANNOTATIONS:
                pos = skip_value(data, stop, end)
                self._death[name] = Decoder(data, stop, pos).read()
                continue
            field, pos = write_field(data, stop, end)
            if len(name) < 256:
                self._headers[name] = field

    def _take_value(self, value: Value) -> None:
        if isinstance(value, bytes):
            self.body = value
        elif isinstance(value, str):
            self.body = value.encode()
        elif value is not None:
            self._take_json(value)

    def _take_sequence(self, value: Value) -> None:
        """Several are one [1.0 §3.2]."""
        if not isinstance(value, list):
            raise DecodeError("a sequence must be a list")
        if self._sequence is None:
            self._sequence = value
        else:
            self._sequence += value

    def _take_json(self, value: Value) -> None:
        self.body = json_text(value).encode("utf-8", "replace")
        if self._parts.get(CONTENT_TYPE) in _NATIVE:
            del self._parts[CONTENT_TYPE]
        self._parts.setdefault(CONTENT_TYPE, short_string(_JSON))


def encode_message(encoded: bytes, qpid: bool = False) -> MessageEncoder:
    """A message's content; see `MessageEncoder`.

    Raises:
        DecodeError: the message is malformed.
    """
    message = MessageEncoder(qpid)
    message.take(encoded)
    return message


def _int_field(field: bytes) -> bytes:
    """[JMS 2.0 §3.5.9] A number that is an int for JMS; larger ones of AMQP 1.0 stay unsigned."""
    return b"I" + field[1:] if field[:1] == b"i" and field[1] < 0x80 else field


def _bytes_at(data: bytes, pos: i64, end: i64) -> bytes:
    """The text of the value at pos, in UTF-8."""
    code: i64 = data[pos]
    if code == 0xA1 or code == 0xA3 or code == 0xA0:
        return data[pos + 2 : end]
    if code == 0xB1 or code == 0xB3 or code == 0xB0:
        return data[pos + 5 : end]
    value = Decoder(data, pos, end).read()
    text = str(value) if isinstance(value, UUID) else text_of(value)
    return b"" if text is None else text.encode()
