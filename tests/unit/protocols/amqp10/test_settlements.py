"""Outcomes told by the range [1.0 §2.7.6]."""

from lastvalue.codec.amqp10.frames import FrameSplitter
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    AmqpError,
    DeliveryState,
    Disposition,
    Rejected,
    Released,
    decode_performative,
)
from lastvalue.protocols.amqp10.settlements import Settlements
from lastvalue.protocols.amqp10.wire import Wire

ACCEPTED = Accepted()


def told(*settled: tuple[int, int, DeliveryState | None, bool]) -> list[tuple[int, int | None, object, bool]]:
    """The ranges that leave when these are told."""
    wire = Wire()
    settlements = Settlements(3, wire)
    for first, last, state, is_settled in settled:
        settlements.add(first, last, state, is_settled)
    settlements.flush()
    settlements.flush()
    size = wire.size
    splitter = FrameSplitter(wire.max_frame_size)
    data = wire.take()
    assert len(data) == size
    splitter.feed(data)
    ranges: list[tuple[int, int | None, object, bool]] = []
    while splitter.next():
        assert splitter.channel == 3
        said, _ = decode_performative(splitter.data, splitter.body, splitter.end)
        assert isinstance(said, Disposition)
        ranges.append((said.first, said.last, said.state, said.settled))
    return ranges


def test_neighbours_with_equal_outcomes_are_one_range() -> None:
    rejected = [Rejected(AmqpError("amqp:not-allowed", "no")) for _ in range(2)]
    assert told((0, 0, ACCEPTED, True), (1, 3, Accepted(), True)) == [(0, 3, ACCEPTED, True)]
    assert told((0, 0, rejected[0], True), (1, 1, rejected[1], True)) == [(0, 1, rejected[0], True)]


def test_another_outcome_a_gap_or_another_settlement_begins_another_range() -> None:
    assert told((0, 0, ACCEPTED, True), (1, 1, Released(), True)) == [
        (0, 0, ACCEPTED, True),
        (1, 1, Released(), True),
    ]
    assert told((0, 0, ACCEPTED, True), (2, 2, ACCEPTED, True)) == [
        (0, 0, ACCEPTED, True),
        (2, 2, ACCEPTED, True),
    ]
    assert told((1, 1, ACCEPTED, True), (0, 0, ACCEPTED, True)) == [
        (1, 1, ACCEPTED, True),
        (0, 0, ACCEPTED, True),
    ]
    assert told((0, 0, ACCEPTED, True), (1, 1, ACCEPTED, False)) == [
        (0, 0, ACCEPTED, True),
        (1, 1, ACCEPTED, False),
    ]


def test_a_range_goes_on_behind_the_highest_id() -> None:
    assert told((2**32 - 1, 2**32 - 1, None, True), (0, 0, None, True)) == [(2**32 - 1, 0, None, True)]


def test_nothing_is_told_once_the_session_is_over() -> None:
    wire = Wire()
    settlements = Settlements(0, wire)
    settlements.closed = True
    settlements.add(0, 0, ACCEPTED, settled=True)
    settlements.flush()
    assert (wire.size, wire.take()) == (0, b"")


def test_what_waits_counts_as_output() -> None:
    wire = Wire()
    Settlements(0, wire).add(0, 0, ACCEPTED, settled=True)
    assert wire.size > 0


def test_an_outcome_too_long_for_the_peers_frames_is_not_sent() -> None:
    wire = Wire()
    settlements = Settlements(0, wire)
    settlements.add(0, 0, Rejected(AmqpError("amqp:not-allowed", "x" * 600)), settled=True)
    settlements.flush()
    assert wire.take() == b""
    assert wire.overlong > 512
