"""A watcher of the client's blocking form."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from types import TracebackType
from typing import Final, Self, final

from lastvalue.client.calls_blocking import WatcherCalls
from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.message import Message
from lastvalue.client.values import Key
from lastvalue.client.watched_values import Change, WatchedValues
from lastvalue.client.watcher import Watcher as AsyncWatcher

CHUNK: Final = 100
"""Changes that come from the loop's thread together."""


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
        watched = self._watcher.watched
        self._thread.run_function(watched.tell_all)
        while True:
            changed = iter(self._thread.run(self._watcher.changed()).items())
            # Few at once, as a change is the newest of its key when it crosses between the threads.
            while some := list(islice(changed, CHUNK)):
                yield from self._thread.run_function(partial(_changes_of, watched, some))


def _changes_of(watched: WatchedValues, changed: list[tuple[Key, str | None]]) -> list[Change]:
    return [watched.change_of(key, reason) for key, reason in changed]
