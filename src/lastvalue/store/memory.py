"""The journal of a broker without a store: it records nothing."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lastvalue.queues.effects import Effect
from lastvalue.store.segments import StoreError


class MemoryJournal:
    """Counts effects, and is flushed at once.

    Attributes:
        waiting_bytes, bytes_per_s, fault, leads, shared, ended: always 0, 0, None, true, false and None.
    """

    def __init__(self) -> None:
        self.waiting_bytes = 0
        self.bytes_per_s = 0.0
        self.fault: OSError | None = None
        self.leads = True
        self.shared = False
        self.ended: StoreError | None = None
        self._appended = 0
        self._flushed = 0

    @property
    def flushed(self) -> int:
        """The position up to which all effects are flushed."""
        return self._flushed

    def define(self, kind: str, name: str, arguments: Mapping[str, Any] | None) -> int:  # noqa: ARG002 - the interface has it
        """Do nothing; returns the position."""
        return self._appended

    def append(self, queue: str, effects: Sequence[Effect]) -> int:  # noqa: ARG002 - nothing is kept
        """Count effects; returns the position after them."""
        self._appended += len(effects)
        return self._appended

    def flush(self, done: Callable[[], None]) -> None:  # noqa: ARG002 - done before it returns
        """Count all effects as flushed."""
        self._flushed = self._appended
