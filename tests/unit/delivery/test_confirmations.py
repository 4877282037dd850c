"""Numbers and answers are confirmed once the journal has them."""

import pytest

from lastvalue.delivery.confirmations import Confirmations, Run

NOW = 5
Confirmed = list[tuple[str, int, int, str]]


@pytest.fixture
def confirmed() -> Confirmed:
    return []


@pytest.fixture
def confirmations(confirmed: Confirmed) -> Confirmations[str, str]:
    def record(run: Run[str, str]) -> None:
        confirmed.append((run.source, run.first, run.last, run.outcome))

    return Confirmations(record)


def test_durable_numbers_are_confirmed_when_their_position_is_flushed(
    confirmations: Confirmations[str, str], confirmed: Confirmed
) -> None:
    confirmations.add("link", 1, "accepted", True)
    confirmations.seal(10)
    confirmations.confirm(9, NOW)
    assert confirmed == []
    assert confirmations.unconfirmed
    confirmations.confirm(10, NOW)
    assert confirmed == [("link", 1, 1, "accepted")]
    assert not confirmations.unconfirmed


def test_numbers_that_are_not_durable_are_confirmed_at_the_end_of_the_turn(
    confirmations: Confirmations[str, str], confirmed: Confirmed
) -> None:
    confirmations.add("link", 1, "accepted", False)
    assert confirmed == []
    confirmations.seal(10)
    assert confirmed == [("link", 1, 1, "accepted")]
    assert not confirmations.unconfirmed


def test_numbers_that_come_together_are_one_run_with_those_before(
    confirmations: Confirmations[str, str], confirmed: Confirmed
) -> None:
    confirmations.add("link", 1, "accepted", False)
    confirmations.add("link", 2, "accepted", False, 5)
    confirmations.add("link", 6, "accepted", False)
    confirmations.add("link", 8, "accepted", False, 9)
    confirmations.seal(10)
    assert confirmed == [("link", 1, 6, "accepted"), ("link", 8, 9, "accepted")]


def test_consecutive_numbers_with_one_outcome_are_one_run(
    confirmations: Confirmations[str, str], confirmed: Confirmed
) -> None:
    for number in (1, 2, 3):
        confirmations.add("link", number, "accepted", True)
    confirmations.seal(10)
    confirmations.confirm(10, NOW)
    assert confirmed == [("link", 1, 3, "accepted")]


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(("other", 2, "accepted", True), id="another source"),
        pytest.param(("link", 3, "accepted", True), id="a number left out"),
        pytest.param(("link", 2, "rejected", True), id="another outcome"),
        pytest.param(("link", 2, "accepted", False), id="another durability"),
    ],
)
def test_what_differs_begins_another_run(
    confirmations: Confirmations[str, str], confirmed: Confirmed, second: tuple[str, int, str, bool]
) -> None:
    confirmations.add("link", 1, "accepted", True)
    confirmations.add(*second)
    confirmations.seal(10)
    confirmations.confirm(10, NOW)
    source, number, outcome, _ = second
    assert sorted(confirmed) == sorted([("link", 1, 1, "accepted"), (source, number, number, outcome)])


def test_a_run_ends_with_its_turn(confirmations: Confirmations[str, str], confirmed: Confirmed) -> None:
    confirmations.add("link", 1, "accepted", True)
    confirmations.seal(10)
    confirmations.add("link", 2, "accepted", True)
    confirmations.seal(20)
    confirmations.confirm(10, NOW)
    assert confirmed == [("link", 1, 1, "accepted")]
    confirmations.confirm(20, NOW)
    assert confirmed[1:] == [("link", 2, 2, "accepted")]


def test_an_answer_follows_the_numbers_of_its_turn(
    confirmations: Confirmations[str, str], confirmed: Confirmed
) -> None:
    confirmations.answer(lambda now: confirmed.append(("answer", now, 0, "")))
    confirmations.add("link", 1, "accepted", True)
    confirmations.seal(10)
    assert confirmed == []
    confirmations.confirm(10, NOW)
    assert confirmed == [("link", 1, 1, "accepted"), ("answer", NOW, 0, "")]


def test_what_an_answer_leads_to_waits_for_the_next_turn(
    confirmations: Confirmations[str, str], confirmed: Confirmed
) -> None:
    confirmations.answer(lambda _: confirmations.add("link", 1, "accepted", True))
    confirmations.seal(10)
    confirmations.confirm(10, NOW)
    assert confirmed == []
    assert confirmations.unconfirmed
    confirmations.seal(20)
    confirmations.confirm(20, NOW)
    assert confirmed == [("link", 1, 1, "accepted")]


def test_an_answer_that_is_not_durable_waits_for_no_flush(
    confirmations: Confirmations[str, str], confirmed: Confirmed
) -> None:
    confirmations.add("link", 1, "accepted", True)
    confirmations.seal(10)
    told: list[int] = []
    confirmations.answer(told.append, durable=False)
    confirmations.confirm(0, 5)
    assert told == [], "what the answer is about may not be over"
    confirmations.seal(20)
    confirmations.confirm(0, 6)
    assert (told, confirmed) == ([6], [])
