"""Sums over all queues, and when something happened on each of them last."""

from collections.abc import Mapping
from typing import final

from mypy_extensions import i64

from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.statistics.aged_keys import AgedKeys
from lastvalue.broker.statistics.statistic import QMF_QUEUE
from lastvalue.broker.statistics.top_talkers import TopTalkers
from lastvalue.queues.effects import Effect, Reason


@final
class QueueStatistics(Observer):
    """Sums over all queues, and when something happened on each last.

    Attributes:
        aged_keys: watches how old values are, on the queues that ask for it.
        top_talkers: counts which keys are updated most, on the queues that ask for it.
        abandoned: messages that were deleted with their queues.
        abandoned_to_alternate: those that went to an alternate instead.
    """

    __slots__ = ("_deleted", "_queues", "abandoned", "abandoned_to_alternate", "aged_keys", "top_talkers")

    def __init__(self, queues: Mapping[str, HostedQueue]) -> None:
        self._queues = queues
        self._deleted: dict[str, int] = dict.fromkeys(QMF_QUEUE, 0)
        self.aged_keys = AgedKeys()
        self.top_talkers = TopTalkers()
        self.abandoned = 0
        self.abandoned_to_alternate = 0

    @property
    def observers(self) -> tuple[Observer, ...]:
        """All that observes for statistics, this first."""
        return (self, self.aged_keys, self.top_talkers)

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
