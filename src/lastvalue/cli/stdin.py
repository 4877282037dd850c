"""Lines of standard input, read without blocking the event loop."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import CancelledError

_CHUNK_SIZE_BYTES = 65536
_CHUNKS_AHEAD = 4


class LineTooLongError(Exception):
    """A line has more bytes than it may have."""

    def __init__(self, number: int, most_bytes: int) -> None:
        super().__init__(f"line {number} of standard input has more than {most_bytes} bytes")


async def stdin_lines(most_bytes: int | None = None) -> AsyncIterator[str]:
    """Each line of standard input as soon as it comes, without its line end.

    Args:
        most_bytes: a longer line is refused as soon as so much of it has come; None: no limit.

    Raises:
        LineTooLongError: a line is longer.
    """
    loop = asyncio.get_running_loop()
    chunks: asyncio.Queue[bytes] = asyncio.Queue(_CHUNKS_AHEAD)
    # A daemon thread reads the descriptor: an executor's thread or a lock on sys.stdin would block the exit.
    threading.Thread(target=_read, args=(loop, chunks), daemon=True).start()
    lines = _Lines(most_bytes)
    while chunk := await chunks.get():
        for line in lines.completed(chunk):
            yield line.decode(errors="replace")
    if rest := lines.rest():
        yield rest.decode(errors="replace")


class _Lines:
    """Cuts chunks into lines; each byte is looked at once, however long a line is."""

    def __init__(self, most_bytes: int | None) -> None:
        self._most_bytes = most_bytes
        self._number = 1
        self._parts: list[bytes] = []
        self._size_bytes = 0

    def completed(self, chunk: bytes) -> Iterator[bytes]:
        """The lines that end in the chunk, without their ends."""
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            self._add(end)
            yield self.rest()
            self._number += 1
        self._add(rest)

    def rest(self) -> bytes:
        """What came since the last line's end."""
        line = b"".join(self._parts)
        self._parts, self._size_bytes = [], 0
        return line

    def _add(self, part: bytes) -> None:
        self._size_bytes += len(part)
        if self._most_bytes is not None and self._size_bytes > self._most_bytes:
            raise LineTooLongError(self._number, self._most_bytes)
        self._parts.append(part)


def _read(loop: asyncio.AbstractEventLoop, chunks: asyncio.Queue[bytes]) -> None:
    chunk = b"-"
    while chunk:
        chunk = os.read(0, _CHUNK_SIZE_BYTES)
        put = chunks.put(chunk)
        try:
            asyncio.run_coroutine_threadsafe(put, loop).result()
        except RuntimeError:
            # The loop has ended, so there is no reader for the lines.
            put.close()
            return
        except CancelledError:
            # It ends, as it does when a line is refused.
            return
