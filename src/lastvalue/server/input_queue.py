"""The input of connections that waits for its turn, so that no peer's bytes hold the event loop for long.

A round is what one pass of the event loop reads. When its time is spent, the input of connections that took
time lately waits for the next turn, which processes it for as long: the one that took the least goes first.
Connections that took little time are always served at once.
"""

import heapq
import math
import time
from abc import abstractmethod
from collections.abc import Callable
from typing import Final

from mypy_extensions import mypyc_attr

from lastvalue.broker.deadlines import Deadline

ROUND_S: Final = 0.005
"""How long the input of one round is processed; input that waits is processed for as long in each turn."""

PIECE_BYTES: Final = 4 * 1024
"""Bytes processed without a look at the clock at first; a few milliseconds of the costliest frames."""

LARGEST_PIECE_BYTES: Final = 32 * 1024
"""The same of a connection whose input is cheap; for small messages the looks at the clock cost 15 % else."""

CHEAP_S: Final = 0.000_25
COSTLY_S: Final = 0.001
"""A piece that takes less than the first doubles the next; one that takes more than the second halves it."""

LEAST_PIECE_BYTES: Final = 512
"""Of a connection whose input is costly, so that some frames hold the loop, and not some dozens."""

LITTLE_S: Final = 0.002
"""A connection whose input took no more time lately never waits."""

_HALVES_EACH_S: Final = 1.0
_HALVING: Final = math.log(2) / _HALVES_EACH_S


class InputCost:
    """How much time a connection's input took lately: of what it took, half counts a second later.

    Attributes:
        piece_bytes: how much of its input is processed without a look at the clock.
    """

    __slots__ = ("_at_s", "_cost_s", "piece_bytes")

    def __init__(self) -> None:
        self._cost_s = 0.0
        self._at_s = 0.0
        self.piece_bytes = PIECE_BYTES

    def add(self, size_bytes: int, cost_s: float, now_s: float) -> None:
        """Count the time that input of this size took until now."""
        if cost_s > COSTLY_S:
            self.piece_bytes = max(LEAST_PIECE_BYTES, min(PIECE_BYTES, self.piece_bytes // 2))
        elif cost_s < CHEAP_S and size_bytes >= self.piece_bytes < LARGEST_PIECE_BYTES:
            self.piece_bytes *= 2
        self._cost_s = self.lately_s(now_s) + cost_s
        self._at_s = now_s

    def lately_s(self, now_s: float) -> float:
        """The time that it took lately, in seconds."""
        # Not `exp2`, for which compiled code has to call Python.
        return self._cost_s * math.exp((self._at_s - now_s) * _HALVING)


@mypyc_attr(allow_interpreted_subclasses=True)
class InputSource(Deadline):
    """A connection with input that waits, and with a time at which something is due without input.

    Attributes:
        cost: of its input.
    """

    __slots__ = ("cost",)

    def __init__(self) -> None:
        super().__init__()
        self.cost = InputCost()

    @abstractmethod
    def process_waiting(self) -> None:
        """Process a piece of the input that waits, and more while the round lasts; the rest waits again."""
        raise NotImplementedError


class InputQueue:
    """The connections whose input waits, and the round.

    Args:
        schedule: asks for a turn, which calls `process`.
        clock_s: the monotonic time in seconds.
    """

    def __init__(self, schedule: Callable[[], None], clock_s: Callable[[], float] = time.monotonic) -> None:
        self.clock_s = clock_s
        self._schedule = schedule
        self._waiting: list[tuple[float, int, InputSource]] = []
        self._number = 0
        self._ends_s = 0.0
        self._under_way = False

    def may_process(self, cost: InputCost, now_s: float) -> bool:
        """Whether a connection of this cost may process input; the first call after a turn begins a round."""
        if not self._under_way:
            self._begin(now_s)
        return now_s < self._ends_s or cost.lately_s(now_s) <= LITTLE_S

    def wait(self, source: InputSource) -> None:
        """Let a connection wait for the next turn."""
        self._number += 1
        cost_s = source.cost.lately_s(self.clock_s())
        heapq.heappush(self._waiting, (cost_s, self._number, source))
        self._schedule()

    def process(self, now_s: float) -> float:
        """Process what waits, for the time of a round; returns the time.

        The owner calls it at the begin of each turn.
        """
        self._under_way = False
        if not self._waiting:
            return now_s
        self._begin(now_s)
        while self._waiting and now_s < self._ends_s:
            heapq.heappop(self._waiting)[2].process_waiting()
            now_s = self.clock_s()
        if self._waiting:
            self._schedule()
        return now_s

    def _begin(self, now_s: float) -> None:
        self._under_way = True
        self._ends_s = now_s + ROUND_S
