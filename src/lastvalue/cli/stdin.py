"""Lines of standard input, read without blocking the event loop."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator

_CHUNK_SIZE_BYTES = 65536
_CHUNKS_AHEAD = 4


async def stdin_lines() -> AsyncIterator[str]:
    """Each line of standard input as soon as it comes, without its line end."""
    loop = asyncio.get_running_loop()
    chunks: asyncio.Queue[bytes] = asyncio.Queue(_CHUNKS_AHEAD)
    # A daemon thread reads the descriptor: an executor's thread or a lock on sys.stdin would block the exit.
    threading.Thread(target=_read, args=(loop, chunks), daemon=True).start()
    rest = b""
    while chunk := await chunks.get():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode(errors="replace")
    if rest:
        yield rest.decode(errors="replace")


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
