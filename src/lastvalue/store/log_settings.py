"""The settings of a store in a replicated log."""

from asyncio import AbstractEventLoop, new_event_loop
from collections.abc import Callable
from dataclasses import dataclass, field

from lastvalue.store.log_address import LogAddress
from lastvalue.store.store_journal import StoreOptions


@dataclass(frozen=True)
class LogSettings:
    """Where the log is, and how it is kept.

    Attributes:
        replicas: of a stream that is made.
        lease_ms: for how long after its last answered append a broker serves.
        monitors: the monitoring addresses of the servers, which tell when they sync.
        must_sync: do not start unless the servers surely sync what they confirm.
        advertise: where clients reach this broker: HOST:PORT, or "" while that is not known.
        event_loop: makes the loop of the thread that writes and reads the log.
    """

    address: LogAddress
    options: StoreOptions = field(default_factory=StoreOptions)
    replicas: int = 3
    lease_ms: int = 10_000
    monitors: tuple[str, ...] = ()
    must_sync: bool = False
    advertise: str = ""
    event_loop: Callable[[], AbstractEventLoop] = field(default=new_event_loop, compare=False)
