"""The fast path for deliveries: from AMQP 1.0 sections directly to frames.

Parts that repeat from message to message are cached: the converted properties, the address, the encoded names
of headers, the sizes. `message_encoder` handles messages of any other form; the frames are the same, octet
for octet.
"""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp091.fields import SAME, write_field
from lastvalue.codec.amqp091.message_decoder import HEADERS
from lastvalue.codec.amqp091.methods import place_of
from lastvalue.codec.amqp091.shortcuts.header_fields import OTHER, TEXT, HeaderField, HeaderName
from lastvalue.codec.amqp091.shortcuts.properties_encoder import PropertiesEncoder
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.octets import MOST_QUICK_BYTES, OCTETS, number_at

_MOST_PLACES: Final = 1024
_MOST_FIXED: Final = 18
"""The bytes of a content header besides its properties, and the size of its table."""
_MOST_FIELDS: Final = 256
_HEAD: Final = struct.Struct(">BHI")
_SIZE: Final = struct.Struct(">I")
_HEADER: Final = struct.Struct(">BHIHHQH")
_DELIVER: Final = b"\x00\x3c\x00\x3c"
_SIMPLE: Final = {0x40: b"V", 0x41: b"t\x01", 0x42: b"t\x00"}
"""Values that consist only of their constructor."""


@final
class Place:
    """The address of a message in a basic.deliver.

    Attributes:
        exchange: the exchange's name; "" is the default exchange.
        start, rest: the method's frame before the delivery tag, and after it.
        defaulted: the same with the default exchange, for a message whose exchange does not exist.
    """

    __slots__ = ("defaulted", "exchange", "rest", "start")

    def __init__(self, exchange: str, start: bytes, rest: bytes) -> None:
        self.exchange = exchange
        self.start = start
        self.rest = rest
        self.defaulted: Place | None = None


@final
class DeliveryWriter:
    """Writes the deliveries of one consumer.

    Args:
        channel: the channel's number.
        consumer: the consumer's tag, a shortstr.
        queue: the name of its queue.
        frame_max: the size of the largest frame that the peer accepts, in bytes.
    """

    __slots__ = (
        "_body",
        "_body_head",
        "_body_size",
        "_channel",
        "_consumer",
        "_fields",
        "_flags",
        "_header_head",
        "_header_size",
        "_most_body",
        "_names",
        "_place",
        "_place_octets",
        "_places",
        "_properties",
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
        self._properties = PropertiesEncoder()
        self._place: Place | None = None
        self._place_octets = b""
        self._places: dict[bytes, Place] = {}
        self._fields: dict[bytes, HeaderField] = {}
        self._names: dict[bytes, HeaderName] = {}
        self._serial: i64 = 0
        # The current message.
        self._table = b""
        self._body = b""
        # The heads of the last message's frames, and the values that these depend on.
        self._flags: i64 = 0
        self._header_size: i64 = -1
        self._body_size: i64 = -1
        self._header_head = b""
        self._body_head = b""
        # All octets of the delivery tag except the last.
        self._tag_high: i64 = -1
        self._tag_octets = b""

    @property
    def body_size(self) -> i64:
        """Of the message that was read last."""
        return len(self._body)

    def read(self, encoded: bytes) -> Place | None:  # noqa: C901, PLR0911 - hot: one check after the other
        """Read a message to write; returns None if it has another form."""
        size: i64 = len(encoded)
        try:
            # The sections header and properties are lists.
            pos: i64 = 0
            section: i64 = encoded[2]
            while section == 0x70 or section == 0x73:
                code: i64 = encoded[pos + 3]
                if encoded[pos] != 0 or encoded[pos + 1] != 0x53 or (code != 0xC0 and code != 0x45):
                    return None
                pos += 4 if code == 0x45 else 5 + encoded[pos + 4]
                section = encoded[pos + 2]
            if not self._properties.take(encoded[:pos]):
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
                    pos += 8 + number_at(encoded, pos + 4)
                if not self._take_headers(encoded, start, pos):
                    return None
            if encoded[pos] != 0 or encoded[pos + 1] != 0x53 or encoded[pos + 2] != 0x75:
                return None
            start = pos + 5 if encoded[pos + 3] == 0xA0 else pos + 8
            stop: i64 = start + (encoded[pos + 4] if start == pos + 5 else number_at(encoded, pos + 4))
        except (DecodeError, IndexError):
            return None
        properties = self._properties
        headers: i64 = _MOST_FIXED + len(properties.before) + len(properties.after) + len(self._table)
        most = self._most_body
        if stop != size or start == stop or stop - start > most or headers > most:
            return None
        self._body = encoded[start:stop]
        place = self._place
        if place is None or self._place_octets != self._properties.place:
            place = self._find()
        return place

    def frames(self, place: Place, tag: i64) -> bytes:
        """The frames of the message that was read last, delivered for the first time with this tag."""
        properties = self._properties
        table = self._table
        body = self._body
        flags = properties.flags
        size: i64 = 14 + len(properties.before) + len(properties.after)
        headers: i64 = len(table)
        if headers > 0:
            flags |= HEADERS
            size += 4 + headers
            table = b"%b%b" % (_SIZE.pack(headers), table)
        body_size: i64 = len(body)
        if size != self._header_size or body_size != self._body_size or flags != self._flags:
            self._header_size = size
            self._body_size = body_size
            self._flags = flags
            self._header_head = _HEADER.pack(2, self._channel, size, 60, 0, body_size, flags)
            self._body_head = b"\xce" + _HEAD.pack(3, self._channel, body_size)
        if tag >> 8 != self._tag_high:
            self._tag_high = tag >> 8
            self._tag_octets = int(self._tag_high).to_bytes(7, "big")
        return b"%b%b%b%b%b%b%b%b%b%b\xce" % (
            place.start, self._tag_octets, OCTETS[tag & 0xFF], place.rest,
            self._header_head, properties.before, table, properties.after, self._body_head, body,
        )  # fmt: skip

    # ------------------------------------------------------------------ places

    def _find(self) -> Place:
        """The address of the current message."""
        properties = self._properties
        octets = properties.place
        place = self._places.get(octets)
        if place is None:
            place = self._placed(properties.exchange, properties.subject)
            if properties.exchange:
                place.defaulted = self._placed(b"", properties.subject)
            if len(self._places) >= _MOST_PLACES:
                self._places.clear()
            self._places[octets] = place
        self._place = place
        self._place_octets = octets
        return place

    def _placed(self, exchange: bytes, subject: bytes | None) -> Place:
        if subject is None:
            subject = b"" if exchange else self._queue
        place = place_of(exchange, subject)
        size = len(_DELIVER) + len(self._consumer) + 9 + len(place)
        start = _HEAD.pack(1, self._channel, size) + _DELIVER + self._consumer
        return Place(exchange.decode("utf-8", "replace"), start, b"\x00" + place + b"\xce")

    # ------------------------------------------------------------------ headers

    def _take_headers(self, data: bytes, pos: i64, end: i64) -> bool:
        """Read application properties; returns false if one has an unusual name.

        Raises:
            DecodeError, IndexError: a property is malformed.
        """
        if end - pos > MOST_QUICK_BYTES:
            return False
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
            # The later of two with one name counts.
            if field.name.seen == serial:
                return False
            field.name.seen = serial
            if field.width == OTHER:
                octets, pos = write_field(data, value - 1, end)
            else:
                pos = value + (1 + data[value] if field.width == TEXT else field.width)
                octets = data[value:pos]
            if pos > end:
                return False
            table = b"%b%b%b" % (table, field.start, octets)
        self._table = table
        return True

    def _learn(self, raw: bytes) -> HeaderField | None:
        """The cached field for a property's name and constructor; None if the name is unusual."""
        code = raw[len(raw) - 1]
        if raw[0] != 0xA1 or len(raw) != 3 + raw[1]:
            return None
        same = SAME.get(code)
        simple = _SIMPLE.get(code)
        width: i64 = 0
        if code in (0xA1, 0xA3):
            kind = b"S\x00\x00\x00"
            width = TEXT
        elif same is not None:
            kind = same[0]
            width = same[1]
        elif simple is not None:
            kind = simple
        else:
            kind = b""
            width = OTHER
        if len(self._fields) >= _MOST_FIELDS:
            self._fields.clear()
            self._names.clear()
        name = raw[1:-1]
        known = self._names.get(name)
        if known is None:
            known = HeaderName()
            self._names[name] = known
        field = HeaderField(known, name + kind, width)
        self._fields[raw] = field
        return field
