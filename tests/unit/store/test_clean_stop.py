"""After a clean stop nothing is a torn end: what is missing was safe, and is damage."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_disk import FakeDisk
from stored_queue import StoredQueue

from lastvalue.store import records
from lastvalue.store.clean_stop import CLEAN_STOP, read_clean_stop, write_clean_stop
from lastvalue.store.compaction import compact
from lastvalue.store.files import DISK
from lastvalue.store.inspection import inspect
from lastvalue.store.segments import SEGMENT_HEAD, CorruptError, Tail, segment_numbers, segment_path
from lastvalue.store.store_contents import StoreContents, load_contents
from lastvalue.store.writer import SegmentWriter


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def cut_whole_batch(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: data.rindex(b"\xb1bat")])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-3] ^= 4
    path.write_bytes(data)


def zero(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40] + bytes(40))


DAMAGES: list[Callable[[Path], None]] = [cut, cut_whole_batch, flip, zero, Path.unlink]


def stopped(directory: Path) -> Path:
    """A store with the messages 0 to 9 whose broker stopped in order; its newest file."""
    stored = StoredQueue(directory, segment_bytes=300)
    for number in range(10):
        stored.send(f"body {number}")
        stored.flush()
    stored.journal.close()
    assert len(segment_numbers(directory)) > 2
    return segment_path(directory, segment_numbers(directory)[-1])


def bodies(stored: StoreContents) -> list[bytes]:
    return [message.encoded for _, (_, message) in sorted(stored.messages[1].items())]


ALL = [b"body %d" % number for number in range(10)]


def test_what_stopped_in_order_is_whole(tmp_path: Path) -> None:
    stopped(tmp_path)
    assert bodies(load_contents(tmp_path, salvage=False)) == ALL
    assert inspect(tmp_path).damage == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_missing_after_a_clean_stop_is_damage(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    newest = stopped(tmp_path)
    damage(newest)
    with pytest.raises(CorruptError, match="salvage") as raised:
        load_contents(tmp_path, salvage=False)
    assert raised.value.path == newest
    assert [damage.path for damage in inspect(tmp_path).damage] == [newest]
    assert inspect(tmp_path).torn == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_same_is_a_torn_end_without_a_clean_stop(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    damage(stopped(tmp_path))
    (tmp_path / CLEAN_STOP).unlink()
    assert inspect(tmp_path).damage == []
    kept = bodies(load_contents(tmp_path, salvage=False))
    assert kept == ALL[: len(kept)]


@pytest.mark.parametrize("damage", DAMAGES)
def test_salvage_keeps_the_rest_and_the_next_stop_is_clean_again(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    newest = stopped(tmp_path)
    damage(newest)
    stored = load_contents(tmp_path, salvage=True)
    kept = bodies(stored)
    assert kept == ALL[: len(kept)]
    assert 0 < len(kept) < 10
    assert stored.damaged in (int(newest.stem), int(newest.stem) - 1)
    writer = SegmentWriter(tmp_path, 300, stored.tail, DISK)
    writer.write(stored.next_segment, records.removed(1, 1, 3))
    for number in segment_numbers(tmp_path)[:-1]:
        writer.delete(number)
    writer.close()
    assert load_contents(tmp_path, salvage=False).damaged == 0


def test_all_files_are_missed(tmp_path: Path) -> None:
    stopped(tmp_path)
    for number in segment_numbers(tmp_path):
        segment_path(tmp_path, number).unlink()
    with pytest.raises(CorruptError, match="the file is missing"):
        load_contents(tmp_path, salvage=False)


def test_the_mark_counts_until_a_segment_is_begun(tmp_path: Path) -> None:
    newest = stopped(tmp_path)
    writer = SegmentWriter(tmp_path, 300, load_contents(tmp_path, salvage=False).tail, DISK)
    writer.write(int(newest.stem) + 1, records.removed(1, 1, 3))
    os.truncate(segment_path(tmp_path, int(newest.stem) + 1), SEGMENT_HEAD.size + 5)
    assert bodies(load_contents(tmp_path, salvage=False)) == ALL


@pytest.mark.parametrize("mark", [b"", bytes(16), b"x" * 16, b"too long" * 10])
def test_a_mark_that_cannot_be_read_counts_as_none(tmp_path: Path, mark: bytes) -> None:
    newest = stopped(tmp_path)
    (tmp_path / CLEAN_STOP).write_bytes(mark)
    assert read_clean_stop(tmp_path) == Tail()
    cut(newest)
    assert bodies(load_contents(tmp_path, salvage=False)) == ALL[:9]


def test_a_mark_is_read_as_it_was_written(tmp_path: Path) -> None:
    for tail in (Tail(7, 3), Tail(2**63, 2**31)):
        write_clean_stop(tmp_path, tail, DISK)
        assert read_clean_stop(tmp_path) == tail


def test_a_compaction_is_a_clean_stop(tmp_path: Path) -> None:
    stopped(tmp_path)
    compact(tmp_path, 300)
    cut(segment_path(tmp_path, segment_numbers(tmp_path)[-1]))
    with pytest.raises(CorruptError):
        load_contents(tmp_path, salvage=False)


def test_a_full_disk_leaves_out_the_mark_alone(tmp_path: Path) -> None:
    disk = FakeDisk(tmp_path)
    writer = SegmentWriter(tmp_path, 300, Tail(), disk)
    writer.write(1, b"records")
    disk.faults["create"] = [errno.ENOSPC]
    writer.close()
    assert sorted(disk.after_kill()) == ["000000000001.journal"]


def test_a_stop_that_abandons_its_last_file_leaves_no_mark(tmp_path: Path) -> None:
    disk = FakeDisk(tmp_path)
    first = SegmentWriter(tmp_path, 300, Tail(), disk)
    first.write(1, b"records")
    first.close()
    assert CLEAN_STOP in disk.after_kill()
    second = SegmentWriter(tmp_path, 300, Tail(1, 1), disk)
    second.begin(2)
    second.delete(1)
    disk.faults["sync"] = [errno.EIO]
    with pytest.raises(OSError, match="EIO"):
        second.close()
    second.close()
    assert disk.after_kill() == {}
