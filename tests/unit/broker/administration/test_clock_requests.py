from typing import Any

import pytest

from lastvalue.broker.administration.clock_requests import MOST_MS, ClockError, Time, ask_clock
from lastvalue.broker.administration.request import Request

NOW_MS = 1_000


class MovedTime(Time):
    """A time that goes where it is moved."""

    def __init__(self) -> None:
        self.at_ms = NOW_MS

    def now_ms(self) -> int:
        return self.at_ms

    def move_to(self, now_ms: int) -> None:
        self.at_ms = now_ms


@pytest.mark.parametrize("time", [None, MovedTime()])
def test_the_time_is_read_with_whether_it_can_be_moved(time: Time | None) -> None:
    response = ask_clock(time, Request("READ"), NOW_MS)
    assert (response.status, response.body) == (200, {"now_ms": NOW_MS, "manual": time is not None})


@pytest.mark.parametrize(
    ("body", "now_ms"),
    [({"by_ms": 0}, 1_000), ({"by_ms": 5}, 1_005), ({"to_ms": 1_000}, 1_000), ({"to_ms": 9_999}, 9_999)],
)
def test_a_manual_time_is_moved_by_and_to(body: dict[str, Any], now_ms: int) -> None:
    time = MovedTime()
    response = ask_clock(time, Request("ADVANCE", body=body), NOW_MS)
    assert (time.at_ms, response.body) == (now_ms, {"now_ms": now_ms, "manual": True})
    assert response.awaits_flush


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"by_ms": 1, "to_ms": 2_000},
        {"by_ms": 1, "other": 2},
        {"by_ms": -1},
        {"by_ms": True},
        {"by_ms": "5"},
        {"to_ms": 999},
        {"to_ms": MOST_MS + 1},
    ],
)
def test_a_move_that_makes_no_sense_is_refused_and_moves_nothing(body: dict[str, Any]) -> None:
    time = MovedTime()
    with pytest.raises(ClockError):
        ask_clock(time, Request("ADVANCE", body=body), NOW_MS)
    assert time.at_ms == NOW_MS


def test_the_systems_time_is_not_moved() -> None:
    with pytest.raises(ClockError, match="--clock manual"):
        ask_clock(None, Request("ADVANCE", body={"by_ms": 1}), NOW_MS)


def test_an_operation_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    response = ask_clock(None, Request("STOP"), NOW_MS)
    assert (response.status, response.condition) == (501, "amqp:not-implemented")
    assert "READ or ADVANCE" in response.description
