"""The process of a server, as `$management` shows it."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from lastvalue import __version__
from lastvalue.broker.administration.broker_process import BrokerProcess
from lastvalue.server.build import is_compiled
from lastvalue.server.memory_and_disk import resident_bytes
from lastvalue.store.batch_log import SYNC_BOUNDS_MS
from lastvalue.store.store_journal import StoreJournal

LOOKS_EVERY_S: Final = 1.0
_DESCRIPTORS: Final = Path("/proc/self/fd")


class ServerProcess(BrokerProcess):
    """What the server's process knows; from `start` to `close` it measures how late the event loop is.

    Args:
        journal: returns that of the store, or None if messages are kept in memory alone.
        free_bytes: returns what is free on the store's file system.
        memory_limit: returns the limit of memory in bytes; 0 is none.
        others: returns what else the server knows, by the names of PROCESS.
    """

    def __init__(
        self,
        journal: Callable[[], StoreJournal | None],
        free_bytes: Callable[[], int],
        memory_limit: Callable[[], int],
        others: Callable[[], dict[str, Any]] = dict,
    ) -> None:
        self._journal = journal
        self._free_bytes = free_bytes
        self._memory_limit = memory_limit
        self._others = others
        self._started_ms = 0
        self._lag_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self, now_ms: int) -> None:
        """The server listens."""
        self._started_ms = now_ms
        self._look_later(asyncio.get_running_loop())

    def close(self) -> None:
        """Stop measuring."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def statistics(self) -> dict[str, Any]:
        """See BrokerProcess."""
        shown: dict[str, Any] = {
            "version": __version__,
            "compiled": is_compiled(),
            "started_ms": self._started_ms,
            "memory_limit_bytes": self._memory_limit(),
            "event_loop_lag_ms": round(self._lag_s * 1000),
            "resident_bytes": resident_bytes(),
            "cpu_ms": round(time.process_time() * 1000),
            "descriptors": len(list(_DESCRIPTORS.iterdir())) if _DESCRIPTORS.exists() else 0,
            **self._others(),
        }
        journal = self._journal()
        if journal is not None:
            sizes, syncs = journal.segment_bytes.values(), journal.syncs
            shown |= {
                "store_free_bytes": self._free_bytes(),
                "store_bytes": sum(sizes),
                "store_live_bytes": journal.live_bytes,
                "store_segments": len(sizes),
                "store_waiting_bytes": journal.waiting_bytes,
                "store_write_failures": journal.write_failures,
                "store_syncs": syncs.count,
                "store_sync_ms": round(syncs.total_s * 1000),
                "store_last_sync_ms": round(syncs.last_s * 1000, 3),
                "store_syncs_within": dict(zip(map(str, SYNC_BOUNDS_MS), syncs.within, strict=True)),
            }
        return shown

    def _look_later(self, loop: asyncio.AbstractEventLoop) -> None:
        due_s = loop.time() + LOOKS_EVERY_S
        self._timer = loop.call_at(due_s, self._look, loop, due_s)

    def _look(self, loop: asyncio.AbstractEventLoop, due_s: float) -> None:
        self._lag_s = max(0.0, loop.time() - due_s)
        self._look_later(loop)
