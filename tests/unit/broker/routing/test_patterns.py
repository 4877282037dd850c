"""Patterns of words divided by dots."""

import pytest

from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.patterns import MAX_WORDS, PatternTree, has_wildcard, normalised


def matching(patterns: list[str], key: str, *, empty_words: bool = True) -> list[str]:
    tree = PatternTree(empty_words)
    for pattern in patterns:
        tree.add(pattern, Binding(pattern, pattern))
    return sorted(binding.destination for binding in tree.match(key))


@pytest.mark.parametrize(
    ("pattern", "normal"),
    [
        ("#.#.#.#", "#"),
        ("#.*.#.*.#.#.*", "*.*.*.#"),
        ("a.*.#.*.#.*.#", "a.*.*.*.#"),
        ("a.b", "a.b"),
        ("a.#.b.#.*.c", "a.#.b.*.#.c"),
        ("", ""),
    ],
)
def test_runs_of_wildcards_have_one_form(pattern: str, normal: str) -> None:
    """S-272."""
    assert normalised(pattern) == normal
    assert normalised(normal) == normal


@pytest.mark.parametrize(
    ("pattern", "matches", "misses"),
    [
        ("", [""], ["a"]),
        ("a.b", ["a.b"], ["a", "a.b.c", "ab"]),
        ("*", ["a", ""], ["a.b"]),
        ("a.*", ["a.b", "a."], ["a", "a.b.c"]),
        ("#", ["", "a", "a.b.c"], []),
        ("a.#", ["a", "a.b", "a.b.c"], ["", "b", "ab"]),
        ("#.a", ["a", "b.a", "a.a"], ["a.b"]),
        ("a.#.b", ["a.b", "a.x.b", "a.b.b", "a.x.y.b"], ["a", "b", "a.b.c"]),
        ("*.#.*", ["a.b", "a.b.c"], ["a"]),
        ("#.b.*", ["b.c", "a.b.c", "b.b.b"], ["a.c", "b"]),
        ("*.b.#", ["a.b", "a.b.c.d"], ["a.c", "b"]),
        ("a*", ["a*"], ["ab", "a"]),
    ],
)
def test_a_pattern_matches_by_whole_words(pattern: str, matches: list[str], misses: list[str]) -> None:
    assert [key for key in matches if matching([pattern], key)] == matches
    assert [key for key in misses if matching([pattern], key)] == []


def test_where_empty_words_do_not_count_a_star_stands_for_none() -> None:
    assert matching(["a.*", "*"], "a.", empty_words=False) == []
    assert matching(["a.*"], "a.b", empty_words=False) == ["a.*"]
    assert matching(["#.*", "#.*.#", "*.#", "*.#.#"], "a.", empty_words=False) == ["#.*.#", "*.#", "*.#.#"]


def test_each_binding_is_found_once_however_often_its_pattern_fits() -> None:
    assert matching(["#.a.#"], "a.a.a.a") == ["#.a.#"]
    assert matching(["#", "*.#", "#.*"], "a") == ["#", "#.*", "*.#"]


def test_keys_with_one_place_match_the_same_bindings() -> None:
    tree = PatternTree(True)
    patterns = ["a.#", "a.*", "a.b", "#.c", "#"]
    bindings = [Binding(pattern, pattern) for pattern in patterns]
    for binding in bindings:
        tree.add(binding.key, binding)
    keys = ["a.x", "a.y", "a.b", "a.b.x", "a.b.c", "a.z.c", "c", "x", "y.z", "a", "a.c"]
    by_place: dict[object, set[tuple[str, ...]]] = {}
    for key in keys:
        found = tuple(sorted(each.destination for each in tree.match(key)))
        by_place.setdefault(frozenset(tree.place(key)), set()).add(found)
    assert [len(found) for found in by_place.values()] == [1] * len(by_place)
    assert tree.place("a.x") == tree.place("a.y") != tree.place("a.b")
    before = tree.place("a.b")
    tree.remove("a.b", bindings[2])
    assert tree.place("a.b") == tree.place("a.x") != before


def test_a_branch_goes_with_its_last_binding() -> None:
    tree = PatternTree(True)
    first, second = Binding("1", "a.#.b"), Binding("2", "a.#")
    tree.add(first.key, first)
    tree.add(second.key, second)
    tree.remove(first.key, first)
    tree.remove(first.key, first)
    assert [found.destination for found in tree.match("a.b")] == ["2"]
    tree.remove(second.key, second)
    assert tree.match("a.b") == []


def test_only_whole_words_are_wildcards() -> None:
    assert has_wildcard("a.*.b")
    assert has_wildcard("#")
    assert not has_wildcard("a*.b#")


def test_the_words_of_a_key_beyond_the_most_count_as_one() -> None:
    tree = PatternTree(True)
    every, ending = Binding("every", "#"), Binding("ending", "#.z")
    for binding in (every, ending):
        tree.add(binding.key, binding)
    assert set(tree.match("a." * (MAX_WORDS - 1) + "z")) == {every, ending}
    assert tree.match("a." * MAX_WORDS + "z") == [every]
