"""What a connection tells its peer once the journal has it, by the journal's positions."""

from collections import deque
from typing import Generic, TypeVar, final

_T = TypeVar("_T")


@final
class Sealed(Generic[_T]):
    """Batches that wait, each for a position; positions never go back."""

    __slots__ = ("_batches",)

    def __init__(self) -> None:
        self._batches: deque[tuple[int, list[_T]]] = deque()

    @property
    def waits(self) -> bool:
        """Whether there is any."""
        return bool(self._batches)

    def add(self, position: int, batch: list[_T]) -> None:
        """What is in the batch is safe once the journal has flushed that position."""
        self._batches.append((position, batch))

    def take(self, flushed: int) -> list[_T]:
        """What is safe now, oldest first; it waits no more."""
        batches = self._batches
        if not batches or batches[0][0] > flushed:
            return []
        taken = batches.popleft()[1]
        while batches and batches[0][0] <= flushed:
            taken += batches.popleft()[1]
        return taken
