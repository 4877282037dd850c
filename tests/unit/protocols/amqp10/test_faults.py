"""What a peer is told of its faults."""

from lastvalue.codec.amqp10.performatives import Close, encode_performative
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.faults import LinkFault, peer_error


def test_an_error_names_the_condition_and_says_what_is_wrong() -> None:
    error = peer_error(Condition.STOLEN, "link 'a' was attached again")
    assert (error.condition, error.description) == ("amqp:link:stolen", "link 'a' was attached again")


def test_an_error_fits_the_smallest_frame_whatever_text_a_peer_brought_into_it() -> None:
    error = peer_error(Condition.TRANSFER_LIMIT_EXCEEDED, "ü" * 10_000)
    assert error.description == "ü" * 128
    assert len(encode_performative(Close(error))) < 400


def test_a_fault_keeps_its_condition() -> None:
    assert LinkFault(Condition.STOLEN, "x").condition is Condition.STOLEN
