"""Bytes that wait to be written to a peer."""

from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64

LARGEST_COPIED: Final = 8192
"""Larger parts are not copied when they are put, in bytes."""


class OutputBuffer:
    """Bytes for one peer, in the order in which they are written.

    Attributes:
        writer: the latest bytes. Who writes to it adds to `size`.
        size: the number of bytes.
    """

    __slots__ = ("_parts", "size", "writer")

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.writer = BytesWriter()
        self.size: i64 = 0

    def put(self, data: bytes) -> None:
        """Add bytes."""
        self.size += len(data)
        if len(data) <= LARGEST_COPIED:
            self.writer.write(data)
        else:
            self._parts.append(self.writer.getvalue())
            self._parts.append(data)
            self.writer = BytesWriter()

    def take(self) -> bytes:
        """Remove and return all bytes."""
        parts = self._parts
        if len(self.writer) == 0 and not parts:
            return b""
        latest = self.writer.getvalue()
        self.writer = BytesWriter()
        self.size = 0
        if not parts:
            return latest
        self._parts = []
        parts.append(latest)
        return b"".join(parts)
