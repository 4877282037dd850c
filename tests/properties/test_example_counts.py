"""How many examples property tests try."""

import pytest
from example_counts import LONG, example_count


@pytest.mark.parametrize(
    ("settings", "count"),
    [
        ({}, 200),
        ({"LASTVALUE_PROFILE": "ci"}, 200),
        ({"LASTVALUE_PROFILE": "quick"}, 25),
        ({"LASTVALUE_PROFILE": "long"}, LONG),
        ({"LASTVALUE_PROFILE": "quick", "LASTVALUE_EXAMPLES": "7"}, 7),
    ],
)
def test_the_environment_says_how_many_examples_are_tried(
    settings: dict[str, str], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LASTVALUE_PROFILE", "LASTVALUE_EXAMPLES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert example_count(200) == count


def test_as_many_examples_are_tried_as_a_test_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LASTVALUE_EXAMPLES", raising=False)
    monkeypatch.setenv("LASTVALUE_PROFILE", "quick")
    assert example_count(1) == 1
    assert example_count(200, least=100) == 100


def test_an_unknown_profile_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LASTVALUE_EXAMPLES", raising=False)
    monkeypatch.setenv("LASTVALUE_PROFILE", "fast")
    with pytest.raises(ValueError, match="'fast'; expected one of quick, ci, long"):
        example_count(200)
