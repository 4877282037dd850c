"""What a task of the source reads: the messages of a range of sequences, as Arrow batches."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import pyarrow as pa
from pyspark.sql.datasource import InputPartition

from lastvalue.client.bulk import browse_in_bulk
from lastvalue.client.errors import AuthenticationError, InvalidMessageError
from lastvalue.client.wanted import Wanted
from lastvalue.codec.amqp10.columns import Columns
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.pipeline.broker_access import connect, tls_context
from lastvalue.pipeline.incoming import record_batch
from lastvalue.pipeline.inquiry import AGAIN_S, LOST, DataLossError
from lastvalue.pipeline.source_options import SourceOptions

BATCH_ROWS: Final = 65_536
BATCH_BYTES: Final = 32 * 1024 * 1024
"""A batch is handed on when it has so many rows, or is of so many bytes."""


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
    reached = part.after
    gap: int | None = None
    patience_ends = 0.0
    columns = Columns(part.key_property)
    while True:
        try:
            for payloads in _payloads(options, part, reached):
                _take(columns, payloads, part.queue)
                if part.gapless and gap is None:
                    gap = first_gap(reached, columns.sequences[-len(payloads) :])
                reached = columns.sequences[-1]
                patience_ends = 0.0
                if columns.rows >= BATCH_ROWS or columns.size_bytes >= BATCH_BYTES:
                    yield record_batch(columns, part.queue, effects=options.effects)
                    columns = Columns(part.key_property)
            break
        except LOST as error:
            now = time.monotonic()
            patience_ends = patience_ends or now + options.timeout_s
            if not part.in_order or isinstance(error, AuthenticationError) or now >= patience_ends:
                raise
            time.sleep(AGAIN_S)
    if part.gapless:
        _check_gap(options, part, reached + 1 if gap is None and reached < part.until else gap)
    if columns.rows:
        yield record_batch(columns, part.queue, effects=options.effects)


def first_gap(before: int, sequences: Sequence[int]) -> int | None:
    """The first number that is missing in sequences that go on from one; None where none is."""
    if sequences[-1] - before == len(sequences):
        return None
    for expected, sequence in enumerate(sequences, before + 1):
        if sequence != expected:
            return expected
    return None


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


def _payloads(options: SourceOptions, part: Range, after: int) -> Iterator[list[bytes]]:
    wanted = Wanted(selector=options.selector, after=after, until=part.until, since_ms=part.since_ms or None)
    most = part.until - after
    tls = tls_context(options.ca_file)
    timeout_s = options.timeout_s
    with browse_in_bulk(options.url, part.queue, wanted, most=most, timeout_s=timeout_s, tls=tls) as browser:
        yield from browser


def _take(columns: Columns, payloads: list[bytes], queue: str) -> None:
    try:
        columns.take_all(payloads)
    except DecodeError as error:
        raise InvalidMessageError(
            f"message {columns.sequences[-1]} of queue {queue!r} is malformed: {error}"
        ) from error
