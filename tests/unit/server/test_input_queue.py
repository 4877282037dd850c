"""Input that waits for its turn."""

import math

from lastvalue.server.input_queue import (
    BRIEF_S,
    CHEAP_S,
    COSTLY_S,
    LARGEST_PIECE_BYTES,
    LEAST_PIECE_BYTES,
    LITTLE_S,
    PIECE_BYTES,
    ROUND_S,
    SHARE_S,
    InputCost,
    InputQueue,
    InputSource,
)


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


PIECE = 1000
"""Bytes of a piece, of which each takes the same time."""


class Source(InputSource):
    """Takes the same time for each piece of its input."""

    def __init__(self, name: str, inputs: InputQueue, clock: Clock, pieces: int, piece_s: float) -> None:
        super().__init__()
        self.name = name
        self.processed: list[str] = []
        self.done_s: list[float] = []
        self._inputs = inputs
        self._clock = clock
        self._pieces = pieces
        self._piece_s = piece_s

    def add(self, pieces: int) -> None:
        """Have more input, which waits if none does."""
        if not self._pieces:
            self._inputs.wait(self, pieces * PIECE)
        self._pieces += pieces

    @property
    def waits(self) -> bool:
        return self._pieces > 0

    def process_waiting(self) -> None:
        over = False
        while self._pieces and not over:
            self._pieces -= 1
            self._clock.now_s += self._piece_s
            self.cost.add(PIECE, self._piece_s, self._clock())
            self.processed.append(self.name)
            self.done_s.append(self._clock())
            over = not self._inputs.may_process(self.cost, self._clock())
        if self._pieces:
            self._inputs.wait(self, self._pieces * PIECE)


class World:
    def __init__(self) -> None:
        self.clock = Clock()
        self.turns = 0
        self.inputs = InputQueue(self._schedule, self.clock)

    def _schedule(self) -> None:
        self.turns += 1

    def source(self, name: str, pieces: int, piece_s: float) -> Source:
        """One whose input waits."""
        source = Source(name, self.inputs, self.clock, 0, piece_s)
        source.add(pieces)
        return source

    def light(self, name: str, piece_s: float) -> Source:
        """One whose inputs have been small and quick until now, and another one of which waits."""
        source = Source(name, self.inputs, self.clock, 0, piece_s)
        for _ in range(10):
            source.cost.add(PIECE, piece_s, self.clock())
        source.add(1)
        return source

    def turn(self) -> None:
        """Process what waits, and let the rest of a turn take as long."""
        self.inputs.process(self.clock())
        self.clock.now_s += ROUND_S

    def turns_until_served(self, source: Source) -> int:
        turns = 0
        while source.waits:
            self.turn()
            turns += 1
        return turns


def test_input_is_processed_for_no_longer_than_a_round() -> None:
    world = World()
    source = world.source("flood", 100, ROUND_S * 0.3)
    world.inputs.process(world.clock())
    assert len(source.processed) == 3


def test_a_piece_that_would_end_after_the_round_waits_for_the_next_turn() -> None:
    world = World()
    source = world.source("flood", 100, ROUND_S * 0.9)
    for turns in range(1, 4):
        world.turn()
        assert len(source.processed) == turns


def test_each_turn_processes_a_piece_of_those_that_flood_however_long_it_takes() -> None:
    world = World()
    floods = [world.source(f"flood {number}", 100, ROUND_S * 3) for number in range(2)]
    lights = [world.light(f"light {number}", BRIEF_S / 2) for number in range(100)]
    for _ in range(10):
        world.turn()
        for each in lights:
            if not each.waits:
                each.add(1)
    assert [len(each.processed) for each in floods] == [5, 5]


def test_one_piece_that_took_long_is_forgotten_by_those_that_follow() -> None:
    world = World()
    cost = costing(ROUND_S * 4, world.clock())
    world.clock.now_s += 100 * ROUND_S
    for _ in range(4):
        cost.add(PIECE, CHEAP_S, world.clock())
    assert world.inputs.may_process(cost, world.clock())


def test_what_is_left_asks_for_another_turn() -> None:
    world = World()
    world.source("flood", 100, ROUND_S)
    asked = world.turns
    world.inputs.process(world.clock())
    assert world.turns > asked


def test_who_has_little_input_waits_for_a_turn_however_many_flood() -> None:
    world = World()
    for number in range(200):
        world.source(f"flood {number}", 100_000, SHARE_S / 2)
    light = world.light("light", BRIEF_S / 4)
    for _ in range(1000):
        # It has had more time than each of the others by then.
        assert world.turns_until_served(light) <= 1
        light.add(1)


def test_those_with_little_input_wait_for_each_other_in_their_order() -> None:
    world = World()
    lights = [world.light(f"light {number}", BRIEF_S / 2) for number in range(14)]
    world.turn()
    assert [each.waits for each in lights] == [False] * 10 + [True] * 4


def test_who_floods_waits_for_no_more_than_a_share_of_each_other_one() -> None:
    world = World()
    alone = world.source("alone", 1_000_000, SHARE_S / 2)
    for _ in range(2000):
        # It has had the whole of the time for long.
        world.turn()
    floods = [world.source(f"flood {number}", 100_000, SHARE_S / 2) for number in range(8)]
    for _ in range(20):
        before = len(alone.processed)
        turns = 0
        while len(alone.processed) == before:
            world.turn()
            turns += 1
        assert turns <= 1 + math.ceil((len(floods) + 1) * SHARE_S / ROUND_S)


def test_those_that_flood_get_as_much_time_whatever_a_piece_takes() -> None:
    world = World()
    small = world.source("small pieces", 1_000_000, SHARE_S / 10)
    large = world.source("large pieces", 1_000_000, SHARE_S * 3)
    for _ in range(500):
        world.turn()
    assert 0.9 < len(small.processed) * SHARE_S / 10 / (len(large.processed) * SHARE_S * 3) < 1.1


def test_who_has_not_shown_that_its_input_is_quick_waits_with_those_that_flood() -> None:
    world = World()
    unknown = world.source("unknown", 1, 10 * ROUND_S)
    light = world.light("light", BRIEF_S / 2)
    world.inputs.process(world.clock())
    assert light.done_s[0] < unknown.done_s[0]


def test_one_costly_input_in_three_does_not_make_a_connection_costly() -> None:
    cost = InputCost()
    for _ in range(10):
        cost.add(100, BRIEF_S / 2, 0.0)
    for _ in range(100):
        cost.add(100, BRIEF_S / 2, 0.0)
        cost.add(100, BRIEF_S / 2, 0.0)
        cost.add(100, BRIEF_S * 5, 0.0)
    assert cost.is_brief(100)
    assert not cost.is_brief(PIECE_BYTES + 1)
    for _ in range(10):
        cost.add(100, BRIEF_S * 2, 0.0)
    assert not cost.is_brief(100)


def test_those_with_little_input_leave_half_of_the_time_to_others() -> None:
    world = World()
    flood = world.source("flood", 100_000, SHARE_S / 2)
    world.turn()
    lights = [world.light(f"light {number}", BRIEF_S / 2) for number in range(1000)]
    for _ in range(50):
        world.turn()
        for each in lights:
            if not each.waits:
                each.add(1)
    assert len(flood.processed) * SHARE_S / 2 > 0.4 * 50 * ROUND_S


def test_a_round_lasts_until_the_next_turn() -> None:
    world = World()
    heavy = costing(LITTLE_S * 2, world.clock())
    assert world.inputs.may_process(heavy, world.clock())
    assert not world.inputs.may_process(heavy, world.clock() + ROUND_S)
    world.inputs.process(world.clock())
    world.clock.now_s += ROUND_S
    assert world.inputs.may_process(heavy, world.clock())


def test_while_input_waits_the_turn_counts_as_the_round() -> None:
    world = World()
    world.source("flood", 100, ROUND_S)
    world.inputs.process(world.clock())
    assert not world.inputs.may_process(costing(LITTLE_S * 2, world.clock()), world.clock())


def test_those_that_took_little_time_are_served_beside_the_round_for_as_long() -> None:
    world = World()
    light = costing(LITTLE_S, world.clock())
    assert world.inputs.may_process(light, world.clock())
    world.clock.now_s += 2 * ROUND_S
    assert world.inputs.may_process(light, world.clock())
    assert world.inputs.may_process(light, world.clock() + ROUND_S * 0.9)
    assert not world.inputs.may_process(light, world.clock() + ROUND_S)
    world.inputs.process(world.clock())
    world.clock.now_s += ROUND_S
    assert world.inputs.may_process(light, world.clock())


def costing(cost_s: float, now_s: float) -> InputCost:
    cost = InputCost()
    cost.add(1, cost_s, now_s)
    return cost


def test_half_of_what_input_took_counts_a_second_later() -> None:
    cost = InputCost()
    cost.add(1, 0.4, 10.0)
    assert cost.lately_s(11.0) == 0.2
    cost.add(1, 0.1, 11.0)
    assert abs(cost.lately_s(11.0) - 0.3) < 1e-9


def test_pieces_of_cheap_input_grow_until_one_is_costly() -> None:
    cost = InputCost()
    cost.add(PIECE_BYTES - 1, CHEAP_S / 2, 0.0)
    assert cost.piece_bytes == PIECE_BYTES
    for _ in range(10):
        cost.add(cost.piece_bytes, CHEAP_S / 2, 0.0)
    assert cost.piece_bytes == LARGEST_PIECE_BYTES
    cost.add(LARGEST_PIECE_BYTES, (CHEAP_S + COSTLY_S) / 2, 0.0)
    assert cost.piece_bytes == LARGEST_PIECE_BYTES
    cost.add(LARGEST_PIECE_BYTES, COSTLY_S * 2, 0.0)
    assert cost.piece_bytes == PIECE_BYTES
    for _ in range(10):
        cost.add(cost.piece_bytes, COSTLY_S * 2, 0.0)
    assert cost.piece_bytes == LEAST_PIECE_BYTES
    cost.add(LEAST_PIECE_BYTES, CHEAP_S / 2, 0.0)
    assert cost.piece_bytes == 2 * LEAST_PIECE_BYTES
