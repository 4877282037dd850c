"""The ids that queues remember, in the journal's files."""

import threading
from pathlib import Path
from typing import Any

import pytest
from canned_message import CannedMessage

from lastvalue.queues.ids import explicit_id
from lastvalue.queues.once import enqueue_once
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.store import records
from lastvalue.store.file_log import file_journal
from lastvalue.store.records import RecordError
from lastvalue.store.segments import segment_numbers
from lastvalue.store.store_contents import load_contents
from lastvalue.store.store_options import StoreOptions
from lastvalue.store.writer import Sync

SEGMENT_BYTES = 4096


class StoredMessage:
    """A queue whose effects go to a journal in a directory."""

    def __init__(self, directory: Path, **options: Any) -> None:
        self.directory = directory
        self.journal = file_journal(directory, StoreOptions(Sync.NEVER, segment_bytes=SEGMENT_BYTES))
        self.queue = Queue(spec_from_arguments("q", {"durable": True, **options}))
        self.journal.declare("queue", "q", options)

    def send(self, duplicate_id: str, *, durable: bool = True) -> None:
        message = CannedMessage(body=duplicate_id.encode() * 20)
        message.durable = durable
        message.duplicate_id = explicit_id(duplicate_id.encode())
        assert enqueue_once(self.queue, message, 0)

    def flush(self) -> None:
        position = self.journal.append("q", self.queue.drain())
        written = threading.Event()
        self.journal.flush(written.set)
        assert self.journal.flushed >= position or written.wait(120)

    def ids(self) -> list[str]:
        """The ids that are read, oldest first."""
        self.flush()
        self.journal.close()
        found = load_contents(self.directory, salvage=False).ids.get(1, {})
        return [each[1:].decode() for each, _ in sorted(found.items(), key=lambda item: item[1][1])]


def test_the_ids_of_durable_messages_are_read_again(tmp_path: Path) -> None:
    kept = StoredMessage(tmp_path)
    kept.send("a")
    kept.send("b", durable=False)
    kept.send("c")
    kept.send("a")
    assert kept.ids() == ["a", "c"]


def test_an_id_outlives_its_message(tmp_path: Path) -> None:
    kept = StoredMessage(tmp_path)
    kept.send("a")
    kept.flush()
    kept.queue.purge()
    assert kept.ids() == ["a"]


def test_the_ids_of_a_deleted_queue_are_gone(tmp_path: Path) -> None:
    kept = StoredMessage(tmp_path)
    kept.send("a")
    kept.flush()
    kept.journal.forget("queue", "q")
    assert kept.ids() == []


def test_ids_survive_the_deletion_of_their_segment(tmp_path: Path) -> None:
    kept = StoredMessage(tmp_path, duplicate_window=1000)
    kept.send("first")
    for number in range(400):
        kept.send(f"{number:03}")
        kept.flush()
        kept.queue.purge()
        kept.flush()
    assert segment_numbers(tmp_path)[0] > 1
    assert kept.ids() == ["first", *(f"{number:03}" for number in range(400))]


def test_what_is_forgotten_does_not_keep_segments(tmp_path: Path) -> None:
    kept = StoredMessage(tmp_path, duplicate_window=5)
    for number in range(500):
        kept.send(f"{number:03}")
        kept.flush()
        kept.queue.purge()
        kept.flush()
    assert len(segment_numbers(tmp_path)) <= 4
    assert kept.ids()[-5:] == ["495", "496", "497", "498", "499"]
    assert kept.journal._builder.live_bytes == 5 * len(records.identified(1, kept.queue.duplicates.ids()[0]))


def test_what_was_forgotten_is_left_out_while_reading(tmp_path: Path) -> None:
    kept = StoredMessage(tmp_path, duplicate_window=2)
    for number in range(9):
        kept.send(str(number))
    assert kept.ids()[-2:] == ["7", "8"]
    assert len(load_contents(tmp_path, salvage=False).ids[1]) <= 4


def test_a_journal_goes_on_with_the_ids_that_were_read(tmp_path: Path) -> None:
    kept = StoredMessage(tmp_path, duplicate_window=1000)
    for number in range(30):
        kept.send(f"{number:03}")
    kept.flush()
    kept.journal.close()
    stored = load_contents(tmp_path, salvage=False)
    again = StoredMessage.__new__(StoredMessage)
    again.directory = tmp_path
    again.queue = kept.queue
    again.journal = file_journal(tmp_path, StoreOptions(Sync.NEVER, segment_bytes=SEGMENT_BYTES), stored.tail)
    again.journal.adopt_segments(stored.segments, 0)
    again.journal.adopt(stored.declared.values(), stored.next_number)
    again.queue.purge()
    again.queue.drain()
    again.journal.adopt_ids("q", again.queue.duplicates.ids())
    for number in range(30, 200):
        again.send(f"{number:03}")
        again.queue.purge()
        again.flush()
    assert segment_numbers(tmp_path)[0] > 1
    assert again.ids() == [f"{number:03}" for number in range(200)]


def test_an_id_that_ends_behind_its_batch_is_no_record() -> None:
    data = records._IDENTIFIED.pack(records.IDENTIFIED, 1, 1, 10) + b"short"
    with pytest.raises(RecordError, match="exceeds its batch"):
        list(records.records(data))
