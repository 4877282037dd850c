"""Outcomes that a publisher may not have received."""

from lastvalue.codec.amqp10.performatives import Accepted, Released
from lastvalue.protocols.amqp10.retained_outcomes import MOST_RETAINED, RetainedOutcomes


def noted(*tags: bytes, second: bool = False, first: int = 0) -> RetainedOutcomes:
    retained = RetainedOutcomes(second)
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
