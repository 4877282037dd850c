"""lastvalue.config.address_settings."""

from itertools import permutations

import pytest

from lastvalue.config.address_settings import AddressSettings, Wildcards
from lastvalue.config.errors import IllegalMatchError


def settings_named(*matches: str, wildcards: Wildcards | None = None) -> AddressSettings:
    """Settings whose one field is the pattern itself."""
    settings = AddressSettings(wildcards)
    for match in matches:
        settings.add(match, {"name": match})
    return settings


@pytest.mark.parametrize("delimiter", [".", "_", "/"])
@pytest.mark.parametrize(
    ("address", "winner"),
    [
        ("a.b", "ab"),
        ("a.b.c", "ab"),
        ("a.b.d.lll", "abd"),
        ("z.z.z.z.z", "root"),
        ("a.babc", "root"),
        ("a.b.dabc", "ab"),
        ("a.b.d", "abd"),
    ],
)
def test_hash_stands_for_any_number_of_whole_words(delimiter: str, address: str, winner: str) -> None:
    """S-083."""
    settings = AddressSettings(Wildcards(delimiter))
    for match, name in (("a.b.#", "ab"), ("a.b.d.#", "abd"), ("#", "root")):
        settings.add(match.replace(".", delimiter), {"name": name})
    assert settings.match(address.replace(".", delimiter)) == {"name": winner}


ORDERED = (
    "a.b.c.d.e.f",
    "a.b.c.d.e.*",
    "a.*.*.*.*.*",
    "*.b.c.d.*.f",
    "*.b.*.d.*.f",
    "a.b.c.d.e.#",
)


@pytest.mark.parametrize(
    ("address", "winner"),
    [
        ("a.b.c.d.e.f", 0),
        ("a.b.c.d.e.x", 1),
        ("a.b.x.d.x.f", 2),
        ("x.b.c.d.e.f", 3),
        ("x.b.x.d.e.f", 4),
        ("a.b.c.d.e.f.g", 5),
    ],
)
def test_the_most_specific_of_several_patterns_wins(address: str, winner: int) -> None:
    """S-084."""
    assert settings_named(*ORDERED).match(address) == {"name": ORDERED[winner]}


MANY = (
    *("#", "a", "a.#", "a.*", "a.b.c", "a.*.c", "a.d.c", "a.b.#", "a.b"),
    *("a.b.c.#", "a.b.c.d", "a.*.*.d", "a.*.d.#"),
)


@pytest.mark.parametrize(
    ("address", "winner"),
    [
        ("a", "a"),
        ("a.b", "a.b"),
        ("a.x", "a.*"),
        ("a.b.x", "a.b.#"),
        ("a.b.c", "a.b.c"),
        ("a.d.c", "a.d.c"),
        ("a.x.c", "a.*.c"),
        ("a.b.c.d", "a.b.c.d"),
        ("a.x.c.d", "a.*.*.d"),
        ("a.b.x.d", "a.*.*.d"),
        ("a.d.x.d", "a.*.*.d"),
        ("a.d.d.g", "a.*.d.#"),
        ("zzzz.z.z.z.d.r.g.f.sd.s.fsdfd.fsdfs", "#"),
    ],
)
def test_many_wildcards_rank_as_they_do_in_artemis(address: str, winner: str) -> None:
    """S-085."""
    assert settings_named(*MANY).match(address) == {"name": winner}
    assert settings_named(*reversed(MANY)).match(address) == {"name": winner}


@pytest.mark.parametrize("order", list(permutations(range(5)))[::7])
def test_a_literal_match_comes_after_the_exact_name_and_before_wildcards(order: tuple[int, ...]) -> None:
    """S-087."""
    values = [("#", 0), ("(a.#)", 1), ("a.#", 2), ("a.b", 3), ("a.*", 4)]
    settings = AddressSettings(Wildcards(literal_markers="()"))
    for place in order:
        match, value = values[place]
        settings.add(match, {"value": value})
    assert [fields["value"] for _, fields in settings.ranked("a.b")] == [3, 4, 2, 0]
    assert [fields["value"] for _, fields in settings.ranked("a.#")] == [1, 4, 2, 0]


def test_lookups_leave_no_trace_in_one_another() -> None:
    """S-088."""
    settings = AddressSettings()
    settings.add("foo.*", {"max-redelivery-delay": 10000})
    settings.add("foo.0.#", {"max-redelivery-delay": 20000, "max-expiry-delay": 20000})
    settings.add("foo.1.#", {"max-redelivery-delay": 30000, "max-expiry-delay": 30000})
    assert settings.match("foo.x") == {"max-redelivery-delay": 10000}
    assert settings.match("foo.0") == {"max-redelivery-delay": 10000, "max-expiry-delay": 20000}
    assert settings.match("foo.1") == {"max-redelivery-delay": 10000, "max-expiry-delay": 30000}
    assert settings.match("foo.x") == {"max-redelivery-delay": 10000}


@pytest.mark.parametrize("match", ["hjhjhjhjh.#.hhh", None, "", "#.a", "a.b#"])
def test_an_illegal_match_is_refused(match: str) -> None:
    """S-089."""
    with pytest.raises(IllegalMatchError, match="match"):
        AddressSettings().add(match, {})


def test_a_new_setting_is_seen_by_addresses_that_were_looked_up_before() -> None:
    """S-090."""
    settings = settings_named("#")
    assert settings.match("b") == {"name": "#"}
    settings.add("b", {"name": "leaf"})
    assert settings.match("b") == {"name": "leaf"}


@pytest.mark.parametrize("match", ["b", "*", "b.#", "(b)"])
def test_a_removed_setting_is_gone(match: str) -> None:
    settings = settings_named("#", match, wildcards=Wildcards(literal_markers="()"))
    assert settings.match("b") == {"name": match}
    settings.remove(match)
    settings.remove(match)
    assert settings.match("b") == {"name": "#"}


def test_fields_are_taken_from_the_most_specific_pattern_that_has_them() -> None:
    settings = AddressSettings()
    for match in ("#", "a.#", "a.b.#", "a.b.c.#", "a.b.*.d", "a.b.c.*"):
        settings.add(match, {match: True, "name": match})
    expected = ["a.b.c.*", "a.b.*.d", "a.b.c.#", "a.b.#", "a.#", "#"]
    assert [match for match, _ in settings.ranked("a.b.c.d")] == expected
    assert settings.match("a.b.c.d") == {**dict.fromkeys(expected, True), "name": "a.b.c.*"}


@pytest.mark.parametrize(
    ("match", "address", "matches"),
    [
        ("news.*", "news.x", True),
        ("news.*", "news.x.y", False),
        ("news.*", "news", False),
        ("news.*", "news.", False),
        ("news.#", "news", True),
        ("news.#", "newsx", False),
        ("*.x", "a.x", True),
        ("new*", "news", False),
        ("new*", "new*", True),
        ("a..#", "a..b", True),
    ],
)
def test_wildcards_stand_for_whole_words(match: str, address: str, matches: bool) -> None:
    assert bool(settings_named(match).ranked(address)) is matches


def test_wildcard_characters_can_be_others() -> None:
    settings = settings_named("a/>", "a/?/c", wildcards=Wildcards("/", ">", "?"))
    assert settings.match("a/b/c") == {"name": "a/?/c"}
    assert settings.match("a/b") == {"name": "a/>"}
    assert settings.match("a.#") == {}


@pytest.mark.parametrize("marks", [("", "#", "*", ""), (".", ".", "*", ""), (".", "#", "*", "(")])
def test_wildcard_characters_that_cannot_be_told_apart_are_refused(marks: tuple[str, str, str, str]) -> None:
    with pytest.raises(IllegalMatchError, match="characters"):
        Wildcards(*marks)


def test_thousands_of_settings_and_addresses_are_kept_apart() -> None:
    settings = settings_named("#", *(f"a.{number}.#" for number in range(5000)))
    for number in range(0, 20_000, 3):
        winner = f"a.{number}.#" if number < 5000 else "#"
        assert settings.match(f"a.{number}.x") == {"name": winner}


def test_the_merging_of_two_settings_can_be_told() -> None:
    settings = AddressSettings(overlay=lambda upper, lower: {**lower, **upper, "seen": len(lower)})
    settings.add("a", {"x": 1})
    settings.add("#", {"y": 2, "z": 3})
    assert settings.match("a") == {"x": 1, "y": 2, "z": 3, "seen": 2}
