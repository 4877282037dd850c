"""What a task of the source does: it reads the messages of a range of sequences as Arrow batches."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark.sql.datasource import InputPartition

from lastvalue.client.arrow.byte_columns import PADDING
from lastvalue.client.arrow.record_batches import columnar_record_batch, record_batch
from lastvalue.client.bulk import Messages, browse_in_bulk
from lastvalue.client.errors import AuthenticationError
from lastvalue.client.wanted import Wanted
from lastvalue.codec.amqp10.columns import Columns
from lastvalue.pipeline.broker_access import connect, tls_context
from lastvalue.pipeline.source.broker_queries import CONNECTION_ERRORS, RETRY_S, DataLossError
from lastvalue.pipeline.source.options import SourceOptions

BATCH_ROWS: Final = 16_384
BATCH_BYTES: Final = 32 * 1024 * 1024
"""A batch is complete when it has this many rows or bytes.

With four times as many rows, each costs a sixth more: their bytes do not fit into a processor's cache.
"""


@dataclass
class Range(InputPartition):
    """What one task reads.

    Attributes:
        queue: the queue.
        key_property: the property that is the column `key`.
        after, until: sequences, the first excluded.
        since_ms: read what arrived then or later; 0: all.
        in_order: messages come in the order of their sequences, so a reader that lost its connection can
            continue.
        url: the broker that has them.
        gapless: no message may be missing. A sequence without a message may be that of a duplicate, which the
            queue dropped.
    """

    queue: str
    key_property: str
    after: int
    until: int
    since_ms: int
    in_order: bool
    gapless: bool
    url: str


def read_range(options: SourceOptions, part: Range) -> Iterator[pa.RecordBatch]:
    """The rows of a range.

    Raises:
        ClientError: the broker cannot be reached before the timeout.
        DataLossError: messages left the queue while they were read.
    """
    options = replace(options, url=part.url)
    buffer = RowBuffer(options, part)
    deadline = 0.0
    while True:
        try:
            for messages in _browse(options, part, buffer.reached):
                buffer.add(messages)
                deadline = 0.0
                if buffer.rows >= BATCH_ROWS or buffer.size_bytes >= BATCH_BYTES:
                    yield buffer.batch()
            break
        except CONNECTION_ERRORS as error:
            now = time.monotonic()
            deadline = deadline or now + options.timeout_s
            if not part.in_order or isinstance(error, AuthenticationError) or now >= deadline:
                raise
            time.sleep(RETRY_S)
    if buffer.rows:
        yield buffer.batch()
    if part.gapless:
        gap = buffer.gap
        _check_gap(options, part, buffer.reached + 1 if gap is None and buffer.reached < part.until else gap)


class RowBuffer:
    """Received messages of a range, until `batch` turns them into rows.

    Attributes:
        rows: the number of messages in the buffer.
        size_bytes: their encoded size.
        reached: the sequence of the last message received.
        gap: the first missing sequence among the rows of all batches so far, or None.
    """

    def __init__(self, options: SourceOptions, part: Range) -> None:
        self.rows = 0
        self.size_bytes = 0
        self.reached = part.after
        self.gap: int | None = None
        self._options = options
        self._part = part
        self._before = part.after
        self._waiting: list[Messages] = []

    def add(self, messages: Messages) -> None:
        """Add received messages."""
        self._waiting.append(messages)
        self.rows += len(messages)
        self.size_bytes += messages.bounds[-1] - messages.bounds[0]
        last = Columns(self._part.key_property)
        last.take(messages.data[messages.bounds[-2] : messages.bounds[-1]])
        self.reached = last.sequences[-1]

    def batch(self) -> pa.RecordBatch:
        """The buffered messages as rows; the buffer is then empty."""
        waiting, part = self._waiting, self._part
        self._waiting, self.rows, self.size_bytes = [], 0, 0
        names = self._options.columns
        rows = _decode_by_column(waiting, part, self._options)
        if rows is None:
            columns = Columns(part.key_property)
            for messages in waiting:
                columns.take_all(messages.payloads())
            rows = record_batch(columns, part.queue, effects=self._options.effects)
        if part.gapless and self.gap is None:
            self.gap = first_gap(self._before, rows.column("sequence").to_numpy())
        self._before = self.reached
        return rows.select(list(names)) if names else rows


def _decode_by_column(waiting: list[Messages], part: Range, options: SourceOptions) -> pa.RecordBatch | None:
    """All messages decoded by column, with their sequences, which show gaps; None if that is not possible."""
    names = tuple(dict.fromkeys((*options.columns, "sequence"))) if options.columns else ()
    pieces, bounds, size = [], [], 0
    for messages in waiting:
        first, last = messages.bounds[0], messages.bounds[-1]
        pieces.append(memoryview(messages.data)[first:last])
        bounds.append(np.array(messages.bounds, np.int64) + (size - first))
        size += last - first
    pieces.append(memoryview(PADDING))
    return columnar_record_batch(
        b"".join(pieces),
        np.concatenate(bounds),
        part.queue,
        part.key_property,
        effects=options.effects,
        names=names,
    )


def first_gap(before: int, sequences: npt.NDArray[np.int64]) -> int | None:
    """The first missing number in sequences that continue after `before`; None if there is no gap."""
    expected = np.arange(before + 1, before + 1 + len(sequences))
    wrong = np.flatnonzero(sequences != expected)
    return int(expected[wrong[0]]) if len(wrong) else None


def _check_gap(options: SourceOptions, part: Range, gap: int | None) -> None:
    if gap is None:
        return
    with connect(options.url, options.ca_file, timeout_s=options.timeout_s) as connection:
        gone = connection.queue(part.queue).sequences().gone
    if gone >= gap:
        raise DataLossError(
            f"messages of queue {part.queue!r} left while the query read them: {gap} is missing, and all up "
            f"to {gone} may have been dropped; have the queue hold more, or set failOnDataLoss to false"
        )


def _browse(options: SourceOptions, part: Range, after: int) -> Iterator[Messages]:
    read_filter = Wanted(
        selector=options.selector, after=after, until=part.until, since_ms=part.since_ms or None
    )
    most = part.until - after
    tls = tls_context(options.ca_file)
    timeout_s = options.timeout_s
    with browse_in_bulk(
        options.url, part.queue, read_filter, most=most, timeout_s=timeout_s, tls=tls
    ) as browser:
        yield from browser
