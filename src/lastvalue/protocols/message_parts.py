"""The parts of a message that has not arrived whole, for the engines of all protocols."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.memory_budget import MemoryAccount

PARTS_JOINED: Final = 128
"""Parts beyond which they are joined, so that tiny frames do not fill the memory."""


@final
class MessageParts:
    """The parts of a message in their order; their memory is taken from an account until they are joined.

    Attributes:
        size_bytes: of the parts together.
    """

    __slots__ = ("_chunks", "_memory", "_parts", "size_bytes")

    def __init__(self, memory: MemoryAccount) -> None:
        self.size_bytes: i64 = 0
        self._memory = memory
        self._parts: list[bytes] = []
        self._chunks: list[bytes] = []

    def add(self, part: bytes) -> None:
        """Add the next part.

        Raises:
            MemoryLimitError: the account has no room for it.
        """
        size: i64 = len(part)
        if size == 0:
            return
        self._memory.take(size)
        self.size_bytes += size
        self._parts.append(part)
        if len(self._parts) >= PARTS_JOINED:
            self._chunks.append(b"".join(self._parts))
            self._parts = []

    def join(self) -> bytes:
        """The whole message; there are no parts after that."""
        whole = b"".join([*self._chunks, *self._parts])
        self.clear()
        return whole

    def clear(self) -> None:
        """Drop the parts."""
        self._memory.release(self.size_bytes)
        self.size_bytes = 0
        self._parts = []
        self._chunks = []
