"""lastvalue.store.snapshot_places."""

from pathlib import Path

import pytest
from stored_queue import StoredQueue

from lastvalue.store.object_address import ObjectAddress
from lastvalue.store.segments import segment_numbers, segment_path
from lastvalue.store.snapshot import SnapshotError, capture, release, write_snapshot
from lastvalue.store.snapshot_places import (
    below,
    delete_at,
    read_snapshot_place,
    restore_from,
    snapshot_at,
    snapshots_at,
    verify_at,
)
from lastvalue.store.snapshot_repository import SnapshotRepository


def quiet(done: int, of: int) -> None:
    """Nobody looks."""


@pytest.fixture(params=["directory", "objects"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path | ObjectAddress:
    """A place with the snapshot `today` of three messages."""
    (tmp_path / "store").mkdir()
    stored = StoredQueue(tmp_path / "store")
    for body in "abc":
        stored.send(body)
    stored.flush()
    stored.journal.close()
    directory = tmp_path / "backup" / "today"
    directory.mkdir(parents=True)
    paths = [segment_path(tmp_path / "store", each) for each in segment_numbers(tmp_path / "store")]
    parts = capture({path: path.stat().st_size for path in paths})
    write_snapshot(parts, directory, 1000, quiet)
    address = ObjectAddress(f"file://{tmp_path}/objects")
    SnapshotRepository(address).write("today", parts, 1000, quiet)
    release(parts)
    return tmp_path / "backup" if request.param == "directory" else address


def test_a_snapshot_is_listed_verified_and_restored_wherever_it_is(
    root: Path | ObjectAddress, tmp_path: Path
) -> None:
    (today,) = snapshots_at(root)
    place = below(root, "today")
    assert (today.name, today.taken_ms, today.fault, snapshot_at(place)) == ("today", 1000, "", today)
    assert snapshot_at(root) is None
    assert snapshot_at(below(root, "tomorrow")) is None
    inspection, damage = verify_at(place, quiet)
    assert ([queue.live for queue in inspection.queues.values()], damage) == ([3], [])
    restore_from(place, tmp_path / "new", quiet)
    (path,) = (tmp_path / "new").iterdir()
    assert path.read_bytes() == (tmp_path / "store" / path.name).read_bytes()
    with pytest.raises(SnapshotError, match="is not empty"):
        restore_from(place, tmp_path / "new", quiet)


def test_a_snapshot_in_object_storage_is_deleted(tmp_path: Path) -> None:
    root = ObjectAddress(f"file://{tmp_path}/objects")
    SnapshotRepository(root).write("today", [], 1000, quiet)
    delete_at(ObjectAddress(f"{root}/today"))
    assert snapshots_at(root) == []


def test_what_is_meant_as_an_address_must_be_one() -> None:
    assert read_snapshot_place("/backup/today") == Path("/backup/today")
    assert read_snapshot_place("s3://bucket/today") == ObjectAddress("s3://bucket/today")
    with pytest.raises(SnapshotError, match="this is no address of snapshots: expected s3://BUCKET"):
        read_snapshot_place("s3://KEY:SECRET@bucket/today")
