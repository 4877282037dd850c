"""`lastvalue store compact`: what is live stays, whatever happens on the way."""

from contextlib import suppress
from pathlib import Path

import pytest
from stored_queue import StoredQueue

from lastvalue.queues.effects import Reason
from lastvalue.store import records
from lastvalue.store.compaction import compact
from lastvalue.store.files import Files
from lastvalue.store.inspection import inspect
from lastvalue.store.segments import segment_numbers, segment_path
from lastvalue.store.store_contents import load_contents

WINDOW = 3


class KilledError(Exception):
    """The process ends here."""


class FailingFiles(Files):
    """A disk that fails from its n-th step on; a full one lets files be deleted."""

    def __init__(self, steps: int, fault: Exception) -> None:
        self._left = steps
        self._fault = fault

    def create(self, path: Path) -> int:
        self._step()
        return super().create(path)

    def write(self, descriptor: int, data: memoryview, offset: int) -> int:
        self._step()
        return super().write(descriptor, data, offset)

    def delete(self, path: Path) -> None:
        if not isinstance(self._fault, OSError):
            self._step()
        super().delete(path)

    def _step(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise self._fault


def fill(directory: Path) -> None:
    stored = StoredQueue(directory, segment_bytes=4_000, duplicate_window=WINDOW)
    for number in range(200):
        stored.send(f"{number}", {"_AMQ_DUPL_ID": f"id {number:03d}"})
        stored.flush()
    stored.queue.remove(stored.queue.entries()[::3], Reason.ACCEPTED)
    stored.flush()
    stored.journal.close()


def content(directory: Path) -> object:
    stored = load_contents(directory, salvage=False)
    messages = {
        number: [(sequence, records.stored_message(kept)) for sequence, (_, kept) in sorted(of_queue.items())]
        for number, of_queue in stored.messages.items()
    }
    # The files may have more than the queue continues with.
    ids = {number: sorted(of_queue)[-WINDOW:] for number, of_queue in stored.ids.items()}
    return messages, ids, stored.sequences, stored.declared


def test_what_is_live_stays_and_nothing_else(tmp_path: Path) -> None:
    fill(tmp_path)
    before = content(tmp_path)
    size_before, size_after = compact(tmp_path, 4_000)
    assert content(tmp_path) == before
    assert len(load_contents(tmp_path, salvage=False).ids[1]) == WINDOW
    assert size_after < size_before
    found = inspect(tmp_path)
    assert (found.damage, found.torn, [queue.dead for queue in found.queues.values()]) == ([], [], [0])


@pytest.mark.parametrize("steps", range(0, 40, 3))
def test_a_kill_at_any_step_leaves_the_same_content(tmp_path: Path, steps: int) -> None:
    fill(tmp_path)
    before = content(tmp_path)
    with suppress(KilledError):
        compact(tmp_path, 4_000, files=FailingFiles(steps, KilledError()))
    assert inspect(tmp_path).damage == []
    assert content(tmp_path) == before


def test_a_full_disk_leaves_the_old_files_alone(tmp_path: Path) -> None:
    fill(tmp_path)
    before = content(tmp_path)
    files = {path: segment_path(tmp_path, path).read_bytes() for path in segment_numbers(tmp_path)}
    with pytest.raises(OSError, match="full"):
        compact(tmp_path, 4_000, files=FailingFiles(3, OSError(28, "full")))
    assert {path: segment_path(tmp_path, path).read_bytes() for path in segment_numbers(tmp_path)} == files
    assert content(tmp_path) == before
