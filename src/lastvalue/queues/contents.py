"""What stands on one queue, and what is counted of it."""

from typing import final

from mypy_extensions import i64

from lastvalue.model.message import Message
from lastvalue.queues.effects import (
    REPLACED,
    STALE,
    Acquired,
    Added,
    Effect,
    Reason,
    Refused,
    Released,
    Removed,
)
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, REMOVED, Entry
from lastvalue.queues.expiry import Deadlines
from lastvalue.queues.orderings import Line
from lastvalue.queues.subscription import Berth, Held, let_go


@final
class Contents:
    """The line, the keys, the deadlines and the counts, changed together.

    Each method is one change, and the only place that counts it and leaves its effect in the outbox. So
    `published == depth + sum of removed` after each.

    Attributes:
        current: the entry that each key holds, acquired or not.
        depth: entries present; `available` those of them that stand in the line.
        depth_bytes: encoded size of what is present; `held_bytes` of what is acquired.
        sequence: the last sequence given.
        published, refused: messages taken, messages not taken.
    """

    __slots__ = (
        "_departed",
        "_outbox",
        "_removed",
        "_replaced",
        "_watched",
        "available",
        "current",
        "deadlines",
        "depth",
        "depth_bytes",
        "held_bytes",
        "line",
        "published",
        "refused",
        "sequence",
    )

    def __init__(self) -> None:
        self.line = Line()
        self.current: dict[bytes, Entry] = {}
        self.deadlines = Deadlines()
        self.depth: i64 = 0
        self.available: i64 = 0
        self.depth_bytes: i64 = 0
        self.held_bytes: i64 = 0
        self.sequence: i64 = 0
        self.published: i64 = 0
        self.refused: i64 = 0
        self._outbox: list[Effect] = []
        self._departed: list[tuple[Entry, Reason]] = []
        self._watched: frozenset[Reason] = frozenset()
        self._removed = [0] * len(Reason)
        self._replaced: i64 = 0

    def drain(self) -> list[Effect]:
        """The effects since the last call, oldest first."""
        effects = self._outbox
        self._outbox = []
        return effects

    def watch(self, reasons: frozenset[Reason]) -> None:
        """Note, from now on, which entries leave for these reasons; not for REPLACED and STALE."""
        self._watched = reasons

    def take_departed(self) -> list[tuple[Entry, Reason]]:
        """The entries that left for a watched reason since the last call, oldest first."""
        departed = self._departed
        self._departed = []
        return departed

    def removed(self, reason: Reason) -> int:
        """How many entries left for this reason."""
        return self._replaced if reason is REPLACED else self._removed[reason]

    def refuse(self, message: Message) -> None:
        """Count a message that is not taken."""
        self.refused += 1
        self._outbox.append(Refused(message))

    def add(self, entry: Entry, previous: Entry | None) -> Berth | None:
        """Put a new entry at the tail, for the one its key held; the browsers that have it to see."""
        self._count(entry)
        self.depth += 1
        self.depth_bytes += len(entry.message.encoded)
        if previous is not None:
            # The key of the entry that leaves serves on: one object a key, however many updates.
            entry.key = previous.key
            entry.updates += previous.updates
            self.remove(previous, REPLACED)
        key = entry.key
        if key is not None:
            self.current[key] = entry
        if entry.expires_ms >= 0:
            self.deadlines.add(entry)
        self.available += 1
        return self.line.append(entry)

    def pass_by(self, entry: Entry) -> None:
        """Take an entry that is stale: it has a sequence and leaves before anybody sees it."""
        self._count(entry)
        entry.state = REMOVED
        self._removed[STALE] += 1
        self._outbox.append(Removed(entry, STALE))

    def _count(self, entry: Entry) -> None:
        self.sequence = entry.sequence
        self.published += 1
        self._outbox.append(Added(entry))

    def hold(self, entry: Entry, held: Held, holder: i64) -> None:
        """Move an available entry from the line to its consumer."""
        self.line.unlink(entry)
        held.add(entry)
        entry.state = ACQUIRED
        entry.holder = holder
        self.available -= 1
        self.held_bytes += len(entry.message.encoded)
        self._outbox.append(Acquired(entry, holder))

    def put_back(self, entry: Entry, delivery_count: i64) -> Berth | None:
        """Move an acquired entry back to its place in the line; the browsers that have it to see now."""
        let_go(entry)
        entry.state = AVAILABLE
        entry.holder = 0
        entry.delivery_count = delivery_count
        self.available += 1
        self.held_bytes -= len(entry.message.encoded)
        self._outbox.append(Released(entry, delivery_count))
        return self.line.insert(entry)

    def remove(self, entry: Entry, reason: Reason) -> None:
        """Take an entry out, available or acquired."""
        size_bytes: i64 = len(entry.message.encoded)
        if entry.state == AVAILABLE:
            self.line.unlink(entry)
            self.available -= 1
        else:
            let_go(entry)
            entry.holder = 0
            self.held_bytes -= size_bytes
        entry.state = REMOVED
        self.depth -= 1
        self.depth_bytes -= size_bytes
        if entry.expires_ms >= 0:
            self.deadlines.forget()
        self._outbox.append(Removed(entry, reason))
        if reason is REPLACED:
            self._replaced += 1  # hot: counting by an enum's index costs as much as the unlinking
            return
        self._removed[reason] += 1
        if self._watched and reason in self._watched:
            self._departed.append((entry, reason))
        key = entry.key
        if key is not None and self.current.get(key) is entry:
            del self.current[key]
