"""The fast path for deliveries: from AMQP 1.0 sections directly to frames.

Messages of a form that was learnt from `message_encoder` are written by that form; `message_encoder` handles
all others. The frames are the same, octet for octet.
"""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp091.fields import SAME, short_string, write_field
from lastvalue.codec.amqp091.message_decoder import HEADERS, MESSAGE_ID, TIMESTAMP
from lastvalue.codec.amqp091.message_encoder import FIELDS, ORDER, MessageEncoder, encode_message
from lastvalue.codec.amqp091.methods import place_of
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message_form import (
    SECONDS,
    SECTION,
    SIZED,
    UUID_TEXT,
    WHOLE,
    FormBenefit,
    FormPlace,
    MessageForm,
    form_places,
)
from lastvalue.codec.amqp10.sections import PROPERTIES
from lastvalue.codec.octets import OCTETS

_MOST_PLACES: Final = 1024
_MOST_FORMS: Final = 8
_HEAD: Final = struct.Struct(">BHI")
_SIZE: Final = struct.Struct(">I")
_HEADER: Final = struct.Struct(">BHIHHQH")
_MOST_SHORT: Final = 255
_DELIVER: Final = b"\x00\x3c\x00\x3c"
_TO: Final = 2
_SUBJECT: Final = 3
_EXPIRY: Final = 8
_MILLISECONDS: Final = 0x83
"""The constructor of a time."""
_UUID: Final = 0x98
"""The constructor of a UUID."""
_TEXTS: Final = (0xA1, 0xA3)
"""The constructors of a short text and a short symbol."""

# The parts of a delivery: first those that each one has.
_START: Final = 0
_TAG_HIGH: Final = 1
_TAG_LOW: Final = 2
_REST: Final = 3
_HEADER_HEAD: Final = 4


_SIMPLE: Final = {b"\x40": b"V", b"\x41": b"t\x01", b"\x42": b"t\x00"}
"""The fields of the values that consist only of their constructor."""


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
class DeliveryForm:
    """Deliveries that differ only in the values of messages of one form.

    Args:
        data: a message.
        places: of its values that may differ.
        message: what it is in AMQP 0-9-1.

    Attributes:
        form: that of the messages.
        flags: the properties that they have.
        parts: the frames of the last message.
        to, subject: its address and subject as shortstrs, each in a list of one; empty if it has none.
        table_at: the index of the part with the size of the headers, or 0.
        table_more: what this size has besides the size of the application properties.
        header_more: what the size of the content header has besides that of the values.
        header_size, table_size, body_size: of the last message.
    """

    __slots__ = (
        "_whole", "_written", "body_size", "flags", "form", "header_more", "header_size", "parts", "subject",
        "table_at", "table_more", "table_size", "to",
    )  # fmt: skip

    def __init__(self, data: bytes, places: list[FormPlace], message: MessageEncoder) -> None:
        self.parts = [b""] * (_HEADER_HEAD + 1)
        self.flags: i64 = 0
        self.header_size: i64 = -1
        self.body_size: i64 = -1
        self.table_at: i64 = 0
        self.table_more: i64 = 0
        self.table_size: i64 = 0
        self._written = b""
        fields: dict[int, FormPlace] = {}
        values: dict[bytes, FormPlace] = {}
        for place in places:
            if place.name:
                values[place.name] = place
            elif place.index >= 0:
                fields[place.index] = place
        self.to = _address(fields.get(_TO), data, message.to)
        self.subject = _address(fields.get(_SUBJECT), data, message.subject)
        if _EXPIRY in fields:
            # AMQP 0-9-1 does not say it.
            fields[_EXPIRY].put([], data)
        properties = message.properties
        for flag in ORDER:
            if flag == HEADERS and message.headers:
                self._put_headers(message.headers, values, data)
            elif flag in properties:
                self._put_property(flag, properties[flag], fields.get(FIELDS.get(flag, -1)), data)
        self._flush()
        # The head of the body's frame, the body, and the end of that frame.
        self.parts += [b"", b"", b"\xce"]
        chosen = [place for place in places if place.kind >= SECTION or place.into]
        self.form = form = MessageForm(data, chosen)
        self._whole = [place for place in chosen if place.kind == WHOLE]
        # Values have the same size in both encodings.
        more = self.convert()
        self.header_more: i64 = len(message.header()) - self.values_size() - more
        if self.table_at > 0:
            size = sum([len(name) + 1 + len(field) for name, field in message.headers.items()])
            self.table_more = size - (form.body - form.application) - more
        # The parts are those of the message again.
        form.fits(data)

    def convert(self) -> i64:
        """Convert the last message's values that are whole; by how many octets they grow.

        Raises:
            DecodeError: one is malformed.
        """
        more: i64 = 0
        for place in self._whole:
            value = place.into[place.slot]
            field = _SIMPLE.get(value) or write_field(value, 0, len(value))[0]
            place.into[place.slot] = field
            more += len(field) - len(value)
        return more

    def values_size(self) -> i64:
        """The size of the last message's sections, without the values that are not in the content header."""
        return self.form.body - len(self.to[0]) - len(self.subject[0])

    def _put_property(self, flag: int, octets: bytes, place: FormPlace | None, data: bytes) -> None:
        """Put a property, which is the value of a field or does not differ."""
        self.flags |= flag
        if place is None:
            self._written += octets
        elif flag == TIMESTAMP and place.code == _MILLISECONDS:
            place.kind = SECONDS
            self._put(place, data)
        elif flag == MESSAGE_ID and place.code == _UUID:
            place.kind = UUID_TEXT
            self._put(place, data)
        elif place.kind == SIZED:
            self._put(place, data)
        else:
            self._written += octets

    def _put_headers(self, headers: dict[bytes, bytes], values: dict[bytes, FormPlace], data: bytes) -> None:
        """Put the headers, of which each is the value of an application property or does not differ."""
        self.flags |= HEADERS
        self._flush()
        self.table_at = len(self.parts)
        self.parts.append(b"")
        for name, field in headers.items():
            self._written += short_string(name)
            place = values.get(name)
            if place is None:
                self._written += field
                continue
            same = SAME.get(place.code)
            if same is not None:
                self._written += same[0]
            elif place.code in _TEXTS:
                # Its size has three octets more.
                self._written += b"S\0\0\0"
            else:
                place.widen()
            self._put(place, data)

    def _put(self, place: FormPlace, data: bytes) -> None:
        self._flush()
        place.put(self.parts, data)

    def _flush(self) -> None:
        """Have what is written since the last value as a part."""
        self.parts.append(self._written)
        self._written = b""


def _address(place: FormPlace | None, data: bytes, text: bytes | None) -> list[bytes]:
    """A list that has the address or subject of the last message."""
    into: list[bytes] = []
    if place is not None and place.kind == SIZED:
        place.put(into, data)
    else:
        into.append(b"" if text is None else short_string(text))
    return into


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
        "_benefit", "_body", "_channel", "_consumer", "_forms", "_most_body", "_parts", "_place", "_places",
        "_queue", "_subject", "_tag_high", "_tag_octets", "_to",
    )  # fmt: skip

    def __init__(self, channel: int, consumer: bytes, queue: bytes, frame_max: i64) -> None:
        self._channel = channel
        self._consumer = consumer
        self._queue = queue
        self._most_body: i64 = frame_max - 8
        self._benefit = FormBenefit()
        # The form of the message that was read last is the first.
        self._forms: list[DeliveryForm] = []
        # Its parts and its body.
        self._parts: list[bytes] = []
        self._body = b""
        # Its place, and the address and the subject that this follows from.
        self._place: Place | None = None
        self._to = b""
        self._subject = b""
        self._places: dict[bytes, Place] = {}
        # All octets of the delivery tag except the last.
        self._tag_high: i64 = -1
        self._tag_octets = b""

    @property
    def body_size(self) -> i64:
        """Of the message that was read last."""
        return len(self._body)

    def read(self, encoded: bytes) -> Place | None:
        """Read a message to write; returns None if it has another form."""
        form = self._form_of(encoded)
        if form is None:
            return None
        size: i64 = len(encoded) - form.form.body
        most = self._most_body
        try:
            more = form.convert()
        except DecodeError:
            return None
        header_size: i64 = form.header_more + form.values_size() + more
        if size == 0 or size > most or header_size > most:
            return None
        table_size: i64 = form.table_more + form.form.body - form.form.application + more
        if header_size != form.header_size or table_size != form.table_size or size != form.body_size:
            form.table_size = table_size
            self._set_sizes(form, header_size, size)
        self._parts = form.parts
        self._body = encoded[form.form.body :]
        place = self._place
        if place is None or form.to[0] != self._to or form.subject[0] != self._subject:
            place = self._find(form.to[0], form.subject[0])
        return place

    def frames(self, place: Place, tag: i64) -> bytes:
        """The frames of the message that was read last, delivered for the first time with this tag."""
        if tag >> 8 != self._tag_high:
            self._tag_high = tag >> 8
            self._tag_octets = int(self._tag_high).to_bytes(7, "big")
        parts = self._parts
        parts[_START] = place.start
        parts[_TAG_HIGH] = self._tag_octets
        parts[_TAG_LOW] = OCTETS[tag & 0xFF]
        parts[_REST] = place.rest
        parts[-2] = self._body
        frames = b"".join(parts)
        # A form that no further message has does not keep a body.
        parts[-2] = b""
        return frames

    def _set_sizes(self, form: DeliveryForm, header_size: i64, body_size: i64) -> None:
        """Set the parts that depend on sizes."""
        form.header_size = header_size
        form.body_size = body_size
        channel = self._channel
        form.parts[_HEADER_HEAD] = _HEADER.pack(2, channel, header_size, 60, 0, body_size, form.flags)
        form.parts[-3] = b"\xce" + _HEAD.pack(3, channel, body_size)
        if form.table_at > 0:
            form.parts[form.table_at] = _SIZE.pack(form.table_size)

    # ------------------------------------------------------------------ forms

    def _form_of(self, encoded: bytes) -> DeliveryForm | None:
        forms = self._forms
        for index in range(len(forms)):
            form = forms[index]
            try:
                fits = form.form.fits(encoded)
            except (DecodeError, IndexError):
                fits = False
            if fits:
                if index > 0:
                    del forms[index]
                    forms.insert(0, form)
                self._benefit.found()
                return form
        return self._learn(encoded) if self._benefit.missed() else None

    def _learn(self, encoded: bytes) -> DeliveryForm | None:
        """The form of a message; the fields of the properties may differ if those of the last one did."""
        try:
            places = form_places(encoded)
            if places is None:
                return None
            if self._benefit.misses == 1:
                places = [place for place in places if place.section != PROPERTIES]
            message = encode_message(encoded)
            if len(message.to) > _MOST_SHORT or len(message.subject or b"") > _MOST_SHORT:
                return None
            form = DeliveryForm(encoded, places, message)
        except (DecodeError, IndexError):
            return None
        del self._forms[_MOST_FORMS - 1 :]
        self._forms.insert(0, form)
        return form

    # ------------------------------------------------------------------ places

    def _find(self, to: bytes, subject: bytes) -> Place:
        """The address of a message with these, which are shortstrs."""
        octets = to + b"/" + subject
        place = self._places.get(octets)
        if place is None:
            place = self._placed(to[1:], subject)
            if len(to) > 1:
                place.defaulted = self._placed(b"", subject)
            if len(self._places) >= _MOST_PLACES:
                self._places.clear()
            self._places[octets] = place
        self._place = place
        self._to = to
        self._subject = subject
        return place

    def _placed(self, exchange: bytes, subject: bytes) -> Place:
        key = subject[1:] if subject or exchange else self._queue
        place = place_of(exchange, key)
        size = len(_DELIVER) + len(self._consumer) + 9 + len(place)
        start = _HEAD.pack(1, self._channel, size) + _DELIVER + self._consumer
        return Place(exchange.decode("utf-8", "replace"), start, b"\x00" + place + b"\xce")
