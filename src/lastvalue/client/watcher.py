"""A mapping of a last-value queue's keys to their values that is kept current, also over lost connections."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, final

from lastvalue.client.errors import NotOpenError, RefusedError, TimedOutError, again
from lastvalue.client.message import Message
from lastvalue.client.queue import Queue
from lastvalue.client.queue_info import QueueInfo
from lastvalue.client.timeouts import within_timeout
from lastvalue.client.values import Key
from lastvalue.client.wanted import Wanted, WatchOptions
from lastvalue.client.watched_tables import needed, watched_table
from lastvalue.client.watched_values import Change, WatchedValues
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError


@final
class Watcher(Mapping[Key, Message]):
    """The values of the keys that it watches; an async context manager, which runs until it is left.

    Where its connection is lost, and made again, it continues where it was: nothing is missed, and nothing
    comes twice. Until then it has the values that it had; `stale_for_s` says how long.

    Attributes:
        queue: the queue's name.
        watched: the values, for who tells changes in another way than `changes`.
    """

    def __init__(self, queue: Queue, wanted: Wanted, on_change: Callable[[Change], None] | None) -> None:
        self.queue = queue.name
        self._queue = queue
        self._wanted = wanted
        self.watched = WatchedValues(on_change)
        self._values = self.watched.values
        self._complete = asyncio.Event()
        self._news = asyncio.Event()
        self._failure: BaseException | None = None
        self._stale_since_s: float | None = time.monotonic()
        self._task: asyncio.Task[None] | None = None
        self._has_begun = False

    async def __aenter__(self) -> Self:
        if self._has_begun:
            raise NotOpenError("a watcher runs once; watch again")
        self._has_begun = True
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Its frames refer to this.
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    # ---- the mapping

    def __getitem__(self, key: Key) -> Message:
        return self._values[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def to_arrow(self) -> Any:
        """The values now as a `pyarrow.Table`, a row for each key; see `watched_tables`.

        Raises:
            ModuleNotFoundError: pyarrow is not installed.
        """
        return watched_table(self._values)

    def to_pandas(self) -> Any:
        """The values now as a `pandas.DataFrame`, with the columns of `to_arrow`.

        Raises:
            ModuleNotFoundError: pyarrow or pandas is not installed.
        """
        needed("pandas", "to_pandas()")
        return watched_table(self._values, "to_pandas()").to_pandas()

    def to_polars(self) -> Any:
        """The values now as a `polars.DataFrame`, with the columns of `to_arrow`.

        Raises:
            ModuleNotFoundError: pyarrow or polars is not installed.
        """
        polars = needed("polars", "to_polars()")
        return polars.from_arrow(watched_table(self._values, "to_polars()"))

    @property
    def stale_for_s(self) -> float | None:
        """For how many seconds the values may be out of date; None while the broker tells each change."""
        since_s = self._stale_since_s
        return None if since_s is None else time.monotonic() - since_s

    async def complete(self, timeout_s: float | None = 10.0) -> None:
        """Wait until all values are there, or again all that has changed since the connection was lost.

        Raises:
            TimedOutError: that took longer.
            LastvalueError, ValueError: the watcher has ended, for this reason.
        """
        async with within_timeout(timeout_s, f"waiting for the values of {self.queue!r}"):
            await self._complete.wait()
        self._check()

    async def changes(self) -> AsyncIterator[Change]:
        """The values that are there, then each change of a key; of one that changes often only the newest.

        One reader at a time: what it has taken is gone.

        Raises:
            LastvalueError, ValueError: the watcher has ended, for this reason.
        """
        self.watched.tell_all()
        while True:
            for key, reason in (await self.changed()).items():
                yield self.watched.change_of(key, reason)

    async def changed(self) -> dict[Key, str | None]:
        """Wait until keys have changed; they are those of `WatchedValues.take_changed`.

        Raises:
            LastvalueError, ValueError: the watcher has ended, for this reason.
        """
        while not (changed := self.watched.take_changed()):
            self._check()
            self._news.clear()
            await self._news.wait()
        return changed

    def _check(self) -> None:
        if self._failure is not None:
            raise again(self._failure)

    # ---- the connection

    async def _run(self) -> None:
        try:
            await self._watch()
        except (LastvalueError, ValueError) as error:
            self._failure = again(error)
        except asyncio.CancelledError:
            self._failure = NotOpenError("the watcher is closed")
            raise
        finally:
            self._stale_since_s = self._stale_since_s or time.monotonic()
            self._complete.set()
            self._news.set()

    async def _watch(self) -> None:
        asked = self._wanted.watch or WatchOptions()
        key_property = (await self._info()).options.get("lvq_key") or asked.conflate
        if not isinstance(key_property, str):
            what = f"watching {self.queue!r}"
            raise RefusedError(what, Condition.PRECONDITION_FAILED.amqp10, "the queue has no keys")
        browser = self._queue.browse(follow=True, wanted=self._wanted)
        browser.inbox.on_interrupted = self._interrupted
        async with browser:
            while messages := await browser.batch():
                self.watched.take(messages, key_property)
                if self.watched.complete and not self._complete.is_set():
                    self._stale_since_s = None
                    self._complete.set()
                self._news.set()

    async def _info(self) -> QueueInfo:
        """What the queue is; the broker may be silent for long, `complete` says how long one waits."""
        while True:
            with suppress(TimedOutError):
                return await self._queue.info()

    def _interrupted(self) -> None:
        """The connection is lost: the browser continues with its token when it is back."""
        self._stale_since_s = self._stale_since_s or time.monotonic()
        self._complete.clear()
        self.watched.interrupted()
