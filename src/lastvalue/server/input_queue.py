"""The input of connections that waits for its turn, so that no peer's bytes hold the event loop for long.

A round is what one pass of the event loop reads. When its time is spent, or a piece may take more than is
left of it, the input of connections that took time lately waits for the next turn, which processes it for as
long. First come those whose inputs are small and quick, in the order in which they began to wait; while
others wait, they have half of the time. The others take turns (start-time fair queueing, Goyal 1996): the one
that has had the least of this time comes next, and who begins to wait has had as much as the one that is
served. So the wait of a connection with small, quick inputs does not depend on how many others flood: it is a
round, a piece, and such inputs that came before. No other connection waits for more than a share, or a piece
that takes longer, of each one that floods. Connections that took little time lately are served at once, all
of them together for the time of a round.
"""

import heapq
import math
import time
from abc import abstractmethod
from collections import deque
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
"""A connection whose input took no more time lately does not wait, unless very many of these come at once."""

BRIEF_S: Final = 0.001
"""A connection whose inputs are small and take no more time is served before those that flood."""

SHARE_S: Final = 0.001
"""What a connection that floods may take before it is another one's turn."""

_MOST_COSTLY: Final = 8
_HALVES_EACH_S: Final = 1.0
_HALVING: Final = math.log(2) / _HALVES_EACH_S


class InputCost:
    """How much time a connection's input took lately: of what it took, half counts a second later.

    Attributes:
        piece_bytes: how much of its input is processed without a look at the clock.
        piece_s: what the next piece may take, by the last ones.
        taken_s: what it has had of the time of those that take turns.
    """

    __slots__ = ("_at_s", "_cost_s", "_costly", "piece_bytes", "piece_s", "taken_s")

    def __init__(self) -> None:
        self._cost_s = 0.0
        self._at_s = 0.0
        self._costly = _MOST_COSTLY
        self.piece_bytes = PIECE_BYTES
        self.piece_s = 0.0
        self.taken_s = 0.0

    def add(self, size_bytes: int, cost_s: float, now_s: float) -> None:
        """Count the time that input of this size took until now."""
        if cost_s > COSTLY_S:
            self.piece_bytes = max(LEAST_PIECE_BYTES, min(PIECE_BYTES, self.piece_bytes // 2))
        elif cost_s < CHEAP_S and size_bytes >= self.piece_bytes < LARGEST_PIECE_BYTES:
            self.piece_bytes *= 2
        # One in three may be costly: another process of the machine had the processor meanwhile.
        self._costly = min(_MOST_COSTLY, self._costly + 2) if cost_s > BRIEF_S else max(0, self._costly - 1)
        self.piece_s = max(cost_s, self.piece_s / 2)
        self._cost_s = self.lately_s(now_s) + cost_s
        self._at_s = now_s

    def lately_s(self, now_s: float) -> float:
        """The time that it took lately, in seconds."""
        # Not `exp2`, for which compiled code has to call Python.
        return self._cost_s * math.exp((self._at_s - now_s) * _HALVING)

    def is_brief(self, size_bytes: int) -> bool:
        """Whether input of this size is small, and quick as most of what came before was."""
        return size_bytes <= PIECE_BYTES and self._costly < _MOST_COSTLY // 2


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
        self._brief: deque[InputSource] = deque()
        # Each with what it had taken when it began to wait, and with a number that keeps the order of equals.
        self._others: list[tuple[float, int, InputSource]] = []
        self._number = 0
        # What the one that was served last had taken.
        self._taken_s = 0.0
        # The one that is being served, and whether it has to wait again.
        self._served: InputSource | None = None
        self._served_waits = False
        self._ends_s = 0.0
        # Until when connections that took little are served outside the round; 0 until the first one comes.
        self._little_ends_s = 0.0
        self._under_way = False

    def may_process(self, cost: InputCost, now_s: float) -> bool:
        """Whether a connection of this cost may process input; the first call after a turn begins a round.

        A piece that would end after the round waits for the next turn.
        """
        if not self._under_way:
            self._begin(now_s)
        if now_s + cost.piece_s < self._ends_s:
            return True
        if cost.lately_s(now_s) > LITTLE_S:
            return False
        if self._little_ends_s == 0.0:
            self._little_ends_s = now_s + ROUND_S
        return now_s < self._little_ends_s

    def wait(self, source: InputSource, size_bytes: int) -> None:
        """Let a connection with so much input wait for the next turn."""
        if source.cost.is_brief(size_bytes):
            self._brief.append(source)
        elif source is self._served:
            self._served_waits = True
        else:
            self._push(source)
        self._schedule()

    def _push(self, source: InputSource) -> None:
        self._number += 1
        heapq.heappush(self._others, (max(self._taken_s, source.cost.taken_s), self._number, source))

    def process(self, now_s: float) -> float:
        """Process what waits, for the time of a round; returns the time.

        The owner calls it at the begin of each turn.
        """
        self._under_way = False
        if not self._brief and not self._others:
            return now_s
        self._begin(now_s)
        ends_s = now_s + ROUND_S
        half_s = now_s + ROUND_S / 2
        self._little_ends_s = now_s
        first = True
        while now_s < ends_s and (self._brief or self._others):
            if self._brief and (now_s < half_s or not self._others):
                self._ends_s = min(ends_s, now_s + BRIEF_S)
                self._brief.popleft().process_waiting()
                now_s = self.clock_s()
            elif first or now_s + self._others[0][2].cost.piece_s < ends_s:
                first = False
                now_s = self._process_next(now_s, ends_s)
            else:
                break
        self._ends_s = ends_s
        self._little_ends_s = 0.0
        if self._brief or self._others:
            self._schedule()
        return now_s

    def _process_next(self, now_s: float, ends_s: float) -> float:
        """Process input of the one that has taken the least, for a share if others wait; returns the time."""
        self._taken_s, _, source = heapq.heappop(self._others)
        is_alone = not self._others
        self._ends_s = ends_s if is_alone else min(ends_s, now_s + SHARE_S)
        self._served = source
        source.process_waiting()
        self._served = None
        ended_s = self.clock_s()
        # What nobody else wanted counts as a share.
        source.cost.taken_s = self._taken_s + (SHARE_S if is_alone else ended_s - now_s)
        if self._served_waits:
            self._served_waits = False
            self._push(source)
        return ended_s

    def _begin(self, now_s: float) -> None:
        self._under_way = True
        self._ends_s = now_s + ROUND_S
        self._little_ends_s = 0.0
