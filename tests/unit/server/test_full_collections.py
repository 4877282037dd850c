"""lastvalue.server.full_collections."""

import asyncio
import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from lastvalue.server.full_collections import FullCollections


class Ring:
    """Refers to itself, so only a search frees it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """The collector is afterwards as it was."""
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    file = tmp_path / "statm"
    file.write_text("900 100 7 1 0 9 0")
    return file


def old_ring() -> "weakref.ref[Ring]":
    """Garbage that searches among young objects do not find."""
    ring = Ring()
    gc.collect()
    return weakref.ref(ring)


def test_old_garbage_is_searched_when_the_process_has_grown_by_half_since_the_last_search(
    memory: Path,
) -> None:
    collections = FullCollections(memory)
    ring = old_ring()
    memory.write_text("900 150 7 1 0 9 0")
    collections.look()
    assert ring() is not None
    memory.write_text("900 151 7 1 0 9 0")
    collections.look()
    assert ring() is None
    ring = old_ring()
    memory.write_text("900 226 7 1 0 9 0")
    collections.look()
    assert ring() is not None
    memory.write_text("900 227 7 1 0 9 0")
    collections.look()
    assert ring() is None


def test_the_collector_searches_old_objects_no_more_however_many_are_allocated(memory: Path) -> None:
    before = gc.get_threshold()
    FullCollections(memory)
    searched = gc.get_stats()[2]["collections"]
    kept = [[number] for number in range(20 * before[0] * (before[1] + 1))]
    assert gc.get_stats()[1]["collections"] > 0
    assert gc.get_stats()[2]["collections"] == searched
    del kept


def test_where_the_size_is_unknown_the_collector_decides(tmp_path: Path) -> None:
    before = gc.get_threshold()
    FullCollections(tmp_path / "none").look()
    assert gc.get_threshold() == before


def test_it_looks_as_long_as_the_loop_runs(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastvalue.server.full_collections._LOOKS_EVERY_S", 0.001)
    collections = FullCollections(memory)
    loop = asyncio.new_event_loop()
    ring = old_ring()
    found: list[bool] = []
    weakref.finalize(ring(), found.append, True)
    weakref.finalize(ring(), loop.stop)
    collections.look_regularly(loop)
    memory.write_text("900 200 7 1 0 9 0")
    loop.call_later(30, loop.stop)
    loop.run_forever()
    loop.close()
    assert found


def test_this_process_has_a_size() -> None:
    collections = FullCollections()
    searched = gc.get_stats()[2]["collections"]
    collections.look()
    assert gc.get_stats()[2]["collections"] == searched
