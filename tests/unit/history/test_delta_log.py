"""The Delta table itself: how it is created, and what its log says."""

from pathlib import Path

from lastvalue.history.data_files import Landed
from lastvalue.history.delta_log import (
    create_delta_table,
    landed_in,
    landed_transactions,
    newest_landed,
    open_delta_table,
    open_or_create_delta_table,
)


def test_a_table_is_created_once_and_says_its_positions(tmp_path: Path) -> None:
    location = str(tmp_path)
    assert open_delta_table(location) is None
    positions = [landed_transactions("h", epoch, 10 * epoch, 1000 * epoch) for epoch in (1, 2)]
    create_delta_table(location, transactions=[*positions[0], *positions[1]])
    create_delta_table(location)
    table = open_or_create_delta_table(location)
    assert table.version() == 0
    assert landed_in(table, "h", 1) == Landed(1, 10, 1000)
    assert newest_landed(table, "h", 1) == Landed(2, 20, 2000)
    assert newest_landed(table, "h/1", 1) is None
