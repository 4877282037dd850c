"""How much of a turn the broker's readers may take, so that they do not hold the event loop.

The broker has no clock: who runs it says whether a share of the time is spent, or two. It is asked after so
much work. The second share is for the queues that took all of the first.
"""

from collections.abc import Callable
from typing import Final, TypeAlias, final

from mypy_extensions import i64

IsSpent: TypeAlias = Callable[[int], bool]
"""Whether this many shares of a turn are spent."""

_ASKED_EVERY: Final = 16

COSTLY: Final = 16
"""The work of a step that may take milliseconds; that of a delivery of a small message is 1."""

WATCHED: Final = 4
"""The work of a step for a watching reader."""

LARGE_BYTES: Final = 4096
"""A message of at least this many bytes may be costly to convert."""


@final
class TurnTime:
    """The time of one turn.

    Attributes:
        is_over: it is spent; what is left waits for the next turn.
    """

    __slots__ = ("_is_spent", "_shares", "_work", "is_over")

    def __init__(self) -> None:
        self.is_over = False
        self._is_spent: IsSpent | None = None
        self._shares: i64 = 1
        self._work: i64 = 0

    def begin(self, is_spent: IsSpent | None) -> None:
        """Begin a turn; with None it has no end."""
        self.is_over = False
        self._is_spent = is_spent
        self._shares = 1
        self._work = 0

    def spend(self, work: i64) -> bool:
        """Count what was done; whether there is time for more."""
        self._work += work
        if self._work >= _ASKED_EVERY:
            self._work = 0
            is_spent = self._is_spent
            if is_spent is not None and is_spent(int(self._shares)):
                self.is_over = True
        return not self.is_over

    def begin_second(self) -> None:
        """Begin the second share; a piece of work may begin in any case."""
        self.is_over = False
        self._shares = 2
