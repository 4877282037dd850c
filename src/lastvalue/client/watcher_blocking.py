"""A watcher of the client's blocking form."""

from collections.abc import AsyncIterator, Iterator, Mapping
from types import TracebackType
from typing import Self, final

from lastvalue.client.calls_blocking import WatcherCalls
from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.message import Message
from lastvalue.client.values import Key
from lastvalue.client.watcher import Change
from lastvalue.client.watcher import Watcher as AsyncWatcher


@final
class Watcher(WatcherCalls, Mapping[Key, Message]):
    """The values of the keys that it watches; a context manager, which runs until it is left.

    See `client.Watcher`. It lives no longer than the connection that made it.
    """

    def __init__(self, watcher: AsyncWatcher, thread: LoopThread) -> None:
        super().__init__(watcher, thread)
        self.queue = watcher.queue

    def __enter__(self) -> Self:
        self._thread.run(self._watcher.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread.is_running:
            self._thread.run(self._watcher.__aexit__(kind, error, trace))

    def __getitem__(self, key: Key) -> Message:
        return self._watcher[key]

    def __iter__(self) -> Iterator[Key]:
        # A copy, as the loop's thread changes the mapping meanwhile.
        return iter(list(self._watcher))

    def __len__(self) -> int:
        return len(self._watcher)

    def changes(self) -> Iterator[Change]:
        """The values, then each change of a key; see `client.Watcher.changes`."""
        changes = self._watcher.changes()
        while True:
            yield self._thread.run(_next(changes))


async def _next(changes: AsyncIterator[Change]) -> Change:
    return await anext(changes)
