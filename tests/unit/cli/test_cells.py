"""lastvalue.cli.cells."""

import pytest

from lastvalue.broker.statistics import statistic as statistics
from lastvalue.cli.cells import cell, heading

MOMENTS = {
    each.name
    for table in (statistics.QUEUE, statistics.CONNECTION, statistics.SESSION, statistics.LINK)
    for each in table
    if each.name.endswith("_ms")
}


@pytest.mark.parametrize("name", sorted(MOMENTS))
def test_each_moment_of_the_statistics_is_shown_as_a_time(name: str) -> None:
    assert cell(name, 1_700_000_000_123) == "2023-11-14 22:13:20Z"
    assert cell(name, 0) == ""
    assert "MS" not in heading(name)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("a\x1b[31m\n", "a\\x1b[31m\\n"),
        (b"\xff", "\\xff"),
        (True, "true"),
        ({"a": 1}, '{"a": 1}'),
    ],
)
def test_a_value_is_written_on_one_line(value: object, text: str) -> None:
    assert cell("body", value) == text


def test_a_duration_keeps_its_unit() -> None:
    assert heading("maximum_ttl_ms") == "MAXIMUM TTL MS"
    assert cell("maximum_ttl_ms", 5000) == "5000"
