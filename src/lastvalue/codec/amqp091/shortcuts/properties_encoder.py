"""Converts the sections header and properties to the properties of a content header."""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp091.message_decoder import (
    CONTENT_ENCODING,
    CONTENT_TYPE,
    CORRELATION_ID,
    DELIVERY_MODE,
    MESSAGE_ID,
    PRIORITY,
    REPLY_TO,
    TIMESTAMP,
    USER_ID,
)
from lastvalue.codec.amqp091.message_encoder import encode_message
from lastvalue.codec.amqp10.errors import DecodeError

_MILLISECONDS: Final = struct.Struct(">q")
_SECONDS: Final = struct.Struct(">Q")
# [1.0 §3.2.4] Indexes of fields in the section properties.
_TO: Final = 2
_SUBJECT: Final = 3
_USUAL: Final = 8
"""The fields before this index are usually texts."""
_EXPIRY: Final = 8
_CREATED: Final = 9


@final
class PropertiesEncoder:
    """Converts the header and properties of delivered messages, and caches the last result.

    Attributes:
        flags: the flags of the present properties, without the headers.
        before, after: the properties before the headers, and after them.
        exchange: the exchange that the message was sent to, or b"".
        subject: its subject, or None.
        place: a value that is equal for equal exchange and subject; empty without them.
    """

    __slots__ = ("_mode", "_octets", "_time", "after", "before", "exchange", "flags", "place", "subject")

    def __init__(self) -> None:
        self.flags: i64 = 0
        self.before = b""
        self.after = b""
        self.exchange = b""
        self.subject: bytes | None = None
        self.place = b""
        self._octets: bytes | None = None
        # Delivery mode, priority and timestamp of the current sections, in AMQP 0-9-1.
        self._mode = b""
        self._time = b""

    def take(self, octets: bytes) -> bool:
        """Read these sections; returns false if they are malformed, or a part of them becomes a header."""
        known = self._octets
        if known is not None and known == octets:
            return True
        self._octets = None
        try:
            taken = self._take_usual(octets)
        except IndexError:
            taken = False
        if not taken and not self._take_any(octets):
            return False
        self._octets = octets
        return True

    def _take_any(self, octets: bytes) -> bool:
        try:
            message = encode_message(octets)
        except DecodeError:
            return False
        if message.has_headers:
            return False
        flags, self.before, self.after = message.around()
        self.flags = flags
        self.exchange = message.to
        self.subject = message.subject
        # These octets cannot be the beginning of a field.
        self.place = b"\xff" + octets
        return True

    def _take_usual(self, data: bytes) -> bool:
        """Read sections whose fields have the usual types; returns false if one has not."""
        self.flags = 0
        self._mode = self._time = b""
        self.exchange = self.place = b""
        self.subject = None
        size: i64 = len(data)
        pos: i64 = 0
        if size > 0 and data[2] == 0x70:
            pos = self._take_header(data)
            if pos < 0:
                return False
        texts = [b""] * _USUAL
        if pos < size and data[pos + 3] != 0x45:
            if not self._take_fields(data, pos + 6, pos + 5 + data[pos + 4], data[pos + 5], texts):
                return False
            pos += 5 + data[pos + 4]
        elif pos < size:
            pos += 4
        if pos != size:
            return False
        self._take_texts(texts)
        return True

    def _take_texts(self, texts: list[bytes]) -> None:
        """Set the texts by their indexes."""
        message, user, to, subject, reply, correlation, kind, coding = texts
        if message:
            self.flags |= MESSAGE_ID
        if user:
            self.flags |= USER_ID
        if to:
            self.exchange = to[1:]
        if subject:
            self.subject = subject[1:]
        if reply:
            self.flags |= REPLY_TO
        if correlation:
            self.flags |= CORRELATION_ID
        if kind:
            self.flags |= CONTENT_TYPE
        if coding:
            self.flags |= CONTENT_ENCODING
        self.before = kind + coding
        self.after = b"%b%b%b%b%b%b" % (self._mode, correlation, reply, message, self._time, user)

    def _take_header(self, data: bytes) -> i64:  # noqa: C901 - hot: one field after the other
        """Read the section header; returns the position after it, or -1 if it has more than two fields."""
        if data[3] == 0x45:
            return 4
        count: i64 = data[5]
        if count > 2:
            return -1
        end: i64 = 5 + data[4]
        pos: i64 = 6
        mode = priority = b""
        if count > 0:
            code: i64 = data[6]
            pos = 7
            if code == 0x41:
                mode = b"\x02"
            elif code == 0x42:
                mode = b"\x01"
            elif code != 0x40:
                return -1
        if count > 1:
            code = data[7]
            pos = 8
            if code == 0x50:
                priority = data[8:9]
                pos = 9
            elif code != 0x40:
                return -1
        if pos != end:
            return -1
        if mode:
            self.flags |= DELIVERY_MODE
        if priority:
            self.flags |= PRIORITY
        self._mode = mode + priority
        return end

    def _take_fields(self, data: bytes, pos: i64, end: i64, count: i64, texts: list[bytes]) -> bool:
        """Read the fields of the section properties; the bytes of short texts are shortstrs already."""
        place: i64 = 0
        place_start: i64 = 0
        place_end: i64 = 0
        while place < count:
            code: i64 = data[pos]
            stop: i64 = pos + 1
            if code == 0xA1 or code == 0xA3 or code == 0xA0:
                stop = pos + 2 + data[pos + 1]
                if place >= _USUAL:
                    return False
                texts[place] = data[pos + 1 : stop]
            elif code == 0x83 and _EXPIRY <= place <= _CREATED:
                stop = pos + 9
                if place == _CREATED:
                    milliseconds: i64 = _MILLISECONDS.unpack(data[pos + 1 : stop])[0]
                    self._time = _SECONDS.pack(max(0, milliseconds // 1000))
                    self.flags |= TIMESTAMP
            elif code != 0x40:
                return False
            if place == _TO:
                place_start = pos
                place_end = stop
            elif place == _SUBJECT:
                place_end = stop
            if stop > end:
                return False
            pos = stop
            place += 1
        self.place = data[place_start:place_end]
        return pos == end
