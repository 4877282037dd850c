"""lastvalue.broker.watches.key_pattern."""

import pytest

from lastvalue.broker.watches.key_pattern import KeyIndex, key_pattern
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
def test_an_index_tells_exactly_the_readers_whose_pattern_matches(
    terms: WatchTerms, matching: list[str], others: list[str]
) -> None:
    index = KeyIndex()
    told: list[bytes] = []
    pattern = key_pattern(terms, canonical)
    index.add(pattern, told.append)
    for key in matching + others:
        index.changed(key.encode(), key.encode())
        assert pattern.matches(key.encode(), key.encode()) == (key in matching), key
    assert told == [key.encode() for key in matching]
    index.discard(pattern, told.append)
    assert index.empty


def test_patterns_match_only_keys_that_are_texts() -> None:
    index = KeyIndex()
    told: list[bytes] = []
    index.add(key_pattern(WatchTerms(glob="*"), canonical), told.append)
    index.changed(b"i5", None)
    assert told == []


def test_one_reader_that_goes_leaves_the_others() -> None:
    index = KeyIndex()
    told: dict[str, list[bytes]] = {"one": [], "other": []}
    pattern = key_pattern(WatchTerms(prefix="a"), canonical)
    touches = {name: keys.append for name, keys in told.items()}
    for touch in touches.values():
        index.add(pattern, touch)
    index.discard(pattern, touches["one"])
    index.changed(b"ab", b"ab")
    assert (told, index.empty) == ({"one": [], "other": [b"ab"]}, False)
