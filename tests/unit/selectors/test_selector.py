import pytest
from canned_message import CannedMessage, UnreadableError

from lastvalue.selectors.errors import InvalidSelectorError
from lastvalue.selectors.selector import MAX_DEPTH, MAX_LENGTH, parse_selector


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_an_empty_selector_wants_every_message(text: str) -> None:
    assert parse_selector(text).matches(CannedMessage())


@pytest.mark.parametrize(("value", "wanted"), [(1, True), (2, False), (None, False)])
def test_only_what_is_true_is_wanted(value: int | None, wanted: bool) -> None:
    assert parse_selector("n = 1").matches(CannedMessage({"n": value})) is wanted


def test_what_is_unknown_is_not_wanted_and_neither_is_its_inverse() -> None:
    selectors = [parse_selector(text) for text in ("n = 1", "NOT n = 1")]
    assert not any(selector.matches(CannedMessage()) for selector in selectors)


def test_a_selector_keeps_its_text() -> None:
    assert parse_selector("  n = 1").text == "  n = 1"


def test_what_a_message_raises_passes() -> None:
    with pytest.raises(UnreadableError):
        parse_selector("n = 1").matches(CannedMessage({"n": UnreadableError}))


def test_a_selector_is_as_long_as_may_be_and_no_longer() -> None:
    longest = "n=1" + " " * (MAX_LENGTH - 3)
    assert parse_selector(longest).matches(CannedMessage({"n": 1}))
    with pytest.raises(InvalidSelectorError, match=f"at most {MAX_LENGTH}"):
        parse_selector(longest + " ")


def test_a_selector_is_as_deep_as_may_be_and_no_deeper() -> None:
    negations = MAX_DEPTH - 2
    assert parse_selector("NOT " * negations + "n = 1").matches(CannedMessage({"n": 1}))
    with pytest.raises(InvalidSelectorError, match=f"deeper than {MAX_DEPTH}"):
        parse_selector("NOT " * (negations + 1) + "n = 1")
