"""The settings of a store in a replicated log."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lastvalue.store.log_address import LogAddress
from lastvalue.store.store_options import StoreOptions

T = TypeVar("T")


class LogThread:
    """Runs an event loop in a thread, until `stop`.

    Args:
        make_loop: makes the loop.

    Attributes:
        loop: it.
    """

    def __init__(self, make_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop) -> None:
        self.loop = make_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="lastvalue-log", daemon=True)
        self._thread.start()

    def wait_for(self, steps: Coroutine[Any, Any, T]) -> T:
        """Let the thread run a coroutine; another thread waits for its result."""
        return asyncio.run_coroutine_threadsafe(steps, self.loop).result()

    def stop(self) -> None:
        """End the thread."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


@dataclass(frozen=True)
class LogSettings:
    """Where the log is, and how it is kept.

    Attributes:
        replicas: of a stream that is made.
        lease_ms: for how long after its last answered append a broker serves.
        monitors: the monitoring addresses of the servers, which tell when they sync.
        must_sync: do not start unless the servers surely sync what they confirm.
        advertise: where clients reach this broker: HOST:PORT, or "" while that is not known.
        thread: begins the thread that writes and reads the log.
        stream: makes the connection to the stream, in place of `lastvalue.cluster.jetstream.JetStream`.
    """

    address: LogAddress
    options: StoreOptions = field(default_factory=StoreOptions)
    replicas: int = 3
    lease_ms: int = 10_000
    monitors: tuple[str, ...] = ()
    must_sync: bool = False
    advertise: str = ""
    thread: Callable[[], LogThread] = field(default=LogThread, compare=False)
    stream: Callable[..., Any] | None = field(default=None, compare=False)
