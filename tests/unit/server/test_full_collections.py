"""lastvalue.server.full_collections."""

import asyncio
import gc
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from lastvalue.server import full_collections
from lastvalue.server.full_collections import CALM_LOOKS, LONG_SEARCH_S, MOST_OLD, FullCollections


class Ring:
    """Refers to itself, so only a search frees it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """The collector is afterwards as it was."""
    callbacks, thresholds = list(gc.callbacks), gc.get_threshold()
    yield
    gc.callbacks[:] = callbacks
    gc.set_threshold(*thresholds)
    gc.unfreeze()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many objects this process has, a search of them counts as short."""
    monkeypatch.setattr(full_collections, "FEW_OBJECTS", 1_000_000_000)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    file = tmp_path / "statm"
    size(file, 100)
    return file


def size(memory: Path, pages: int) -> None:
    """The process is so large now."""
    memory.write_text(f"900 {pages} 7 1 0 9 0")


def ring_left_out() -> "weakref.ref[Ring]":
    """Garbage that was none when it and many others were left out of further searches."""
    ring = Ring()
    others = [[number] for number in range(2 * MOST_OLD)]
    gc.collect()
    del others
    return weakref.ref(ring)


@pytest.mark.usefixtures("few")
def test_what_is_left_out_is_searched_when_the_process_is_four_times_as_large(memory: Path) -> None:
    collections = FullCollections(memory)
    size(memory, 110)
    ring = ring_left_out()
    size(memory, 440)
    collections.look()
    gc.collect()
    assert ring() is not None
    size(memory, 441)
    collections.look()
    assert ring() is None


def test_what_is_left_out_is_searched_when_the_process_and_its_objects_have_doubled(memory: Path) -> None:
    collections = FullCollections(memory, lambda: 0.0)
    size(memory, 110)
    ring = ring_left_out()
    kept = [[number] for number in range(2 * (gc.get_freeze_count() + 2 * MOST_OLD))]
    gc.collect()
    size(memory, 220)
    for _ in range(CALM_LOOKS):
        collections.look()
    assert ring() is not None
    size(memory, 221)
    collections.look()
    assert ring() is None
    assert kept


def test_a_search_that_takes_long_waits_until_the_process_has_little_to_do(memory: Path) -> None:
    used_s = [0.0]
    collections = FullCollections(memory, lambda: used_s[0])
    size(memory, 110)
    ring = ring_left_out()
    kept = [[number] for number in range(2 * (gc.get_freeze_count() + 2 * MOST_OLD))]
    gc.collect()
    size(memory, 221)
    for _ in range(CALM_LOOKS - 1):
        collections.look()
    used_s[0] += 100
    for _ in range(CALM_LOOKS):
        collections.look()
    assert ring() is not None
    collections.look()
    assert ring() is None
    assert kept


def test_a_search_that_takes_long_waits_until_the_objects_have_doubled(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_collections, "FEW_OBJECTS", MOST_OLD)
    collections = FullCollections(memory)
    size(memory, 110)
    ring = ring_left_out()
    size(memory, 5000)
    collections.look()
    assert ring() is not None


@pytest.mark.usefixtures("few")
def test_few_objects_whose_search_takes_long_are_left_out_until_there_is_little_to_do(memory: Path) -> None:
    used_s = [0.0]

    def slow() -> float:
        used_s[0] += LONG_SEARCH_S * 1.1
        return used_s[0]

    collections = FullCollections(memory, slow)
    ring = Ring()
    gc.collect()
    dropped = weakref.ref(ring)
    del ring
    gc.collect()
    size(memory, 5_000)
    collections.look()
    assert dropped() is not None
    kept = [[number] for number in range(2 * gc.get_freeze_count())]
    gc.collect()
    used_s[0] = -1e9
    for _ in range(CALM_LOOKS):
        assert dropped() is not None
        used_s[0] -= 1.0
        collections.look()
    assert dropped() is None
    assert kept


@pytest.mark.usefixtures("few")
def test_a_process_that_shrinks_and_grows_again_is_not_searched_again(memory: Path) -> None:
    collections = FullCollections(memory)
    ring_left_out()
    size(memory, 600)
    collections.look()
    size(memory, 100)
    ring = ring_left_out()
    size(memory, 2400)
    collections.look()
    assert ring() is not None
    size(memory, 2401)
    collections.look()
    assert ring() is None


def test_a_process_that_grows_by_few_objects_is_not_searched_whole(memory: Path) -> None:
    collections = FullCollections(memory)
    searched = gc.get_stats()[2]["collections"]
    size(memory, 5000)
    collections.look()
    assert gc.get_stats()[2]["collections"] == searched


def test_a_few_old_objects_are_searched_again_and_again(memory: Path) -> None:
    FullCollections(memory)
    ring = Ring()
    gc.collect()
    dropped = weakref.ref(ring)
    del ring
    assert dropped() is not None
    gc.collect()
    assert dropped() is None


def test_however_many_objects_are_kept_each_search_is_among_few(memory: Path) -> None:
    collections = FullCollections(memory)
    searched: list[int] = []
    gc.callbacks.insert(0, lambda phase, search: note_searched(phase, search, searched))
    kept = [[number] for number in range(1_000_000)]
    assert len(searched) > 5
    assert max(searched) < 4 * MOST_OLD
    size(memory, 1000)
    collections.look()
    searched.clear()
    kept += [[number] for number in range(200_000)]
    assert len(searched) > 2
    assert max(searched) < 4 * MOST_OLD


def note_searched(phase: str, search: dict[str, int], searched: list[int]) -> None:
    if phase == "stop" and search["generation"] == 2:
        searched.append(len(gc.get_objects()))


def test_where_the_size_is_unknown_the_collector_decides(tmp_path: Path) -> None:
    before = gc.get_threshold(), list(gc.callbacks)
    FullCollections(tmp_path / "none").look()
    assert (gc.get_threshold(), gc.callbacks) == before


@pytest.mark.usefixtures("few")
def test_it_looks_as_long_as_the_loop_runs(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastvalue.server.full_collections._LOOKS_EVERY_S", 0.001)
    collections = FullCollections(memory)
    loop = asyncio.new_event_loop()
    ring = ring_left_out()
    found: list[bool] = []
    weakref.finalize(ring(), found.append, True)
    weakref.finalize(ring(), loop.stop)
    collections.look_regularly(loop)
    size(memory, 401)
    loop.call_later(30, loop.stop)
    loop.run_forever()
    loop.close()
    assert found


def test_this_process_has_a_size() -> None:
    collections = FullCollections()
    searched = gc.get_stats()[2]["collections"]
    collections.look()
    assert gc.get_stats()[2]["collections"] == searched


def test_what_is_left_out_is_not_counted_while_the_process_is_busy(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_collections, "FEW_OBJECTS", 0)
    collections = FullCollections(memory, time.monotonic)
    size(memory, 110)
    ring = ring_left_out()
    size(memory, 10_000)
    counted = Mock(return_value=0)
    monkeypatch.setattr(gc, "get_freeze_count", counted)
    for _ in range(3 * CALM_LOOKS):
        collections.look()
    assert not counted.called
    assert ring() is not None
