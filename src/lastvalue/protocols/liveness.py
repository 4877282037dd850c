"""Timeouts of a connection, and its heartbeats [1.0 §2.4.5]."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.message import NEVER

MIN_IDLE_TIMEOUT_MS: Final = 20
"""The shortest idle timeout, in milliseconds, that a peer may ask for."""


@final
class Liveness:
    """The times at which a connection has something to do."""

    __slots__ = (
        "_close_after_ms",
        "_closing",
        "_closing_since",
        "_heard",
        "_heartbeat_ms",
        "_idle_ms",
        "_next_heartbeat",
        "_open_by",
        "_opened",
        "_wrote",
    )

    def __init__(self, idle_timeout_ms: i64, open_timeout_ms: i64, close_timeout_ms: i64, now: i64) -> None:
        self._idle_ms: i64 = idle_timeout_ms
        self._close_after_ms: i64 = close_timeout_ms
        self._open_by: i64 = now + open_timeout_ms if open_timeout_ms > 0 else NEVER
        self._opened = False
        self._closing = False
        self._closing_since: i64 = NEVER
        self._heard: i64 = now
        self._heartbeat_ms: i64 = 0
        self._next_heartbeat: i64 = NEVER
        self._wrote = False

    def heard(self, now: i64) -> None:
        """Bytes came from the peer."""
        self._heard = now

    def wrote(self) -> None:
        """Bytes are written to the peer."""
        self._wrote = True

    def opened(self) -> None:
        """Both sides have opened."""
        self._opened = True

    def closing(self) -> None:
        """This side has closed; the next `overdue` starts the wait for the peer's close."""
        self._closing = True

    def keep_alive(self, idle_timeout_ms: i64) -> None:
        """Set how often the peer has to hear something."""
        # The check runs four times as often: two checks without output are half of the allowed time.
        self._heartbeat_ms = idle_timeout_ms // 4
        self._next_heartbeat = self._heard + self._heartbeat_ms

    def expect(self, idle_timeout_ms: i64) -> None:
        """Set how long the peer may be silent; 0 is without limit."""
        self._idle_ms = idle_timeout_ms

    def agree(self, heartbeat_ms: i64) -> None:
        """Both sides write something in every such time; a peer that is silent for two of them is overdue.

        This side writes in every half of it, as some clients (RabbitMQ's for Java, over Netty) wait no longer
        than the agreed time.
        """
        self._idle_ms = 2 * heartbeat_ms
        if heartbeat_ms > 0:
            self.keep_alive(heartbeat_ms)

    def next_deadline(self) -> i64:
        """The next time at which a check is due, or NEVER."""
        if self._closing:
            since = self._closing_since
            return self._heard if since == NEVER else since + self._close_after_ms
        if not self._opened:
            return self._open_by
        deadline = self._next_heartbeat
        if self._idle_ms > 0:
            deadline = min(deadline, self._heard + self._idle_ms)
        return deadline

    def overdue(self, now: i64) -> str | None:
        """The reason why the peer is too late, or None."""
        if self._closing:
            if self._closing_since == NEVER:
                self._closing_since = now
            if now - self._closing_since >= self._close_after_ms:
                return "the peer did not answer the close in time"
        elif not self._opened:
            if self._open_by <= now:
                return "the connection did not open in time"
        elif 0 < self._idle_ms <= now - self._heard:
            return f"nothing was heard for {now - self._heard} ms"
        return None

    def heartbeat_due(self, now: i64) -> bool:
        """Whether a heartbeat is due: nothing was written since the last check."""
        if not self._opened or self._closing or now < self._next_heartbeat:
            return False
        due = not self._wrote
        self._wrote = False
        self._next_heartbeat = now + self._heartbeat_ms
        return due
