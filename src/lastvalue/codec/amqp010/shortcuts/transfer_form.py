"""Header segments of messages that differ only in values."""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp010.decoder import Decoder as Decoder010
from lastvalue.codec.amqp010.encoder import encode_typed
from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.amqp010.shortcuts.segments import behind_delivery, segment_fields
from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.message_form import SECONDS, SECTION, SIZED, TEXT, WHOLE, FormPlace, MessageForm
from lastvalue.codec.octets import number_at
from lastvalue.model.message import NEVER

_SIZE: Final = struct.Struct(">I")
_LONG_SIZE: Final = struct.Struct(">Q")
_ID_SIZE: Final = 16
_TIME_SIZE: Final = 8
_STRUCT_HEAD: Final = 8
"""Of a struct with properties: its size, its code and its flags."""
_TEXT: Final = b"\x95\0"
"""The type of a text, and the first octet of its size."""
_LONG: Final = 0x31

# Of a message of AMQP 1.0: the places of fields, and constructors.
_ID_INDEX: Final = 0
_SUBJECT_INDEX: Final = 3
_EXPIRY_INDEX: Final = 8
_CREATED_INDEX: Final = 9
_TEXT_CODE: Final = 0xA1
_LONG_CODE: Final = 0x81
_TIME_CODE: Final = 0x83
_UUID_CODE: Final = 0x98

# Flags of the delivery properties, and of the message properties in their first byte.
_PRIORITY: Final = 8
_DELIVERY_MODE: Final = 16
_TTL: Final = 32
_TIMESTAMP: Final = 64
_EXPIRATION: Final = 128
_CONTENT_LENGTH: Final = 1
_MESSAGE_ID: Final = 2


@final
class PublishedTo:
    """Where a message was published to, and what is known of these names.

    Args:
        address, subject: of the message, or None.
        names: the existing exchanges and queues.

    Attributes:
        is_exchange: the address is that of an exchange; then the subject is but a routing key.
    """

    __slots__ = ("_address", "_is_queue", "_subject", "is_exchange")

    def __init__(self, address: str | None, subject: str | None, names: Names) -> None:
        self._address = address
        self._subject = subject
        self.is_exchange = address is not None and names.is_exchange(address)
        self._is_queue = subject is not None and names.is_queue(subject)

    def holds(self, names: Names) -> bool:
        """Whether the existence of the exchange and the queue is unchanged."""
        address = self._address
        if address is not None:
            return names.is_exchange(address) == self.is_exchange
        subject = self._subject
        return subject is None or names.is_queue(subject) == self._is_queue


@final
class TransferForm:
    """Header segments that differ only in the values of messages of one form.

    Args:
        data: a message.
        places: of its values that may differ.
        header: its header segment, with all of its time to live.
        published_to: where.

    Attributes:
        form: that of the messages.
        parts: the last message: first what is before its header segment, last what is before its body, and
            that.
        has_body: the body is not empty; others have other segments.
        ttl_ms: the time to live, or NEVER.
        ttl_at: the index of its part.
        header_more: what the size of the segment has besides that of the values.
        header_size, delivery_size, map_size, body_size: of the last message.
    """

    __slots__ = (
        "_delivery_at",
        "_delivery_more",
        "_end",
        "_header",
        "_key_at",
        "_length_at",
        "_map_at",
        "_map_more",
        "_properties_at",
        "_whole",
        "body_size",
        "delivery_size",
        "form",
        "has_body",
        "header_more",
        "header_size",
        "map_size",
        "parts",
        "published_to",
        "ttl_at",
        "ttl_ms",
    )  # fmt: skip

    def __init__(
        self, data: bytes, places: list[FormPlace], header: bytes, published_to: PublishedTo
    ) -> None:
        self.published_to = published_to
        self.parts: list[bytes] = [b""]
        self.ttl_ms: i64 = NEVER
        self.ttl_at: i64 = 0
        self.header_size: i64 = -1
        self.body_size: i64 = -1
        self.map_size: i64 = -1
        self._header = header
        self._end: i64 = 0
        self._length_at: i64 = 0
        self._map_at: i64 = 0
        self._properties_at: i64 = 0
        self._delivery_at: i64 = 0
        self._key_at: i64 = 0
        self._delivery_more: i64 = 0
        self.delivery_size: i64 = -1
        fields = {place.index: place for place in places if place.index >= 0}
        behind = behind_delivery(header)
        self._put_delivery(data, fields)
        if behind < len(header):
            self._put_properties(data, places, fields, behind)
        self._put_up_to(len(header))
        self.parts += [b"", b""]
        chosen = [place for place in places if place.kind >= SECTION or place.into]
        self.form = form = MessageForm(data, chosen)
        self._whole = [place for place in chosen if place.kind == WHOLE]
        self.has_body = form.body < len(data)
        more = self.convert()
        self.header_more: i64 = len(header) - form.body - more
        self._delivery_more = behind - self.size_of_delivery()
        size: i64 = number_at(header, self._map_start(behind)) if self._map_at > 0 else 0
        self._map_more: i64 = size - (form.body - form.application) - more
        # The parts are those of the message again.
        form.fits(data)

    def convert(self) -> i64:
        """Convert the last message's values that are whole; by how many octets they grow.

        Raises:
            DecodeError, EncodeError: AMQP 0-10 does not have one of them.
        """
        more: i64 = 0
        for place in self._whole:
            value = place.into[place.slot]
            typed = encode_typed(Decoder(value, 0, len(value)).read(), 0)
            place.into[place.slot] = typed
            more += len(typed) - len(value)
        return more

    def size_of_delivery(self) -> i64:
        """The size of the last message's delivery properties, which end with its routing key."""
        return self._delivery_more + (len(self.parts[self._key_at]) if self._key_at > 0 else 0)

    def set_sizes(self, header_size: i64, delivery_size: i64, map_size: i64, body_size: i64) -> None:
        """Set the parts that are sizes."""
        self.header_size = header_size
        self.delivery_size = delivery_size
        self.map_size = map_size
        self.body_size = body_size
        if self._properties_at > 0:
            self.parts[self._properties_at] = _SIZE.pack(header_size - delivery_size - _SIZE.size)
        if self._delivery_at > 0:
            self.parts[self._delivery_at] = _SIZE.pack(delivery_size - _SIZE.size)
        if self._length_at > 0:
            self.parts[self._length_at] = _LONG_SIZE.pack(body_size)
        if self._map_at > 0:
            self.parts[self._map_at] = _SIZE.pack(map_size)

    def size_of_map(self, more: i64) -> i64:
        """The size of the last message's headers, whose values have grown by this."""
        return self._map_more + self.form.body - self.form.application + more

    # ------------------------------------------------------------------ parts

    def _put_delivery(self, data: bytes, fields: dict[int, FormPlace]) -> None:
        header = self._header
        flags: i64 = header[6]
        key = fields.get(_SUBJECT_INDEX) if self.published_to.is_exchange else None
        if key is not None and key.kind == SIZED:
            self._delivery_at = self._put_part(0, _SIZE.size)
        pos: i64 = _STRUCT_HEAD + (1 if flags & _PRIORITY else 0) + (1 if flags & _DELIVERY_MODE else 0)
        if flags & _TTL:
            self.ttl_ms = _LONG_SIZE.unpack_from(header, pos)[0]
            self.ttl_at = self._put_part(pos, _TIME_SIZE)
            pos += _TIME_SIZE
        for flag, index in ((_TIMESTAMP, _CREATED_INDEX), (_EXPIRATION, _EXPIRY_INDEX)):
            if flags & flag:
                place = fields.get(index)
                if place is not None and place.code == _TIME_CODE:
                    place.kind = SECONDS
                    self._put(place, data, pos, _TIME_SIZE)
                pos += _TIME_SIZE
        if self._delivery_at > 0 and key is not None:
            key.kind = TEXT
            pos += 1 + header[pos]
            self._put(key, data, pos, 1 + header[pos])
            self._key_at = key.slot

    def _put_properties(
        self, data: bytes, places: list[FormPlace], fields: dict[int, FormPlace], behind: i64
    ) -> None:
        header = self._header
        flags: i64 = header[behind + 6]
        self._properties_at = self._put_part(behind, 4)
        pos = behind + _STRUCT_HEAD
        if flags & _CONTENT_LENGTH:
            self._length_at = self._put_part(pos, _TIME_SIZE)
            pos += _TIME_SIZE
        place = fields.get(_ID_INDEX)
        if flags & _MESSAGE_ID and place is not None and place.code == _UUID_CODE:
            self._put(place, data, pos, _ID_SIZE)
        if header[behind + 7] & 1:
            self._put_headers(data, {each.name: each for each in places if each.name}, behind)

    def _map_start(self, behind: i64) -> i64:
        """Where the map of headers starts, which is the last field."""
        found = segment_fields(self._header, behind)
        flags: i64 = self._header[behind + 6]
        start = behind + _STRUCT_HEAD + (_TIME_SIZE if flags & _CONTENT_LENGTH else 0)
        return start + (_ID_SIZE if flags & _MESSAGE_ID else 0) + (len(found[1]) if found is not None else 0)

    def _put_headers(self, data: bytes, values: dict[bytes, FormPlace], behind: i64) -> None:
        header = self._header
        pos = self._map_start(behind)
        self._map_at = self._put_part(pos, 4)
        decoder = Decoder010(header, pos + 8, len(header))
        while decoder.pos < len(header):
            name = decoder.take(decoder.size(1))
            start = decoder.pos
            decoder.typed(0)
            place = values.get(name)
            if place is None:
                continue
            if place.code == _TEXT_CODE and header[start : start + 2] == _TEXT:
                place.kind = TEXT
                self._put(place, data, start + 2, decoder.pos - start - 2)
            elif place.code == _LONG_CODE and header[start] == _LONG:
                self._put(place, data, start + 1, _TIME_SIZE)
            else:
                place.widen()
                self._put(place, data, start, decoder.pos - start)

    def _put(self, place: FormPlace, data: bytes, pos: i64, size: i64) -> None:
        """Have a value of the message in the place of these octets."""
        self._put_up_to(pos)
        place.put(self.parts, data)
        self._end = pos + size

    def _put_part(self, pos: i64, size: i64) -> i64:
        """Have these octets as a part; its index."""
        self._put_up_to(pos)
        self.parts.append(self._header[pos : pos + size])
        self._end = pos + size
        return len(self.parts) - 1

    def _put_up_to(self, pos: i64) -> None:
        self.parts.append(self._header[self._end : pos])
        self._end = pos
