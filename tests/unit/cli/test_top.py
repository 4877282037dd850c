"""lastvalue.cli.top."""

from collections.abc import Callable

import pytest

from lastvalue.cli.top import ranked

Lastvalue = Callable[[str], tuple[int, str, str]]
BEFORE = {"a": {"name": "a", "published": 10, "left": 0}, "b": {"name": "b", "published": 0, "left": 0}}
NOW: list[dict[str, object]] = [
    {"name": "a", "published": 30, "left": 4, "depth": 5},
    {"name": "b", "published": 100, "left": 0, "depth": 5},
    {"name": "c", "published": 7, "left": 0, "depth": 9},
]


def test_rates_are_of_the_counts_since_the_last_look() -> None:
    rows = {str(row["name"]): row for row in ranked("queue", NOW, BEFORE, 2.0, "name")}
    assert (rows["a"]["in_per_s"], rows["a"]["out_per_s"], rows["b"]["in_per_s"]) == (10, 2, 50)
    assert rows["c"]["in_per_s"] is None


@pytest.mark.parametrize(
    ("sort", "order"),
    [("in_per_s", "bac"), ("depth", "cab"), ("name", "abc"), ("bytes_in", "bac")],
)
def test_the_greatest_stand_first_and_equal_ones_by_name(sort: str, order: str) -> None:
    assert "".join(str(row["name"]) for row in ranked("queue", NOW, BEFORE, 2.0, sort)) == order


def test_queues_and_connections_are_printed(lastvalue: Lastvalue, url: str) -> None:
    assert url
    lastvalue("queue add prices")
    code, output, _ = lastvalue("top --count 2 --every 0.1")
    assert code == 0
    assert output.count("NAME    DEPTH  KEYS  UNSETTLED  IN PER S  OUT PER S") == 2
    assert "prices  0      0     0          0         0 " in output
    assert "PROGRAM" in output


def test_a_wrong_column_is_told(lastvalue: Lastvalue) -> None:
    code, _, errors = lastvalue("top --sort colour")
    assert (code, "there is no column 'colour'; there are name, depth" in errors) == (2, True)
