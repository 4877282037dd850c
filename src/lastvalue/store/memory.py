"""The journal of a broker without a store: it records nothing."""

from collections.abc import Callable, Mapping
from typing import Any, Final, final

from lastvalue.queues.effects import Added, Effect, TakenRun, Updated
from lastvalue.store.journal import Journal

_STORED: Final = 1
"""In place of a part of a journal."""


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
        """Count effects; returns the position after them.

        What was taken is stored as far as its queue can tell: it may renew the entries of its keys.
        """
        del queue
        self._appended += len(effects)
        for effect in effects:
            if isinstance(effect, TakenRun):
                for entry in effect.entries:
                    entry.stored = _STORED
            elif isinstance(effect, (Added, Updated)):
                effect.entry.stored = _STORED
        return self._appended

    def flush(self, done: Callable[[], None]) -> None:
        """Count all effects as flushed."""
        del done
        self.flushed = self._appended
