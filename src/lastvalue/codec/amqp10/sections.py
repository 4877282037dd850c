"""The sections of a message [1.0 §3.2]: their codes, and access to single values in them."""

from collections.abc import Mapping
from typing import Final

from librt.strings import read_i64_be
from mypy_extensions import i64

from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError, LargeStructureError
from lastvalue.codec.amqp10.value_codec import skip_value
from lastvalue.codec.amqp10.values import Symbol, ULong, Value

HEADER: Final = 0x70
DELIVERY_ANNOTATIONS: Final = 0x71
MESSAGE_ANNOTATIONS: Final = 0x72
PROPERTIES: Final = 0x73
APPLICATION_PROPERTIES: Final = 0x74
DATA: Final = 0x75
AMQP_SEQUENCE: Final = 0x76
AMQP_VALUE: Final = 0x77
FOOTER: Final = 0x78

ABSENT: Final = -1
"""The position of a missing value."""

MOST_HEAD_BYTES: Final = 1 << 19
"""How much of a message may be searched for a property: some milliseconds."""
MOST_STRUCTURE_BYTES: Final = 1 << 18
"""How much of a message may be values that are decoded and converted one by one: some milliseconds."""
_VALUE_BYTES: Final = 16
"""What a section or a value counts besides its size."""
MOST_VALUES: Final = MOST_STRUCTURE_BYTES // (_VALUE_BYTES + 1)
"""No more values than that are within the limit."""
_ESCAPED_BYTES: Final = 16
"""How many bytes of a text that is searched for characters to escape count as one."""
_SURELY_FEW_BYTES: Final = 1 << 12
"""A message up to this size is within the limits, whatever its bytes are."""
_OCTETS: Final = (0xA0, 0xA1, 0xA3, 0xB0, 0xB1, 0xB3)
"""The codes of binaries, texts and symbols, which are decoded at once however long they are."""

_SECTION_NAMES: Final = {
    "amqp:header:list": HEADER,
    "amqp:delivery-annotations:map": DELIVERY_ANNOTATIONS,
    "amqp:message-annotations:map": MESSAGE_ANNOTATIONS,
    "amqp:properties:list": PROPERTIES,
    "amqp:application-properties:map": APPLICATION_PROPERTIES,
    "amqp:data:binary": DATA,
    "amqp:amqp-sequence:list": AMQP_SEQUENCE,
    "amqp:amqp-value:*": AMQP_VALUE,
    "amqp:footer:map": FOOTER,
}


_NOTHING: Final = (
    b"\x40",
    b"\x45",
    b"\xa0\x00",
    b"\xa1\x00",
    b"\xb0\x00\x00\x00\x00",
    b"\xb1\x00\x00\x00\x00",
    b"\xc0\x01\x00",
    b"\xc1\x01\x00",
    b"\xd0\x00\x00\x00\x04\x00\x00\x00\x00",
    b"\xd1\x00\x00\x00\x04\x00\x00\x00\x00",
)
"""Null, and the binaries, texts, lists and maps without content."""


def section_of(descriptor: Value) -> i64:
    """The section that a descriptor names.

    Raises:
        DecodeError: there is no such section.
    """
    if isinstance(descriptor, ULong) and HEADER <= descriptor <= FOOTER:
        return int(descriptor)
    section = _SECTION_NAMES.get(descriptor) if isinstance(descriptor, Symbol) else None
    if section is None:
        raise DecodeError(f"a message has no section {descriptor!r:.80}")
    return section


def section_head(data: bytes, pos: i64, size: i64) -> tuple[i64, i64]:
    """The section that begins at pos, and the start of its value; ABSENT at the end of the message.

    Raises:
        DecodeError: no section begins at pos.
    """
    if size - pos > 2 and data[pos + 1] == 0x53 and data[pos] == 0:
        return data[pos + 2], pos + 3
    if pos >= size:
        return ABSENT, pos
    if data[pos] != 0:
        raise DecodeError("no section starts where one must")
    descriptor = Decoder(data, pos + 1, size)
    return section_of(descriptor.read()), descriptor.pos


def is_bodiless(payload: bytes) -> bool:
    """Whether a message has no body, or one without content: null, or of no length.

    Raises:
        DecodeError: a section is malformed.
    """
    size: i64 = len(payload)
    pos: i64 = 0
    try:
        while pos < size:
            section, start = section_head(payload, pos, size)
            pos = skip_value(payload, start, size)
            if DATA <= section <= AMQP_VALUE and payload[start:pos] not in _NOTHING:
                return False
    except IndexError as fault:
        raise DecodeError("the message ends within a section") from fault
    return True


def check_head(payload: bytes) -> None:
    """Refuse a message whose sections before the body are large, or have very many values.

    Whoever asks for a property searches them, and who changes one decodes its section.

    Raises:
        LargeStructureError: they are.
        DecodeError: a section is malformed.
    """
    size: i64 = len(payload)
    pos: i64 = 0
    cost: i64 = 0
    if size <= _SURELY_FEW_BYTES:
        return
    try:
        while pos < size:
            section, start = section_head(payload, pos, size)
            if section >= DATA:
                return
            pos = skip_value(payload, start, size)
            cost += _VALUE_BYTES + _structure_bytes(payload, start, pos, False)
            if pos > MOST_HEAD_BYTES or cost > MOST_STRUCTURE_BYTES:
                raise LargeStructureError(
                    f"the properties and annotations of a message have at most {MOST_HEAD_BYTES} bytes, and "
                    f"{MOST_STRUCTURE_BYTES} besides texts and binaries, each value with {_VALUE_BYTES} more"
                )
    except IndexError as fault:
        raise DecodeError("the message ends within a section") from fault


def check_structure(payload: bytes, escaped: bool = False) -> None:
    """Refuse a message that takes long to decode: one that is large without its texts and binaries.

    Args:
        payload: the message.
        escaped: the texts in maps and lists are searched for characters to escape.

    Raises:
        LargeStructureError: it is.
        DecodeError: a section is malformed.
    """
    size: i64 = len(payload)
    pos: i64 = 0
    cost: i64 = 0
    if size <= _SURELY_FEW_BYTES:
        return
    try:
        while pos < size and cost <= MOST_STRUCTURE_BYTES:
            _, start = section_head(payload, pos, size)
            pos = skip_value(payload, start, size)
            cost += _VALUE_BYTES + _structure_bytes(payload, start, pos, escaped)
    except IndexError as fault:
        raise DecodeError("the message ends within a section") from fault
    if cost > MOST_STRUCTURE_BYTES:
        raise LargeStructureError(
            f"a message that is decoded has at most {MOST_STRUCTURE_BYTES} bytes besides texts and binaries, "
            f"each value with {_VALUE_BYTES} more"
        )


def _structure_bytes(data: bytes, start: i64, end: i64, escaped: bool) -> i64:
    """What a value counts, with those in it; it is not walked to its end where that is too much."""
    if data[start] in _OCTETS:
        return 0
    pos = start
    cost: i64 = 0
    # What is in a list, a map or a described value follows its constructor like any other value.
    while pos < end and cost <= MOST_STRUCTURE_BYTES:
        width: i64 = data[pos] >> 4
        cost += _VALUE_BYTES
        if width < 4:
            # A descriptor follows, or nothing that can be decoded.
            pos += 1
        elif width < 0xA:
            size: i64 = 1 + (0 if width == 4 else 1 << (width - 5))
            pos += size
            cost += size
        elif width < 0xC:
            size = data[pos + 1] if width == 0xA else _size_at(data, pos + 1)
            pos += (2 if width == 0xA else 5) + size
            if escaped:
                cost += size // _ESCAPED_BYTES
        elif width < 0xE:
            pos += 3 if width == 0xC else 9
        else:
            size = data[pos + 1] if width == 0xE else _size_at(data, pos + 1)
            count: i64 = data[pos + 2] if width == 0xE else _size_at(data, pos + 5)
            pos += (2 if width == 0xE else 5) + size
            cost += size + count * _VALUE_BYTES
    return cost


def _size_at(data: bytes, pos: i64) -> i64:
    return data[pos] << 24 | data[pos + 1] << 16 | data[pos + 2] << 8 | data[pos + 3]


def decoded_sections(payload: bytes, last: i64) -> tuple[dict[int, Value], i64]:
    """The values of the sections up to `last`, and the start of the rest; several body sections are joined.

    Raises:
        DecodeError: a section is malformed.
    """
    size: i64 = len(payload)
    pos: i64 = 0
    parts: dict[int, list[Value]] = {}
    while pos < size:
        section, start = section_head(payload, pos, size)
        if section > last:
            break
        decoder = Decoder(payload, start, size)
        value = decoder.read()
        pos = decoder.pos
        present = parts.get(int(section))
        if present is not None and section in (DATA, AMQP_SEQUENCE) and type(present[0]) is type(value):
            present.append(value)
        else:
            parts[int(section)] = [value]
    return {section: _joined(values) for section, values in parts.items()}, pos


def _joined(values: list[Value]) -> Value:
    """The values of a section as one."""
    if len(values) == 1:
        return values[0]
    if isinstance(values[0], bytes):
        return b"".join([each for each in values if isinstance(each, bytes)])
    joined: list[Value] = []
    for each in values:
        if isinstance(each, list):
            joined += each
    return joined


def begins_with(data: bytes, start: i64, name: bytes, length: i64) -> bool:
    """Whether a name of this length is at a place of the data; nothing is copied."""
    at: i64 = 0
    while at + 8 <= length and read_i64_be(data, start + at) == read_i64_be(name, at):
        at += 8
    while at < length and data[start + at] == name[at]:
        at += 1
    return at == length


def find_value(data: bytes, start: i64, name: bytes) -> i64:
    """The position of the name's value in the map at start, or ABSENT.

    Raises:
        DecodeError: the entries up to it exceed the map.
    """
    try:
        if data[start] == 0xC1:
            pos: i64 = start + 3
            end: i64 = start + 2 + data[start + 1]
        else:
            pos = start + 9
            end = (
                start
                + 5
                + (data[start + 1] << 24 | data[start + 2] << 16 | data[start + 3] << 8 | data[start + 4])
            )
        length: i64 = len(name)
        while pos < end:
            kind: i64 = data[pos]
            size: i64 = -1
            if kind == 0xA1 or kind == 0xA3:
                size = data[pos + 1]
                key = pos + 2
                pos = key + size
            elif kind == 0xB1 or kind == 0xB3:
                size = data[pos + 1] << 24 | data[pos + 2] << 16 | data[pos + 3] << 8 | data[pos + 4]
                key = pos + 5
                pos = key + size
            else:
                key = pos
                pos = skip_value(data, pos, end)
            value = pos
            if data[pos] == 0xA1:
                pos += 2 + data[pos + 1]
            else:
                pos = skip_value(data, pos, end)
            if size == length and begins_with(data, key, name, length):
                if pos > end:
                    break
                return value
    except IndexError:
        pos = len(data) + 1
        end = len(data)
    if pos > end:
        raise DecodeError("the entries of a map exceed its size")
    return ABSENT


def find_values(data: bytes, start: i64, names: Mapping[bytes, str], found: dict[str, int]) -> None:
    """Note the positions of the values of these names in the map at start, unless the name is noted already.

    Raises:
        DecodeError: the entries exceed the map.
    """
    try:
        pos, end = _map_entries(data, start)
        while pos < end:
            key, size = _text_at(data, pos)
            pos = skip_value(data, pos, end)
            name = names.get(data[key : key + size]) if size >= 0 else None
            if name is not None and name not in found:
                found[name] = int(pos)
            pos = skip_value(data, pos, end)
    except IndexError:
        raise DecodeError("the entries of a map exceed its size") from None
    if pos > end:
        raise DecodeError("the entries of a map exceed its size")


def _map_entries(data: bytes, start: i64) -> tuple[i64, i64]:
    """Where the entries of the map at start begin, and where they end."""
    if data[start] == 0xC1:
        return start + 3, start + 2 + data[start + 1]
    size = data[start + 1] << 24 | data[start + 2] << 16 | data[start + 3] << 8 | data[start + 4]
    return start + 9, start + 5 + size


def _text_at(data: bytes, pos: i64) -> tuple[i64, i64]:
    """The start and the size of the text or symbol at pos; a size of -1 if it is none."""
    kind: i64 = data[pos]
    if kind == 0xA1 or kind == 0xA3:
        return pos + 2, i64(data[pos + 1])
    if kind == 0xB1 or kind == 0xB3:
        size = data[pos + 1] << 24 | data[pos + 2] << 16 | data[pos + 3] << 8 | data[pos + 4]
        return pos + 5, i64(size)
    return pos, -1


def list_start(data: bytes, start: i64) -> tuple[i64, i64]:
    """The start of the fields of the list at start, and their declared number."""
    code = data[start]
    if code == 0xC0:
        return start + 3, data[start + 2]
    if code == 0xD0:
        count: i64 = data[start + 5] << 24 | data[start + 6] << 16 | data[start + 7] << 8 | data[start + 8]
        return start + 9, count
    return start + 1, 0


def field_at(data: bytes, start: i64, index: i64) -> i64:
    """The position of a field in the list at start, or ABSENT if it is missing or null.

    Raises:
        DecodeError: the fields up to it exceed the list.
    """
    pos, count = list_start(data, start)
    if index >= count:
        return ABSENT
    end = skip_value(data, start, len(data))
    while index > 0:
        pos = skip_value(data, pos, end)
        index -= 1
    if pos >= end:
        raise DecodeError("the fields of a list exceed its size")
    if data[pos] == 0x40:
        return ABSENT
    skip_value(data, pos, end)
    return pos
