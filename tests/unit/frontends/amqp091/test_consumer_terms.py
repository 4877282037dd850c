from typing import Any

import pytest
from canned_message import CannedMessage

from lastvalue.frontends.amqp091.consumer_terms import (
    AUTO_CLOSE,
    BROWSE,
    browses,
    consumer_terms,
    ends_when_empty,
)
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.message import NEVER
from lastvalue.queues.entry import Entry
from lastvalue.queues.filters import REPLAY_PERIOD, SELECTOR
from lastvalue.queues.spec import Readers
from lastvalue.queues.subscription import ANY

NOW_MS = 100_000


@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, True), (1, True), ("true", True), (False, False), ("no", False), (None, False)],
)
def test_a_consumer_browses_or_ends_where_it_says_so(value: object, expected: bool) -> None:
    assert browses({BROWSE: value}) is expected
    assert ends_when_empty({AUTO_CLOSE: value}) is expected
    assert not browses({})
    assert not ends_when_empty({})


@pytest.mark.parametrize("arguments", [{}, {SELECTOR: ""}, {SELECTOR: None}, {"x-priority": 0}])
def test_a_consumer_that_asks_nothing_is_given_anything(arguments: dict[str, Any]) -> None:
    assert consumer_terms(arguments, False, Readers(), "mine", NOW_MS) is ANY


def test_a_consumer_asks_for_a_selector_a_period_and_a_priority() -> None:
    arguments = {SELECTOR: "n = 1", REPLAY_PERIOD: 30, "x-priority": 7}
    terms = consumer_terms(arguments, False, Readers(), "mine", NOW_MS)
    arrivals = [(1, 70_000), (2, 70_000), (1, 69_999)]
    entries = [Entry(1, CannedMessage({"n": number}), at_ms, NEVER, 1) for number, at_ms in arrivals]
    assert [terms.admits(entry) for entry in entries] == [True, False, False]
    assert terms.priority == 7


@pytest.mark.parametrize(("arguments", "flag"), [({"no-local": True}, False), ({}, True)])
def test_no_local_leaves_out_what_the_own_connection_sent(arguments: dict[str, Any], flag: bool) -> None:
    terms = consumer_terms(arguments, flag, Readers(), "mine", NOW_MS)
    own, other = CannedMessage(), CannedMessage()
    own.origin, other.origin = "mine", "other"
    assert [terms.admits(Entry(1, each, 0, NEVER, 1)) for each in (own, other)] == [False, True]


@pytest.mark.parametrize(
    "arguments",
    [
        {REPLAY_PERIOD: "soon"},
        {"x-priority": "high"},
        {"x-priority": "5"},
        {"x-priority": 1.5},
        {"x-priority": True},
        {"x-priority": None},
    ],
    ids=str,
)
def test_a_period_or_priority_that_is_none_is_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidSpecError):
        consumer_terms(arguments, False, Readers(), "mine", NOW_MS)
