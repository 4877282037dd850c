"""lastvalue.queues.watch_terms."""

from dataclasses import fields

import pytest

from lastvalue.client import WatchOptions
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.watch_terms import MOST_WATCHED_KEYS, WatchTerms, read_watch_terms


def test_what_is_left_out_or_null_is_the_default() -> None:
    assert read_watch_terms({}) == read_watch_terms({"rate": None}) == WatchTerms()


def test_all_that_a_client_can_say_is_read() -> None:
    options = WatchOptions(
        removals=True,
        snapshot=True,
        token="1-2-3",
        keys=["a", 5],
        rate=2.5,
        conflate="k",
        max_keys=7,
        unchanged=["x"],
        dead_band={"y": 1},
        delta=True,
    )
    assert read_watch_terms(options.value()) == WatchTerms(
        True, True, "1-2-3", ("a", 5), "", "", 2.5, 0, "k", 7, ("", "x"), (("y", 1.0),), True
    )
    assert {each.name for each in fields(WatchOptions)} == {each.name for each in fields(WatchTerms)}


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ([], "a watch is a map"),
        ({"speed": 1}, "a watch has no 'speed'"),
        ({"removals": 1}, "true or false"),
        ({"token": 1}, "is a text"),
        ({"rate": -1}, "a number from 0"),
        ({"rate": True}, "a number from 0"),
        ({"interval_ms": 1.5}, "a whole number"),
        ({"keys": []}, "a list of 1"),
        ({"keys": ["a"] * (MOST_WATCHED_KEYS + 1)}, "a list of 1"),
        ({"dead_band": [1]}, "a map of fields"),
        ({"unchanged": [1]}, "is a text"),
        ({"prefix": "a", "glob": "b"}, "not several"),
        ({"rate": 1, "interval_ms": 1}, "not both"),
    ],
)
def test_what_means_nothing_is_refused(value: object, says: str) -> None:
    with pytest.raises(InvalidSpecError, match=says):
        read_watch_terms(value)
