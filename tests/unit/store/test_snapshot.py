"""lastvalue.store.snapshot."""

import errno
import json
import shutil
from pathlib import Path

import pytest
from stored_queue import StoredQueue

from lastvalue.store.segments import segment_numbers, segment_path
from lastvalue.store.snapshot import (
    MANIFEST,
    RESTORING,
    SnapshotError,
    capture,
    check_restored,
    release,
    restore,
    snapshots_in,
    summary_of,
    verify,
    write_snapshot,
)
from lastvalue.store.store_contents import load_contents


def quiet(done: int, of: int) -> None:
    """Nobody looks."""


def snapshot_of(store: Path, directory: Path) -> None:
    files = {
        path: path.stat().st_size for path in (segment_path(store, each) for each in segment_numbers(store))
    }
    parts = capture(files)
    try:
        write_snapshot(parts, directory, 1_000, quiet)
    finally:
        release(parts)


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    stored = StoredQueue(tmp_path / "store")
    for body in "abc":
        stored.send(body)
    stored.flush()
    stored.journal.close()
    directory = tmp_path / "snapshot"
    directory.mkdir()
    snapshot_of(tmp_path / "store", directory)
    return directory


@pytest.fixture(autouse=True)
def store_directory(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()


def test_a_restored_store_holds_what_the_snapshot_does(tmp_path: Path, snapshot: Path) -> None:
    restore(snapshot, tmp_path / "new", quiet)
    stored = load_contents(tmp_path / "new", salvage=False)
    assert [kept.encoded for _, kept in stored.messages[1].values()] == [b"a", b"b", b"c"]
    check_restored(tmp_path / "new")


def test_a_directory_that_has_something_is_not_restored_into(tmp_path: Path, snapshot: Path) -> None:
    with pytest.raises(SnapshotError, match="is not empty"):
        restore(snapshot, tmp_path / "store", quiet)


def test_what_is_no_finished_snapshot_is_not_restored(tmp_path: Path, snapshot: Path) -> None:
    (snapshot / MANIFEST).unlink()
    with pytest.raises(SnapshotError, match="not a finished snapshot"):
        restore(snapshot, tmp_path / "new", quiet)
    with pytest.raises(SnapshotError, match="there is no directory"):
        restore(tmp_path / "nowhere", tmp_path / "new", quiet)
    assert not (tmp_path / "new").exists()


def test_a_snapshot_with_a_shortened_file_is_not_restored(tmp_path: Path, snapshot: Path) -> None:
    path = segment_path(snapshot, 1)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(SnapshotError, match="must be a file of"):
        restore(snapshot, tmp_path / "new", quiet)


@pytest.mark.parametrize(
    ("change", "text"), [({"version": 2}, "version 2"), ({"files": 5}, "cannot be read")]
)
def test_a_snapshot_of_another_version_is_not_restored(
    tmp_path: Path, snapshot: Path, change: dict[str, object], text: str
) -> None:
    told = json.loads((snapshot / MANIFEST).read_text())
    (snapshot / MANIFEST).write_text(json.dumps(told | change))
    with pytest.raises(SnapshotError, match=text):
        restore(snapshot, tmp_path / "new", quiet)


def test_a_snapshot_that_names_files_elsewhere_is_not_restored(tmp_path: Path, snapshot: Path) -> None:
    told = json.loads((snapshot / MANIFEST).read_text())
    (snapshot / MANIFEST).write_text(json.dumps(told | {"files": {"../store/lock": 0}}))
    with pytest.raises(SnapshotError, match="must be a file of"):
        restore(snapshot, tmp_path / "new", quiet)


def test_a_restore_that_was_cut_off_is_noticed(tmp_path: Path, snapshot: Path) -> None:
    def cut(done: int, of: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    with pytest.raises(OSError, match="full"):
        restore(snapshot, tmp_path / "new", cut)
    assert (tmp_path / "new" / RESTORING).exists()
    with pytest.raises(SnapshotError, match="did not finish"):
        check_restored(tmp_path / "new")
    with pytest.raises(SnapshotError, match="did not finish"):
        restore(snapshot, tmp_path / "new", quiet)


def test_nothing_of_a_snapshot_stays_when_the_disk_is_full(tmp_path: Path, snapshot: Path) -> None:
    def full(done: int, of: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    directory = tmp_path / "second"
    directory.mkdir()
    path = segment_path(snapshot, 1)
    parts = capture({path: path.stat().st_size})
    with pytest.raises(OSError, match="full"):
        write_snapshot(parts, directory, 1_000, full)
    release(parts)
    assert list(directory.iterdir()) == []


def test_snapshots_are_listed_by_age_with_what_is_wrong_with_them(tmp_path: Path, snapshot: Path) -> None:
    shutil.copytree(snapshot, tmp_path / "later")
    shutil.copytree(snapshot, tmp_path / "unfinished")
    later = tmp_path / "later" / MANIFEST
    later.write_text(later.read_text().replace("1000", "2000"))
    (tmp_path / "unfinished" / MANIFEST).unlink()
    (tmp_path / "other").mkdir()
    listed = {each.name: each for each in snapshots_in(tmp_path) if each.name != "store"}
    assert list(listed) == ["unfinished", "snapshot", "later"]
    assert (listed["snapshot"].taken_ms, listed["later"].taken_ms) == (1_000, 2_000)
    size = segment_path(snapshot, 1).stat().st_size
    summary = listed["snapshot"]
    assert (summary.files, summary.size_bytes, summary.fault) == (1, size, "")
    assert "is not a finished snapshot" in listed["unfinished"].fault


def test_a_directory_that_is_not_there_has_no_snapshots(tmp_path: Path) -> None:
    with pytest.raises(SnapshotError, match="there is no directory"):
        snapshots_in(tmp_path / "none")


def test_a_sound_snapshot_is_verified(snapshot: Path) -> None:
    inspection, damage = verify(snapshot, quiet)
    assert ([queue.live for queue in inspection.queues.values()], damage) == ([3], [])


@pytest.mark.parametrize("place", [100, -1], ids=["in the middle", "at the end"])
def test_every_byte_of_a_snapshot_counts(snapshot: Path, place: int) -> None:
    path = segment_path(snapshot, 1)
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)
    assert summary_of(snapshot).fault == ""
    _, (damage,) = verify(snapshot, quiet)
    assert damage.path == path


def test_a_snapshot_of_another_size_is_not_verified(snapshot: Path) -> None:
    path = segment_path(snapshot, 1)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(SnapshotError, match="must be a file of"):
        verify(snapshot, quiet)
    assert "must be a file of" in summary_of(snapshot).fault
