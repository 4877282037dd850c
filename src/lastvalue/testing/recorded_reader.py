"""What a reader of a queue got, and whether that is what a reader of current state must get."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from types import TracebackType
from typing import Final, Self

from lastvalue.client.connection import connect
from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.message import Message
from lastvalue.client.receiver import Browser
from lastvalue.client.wanted import Wanted
from lastvalue.model.errors import LastvalueError

CATCH_UP_TIMEOUT_S: Final = 10.0
_MOST_NAMED: Final = 3


class RecordedReader:
    """Follows a queue from its present messages on and records each delivery, until it is closed.

    Attributes:
        messages: what it got, in the order of delivery.
    """

    def __init__(self, url: str, queue: str, selector: str | None = None) -> None:
        """Begin to follow it.

        Raises:
            LastvalueError: there is no such broker or queue, or the selector is wrong.
        """
        self.messages: list[Message] = []
        self._queue = queue
        self._wanted = Wanted(selector=selector)
        self._connection = connect(url, reconnect=False)
        self._failure: LastvalueError | None = None
        self._changed = asyncio.Event()
        self._thread = LoopThread()
        try:
            self._thread.start(self._record(self._thread.run(self._open())))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop following; what it got stays. Closing twice does nothing."""
        if self._thread.is_running:
            self._thread.run(self._connection.close())
            self._thread.stop()

    def assert_newest_per_key(self, *, timeout_s: float = CATCH_UP_TIMEOUT_S) -> None:
        """Assert that it gets all messages that the queue has now: on a last-value queue the newest per key.

        Raises:
            AssertionError: some are missing after the time-out.
            LastvalueError: its connection or its link ended before.
        """
        self._thread.run(self._caught_up(timeout_s))

    def assert_nothing_twice(self) -> None:
        """Assert that it got no message twice.

        Raises:
            AssertionError: it did.
        """
        deliveries = Counter(message.sequence for message in self.messages)
        twice = [message for message in self.messages if deliveries[message.sequence] > 1]
        if twice:
            raise AssertionError(f"the reader of {self._queue!r} got twice: {_named(twice)}")

    async def _open(self) -> Browser:
        await self._connection.open()
        browser = self._connection.queue(self._queue).browse(follow=True, wanted=self._wanted)
        return await browser.__aenter__()

    async def _record(self, browser: Browser) -> None:
        try:
            async for message in browser:
                self.messages.append(message)
                self._changed.set()
        except LastvalueError as error:
            self._failure = error
            self._changed.set()

    async def _caught_up(self, timeout_s: float) -> None:
        present = self._connection.queue(self._queue).browse(wanted=self._wanted)
        missing = {message.sequence: message async for message in present}
        count = len(missing)
        try:
            async with asyncio.timeout(timeout_s):
                while True:
                    self._changed.clear()
                    for message in self.messages:
                        missing.pop(message.sequence, None)
                    if not missing:
                        return
                    if self._failure is not None:
                        raise self._failure
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(
                f"the reader of {self._queue!r} got {count - len(missing)} of the {count} messages that are "
                f"there within {timeout_s:g} s; missing: {_named(missing.values())}"
            ) from None


def _named(messages: Iterable[Message]) -> str:
    all_named = [f"{message.sequence} {dict(message.properties)} {message.body!r}" for message in messages]
    more = len(all_named) - _MOST_NAMED
    return "; ".join(all_named[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
