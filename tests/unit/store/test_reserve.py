"""A full disk, and the reserve with which a store frees itself."""

import errno
import threading
from pathlib import Path

import pytest
from canned_message import Bell, CannedMessage
from fake_disk import FakeDisk, SmallDisk

from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome
from lastvalue.store.file_log import file_journal
from lastvalue.store.files import DISK
from lastvalue.store.reserve import MOST_BYTES, RESERVE, Reserve, reserve_bytes
from lastvalue.store.store_contents import load_contents
from lastvalue.store.store_options import StoreOptions
from lastvalue.store.writer import LEAST_AHEAD_BYTES

ROOM = 2 << 20
RESERVED = 128 << 10
BODY_BYTES = 8000


@pytest.mark.parametrize(
    ("volume", "reserved"),
    [
        (0, 0),
        (1 << 20, 128 << 10),
        (64 << 20, 4 << 20),
        (256 << 20, 8 << 20),
        (1 << 40, MOST_BYTES),
    ],
)
def test_a_reserve_is_a_small_part_of_its_disk(volume: int, reserved: int) -> None:
    assert reserve_bytes(volume) == reserved


def test_a_reserve_takes_its_room_and_gives_it_back_once(tmp_path: Path) -> None:
    reserve = Reserve(tmp_path, 1 << 16, DISK)
    reserve.make()
    status = (tmp_path / RESERVE).stat()
    assert (status.st_size, status.st_blocks * 512 >= 1 << 16, reserve.missing) == (1 << 16, True, False)
    assert reserve.release()
    assert ((tmp_path / RESERVE).exists(), reserve.missing) == (False, True)
    assert not reserve.release()


def test_a_reserve_stays_from_one_run_to_the_next_unless_its_size_has_changed(tmp_path: Path) -> None:
    disk = SmallDisk(tmp_path, ROOM)
    for size in (1000, 1000, 2000):
        Reserve(tmp_path, size, disk).make()
    assert disk.size(tmp_path / RESERVE) == 2000
    assert disk.calls.count("create") == 2


@pytest.mark.parametrize("call", ["create", "allocate", "sync"])
def test_a_reserve_for_which_there_is_no_room_leaves_nothing_behind(tmp_path: Path, call: str) -> None:
    disk = FakeDisk(tmp_path)
    disk.faults = {call: [errno.ENOSPC]}
    reserve = Reserve(tmp_path, 1000, disk)
    with pytest.raises(OSError, match="ENOSPC"):
        reserve.make()
    assert (disk.names(tmp_path), reserve.missing, reserve.release()) == ([], True, False)


def test_a_reserve_of_nothing_is_none(tmp_path: Path) -> None:
    disk = FakeDisk(tmp_path)
    reserve = Reserve(tmp_path, 0, disk)
    reserve.make()
    assert (disk.calls, reserve.missing, reserve.release()) == ([], False, False)


# ---------------------------------------------------------------------- a full disk


class SmallStore:
    """A queue with a consumer whose store is on a small disk."""

    def __init__(self, directory: Path, segment_bytes: int, reserved: int = RESERVED) -> None:
        self.directory = directory
        self.disk = SmallDisk(directory, ROOM)
        options = StoreOptions(segment_bytes=segment_bytes, reserve_bytes=reserved)
        self.journal = file_journal(directory, options, files=self.disk)
        self.journal.begin()
        self.queue = Queue(spec_from_arguments("q", {"durable": True}))
        self.journal.declare("queue", "q", {})
        self.consumer = self.queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
        self.turned = threading.Semaphore(0)
        self.sent = 0

    def send(self) -> int:
        message = CannedMessage(body=f"{self.sent:08}".ljust(BODY_BYTES).encode())
        message.durable = True
        self.sent += 1
        self.queue.enqueue(message, 0)
        return self.journal.append("q", self.queue.drain())

    def consume(self) -> int:
        entry = self.queue.next(self.consumer, 0)
        assert entry is not None
        self.queue.settle(entry, Outcome.ACCEPTED, 0)
        return self.journal.append("q", self.queue.drain())

    def is_full(self) -> bool:
        return self.journal.fault is not None

    def turn(self) -> None:
        """Flush, and wait until the other thread has something to tell."""
        self.journal.flush(self.turned.release)
        assert self.turned.acquire(timeout=120)

    def fill(self) -> int:
        """Send until the disk is full; the position of what it did not take at first."""
        position = 0
        while not self.is_full():
            position = self.send()
            self.turn()
        return position

    def flushed(self, position: int) -> bool:
        """Whether the disk takes what was appended, as far as it gets with its room."""
        while self.journal.flushed < position:
            self.turn()
        return True

    def stored(self) -> list[int]:
        for name, data in self.disk.after_power_loss(lambda _: 0).items():
            (self.directory / name).write_bytes(data)
        kept = load_contents(self.directory, salvage=False).messages.get(1, {})
        return [int(one.encoded[:8]) for _, (_, one) in sorted(kept.items())]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastvalue.store.committer.RETRY_S", 0.001)


@pytest.mark.parametrize("segment_bytes", [256 << 10, 64 << 20], ids=["many segments", "one segment"])
def test_a_full_disk_frees_itself_when_its_messages_are_consumed(tmp_path: Path, segment_bytes: int) -> None:
    store = SmallStore(tmp_path, segment_bytes)
    position = store.fill()
    assert store.flushed(position)
    assert store.is_full()
    assert RESERVE not in store.disk.names(tmp_path)
    depth = store.queue.depth
    while store.is_full():
        assert store.flushed(store.consume())
    assert RESERVE in store.disk.names(tmp_path)
    assert store.queue.depth < depth
    for _ in range(3):
        assert store.flushed(store.send())
    assert not store.is_full()
    store.journal.close()
    assert store.stored() == list(range(store.sent - store.queue.depth, store.sent))


def test_without_a_reserve_a_full_disk_takes_no_acknowledgement(tmp_path: Path) -> None:
    store = SmallStore(tmp_path, 64 << 20, reserved=0)
    position = store.fill()
    for _ in range(store.queue.depth):
        store.consume()
    for _ in range(5):
        store.turn()
    assert store.journal.flushed < position
    store.journal.close()


def test_a_full_disk_on_which_others_make_room_gets_its_reserve_again(tmp_path: Path) -> None:
    store = SmallStore(tmp_path, 64 << 20)
    assert store.flushed(store.fill())
    store.disk.room_bytes += RESERVED + LEAST_AHEAD_BYTES
    while store.is_full():
        assert store.turned.acquire(timeout=120)
    assert store.flushed(store.send())
    store.journal.close()
    assert store.stored() == list(range(store.sent))
