"""The view of the demo."""

import io

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
    assert " ".join(table.line().split()) == (
        "replaying read 40 ( 30/s) delivered 3 ( 0/s) keys 2 conflation 13.3 : 1"
    )


def shown(table: LiveTable, height: int) -> str:
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(table.render(height, 10_000))
    return console.export_text()


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("│").split("│")]
