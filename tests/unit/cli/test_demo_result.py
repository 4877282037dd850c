"""What a demo comes to."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from lastvalue.cli.demo_result import DemoResult, differing_keys
from lastvalue.client.message import Message

MADE = datetime(2026, 1, 5, 10, 30, 0, 250, tzinfo=UTC)
EXPECTED: dict[object, tuple[int, dict[str, object]]] = {"a": (7, {"price": 1.5, "made": MADE, "note": None})}


def seen(order: int, body: Mapping[str, object]) -> dict[object, tuple[Message, Mapping[str, object]]]:
    return {"a": (Message("", {"version": order}), body)}


def test_a_key_with_its_newest_row_does_not_differ() -> None:
    body = {"price": 1.5, "made": "2026-01-05T10:30:00.000250Z"}
    assert differing_keys(EXPECTED, seen(7, body), "version") == []


@pytest.mark.parametrize(
    ("order", "body"),
    [
        (6, {"price": 1.5, "made": "2026-01-05T10:30:00.000250Z"}),
        (7, {"price": 1.4, "made": "2026-01-05T10:30:00.000250Z"}),
        (7, {"price": 1.5}),
        (7, {"price": 1.5, "made": "2026-01-05T10:30:00.000250Z", "note": "x"}),
    ],
)
def test_an_older_order_value_or_any_other_value_differs(order: int, body: Mapping[str, object]) -> None:
    assert differing_keys(EXPECTED, seen(order, body), "version") == ["a"]


def test_keys_that_only_one_side_has_differ() -> None:
    assert differing_keys(EXPECTED, {"b": (Message(""), {})}, "version") == ["a", "b"]


def test_the_summary_says_where_updates_were_conflated() -> None:
    result = DemoResult(1000, 100, 90, 9, [float(number) for number in range(101)], [])
    assert result.lines() == [
        "updates read            1,000",
        "conflated away            910  (900 on Spark, 10 in the queue)",
        "delivered                  90",
        "keys                        9",
        "feed to subscriber  p50 50 ms, p99 99 ms",
    ]


def test_the_verdict_names_the_keys_that_differ() -> None:
    assert DemoResult(1, 1, 1, 3, [1.0], ["a", "b"]).verdict().startswith("2 keys differ")
    assert DemoResult(1, 1, 1, 3, [1.0], ["a", "b"]).verdict().endswith(": a, b")


def test_the_verdict_names_twenty_keys_at_most() -> None:
    assert DemoResult(1, 1, 1, 30, [], list(range(23))).verdict().endswith(", 19 and 3 more")


def test_the_verdict_says_that_all_is_well() -> None:
    assert "for all 3 keys" in DemoResult(1, 1, 1, 3, [], []).verdict()
