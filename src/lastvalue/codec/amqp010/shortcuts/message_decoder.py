"""The fast path from AMQP 0-10 messages to AMQP 1.0 sections.

Producers send similar header segments: the delivery properties and most of the message properties repeat the
same bytes, and only message-id, content-length and the application headers differ. The result of
`encoded_message` for the repeated bytes is cached; the headers are copied one by one.
The result equals that of `encoded_message`, byte for byte, which also handles all other messages.
"""

import struct
from typing import Final, final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.codec.amqp010.command_layouts import MESSAGE_MESSAGE_PROPERTIES
from lastvalue.codec.amqp010.decoder import Decoder
from lastvalue.codec.amqp010.encoded_message import LIST, MAP, encoded_message
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.amqp010.properties import Properties
from lastvalue.codec.amqp010.shortcuts.segments import (
    MOST_KNOWN,
    behind_delivery,
    is_sized_text,
    segment_fields,
)
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.amqp10.message_form import FormBenefit
from lastvalue.codec.amqp10.sections import ABSENT
from lastvalue.codec.amqp10.shortcuts.quick_value import quick_value
from lastvalue.codec.amqp10.values import Array
from lastvalue.codec.octets import MOST_LEARNED_BYTES, MOST_QUICK_BYTES, OCTETS, number_at
from lastvalue.model.errors import LastvalueError
from lastvalue.model.property_names import GROUP_ID, GROUP_SEQUENCE

_DATA_HEADS: Final = [b"\x00\x53\x75\xa0" + octet for octet in OCTETS]
_MOST_LABELS: Final = 1024
_GROUPS: Final = [OCTETS[len(name)] + name.encode() for name in (GROUP_ID, GROUP_SEQUENCE)]
_NO_ID: Final = UUID(int=0)
_ENCODED_NO_ID: Final = b"\x98" + bytes(16)
_SIZE: Final = struct.Struct(">I")
_PAIR: Final = struct.Struct(">II")

# Flags of the message properties, in their first and second byte.
_CONTENT_LENGTH: Final = 1
_MESSAGE_ID: Final = 2
_APPLICATION_HEADERS: Final = 1


@final
class KnownHeader:
    """Header segments that differ only in message-id, content-length and application headers.

    Attributes:
        key: the routing key.
        delivery: the delivery properties; empty if they are not cached.
        extra_bytes: that the reported size has besides header and body.
        flags: the flags of the message properties, after their code; empty if there are none.
        between: the fields between message-id and application headers.
        head, rest: the sections before the application properties, up to the message-id and after it.
        size: the size of both with the message-id, in bytes.
        model: a message of these sections.
        opening: the last segment's bytes up to the headers; empty if they are not cached.
        opened: its AMQP 1.0 form, if the same number and size of headers follows.
        count, length: the number of these headers, and the segment's size in bytes.
    """

    __slots__ = (
        "between",
        "count",
        "delivery",
        "extra_bytes",
        "flags",
        "has_headers",
        "has_id",
        "has_length",
        "head",
        "key",
        "length",
        "model",
        "opened",
        "opening",
        "rest",
        "size",
    )

    def __init__(self, key: str, extra_bytes: int, flags: bytes, between: bytes) -> None:
        self.key = key
        self.extra_bytes: i64 = extra_bytes
        self.delivery = b""
        self.flags = flags
        self.between = between
        self.has_length = False
        self.has_id = False
        self.has_headers = False
        self.head = b""
        self.rest = b""
        self.size: i64 = 0
        self.model = EncodedMessage(b"")
        self.opening = b""
        self.opened = b""
        self.count: i64 = 0
        self.length: i64 = 0

    def open(self, header: bytes, start: i64, count: i64, parts: list[bytes]) -> None:
        """Cache the opening of segments of this length, when the second one comes.

        Only if the headers, which begin at `start`, have the same size in both encodings. The parts are the
        message's: the sections before the headers, the head of their section, and the headers.
        """
        self.opening = b""
        length: i64 = len(header)
        if length != self.length:
            self.length = length
            return
        size: i64 = 0
        for index in range(2, len(parts)):
            size += len(parts[index])
        if size == length - start:
            self.opening = header[:start]
            self.opened = parts[0] + parts[1]
            self.count = count


@final
class MessageDecoder:
    """Decodes the messages that are published to one exchange.

    Attributes:
        exchange: the exchange's name.
        known: the cached form of the last message's header segment.
    """

    __slots__ = (
        "_benefit",
        "_by_delivery",
        "_labels",
        "_names",
        "exchange",
        "known",
    )

    def __init__(self, exchange: str, names: Names) -> None:
        self.exchange = exchange
        self._names = names
        self._by_delivery: dict[bytes, KnownHeader] = {}
        self._benefit = FormBenefit()
        # The encoded names of application properties that are texts, by the AMQP 0-10 name with its size.
        self._labels: dict[bytes, bytes] = {}
        self.known = KnownHeader("", 0, b"", b"")

    def message(self, header: bytes, body: bytes | None) -> EncodedMessage | None:
        """The message if a similar one is cached, else None; `known` is that cache entry."""
        try:
            return self._message(header, body)
        except IndexError:
            return None

    def _message(self, header: bytes, body: bytes | None) -> EncodedMessage | None:
        known = self.known
        opening = known.opening
        if opening and len(header) == known.length and header[: len(opening)] == opening:
            # Only the application headers differ from the last message.
            parts = [known.opened]
            start: i64 = len(opening)
            size = _copy_entries(header, start, known.count, parts, self._labels)
            if size == known.length - start:
                return _finished(known, parts, known.size + 3, body)
        following = self._known_of(header)
        if following is None:
            return None
        parts = [following.head]
        pos = _copy_properties(header, len(following.delivery), following, parts)
        if pos < 0:
            return None
        application: i64 = ABSENT
        if following.has_headers:
            count = _copy_headers(header, pos, parts, self._labels)
            if count < 0:
                return None
            if count > 0:
                application = following.size + 3
                if not following.has_id:
                    following.open(header, pos + 8, count, parts)
        elif pos != len(header):
            return None
        self.known = following
        self._benefit.found()
        return _finished(following, parts, application, body)

    def _known_of(self, header: bytes) -> KnownHeader | None:
        """The cache entry for these delivery properties, which are mostly those of the last message."""
        known = self.known
        delivery = known.delivery
        if delivery and header[: len(delivery)] == delivery:
            return known
        behind = behind_delivery(header)
        return None if behind < 0 else self._by_delivery.get(header[:behind])

    def learn(self, header: bytes, properties: Properties) -> None:
        """Cache the AMQP 1.0 form of a header segment, if it depends only on the segment's bytes."""
        behind = behind_delivery(header)
        delivery, message = properties.delivery, properties.message
        reply = message.record("reply_to")
        if (
            behind < 0
            or behind > MOST_LEARNED_BYTES
            or not self._benefit.missed()
            or message.has("app_id")
            or message.text("content_type") in (MAP, LIST)
        ):
            return
        if reply is not None and reply.text("exchange"):
            return
        fields = segment_fields(header, behind)
        if fields is None:
            return
        flags, between = fields
        extra_bytes = extra_size(self.exchange, properties)
        known = KnownHeader(delivery.text("routing_key"), extra_bytes, flags, between)
        same = dict(message.values)
        same.pop("application_headers", None)
        if flags:
            known.has_length = bool(flags[2] & _CONTENT_LENGTH)
            known.has_id = bool(flags[2] & _MESSAGE_ID)
            known.has_headers = bool(flags[3] & _APPLICATION_HEADERS)
        if known.has_id:
            same["message_id"] = _NO_ID
        again = Properties(delivery, Record(MESSAGE_MESSAGE_PROPERTIES, same))
        sections = encoded_message(self.exchange, again, None, self._names)
        known.head = sections
        if known.has_id:
            place = sections.index(_ENCODED_NO_ID) + 1
            known.head = sections[:place]
            known.rest = sections[place + 16 :]
        known.size = len(sections)
        if known.size > MOST_LEARNED_BYTES:
            return
        known.model = read_message(sections)
        if len(self._by_delivery) >= MOST_KNOWN:
            self._by_delivery.clear()
        known.delivery = header[:behind]
        self._by_delivery[known.delivery] = known


def _finished(known: KnownHeader, parts: list[bytes], application: i64, body: bytes | None) -> EncodedMessage:
    """The message of these parts and a body."""
    if body is not None:
        size: i64 = len(body)
        if size < 256:
            parts.append(_DATA_HEADS[size])
        else:
            parts.append(b"\x00\x53\x75\xb0")
            parts.append(_SIZE.pack(size))
        parts.append(body)
    return known.model.like(b"".join(parts), application)


def extra_size(exchange: str, properties: Properties) -> int:
    """[Qpid C++] A message's reported size is that of header and body, with the exchange's name."""
    return 0 if properties.delivery.has("exchange") else 1 + len(exchange)


def _copy_properties(header: bytes, pos: i64, known: KnownHeader, parts: list[bytes]) -> i64:
    """Write the message properties at pos without the headers; returns the start of these, or ABSENT."""
    flags = known.flags
    if not flags:
        return pos
    if header[pos + 4 : pos + 8] != flags or number_at(header, pos) != len(header) - pos - 4:
        return ABSENT
    pos += 16 if known.has_length else 8
    if known.has_id:
        parts.append(header[pos : pos + 16])
        parts.append(known.rest)
        pos += 16
    between = known.between
    if not between:
        return pos
    start = pos
    pos += len(between)
    return pos if header[start:pos] == between else ABSENT


def _copy_headers(data: bytes, pos: i64, parts: list[bytes], labels: dict[bytes, bytes]) -> i64:
    """Write the map at pos, which ends the data, as application properties; returns how many, or ABSENT."""
    end: i64 = len(data)
    if pos + 4 + number_at(data, pos) != end:
        return ABSENT
    if pos + 4 == end:
        return 0
    count = number_at(data, pos + 4)
    place = len(parts)
    parts.append(b"")
    size = _copy_entries(data, pos + 8, count, parts, labels)
    if count == 0 or size < 0:
        return size
    if size < 255 and count < 128:
        parts[place] = b"\x00\x53\x74\xc1" + OCTETS[size + 1] + OCTETS[2 * count]
    else:
        parts[place] = b"\x00\x53\x74\xd1" + _PAIR.pack(size + 4, 2 * count)
    return count


def _copy_entries(data: bytes, pos: i64, count: i64, parts: list[bytes], labels: dict[bytes, bytes]) -> i64:
    """Write `count` names and values, which end the data; returns the bytes written, or ABSENT."""
    end: i64 = len(data)
    names: list[bytes] = []
    size: i64 = 0
    if end - pos > MOST_QUICK_BYTES:
        return ABSENT
    left = count
    while left > 0 and pos < end:
        left -= 1
        at = pos
        pos += 1 + data[pos]
        name = data[at:pos]
        label = labels.get(name)
        if label is None:
            label = _labelled(name, labels)
        # A duplicate name counts once.
        if label is None or (count > 1 and name in names):
            return ABSENT
        if count > 1:
            names.append(name)
        if data[pos] == 0x95 and data[pos + 1] == 0:
            at = pos + 2
            pos = at + 1 + data[at]
            text = data[at:pos]
            if not is_sized_text(text):
                return ABSENT
            parts.append(label)
            parts.append(text)
            size += len(label) + len(text)
        else:
            parts.append(label[:-1])
            pos = _copy_value(data, pos, parts)
            if pos < 0:
                return ABSENT
            size += len(label) - 1 + len(parts[-1])
    return size if left == 0 and pos == end else ABSENT


def _labelled(name: bytes, labels: dict[bytes, bytes]) -> bytes | None:
    """The first bytes of a text property of this name; None if the name is malformed, or is a group's."""
    if name in _GROUPS or not is_sized_text(name):
        return None
    if len(labels) >= _MOST_LABELS:
        labels.clear()
    label = b"\xa1" + name + b"\xa1"
    labels[name] = label
    return label


def _copy_value(data: bytes, pos: i64, parts: list[bytes]) -> i64:
    """Write the value at pos; returns its end, or ABSENT if an application property cannot have it."""
    if (
        data[pos] == 0x31
        and data[pos + 1] < 0x80
        and number_at(data, pos + 1) + number_at(data, pos + 5) > 127
    ):
        # Small numbers have a shorter encoding.
        parts.append(b"\x81" + data[pos + 1 : pos + 9])
        return pos + 9
    decoder = Decoder(data, pos, len(data))
    try:
        value = decoder.typed(1)
        if isinstance(value, dict | list | Array | Record):
            return ABSENT
        parts.append(quick_value(value))
    except (LastvalueError, ValueError, OverflowError, struct.error):
        return ABSENT
    return decoder.pos
