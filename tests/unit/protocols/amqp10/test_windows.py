"""A session's counters [1.0 §2.5.6]."""

import pytest

from lastvalue.codec.amqp10.performatives import Flow
from lastvalue.codec.amqp10.shortcuts.transfers import TransferWriter
from lastvalue.protocols.amqp10.windows import PartialDelivery, Unsettled, Windows, passed
from lastvalue.protocols.amqp10.wire import Wire

HIGHEST = 2**32 - 1
ODD, EVEN = object(), object()


def windows(*unsettled: int, limit: int = 1000) -> Windows:
    made = Windows(10, limit)
    for number in unsettled:
        made.unsettled[number] = Unsettled(ODD if number % 2 else EVEN, number)
    return made


@pytest.mark.parametrize(
    ("count", "since", "ahead"),
    [
        (5, 3, 2),
        (3, 3, 0),
        (3, 5, 0),
        (1, HIGHEST, 2),
        (HIGHEST, 1, 0),
        (2**31 - 1, 0, 2**31 - 1),
        (2**31, 0, 0),
    ],
)
def test_counts_are_compared_as_serial_numbers(count: int, since: int, ahead: int) -> None:
    assert passed(count, since) == ahead


@pytest.mark.parametrize(
    ("first", "last", "found"),
    [
        (2, 2, [2]),
        (1, 1, []),
        (0, 3, [0, 2]),
        (0, HIGHEST, [0, 2, 4, HIGHEST]),
        (HIGHEST, 0, [HIGHEST, 0]),
        (3, 2, [4, HIGHEST, 0, 2]),
        (5, 9, []),
    ],
)
def test_a_range_finds_the_unsettled_in_their_order(first: int, last: int, found: list[int]) -> None:
    assert windows(4, 2, 0, HIGHEST).in_range(first, last) == found


def test_what_a_link_sent_is_forgotten_with_it() -> None:
    session = windows(0, 1, 2, 3)
    session.drop_unsettled(ODD)
    assert list(session.unsettled) == [0, 2]


@pytest.mark.parametrize(
    ("next_outgoing", "counted", "window", "room"),
    [
        (0, None, 5, 5),
        (3, None, 5, 2),
        (3, 3, 5, 5),
        (3, 1, 1, 0),
        (0, 0, HIGHEST, HIGHEST),
        (1, HIGHEST, 9, 7),
    ],
)
def test_room_is_what_the_peer_takes_beyond_what_is_under_way(
    next_outgoing: int, counted: int | None, window: int, room: int
) -> None:
    session = windows()
    session.next_outgoing_id = next_outgoing
    session.take_flow(
        Flow(next_incoming_id=counted, incoming_window=window, next_outgoing_id=0, outgoing_window=0)
    )
    assert session.remote_incoming_window == room


def test_a_window_is_open_while_frames_may_go_out_and_few_are_unsettled() -> None:
    closed, open_, full = windows(limit=1), windows(limit=1), windows(7, limit=1)
    open_.remote_incoming_window = full.remote_incoming_window = 1
    assert [session.open for session in (closed, open_, full)] == [False, True, False]


def test_parcels_go_out_as_far_as_the_window_lets_them() -> None:
    session, wire, writer = windows(), Wire(), TransferWriter(0, 0)
    wire.max_frame_size = 512
    session.partials.append(PartialDelivery(writer, 0, bytes(700), settled=True, state=b""))
    session.partials.append(PartialDelivery(writer, 1, b"", settled=True, state=b""))
    session.remote_incoming_window = 1
    session.send_parcels(wire)
    assert (len(session.partials), session.next_outgoing_id, session.unstarted(writer)) == (2, 1, 1)
    session.remote_incoming_window = 9
    session.send_parcels(wire)
    assert (len(session.partials), session.next_outgoing_id, session.remote_incoming_window) == (0, 3, 7)


def test_only_the_parcels_of_a_link_are_dropped_with_it() -> None:
    session, mine, other = windows(), TransferWriter(0, 0), TransferWriter(0, 1)
    session.partials.extend(
        [
            PartialDelivery(mine, 0, b"a", settled=True, state=b""),
            PartialDelivery(other, 1, b"b", settled=True, state=b""),
        ]
    )
    session.drop_parcels(mine)
    assert [partial.payload for partial in session.partials] == [b"b"]
    assert session.unstarted(mine) == 0
