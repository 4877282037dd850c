"""Readers of the client's blocking form: what all of them do, and browsers."""

from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.message import Message
from lastvalue.client.receiver import Browser as AsyncBrowser

T = TypeVar("T")


class Reader(Generic[T]):
    """What a reader gets, one by one; an iterator and a context manager.

    Args:
        batch: gets the next ones from the queue, at least one and at most this many; none at the end.
        detach: detaches.
        ahead: how many may be on their way; they cross between the threads in batches of half as many.
    """

    def __init__(
        self,
        queue: str,
        batch: Callable[[int], Coroutine[Any, Any, list[T]]],
        detach: Callable[[], None],
        thread: LoopThread,
        ahead: int,
    ) -> None:
        self.queue = queue
        self._next_batch = batch
        self._detach = detach
        self._loop_thread = thread
        self._most = max(1, ahead // 2)
        self._batch: Iterator[T] = iter(())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        for each in self._batch:
            return each
        self._batch = iter(self._loop_thread.run(self._next_batch(self._most)))
        return next(self._batch)

    def close(self) -> None:
        """Detach; unsettled messages return to their places. Closing twice does nothing."""
        if self._loop_thread.is_running:
            self._loop_thread.call(self._detach)


class Browser(Reader[Message]):
    """A queue's messages in order, which stay on the queue; an iterator and a context manager."""

    def __init__(self, browser: AsyncBrowser, thread: LoopThread, prefetch: int) -> None:
        super().__init__(browser.queue, browser.batch, browser.close, thread, prefetch)
        self._browser = browser

    def change_pace(self, *, rate: float | None = None, interval_ms: int | None = None) -> None:
        """Change the pace of a browser that watches; see `client.Browser.change_pace`."""
        self._loop_thread.run_function(partial(self._browser.change_pace, rate=rate, interval_ms=interval_ms))

    def ask_full_values(self) -> None:
        """Ask for each key's next value, whole; see `client.Browser.ask_full_values`."""
        self._loop_thread.run_function(self._browser.ask_full_values)
