"""Statistics: what is counted, each declared once.

A declaration is one entry of a table: its name, what it means, where it is counted, and the property of QMF
that shows it. `$management`, QMF and the documentation read the tables; nothing else counts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_counts import QueueCounts
from lastvalue.broker.reading import HostedQueue
from lastvalue.queues.contents import Contents
from lastvalue.queues.counts import Counts
from lastvalue.queues.effects import Effect, Reason
from lastvalue.queues.queue import Queue

_Subject = TypeVar("_Subject")


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Statistic(Generic[_Subject]):
    """One thing that is counted, or known.

    Attributes:
        name: by which `$management` shows it.
        meaning: what it is, for the documentation.
        read: reads it where it is counted.
        qmf: the property by which QMF shows it; "" is none.
    """

    name: str
    meaning: str
    read: Callable[[_Subject], Any]
    qmf: str = ""


def describe(subject: _Subject, table: tuple[Statistic[_Subject], ...]) -> dict[str, object]:
    """The statistics of a table, by name."""
    return {each.name: each.read(subject) for each in table}


def _queue(name: str, meaning: str, read: Callable[[Queue], int], qmf: str = "") -> Statistic[HostedQueue]:
    return Statistic(name, meaning, lambda hosted: read(hosted.queue), qmf)


def _contents(
    name: str, meaning: str, read: Callable[[Contents], int], qmf: str = ""
) -> Statistic[HostedQueue]:
    return Statistic(name, meaning, lambda hosted: read(hosted.queue.contents), qmf)


def _counts(name: str, meaning: str, read: Callable[[Counts], int], qmf: str = "") -> Statistic[HostedQueue]:
    return Statistic(name, meaning, lambda hosted: read(hosted.queue.contents.counts), qmf)


def _broker(
    name: str, meaning: str, read: Callable[[QueueCounts], int], qmf: str = ""
) -> Statistic[HostedQueue]:
    return Statistic(name, meaning, lambda hosted: read(hosted.counts), qmf)


def _left(name: str, meaning: str, qmf: str, *reasons: Reason) -> Statistic[HostedQueue]:
    return Statistic(
        name, meaning, lambda hosted: sum(hosted.queue.removed(reason) for reason in reasons), qmf
    )


QUEUE: Final[tuple[Statistic[HostedQueue], ...]] = (
    _queue("depth", "messages that it holds", lambda it: it.depth, "msgDepth"),
    _queue("depth_bytes", "the size of what it holds, as it is kept", lambda it: it.depth_bytes),
    _queue("available", "messages that a consumer could get", lambda it: it.available),
    _contents(
        "unsettled",
        "messages that consumers have and have not settled",
        lambda it: it.depth - it.available - it.held_back,
    ),
    _contents("delayed", "messages that may not be delivered yet", lambda it: it.held_back),
    _queue("subscriptions", "consumers and browsers", lambda it: len(it.subscriptions)),
    _queue("published", "messages that came", lambda it: it.published, "msgTotalEnqueues"),
    _counts("in_bytes", "the size of what came", lambda it: it.published_bytes, "byteTotalEnqueues"),
    _queue("left", "messages that left", lambda it: it.published - it.depth, "msgTotalDequeues"),
    _counts("left_bytes", "the size of what left", lambda it: it.removed_bytes, "byteTotalDequeues"),
    _counts(
        "held_bytes",
        "the size of what came and has not left, as producers count it",
        lambda it: it.published_bytes - it.removed_bytes,
        "byteDepth",
    ),
    _broker(
        "committed_in", "messages that transactions brought", lambda it: it.committed_in, "msgTxnEnqueues"
    ),
    _broker("committed_in_bytes", "their size", lambda it: it.committed_in_bytes, "byteTxnEnqueues"),
    _broker(
        "committed_out", "messages that transactions took", lambda it: it.committed_out, "msgTxnDequeues"
    ),
    _broker("committed_out_bytes", "their size", lambda it: it.committed_out_bytes, "byteTxnDequeues"),
    _counts("durable_in", "durable ones that came", lambda it: it.durable_published, "msgPersistEnqueues"),
    _counts("durable_in_bytes", "their size", lambda it: it.durable_published_bytes, "bytePersistEnqueues"),
    _counts("durable_out", "durable ones that left", lambda it: it.durable_removed, "msgPersistDequeues"),
    _counts("durable_out_bytes", "their size", lambda it: it.durable_removed_bytes, "bytePersistDequeues"),
    _counts("acquired", "how often a consumer got a message", lambda it: it.acquired, "acquires"),
    _counts("released", "how often a message came back from a consumer", lambda it: it.released, "releases"),
    _queue("refused", "messages that it did not take", lambda it: it.refused, "discardsOverflow"),
    _left("expired", "messages whose time was over", "discardsTtl", Reason.EXPIRED),
    _left("dropped", "messages that made room for newer ones", "discardsRing", Reason.OVERFLOW),
    _left(
        "conflated",
        "messages that a newer one of their key replaced, or came before",
        "discardsLvq",
        Reason.REPLACED,
        Reason.STALE,
    ),
    _left("rejected", "messages that a consumer rejected", "discardsSubscriber", Reason.REJECTED),
    _left("purged", "messages that a purge removed", "discardsPurge", Reason.PURGED),
    _broker("rerouted", "messages that management moved to an exchange", lambda it: it.rerouted, "reroutes"),
    _queue(
        "overtaken",
        "messages that a better one overtook while a consumer held them with others",
        lambda it: it.overtaken,
    ),
    _broker("last_in_ms", "when a message came last; 0 is never", lambda it: it.last_in_ms),
    _broker("last_out_ms", "when a message left last; 0 is never", lambda it: it.last_out_ms),
)
"""Of a queue, since the broker was started; what a store brought back counts as come."""

QMF_QUEUE: Final = {each.qmf: each.read for each in QUEUE if each.qmf}
"""How QMF's counts of a queue are read, by their properties."""


@final
class QueueStatistics(Observer):
    """Sums over all queues, and when something happened on each last.

    Attributes:
        abandoned: messages that were deleted with their queues.
        abandoned_to_alternate: those that went to an alternate instead.
    """

    __slots__ = ("_deleted", "_queues", "abandoned", "abandoned_to_alternate")

    def __init__(self, queues: Mapping[str, HostedQueue]) -> None:
        self._queues = queues
        self._deleted: dict[str, int] = dict.fromkeys(QMF_QUEUE, 0)
        self.abandoned = 0
        self.abandoned_to_alternate = 0

    def totals(self) -> dict[str, int]:
        """The sums of QMF's counts over all queues, those that are gone too; it reads every queue."""
        totals = dict(self._deleted)
        for hosted in self._queues.values():
            _add(totals, hosted)
        return totals

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer."""
        _add(self._deleted, hosted)
        count = hosted.queue.removed(Reason.DELETED)
        if hosted.queue.spec.alternate is None:
            self.abandoned += count
        else:
            self.abandoned_to_alternate += count

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """See Observer."""
        del effects
        hosted.counts.note_activity(hosted.queue, now)


def _add(totals: dict[str, int], hosted: HostedQueue) -> None:
    for name, read in QMF_QUEUE.items():
        totals[name] += read(hosted)
