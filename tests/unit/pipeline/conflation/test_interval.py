"""Intervals of conflations."""

import pytest

from lastvalue.pipeline.conflation.errors import InvalidConflationError
from lastvalue.pipeline.conflation.interval import interval_us


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [("5s", 5_000_000), ("250ms", 250_000), ("10us", 10), ("1m", 60_000_000), ("2 h", 7_200_000_000)],
)
def test_an_interval_is_a_number_with_a_unit(text: str, microseconds: int) -> None:
    assert interval_us(text) == microseconds


@pytest.mark.parametrize("text", ["", "5", "s", "0s", "-1s", "1.5s", "5 minutes"])
def test_what_is_no_interval_is_refused(text: str) -> None:
    with pytest.raises(
        InvalidConflationError, match="is not an interval; write it as 500ms, 5s, 1m, 1h or 1d"
    ):
        interval_us(text)
