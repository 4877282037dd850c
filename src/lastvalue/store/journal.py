"""The interface of a journal, which records effects in order and says up to where they are safe."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from lastvalue.queues.effects import Effect
from lastvalue.store.segments import StoreError


class Journal(Protocol):
    """An ordered record of every queue's effects; a publish is confirmed once its position is flushed."""

    @property
    def flushed(self) -> int:
        """The position up to which all effects are safe."""
        ...

    @property
    def leads(self) -> bool:
        """Whether no other process can write it now; while one may, nothing is served."""
        ...

    @property
    def shared(self) -> bool:
        """Whether another process may go on with what is safe, and readers with it."""
        ...

    @property
    def ended(self) -> StoreError | None:
        """Why this process will never write it again, or None."""
        ...

    @property
    def waiting_bytes(self) -> int:
        """The size of what is appended and not safe yet."""
        ...

    @property
    def bytes_per_s(self) -> float:
        """The recent speed of writing; 0 if no large batch was written."""
        ...

    @property
    def fault(self) -> OSError | None:
        """Why the journal cannot be written now, or None."""
        ...

    def define(self, kind: str, name: str, arguments: Mapping[str, Any] | None) -> int:
        """Record a durable node or binding, or with None its deletion; returns the position after it."""
        ...

    def append(self, queue: str, effects: Sequence[Effect]) -> int:
        """Record effects; returns the position after them. They are safe once `flushed` has reached it."""
        ...

    def flush(self, done: Callable[[], None]) -> None:
        """Make all appended effects safe.

        It may return earlier, and then calls `done`, from any thread, once `flushed` has moved.
        """
        ...
