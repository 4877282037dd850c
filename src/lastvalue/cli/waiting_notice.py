"""Says what a command waits for, where it would be silent."""

import asyncio
import contextlib
import time
from typing import Final, Self

from lastvalue.cli.exits import confirm
from lastvalue.client import Connection
from lastvalue.model.errors import LastvalueError

SILENCE_S: Final = 2.0
"""How long a command may wait for the broker before it says so."""

_CAUSES: Final = {
    "memory": "the messages of all queues take more than its memory_limit",
    "store": "its disk is slow, or nearly full",
    "store-fault": "its store cannot be written",
    "queue": "the queue is full",
    "shutdown": "it is stopping",
}


class WaitingNotice:
    """Says once, on standard error, that the broker takes no messages, and why.

    Use it as an asynchronous context manager; `begin` and `end` say when the broker is waited for.
    """

    def __init__(self, connection: Connection, queue: str, silence_s: float = SILENCE_S) -> None:
        self._connection = connection
        self._queue = queue
        self._silence_s = silence_s
        self._since_s: float | None = None
        self._over = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._watching = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._over.set()
        if self._watching is not None:
            await self._watching

    def begin(self) -> None:
        """The broker is to take or confirm messages."""
        self._since_s = time.monotonic()

    def end(self) -> None:
        """It has done so."""
        self._since_s = None

    async def _watch(self) -> None:
        while self._since_s is None or time.monotonic() < self._since_s + self._silence_s:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), self._silence_s / 4)
                return
        confirm(
            f"waiting: the broker takes no messages for {self._queue!r}{await self._cause()}; "
            "`lastvalue producer list` shows who waits, and for what"
        )

    async def _cause(self) -> str:
        """Why, if the user may see that."""
        with contextlib.suppress(LastvalueError):
            for link in await self._connection.statistics("producer"):
                if link["node"] == self._queue and link["waits_for"]:
                    cause = str(link["waits_for"])
                    return f": {_CAUSES.get(cause, cause)}"
        return ""
