"""The parts of a message that has not arrived whole, for the engines of all protocols."""

from io import BytesIO
from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.memory_budget import MemoryAccount

PARTS_KEPT: Final = 128
_KEPT_BYTES: Final = 1 << 16
"""More parts, or more bytes, are written one behind the other, so that the whole is not copied at its end."""


@final
class MessageParts:
    """The parts of a message in their order; their memory is taken from an account until they are joined.

    Attributes:
        size_bytes: of the parts together.
    """

    __slots__ = ("_memory", "_parts", "_whole", "size_bytes")

    def __init__(self, memory: MemoryAccount) -> None:
        self.size_bytes: i64 = 0
        self._memory = memory
        self._parts: list[bytes] = []
        self._whole: BytesIO | None = None

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
        whole = self._whole
        if whole is not None:
            whole.write(part)
            return
        self._parts.append(part)
        if self.size_bytes > _KEPT_BYTES or len(self._parts) >= PARTS_KEPT:
            self._whole = BytesIO()
            self._whole.write(b"".join(self._parts))
            self._parts = []

    def join(self) -> bytes:
        """The whole message; there are no parts after that."""
        whole = self._whole
        # A buffer gives its own bytes away without a copy.
        joined = b"".join(self._parts) if whole is None else whole.getvalue()
        self.clear()
        return joined

    def clear(self) -> None:
        """Drop the parts."""
        self._memory.release(self.size_bytes)
        self.size_bytes = 0
        self._parts = []
        self._whole = None
