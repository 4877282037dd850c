"""What a task of the source reads: the messages of a range of sequences, as Arrow batches."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark.sql.datasource import InputPartition

from lastvalue.client.bulk import Messages, browse_in_bulk
from lastvalue.client.errors import AuthenticationError, InvalidMessageError
from lastvalue.client.wanted import Wanted
from lastvalue.codec.amqp10.columns import Columns
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.pipeline.broker_access import connect, tls_context
from lastvalue.pipeline.source.broker_queries import AGAIN_S, LOST, DataLossError
from lastvalue.pipeline.source.byte_columns import PADDING
from lastvalue.pipeline.source.options import SourceOptions
from lastvalue.pipeline.source.source_columns import columnar_record_batch, record_batch

BATCH_ROWS: Final = 16_384
BATCH_BYTES: Final = 32 * 1024 * 1024
"""A batch is handed on when it has so many rows, or is of so many bytes.

Four times as many rows cost a sixth more each: their bytes do not stay in a processor's cache.
"""


@dataclass
class Range(InputPartition):
    """What one task reads.

    Attributes:
        queue: from where.
        key_property: the property that is the column `key`.
        after, until: sequences, the first excluded.
        since_ms: what arrived then or later; 0 is all.
        in_order: messages come in the order of their sequences, so that a reader that lost its connection
            can go on.
        gapless: none may be missing; but a sequence may be that of a repeated message, which was not kept.
    """

    queue: str
    key_property: str
    after: int
    until: int
    since_ms: int
    in_order: bool
    gapless: bool


def read_range(options: SourceOptions, part: Range) -> Iterator[pa.RecordBatch]:
    """The rows of a range.

    Raises:
        ClientError: the broker cannot be reached, and does not come back in time.
        InvalidMessageError: a message is malformed.
        DataLossError: messages left while they were read.
    """
    gathered = RowBuffer(options, part)
    patience_ends = 0.0
    while True:
        try:
            for messages in _arriving(options, part, gathered.reached):
                gathered.take(messages)
                patience_ends = 0.0
                if gathered.rows >= BATCH_ROWS or gathered.size_bytes >= BATCH_BYTES:
                    yield gathered.batch()
            break
        except LOST as error:
            now = time.monotonic()
            patience_ends = patience_ends or now + options.timeout_s
            if not part.in_order or isinstance(error, AuthenticationError) or now >= patience_ends:
                raise
            time.sleep(AGAIN_S)
    if gathered.rows:
        yield gathered.batch()
    if part.gapless:
        gap = gathered.gap
        _check_gap(
            options, part, gathered.reached + 1 if gap is None and gathered.reached < part.until else gap
        )


class RowBuffer:
    """Messages of a range that have come, until they are rows.

    Attributes:
        rows: how many they are.
        size_bytes: of what they came in.
        reached: the sequence of the last one of all.
        gap: the first sequence that is missing among those that are rows, or None.
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

    def take(self, messages: Messages) -> None:
        """Some more have come.

        Raises:
            InvalidMessageError: the last one is malformed.
        """
        self._waiting.append(messages)
        self.rows += len(messages)
        self.size_bytes += messages.bounds[-1] - messages.bounds[0]
        last = Columns(self._part.key_property)
        self._take_apart(last, [messages.data[messages.bounds[-2] : messages.bounds[-1]]])
        self.reached = last.sequences[-1]

    def batch(self) -> pa.RecordBatch:
        """Those that have come as rows.

        Raises:
            InvalidMessageError: one is malformed.
        """
        waiting, part = self._waiting, self._part
        self._waiting, self.rows, self.size_bytes = [], 0, 0
        wanted = self._options.columns
        made = _in_step(waiting, part, self._options)
        if made is None:
            columns = Columns(part.key_property)
            for messages in waiting:
                self._take_apart(columns, messages.payloads())
            made = record_batch(columns, part.queue, effects=self._options.effects)
        if part.gapless and self.gap is None:
            self.gap = first_gap(self._before, made.column("sequence").to_numpy())
        self._before = self.reached
        return made.select(list(wanted)) if wanted else made

    def _take_apart(self, columns: Columns, payloads: list[bytes]) -> None:
        try:
            columns.take_all(payloads)
        except DecodeError as error:
            raise InvalidMessageError(
                f"message {columns.sequences[-1]} of queue {self._part.queue!r} is malformed: {error}"
            ) from error


def _in_step(waiting: list[Messages], part: Range, options: SourceOptions) -> pa.RecordBatch | None:
    """All of them by column, if they are usual; with their sequences, which tell of gaps."""
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
    """The first number that is missing in sequences that go on from one; None where none is."""
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


def _arriving(options: SourceOptions, part: Range, after: int) -> Iterator[Messages]:
    wanted = Wanted(selector=options.selector, after=after, until=part.until, since_ms=part.since_ms or None)
    most = part.until - after
    tls = tls_context(options.ca_file)
    timeout_s = options.timeout_s
    with browse_in_bulk(options.url, part.queue, wanted, most=most, timeout_s=timeout_s, tls=tls) as browser:
        yield from browser
