"""The bytes of the journal's records; docs/operate/store-format.md has the tables.

A record is its type and its fields, big-endian. Records name queues by the numbers in their declarations.
"""

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, final

from librt.strings import read_i32_be, read_i64_be, write_i32_be, write_i64_be
from mypy_extensions import i32, i64, mypyc_attr

from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.message import AT_ONCE, NEVER
from lastvalue.queues.effects import EpochBegan, Reason, Tombstone
from lastvalue.queues.entry import Entry
from lastvalue.queues.ids import KnownId

DECLARED: Final = 1
DELETED: Final = 2
ADDED: Final = 3
REMOVED: Final = 4
ACQUIRED: Final = 5
RELEASED: Final = 6
DUE: Final = 7
SEQUENCE: Final = 8
IDENTIFIED: Final = 9
RESCHEDULED: Final = 10
SUPERSEDED: Final = 11
GONE: Final = 12
TOMBSTONE: Final = 13
FORGOTTEN: Final = 14
EPOCH: Final = 15

# Queue, sequence, arrival, expiry, not before, place, updates, delivery count, state, sizes of the origin and
# of the message; then the origin and the message.
_ADDED: Final = struct.Struct(">BIqqqqqIIBII")
ADDED_SIZE: Final = _ADDED.size
# Parts of it: fields that change together.
_OWNER: Final = struct.Struct(">BI")
_TIMES: Final = struct.Struct(">qqq")
_REST: Final = struct.Struct(">IBII")
_MARK: Final = struct.Struct(">BIq")
_REMOVED: Final = struct.Struct(">BIqB")
# Queue, reason, number of sequences; then the sequences.
_GONE: Final = struct.Struct(">BIBI")
_COUNTED: Final = struct.Struct(">BIqI")
_RESCHEDULED: Final = struct.Struct(">BIqq")
# Queue, sequence, size; then the id.
_IDENTIFIED: Final = struct.Struct(">BIqH")
# Queue, sequence, number, reason, size; then the key.
_TOMBSTONE: Final = struct.Struct(">BIqqBI")
# Queue, the number of the last tombstone, and of the last one that was dropped because of its age.
_FORGOTTEN: Final = struct.Struct(">BIqq")
# Queue, epoch, and the queue's last sequence and its last tombstone's number when it began.
_EPOCH: Final = struct.Struct(">BIqqq")
_MARKS: Final = {
    REMOVED: _REMOVED,
    ACQUIRED: _MARK,
    RELEASED: _COUNTED,
    DUE: _COUNTED,
    SEQUENCE: _MARK,
    RESCHEDULED: _RESCHEDULED,
    SUPERSEDED: _MARK,
}
_TEXT: Final = struct.Struct(">BII")
_MOST: Final = 2**32 - 1
_SIGN: Final = 2**31
_DECODER: Final = json.JSONDecoder()
_ENCODER: Final = json.JSONEncoder(separators=(",", ":"))
_NO_EXPIRY: Final = -1
"""The stored deadline of an entry that never expires."""


@mypyc_attr(native_class=False)
class RecordError(ValueError):
    """The bytes are not a valid record."""


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Declared:
    """A queue, exchange or binding exists: its kind, name and arguments. Queues have a number."""

    number: int
    kind: str
    name: str
    arguments: dict[str, Any]


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Deleted:
    """A queue, exchange or binding was deleted."""

    number: int
    kind: str
    name: str


@final
class StoredMessage:
    """A message on a queue, as the journal stores it."""

    __slots__ = (
        "arrival_ms",
        "delivery_count",
        "encoded",
        "expires_ms",
        "not_before_ms",
        "origin",
        "place",
        "queue",
        "sequence",
        "state",
        "superseded",
        "updates",
    )

    def __init__(self, queue: i64, sequence: i64, encoded: bytes) -> None:
        self.queue: i64 = queue
        self.sequence: i64 = sequence
        self.encoded = encoded
        self.arrival_ms: i64 = 0
        self.expires_ms: i64 = NEVER
        self.not_before_ms: i64 = AT_ONCE
        self.origin = ""
        self.place: i64 = sequence
        self.updates: i64 = 1
        self.delivery_count: i64 = 0
        self.state: i64 = 0
        self.superseded = False


@final
class Mark:
    """A change of a message, with a number.

    REMOVED with a reason, ACQUIRED, RELEASED with the delivery count, DUE with the number of its updates,
    RESCHEDULED with a deadline, SUPERSEDED; or SEQUENCE, the last sequence of a queue.
    """

    __slots__ = ("kind", "number", "queue", "sequence")

    def __init__(self, kind: i64, queue: i64, sequence: i64, number: i64) -> None:
        self.kind: i64 = kind
        self.queue: i64 = queue
        self.sequence: i64 = sequence
        self.number: i64 = number


@final
class Identified:
    """The remembered id of a message that a queue took."""

    __slots__ = ("duplicate_id", "queue", "sequence")

    def __init__(self, queue: i64, sequence: i64, duplicate_id: bytes) -> None:
        self.queue: i64 = queue
        self.sequence: i64 = sequence
        self.duplicate_id = duplicate_id


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Tombstoned:
    """A key of a queue that lost its value."""

    queue: int
    sequence: int
    number: int
    reason: int
    key: bytes

    def tombstone(self) -> Tombstone:
        """As the queue has it."""
        return Tombstone(self.number, self.key, Reason(self.reason), self.sequence)


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Forgotten:
    """The number of a queue's last tombstone, and of the last one that was dropped because of its age."""

    queue: int
    number: int
    forgotten: int


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Epoch:
    """An epoch of a queue, and its last sequence and tombstone when it began; epoch 0 ends all before it."""

    queue: int
    epoch: int
    sequence: int
    number: int


Record: TypeAlias = Declared | Deleted | StoredMessage | Mark | Identified | Tombstoned | Forgotten | Epoch
Remembered: TypeAlias = KnownId | Tombstone
"""What a queue remembers of messages that it may not have any more."""


def declared(record: Declared) -> bytes:
    """The record of a declaration."""
    return _text(DECLARED, record.number, [record.kind, record.name, record.arguments])


def deleted(record: Deleted) -> bytes:
    """The record of a deletion."""
    return _text(DELETED, record.number, [record.kind, record.name])


@final
class AddedRecords:
    """Writes the records of entries; fields that are equal to the previous entry's are not packed again."""

    __slots__ = (
        "_arrival_ms",
        "_delivery_count",
        "_expires_ms",
        "_not_before_ms",
        "_origin",
        "_owner",
        "_rest",
        "_size",
        "_state",
        "_times",
    )

    def __init__(self) -> None:
        self._owner = b""
        self._arrival_ms: i64 = -1
        self._expires_ms: i64 = -1
        self._not_before_ms: i64 = -1
        self._times = _TIMES.pack(-1, -1, -1)
        self._delivery_count: i64 = 0
        self._state: i64 = 0
        self._size: i64 = 0
        self._origin = ""
        self._rest = _REST.pack(0, 0, 0, 0)

    def begin(self, queue: i64) -> None:
        """Set the queue of the next entries."""
        self._owner = _OWNER.pack(ADDED, queue)

    def write(self, entry: Entry, into: OutputBuffer) -> None:
        """Write an entry's record, its message included; `into` does not count all of its size."""
        encoded = entry.encoded
        size: i64 = len(encoded)
        if (
            entry.arrival_ms != self._arrival_ms
            or entry.expires_ms != self._expires_ms
            or entry.not_before_ms != self._not_before_ms
        ):
            self._time(entry)
        if (
            size != self._size
            or entry.state != self._state
            or entry.delivery_count != self._delivery_count
            or entry.example.origin != self._origin
        ):
            self._end(entry, size)
        updates: i64 = entry.updates if entry.updates < _MOST else _MOST  # noqa: FURB136 - hot: no call
        writer = into.writer()
        writer.write(self._owner)
        write_i64_be(writer, entry.sequence)
        writer.write(self._times)
        write_i64_be(writer, entry.place)
        write_i32_be(writer, i32(updates if updates < _SIGN else updates - _MOST - 1))
        writer.write(self._rest)
        into.put(encoded)

    def _time(self, entry: Entry) -> None:
        self._arrival_ms = entry.arrival_ms
        self._expires_ms = entry.expires_ms
        self._not_before_ms = entry.not_before_ms
        self._times = _TIMES.pack(entry.arrival_ms, _stored(entry.expires_ms), entry.not_before_ms)

    def _end(self, entry: Entry, size: i64) -> None:
        self._size = size
        self._state = i64(entry.state)
        self._delivery_count = entry.delivery_count
        self._origin = entry.example.origin
        origin = self._origin.encode()
        self._rest = _REST.pack(min(entry.delivery_count, _MOST), entry.state, len(origin), size) + origin


def _stored(expires_ms: i64) -> i64:
    return _NO_EXPIRY if expires_ms == NEVER else expires_ms


def added_size(entry: Entry) -> i64:
    """The approximate size of an entry's record, in bytes."""
    return len(entry.encoded) + len(entry.example.origin) + ADDED_SIZE


def stored_message(message: StoredMessage) -> bytes:
    """The record of a message that was read from the store."""
    origin = message.origin.encode()
    head = _ADDED.pack(
        ADDED,
        message.queue,
        message.sequence,
        message.arrival_ms,
        _stored(message.expires_ms),
        message.not_before_ms,
        message.place,
        message.updates,
        message.delivery_count,
        message.state,
        len(origin),
        len(message.encoded),
    )
    mark = marked(SUPERSEDED, message.queue, message.sequence) if message.superseded else b""
    return head + origin + message.encoded + mark


def removed(queue: i64, sequence: i64, reason: i64) -> bytes:
    """The record of a removal."""
    return _REMOVED.pack(REMOVED, queue, sequence, reason)


def removals(queue: i64, sequences: bytes, reason: i64) -> bytes:
    """The record of removals for one reason; each sequence has 8 bytes, big-endian."""
    count: i64 = len(sequences) // 8
    if count == 1:
        return removed(queue, read_i64_be(sequences, 0), reason)
    return _GONE.pack(GONE, queue, reason, count) + sequences


def released(queue: i64, sequence: i64, delivery_count: i64) -> bytes:
    """The record of a release."""
    return _COUNTED.pack(RELEASED, queue, sequence, min(delivery_count, _MOST))


def due(queue: i64, sequence: i64, updates: i64) -> bytes:
    """The record of a held back message that became available."""
    return _COUNTED.pack(DUE, queue, sequence, min(updates, _MOST))


def marked(kind: i64, queue: i64, sequence: i64) -> bytes:
    """An ACQUIRED, SUPERSEDED or SEQUENCE record."""
    return _MARK.pack(kind, queue, sequence)


def rescheduled(queue: i64, sequence: i64, expires_ms: i64) -> bytes:
    """The record of a changed deadline, or of one that there is no more."""
    return _RESCHEDULED.pack(RESCHEDULED, queue, sequence, _stored(expires_ms))


def identified(queue: i64, known: KnownId) -> bytes:
    """The record of an id."""
    duplicate_id = known.duplicate_id
    return _IDENTIFIED.pack(IDENTIFIED, queue, known.sequence, len(duplicate_id)) + duplicate_id


def identified_size(known: KnownId) -> int:
    """The size of an id's record, in bytes."""
    return _IDENTIFIED.size + len(known.duplicate_id)


def remembered(queue: i64, item: Remembered) -> bytes:
    """The record of an id or of a tombstone."""
    if isinstance(item, KnownId):
        return identified(queue, item)
    head = _TOMBSTONE.pack(TOMBSTONE, queue, item.sequence, item.number, item.reason, len(item.key))
    return head + item.key


def remembered_size(item: Remembered) -> int:
    """The size of that record, in bytes."""
    return identified_size(item) if isinstance(item, KnownId) else _TOMBSTONE.size + len(item.key)


def forgotten(queue: i64, number: i64, forgotten_number: i64) -> bytes:
    """The record of how far a queue's tombstones go and are forgotten."""
    return _FORGOTTEN.pack(FORGOTTEN, queue, number, forgotten_number)


def epoch(queue: i64, began: EpochBegan) -> bytes:
    """The record of an epoch."""
    return _EPOCH.pack(EPOCH, queue, began.epoch, began.sequence, began.number)


def records(data: bytes) -> list[Record]:
    """The records in a batch; a GONE record becomes several REMOVED marks.

    Raises:
        RecordError: the bytes are not valid records.
    """
    found: list[Record] = []
    pos: i64 = 0
    size: i64 = len(data)
    try:
        while pos < size:
            pos = _read(data, pos, found)
    except (struct.error, IndexError, ValueError) as fault:
        raise _invalid(data, pos, fault) from fault
    return found


def placed(data: bytes) -> Iterator[tuple[int, Record]]:
    """The same, each with its first byte; those before an invalid one come first.

    Raises:
        RecordError: the bytes are not valid records.
    """
    pos = 0
    while pos < len(data):
        found: list[Record] = []
        try:
            end = _read(data, pos, found)
        except (struct.error, IndexError, ValueError) as fault:
            raise _invalid(data, pos, fault) from fault
        for record in found:
            yield pos, record
        pos = end


def _invalid(data: bytes, pos: int, fault: Exception) -> RecordError:
    return RecordError(f"invalid record at byte {pos} of a batch of {len(data)}: {fault}")


def _read(data: bytes, pos: i64, into: list[Record]) -> i64:
    """Append the record at a byte, or several marks; returns the byte after it."""
    kind: i64 = data[pos]
    if kind == ADDED:
        into.append(_read_added(data, pos))
        return _added_end(data, pos)
    if kind == GONE:
        return _read_gone(data, pos, into)
    record, end = _read_rare(data, pos)
    into.append(record)
    return end


def _read_rare(data: bytes, pos: int) -> tuple[Record, int]:
    kind = data[pos]
    layout = _MARKS.get(kind)
    if layout is not None:
        fields = layout.unpack_from(data, pos)
        number = fields[3] if len(fields) > 3 else 0
        if kind == RESCHEDULED and number == _NO_EXPIRY:
            number = NEVER
        return Mark(kind, fields[1], fields[2], number), pos + layout.size
    if kind == IDENTIFIED:
        return _read_identified(data, pos)
    if kind in (DECLARED, DELETED):
        return _read_declared(data, pos, kind)
    if kind in (TOMBSTONE, FORGOTTEN, EPOCH):
        return _read_memory(data, pos, kind)
    raise RecordError(f"record type {kind} is unknown")


def _read_gone(data: bytes, pos: i64, into: list[Record]) -> i64:
    queue = _uint(data, pos + 1)
    reason: i64 = data[pos + 5]
    at: i64 = pos + _GONE.size
    end: i64 = at + 8 * _uint(data, pos + 6)
    if end > len(data):
        raise RecordError(f"removals up to byte {end} exceed their batch")
    while at < end:
        into.append(Mark(REMOVED, queue, read_i64_be(data, at), reason))
        at += 8
    return end


def _read_declared(data: bytes, pos: int, kind: int) -> tuple[Declared | Deleted, int]:
    _, number, size = _TEXT.unpack_from(data, pos)
    start = pos + _TEXT.size
    end = start + size
    if end > len(data):
        raise RecordError(f"a declaration of {size} bytes at byte {pos} exceeds its batch")
    text = data[start:end].decode()
    # Not `loads` or `decode`, which look for an encoding and for spaces first.
    values, length = _DECODER.raw_decode(text)
    if length < len(text):
        raise RecordError(f"a declaration at byte {pos} continues after its end: {text[length:]!r:.100}")
    if kind == DELETED:
        return Deleted(number, values[0], values[1]), end
    return Declared(number, values[0], values[1], values[2]), end


def _read_identified(data: bytes, pos: int) -> tuple[Identified, int]:
    _, queue, sequence, size = _IDENTIFIED.unpack_from(data, pos)
    start = pos + _IDENTIFIED.size
    end = start + size
    if end > len(data):
        raise RecordError(f"an id of {size} bytes at byte {pos} exceeds its batch")
    return Identified(queue, sequence, data[start:end]), end


def _read_memory(data: bytes, pos: int, kind: int) -> tuple[Tombstoned | Forgotten | Epoch, int]:
    if kind == FORGOTTEN:
        fields = _FORGOTTEN.unpack_from(data, pos)
        return Forgotten(fields[1], fields[2], fields[3]), pos + _FORGOTTEN.size
    if kind == EPOCH:
        fields = _EPOCH.unpack_from(data, pos)
        return Epoch(fields[1], fields[2], fields[3], fields[4]), pos + _EPOCH.size
    _, queue, sequence, number, reason, size = _TOMBSTONE.unpack_from(data, pos)
    start = pos + _TOMBSTONE.size
    end = start + size
    if end > len(data):
        raise RecordError(f"a tombstone of {size} bytes at byte {pos} exceeds its batch")
    return Tombstoned(queue, sequence, number, reason, data[start:end]), end


def _read_added(data: bytes, pos: i64) -> StoredMessage:
    """Read the record at a byte; `_ADDED` is its layout."""
    origin: i64 = pos + ADDED_SIZE
    start: i64 = origin + _uint(data, pos + 54)
    end = _added_end(data, pos)
    if end > len(data):
        raise RecordError(f"a message of {end - start} bytes at byte {pos} exceeds its batch")
    message = StoredMessage(_uint(data, pos + 1), read_i64_be(data, pos + 5), data[start:end])
    if start > origin:
        message.origin = data[origin:start].decode()
    message.arrival_ms = read_i64_be(data, pos + 13)
    expires_ms: i64 = read_i64_be(data, pos + 21)
    message.expires_ms = NEVER if expires_ms == _NO_EXPIRY or expires_ms > NEVER else expires_ms
    message.not_before_ms = read_i64_be(data, pos + 29)
    message.place = read_i64_be(data, pos + 37)
    message.updates = _uint(data, pos + 45)
    message.delivery_count = _uint(data, pos + 49)
    message.state = data[pos + 53]
    return message


def _added_end(data: bytes, pos: i64) -> i64:
    """The byte after the record."""
    return pos + ADDED_SIZE + _uint(data, pos + 54) + _uint(data, pos + 58)


def _uint(data: bytes, pos: i64) -> i64:
    return i64(read_i32_be(data, pos)) & _MOST


def _text(kind: int, number: int, values: list[Any]) -> bytes:
    data = _ENCODER.encode(values).encode()
    return _TEXT.pack(kind, number, len(data)) + data
