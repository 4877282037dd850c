"""The fast path for publishes: a basic.publish, its content header and one body, read together.

Parts that repeat from message to message are cached: the fields of basic.publish, the converted properties,
and the encoded names of headers. The channel and `message_decoder` handle publishes of any other form; the
messages are the same, octet for octet.
"""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp091.errors import ReplyError
from lastvalue.codec.amqp091.frames import BODY, FRAME_END, HEADER, METHOD
from lastvalue.codec.amqp091.message_decoder import (
    ANNOTATION_PREFIX,
    CONTENT_ENCODING,
    CONTENT_TYPE,
    COPIES,
    GROUP_ID,
    GROUP_SEQUENCE,
    HEADERS,
)
from lastvalue.codec.amqp091.methods import PublishHead
from lastvalue.codec.amqp091.shortcuts.header_fields import OTHER, TEXT, HeaderField, HeaderName
from lastvalue.codec.amqp091.shortcuts.properties import Properties
from lastvalue.codec.amqp091.tables import SAME, read_field
from lastvalue.codec.amqp10.encoded_values import string
from lastvalue.codec.octets import MOST_QUICK_BYTES, OCTETS, is_text, number_at

_LONG_STRING: Final = 0x53
_VOID: Final = 0x56
_NESTED: Final = (0x41, 0x46)
_SPECIAL: Final = (GROUP_ID, GROUP_SEQUENCE, *COPIES)
_MOST_ROUTES: Final = 1024
_MOST_FIELDS: Final = 1024
_FIXED_HEADER: Final = 14
"""The size of a content header before its properties: class, weight, size of the body, flags."""

_SIZE: Final = struct.Struct(">I")
_SIZE_COUNT: Final = struct.Struct(">II")


@final
class Route:
    """The cached parts of publishes with the same basic.publish.

    Attributes:
        frame: the method's frame.
        head: the method's fields.
        properties: the converter of their properties.
    """

    __slots__ = ("frame", "head", "properties")

    def __init__(self, frame: bytes, head: PublishHead, qpid: bool) -> None:
        self.frame = frame
        self.head = head
        self.properties = Properties(head.raw_exchange, head.raw_key, qpid)


@final
class PublishReader:
    """Reads the publishes of one connection.

    Args:
        max_message_size: the largest body in bytes; larger ones are not handled here.

    Attributes:
        head: the fields of the last basic.publish.
        message: its message, in AMQP 1.0's encoding.
        header, body: the received content header and body of a mandatory publish.
        qpid: see `decode_message`; set before the first publish.
    """

    __slots__ = (
        "_content",
        "_count",
        "_fields",
        "_max_message_size",
        "_names",
        "_route",
        "_routes",
        "_serial",
        "body",
        "head",
        "header",
        "message",
        "qpid",
    )

    def __init__(self, max_message_size: i64) -> None:
        self.qpid = False
        self.head: PublishHead | None = None
        self.message = b""
        self.header = b""
        self.body = b""
        self._max_message_size: i64 = max_message_size
        self._route: Route | None = None
        self._routes: dict[bytes, Route] = {}
        self._fields: dict[bytes, HeaderField] = {}
        self._names: dict[bytes, HeaderName] = {}
        self._serial: i64 = 0
        # The current message's headers in AMQP 1.0, and their number.
        self._content = b""
        self._count: i64 = 0

    def read(self, data: bytes, pos: i64, max_frame_size: i64) -> i64:  # noqa: C901, PLR0911 - hot: one check after the other
        """Read the publish whose frames start at pos.

        Returns:
            The position after it; pos if it has another form, is malformed or incomplete.
        """
        route = self._route
        if route is None or data[pos : pos + len(route.frame)] != route.frame:
            route = self._find(data, pos)
            if route is None:
                return pos
            self._route = route
        start: i64 = pos + len(route.frame)
        size: i64 = len(data)
        # The content header: its frame, class 60, a body of fewer than 2**32 bytes.
        if size - start < 8 + _FIXED_HEADER or data[start] != HEADER or not _alike(data, pos, start):
            return pos
        header_size: i64 = number_at(data, start + 3)
        header_end: i64 = start + 7 + header_size
        if header_size < _FIXED_HEADER or header_size + 8 > max_frame_size or header_end >= size:
            return pos
        if data[header_end] != FRAME_END or data[start + 8] != 60 or data[start + 7] != 0:
            return pos
        body_size: i64 = number_at(data, start + 15)
        if number_at(data, start + 11) != 0 or body_size > self._max_message_size:
            return pos
        # The body: one frame, or none if it is empty.
        body: i64 = header_end + 1
        end: i64 = body
        if body_size > 0:
            end = body + 8 + body_size
            if end > size or body_size + 8 > max_frame_size or data[body] != BODY:
                return pos
            if (
                number_at(data, body + 3) != body_size
                or data[end - 1] != FRAME_END
                or not _alike(data, pos, body)
            ):
                return pos
        if not self._take_properties(route.properties, data, start + 7, header_end):
            return pos
        octets = data[body + 7 : end - 1] if body_size > 0 else b""
        self.head = route.head
        self.message = self._assembled(route.properties.front, octets)
        if route.head.mandatory:
            self.header = data[start + 7 : header_end]
            self.body = octets
        return end

    def _find(self, data: bytes, pos: i64) -> Route | None:
        """The cache entry for the basic.publish at pos, or None if it is unusual."""
        size: i64 = len(data)
        if size - pos < 12 or data[pos] != METHOD or number_at(data, pos + 7) != 0x003C0028:
            return None
        end: i64 = pos + 7 + number_at(data, pos + 3)
        if end >= size or data[end] != FRAME_END:
            return None
        frame = data[pos : end + 1]
        route = self._routes.get(frame)
        if route is None:
            try:
                head = PublishHead(data, pos + 7, end)
            except ReplyError:
                return None
            if head.immediate:
                return None
            if len(self._routes) >= _MOST_ROUTES:
                self._routes.clear()
            route = Route(frame, head, self.qpid)
            self._routes[frame] = route
        return route

    # ------------------------------------------------------------------ properties

    def _take_properties(self, properties: Properties, data: bytes, start: i64, end: i64) -> bool:
        """Read the content header with the payload data[start:end]; returns false if it is unusual."""
        flags: i64 = data[start + 12] << 8 | data[start + 13]
        first: i64 = start + _FIXED_HEADER
        table: i64 = first
        if flags & CONTENT_TYPE != 0:
            if table >= end:
                return False
            table += 1 + data[table]
        if flags & CONTENT_ENCODING != 0:
            if table >= end:
                return False
            table += 1 + data[table]
        table_end: i64 = table
        if flags & HEADERS != 0:
            if end - table < 4:
                return False
            table_end = table + 4 + number_at(data, table)
        if table_end > end or table_end - table > MOST_QUICK_BYTES:
            return False
        if not properties.take(flags, data[first:table], data[table_end:end]):
            return False
        self._content = b""
        self._count = 0
        return table_end == table or self._take_headers(data, table + 4, table_end)

    def _take_headers(self, data: bytes, pos: i64, end: i64) -> bool:
        """Read a table's fields; returns false if one is malformed or not an application property."""
        self._serial += 1
        serial = self._serial
        content = b""
        count: i64 = 0
        while pos < end:
            value: i64 = pos + 2 + data[pos]
            if value > end:
                return False
            field = self._fields.get(data[pos:value])
            if field is None:
                field = self._learn(data[pos:value])
                if field is None:
                    return False
            # The later of two fields with one name counts.
            if field.name.seen == serial:
                return False
            field.name.seen = serial
            if field.width >= 0:
                pos = value + field.width
                content = b"%b%b%b" % (content, field.start, data[value:pos])
            else:
                encoded = self._short_text(data, value, end) if field.width == TEXT else b""
                if encoded:
                    pos = value + 3 + len(encoded)
                    content = b"%b%b%b" % (content, field.start, encoded)
                else:
                    try:
                        encoded, pos = read_field(data, value - 1, end, 0)
                    except (ReplyError, IndexError, struct.error):
                        return False
                    content = b"%b%b%b" % (content, field.start[:-1], encoded)
            if pos > end:
                return False
            count += 1
        self._content = content
        self._count = count
        return True

    def _short_text(self, data: bytes, pos: i64, end: i64) -> bytes:
        """A text with its size in one leading octet; empty if it is too long, or not UTF-8."""
        if end - pos < 4 or data[pos] != 0 or data[pos + 1] != 0 or data[pos + 2] != 0:
            return b""
        octets = data[pos + 3 : pos + 4 + data[pos + 3]]
        return octets if octets.isascii() or is_text(octets[1:]) else b""

    def _learn(self, raw: bytes) -> HeaderField | None:
        """The cached field for a name and type; None if it does not become an application property."""
        name = raw[1:-1]
        special = name.startswith(ANNOTATION_PREFIX) or name in _SPECIAL
        if special or not name.isascii():
            return None
        kind: i64 = raw[len(raw) - 1]
        if kind in _NESTED:
            return None
        if len(self._fields) >= _MOST_FIELDS:
            self._fields.clear()
            self._names.clear()
        known = self._names.get(name)
        if known is None:
            known = HeaderName()
            self._names[name] = known
        same = SAME.get(kind)
        if same is not None:
            field = HeaderField(known, string(name) + same[1], same[0])
        elif kind == _VOID:
            field = HeaderField(known, string(name) + b"\x40", 0)
        else:
            field = HeaderField(known, string(name) + b"\xa1", TEXT if kind == _LONG_STRING else OTHER)
        self._fields[raw] = field
        return field

    def _assembled(self, front: bytes, body: bytes) -> bytes:
        """The message of these properties, the current headers and the body."""
        content = self._content
        size: i64 = len(content)
        body_size: i64 = len(body)
        if body_size < 256 and 0 < size < 255 and self._count < 128:
            return b"%b\x00\x53\x74\xc1%b%b%b\x00\x53\x75\xa0%b%b" % (
                front, OCTETS[size + 1], OCTETS[2 * self._count], content, OCTETS[body_size], body
            )  # fmt: skip
        application = b""
        if size >= 255 or self._count >= 128:
            application = b"\x00\x53\x74\xd1" + _SIZE_COUNT.pack(size + 4, 2 * self._count) + content
        elif size > 0:
            application = b"\x00\x53\x74\xc1%b%b%b" % (OCTETS[size + 1], OCTETS[2 * self._count], content)
        if body_size < 256:
            return b"%b%b\x00\x53\x75\xa0%b%b" % (front, application, OCTETS[body_size], body)
        return b"%b%b\x00\x53\x75\xb0%b%b" % (front, application, _SIZE.pack(body_size), body)


def _alike(data: bytes, one: i64, other: i64) -> bool:
    """Whether two frames have the same channel."""
    return data[one + 1] == data[other + 1] and data[one + 2] == data[other + 2]
