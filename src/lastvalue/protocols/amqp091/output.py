"""What waits to be written to a peer."""

from typing import final

from mypy_extensions import i64

from lastvalue.codec.amqp091.dialects import MODERN
from lastvalue.codec.amqp091.frames import FRAME_MIN


@final
class Output:
    """Bytes for the peer, which a connection and its channels share.

    Attributes:
        size: how many wait.
        frame_max: the largest frame that the peer takes.
        dialect: the version that it speaks.
    """

    __slots__ = ("_chunks", "dialect", "frame_max", "size")

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self.size: i64 = 0
        self.frame_max: i64 = FRAME_MIN
        self.dialect = MODERN

    def put(self, data: bytes) -> None:
        """Have bytes sent."""
        self._chunks.append(data)
        self.size += len(data)

    def take(self) -> bytes:
        """Everything that waits."""
        chunks = self._chunks
        if not chunks:
            return b""
        self._chunks = []
        self.size = 0
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)
