import errno
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from canned_message import CannedMessage
from fake_disk import FakeDisk

from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.store.file_log import file_journal
from lastvalue.store.inspection import inspect
from lastvalue.store.segments import segment_numbers
from lastvalue.store.store_contents import load_contents
from lastvalue.store.store_options import StoreOptions
from lastvalue.store.writer import Sync


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastvalue.store.committer.RETRY_S", 0.001)


class StoredMessage:
    """A queue whose effects go to a journal on a disk that fails."""

    def __init__(self, directory: Path, sync: Sync = Sync.ALWAYS, segment_bytes: int = 1 << 16) -> None:
        self.directory = directory
        self.disk = FakeDisk(directory)
        options = StoreOptions(sync, interval_ms=20, segment_bytes=segment_bytes)
        self.journal = file_journal(directory, options, files=self.disk)
        self.queue = Queue(spec_from_arguments("q", {"durable": True}))
        self.journal.declare("queue", "q", {})
        self.noticed = threading.Semaphore(0)
        self.faults: list[str] = []
        self.send("first")

    def append(self, body: str) -> int:
        message = CannedMessage(body=body.encode())
        message.durable = True
        self.queue.enqueue(message, 0)
        return self.journal.append("q", self.queue.drain())

    def send(self, body: str) -> None:
        position = self.append(body)
        self.journal.flush(self._notice)
        while self.journal.flushed < position:
            assert self.noticed.acquire(timeout=120)

    def _notice(self) -> None:
        if self.journal.fault is not None:
            self.faults.append(str(self.journal.fault))
        self.noticed.release()

    def after_power_loss(self) -> list[str]:
        for name, data in self.disk.after_power_loss(lambda _: 0).items():
            (self.directory / name).write_bytes(data)
        kept = load_contents(self.directory, salvage=False).messages[1]
        return [one.encoded.decode() for _, (_, one) in sorted(kept.items())]


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[StoredMessage]:
    made = StoredMessage(tmp_path)
    yield made
    made.journal.close()


@pytest.mark.parametrize("call", ["sync", "write"])
def test_what_a_broken_disk_did_not_take_is_written_again_to_another_file(
    kept: StoredMessage, call: str
) -> None:
    kept.disk.calls.clear()
    kept.disk.faults = {call: [errno.EIO]}
    kept.send("second")
    assert kept.faults == ["[Errno 5] EIO"]
    assert kept.disk.calls.count("create") == 1
    assert kept.disk.calls[-1] == "sync"
    assert sorted(kept.disk.listings[-1]) == ["000000000001.journal", "000000000002.journal"]
    kept.send("third")
    assert kept.after_power_loss() == ["first", "second", "third"]


def test_a_file_that_was_never_synced_goes_when_it_fails(kept: StoredMessage) -> None:
    kept.disk.faults = {"sync": [errno.EIO, None, errno.EIO, errno.EIO]}
    kept.send("second")
    assert sorted(kept.disk.listings[-1]) == ["000000000001.journal", "000000000004.journal"]
    assert kept.after_power_loss() == ["first", "second"]


def test_a_full_disk_confirms_nothing_until_there_is_room_and_loses_nothing(kept: StoredMessage) -> None:
    kept.disk.faults = {"write": [errno.ENOSPC] * 5}
    kept.disk.calls.clear()
    kept.send("second")
    assert set(kept.faults) == {"[Errno 28] ENOSPC"}
    assert kept.journal.fault is None
    assert (kept.disk.calls.count("create"), kept.disk.calls.count("write")) == (0, 6)
    assert kept.after_power_loss() == ["first", "second"]


def test_while_the_disk_takes_nothing_nothing_is_confirmed(kept: StoredMessage) -> None:
    kept.disk.faults = {"sync": [errno.EIO] * 50}
    position = kept.append("second")
    kept.journal.flush(kept._notice)
    assert kept.noticed.acquire(timeout=120)
    assert kept.journal.flushed < position


def test_a_store_that_is_closed_while_the_disk_takes_nothing_closes(tmp_path: Path) -> None:
    kept = StoredMessage(tmp_path)
    kept.disk.faults = {"write": [errno.ENOSPC] * 100_000}
    kept.append("second")
    kept.journal.flush(kept._notice)
    assert kept.noticed.acquire(timeout=120)
    kept.append("third")
    kept.journal.close()
    assert kept.after_power_loss() == ["first"]


def test_a_segment_goes_before_the_next_one_may(tmp_path: Path) -> None:
    """A removal is in a later segment than its message: both gone, or only the message's."""
    kept = StoredMessage(tmp_path, segment_bytes=300)
    for number in range(40):
        kept.send(f"{number:50}")
        kept.queue.purge()
    kept.journal.close()
    after = [kept.disk.calls[index + 1] for index, call in enumerate(kept.disk.calls) if call == "delete"]
    assert len(after) > 10
    # The last one is for the mark of the clean stop.
    assert set(after[:-1]) == {"sync_directory"}


@pytest.mark.parametrize("sync", Sync)
def test_what_replaces_a_segment_is_synced_before_that_goes(tmp_path: Path, sync: Sync) -> None:
    kept = StoredMessage(tmp_path, sync, segment_bytes=300)
    for number in range(40):
        kept.send(f"{number:50}")
        kept.queue.purge()
    kept.journal.close()
    calls = [each for each in kept.disk.calls if each in ("write", "sync", "delete")]
    before = [calls[index - 1] for index, call in enumerate(calls) if call == "delete"]
    assert len(before) > 10
    assert set(before) <= {"sync", "delete"}


def test_with_an_interval_the_last_batch_is_synced_although_nothing_follows(tmp_path: Path) -> None:
    kept = StoredMessage(tmp_path, Sync.INTERVAL)
    synced = threading.Event()
    kept.disk.before = lambda call: synced.set() if call == "sync" else None
    kept.send("second")
    assert synced.wait(120)
    kept.journal.close()
    assert kept.after_power_loss() == ["first", "second"]


def test_a_sync_that_failed_after_an_interval_loses_nothing_that_was_confirmed(tmp_path: Path) -> None:
    kept = StoredMessage(tmp_path, Sync.INTERVAL)
    kept.disk.faults = {"sync": [errno.EIO]}
    kept.send("second")
    kept.send("third")
    kept.journal.close()
    assert kept.after_power_loss() == ["first", "second", "third"]


def test_a_directory_that_takes_no_files_is_noticed_before_anything_is_appended(tmp_path: Path) -> None:
    disk = FakeDisk(tmp_path)
    disk.faults = {"create": [errno.EROFS]}
    journal = file_journal(tmp_path, StoreOptions(), files=disk)
    with pytest.raises(OSError, match="EROFS"):
        journal.begin()


def test_a_full_disk_is_no_reason_not_to_start(tmp_path: Path) -> None:
    disk = FakeDisk(tmp_path)
    disk.faults = {"create": [errno.ENOSPC]}
    journal = file_journal(tmp_path, StoreOptions(), files=disk)
    journal.begin()
    journal.declare("queue", "q", {})
    done = threading.Event()
    journal.flush(done.set)
    assert done.wait(120)
    assert journal.flushed == 1
    journal.close()


def test_what_is_told_again_behind_a_failed_sync_is_no_damage(tmp_path: Path) -> None:
    kept = StoredMessage(tmp_path)
    kept.queue.purge()
    kept.disk.lie = lambda below: below - 1
    kept.disk.faults = {"sync": [errno.EIO]}
    kept.send("second")
    kept.journal.declare("queue", "other", {})
    kept.send("third")
    kept.disk.faults = {"sync": [errno.EIO]}
    kept.journal.forget("queue", "other")
    kept.send("fourth")
    kept.journal.close()
    for name, data in kept.disk.after_kill().items():
        (tmp_path / name).write_bytes(data)
    assert len(segment_numbers(tmp_path)) == 3
    told = inspect(tmp_path)
    assert (told.damage, told.torn) == ([], [])
    assert [counts.live for counts in told.queues.values()] == [3]
