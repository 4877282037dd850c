"""Entries that leave the queue unless a consumer takes them at once."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.message import NEVER
from lastvalue.queues.browsers import Browsers
from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import OVERFLOW
from lastvalue.queues.entry import AVAILABLE, Entry

SHORTEST_MS: Final = 1
"""The time to live that ends when the readers have been served: 0 in AMQP 0-9-1 and MQTT."""


@final
class PassingEntries:
    """Those of one queue that came since its readers were last served.

    [RabbitMQ] A message with a time to live of 0, or on a queue of length 0, goes to a consumer that can take
    it, or leaves.

    Attributes:
        request_pass: asks the owner to serve the readers, who then calls `end`; None if nobody does. Then an
            entry stays for its millisecond, and one of a queue that keeps nothing leaves as it comes.
        keeps_nothing: every entry of the queue is one of them.
        since_ms: when the first one came, or NEVER.
    """

    __slots__ = ("_browsers", "_contents", "_entries", "keeps_nothing", "request_pass", "since_ms")

    def __init__(self, contents: Contents, browsers: Browsers) -> None:
        self.request_pass: Callable[[], None] | None = None
        self.keeps_nothing = False
        self.since_ms: i64 = NEVER
        self._contents = contents
        self._browsers = browsers
        self._entries: list[Entry] = []

    def note(self, entry: Entry, now: i64) -> None:
        """Note an entry that came, or became available, if it is one that passes."""
        if (entry.lifetime_ms != SHORTEST_MS and not self.keeps_nothing) or entry.state != AVAILABLE:
            return
        if self.request_pass is None:
            if self.keeps_nothing:
                self._contents.drop(entry, OVERFLOW)
            return
        self._entries.append(entry)
        self.since_ms = min(self.since_ms, now)
        self.request_pass()

    def end(self) -> bool:
        """Remove the entries that nobody has taken, as all readers have been served; whether any had come."""
        if self.since_ms == NEVER:
            return False
        self._browsers.park_cursor()
        entries = self._entries
        self._entries = []
        self.since_ms = NEVER
        for entry in entries:
            if entry.state == AVAILABLE:
                if self.keeps_nothing:
                    self._contents.drop(entry, OVERFLOW)
                elif entry.lifetime_ms == SHORTEST_MS:
                    self._contents.remove_due(entry)
        return True
