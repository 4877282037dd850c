"""Segments as they are written, on a disk that may fail."""

import errno
from pathlib import Path

import pytest
from fake_disk import FakeDisk

from lastvalue.store.segments import SEGMENT_HEAD, SegmentReader, Tail, head, segment_path
from lastvalue.store.writer import SegmentWriter

SEGMENT_BYTES = 1 << 16


def writer_on(directory: Path) -> tuple[SegmentWriter, FakeDisk]:
    disk = FakeDisk(directory)
    return SegmentWriter(directory, SEGMENT_BYTES, Tail(7, 2), disk), disk


def batches(directory: Path, disk: FakeDisk, number: int) -> list[bytes]:
    """What is in a segment, as it would be read."""
    path = segment_path(directory, number)
    path.write_bytes(disk.listings[-1][path.name].data)
    return [each.records for each in SegmentReader(path).read()]


def test_batches_stand_in_their_order_behind_the_head(tmp_path: Path) -> None:
    writer, disk = writer_on(tmp_path)
    writer.write(1, b"one")
    writer.write(1, b"two")
    writer.close()
    assert batches(tmp_path, disk, 8) == [b"one", b"two"]
    data = disk.listings[-1]["000000000008.journal"].data
    assert data[: SEGMENT_HEAD.size] == head(8, Tail(7, 2))


def test_a_file_is_filled_ahead_and_cut_off_when_it_is_finished(tmp_path: Path) -> None:
    writer, disk = writer_on(tmp_path)
    writer.write(1, b"one")
    sizes = [len(disk.listings[-1]["000000000008.journal"].data)]
    writer.close()
    sizes.append(len(disk.listings[-1]["000000000008.journal"].data))
    assert sizes[0] == SEGMENT_BYTES
    assert sizes[1] < 100


def test_another_segment_says_how_many_batches_of_the_one_before_it_are_safe(tmp_path: Path) -> None:
    writer, disk = writer_on(tmp_path)
    writer.write(1, b"one")
    writer.write(1, b"two")
    writer.write(2, b"three")
    data = disk.listings[-1]["000000000009.journal"].data
    assert data[: SEGMENT_HEAD.size] == head(9, Tail(8, 2))


@pytest.mark.parametrize(("number", "file"), [(errno.EIO, 9), (errno.ENOSPC, 8)])
def test_a_batch_that_was_not_written_is_written_again_where_the_fault_lets_it(
    tmp_path: Path, number: int, file: int
) -> None:
    writer, disk = writer_on(tmp_path)
    writer.begin(1)
    disk.faults = {"write": [number]}
    with pytest.raises(OSError, match=errno.errorcode[number]):
        writer.write(1, b"one")
    writer.write(1, b"one")
    writer.sync()
    assert batches(tmp_path, disk, file) == [b"one"]


def test_what_was_not_synced_is_written_to_another_file(tmp_path: Path) -> None:
    writer, disk = writer_on(tmp_path)
    writer.write(1, b"safe")
    writer.sync()
    writer.write(1, b"one")
    writer.write(1, b"two")
    disk.faults = {"sync": [errno.EIO]}
    with pytest.raises(OSError, match="EIO"):
        writer.sync()
    writer.sync()
    assert batches(tmp_path, disk, 9) == [b"onetwo"]


def test_all_files_of_a_segment_are_deleted_together(tmp_path: Path) -> None:
    writer, disk = writer_on(tmp_path)
    writer.write(1, b"safe")
    writer.sync()
    writer.write(1, b"one")
    disk.faults = {"sync": [errno.EIO]}
    with pytest.raises(OSError, match="EIO"):
        writer.sync()
    writer.sync()
    writer.write(2, b"next")
    writer.delete(1)
    assert sorted(disk.listings[-1]) == ["000000000010.journal"]


def test_nothing_is_synced_where_nothing_was_written(tmp_path: Path) -> None:
    writer, disk = writer_on(tmp_path)
    writer.sync()
    writer.close()
    assert disk.calls == []
