"""Forms of messages: what messages have in common that differ only in the values of their properties.

A message is compared with a form that was learnt from an earlier one, which says where the values are.
"""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.sections import APPLICATION_PROPERTIES, DATA, HEADER, PROPERTIES
from lastvalue.codec.amqp10.value_codec import skip_value
from lastvalue.codec.octets import MOST_LEARNED_BYTES, MOST_QUICK_BYTES, is_text, number_at

COPIED: Final = 0
"""As many octets as the type has."""
SIZED: Final = 1
"""An octet with the size, and as many octets: both are the value."""
SECONDS: Final = 2
"""A time in milliseconds, which is written in seconds; one before the epoch is 0."""
UUID_TEXT: Final = 3
"""A UUID, which is written as a text with its size."""
WHOLE: Final = 4
"""A value of any type with its constructor."""
TEXT: Final = 5
"""As `SIZED`, and it has to be UTF-8."""
SECTION: Final = 6
"""An octet with the size of a section."""
WIDE_SECTION: Final = 7
"""Four octets with it."""

_WIDTHS: Final = [0, 0, 0, 0, 1, 2, 3, 5, 9, 17, 0, 0, 0, 0, 0, 0]
"""By the first half of a constructor: the octets of a value with it [1.0 §1.2]; 0 if that is not all."""
_HEAD_BYTES: Final = 4
"""A section's descriptor, and the constructor of its value."""
_TIME: Final = struct.Struct(">q")
_MOST_PLACES: Final = 64
_PATIENCE: Final = 64


@final
class FormPlace:
    """Where a value is.

    Attributes:
        kind: what the value is.
        at: where it is in the example.
        size: its octets there.
        section: which section it is in, or the size of which it is.
        index: of a field of the properties, which one it is.
        name: the name of an application property.
        code: the constructor of its type.
        into, slot: what gets the value, and its index there.
        before: the octets between the value before and this one.
    """

    __slots__ = ("at", "before", "code", "index", "into", "kind", "name", "section", "size", "slot")

    def __init__(self, kind: i64, at: i64, size: i64, section: i64) -> None:
        self.kind: i64 = kind
        self.at: i64 = at
        self.size: i64 = size
        self.section: i64 = section
        self.index: i64 = -1
        self.name = b""
        self.code: i64 = 0
        self.before = b""
        self.into: list[bytes] = []
        self.slot: i64 = 0

    def widen(self) -> None:
        """Have the value be whole: the values of other messages may be of another type."""
        if self.kind != WHOLE:
            self.kind = WHOLE
            self.at -= 1
            self.size += 1

    def put(self, into: list[bytes], data: bytes) -> None:
        """Have a list get the value, as its last item for now."""
        self.into = into
        self.slot = len(into)
        into.append(data[self.at : self.at + self.size])


@final
class MessageForm:
    """Messages that are equal except for the values at these places.

    Args:
        data: an example.
        places: of sizes of sections, and of values that somebody gets, in their order.

    Attributes:
        application: where the application properties of the last message begin, behind the size; or 0.
        body: where its body begins.
    """

    __slots__ = ("_places", "application", "body")

    def __init__(self, data: bytes, places: list[FormPlace]) -> None:
        self._places = places
        self.application: i64 = 0
        self.body: i64 = 0
        end: i64 = 0
        for place in places:
            place.before = data[end : place.at]
            end = place.at + place.size
        self.fits(data)

    def fits(self, data: bytes) -> bool:
        """Whether a message has the form; its values are put where they belong, also if it has not.

        Raises:
            DecodeError, IndexError: it has not.
        """
        pos: i64 = 0
        # Where the section ends, as its size says.
        end: i64 = -1
        for place in self._places:
            before = place.before
            start: i64 = pos + len(before)
            if data[pos:start] != before:
                return False
            kind = place.kind
            if kind in (SIZED, TEXT):
                pos = start + 1 + data[start]
                value = data[start:pos]
                if kind == TEXT and not value.isascii() and not is_text(value[1:]):
                    return False
                place.into[place.slot] = value
            elif kind == WHOLE:
                width = _WIDTHS[data[start] >> 4]
                pos = start + width if width > 0 else skip_value(data, start, len(data))
                place.into[place.slot] = data[start:pos]
            elif kind >= SECTION:
                if end >= 0 and end != start - _HEAD_BYTES:
                    return False
                pos = start + place.size
                end = pos + (data[start] if kind == SECTION else number_at(data, start))
                if place.section == APPLICATION_PROPERTIES:
                    self.application = pos
                    # Values are kept until the next message comes.
                    if end > MOST_QUICK_BYTES:
                        return False
            else:
                pos = start + place.size
                value = data[start:pos]
                place.into[place.slot] = value if kind == COPIED else _converted(kind, value)
        self.body = pos
        return end == len(data)


def _converted(kind: i64, value: bytes) -> bytes:
    """A time in seconds, or a UUID as a text."""
    if kind == UUID_TEXT:
        text = value.hex().encode()
        return b"$%b-%b-%b-%b-%b" % (text[:8], text[8:12], text[12:16], text[16:20], text[20:])
    if len(value) != _TIME.size:
        raise IndexError
    milliseconds: i64 = _TIME.unpack(value)[0]
    return _TIME.pack(milliseconds // 1000) if milliseconds > 0 else bytes(_TIME.size)


@final
class FormBenefit:
    """Decides whether learning forms pays: not if every message has another one.

    Attributes:
        misses: how many messages in a row had none.
    """

    __slots__ = ("misses",)

    def __init__(self) -> None:
        self.misses: i64 = 0

    def found(self) -> None:
        """A message had a form that was learnt."""
        self.misses = 0

    def missed(self) -> bool:
        """A message had none; returns whether to learn its form."""
        self.misses += 1
        return self.misses < _PATIENCE or self.misses % _PATIENCE == 0


def form_places(data: bytes) -> list[FormPlace] | None:
    """The places of a message's values and of the sizes of its sections, the last one that of the body.

    None if it has another form than usual: a header, properties and application properties, of which each may
    be missing, and a body of one binary.

    Raises:
        DecodeError, IndexError: it is malformed.
    """
    size: i64 = len(data)
    pos: i64 = 0
    places: list[FormPlace] = []
    if _section(data, pos) == HEADER:
        pos = skip_value(data, pos + 3, size)
    if _section(data, pos) == PROPERTIES:
        if not _add_fields(data, pos + 3, places):
            return None
        pos = skip_value(data, pos + 3, size)
    if _section(data, pos) == APPLICATION_PROPERTIES:
        end = skip_value(data, pos + 3, size)
        if not _add_values(data, pos + 3, end, places):
            return None
        pos = end
    if _section(data, pos) != DATA or skip_value(data, pos + 3, size) != size:
        return None
    wide = data[pos + 3] == 0xB0
    places.append(FormPlace(WIDE_SECTION if wide else SECTION, pos + 4, 4 if wide else 1, DATA))
    if pos > MOST_LEARNED_BYTES or len(places) > _MOST_PLACES:
        return None
    return places


def _section(data: bytes, pos: i64) -> i64:
    """The section that begins there, if its descriptor has the usual form."""
    if data[pos] != 0 or data[pos + 1] != 0x53:
        raise DecodeError("a section has an unusual descriptor, or none")
    return data[pos + 2]


def _add_fields(data: bytes, pos: i64, places: list[FormPlace]) -> bool:
    """Add the fields of a list; false if it is long."""
    if data[pos] != 0xC0:
        return data[pos] == 0x45
    places.append(FormPlace(SECTION, pos + 1, 1, PROPERTIES))
    count: i64 = data[pos + 2]
    pos += 3
    for index in range(count):
        place = _value_at(data, pos, PROPERTIES)
        if place is not None:
            place.index = index
            places.append(place)
        pos = skip_value(data, pos, len(data))
    return True


def _add_values(data: bytes, pos: i64, end: i64, places: list[FormPlace]) -> bool:
    """Add the values of a map; false if a name is unusual, or there twice."""
    wide = data[pos] == 0xD1
    if not wide and data[pos] != 0xC1:
        return False
    width: i64 = 4 if wide else 1
    places.append(FormPlace(WIDE_SECTION if wide else SECTION, pos + 1, width, APPLICATION_PROPERTIES))
    pos += 1 + 2 * width
    names: list[bytes] = []
    while pos < end:
        start: i64 = pos + 2
        if data[pos] != 0xA1:
            return False
        pos = start + data[pos + 1]
        name = data[start:pos]
        if name in names:
            return False
        names.append(name)
        after = skip_value(data, pos, end)
        place = _value_at(data, pos, APPLICATION_PROPERTIES)
        if place is None:
            place = FormPlace(WHOLE, pos, after - pos, APPLICATION_PROPERTIES)
        place.name = name
        places.append(place)
        pos = after
    return pos == end


def _value_at(data: bytes, pos: i64, section: i64) -> FormPlace | None:
    """The place of a value; None if it is compound or long, or only a constructor."""
    code: i64 = data[pos]
    if code == 0xA0 or code == 0xA1 or code == 0xA3:
        place = FormPlace(SIZED, pos + 1, 1 + data[pos + 1], section)
    elif 0x50 <= code <= 0x9F:
        place = FormPlace(COPIED, pos + 1, 1 << ((code >> 4) - 5), section)
    else:
        return None
    place.code = code
    return place
