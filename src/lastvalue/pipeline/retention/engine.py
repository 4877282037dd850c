"""The plan of `retained` with the queue engine itself, in Spark's Python workers.

Each task receives rows sorted by queue and sequence, enqueues them on one `Queue` after the other, and
returns the entries that remain.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
from mypy_extensions import i64

from lastvalue.client.message_codec import encode_message
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.message import NEVER, FieldValue, Message, MessageFilter, OrderValue, PropertyName
from lastvalue.model.property_names import DELIVERY_TIME
from lastvalue.pipeline.gc_freeze import freeze_gc
from lastvalue.pipeline.retention.arrivals import SIZE, InvalidHistoryError
from lastvalue.pipeline.retention.schema import (
    ARRIVAL_MS,
    AVAILABLE,
    DEADLINE_MS,
    DELIVERY_MS,
    EXPIRY_MS,
    HELD_BACK,
    PLACE,
    QUEUE,
    SEQUENCE,
    STATE,
    UPDATES,
)
from lastvalue.pipeline.sink.sink_columns import messages
from lastvalue.queues import entry as entries
from lastvalue.queues.errors import DelayRefusedError
from lastvalue.queues.once import enqueue_once
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.selectors import parse_selector

_ARROW: Final = pa.schema(
    [
        (QUEUE, pa.string()),
        (SEQUENCE, pa.int64()),
        (PLACE, pa.int64()),
        (UPDATES, pa.int64()),
        (STATE, pa.string()),
        (DEADLINE_MS, pa.int64()),
    ]
)
_STATES: Final = {entries.AVAILABLE: AVAILABLE, entries.HELD_BACK: HELD_BACK}
_ROWS: Final = 65_536
"""Rows in an output batch, and the number of sequences that are stored beyond those that are needed."""

Batches = Iterator[pa.RecordBatch]


@dataclass(frozen=True, slots=True)
class RowReader:
    """Makes messages of rows, as a broker reads them from a producer.

    Attributes:
        arguments: the queue's declaration, in our spelling.
        key_property: the property that the column `key` holds.
        columns: the columns to read.
    """

    arguments: Mapping[str, str | int | bool]
    key_property: str
    columns: tuple[str, ...]

    def queue(self) -> Queue:
        """An empty queue of the declaration."""
        return Queue(self.spec(), self.selector())

    def spec(self) -> QueueSpec:
        """The declaration; workers receive it as arguments."""
        return spec_from_arguments("retained", self.arguments)

    def selector(self) -> MessageFilter | None:
        """The queue's filter."""
        text = self.spec().filter
        return _parsed(text) if text else None

    def messages(self, batch: pa.RecordBatch) -> Iterator[Message]:
        """The messages of the rows, in their order.

        Raises:
            ClientError: a row cannot become a message, because a value is out of range.
        """
        rows = batch.select([name for name in self.columns if name != SIZE])
        if "body" not in self.columns:
            rows = rows.append_column("body", pa.array([b""] * len(batch), pa.binary()))
        expiries = _values(batch, EXPIRY_MS)
        deliveries = _values(batch, DELIVERY_MS)
        sizes = _values(batch, SIZE) if SIZE in self.columns else None
        for row, each in enumerate(messages(rows, self.key_property)):
            sent = each
            if deliveries is not None and deliveries[row] is not None:
                sent = replace(sent, annotations={**sent.annotations, DELIVERY_TIME: deliveries[row]})
            message: Message = read_message(encode_message(sent))
            if expiries is not None and expiries[row]:
                # As in a message: 0 means no expiry, and a time before the epoch is in the past.
                message.expires_ms = max(int(expiries[row] or 0), 1)
            if sizes is not None:
                message = _SizedMessage(message, _size(sizes[row]))
            yield message


@dataclass(frozen=True, slots=True)
class RetentionEngine:
    """The function that Spark calls for each partition: from rows by queue and sequence to retained entries.

    Attributes:
        at_ms: the moment; no row arrived later.
    """

    reader: RowReader
    at_ms: int

    def __call__(self, batches: Batches) -> Batches:
        """Rows of `RETAINED_COLUMNS`.

        Raises:
            InvalidHistoryError: two rows of a queue have the same sequence.
        """
        freeze_gc()
        history: _History | None = None
        for batch in batches:
            for part in _by_queue(batch):
                name = _name(part)
                if history is None or history.name != name:
                    if history is not None:
                        yield from history.retained(self.at_ms)
                    history = _History(name, self.reader)
                history.enqueue(part)
        if history is not None:
            yield from history.retained(self.at_ms)


class _History:
    """One queue during its history.

    The queue advances as with a broker's timer: at each deadline and at each arrival.
    """

    def __init__(self, name: str | None, reader: RowReader) -> None:
        self.name = name
        self._reader = reader
        self._queue = reader.queue()
        self._now = 0
        self._last: int | None = None
        # From the queue's own sequences to those of the history, for entries and for the places they took.
        self._sequences: dict[int, int] = {}

    def enqueue(self, batch: pa.RecordBatch) -> None:
        """Enqueue the messages of these rows."""
        queue = self._queue
        arrivals = batch.column(ARRIVAL_MS).to_pylist()
        sequences = batch.column(SEQUENCE).to_pylist()
        for message, arrival, sequence in zip(self._reader.messages(batch), arrivals, sequences, strict=True):
            if sequence == self._last:
                raise InvalidHistoryError(
                    f"two messages of one queue have the sequence {sequence}: "
                    f"column {SEQUENCE!r} numbers them in the order of arrival"
                )
            self._last = sequence
            if queue.delete_requested:
                continue
            self._advance(max(arrival, self._now))
            if _accepts(queue, message, self._now):
                self._sequences[int(queue.sequence)] = sequence
        self._discard()

    def _advance(self, now: int) -> None:
        """Advance the queue to each deadline until now."""
        queue = self._queue
        deadline = queue.next_deadline()
        while 0 <= deadline <= now:
            queue.advance(deadline)
            deadline = queue.next_deadline()
        self._now = now

    def _discard(self) -> None:
        """Discard the queue's effects, and sequences that are not needed any more."""
        self._queue.drain()
        self._queue.take_removals()
        if len(self._sequences) > 2 * self._queue.depth + _ROWS:
            present = self._queue.entries()
            needed = {entry.sequence for entry in present} | {entry.place for entry in present}
            self._sequences = {own: self._sequences[own] for own in map(int, needed)}

    def retained(self, at_ms: int) -> Batches:
        """The entries on the queue; none if it deleted itself."""
        self._advance(max(at_ms, self._now))
        present = [] if self._queue.delete_requested else self._queue.entries()
        for start in range(0, len(present), _ROWS):
            rows = [
                {
                    QUEUE: self.name,
                    SEQUENCE: self._sequences[int(entry.sequence)],
                    PLACE: self._sequences[int(entry.place)],
                    UPDATES: int(entry.updates),
                    STATE: _STATES[int(entry.state)],
                    DEADLINE_MS: None if entry.expires_ms == NEVER else int(entry.expires_ms),
                }
                for entry in present[start : start + _ROWS]
            ]
            yield pa.RecordBatch.from_pylist(rows, _ARROW)


class _SizedMessage(Message):
    """A message whose encoded size is in a column."""

    def __init__(self, message: Message, size_bytes: int) -> None:
        super().__init__(
            _payload(size_bytes), message.durable, message.priority, message.ttl_ms, message.expires_ms
        )
        self.annotated = message.annotated
        self._message = message

    def key(self, name: PropertyName) -> bytes | None:
        """See Message."""
        return self._message.key(name)

    def order(self, name: PropertyName) -> OrderValue | None:
        """See Message."""
        return self._message.order(name)

    def text(self, name: PropertyName) -> str | None:
        """See Message."""
        return self._message.text(name)

    def field(self, name: str) -> FieldValue:
        """See Message."""
        return self._message.field(name)

    def is_empty(self) -> bool:
        """See Message."""
        return self._message.is_empty()

    def explicit_id(self) -> bytes:
        """See Message."""
        return self._message.explicit_id()

    def not_before(self, now: i64) -> i64:
        """See Message."""
        return self._message.not_before(now)

    def updates(self) -> i64:
        """See Message."""
        return self._message.updates()


def _accepts(queue: Queue, message: Message, now: int) -> bool:
    """Enqueue the message; returns whether the queue accepted it."""
    try:
        return enqueue_once(queue, message, now)
    except DelayRefusedError:
        return False


def _size(size_bytes: int | None) -> int:
    if size_bytes is None or size_bytes < 0:
        raise InvalidHistoryError(f"{SIZE} is a number of bytes in every row, not {size_bytes}")
    return size_bytes


@lru_cache(4096)
def _payload(size_bytes: int) -> bytes:
    """A payload of that size."""
    return bytes(size_bytes)


_parsed = lru_cache(64)(parse_selector)


def _values(batch: pa.RecordBatch, name: str) -> list[int | None] | None:
    if name not in batch.schema.names:
        return None
    values: list[int | None] = batch.column(name).to_pylist()
    return values


def _name(batch: pa.RecordBatch) -> str | None:
    name: str | None = batch.column(QUEUE)[0].as_py()
    return name


def _by_queue(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The batch, cut where another queue begins."""
    if len(batch) == 0:
        return
    stops = pc.run_end_encode(batch.column(QUEUE)).run_ends.to_pylist()
    for start, stop in zip([0, *stops], stops, strict=False):
        yield batch.slice(start, stop - start)
