import pytest

from lastvalue.history.errors import InvalidTimeError
from lastvalue.history.times import print_time, read_time

NOW_MS = 1_700_000_000_000


@pytest.mark.parametrize(
    ("text", "time_ms"),
    [
        ("now", NOW_MS),
        ("-5m", NOW_MS - 300_000),
        ("-1.5s", NOW_MS - 1500),
        ("-20ms", NOW_MS - 20),
        ("-2d", NOW_MS - 172_800_000),
        ("2023-11-14T22:13:20Z", NOW_MS),
        ("2023-11-14T22:13:20.001", NOW_MS + 1),
        ("2023-11-15T00:13:20+02:00", NOW_MS),
        ("2023-11-15", 1_700_006_400_000),
        ("22:13:21", NOW_MS + 1000),
        ("22:13", NOW_MS - 20_000),
    ],
)
def test_a_time_is_a_moment_or_a_distance_from_now(text: str, time_ms: int) -> None:
    assert read_time(text, NOW_MS) == time_ms


@pytest.mark.parametrize("text", ["", "5m", "-5", "-5 minutes", "yesterday", "2023-13-01"])
def test_what_is_no_time_is_told_with_what_would_be_one(text: str) -> None:
    with pytest.raises(InvalidTimeError, match="expected ISO 8601"):
        read_time(text, NOW_MS)


def test_times_are_printed_as_they_can_be_read() -> None:
    assert print_time(NOW_MS + 1) == "2023-11-14T22:13:20.001Z"
    assert read_time(print_time(NOW_MS + 1), 0) == NOW_MS + 1
