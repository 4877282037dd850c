"""lastvalue.cli.snapshots."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from stored_queue import StoredQueue

from lastvalue.store.object_address import ObjectAddress
from lastvalue.store.segments import segment_numbers, segment_path
from lastvalue.store.snapshot import MANIFEST, capture, release, write_snapshot
from lastvalue.store.snapshot_repository import SnapshotRepository

Lastvalue = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """A snapshot of a queue with three messages."""
    store, directory = tmp_path / "live", tmp_path / "backup" / "today"
    store.mkdir()
    directory.mkdir(parents=True)
    stored = StoredQueue(store)
    for body in "abc":
        stored.send(body)
    stored.flush()
    stored.journal.close()
    paths = [segment_path(store, each) for each in segment_numbers(store)]
    parts = capture({path: path.stat().st_size for path in paths})
    write_snapshot(parts, directory, 1_700_000_000_000, lambda done, of: None)
    release(parts)
    return directory


def test_snapshots_are_listed(snapshot: Path, lastvalue: Lastvalue) -> None:
    code, output, _ = lastvalue(f"snapshot list {snapshot.parent} -o json")
    (record,) = json.loads(output)
    size = sum(path.stat().st_size for path in snapshot.glob("*.journal"))
    assert code == 0
    assert record == {
        "name": "today",
        "taken_ms": 1_700_000_000_000,
        "files": 1,
        "bytes": size,
        "restorable": True,
        "fault": "",
    }
    assert "2023-11-14 22:13:20Z" in lastvalue(f"snapshot list {snapshot.parent}")[1]


def test_an_unfinished_snapshot_is_listed_with_the_reason(snapshot: Path, lastvalue: Lastvalue) -> None:
    (snapshot / MANIFEST).unlink()
    (record,) = json.loads(lastvalue(f"snapshot list {snapshot.parent} -o json")[1])
    assert (record["restorable"], "not a finished snapshot" in record["fault"]) == (False, True)
    code, _, errors = lastvalue(f"snapshot verify {snapshot}")
    assert (code, "not a finished snapshot" in errors) == (1, True)


def test_a_sound_snapshot_is_counted_and_a_damaged_one_reported(snapshot: Path, lastvalue: Lastvalue) -> None:
    code, output, errors = lastvalue(f"snapshot verify {snapshot} -o json")
    told = json.loads(output)
    assert (code, errors, told["sound"], told["queues"], told["messages"]) == (0, "", True, 1, 3)
    path = segment_path(snapshot, 1)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    code, output, errors = lastvalue(f"snapshot verify {snapshot} -o json")
    assert (code, json.loads(output)["sound"]) == (1, False)
    assert f"{path} is damaged at byte" in errors


@pytest.fixture
def url(snapshot: Path, tmp_path: Path) -> str:
    """The same in object storage."""
    paths = sorted(snapshot.glob("*.journal"))
    parts = capture({path: path.stat().st_size for path in paths})
    url = f"file://{tmp_path}/objects"
    SnapshotRepository(ObjectAddress(url)).write("today", parts, 1_700_000_000_000, lambda done, of: None)
    release(parts)
    return url


def test_what_is_in_object_storage_is_listed_verified_and_deleted(
    url: str, snapshot: Path, lastvalue: Lastvalue
) -> None:
    listed = json.loads(lastvalue(f"snapshot list {url} -o json")[1])
    assert listed == json.loads(lastvalue(f"snapshot list {snapshot.parent} -o json")[1])
    code, output, errors = lastvalue(f"snapshot verify {url}/today -o json")
    told = json.loads(output)
    assert (code, errors, told["sound"], told["taken_ms"]) == (0, "", True, 1_700_000_000_000)
    assert (told["queues"], told["messages"]) == (1, 3)
    assert json.loads(lastvalue(f"snapshot delete {url}/today -o json")[1])["parts"] == 1
    code, _, errors = lastvalue(f"snapshot verify {url}/today")
    assert (code, "today is not a finished snapshot" in errors) == (1, True)
    code, _, errors = lastvalue(f"snapshot delete {url}/today")
    assert (code, "has no snapshot today" in errors) == (1, True)


def test_a_directory_is_not_deleted(snapshot: Path, lastvalue: Lastvalue) -> None:
    code, _, errors = lastvalue(f"snapshot delete {snapshot}")
    assert (code, "name a URL" in errors) == (2, True)
    assert snapshot.exists()


def test_an_address_with_credentials_is_refused_and_not_told(lastvalue: Lastvalue) -> None:
    code, output, errors = lastvalue("snapshot list s3://KEY:SECRET@bucket/prices")
    assert (code, "credentials are in the environment" in errors) == (1, True)
    assert "SECRET" not in output + errors
