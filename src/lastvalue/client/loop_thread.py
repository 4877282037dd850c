"""An event loop in a daemon thread, for the blocking client."""

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final, Generic, TypeVar, final

from lastvalue.client.errors import NotOpenError
from lastvalue.model.errors import LastvalueError

T = TypeVar("T")
_LOOKS_EVERY_S: Final = 0.5
"""How often a thread that waits looks whether a signal has come."""


@final
class LoopThread:
    """A running event loop; any thread of the process that created it may use it."""

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._called: deque[Callable[[], object]] = deque()
        self._wakes = False
        self._runner = threading.Thread(target=self._loop.run_forever, name="lastvalue-client", daemon=True)
        self._runner.start()

    @property
    def is_running(self) -> bool:
        """Whether it was started by this process and not stopped."""
        return not self._loop.is_closed() and self._pid == os.getpid()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the loop and wait for its end; an interrupt cancels it.

        Raises:
            NotOpenError: the loop has been stopped, or belongs to another process.
        """
        if not self.is_running:
            coroutine.close()
            raise self._unusable()
        call = _Call(coroutine)
        try:
            self._loop.call_soon_threadsafe(call.begin)
            # A signal that comes just before the thread waits is looked at only when that has ended.
            while not call.ended.acquire(timeout=_LOOKS_EVERY_S):
                pass
        except BaseException:
            self._loop.call_soon_threadsafe(call.cancel)
            raise
        return call.result()

    def start(self, coroutine: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine in the loop without waiting for it; its exceptions are dropped.

        Raises:
            NotOpenError: the loop has been stopped, or belongs to another process.
        """
        if not self.is_running:
            coroutine.close()
            raise self._unusable()
        asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def run_function(self, function: Callable[[], T]) -> T:
        """As `run`, for a function, which must not wait."""
        return self.run(_called(function))

    def call(self, function: Callable[[], object]) -> None:
        """Let the loop call a function soon; a LastvalueError of it is dropped.

        So it is for what a link that has ended does not do any more: the next call for a message raises that.

        Raises:
            NotOpenError: the loop has been stopped, or belongs to another process.
        """
        if not self.is_running:
            raise self._unusable()
        self._called.append(function)
        # Waking the loop costs more than what is called: once is enough for all that it finds then.
        if not self._wakes:
            self._wakes = True
            self._loop.call_soon_threadsafe(self._call_all)

    def _call_all(self) -> None:
        # Before they are counted: for what is appended later the loop is woken again.
        self._wakes = False
        left = len(self._called)
        try:
            while left:
                with suppress(LastvalueError):
                    while left:
                        left -= 1
                        self._called.popleft()()
        finally:
            if left:
                # One has failed, which the loop reports.
                self._loop.call_soon(self._call_all)

    def stop(self) -> None:
        """Cancel the loop's tasks and end the loop and its thread. Stopping twice does nothing."""
        if self.is_running:
            self.run(_cancel_others())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._runner.join()
            self._loop.close()

    def _unusable(self) -> NotOpenError:
        if self._pid != os.getpid():
            return NotOpenError("a connection does not cross a fork; connect in the new process")
        return NotOpenError("the connection is closed")


@final
class _Call(Generic[T]):
    """A coroutine that a thread waits for.

    The future of `concurrent.futures` that asyncio offers for this has a condition, and another future that
    it is chained to.

    Attributes:
        ended: a lock that is free once the coroutine has ended.
    """

    __slots__ = ("_coroutine", "_tasks", "ended")

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self._coroutine = coroutine
        self._tasks: list[asyncio.Task[T]] = []
        self.ended = threading.Lock()
        self.ended.acquire()

    def begin(self) -> None:
        """Run it in the loop that calls this."""
        task = asyncio.get_running_loop().create_task(self._coroutine)
        self._tasks.append(task)
        task.add_done_callback(self._end)

    def cancel(self) -> None:
        """Cancel it; what it raises then concerns nobody."""
        for task in self._tasks:
            task.cancel()

    def result(self) -> T:
        """What it returned, once it has ended.

        Raises:
            NotOpenError: the loop is stopped.
        """
        task = self._tasks.pop()
        try:
            return task.result()
        except asyncio.CancelledError:
            raise NotOpenError("the connection is closed") from None
        finally:
            # What it raises refers to this frame.
            del task

    def _end(self, task: asyncio.Task[T]) -> None:
        if not task.cancelled():
            # The loop reports what nobody has looked at; the thread may not wait any more.
            task.exception()
        self.ended.release()


async def _called(function: Callable[[], T]) -> T:
    return function()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
