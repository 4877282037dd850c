"""The view of the demo."""

import io
import os

import pytest
from rich.console import Console

from lastvalue.cli.live_table import LiveTable, Rate


def test_a_rate_is_the_growth_over_the_last_seconds() -> None:
    rate = Rate()
    for second in range(11):
        rate.add(100 * second if second > 5 else 0, second * 1000)
    assert rate.per_second() == pytest.approx(100)


def test_a_rate_of_too_little_is_nothing() -> None:
    rate = Rate()
    assert rate.per_second() == 0
    rate.add(7, 0)
    assert rate.per_second() == 0


@pytest.fixture
def table() -> LiveTable:
    table = LiveTable("symbol", ["bid", "note"])
    table.phase = "replaying"
    table.read = 10
    table.update("B", {"bid": 2.0, "note": "old"}, 1, 1000)
    table.update("A", {"bid": 1.25, "note": None}, 3, 2000)
    table.update("B", {"bid": 2.5, "note": "new"}, 4, 9000)
    return table


def test_a_key_has_one_row_with_its_newest_values(table: LiveTable) -> None:
    text = shown(table, height=40)
    assert "old" not in text
    assert [cells(line) for line in text.splitlines() if "│" in line] == [
        ["A", "1.25", "", "3", "8.0 s"],
        ["B", "2.50", "new", "4", "1.0 s"],
    ]


def test_a_low_screen_shows_what_changed_last(table: LiveTable) -> None:
    assert [cells(line)[0] for line in shown(table, height=7).splitlines() if "│" in line] == ["B"]


def test_the_line_has_counts_rates_and_the_ratio(table: LiveTable) -> None:
    table.tick(0)
    table.read = 40
    table.tick(1000)
    assert table.line() == "replaying 40 read (30/s), 3 delivered (0/s), 2 keys, 13.3 : 1"


def test_a_day_of_aircraft_fits_into_80_columns() -> None:
    names = ("callsign", "latitude", "longitude", "altitude", "groundspeed", "track")
    table = LiveTable("icao24", names)
    table.phase = "replaying"
    for number in range(213):
        values = dict.fromkeys(names, 12345.6789) | {"callsign": "AFR1234X"}
        table.update(f"39{number:04x}", values, 1_000, 10_000)
    table.tick(0)
    table.read, table.delivered = 284_505, 98_765
    table.tick(60_000)
    assert len(table.line()) <= 80
    rows = [cells(line) for line in shown(table, height=40).splitlines() if "│" in line]
    assert rows[0] == ["390000", "AFR1234X", *["12,345.6789"] * 3, "1,000", "0.0 s"]


def shown(table: LiveTable, height: int) -> str:
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(table.render(os.terminal_size((80, height)), 10_000))
    return console.export_text()


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("│").split("│")]
