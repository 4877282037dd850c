"""Deliveries of messages as most are, from AMQP 1.0's sections to frames without a step between.

What repeats from message to message is kept: what the sections before the headers become, how each header's
name is encoded, the sizes. A message of any other form is left to `leaving`; the frames are the same, octet
for octet.
"""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp091.arriving import HEADERS
from lastvalue.codec.amqp091.fields import SAME
from lastvalue.codec.amqp091.leaving import leaving
from lastvalue.codec.amqp091.methods import place_of
from lastvalue.codec.amqp10.errors import DecodeError

_MOST_FRONTS: Final = 256
_MOST_FIELDS: Final = 256
_OCTETS: Final = [bytes((number,)) for number in range(256)]
_HEAD: Final = struct.Struct(">BHI")
_SIZE: Final = struct.Struct(">I")
_HEADER: Final = struct.Struct(">BHIHHQH")
_DELIVER: Final = b"\x00\x3c\x00\x3c"
_SIMPLE: Final = {0x40: b"V", 0x41: b"t\x01", 0x42: b"t\x00"}
"""Values that have no octets but their constructor."""


@final
class Front:
    """What the sections before the headers become.

    Attributes:
        exchange: that the message was sent to; empty is the default one.
        start, place: the frame of the basic.deliver up to its tag, and behind it.
        flags, before, after: of the content header; what stands before its headers and behind them.
        sizes: of the headers and the body that `fixed` and `behind` are for.
        fixed: the content header's frame up to its headers, with their size.
        behind: from the headers to the body.
        defaulted: the same for a message whose exchange is not there; it goes by the default one.
    """

    __slots__ = (
        "after",
        "before",
        "behind",
        "defaulted",
        "exchange",
        "fixed",
        "flags",
        "place",
        "sizes",
        "start",
    )

    def __init__(self, flags: i64, before: bytes, after: bytes) -> None:
        self.exchange = ""
        self.start = b""
        self.place = b""
        self.flags: i64 = flags
        self.before = before
        self.after = after
        self.sizes: i64 = -1
        self.fixed = b""
        self.behind = b""
        self.defaulted: Front | None = None


@final
class Name:
    """A header's name; `seen` is the number of the message that had it last."""

    __slots__ = ("seen",)

    def __init__(self) -> None:
        self.seen: i64 = 0


@final
class Field:
    """A header's name and type.

    Attributes:
        name: its name.
        start: the name and the type of the field, with all of a text's size but its last octet.
        width: bytes of the value, which are the same in both; TEXT is as many as its first one says.
    """

    __slots__ = ("name", "start", "width")

    def __init__(self, name: Name, start: bytes, width: i64) -> None:
        self.name = name
        self.start = start
        self.width: i64 = width


_WIDTH_OF_TEXT: Final = -1


@final
class DeliveryWriter:
    """Writes the deliveries of one consumer.

    Args:
        channel: its number.
        consumer: its tag, a shortstr.
        queue: the name of its queue.
        frame_max: the largest frame that the peer takes.
    """

    __slots__ = (
        "_body",
        "_channel",
        "_consumer",
        "_fields",
        "_front",
        "_front_octets",
        "_fronts",
        "_most_body",
        "_names",
        "_queue",
        "_serial",
        "_table",
        "_tag_high",
        "_tag_octets",
    )

    def __init__(self, channel: int, consumer: bytes, queue: bytes, frame_max: i64) -> None:
        self._channel = channel
        self._consumer = consumer
        self._queue = queue
        self._most_body: i64 = frame_max - 8
        self._front: Front | None = None
        self._front_octets = b""
        self._fronts: dict[bytes, Front | None] = {}
        self._fields: dict[bytes, Field] = {}
        self._names: dict[bytes, Name] = {}
        self._serial: i64 = 0
        # Of the message at hand.
        self._table = b""
        self._body = b""
        # Of the delivery tag, all octets but the last.
        self._tag_high: i64 = -1
        self._tag_octets = b""

    @property
    def body_size(self) -> i64:
        """Of the message that was read last."""
        return len(self._body)

    def read(self, encoded: bytes) -> Front | None:  # noqa: C901, PLR0911 - hot: one check after the other
        """Take a message to be written; None where it is of another form."""
        size: i64 = len(encoded)
        try:
            # Header and properties: lists.
            pos: i64 = 0
            section: i64 = encoded[2]
            while section == 0x70 or section == 0x73:  # noqa: PLR1714 - hot: compiled comparisons
                code: i64 = encoded[pos + 3]
                if encoded[pos] != 0 or encoded[pos + 1] != 0x53 or (code != 0xC0 and code != 0x45):  # noqa: PLR1714 - as above
                    return None
                pos += 4 if code == 0x45 else 5 + encoded[pos + 4]
                section = encoded[pos + 2]
            front = self._front
            if front is None or encoded[:pos] != self._front_octets:
                front = self._find(encoded[:pos])
                if front is None:
                    return None
            self._table = b""
            if section == 0x74:
                start: i64 = pos + 6
                if encoded[pos] != 0 or encoded[pos + 1] != 0x53:
                    return None
                if encoded[pos + 3] == 0xC1:
                    pos += 5 + encoded[pos + 4]
                else:
                    start = pos + 12
                    pos += 8 + _uint(encoded, pos + 4)
                if not self._take_headers(encoded, start, pos):
                    return None
            if encoded[pos] != 0 or encoded[pos + 1] != 0x53 or encoded[pos + 2] != 0x75:
                return None
            start = pos + 5 if encoded[pos + 3] == 0xA0 else pos + 8
            stop: i64 = start + (encoded[pos + 4] if start == pos + 5 else _uint(encoded, pos + 4))
        except IndexError:
            return None
        if stop != size or start == stop or stop - start > self._most_body:
            return None
        self._body = encoded[start:stop]
        return front

    def frames(self, front: Front, tag: i64) -> bytes:
        """The frames of the message that was read last, delivered for the first time with this tag."""
        table = self._table
        body = self._body
        sizes: i64 = len(table) << 32 | len(body)
        if sizes != front.sizes:
            self._measure(front, len(table), len(body))
            front.sizes = sizes
        if tag >> 8 != self._tag_high:
            self._tag_high = tag >> 8
            self._tag_octets = int(self._tag_high).to_bytes(7, "big")
        return b"%b%b%b%b%b%b%b%b\xce" % (
            front.start, self._tag_octets, _OCTETS[tag & 0xFF], front.place,
            front.fixed, table, front.behind, body,
        )  # fmt: skip

    # ------------------------------------------------------------------ what repeats

    def _find(self, octets: bytes) -> Front | None:
        """What these sections become, where they become no headers."""
        if octets in self._fronts:
            front = self._fronts[octets]
        else:
            front = self._made(octets)
            if len(self._fronts) >= _MOST_FRONTS:
                self._fronts.clear()
            self._fronts[octets] = front
        if front is not None:
            self._front = front
            self._front_octets = octets
        return front

    def _made(self, octets: bytes) -> Front | None:
        try:
            message = leaving(octets)
        except DecodeError:
            return None
        if message.has_headers:
            return None
        front = self._placed(Front(*message.around()), message.to, message.subject)
        if message.to:
            front.exchange = message.to.decode("utf-8", "replace")
            front.defaulted = self._placed(Front(*message.around()), b"", message.subject)
        return front

    def _placed(self, front: Front, exchange: bytes, subject: bytes | None) -> Front:
        if subject is None:
            subject = b"" if exchange else self._queue
        place = place_of(exchange, subject)
        size = len(_DELIVER) + len(self._consumer) + 9 + len(place)
        front.start = _HEAD.pack(1, self._channel, size) + _DELIVER + self._consumer
        front.place = b"\x00" + place + b"\xce"
        return front

    def _measure(self, front: Front, table: i64, body: i64) -> None:
        """Write what of the frames depends on the sizes of headers and body."""
        flags = front.flags
        size: i64 = 14 + len(front.before) + len(front.after)
        headers = b""
        if table > 0:
            flags |= HEADERS
            size += 4 + table
            headers = _SIZE.pack(table)
        fixed = _HEADER.pack(2, self._channel, size, 60, 0, body, flags)
        front.fixed = fixed + front.before + headers
        front.behind = front.after + b"\xce" + _HEAD.pack(3, self._channel, body)

    # ------------------------------------------------------------------ headers

    def _take_headers(self, data: bytes, pos: i64, end: i64) -> bool:
        """Read application properties; false where one is an unusual one."""
        self._serial += 1
        serial = self._serial
        table = b""
        while pos < end:
            value: i64 = pos + 3 + data[pos + 1]
            field = self._fields.get(data[pos:value])
            if field is None:
                field = self._learn(data[pos:value])
                if field is None:
                    return False
            # Of two of one name the later counts.
            if field.name.seen == serial:
                return False
            field.name.seen = serial
            pos = value + (1 + data[value] if field.width == _WIDTH_OF_TEXT else field.width)
            if pos > end:
                return False
            table = b"%b%b%b" % (table, field.start, data[value:pos])
        self._table = table
        return True

    def _learn(self, raw: bytes) -> Field | None:
        """A property that begins so, with its name and its constructor; None where it is an unusual one."""
        code = raw[len(raw) - 1]
        if raw[0] != 0xA1 or len(raw) != 3 + raw[1]:
            return None
        same = SAME.get(code)
        simple = _SIMPLE.get(code)
        width: i64 = 0
        if code in (0xA1, 0xA3):
            kind = b"S\x00\x00\x00"
            width = _WIDTH_OF_TEXT
        elif same is not None:
            kind = same[0]
            width = same[1]
        elif simple is not None:
            kind = simple
        else:
            return None
        if len(self._fields) >= _MOST_FIELDS:
            self._fields.clear()
            self._names.clear()
        name = raw[1:-1]
        known = self._names.get(name)
        if known is None:
            known = Name()
            self._names[name] = known
        field = Field(known, name + kind, width)
        self._fields[raw] = field
        return field


def _uint(data: bytes, pos: i64) -> i64:
    return data[pos] << 24 | data[pos + 1] << 16 | data[pos + 2] << 8 | data[pos + 3]
