"""The consumers of one queue: which are served, what each may take, and who waits."""

from typing import final

from mypy_extensions import i64

from lastvalue.model.message import NEVER
from lastvalue.queues.available_list import AvailableList
from lastvalue.queues.consumer_views import ConsumerView
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import Readers
from lastvalue.queues.subscription import ANY, Subscription, wake


@final
class Consumers:
    """Those who acquire, by the order they came.

    Attributes:
        waiting: those for which there was nothing.
        paused: nobody is served.
    """

    __slots__ = (
        "_all",
        "_available_list",
        "_began_ms",
        "_grouped",
        "_open",
        "_readers",
        "_views",
        "paused",
        "waiting",
    )

    def __init__(self, available_list: AvailableList, readers: Readers, paused: bool) -> None:
        self.waiting: list[Subscription] = []
        self.paused = paused
        self._available_list = available_list
        self._readers = readers
        self._all: list[Subscription] = []
        self._views: dict[int, ConsumerView] = {}
        self._grouped: ConsumerView | None = None
        self._began_ms: i64 = NEVER
        self._open = readers.before_dispatch == 0

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self._all)

    def group(self) -> None:
        """Messages have groups: every consumer takes from a view."""
        self._grouped = ConsumerView(ANY)
        self._available_list.add_view(self._grouped)

    def configure(self, readers: Readers, paused: bool) -> None:
        """The queue is declared anew."""
        self._readers = readers
        self.paused = paused
        self._open = self._open or readers.before_dispatch <= len(self._all)
        for consumer in self._all:
            consumer.live = False
        self._choose_live()

    # ------------------------------------------------------------------ coming and going

    def join(self, consumer: Subscription, now: i64) -> None:
        """One more; it is served when its turn comes."""
        if not self._all:
            self._began_ms = now
        self._all.append(consumer)
        if len(self._all) >= self._readers.before_dispatch:
            self._open = True
        if consumer.terms.selective:
            view = ConsumerView(consumer.terms)
            self._available_list.add_view(view)
            self._views[consumer.number] = view
        elif self._grouped is not None:
            self._views[consumer.number] = self._grouped
        consumer.live = False
        self._choose_live()

    def leave(self, consumer: Subscription) -> None:
        """Remove a consumer and promote the next."""
        self._all = [other for other in self._all if other is not consumer]
        self.waiting = [other for other in self.waiting if other is not consumer]
        view = self._views.pop(consumer.number, None)
        if view is not None:
            view.forget(consumer.number)
            if view is not self._grouped:
                self._available_list.remove_view(view)
        self._choose_live()

    def _choose_live(self) -> None:
        """Let as many be served as may: those that are stay, then by priority, then who came first."""
        limit = self._readers.live
        live = [consumer for consumer in self._all if consumer.live]
        others = [consumer for consumer in self._all if not consumer.live]
        others.sort(key=_by_priority)
        room = len(others) if limit == 0 else max(0, limit - len(live))
        for consumer in others[:room]:
            consumer.live = True

    # ------------------------------------------------------------------ serving

    def serves(self, consumer: Subscription, now: i64) -> bool:
        """Whether the consumer is given anything now."""
        return consumer.live and self.dispatches(now)

    def dispatches(self, now: i64) -> bool:
        """Whether anything is given: enough consumers have come, or were waited for long enough."""
        if self.paused:
            return False
        if not self._open and self.opens_at() <= now:
            self._open = True
        return self._open

    def opens_at(self) -> i64:
        """When the queue begins to give, if that is a matter of time; or NEVER."""
        if self._open or self.paused or not self._all or self._readers.dispatch_delay_ms == 0:
            return NEVER
        return self._began_ms + self._readers.dispatch_delay_ms

    def first(self, consumer: Subscription) -> Entry | None:
        """The available entry that the consumer is next given."""
        view = self._views.get(consumer.number) if self._views else None
        return self._available_list.head if view is None else view.first(consumer.number)

    def chooses(self, consumer: Subscription) -> bool:
        """Whether the consumer may be given less than all, or in another order."""
        return consumer.number in self._views

    def exclude(self, consumer: Subscription, entry: Entry) -> None:
        """Never give the consumer an entry again that it holds; the first time costs the whole list."""
        view = self._views.get(consumer.number)
        if view is None or view is self._grouped:
            view = ConsumerView(consumer.terms)
            self._available_list.add_view(view)
            self._views[consumer.number] = view
        view.exclude(entry)

    def wait(self, consumer: Subscription) -> None:
        """There is nothing for the consumer."""
        if not consumer.waiting:
            consumer.waiting = True
            self.waiting.append(consumer)

    def wake(self) -> None:
        """Something may be there again."""
        waiting = self.waiting
        self.waiting = []
        wake(waiting)


def _by_priority(consumer: Subscription) -> tuple[int, int]:
    return (-consumer.terms.priority, consumer.number)
