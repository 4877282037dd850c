"""A browser of the client's blocking form."""

from collections.abc import Callable, Iterator
from functools import partial
from types import TracebackType
from typing import Self

from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.message import Message
from lastvalue.client.receiver import Browser as AsyncBrowser


class Browser:
    """A queue's messages in order, which stay on the queue; an iterator and a context manager."""

    def __init__(self, browser: AsyncBrowser, thread: LoopThread, prefetch: int) -> None:
        self.queue = browser.queue
        self._browser = browser
        self._thread = thread
        self._most = max(1, prefetch // 2)
        self._batch: Iterator[Message] = iter(())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Message:
        for message in self._batch:
            return message
        self._batch = iter(self._thread.run(self._browser.batch(self._most)))
        return next(self._batch)

    def change_pace(self, *, rate: float | None = None, interval_ms: int | None = None) -> None:
        """Change the pace of a browser that watches; see `client.Browser.change_pace`."""
        self._thread.run(_done(partial(self._browser.change_pace, rate=rate, interval_ms=interval_ms)))

    def ask_full_values(self) -> None:
        """Ask for each key's next value, whole; see `client.Browser.ask_full_values`."""
        self._thread.run(_done(self._browser.ask_full_values))

    def close(self) -> None:
        """Detach. Closing twice does nothing."""
        if self._thread.is_running:
            self._thread.call(self._browser.close)


async def _done(action: Callable[[], None]) -> None:
    action()
