"""Keys whose values a reader has yet to get before the marker, though they changed after it began."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.watches.key_index import KeyIndex
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.queues.entry import AVAILABLE, Entry
from lastvalue.queues.queue import Queue

_OWED_BYTES: Final = 160
"""Bytes of memory of a key that is owed, besides the key."""


@final
class OwedKeys:
    """The keys that had a value when the reader began, and another one before it came to that.

    By sequence they come after what came meanwhile, so the marker would never come where producers are quick.
    So each is given once more: with its present value, when only the marker is left.

    Args:
        queue: that is read, whose readers go by sequence.
        index: tells which entries are replaced.
        memory: the reader's.
        concerns: whether the reader asks for a key.
        position: up to which sequence the reader has what it asks for.

    Attributes:
        position: up to which sequence it was given the values.
    """

    __slots__ = (
        "_boundary",
        "_concerns",
        "_given",
        "_index",
        "_keys",
        "_last_given",
        "_memory",
        "_queue",
        "position",
    )

    def __init__(
        self,
        queue: Queue,
        index: KeyIndex,
        memory: MemoryAccount,
        concerns: Callable[[bytes], bool],
        position: i64,
    ) -> None:
        self.position: i64 = position
        self._queue = queue
        self._index = index
        self._memory = memory
        self._concerns = concerns
        self._boundary: i64 = queue.sequence
        self._keys: dict[bytes, None] = {}
        # The sequences of what was given out of turn, and will come again.
        self._given: set[int] = set()
        self._last_given = 0
        index.replaced[self._note] = None

    def _note(self, previous: Entry) -> None:
        key = previous.key
        is_due = self.position < previous.sequence <= self._boundary
        if key is not None and is_due and key not in self._keys and self._concerns(key):
            self._memory.add(_OWED_BYTES + len(key))
            self._keys[key] = None

    def next(self, now: i64) -> Entry | None:
        """The value of a key that is owed, out of turn; None if none is."""
        while self._keys:
            key = next(iter(self._keys))
            self._forget(key)
            entry = self._queue.contents.current.get(key)
            if entry is not None and entry.state == AVAILABLE and entry.expires_ms > now:
                self._given.add(int(entry.sequence))
                self._last_given = max(self._last_given, int(entry.sequence))
                return entry
        return None

    def _forget(self, key: bytes) -> None:
        del self._keys[key]
        self._memory.release(_OWED_BYTES + len(key))

    def is_again(self, entry: Entry) -> bool:
        """Whether an entry whose turn it is was given before; nothing more is owed of its key."""
        sequence = int(entry.sequence)
        self.position = sequence
        again = sequence in self._given
        if sequence >= self._last_given:
            self._given = set()
        if entry.key is not None and entry.key in self._keys:
            self._forget(entry.key)
        return again

    @property
    def is_over(self) -> bool:
        """Whether nothing is owed, and nothing that was given will come again."""
        return not self._keys and not self._given

    def end(self) -> None:
        """The reader is sent the marker, or ends: nothing more becomes owed."""
        self._index.replaced.pop(self._note, None)
        for key in list(self._keys):
            self._forget(key)
