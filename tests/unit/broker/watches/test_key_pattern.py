"""lastvalue.broker.watches.key_pattern."""

import time

import pytest

from lastvalue.broker.watches.key_pattern import MAX_GLOB, key_pattern
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.watch_terms import WatchTerms


def canonical(key: object) -> bytes:
    return str(key).encode()


@pytest.mark.parametrize(
    ("terms", "matching", "others"),
    [
        (WatchTerms(keys=("a", 5)), ["a", "5"], ["b", "ab"]),
        (WatchTerms(prefix="eu."), ["eu.", "eu.x"], ["eu", "us.x"]),
        (WatchTerms(glob="eu.*.A?"), ["eu.x.AB", "eu.a.b.AB"], ["eu.x.A", "us.x.AB", "eu.AB"]),
        (WatchTerms(glob="*"), ["", "x"], []),
        (WatchTerms(glob="a.b"), ["a.b"], ["axb", "a.bc"]),
        (WatchTerms(glob="[x]*"), ["[x]y"], ["x"]),
    ],
)
def test_a_pattern_matches_exactly_its_keys(
    terms: WatchTerms, matching: list[str], others: list[str]
) -> None:
    pattern = key_pattern(terms, canonical)
    for key in matching + others:
        assert pattern.matches(key.encode(), key.encode()) == (key in matching), key


def test_a_glob_that_nearly_matches_everywhere_takes_no_longer_than_its_key() -> None:
    key = b"a" * 60_000
    pattern = key_pattern(WatchTerms(glob="*a" * 60 + "*b"), canonical)
    near = key_pattern(WatchTerms(glob="*" + "a" * 40 + "b" + "a" * 40 + "*c*"), canonical)
    began_s = time.process_time()
    assert not pattern.matches(key, key)
    assert not near.matches(key, key)
    # A matcher that backtracks takes years.
    assert time.process_time() - began_s < 5


@pytest.mark.parametrize(
    ("glob", "said"),
    [
        ("a" * (MAX_GLOB + 1), f"a glob has at most {MAX_GLOB} characters, not {MAX_GLOB + 1}"),
        ("*" + "?" * 17 + "*", "between two \\* signs there are 17 characters with a \\? among them"),
    ],
)
def test_a_glob_that_would_take_too_long_is_refused(glob: str, said: str) -> None:
    with pytest.raises(InvalidSpecError, match=said):
        key_pattern(WatchTerms(glob=glob), canonical)


def test_patterns_match_only_keys_that_are_texts() -> None:
    assert not key_pattern(WatchTerms(glob="*"), canonical).matches(b"i5", None)
