"""Writes the rows of a task to the brokers that have their keys."""

import queue
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Final

import pyarrow as pa

from lastvalue.client.leaders import partition_number
from lastvalue.client.message_key import message_key
from lastvalue.model.errors import InvalidSpecError
from lastvalue.pipeline.gc_freeze import freeze_gc
from lastvalue.pipeline.sink.options import SinkOptions
from lastvalue.pipeline.sink.partition_writer import PartitionWriter
from lastvalue.pipeline.sink.result import WriteResult
from lastvalue.pipeline.sink.sink_columns import rows

_LOOKS_EVERY_S: Final = 0.2
_KEYLESS: Final = 0
"""The partition of rows without a key: its broker refuses them, as it would any message."""


def write_rows(options: SinkOptions, write_id: str, batches: Iterable[pa.RecordBatch]) -> WriteResult:
    """Send the rows of a task, and wait until the broker has confirmed them, or the brokers that have them.

    Raises:
        RejectedRowError: a row cannot be sent, and there is no dead-letter queue.
        ClientError: the broker cannot be reached, or did not take a row.
    """
    freeze_gc()
    writer = DividedWriter(options, write_id) if options.leaders else PartitionWriter(options, write_id)
    return writer.write(batches)


class AbandonedWriteError(Exception):
    """Another broker did not take the rows that are its own, so the task fails as a whole."""


class DividedWriter:
    """Writes each row to the broker that has its key, to all brokers at once.

    Each gets the same rows in the same batches whenever the task runs again, so it recognises them.

    Args:
        options: the sink's, with at least one leader.
        write_id: as of PartitionWriter; each broker has one of its own.
    """

    def __init__(self, options: SinkOptions, write_id: str) -> None:
        self._options = options
        self._write_id = write_id

    def write(self, batches: Iterable[pa.RecordBatch]) -> WriteResult:
        """Write all rows; raises as PartitionWriter does."""
        leaders = self._options.leaders
        with ThreadPoolExecutor(len(leaders)) as pool:
            parts = []
            for number, url in enumerate(leaders):
                options = replace(self._options, url=url, leaders=())
                parts.append(_Part(pool, PartitionWriter(options, f"{self._write_id}@{number}")))
            try:
                for batch in batches:
                    for number, divided in divided_rows(batch, self._options.sent_key, len(leaders)):
                        parts[number].put(divided)
                for part in parts:
                    part.put(None)
            except BaseException:
                for part in parts:
                    part.abandon()
                raise
            return _results(parts)


def _results(parts: "list[_Part]") -> WriteResult:
    return WriteResult.sum([part.writing.result() for part in parts])


class _Part:
    """The rows of one broker on their way to its writer, which iterates over them in a thread.

    Attributes:
        writing: what becomes of them.
    """

    def __init__(self, pool: ThreadPoolExecutor, writer: PartitionWriter) -> None:
        self._rows: queue.Queue[pa.RecordBatch | None] = queue.Queue(1)
        self._abandoned = False
        self.writing: Future[WriteResult] = pool.submit(writer.write, self)

    def put(self, batch: pa.RecordBatch | None) -> None:
        """Give rows, or None as their end; raises what the writer has failed with."""
        while True:
            if self.writing.done():
                self.writing.result()
            try:
                self._rows.put(batch, timeout=_LOOKS_EVERY_S)
            except queue.Full:
                continue
            return

    def abandon(self) -> None:
        """Let the writer fail: what it has must not count as all rows of its batch."""
        self._abandoned = True

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        while True:
            try:
                batch = self._rows.get(timeout=_LOOKS_EVERY_S)
            except queue.Empty:
                batch = _NOTHING
            if self._abandoned:
                raise AbandonedWriteError("the task failed at another broker")
            if batch is None:
                return
            if batch is not _NOTHING:
                yield batch


_NOTHING: Final = pa.RecordBatch.from_pydict({})


def divided_rows(
    batch: pa.RecordBatch, key_property: str, count: int
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """The rows of a batch by the number of their partition, each in their order."""
    numbers: list[list[int]] = [[] for _ in range(count)]
    for row, key in enumerate(_keys(batch, key_property)):
        try:
            number = partition_number(key, count)
        except InvalidSpecError:
            number = _KEYLESS
        numbers[number].append(row)
    for each, chosen in enumerate(numbers):
        if chosen:
            yield each, batch.take(pa.array(chosen, pa.int64()))


def _keys(batch: pa.RecordBatch, key_property: str) -> Iterable[object]:
    if "key" in batch.schema.names:
        keys: list[object] = batch.column("key").to_pylist()
        return keys
    return (_key(row.get("properties"), key_property) for row in rows(batch))


def _key(properties: object, key_property: str) -> object:
    return message_key(properties, key_property) if isinstance(properties, dict) else None
