import json

import pytest

from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.filters import (
    REPLAY_PERIOD,
    SELECTOR,
    Filters,
    filters_from_json,
    filters_to_json,
    replay_period_s,
)

FILTERS: Filters = (("newest", REPLAY_PERIOD, "30"), ("red", SELECTOR, "colour = 'red'"))


def test_filters_come_back_from_their_json_by_name() -> None:
    table = {"red": {SELECTOR: ["colour = 'red'"]}, "newest": {REPLAY_PERIOD: [30]}}
    assert filters_from_json(json.dumps(table)) == FILTERS
    assert filters_from_json(filters_to_json(FILTERS)) == FILTERS


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "JSON"),
        ("[]", "must be a map"),
        ('{"a": []}', "'a' must have one type"),
        ('{"a": {}}', "'a' must have one type"),
        ('{"a": {"sql": ["x"]}}', "has the type 'sql'"),
        (f'{{"a": {{"{SELECTOR}": "x"}}}}', "one argument"),
        (f'{{"a": {{"{SELECTOR}": ["x", "y"]}}}}', "one argument"),
        (f'{{"a": {{"{SELECTOR}": [1]}}}}', "a selector must be text"),
        (f'{{"a": {{"{REPLAY_PERIOD}": ["soon"]}}}}', "'soon'"),
    ],
)
def test_what_is_not_a_map_of_filters_is_refused(text: str, fault: str) -> None:
    with pytest.raises(InvalidSpecError, match=fault):
        filters_from_json(text)


@pytest.mark.parametrize(("argument", "seconds"), [(0, 0), (30, 30), (1.9, 1), ("45", 45), (" 45 ", 45)])
def test_a_replay_period_is_a_number_of_seconds_or_its_text(argument: object, seconds: int) -> None:
    assert replay_period_s(argument) == seconds


@pytest.mark.parametrize("argument", [-1, True, None, "", "-1", "1.5", b"1", [1]])
def test_other_replay_periods_are_refused(argument: object) -> None:
    with pytest.raises(InvalidSpecError, match="number of seconds"):
        replay_period_s(argument)
