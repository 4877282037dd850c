"""Reads a log: the records that count become the content of a store."""

from collections.abc import Iterator

from lastvalue.cluster.chain import Chain
from lastvalue.cluster.log_records import Kind, LogRecord, LogRecordError
from lastvalue.store.records import RecordError
from lastvalue.store.segments import Tail
from lastvalue.store.store_contents import StoreContents, apply_records


class BatchParts:
    """Puts the parts of batches together; a batch whose last part is missing was never confirmed."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def take(self, record: LogRecord) -> bytes | None:
        """The batch that a record completes; call it with each that counts."""
        if record.kind is Kind.TERM:
            self._parts.clear()
        if record.kind is not Kind.BATCH:
            return None
        self._parts.append(record.payload)
        if record.more:
            return None
        batch = b"".join(self._parts)
        self._parts.clear()
        return batch


class LogReader:
    """What has been read of a log.

    Attributes:
        chain: says which records count.
        stored: the content.
        first: the stream's sequence at which reading began.
        begins: by segment, the sequence of its first record.
        writer: what the newest writer has written about itself.
    """

    def __init__(self, first: int) -> None:
        self.first = first
        self.chain = Chain(first - 1)
        self.stored = StoreContents()
        self.begins: dict[int, int] = {}
        self.writer = b""
        self._parts = BatchParts()

    def take(self, position: int, record: LogRecord) -> None:
        """Take the next record of the stream.

        Raises:
            LogRecordError: its batch has what this version does not know.
            BrokenLogError: records before it are missing.
        """
        for segment, batch in self.batches(position, record):
            try:
                apply_records(self.stored, batch, segment)
            except RecordError as fault:
                raise LogRecordError(
                    f"message {position} cannot be read: {fault}; use a newer lastvalue"
                ) from fault

    def batches(self, position: int, record: LogRecord) -> Iterator[tuple[int, bytes]]:
        """The batch that a record completes, with its segment."""
        if not self.chain.take(position, record):
            return
        if record.kind in (Kind.TERM, Kind.BEAT):
            self.writer = record.payload
        if record.kind is Kind.BATCH:
            self.begins.setdefault(record.segment, position)
            sizes = self.stored.segments
            sizes[record.segment] = sizes.get(record.segment, 0) + len(record.payload)
            self.stored.tail = Tail(max(self.stored.tail.number, record.segment))
        batch = self._parts.take(record)
        if batch is not None:
            yield record.segment, batch
