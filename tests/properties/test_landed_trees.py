"""The tables of histories after a loss of power at any moment: what has landed is there, and whole."""

import sys
from pathlib import Path

import pytest
from synced_tree import Losses, SyncedTree

from lastvalue.history.records import Record
from lastvalue.history.table_writer import TableWriter
from lastvalue.history.tables import HistoryTables

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="descriptors have names below /proc on Linux")

DAY_MS = 86_400_000
DECLARATION = {"type": "lvq", "lvq_key": "k", "history": "h"}


def landed(directory: Path) -> list[int]:
    """The offsets of what has landed, once a writer has begun; every valid file is read."""
    writer = TableWriter(directory)
    offsets = sorted(record.offset for record in HistoryTables(directory).records("q"))
    landed = writer.landed("h")
    assert (0 if landed is None else landed.offset) == len(offsets)
    return offsets


def test_what_has_landed_is_there_and_of_what_is_landing_all_or_nothing(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    safe = 0
    seen: list[int] = []

    def check(left: Path) -> None:
        offsets = landed(left / "deep" / "tables")
        assert offsets == list(range(1, len(offsets) + 1))
        assert safe <= len(offsets) <= safe + 5
        seen.append(len(offsets))

    with SyncedTree(root) as tree:
        losses = Losses(tree, tmp_path, check)
        writer = TableWriter(root / "deep" / "tables")
        for begin in range(1, 11, 5):
            # Each half of a batch is of another day, so it has two files in two directories.
            records = [
                Record(offset, "declared", "q", offset // 3 * DAY_MS, declaration=DECLARATION)
                for offset in range(begin, begin + 5)
            ]
            writer.append("h", 1, records)
            safe += 5
            losses.lose()
        writer.compact(most=1)
        losses.lose()
        writer.checkpoint()
        losses.lose()
    assert set(seen) == {0, 5, 10}
