"""What `lastvalue store check` finds, and what it does not change."""

from pathlib import Path

import pytest
from stored_queue import StoredQueue

from lastvalue.store.clean_stop import CLEAN_STOP
from lastvalue.store.inspection import NoStoreError, inspect
from lastvalue.store.segments import segment_numbers, segment_path


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.glob("*.journal")}


def filled(directory: Path) -> StoredQueue:
    """Segments of which the oldest is gone, with messages that left and some that are there."""
    stored = StoredQueue(directory, segment_bytes=4_000, type="lvq", lvq_key="k")
    for number in range(400):
        stored.send(f"value {number}", {"k": number % 40})
        stored.flush()
    stored.journal.close()
    assert segment_numbers(directory)[0] > 1
    return stored


def several(directory: Path) -> None:
    """Segments full of messages that are all on the queue."""
    stored = StoredQueue(directory, segment_bytes=2_000)
    for number in range(100):
        stored.send(f"value {number}")
        stored.flush()
    stored.journal.close()
    assert len(segment_numbers(directory)) > 2


def test_a_store_is_sound_though_its_oldest_segments_are_gone(tmp_path: Path) -> None:
    filled(tmp_path)
    before = contents(tmp_path)
    found = inspect(tmp_path)
    assert (found.damage, found.torn) == ([], [])
    assert (found.segments, found.bytes) == (len(before), sum(map(len, before.values())))
    assert [(queue.name, queue.live) for queue in found.queues.values()] == [("q", 40)]
    assert found.queues[1].dead > 0
    assert contents(tmp_path) == before


def test_a_torn_end_is_told_and_sound_and_stays(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / CLEAN_STOP).unlink()
    newest = segment_path(tmp_path, segment_numbers(tmp_path)[-1])
    size = newest.stat().st_size
    newest.write_bytes(newest.read_bytes()[:-3])
    found = inspect(tmp_path)
    assert found.damage == []
    assert [torn.path for torn in found.torn] == [newest]
    assert newest.stat().st_size == size - 3


def test_each_damage_is_told_with_its_file_and_byte(tmp_path: Path) -> None:
    several(tmp_path)
    first, second = (segment_path(tmp_path, number) for number in segment_numbers(tmp_path)[:2])
    for path in (first, second):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    found = inspect(tmp_path)
    assert [damage.path for damage in found.damage] == [first, second]
    assert all(0 < damage.offset <= damage.path.stat().st_size // 2 for damage in found.damage)


def test_a_missing_segment_is_told(tmp_path: Path) -> None:
    several(tmp_path)
    missing = segment_path(tmp_path, segment_numbers(tmp_path)[1])
    missing.unlink()
    assert missing in [damage.path for damage in inspect(tmp_path).damage]


def test_a_removal_of_what_was_never_added_is_damage(tmp_path: Path) -> None:
    stored = StoredQueue(tmp_path)
    stored.send("a")
    stored.flush()
    stored.raw_removal(7)
    stored.journal.close()
    (damage,) = inspect(tmp_path).damage
    assert "message 7 of queue 'q' is removed but not present" in damage.what


def test_a_record_of_an_unknown_queue_is_damage(tmp_path: Path) -> None:
    stored = StoredQueue(tmp_path)
    stored.send("a")
    stored.flush()
    stored.raw_removal(1, number=9)
    stored.journal.close()
    (damage,) = inspect(tmp_path).damage
    assert "queue 9, which is not declared" in damage.what


@pytest.mark.parametrize(
    ("name", "text"), [("nowhere", "no directory"), ("file", "is a file"), ("", "no store")]
)
def test_what_is_no_store_is_told(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NoStoreError, match=text):
        inspect(tmp_path / name)
