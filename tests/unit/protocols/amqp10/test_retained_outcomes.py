"""Outcomes that a publisher may not have received."""

from lastvalue.codec.amqp10.performatives import Accepted, Released
from lastvalue.model.memory_budget import UNSETTLED_BYTES, MemoryAccount, MemoryBudget
from lastvalue.protocols.amqp10.retained_outcomes import MOST_RETAINED, RetainedOutcomes


def noted(*tags: bytes, second: bool = False, first: int = 0) -> RetainedOutcomes:
    retained = RetainedOutcomes(second, MemoryAccount())
    for number, tag in enumerate(tags):
        retained.note((first + number) % 2**32, tag)
    return retained


def test_an_outcome_that_was_sent_is_forgotten_where_the_peer_settles_first() -> None:
    retained = noted(b"a", b"b")
    retained.sent(0, 0, Accepted())
    assert retained.left() == {b"b": None}


def test_an_outcome_stays_until_a_peer_that_settles_second_has_settled() -> None:
    retained = noted(b"a", b"b", second=True)
    retained.sent(0, 1, Released())
    assert retained.left() == {b"a": Released(), b"b": Released()}
    retained.settled(0, 0)
    assert retained.left() == {b"b": Released()}


def test_delivery_ids_go_round() -> None:
    retained = noted(b"a", b"b", b"c", first=2**32 - 1)
    retained.sent(2**32 - 1, 0, Accepted())
    assert retained.left() == {b"c": None}
    retained.settled(2**32 - 1, 1)
    assert retained.left() == {}


def test_what_an_earlier_link_left_is_left_again() -> None:
    retained = noted(b"b")
    retained.known = {b"a": Accepted()}
    assert retained.left() == {b"a": Accepted(), b"b": None}


def test_the_outcomes_that_are_kept_of_one_link_are_bounded() -> None:
    left = noted(*[str(number).encode() for number in range(MOST_RETAINED + 10)], second=True).left()
    assert len(left) == MOST_RETAINED
    assert b"9" not in left


def test_the_outcomes_that_are_kept_take_memory_and_without_room_the_oldest_goes() -> None:
    budget = MemoryBudget()
    budget.limit_bytes = 3 * UNSETTLED_BYTES
    retained = RetainedOutcomes(second=True, memory=MemoryAccount(budget))
    for number in range(5):
        retained.note(number, str(number).encode())
    assert list(retained.left()) == [b"2", b"3", b"4"]
    retained.settled(2, 3)
    assert budget.used_bytes == UNSETTLED_BYTES
    retained.close()
    assert (budget.used_bytes, retained.left()) == (0, {})
    budget.limit_bytes = 0
    retained.note(9, b"9")
    assert retained.left() == {}
