"""Converts the properties of a publish, except its headers, to the AMQP 1.0 sections before them."""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp091.errors import ReplyError
from lastvalue.codec.amqp091.message_decoder import (
    CONTENT_ENCODING,
    CONTENT_TYPE,
    CORRELATION_ID,
    DELIVERY_MODE,
    HEADERS,
    MESSAGE_ID,
    PERSISTENT,
    PRIORITY,
    REPLY_TO,
    TIMESTAMP,
    decode_message,
)
from lastvalue.codec.amqp10.encoded_values import string, symbol
from lastvalue.codec.octets import OCTETS, is_text

_USUAL: Final = (
    CONTENT_TYPE
    | CONTENT_ENCODING
    | HEADERS
    | DELIVERY_MODE
    | PRIORITY
    | CORRELATION_ID
    | REPLY_TO
    | MESSAGE_ID
    | TIMESTAMP
)
_NULL: Final = b"\x40"
_MILLISECONDS: Final = struct.Struct(">q")
_NO_BODY: Final = b"\x00\x53\x75\xa0\x00"
_DURABLE: Final = [b"\x40", b"\x42", b"\x41"]
"""For no delivery mode, a transient message, and a persistent one."""


@final
class Properties:
    """Converts the properties of publishes to one address, and caches the last result.

    Args:
        exchange, key: the exchange and the routing key.
        qpid: see `decode_message`.

    Attributes:
        front: the sections of the last properties.
    """

    __slots__ = (
        "_after",
        "_before",
        "_coding",
        "_exchange",
        "_flags",
        "_key",
        "_qpid",
        "_subject",
        "_to",
        "_type",
        "front",
    )

    def __init__(self, exchange: bytes, key: bytes, qpid: bool = False) -> None:
        self.front = b""
        self._qpid = qpid
        self._exchange = exchange
        self._key = key
        self._to = string(exchange) if exchange else _NULL
        self._subject = string(key) if key else _NULL
        # The last properties: their flags, and the octets before and after the headers.
        self._flags: i64 = -1
        self._before = b""
        self._after = b""
        # Content type and encoding of the last ones, in AMQP 1.0.
        self._type = _NULL
        self._coding = _NULL

    def take(self, flags: i64, before: bytes, after: bytes) -> bool:
        """Read properties; returns false if they are malformed, or one becomes a header.

        `flags` say which there are; the octets are those before the headers and those behind them.
        """
        if flags == self._flags and before == self._before and after == self._after:
            return True
        if (flags != self._flags or before != self._before) and not self._take_types(flags, before):
            return False
        front = self._sections(flags, after) if flags & ~_USUAL == 0 else b""
        if not front:
            front = self._unusual(flags, before, after)
            if not front:
                return False
        self._flags = flags
        self._before = before
        self._after = after
        self.front = front
        return True

    def _take_types(self, flags: i64, before: bytes) -> bool:
        self._flags = -1
        if not before.isascii():
            return False
        size: i64 = 0
        self._type = self._coding = _NULL
        if flags & CONTENT_TYPE != 0:
            size = 1 + before[0]
            self._type = symbol(before[1:size])
        if flags & CONTENT_ENCODING != 0:
            self._coding = symbol(before[size + 1 :])
        return True

    def _unusual(self, flags: i64, before: bytes, after: bytes) -> bytes:
        """The sections of any properties; empty if they are malformed."""
        kept = flags & ~HEADERS
        header = b"%b%b%b%b%b" % (bytes(12), OCTETS[kept >> 8], OCTETS[kept & 0xFF], before, after)
        try:
            whole = decode_message(header, self._exchange, self._key, b"", self._qpid)
        except ReplyError:
            return b""
        return whole[: len(whole) - len(_NO_BODY)]

    def _sections(self, flags: i64, after: bytes) -> bytes:  # noqa: C901 - hot: one property after the other
        """The sections of the usual properties; empty if there is an unusual one."""
        end: i64 = len(after)
        pos: i64 = 0
        header = b""
        reply = correlation = message = _NULL
        try:
            mode: i64 = 0
            if flags & DELIVERY_MODE != 0:
                mode = 2 if after[0] == PERSISTENT else 1
                pos = 1
            if flags & PRIORITY != 0:
                header = b"\x00\x53\x70\xc0\x04\x02%b\x50%b" % (_DURABLE[mode], OCTETS[after[pos]])
                pos += 1
            elif mode > 0:
                header = b"\x00\x53\x70\xc0\x02\x01%b" % _DURABLE[mode]
            if flags & CORRELATION_ID != 0:
                stop = pos + 1 + after[pos]
                correlation = _text(after[pos:stop])
                pos = stop
            if flags & REPLY_TO != 0:
                stop = pos + 1 + after[pos]
                reply = _text(after[pos:stop])
                pos = stop
            if flags & MESSAGE_ID != 0:
                stop = pos + 1 + after[pos]
                message = _text(after[pos:stop])
                pos = stop
            if not (correlation and reply and message):
                return b""
            if flags & TIMESTAMP != 0:
                return self._timed(header, message, reply, correlation, after[pos:])
        except IndexError:
            return b""
        if pos != end:
            return b""
        fields = [message, _NULL, self._to, self._subject, reply, correlation, self._type, self._coding]
        last: i64 = 8
        while last > 0 and fields[last - 1] is _NULL:
            last -= 1
        if last == 0:
            return header + b"\x00\x53\x73\x45"
        return _listed(header, b"".join(fields[:last]), last)

    def _timed(self, header: bytes, message: bytes, reply: bytes, correlation: bytes, time: bytes) -> bytes:
        """The sections with a timestamp, which comes after all other fields."""
        if len(time) != 8 or time[0] != 0 or time[1] != 0 or time[2] != 0:
            return b""
        seconds: i64 = time[3] << 32 | time[4] << 24 | time[5] << 16 | time[6] << 8 | time[7]
        moment = _MILLISECONDS.pack(seconds * 1000)
        content = b"%b\x40%b%b%b%b%b%b\x40\x83%b" % (
            message, self._to, self._subject, reply, correlation, self._type, self._coding, moment,
        )  # fmt: skip
        return _listed(header, content, 10)


def _listed(header: bytes, content: bytes, count: i64) -> bytes:
    """The sections header and properties; empty if the latter need a size of more than one octet."""
    size: i64 = len(content)
    if size >= 255:
        return b""
    return b"%b\x00\x53\x73\xc0%b%b%b" % (header, OCTETS[size + 1], OCTETS[count], content)


def _text(short: bytes) -> bytes:
    """A shortstr in AMQP 1.0; empty if it is malformed."""
    if len(short) != 1 + short[0] or not (short.isascii() or is_text(short[1:])):
        return b""
    return b"\xa1" + short
