"""Requests for the lines of the log."""

from typing import Any

import pytest

from lastvalue.broker.administration.log_requests import LogTail, NoLogError, ask_log
from lastvalue.broker.administration.request import Request
from lastvalue.model.errors import InvalidSpecError


class NumberedLines(LogTail):
    def newest(self) -> int:
        return 5

    def lines(self, after: int, level: str, event: str) -> list[dict[str, Any]]:
        return [{"number": number, "asked": (level, event)} for number in range(after + 1, 6)]


def test_the_newest_of_the_chosen_lines_are_told() -> None:
    body = {"after": 1, "level": "error", "event": "audit", "count": 2}
    answer = ask_log(NumberedLines(), Request("QUERY", body=body))
    asked = ("error", "audit")
    assert answer.body == {"last": 5, "lines": [{"number": 4, "asked": asked}, {"number": 5, "asked": asked}]}


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"level": "loud"}, "one of debug, info"),
        ({"level": 3}, "one of debug, info"),
        ({"event": 3}, "expected text"),
        ({"after": -1}, "whole number"),
        ({"count": True}, "whole number"),
    ],
)
def test_wrong_choices_are_named(body: dict[str, Any], fault: str) -> None:
    with pytest.raises(InvalidSpecError, match=fault):
        ask_log(NumberedLines(), Request("QUERY", body=body))


def test_a_broker_without_lines_and_other_operations_are_refused() -> None:
    with pytest.raises(NoLogError, match="lastvalue serve"):
        ask_log(None, Request("QUERY"))
    assert ask_log(NumberedLines(), Request("READ")).status == 501
