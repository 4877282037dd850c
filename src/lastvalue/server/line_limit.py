"""Limits the lines of the log, by event and peer, so that a scan does not fill the disk."""

import logging
import time
from collections.abc import Callable
from typing import Final

from lastvalue.model.peer_host import network_of, peer_host
from lastvalue.model.rate_limit import RateLimit
from lastvalue.server.log_events import AUDIT_DONE, LOG_LEFT_OUT, LogEvent

PER_PEER: Final = 60
"""Lines of an event about a peer in a minute; all of them may come at once after a quiet one."""

PER_EVENT: Final = 600
"""Lines of an event in a minute, whatever peers they are about."""

_PERIOD_MS: Final = 60_000
_MOST_PEERS: Final = 256
"""Peers whose left out lines are counted separately."""

_UNLIMITED: Final = (AUDIT_DONE.name, LOG_LEFT_OUT.name)


class LineLimit(logging.Filter):
    """Leaves lines out that exceed the rate of their event, and counts them.

    An audit would be worth nothing with holes: what was done is never left out.

    Args:
        now_ms: a time that runs evenly.
    """

    def __init__(self, now_ms: Callable[[], int] | None = None) -> None:
        super().__init__()
        self._now_ms = now_ms or _monotonic_ms
        self._peers = RateLimit(PER_PEER, _PERIOD_MS)
        self._events = RateLimit(PER_EVENT, _PERIOD_MS)
        self._left_out: dict[tuple[str, str], int] = {}
        self._reported_ms = self._now_ms()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record becomes a line."""
        event = getattr(record, "event", None)
        name = event.name if isinstance(event, LogEvent) else record.name
        if name in _UNLIMITED:
            return True
        peer = network_of(peer_host(getattr(record, "fields", {}).get("peer", "")))
        now_ms = self._now_ms()
        key = f"{name} {peer}"
        if self._peers.allows(key, now_ms) and self._events.allows(name, now_ms):
            self._peers.count(key, now_ms)
            self._events.count(name, now_ms)
            return True
        known = (name, peer)
        if known not in self._left_out and len(self._left_out) >= _MOST_PEERS:
            known = (name, "others")
        self._left_out[known] = self._left_out.get(known, 0) + 1
        return False

    def look(self) -> None:
        """Log what was left out, once a minute."""
        if self._now_ms() - self._reported_ms >= _PERIOD_MS:
            self.tell()

    def tell(self) -> None:
        """Log how many lines were left out since the last time."""
        self._reported_ms = self._now_ms()
        left_out, self._left_out = self._left_out, {}
        for (event, peer), lines in left_out.items():
            LOG_LEFT_OUT.log(of=event, peer=peer or None, lines=lines)


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000
