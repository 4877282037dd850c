"""How fast a reader gets messages."""

from mypy_extensions import i64

from lastvalue.model.message import NEVER


class Pace:
    """Allows a number of messages a second, or a look at what has changed once in an interval.

    A reader that may have nothing now is not asked until `due_ms`, so it costs nothing meanwhile, and the
    broker conflates. After a pause there is no burst.

    Attributes:
        due_ms: when it may have a message again, milliseconds since the epoch.
    """

    def __init__(self, rate: float, interval_ms: int) -> None:
        self.due_ms = 0
        self._rate = rate
        self._interval_ms = interval_ms
        self._since_ms = -NEVER
        self._sent = 0
        # With an interval: the last sequence that the present look may show.
        self.upto: int | None = None
        self._shown = False

    def change(self, rate: float, interval_ms: int) -> None:
        """Set another pace, from now on."""
        self._rate = rate
        self._interval_ms = interval_ms
        self._since_ms = -NEVER
        self.upto = None
        self.due_ms = 0

    def allows(self, now: i64) -> bool:
        """Whether the reader may have a message now."""
        return now >= self.due_ms

    def begin_look(self, sequence: int) -> None:
        """With an interval: begin a look at what has changed up to the queue's last sequence."""
        if self._interval_ms and self.upto is None:
            self.upto = sequence

    def sent(self, now: i64) -> None:
        """The reader gets a message."""
        if self._rate:
            spacing_ms = 1000 / self._rate
            if float(now - self._since_ms) > max(1000.0, spacing_ms) + self._sent * spacing_ms:
                self._since_ms = now
                self._sent = 0
            self._sent += 1
            self.due_ms = self._since_ms + int(self._sent * spacing_ms)
        self._shown = True

    def seen_all(self, now: i64) -> None:
        """With an interval: the look is over; the next one is an interval after its last message."""
        if self._interval_ms and self.upto is not None:
            self.upto = None
            if self._shown:
                self.due_ms = now + self._interval_ms
            self._shown = False
