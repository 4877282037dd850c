"""The consumers of one queue: which are served, what each may take, and which wait."""

import heapq
from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.message import NEVER
from lastvalue.queues.available_list import AvailableList
from lastvalue.queues.consumer_views import SWEEP_SIZE, ConsumerView
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import Readers
from lastvalue.queues.subscription import ANY, Subscription

MOST_OFFERED: Final = 200
"""How many entries a call offers a consumer with a selector: a few milliseconds, with costly selectors."""


@final
class Consumers:
    """The readers that acquire, in the order they came.

    Attributes:
        paused: no consumer is served.
    """

    __slots__ = (
        "_all",
        "_available_list",
        "_began_ms",
        "_first_waiting",
        "_grouped",
        "_live",
        "_open",
        "_readers",
        "_standby",
        "_views",
        "_waiting",
        "paused",
    )

    def __init__(self, available_list: AvailableList, readers: Readers, paused: bool) -> None:
        # The consumers for which there was no entry: the first of them, which mostly is the only one, and the
        # later ones by number.
        self._first_waiting: Subscription | None = None
        self._waiting: dict[int, Subscription] = {}
        self.paused = paused
        self._available_list = available_list
        self._readers = readers
        self._all: dict[int, Subscription] = {}
        self._live: i64 = 0
        # Those that are not served yet, with some that left: by priority, then by arrival.
        self._standby: list[tuple[int, int]] = []
        self._views: dict[int, ConsumerView] = {}
        self._grouped: ConsumerView | None = None
        self._began_ms: i64 = NEVER
        self._open = readers.before_dispatch == 0

    @property
    def number(self) -> int:
        """The number of consumers."""
        return len(self._all)

    def group(self) -> None:
        """Let every consumer take from a view, because messages have groups."""
        self._grouped = ConsumerView(ANY)
        self._available_list.add_view(self._grouped)

    def configure(self, readers: Readers, paused: bool) -> None:
        """Apply a changed declaration."""
        self._readers = readers
        self.paused = paused
        self._open = self._open or readers.before_dispatch <= len(self._all)
        for consumer in self._all.values():
            consumer.live = False
        self._live = 0
        self._sweep()
        self._choose_live()

    # ------------------------------------------------------------------ coming and going

    def join(self, consumer: Subscription, now: i64) -> None:
        """Add a consumer."""
        if not self._all:
            self._began_ms = now
        self._all[consumer.number] = consumer
        if len(self._all) >= self._readers.before_dispatch:
            self._open = True
        if consumer.terms.selective:
            view = ConsumerView(consumer.terms)
            self._available_list.add_view(view)
            self._views[consumer.number] = view
        elif self._grouped is not None:
            self._views[consumer.number] = self._grouped
        consumer.live = False
        heapq.heappush(self._standby, _by_priority(consumer))
        self._choose_live()

    def leave(self, consumer: Subscription) -> None:
        """Remove a consumer and promote the next."""
        self._all.pop(consumer.number, None)
        if self._first_waiting is consumer:
            self._first_waiting = None
        else:
            self._waiting.pop(consumer.number, None)
        if consumer.live:
            self._live -= 1
        elif len(self._standby) > 2 * len(self._all) + SWEEP_SIZE:
            self._sweep()
        view = self._views.pop(consumer.number, None)
        if view is not None:
            view.forget(consumer.number)
            if view is not self._grouped:
                self._available_list.remove_view(view)
        self._choose_live()

    def _choose_live(self) -> None:
        """Choose the served consumers: those that are served already, then by priority, then by arrival."""
        limit = self._readers.live
        while self._standby and (limit == 0 or self._live < limit):
            consumer = self._all.get(heapq.heappop(self._standby)[1])
            if consumer is not None:
                consumer.live = True
                self._live += 1

    def _sweep(self) -> None:
        """Forget those that left while they were not served."""
        self._standby = sorted(_by_priority(each) for each in self._all.values() if not each.live)

    # ------------------------------------------------------------------ serving

    def serves(self, consumer: Subscription, now: i64) -> bool:
        """Whether the consumer may get an entry now."""
        return consumer.live and self.dispatches(now)

    def dispatches(self, now: i64) -> bool:
        """Whether the queue delivers: enough consumers have come, or the wait for them is over."""
        if self.paused:
            return False
        if not self._open and self.opens_at() <= now:
            self._open = True
        return self._open

    def opens_at(self) -> i64:
        """When the wait for consumers ends, in milliseconds since the epoch, or NEVER."""
        if self._open or self.paused or not self._all or self._readers.dispatch_delay_ms == 0:
            return NEVER
        return self._began_ms + self._readers.dispatch_delay_ms

    def first(self, consumer: Subscription) -> Entry | None:
        """The next available entry for the consumer; None may mean that `scans_on` is set."""
        view = self._views.get(consumer.number) if self._views else None
        if view is None:
            return self._available_list.head
        entry = view.first(consumer.number)
        if entry is None and view.behind:
            self._available_list.offer_more(view, MOST_OFFERED)
            entry = view.first(consumer.number)
            consumer.scans_on = entry is None and view.behind
        return entry

    def chooses(self, consumer: Subscription) -> bool:
        """Whether the consumer takes from a view instead of the whole list."""
        return consumer.number in self._views

    def exclude(self, consumer: Subscription, entry: Entry) -> None:
        """Never offer the consumer this entry again, which it holds."""
        view = self._views.get(consumer.number)
        if view is None or view is self._grouped:
            view = ConsumerView(consumer.terms)
            self._available_list.add_view(view)
            self._views[consumer.number] = view
        view.exclude(entry)

    @property
    def waits(self) -> bool:
        """Whether a consumer waits for an entry."""
        return self._first_waiting is not None or len(self._waiting) > 0

    def wait(self, consumer: Subscription) -> None:
        """Add a consumer to those that wait for an entry."""
        if consumer.waiting:
            return
        consumer.waiting = True
        if self._first_waiting is None and len(self._waiting) == 0:
            self._first_waiting = consumer
        else:
            self._waiting[consumer.number] = consumer

    def wake(self) -> None:
        """Wake the waiting consumers."""
        first = self._first_waiting
        later = self._waiting
        self._first_waiting = None
        if len(later) > 0:
            self._waiting = {}
        if first is not None:
            first.wake()
        if len(later) > 0:
            for subscription in later.values():
                subscription.wake()


def _by_priority(consumer: Subscription) -> tuple[int, int]:
    return (-consumer.terms.priority, consumer.number)
