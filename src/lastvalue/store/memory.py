"""The journal of a broker without a store: it records nothing."""

from collections.abc import Callable, Mapping
from typing import Any, final

from lastvalue.queues.effects import Effect
from lastvalue.store.journal import Journal


@final
class MemoryJournal(Journal):
    """Counts effects, and is flushed at once."""

    def __init__(self) -> None:
        super().__init__()
        self._appended = 0

    def define(self, kind: str, name: str, arguments: Mapping[str, Any] | None) -> int:
        """Do nothing; returns the position."""
        del kind, name, arguments
        return self._appended

    def append(self, queue: str, effects: list[Effect]) -> int:
        """Count effects; returns the position after them."""
        del queue
        self._appended += len(effects)
        return self._appended

    def flush(self, done: Callable[[], None]) -> None:
        """Count all effects as flushed."""
        del done
        self.flushed = self._appended
