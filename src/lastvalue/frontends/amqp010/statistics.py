"""What QMF tells of queues beyond what they count themselves: bytes, acquisitions, alerts."""

from collections.abc import Mapping
from typing import Final, assert_never, final

from mypy_extensions import i64

from lastvalue.model.message import Message
from lastvalue.queues.effects import (
    ACCEPTED,
    EXPIRED,
    OVERFLOW,
    REJECTED,
    REPLACED,
    STALE,
    Acquired,
    Added,
    Amended,
    Dismissed,
    Due,
    Effect,
    Identified,
    Reason,
    Reconfigured,
    Refused,
    Released,
    Removed,
    Scheduled,
    Superseded,
)

PURGED: Final = Reason.PURGED
DELETED: Final = Reason.DELETED


def size_of(message: Message) -> i64:
    """The bytes that a message is told to have: as it came over AMQP 0-10, or else as it is kept."""
    return message.told_bytes if message.told_bytes > 0 else len(message.encoded)


@final
class Alert:
    """Says when a depth goes up to a mark, and when it has gone down to a lower one after that."""

    __slots__ = ("_down", "_up", "raised")

    def __init__(self, up: i64, down: i64) -> None:
        self._up: i64 = up
        self._down: i64 = down
        self.raised = False

    def look(self, depth: i64) -> str:
        """Which way a mark was crossed: Upward, Downward, or nothing."""
        if not self.raised and self._up > 0 and depth >= self._up:
            self.raised = True
            return "Upward"
        if self.raised and depth <= self._down:
            self.raised = False
            return "Downward"
        return ""


@final
class Counters:
    """Counts of one queue, or of all.

    Attributes:
        added, removed: messages that came and that left; their bytes with `_bytes`.
        durable_added, durable_removed: those of them that are durable.
        committed_in, committed_out: those that came and left in transactions over AMQP 0-10.
    """

    __slots__ = (
        "acquires",
        "added",
        "added_bytes",
        "committed_in",
        "committed_in_bytes",
        "committed_out",
        "committed_out_bytes",
        "deleted",
        "durable_added",
        "durable_added_bytes",
        "durable_removed",
        "durable_removed_bytes",
        "expired",
        "overflowed",
        "purged",
        "refused",
        "rejected",
        "releases",
        "removed",
        "removed_bytes",
        "replaced",
        "rerouted",
    )

    def __init__(self) -> None:
        self.acquires: i64 = 0
        self.added: i64 = 0
        self.added_bytes: i64 = 0
        self.committed_in: i64 = 0
        self.committed_in_bytes: i64 = 0
        self.committed_out: i64 = 0
        self.committed_out_bytes: i64 = 0
        self.deleted: i64 = 0
        self.durable_added: i64 = 0
        self.durable_added_bytes: i64 = 0
        self.durable_removed: i64 = 0
        self.durable_removed_bytes: i64 = 0
        self.expired: i64 = 0
        self.overflowed: i64 = 0
        self.purged: i64 = 0
        self.refused: i64 = 0
        self.rejected: i64 = 0
        self.releases: i64 = 0
        self.removed: i64 = 0
        self.removed_bytes: i64 = 0
        self.replaced: i64 = 0
        self.rerouted: i64 = 0

    @property
    def depth(self) -> i64:
        """Messages present."""
        return self.added - self.removed

    @property
    def depth_bytes(self) -> i64:
        """Their bytes."""
        return self.added_bytes - self.removed_bytes

    def came(self, message: Message) -> None:
        """A message came."""
        self.gain(size_of(message), message.durable)

    def gain(self, size: i64, durable: bool) -> None:
        """A message of that size came."""
        self.added += 1
        self.added_bytes += size
        if durable:
            self.durable_added += 1
            self.durable_added_bytes += size

    def left(self, message: Message, reason: Reason) -> None:
        """A message left."""
        self.lose(size_of(message), message.durable, reason)

    def lose(self, size: i64, durable: bool, reason: Reason) -> None:
        """A message of that size left."""
        self.removed += 1
        self.removed_bytes += size
        if durable:
            self.durable_removed += 1
            self.durable_removed_bytes += size
        if reason is not ACCEPTED:
            self._discarded(reason)

    def _discarded(self, reason: Reason) -> None:
        if reason is REPLACED or reason is STALE:
            self.replaced += 1
        elif reason is EXPIRED:
            self.expired += 1
        elif reason is OVERFLOW:
            self.overflowed += 1
        elif reason is REJECTED:
            self.rejected += 1
        elif reason is PURGED:
            self.purged += 1
        elif reason is DELETED:
            self.deleted += 1

    def count(self, effect: Effect) -> bool:
        """Count what happened; whether it changed the depth."""
        if isinstance(effect, Added):
            self.came(effect.entry.message)
            return True
        if isinstance(effect, Removed):
            self.left(effect.entry.message, effect.reason)
            return True
        if isinstance(effect, Scheduled):
            self.came(effect.entry.message)
            return True
        if isinstance(effect, Acquired):
            self.acquires += 1
        elif isinstance(effect, Released):
            self.releases += 1
        elif isinstance(effect, Dismissed):
            self.came(effect.entry.message)
            self.left(effect.entry.message, effect.reason)
        elif isinstance(effect, Refused):
            self.refused += 1
        elif not isinstance(effect, (Due, Amended, Superseded, Reconfigured, Identified)):
            # Those are not counted.
            assert_never(effect)
        return False


@final
class QueueStatistics:
    """The counts of one queue and its alerts.

    Attributes:
        exceeds: it was declared with the older names of alerts: those are told by an event of their own, too.
    """

    __slots__ = ("count_alert", "counters", "exceeds", "size_alert")

    def __init__(self) -> None:
        self.counters = Counters()
        self.count_alert: Alert | None = None
        self.size_alert: Alert | None = None
        self.exceeds = False

    def set_alerts(self, arguments: Mapping[str, object]) -> None:
        """Raise alerts as the arguments of queue.declare say."""
        self.count_alert = _alert(arguments, "count")
        self.size_alert = _alert(arguments, "size")
        self.exceeds = any(name.startswith("x-qpid-maximum-message-") for name in arguments)

    def crossed(self) -> list[str]:
        """The marks that the depth has crossed."""
        found: list[str] = []
        if self.count_alert is not None:
            found.append(self.count_alert.look(self.counters.depth))
        if self.size_alert is not None:
            found.append(self.size_alert.look(self.counters.depth_bytes))
        return [each for each in found if each]


def _alert(arguments: Mapping[str, object], unit: str) -> Alert | None:
    """[Qpid C++] The lower mark is half of the upper one where it is not given."""
    up = 0
    for name in (f"qpid.alert_{unit}_up", f"qpid.alert_{unit}", f"x-qpid-maximum-message-{unit}"):
        up = up or _number(arguments.get(name))
    if up <= 0:
        return None
    down = _number(arguments.get(f"qpid.alert_{unit}_down"))
    return Alert(up, down if 0 < down < up else up // 2)


def _number(value: object) -> int:
    try:
        return int(str(value)) if value is not None else 0
    except ValueError:
        return 0
