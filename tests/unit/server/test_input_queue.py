"""Input that waits for its turn."""

from lastvalue.server.input_queue import (
    CHEAP_S,
    COSTLY_S,
    LARGEST_PIECE_BYTES,
    LEAST_PIECE_BYTES,
    LITTLE_S,
    PIECE_BYTES,
    ROUND_S,
    InputCost,
    InputQueue,
    InputSource,
)


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Source(InputSource):
    """Takes the same time for each piece of its input."""

    def __init__(self, name: str, inputs: InputQueue, clock: Clock, pieces: int, piece_s: float) -> None:
        super().__init__()
        self.name = name
        self.processed: list[str] = []
        self._inputs = inputs
        self._clock = clock
        self._pieces = pieces
        self._piece_s = piece_s

    def process_waiting(self) -> None:
        over = False
        while self._pieces and not over:
            self._pieces -= 1
            self._clock.now_s += self._piece_s
            self.cost.add(1, self._piece_s, self._clock())
            self.processed.append(self.name)
            over = not self._inputs.may_process(self.cost, self._clock())
        if self._pieces:
            self._inputs.wait(self)


class World:
    def __init__(self) -> None:
        self.clock = Clock()
        self.turns = 0
        self.inputs = InputQueue(self._schedule, self.clock)

    def _schedule(self) -> None:
        self.turns += 1

    def source(self, name: str, pieces: int, piece_s: float) -> Source:
        return Source(name, self.inputs, self.clock, pieces, piece_s)


def test_input_is_processed_for_no_longer_than_a_round_and_a_piece() -> None:
    world = World()
    source = world.source("flood", 100, ROUND_S / 4)
    world.inputs.wait(source)
    world.inputs.process(world.clock())
    assert len(source.processed) == 4


def test_what_is_left_asks_for_another_turn() -> None:
    world = World()
    world.inputs.wait(world.source("flood", 100, ROUND_S))
    asked = world.turns
    world.inputs.process(world.clock())
    assert world.turns > asked


def test_who_took_the_least_time_lately_goes_first() -> None:
    world = World()
    flood, light = world.source("flood", 100, ROUND_S), world.source("light", 1, ROUND_S / 100)
    world.inputs.wait(flood)
    world.inputs.process(world.clock())
    world.inputs.wait(light)
    world.inputs.process(world.clock())
    assert light.processed == ["light"]


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
    world.inputs.wait(world.source("flood", 100, ROUND_S))
    world.inputs.process(world.clock())
    assert not world.inputs.may_process(costing(LITTLE_S * 2, world.clock()), world.clock())


def test_who_took_little_time_never_waits() -> None:
    world = World()
    light = costing(LITTLE_S, world.clock())
    assert world.inputs.may_process(light, world.clock())
    assert world.inputs.may_process(light, world.clock() + ROUND_S)


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
