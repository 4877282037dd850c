"""How much routing a piece of a connection's input, or a commit, has caused.

A message is a few octets, but may reach every queue that is bound, and cost the matching of every binding.
The clock is looked at between the pieces of input alone, so what one piece may cause is counted.
"""

from typing import Final, final

from mypy_extensions import i64

MOST_WORK: Final = 1000
"""So much is done in one go: a millisecond or two, compiled."""


@final
class RoutingWork:
    """Counts the bindings and queues that messages reach, and what it takes to find them.

    Attributes:
        spent: since `begin`; 1 is about what a queue takes that gets a message.
    """

    __slots__ = ("spent",)

    def __init__(self) -> None:
        self.spent: i64 = 0

    def begin(self) -> None:
        """Begin a piece of input, or a commit."""
        self.spent = 0

    def spend(self, work: i64) -> None:
        """Count work that is done."""
        self.spent += work

    @property
    def left(self) -> i64:
        """What may still be done."""
        return max(0, MOST_WORK - self.spent)

    @property
    def is_over(self) -> bool:
        """Whether the piece has caused so much that its rest waits for the next look at the clock."""
        return self.spent >= MOST_WORK
