import pytest

from lastvalue.cluster.log_reader import LogReader
from lastvalue.cluster.log_records import Kind, LogRecord, LogRecordError
from lastvalue.store import records
from lastvalue.store.records import Declared, StoredMessage

UNKNOWN = bytes((250,)) + bytes(60)
DECLARED = records.declared(Declared(1, "queue", "q", {}))
MESSAGE = records.stored_message(StoredMessage(1, 1, b"body"))


def batch(number: int, payload: bytes, *, more: bool = False, segment: int = 1) -> LogRecord:
    return LogRecord(Kind.BATCH, 1, number, segment, 1000, payload, more=more)


def test_batches_become_the_content_of_a_store() -> None:
    reader = LogReader(1)
    reader.take(1, LogRecord(Kind.TERM, 1, 1, 0, 1000, b"who"))
    reader.take(2, batch(2, DECLARED))
    reader.take(3, batch(3, MESSAGE, segment=2))
    assert reader.stored.messages[1][1][1].encoded == b"body"
    assert reader.stored.segments == {1: len(DECLARED), 2: len(MESSAGE)}
    assert (reader.begins, reader.stored.next_segment, reader.writer) == ({1: 2, 2: 3}, 3, b"who")


def test_the_parts_of_a_batch_count_together() -> None:
    reader = LogReader(1)
    reader.take(1, LogRecord(Kind.TERM, 1, 1, 0, 1000))
    reader.take(2, batch(2, DECLARED[:5], more=True))
    assert reader.stored.declared == {}
    reader.take(3, batch(3, DECLARED[5:]))
    assert ("queue", "q") in reader.stored.declared


def test_a_batch_without_its_last_part_counts_as_not_written() -> None:
    reader = LogReader(1)
    reader.take(1, LogRecord(Kind.TERM, 1, 1, 0, 1000))
    reader.take(2, batch(2, DECLARED[:5], more=True))
    reader.take(3, LogRecord(Kind.TERM, 2, 3, 1, 1000))
    reader.take(4, LogRecord(Kind.BATCH, 2, 4, 2, 1000, DECLARED + MESSAGE))
    assert len(reader.stored.messages[1]) == 1
    assert reader.stored.records == 2


def test_a_batch_of_a_later_version_is_refused() -> None:
    reader = LogReader(1)
    reader.take(1, LogRecord(Kind.TERM, 1, 1, 0, 1000))
    with pytest.raises(LogRecordError, match=r"message 2 .*cannot be read: .*; use a newer"):
        reader.take(2, batch(2, UNKNOWN))
