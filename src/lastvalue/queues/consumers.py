"""The consumers of one queue: which are served, what each may take, and who waits."""

from typing import final

from mypy_extensions import i64

from lastvalue.model.message import NEVER
from lastvalue.queues.entry import Entry
from lastvalue.queues.orderings import Line
from lastvalue.queues.spec import Readers
from lastvalue.queues.subscription import ANY, Subscription, wake
from lastvalue.queues.views import View


@final
class Consumers:
    """Those who acquire, by the order they came.

    Attributes:
        dry: those that were told that there is nothing.
        paused: nobody is served.
    """

    __slots__ = ("_all", "_began_ms", "_grouped", "_line", "_open", "_readers", "_views", "dry", "paused")

    def __init__(self, line: Line, readers: Readers, paused: bool) -> None:  # noqa: FBT001 - the queue's own
        self.dry: list[Subscription] = []
        self.paused = paused
        self._line = line
        self._readers = readers
        self._all: list[Subscription] = []
        self._views: dict[int, View] = {}
        self._grouped: View | None = None
        self._began_ms: i64 = NEVER
        self._open = readers.before_dispatch == 0

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self._all)

    def group(self) -> None:
        """Messages have groups: every consumer takes from a view."""
        self._grouped = View(ANY)
        self._line.open_view(self._grouped)

    def configure(self, readers: Readers, paused: bool) -> None:  # noqa: FBT001 - the queue's own
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
            view = View(consumer.terms)
            self._line.open_view(view)
            self._views[consumer.number] = view
        elif self._grouped is not None:
            self._views[consumer.number] = self._grouped
        consumer.live = False
        self._choose_live()

    def leave(self, consumer: Subscription) -> None:
        """One less; the next one in line takes its turn."""
        self._all = [other for other in self._all if other is not consumer]
        self.dry = [other for other in self.dry if other is not consumer]
        view = self._views.pop(consumer.number, None)
        if view is not None:
            view.forget(consumer.number)
            if view is not self._grouped:
                self._line.close_view(view)
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
        return self._line.head if view is None else view.first(consumer.number)

    def chooses(self, consumer: Subscription) -> bool:
        """Whether the consumer may be given less than all, or in another order."""
        return consumer.number in self._views

    def exclude(self, consumer: Subscription, entry: Entry) -> None:
        """Never give the consumer an entry again that it holds; the first time costs the whole line."""
        view = self._views.get(consumer.number)
        if view is None or view is self._grouped:
            view = View(consumer.terms)
            self._line.open_view(view)
            self._views[consumer.number] = view
        view.leave_out(entry)

    def wait(self, consumer: Subscription) -> None:
        """There is nothing for the consumer."""
        if not consumer.dry:
            consumer.dry = True
            self.dry.append(consumer)

    def wake(self) -> None:
        """Something may be there again."""
        waiting = self.dry
        self.dry = []
        wake(waiting)


def _by_priority(consumer: Subscription) -> tuple[int, int]:
    return (-consumer.terms.priority, consumer.number)
