"""Bytes that wait to be written to a peer."""

from mypy_extensions import i64


class OutputBuffer:
    """Bytes for one peer, in the order in which they are written.

    Attributes:
        chunks: the bytes, in parts.
        size: the number of bytes.
    """

    __slots__ = ("chunks", "size")

    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self.size: i64 = 0

    def put(self, data: bytes) -> None:
        """Add bytes."""
        self.chunks.append(data)
        self.size += len(data)

    def take(self) -> bytes:
        """Remove and return all bytes."""
        chunks = self.chunks
        if not chunks:
            return b""
        self.chunks = []
        self.size = 0
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)
