"""The map of unsettled deliveries, and the room for it."""

from lastvalue.codec.amqp10.composites import decomposed
from lastvalue.codec.amqp10.performatives import Accepted, DeliveryState, Target
from lastvalue.protocols.amqp10.unsettled_map import entry_size, map_room, unsettled_map

STATES: dict[bytes, DeliveryState | None] = {b"a": None, b"b": Accepted()}
SIZES = [entry_size(b"a", None), entry_size(b"b", decomposed(Accepted()))]


def test_the_map_names_deliveries_with_their_outcomes() -> None:
    assert unsettled_map(STATES, sum(SIZES)) == ({b"a": None, b"b": decomposed(Accepted())}, False)


def test_a_map_without_room_for_all_is_incomplete() -> None:
    assert unsettled_map(STATES, sum(SIZES) - 1) == ({b"a": None}, True)


def test_a_map_without_room_for_any_is_empty_and_complete() -> None:
    assert unsettled_map(STATES, SIZES[0] - 1) == ({}, False)


def test_what_else_is_large_in_an_attach_takes_room_from_the_map() -> None:
    room = map_room(512, "link", None)
    assert 0 < room < 512
    assert map_room(512, "link", Target(address="x" * 50)) < room - 50
    assert map_room(512, "link" * 200) == 0
