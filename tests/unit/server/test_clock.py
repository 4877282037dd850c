import time

import pytest
from logged_events import fields

from lastvalue.server.clock import Clock, ClockWatch, ManualClock


def test_the_time_is_the_systems_in_milliseconds_since_the_epoch() -> None:
    before_ms = time.time_ns() // 1_000_000
    assert abs(Clock().now_ms() - before_ms) < 10_000


def test_a_system_clock_that_is_set_back_takes_no_time_back(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    before_ms = clock.now_ms()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert clock.now_ms() >= before_ms


@pytest.mark.parametrize(
    ("steps_ms", "seconds"),
    [
        ([0, 500, -500, 900], []),
        ([3_600_000], [3600.0]),
        ([-2_000, -2_000], [-2.0]),
        ([600, 1_200, 5_000], [1.2, 3.8]),
    ],
)
def test_a_step_of_the_systems_clock_is_logged_once(
    steps_ms: list[int],
    seconds: list[float],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    watch, clock = ClockWatch(), Clock()
    for step_ms in steps_ms:
        monkeypatch.setattr(time, "time_ns", lambda now_ns=step_ms * 1_000_000: now_ns)
        watch.look()
    assert fields(caplog, "clock.stepped") == [{"seconds": step} for step in seconds]
    assert clock.now_ms() == 0


def test_a_manual_clock_stands_still_until_it_is_moved() -> None:
    clock = ManualClock(1_000)
    assert (clock.is_manual, clock.now_ms(), clock.now_ms()) == (True, 1_000, 1_000)
    clock.move_to(1_500)
    clock.move_to(1_500)
    assert clock.now_ms() == 1_500


def test_a_manual_clock_does_not_go_back() -> None:
    clock = ManualClock(1_000)
    with pytest.raises(ValueError, match="does not go back"):
        clock.move_to(999)
    assert clock.now_ms() == 1_000
