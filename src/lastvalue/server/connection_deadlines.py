"""When connections have something to do, in one heap with one timer of the event loop.

A timer of the loop for each connection would take half a kilobyte.
"""

import asyncio
from typing import Final

from lastvalue.broker.deadlines import Deadline, Deadlines
from lastvalue.model.message import NEVER
from lastvalue.server.clock import Clock

_AT_ONCE: Final = 64
"""This many connections do what is due in one go; the others follow in the next round of the loop."""


class ConnectionDeadlines:
    """The next deadline of each connection, on the running event loop.

    Args:
        clock: of the connections.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._deadlines = Deadlines()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms = NEVER

    def set(self, connection: Deadline, at_ms: int) -> None:
        """Call the connection's `fall_due` at this time, not at the one before; NEVER is not at all."""
        self._deadlines.set(connection, at_ms)
        # A deadline that has moved later is looked at when the timer fires.
        if at_ms < self._timer_ms:
            self._start_timer(at_ms)

    def _start_timer(self, at_ms: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_ms = at_ms
        self._timer = self._loop.call_later(max(0, at_ms - self._clock.now_ms()) / 1000, self._expire)

    def _expire(self) -> None:
        self._timer = None
        self._timer_ms = NEVER
        now = self._clock.now_ms()
        try:
            for _ in range(_AT_ONCE):
                due = self._deadlines.take_due(now, 1)
                if not due:
                    break
                due[0].fall_due(now)
        finally:
            # A fault of one connection is none of the others.
            next_ms = self._deadlines.next()
            if next_ms < self._timer_ms:
                self._start_timer(next_ms)

    def close(self) -> None:
        """Stop the timer; no deadline is set after that."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
