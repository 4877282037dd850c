"""Durations as people write them."""

import pytest

from lastvalue.model.durations import duration_ms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("500ms", 500),
        ("10s", 10_000),
        (" 1.5 s ", 1500),
        ("0.25ms", 0),
        ("5m", 300_000),
        ("1h", 3_600_000),
        ("1d", 86_400_000),
        ("10", None),
        ("", None),
        ("-1s", None),
        ("1w", None),
        ("1s2", None),
        ("1.s", None),
        ("٣s", None),
    ],
)
def test_a_duration_is_a_number_and_a_unit(text: str, expected: int | None) -> None:
    assert duration_ms(text) == expected
