"""Which records of a history are in force: those that say what its queues hold."""

from typing import Final, TypeAlias, final

from librt.strings import read_i32_be, read_i64_be
from mypy_extensions import i64

from lastvalue.broker.history import recorder
from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.sections import HEADER, MESSAGE_ANNOTATIONS, begins_with, section_head
from lastvalue.codec.amqp10.value_codec import encode_value, skip_value
from lastvalue.queues.entry import Entry

NO_RECORD: Final = 0
_CONTENT: Final = 1
_REMOVED: Final = 2
_DUE: Final = 3
_ACQUIRED: Final = 4
_RELEASED: Final = 5
_RESCHEDULED: Final = 6
_BEGUN: Final = 7
_RECONFIGURED: Final = 8
_RESTARTED: Final = 9
_ENDED: Final = 10
NOTHING: Final = 11
"""A record that changes nothing that a queue holds."""

_KINDS: Final[dict[bytes, int]] = {
    recorder.ADDED: _CONTENT,
    recorder.SCHEDULED: _CONTENT,
    recorder.PRESENT: _CONTENT,
    recorder.REMOVED: _REMOVED,
    recorder.DUE: _DUE,
    recorder.ACQUIRED: _ACQUIRED,
    recorder.RELEASED: _RELEASED,
    recorder.RESCHEDULED: _RESCHEDULED,
    recorder.DECLARED: _BEGUN,
    recorder.DELETED: _BEGUN,
    recorder.RECONFIGURED: _RECONFIGURED,
    recorder.RESTARTED: _RESTARTED,
    recorder.ENDED: _ENDED,
    recorder.DISMISSED: NOTHING,
    recorder.REFUSED: NOTHING,
}
_MAP32: Final = 0xD1
_LONG: Final = 0x81
_TIMESTAMP: Final = 0x83
_NUMBER_SIZE: Final = 9
_SHORT_TEXT: Final = 0xA1
_INDEX_BYTES: Final = 160
"""What the index takes for a record: its place in a table, and the number by which it is found."""


@final
class RecordHead:
    """What the annotations of a record say, read one record after the other into the same object.

    Attributes:
        kind: of its effect; NO_RECORD if the message is not a record of a history.
        queue: the name of the queue that it is about, encoded.
        time_ms: when it happened, milliseconds since the epoch.
        sequence: the message's number on its queue; 0 if it is about the queue.
        end: the position behind these annotations.
    """

    __slots__ = ("end", "kind", "queue", "sequence", "time_ms")

    def __init__(self) -> None:
        self.end: i64 = 0
        self.kind: i64 = NO_RECORD
        self.queue = b""
        self.time_ms: i64 = 0
        self.sequence: i64 = 0

    def read(self, encoded: bytes) -> None:
        """Read the annotations of a message, up to the first one that no recorder wrote."""
        self.kind = NO_RECORD
        self.queue = b""
        self.sequence = 0
        self.time_ms = 0
        try:
            self._read(encoded)
        except (DecodeError, IndexError):
            self.kind = NO_RECORD

    def _read(self, encoded: bytes) -> None:
        size: i64 = len(encoded)
        section, pos = section_head(encoded, 0, size)
        if section == HEADER:
            section, pos = section_head(encoded, skip_value(encoded, pos, size), size)
        if section != MESSAGE_ANNOTATIONS or encoded[pos] != _MAP32:
            return
        left: i64 = i64(read_i32_be(encoded, pos + 5)) // 2
        pos += 9
        if not _stands_at(encoded, pos, recorder.EFFECT):
            return
        end = _text_end(encoded, pos + len(recorder.EFFECT), size)
        kind: i64 = _KINDS.get(encoded[pos:end], NO_RECORD)
        left -= 1
        # What a recorder writes of the effect itself comes before what it writes of each.
        while left > 0 and not _stands_at(encoded, end, recorder.QUEUE):
            end = skip_value(encoded, skip_value(encoded, end, size), size)
            left -= 1
        value = end + len(recorder.QUEUE)
        end = _text_end(encoded, value, size)
        if left < 2 or not _stands_at(encoded, end, recorder.TIME):
            return
        self.queue = encoded[value:end]
        value = end + len(recorder.TIME)
        if encoded[value] != _TIMESTAMP:
            return
        self.time_ms = read_i64_be(encoded, value + 1)
        end = value + _NUMBER_SIZE
        if left > 2 and _stands_at(encoded, end, recorder.SEQUENCE):
            value = end + len(recorder.SEQUENCE)
            if encoded[value] == _LONG:
                self.sequence = read_i64_be(encoded, value + 1)
            else:
                number = Decoder(encoded, value, skip_value(encoded, value, size)).read()
                self.sequence = int(number) if isinstance(number, int) else 0
            end = value + _NUMBER_SIZE
        self.end = end
        self.kind = kind

    def has_key(self, encoded: bytes, annotations: tuple[bytes, ...]) -> bool:
        """Whether the message that was read is about a last-value key.

        Args:
            encoded: the message.
            annotations: of the key, in each form that it may have.
        """
        pos = self.end
        if encoded.startswith(recorder.ARRIVAL, pos):
            pos += len(recorder.ARRIVAL) + _NUMBER_SIZE
        return encoded.startswith(annotations, pos)


def _stands_at(encoded: bytes, pos: i64, name: bytes) -> bool:
    """Whether a name begins there: `startswith` takes several times as long, compiled."""
    length: i64 = len(name)
    return pos + length <= len(encoded) and begins_with(encoded, pos, name, length)


def _text_end(encoded: bytes, pos: i64, size: i64) -> i64:
    """The position after a text, most often a short one."""
    return pos + 2 + encoded[pos + 1] if encoded[pos] == _SHORT_TEXT else skip_value(encoded, pos, size)


_Kinds: TypeAlias = tuple[tuple[int, Entry], ...]
"""Records, each with its kind; immutable, because copies of an index share them."""


@final
class _QueueRecords:
    """The records in force of one queue.

    Attributes:
        of_the_queue: records about the queue itself, each with its kind, oldest first.
        contents: by the number of a message on the queue, the record that has it.
        changes: later records about it, each with its kind, oldest first.
    """

    __slots__ = ("changes", "contents", "of_the_queue")

    def __init__(self) -> None:
        self.of_the_queue: _Kinds = ()
        self.contents: dict[int, Entry] = {}
        self.changes: dict[int, _Kinds] = {}

    @property
    def begun(self) -> Entry:
        """The record that says what the queue began with."""
        return self.of_the_queue[0][1]

    def copy(self) -> "_QueueRecords":
        """An independent copy: of three tables, whatever they have."""
        copy = _QueueRecords()
        copy.of_the_queue = self.of_the_queue
        copy.contents = self.contents.copy()
        copy.changes = self.changes.copy()
        return copy


@final
class RecordsInForce:
    """The records in force after the last one that was taken.

    Applied one after the other they give the same contents of the queues as all records up to there: the same
    messages in the same order, with the same counts and deadlines. Nothing is known of a queue, and none of
    its records is in force, before the first record that says what it holds.

    Attributes:
        head: of the record that was taken last.
        ended: the records that were in force until then.
        count: how many records are in force.
    """

    __slots__ = ("_queues", "_unknown", "count", "ended", "head")

    def __init__(self) -> None:
        self.head = RecordHead()
        self.ended: list[Entry] = []
        self.count: i64 = 0
        self._queues: dict[bytes, _QueueRecords] = {}
        self._unknown: set[bytes] = set()

    def take(self, entry: Entry) -> bool:
        """Take the next record; returns whether it is in force itself.

        Cost: that of a record, but for records about a queue that end many others.
        """
        self.head.read(entry.encoded)
        return self.take_read(entry)

    def take_read(self, entry: Entry) -> bool:
        """Take the next record, whose annotations `head` has read."""
        head = self.head
        self.ended = []
        queue = self._queues.get(head.queue)
        if queue is None:
            if head.kind != _BEGUN:
                if head.kind != NO_RECORD:
                    self._unknown.add(head.queue)
                return False
            queue = self._queues[head.queue] = _QueueRecords()
        in_force = self._of_a_message(queue, entry) if head.sequence > 0 else self._of_the_queue(queue, entry)
        self.count += (1 if in_force else 0) - len(self.ended)
        return in_force

    def knows(self, queue: str) -> bool:
        """Whether it is known what a queue holds."""
        return _tag(queue) in self._queues

    def lacks(self, queue: str) -> bool:
        """Whether there were records of a queue, and it is not known what it held before."""
        return _tag(queue) in self._unknown and not self.knows(queue)

    def copy(self) -> "RecordsInForce":
        """An independent copy.

        Cost: three copies of tables for each queue, some milliseconds for 100,000 records.
        """
        copy = RecordsInForce()
        copy.count = self.count
        copy._unknown = self._unknown.copy()
        for tag, queue in self._queues.items():
            copy._queues[tag] = queue.copy()
        return copy

    def forget(self, entry: Entry) -> None:
        """A record in force is lost; without its beginning nothing is known of a queue."""
        head = self.head
        head.read(entry.encoded)
        queue = self._queues.get(head.queue)
        if queue is None:
            return
        if entry is queue.begun:
            self.count -= len(_entries_of(queue))
            del self._queues[head.queue]
        elif head.sequence == 0:
            kept = _without(queue.of_the_queue, entry)
            self.count -= len(queue.of_the_queue) - len(kept)
            queue.of_the_queue = kept
        elif queue.contents.get(head.sequence) is entry:
            del queue.contents[head.sequence]
            self.count -= 1 + len(queue.changes.pop(head.sequence, ()))
        elif head.sequence in queue.changes:
            changes = queue.changes[head.sequence]
            queue.changes[head.sequence] = _without(changes, entry)
            self.count -= len(changes) - len(queue.changes[head.sequence])

    def entries_of(self, queue: str) -> list[Entry]:
        """Those of one queue, in no order."""
        records = self._queues.get(_tag(queue))
        return [] if records is None else _entries_of(records)

    def memory_bytes(self) -> i64:
        """The memory that this takes."""
        return self.count * _INDEX_BYTES

    def _of_a_message(self, queue: _QueueRecords, entry: Entry) -> bool:
        kind = self.head.kind
        sequence = self.head.sequence
        if kind == _CONTENT:
            self._end_message(queue, sequence)
            queue.contents[sequence] = entry
            return True
        if kind == _REMOVED:
            self._end_message(queue, sequence)
            return False
        if kind == NOTHING or sequence not in queue.contents:
            return False
        changes: _Kinds = queue.changes.get(sequence, ())
        if kind == _RELEASED:
            changes = self._end_changes(self._end_changes(changes, _ACQUIRED), _RELEASED)
        elif kind == _RESCHEDULED:
            changes = self._end_changes(changes, _RESCHEDULED)
        queue.changes[sequence] = (*changes, (kind, entry))
        return True

    def _end_message(self, queue: _QueueRecords, sequence: i64) -> None:
        content = queue.contents.pop(sequence, None)
        if content is None:
            return
        self.ended.append(content)
        changes = queue.changes.pop(sequence, None)
        if changes is not None:
            for _, change in changes:
                self.ended.append(change)

    def _end_changes(self, changes: _Kinds, kind: i64) -> _Kinds:
        """End those of a kind; returns the others."""
        for change in changes:
            if change[0] == kind:
                self.ended.append(change[1])
        return tuple([change for change in changes if change[0] != kind])

    def _of_the_queue(self, queue: _QueueRecords, entry: Entry) -> bool:
        kind = self.head.kind
        if kind in (NOTHING, NO_RECORD):
            return False
        if kind == _BEGUN:
            self.ended = _entries_of(queue)
            queue.of_the_queue = ()
            queue.contents = {}
            queue.changes = {}
        elif kind == _RECONFIGURED:
            queue.of_the_queue = self._end_changes(queue.of_the_queue, _RECONFIGURED)
        elif kind == _RESTARTED:
            self._restart(queue)
        queue.of_the_queue = (*queue.of_the_queue, (kind, entry))
        return True

    def _restart(self, queue: _QueueRecords) -> None:
        """Messages that were not durable are lost. What consumers held is counted at each restart."""
        lost = [
            sequence for sequence, each in queue.contents.items() if not read_message(each.encoded).durable
        ]
        for sequence in lost:
            self._end_message(queue, sequence)
        queue.of_the_queue = self._end_changes(queue.of_the_queue, _RECONFIGURED)
        for changes in queue.changes.values():
            for change in changes:
                if change[0] == _ACQUIRED:
                    return
        queue.of_the_queue = self._end_changes(queue.of_the_queue, _RESTARTED)


def _entries_of(queue: _QueueRecords) -> list[Entry]:
    entries = [*queue.contents.values()]
    for _, entry in queue.of_the_queue:
        entries.append(entry)
    for changes in queue.changes.values():
        for _, entry in changes:
            entries.append(entry)
    return entries


def _tag(queue: str) -> bytes:
    """A queue's name, as the annotations have it."""
    return encode_value(queue)


def _without(records: _Kinds, entry: Entry) -> _Kinds:
    return tuple([each for each in records if each[1] is not entry])
