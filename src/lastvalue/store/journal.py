"""The interface of a journal, which records effects in order and says up to where they are safe."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from mypy_extensions import i64, mypyc_attr

from lastvalue.queues.effects import Effect
from lastvalue.store.segments import StoreError


@mypyc_attr(allow_interpreted_subclasses=True)
class Journal:
    """An ordered record of every queue's effects; a publish is confirmed once its position is flushed.

    What is not overridden is that of a journal which no disk and no other process keeps waiting.

    Attributes:
        flushed: the position up to which all effects are safe.
    """

    def __init__(self) -> None:
        self.flushed: i64 = 0

    @property
    def leads(self) -> bool:
        """Whether no other process can write it now; while one may, nothing is served."""
        return True

    @property
    def shared(self) -> bool:
        """Whether another process may continue with what is safe, and readers with it."""
        return False

    @property
    def ended(self) -> StoreError | None:
        """Why this process will never write it again, or None."""
        return None

    @property
    def waiting_bytes(self) -> int:
        """The size of what is appended and not safe yet."""
        return 0

    @property
    def appended_bytes(self) -> int:
        """The size of all that was appended, safe or not; it only grows."""
        return 0

    @property
    def bytes_per_s(self) -> float:
        """The recent speed of writing; 0 if no large batch was written."""
        return 0.0

    @property
    def fault(self) -> OSError | None:
        """Why the journal cannot be written now, or None."""
        return None

    @abstractmethod
    def define(self, kind: str, name: str, arguments: Mapping[str, Any] | None) -> int:
        """Record a durable node or binding, or with None its deletion; returns the position after it."""
        raise NotImplementedError

    @abstractmethod
    def append(self, queue: str, effects: list[Effect]) -> int:
        """Record effects; returns the position after them. They are safe once `flushed` has reached it."""
        raise NotImplementedError

    def discard(self) -> None:
        """Forget what is appended and not handed over to be written; nothing is appended after that."""

    def prepare_flush(self, done: Callable[[], None]) -> None:
        """Do the first part of `flush`, which moves `flushed` where nothing waits for a disk.

        `submit` follows.
        """
        self.flush(done)

    def submit(self) -> None:
        """Do the last part of `flush`: from now on another thread may run."""

    @abstractmethod
    def flush(self, done: Callable[[], None]) -> None:
        """Make all appended effects safe.

        It may return earlier, and then calls `done`, from any thread, once `flushed` has moved.
        """
        raise NotImplementedError
