import time

import pytest

from lastvalue.server.clock import Clock, ManualClock


def test_the_time_is_the_systems_in_milliseconds_since_the_epoch() -> None:
    before_ms = time.time_ns() // 1_000_000
    assert abs(Clock().now_ms() - before_ms) < 10_000


def test_a_system_clock_that_is_set_back_takes_no_time_back(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    before_ms = clock.now_ms()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert clock.now_ms() >= before_ms


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
