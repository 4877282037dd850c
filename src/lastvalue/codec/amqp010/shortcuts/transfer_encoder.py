"""The fast path from AMQP 1.0 sections to AMQP 0-10 frames.

Messages on a queue are similar: header and properties repeat the same bytes, and only the message-id, the
application properties and the body differ.
The result of `header_and_body` for the repeated bytes is cached; the application properties are copied one by
one. The result equals that of `header_and_body`, byte for byte, which also handles annotated and all other
messages.
"""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp010.encoder import encode_typed
from lastvalue.codec.amqp010.errors import EncodeError
from lastvalue.codec.amqp010.header_and_body import header_and_body, left_ms, routed_by
from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.amqp010.properties import read_properties
from lastvalue.codec.amqp010.shortcuts.envelopes import ID_SIZE, Envelope, KnownSections
from lastvalue.codec.amqp010.shortcuts.segments import (
    MOST_KNOWN,
    CacheBenefit,
    behind_delivery,
    is_sized_text,
    segment_fields,
)
from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.sections import ABSENT, APPLICATION_PROPERTIES, DATA, HEADER, PROPERTIES
from lastvalue.codec.octets import MOST_LEARNED_BYTES, MOST_QUICK_BYTES, OCTETS, number_at
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER
from lastvalue.model.property_names import QPID_APP_ID

MALFORMED: Final = -2

_QUAD: Final = struct.Struct(">Q")
_APP_ID: Final = OCTETS[len(QPID_APP_ID)] + QPID_APP_ID.encode()
_ID_CODE: Final = 0x98

# Flags of the message properties and of the delivery properties, in their first byte.
_MESSAGE_ID: Final = 2
_REPLY_TO: Final = 8
_PRIORITY: Final = 8
_DELIVERY_MODE: Final = 16


@final
class TransferEncoder:
    """Writes messages as transfers.

    Attributes:
        names: the existing exchanges and queues.
        parts: the bytes of the last message that was written.
        size: the size of its header segment and its body, in bytes.
    """

    __slots__ = (
        "_by_sections",
        "_cache_benefit",
        "_end",
        "_id_at",
        "_last",
        "names",
        "parts",
        "size",
    )

    def __init__(self, names: Names) -> None:
        self.names = names
        self._by_sections: dict[bytes, KnownSections] = {}
        # The cache entry of the last message; this first one matches no message.
        self._last = KnownSections(None, None, names)
        self._last.has_id = True
        self._cache_benefit = CacheBenefit()
        self._id_at: i64 = ABSENT
        self._end: i64 = 0
        self.parts: list[bytes] = []
        self.size: i64 = 0

    def write(self, data: bytes, envelope: Envelope, expires_ms: i64, now: i64) -> bool:
        """Write a message that was not delivered before; returns false if `header_and_body` must do it."""
        try:
            return self._write(data, envelope, expires_ms, now)
        except IndexError:
            return False

    def _write(self, data: bytes, envelope: Envelope, expires_ms: i64, now: i64) -> bool:  # noqa: C901 - a part after the other
        known = self._known_of(data)
        if known is None:
            return False
        pos = self._end
        id_at = self._id_at
        parts = [b""]
        if known.ttl_ms != NEVER:
            parts.append(_QUAD.pack(left_ms(known.ttl_ms, expires_ms, now)))
            parts.append(b"")
        if id_at >= 0:
            parts.append(data[id_at : id_at + ID_SIZE])
            parts.append(b"")
        ahead = len(parts)
        count: i64 = 0
        size: i64 = 0
        if _section(data, pos) == APPLICATION_PROPERTIES:
            count = _copy_properties(data, pos + 3, parts, known.added_names)
            if count < 0:
                return False
            pos = _behind(data, pos + 3)
            for index in range(ahead, len(parts)):
                size += len(parts[index])
        body_at = _body_at(data, pos)
        if body_at == MALFORMED:
            return False
        body_size: i64 = ABSENT if body_at < 0 else len(data) - body_at
        if not envelope.suit(known, count, size, body_size):
            return False
        parts[0] = envelope.before
        if known.ttl_ms != NEVER:
            parts[2] = envelope.behind_ttl
        if id_at >= 0:
            parts[ahead - 1] = envelope.behind_id
        parts.append(envelope.behind)
        self.size = envelope.header_size
        if body_size >= 0:
            parts.append(data[body_at:])
            self.size += body_size
        self.parts = parts
        return True

    def _known_of(self, data: bytes) -> KnownSections | None:
        """The cache entry for header and properties, or None if they cannot be cached.

        Records the end of these sections and the position of their message-id.
        """
        last = self._last
        end: i64 = len(last.leading)
        self._end = end
        self._id_at = ABSENT
        if (
            not last.has_id
            and data[:end] == last.leading
            and _section(data, end) > PROPERTIES
            and last.holds(self.names)
        ):
            # The same as the last message's.
            return last
        id_at: i64 = ABSENT
        end = 0
        if _section(data, end) == HEADER:
            end = _behind(data, end + 3)
        if _section(data, end) == PROPERTIES:
            if data[end + 3] == 0xC0 and data[end + 5] > 0 and data[end + 6] == _ID_CODE:
                id_at = end + 7
            end = _behind(data, end + 3)
        self._end = end
        self._id_at = id_at
        leading = data[:end] if id_at < 0 else data[:id_at] + data[id_at + ID_SIZE : end]
        known = self._by_sections.get(leading)
        if known is None or not known.holds(self.names):
            if not self._cache_benefit.missed():
                return None
            known = self._learn(data[:end], leading)
        else:
            self._cache_benefit.misses = 0
        if known is not None:
            self._last = known
        return known

    def _learn(self, leading: bytes, sections: bytes) -> KnownSections | None:
        """Convert these sections, if the result depends only on their bytes and two names."""
        if len(leading) > MOST_LEARNED_BYTES:
            return None
        try:
            model = read_message(leading)
            address, subject = routed_by(leading)
            header, _ = header_and_body(leading, self.names, {}, 0, NEVER, 0)
        except LastvalueError:
            return None
        known = KnownSections(address, subject, self.names)
        known.leading = sections
        known.has_id = leading != sections
        behind = behind_delivery(header)
        found = segment_fields(header, behind)
        if found is None:
            return None
        flags, known.between = found
        if flags:
            known.flags = flags[2]
            if known.flags & _REPLY_TO or bool(known.flags & _MESSAGE_ID) is not known.has_id:
                return None
            known.delivery = header[:behind]
            if flags[3]:
                _add(known, header)
        elif known.has_id:
            return None
        known.delivery = header[:behind]
        if 0 < model.ttl_ms < NEVER:
            known.ttl_ms = model.ttl_ms
            given = header[6]
            place = 8 + (1 if given & _PRIORITY else 0) + (1 if given & _DELIVERY_MODE else 0)
            known.behind_ttl = header[place + 8 : behind]
            known.delivery = header[:place]
        if len(self._by_sections) >= MOST_KNOWN:
            self._by_sections.clear()
        self._by_sections[sections] = known
        return known


def _add(known: KnownSections, header: bytes) -> None:
    """Record the application headers from these sections, which end the segment."""
    names = read_properties(header).message.map("application_headers")
    known.added_names = [OCTETS[len(name.encode())] + name.encode() for name in names]
    known.added_count = len(names)
    start: i64 = len(known.delivery) + 8 + len(known.between) + (ID_SIZE if known.has_id else 0)
    known.added = header[start + 8 :]


def _copy_properties(data: bytes, pos: i64, parts: list[bytes], taken: list[bytes]) -> i64:  # noqa: PLR0911 - hot: one form after the other
    """Write the map at pos as application headers; returns how many, or ABSENT for a name in `taken`."""
    end = _behind(data, pos)
    code: i64 = data[pos]
    if code & 0xEF != 0xC1 or end > len(data) or end - pos > MOST_QUICK_BYTES:
        return ABSENT
    left: i64 = data[pos + 2] if code == 0xC1 else number_at(data, pos + 5)
    pos += 3 if code == 0xC1 else 9
    names: list[bytes] = []
    while left > 1:
        left -= 2
        if data[pos] != 0xA1:
            return ABSENT
        at = pos + 1
        pos = at + 1 + data[at]
        name = data[at:pos]
        if name in names or name in taken or name == _APP_ID or not is_sized_text(name):
            return ABSENT
        names.append(name)
        parts.append(name)
        code = data[pos]
        if code == 0xA1:
            at = pos + 1
            pos = at + 1 + data[at]
            text = data[at:pos]
            if not is_sized_text(text):
                return ABSENT
            parts.append(b"\x95\0")
            parts.append(text)
        elif code == 0x81:
            parts.append(b"\x31")
            parts.append(data[pos + 1 : pos + 9])
            pos += 9
        else:
            pos = _copy_value(data, pos, end, parts)
            if pos < 0:
                return ABSENT
        if pos > end:
            return ABSENT
    return ABSENT if left > 0 or pos != end else len(names)


def _copy_value(data: bytes, pos: i64, end: i64, parts: list[bytes]) -> i64:
    """Write the value at pos; returns its end, or ABSENT if AMQP 0-10 does not have its type."""
    decoder = Decoder(data, pos, end)
    try:
        parts.append(encode_typed(decoder.read(), 0))
    except (DecodeError, EncodeError):
        return ABSENT
    return decoder.pos


def _body_at(data: bytes, pos: i64) -> i64:
    """The start of the body that ends the message, ABSENT if there is none, or MALFORMED."""
    if pos == len(data):
        return ABSENT
    if _section(data, pos) == DATA and _behind(data, pos + 3) == len(data):
        if data[pos + 3] == 0xA0:
            return pos + 5
        if data[pos + 3] == 0xB0:
            return pos + 8
    return MALFORMED


def _section(data: bytes, pos: i64) -> i64:
    """The section that begins there if its descriptor has the usual form, else ABSENT."""
    if pos + 2 >= len(data) or data[pos] != 0 or data[pos + 1] != 0x53:
        return ABSENT
    return data[pos + 2]


def _behind(data: bytes, pos: i64) -> i64:
    """The end of a list, map or binary."""
    code: i64 = data[pos]
    if code & 0xF0 == 0xC0 or code == 0xA0:
        return pos + 2 + data[pos + 1]
    if code == 0x45:
        return pos + 1
    return pos + 5 + number_at(data, pos + 1)
