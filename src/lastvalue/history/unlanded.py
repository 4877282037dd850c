"""How many records of histories have not landed, and how many never will."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lastvalue.client import Connection, QueueInfo
from lastvalue.history.history_reader import history_of
from lastvalue.history.recorded_history import open_tables

if TYPE_CHECKING:
    from lastvalue.history.tables import HistoryTables


def read_landed(tables: Path | str) -> dict[str, int]:
    """The offset of the last record that has landed in tables, by history.

    Raises:
        HistoryTablesError: the tables cannot be read.
    """
    return landed_offsets(open_tables(tables))


def landed_offsets(tables: "HistoryTables") -> dict[str, int]:
    """The offset of the last record that has landed, by history."""
    found = {name: tables.landed(name) for name in tables.histories}
    return {name: landed.offset for name, landed in found.items() if landed is not None}


def lost_records(tables: "HistoryTables") -> dict[str, int]:
    """How many records of each history the broker had dropped before they landed, by history."""
    lost = dict.fromkeys(tables.histories, 0)
    for gap in tables.gaps:
        lost[gap.history] = lost.get(gap.history, 0) + gap.last - gap.first + 1
    return lost


async def unlanded(connection: Connection, queues: Iterable[str], landed: Mapping[str, int]) -> int:
    """How many records the broker has that have not landed.

    Args:
        connection: to the broker.
        queues: names of queues that have a history, or of history queues.
        landed: the offset of the last record that has landed, by history.

    Raises:
        QueueNotFoundError: a history does not exist.
    """
    names = {await history_of(connection, queue) or queue for queue in queues}
    records = 0
    for name in names:
        records += unlanded_records(await connection.queue(name).info(), landed)
    return records


def unlanded_records(history: QueueInfo, landed: Mapping[str, int]) -> int:
    """How many records of a history have not landed."""
    base_end = history.statistics.get("base_end", 0)
    single = history.depth - history.statistics.get("base_depth", 0)
    # Offsets count all records that the history has taken; it may have dropped some.
    last = base_end + single if base_end else history.published
    return min(single, max(0, last - landed.get(history.name, 0)))
