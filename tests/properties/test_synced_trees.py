"""Snapshots, restored stores and the tables of histories after a loss of power at any moment."""

import sys
from pathlib import Path

import pytest
from stored_queue import StoredQueue
from synced_tree import Losses, SyncedTree

from lastvalue.store.segments import segment_numbers, segment_path
from lastvalue.store.snapshot import (
    SnapshotError,
    capture,
    check_restored,
    make_target,
    release,
    restore,
    verify,
    write_snapshot,
)
from lastvalue.store.store_contents import load_contents

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="descriptors have names below /proc on Linux")


def quiet(done: int, of: int) -> None:
    """Nobody looks."""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    (tmp_path / "store").mkdir()
    stored = StoredQueue(tmp_path / "store")
    for number in range(20):
        stored.send(str(number) + "x" * 500)
    stored.flush()
    stored.journal.close()
    return tmp_path / "store"


def messages(store: Path) -> object:
    found = load_contents(store, salvage=False).messages
    return {
        (queue, sequence): bytes(each.encoded)
        for queue in found
        for sequence, (_, each) in found[queue].items()
    }


def take_snapshot(store: Path, directory: Path) -> None:
    paths = [segment_path(store, number) for number in segment_numbers(store)]
    make_target(directory)
    parts = capture({path: path.stat().st_size for path in paths})
    try:
        write_snapshot(parts, directory, 1, quiet)
    finally:
        release(parts)


def test_a_snapshot_is_whole_or_says_that_it_is_not(store: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    expected = messages(store)
    whole: list[bool] = []

    def check(left: Path) -> None:
        directory = left / "deep" / "snapshot"
        try:
            _, damage = verify(directory, quiet)
        except SnapshotError:
            whole.append(False)
            return
        whole.append(True)
        assert damage == []
        assert messages(directory) == expected

    with SyncedTree(root) as tree:
        losses = Losses(tree, tmp_path, check)
        take_snapshot(store, root / "deep" / "snapshot")
        assert set(whole) == {True, False}
        whole.clear()
        losses.lose()
        assert set(whole) == {True}


def test_a_restored_store_is_whole_or_is_refused(store: Path, tmp_path: Path) -> None:
    take_snapshot(store, tmp_path / "snapshot")
    expected = messages(store)
    root = tmp_path / "root"
    root.mkdir()
    found: list[str] = []

    def check(left: Path) -> None:
        directory = left / "new"
        try:
            check_restored(directory)
        except SnapshotError:
            found.append("refused")
            return
        if directory.exists() and segment_numbers(directory):
            found.append("whole")
            assert messages(directory) == expected
        else:
            found.append("empty")

    with SyncedTree(root) as tree:
        losses = Losses(tree, tmp_path, check)
        restore(tmp_path / "snapshot", root / "new", quiet)
        assert set(found) == {"refused", "whole", "empty"}
        found.clear()
        losses.lose()
        assert set(found) == {"whole"}
