"""One watch of a queue for all followers who have the same rights and ask for the same.

The broker sends each change once, it becomes an event once, and each follower takes the newest events when it
has read those before. A watch whose values take too much memory is not shared: `SharedWatch.is_shared`.
"""

import asyncio
import math
import sys
from collections.abc import AsyncGenerator, Callable, Hashable, Iterator
from contextlib import aclosing, contextmanager
from http import HTTPStatus
from typing import Final

from lastvalue.http.follow_events import FollowBatch, FollowEvent, follow_event, snapshot_end
from lastvalue.http.problems import Problem
from lastvalue.http.value_log import ValueLog

MOST_BYTES: Final = 32 * 1024 * 1024
"""So much memory may the values of one shared watch take."""

MOST_BYTES_TOGETHER: Final = 256 * 1024 * 1024
LINGER_S: Final = 5.0
"""For so long a watch continues without followers: one who has lost its connection comes back."""

BATCH_BYTES: Final = 16 * 1024
"""What a follower is given at once; what it has not read when a newer value comes is an old one."""

SHOWN_EACH_S: Final = 0.0002
"""A watch shows what is new after so much time for each follower: sending takes time, and who comes or
asks for something else has to be served meanwhile. Conflation continues."""

_MOST_BATCHES: Final = 256

_STOPPED: Final = Problem(HTTPStatus.SERVICE_UNAVAILABLE, "the gateway stops")

Source = Callable[[], AsyncGenerator[list[FollowEvent]]]


class SharedWatch:
    """A watch, and the newest events of its keys.

    Attributes:
        is_shared: whether followers can follow it; else each needs a watch of its own.
        followers: how many do.
    """

    def __init__(self, watches: "SharedWatches", source: Source) -> None:
        self.is_shared = True
        self.followers = 0
        self._watches = watches
        self._log = ValueLog()
        self._is_complete = False
        self._sequence: int | None = None
        self._token: str | None = None
        self._failure: BaseException | None = None
        # Followers are shown what came up to this place of the log.
        self._shown = 0
        self._shown_s = -math.inf
        self._showing: asyncio.TimerHandle | None = None
        self._news = asyncio.Event()
        self._batches: dict[tuple[int, int, bool, bool], tuple[FollowBatch, int]] = {}
        self._task = asyncio.ensure_future(self._run(source()))
        self._task.add_done_callback(self._ended)

    @property
    def size_bytes(self) -> int:
        """What its values take in memory."""
        return self._log.size_bytes if self.is_shared else 0

    @property
    def has_ended(self) -> bool:
        """Whether nothing comes any more."""
        return self._task.done()

    def knows(self, token: str) -> bool:
        """Whether a follower can continue after a token."""
        return self._is_complete and self._log.place_of(token) is not None

    async def follow(self, token: str | None) -> AsyncGenerator[FollowBatch]:
        """What a follower gets; it ends when the watch is not shared any more.

        Raises:
            LastvalueError, Problem: the watch has ended, for this reason.
        """
        begins_anew = False
        while self.is_shared:
            while not self._is_complete and self.is_shared:
                await self._change()
            log = self._log
            place = log.place_of(token)
            # Who has values must not continue from within a snapshot: it would keep what is not in that.
            withheld = place is None and (token is not None or begins_anew)
            async for batch in self._follow_log(log, place, withheld=withheld):
                yield batch
            begins_anew = True
            if self.is_shared:
                yield FollowBatch([follow_event("snapshot-begin", {})])

    async def _follow_log(
        self, log: ValueLog, resumed_at: int | None, *, withheld: bool
    ) -> AsyncGenerator[FollowBatch]:
        """The values or what has changed, a marker, then changes; ends if the follower has to start over."""
        is_resumed = resumed_at is not None
        place, boundary = resumed_at or 0, log.end
        # Who has nothing yet needs no removals.
        while place < boundary and not self._is_lost(log, place if is_resumed else boundary):
            batch, place = self._batch(place, boundary, withheld=withheld, with_removals=is_resumed)
            if batch.events:
                yield batch
        if place < boundary or self._is_lost(log, boundary):
            return
        # What changed meanwhile has left its place, and may be of keys that the follower does not know.
        changed, place = log.after(boundary, log.end, sys.maxsize)
        marker = snapshot_end(self._sequence, self._token, resumed=is_resumed)
        for events in _divided(changed):
            yield FollowBatch([event.without_token() for event in events] if withheld else events)
        if self._is_lost(log, place):
            return
        yield FollowBatch([marker])
        while not self._is_lost(log, place):
            if place >= self._shown:
                await self._change()
                continue
            batch, place = self._batch(place, self._shown, withheld=False, with_removals=True)
            if batch.events:
                yield batch

    def _is_lost(self, log: ValueLog, place: int) -> bool:
        return log is not self._log or place < log.forgotten or not self.is_shared

    def _batch(
        self, place: int, upto: int, *, withheld: bool, with_removals: bool
    ) -> tuple[FollowBatch, int]:
        """What comes after a place; followers at the same place get the same."""
        asked = (place, upto, withheld, with_removals)
        if (made := self._batches.get(asked)) is None:
            if len(self._batches) >= _MOST_BATCHES:
                self._batches.clear()
            events, next_place = self._log.after(place, upto, BATCH_BYTES)
            if not with_removals:
                events = [event for event in events if event.kind != "removed"]
            if withheld:
                events = [event.without_token() for event in events]
            made = self._batches[asked] = FollowBatch(events), next_place
        return made

    async def _change(self) -> None:
        """Wait until there is something new.

        Raises:
            LastvalueError, Problem: the watch has ended.
        """
        if self._failure is not None:
            raise self._failure
        await self._news.wait()
        if self._failure is not None:
            raise self._failure

    async def _run(self, source: AsyncGenerator[list[FollowEvent]]) -> None:
        async with aclosing(source):
            async for events in source:
                for event in events:
                    self._take(event)
                if self._watches.are_too_large(self):
                    break
                self._show_later()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._failure = _STOPPED if task.cancelled() else task.exception()
        if self._failure is None:
            self.is_shared = False
            self._log = ValueLog()
        self._show()

    def _take(self, event: FollowEvent) -> None:
        if event.kind == "snapshot-begin":
            self._log = ValueLog()
            self._shown = 0
            self._is_complete = False
        elif event.kind == "snapshot-end":
            self._is_complete = True
            self._log.complete(event)
            self._passed(event)
        else:
            self._log.put(event)
            self._passed(event)

    def _passed(self, event: FollowEvent) -> None:
        self._token = event.token
        if event.sequence is not None:
            self._sequence = event.sequence

    def _show_later(self) -> None:
        if self._showing is None:
            loop = asyncio.get_running_loop()
            due_s = self._shown_s + SHOWN_EACH_S * self.followers
            self._showing = loop.call_at(max(due_s, loop.time()), self._show)

    def _show(self) -> None:
        """Let followers have what is new."""
        if self._showing is not None:
            self._showing.cancel()
            self._showing = None
        self._shown, self._shown_s = self._log.end, asyncio.get_running_loop().time()
        self._batches.clear()
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def stop(self) -> None:
        """End it."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


def _divided(events: list[FollowEvent]) -> Iterator[list[FollowEvent]]:
    """The events in batches, as many as are to be sent together."""
    batch: list[FollowEvent] = []
    size = 0
    for event in events:
        batch.append(event)
        size += len(event.data)
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class SharedWatches:
    """The shared watches of a gateway, by what they show to whom."""

    def __init__(self) -> None:
        self._watches: dict[Hashable, SharedWatch] = {}
        self._ending: set[asyncio.Task[None]] = set()

    def knows(self, shown: Hashable, token: str) -> bool:
        """Whether there is a watch that shows this, with which a follower can continue after a token."""
        watch = self._watches.get(shown)
        return watch is not None and not watch.has_ended and watch.knows(token)

    @contextmanager
    def following(self, shown: Hashable, source: Source) -> Iterator[SharedWatch]:
        """The watch that shows this, for one more follower.

        Args:
            shown: to whom, which queue and what of it.
            source: opens the watch: lists of its events.
        """
        watch = self._watches.get(shown)
        if watch is None or (watch.has_ended and watch.is_shared):
            watch = self._watches[shown] = SharedWatch(self, source)
        watch.followers += 1
        try:
            yield watch
        finally:
            watch.followers -= 1
            if watch.followers == 0:
                asyncio.get_running_loop().call_later(LINGER_S, self._end_unused, shown, watch)

    def are_too_large(self, watch: SharedWatch) -> bool:
        """Whether a watch has grown so much that it cannot be shared."""
        together = sum(each.size_bytes for each in self._watches.values())
        return watch.size_bytes > MOST_BYTES or together > MOST_BYTES_TOGETHER

    async def close(self) -> None:
        """End all of them."""
        watches, self._watches = list(self._watches.values()), {}
        for watch in watches:
            await watch.stop()

    def _end_unused(self, shown: Hashable, watch: SharedWatch) -> None:
        if watch.followers == 0:
            if self._watches.get(shown) is watch:
                del self._watches[shown]
            task = asyncio.ensure_future(watch.stop())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
