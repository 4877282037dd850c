"""What every journal does: it takes effects in order, and says up to where they are safe."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from lastvalue.queues.effects import Effect


class Journal(Protocol):
    """An ordered record of every queue's effects; a publish is confirmed once its position is flushed."""

    @property
    def flushed(self) -> int:
        """The position up to which everything is safe."""
        ...

    @property
    def waiting_bytes(self) -> int:
        """What is appended and not safe yet."""
        ...

    @property
    def bytes_per_s(self) -> float:
        """How fast it was written of late; 0 where nothing large was."""
        ...

    @property
    def fault(self) -> OSError | None:
        """Why nothing can be written at the moment."""
        ...

    def define(self, kind: str, name: str, arguments: Mapping[str, Any] | None) -> int:
        """Record that a durable node or binding exists, or not any more; the position behind it."""
        ...

    def append(self, queue: str, effects: Sequence[Effect]) -> int:
        """Record effects; the position behind them. They are not safe before `flushed` has reached it."""
        ...

    def flush(self, done: Callable[[], None]) -> None:
        """Make everything appended safe.

        It may return before that is so, and then calls `done`, from any thread, once `flushed` has moved.
        """
        ...
