"""lastvalue.cli.snapshots."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from stored_queue import StoredQueue

from lastvalue.store.segments import segment_numbers, segment_path
from lastvalue.store.snapshot import MANIFEST, capture, release, write_snapshot

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
