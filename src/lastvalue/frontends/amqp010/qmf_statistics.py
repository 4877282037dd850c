"""Counts what happens to queues, and tells it to whoever manages the broker."""

from collections.abc import Callable
from typing import Any, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.observers import Observer
from lastvalue.frontends.amqp010.statistics import Counters, QueueStatistics, size_of
from lastvalue.queues.effects import Added, Effect, Removed
from lastvalue.queues.spec import QueueSpec

Tell = Callable[[str, dict[str, Any]], None]


@final
class QmfStatistics(Observer):
    """The figures of every queue, from when it is set to watch.

    Attributes:
        totals: of all queues, those that are gone too.
        sent_on: messages that went to an alternate because their queue was deleted.
        arguments: told a queue's name, what it was declared with.
        tell: is told events: their name and their values.
        publish: publishes the events that were told; whether there were any.
    """

    __slots__ = (
        "_by_name",
        "_ending",
        "arguments",
        "publish",
        "sent_on",
        "tell",
        "totals",
    )

    def __init__(self, arguments: Callable[[str], dict[str, Any]]) -> None:
        self.totals = Counters()
        self.sent_on = 0
        self.arguments = arguments
        self.tell: Tell | None = None
        self.publish: Callable[[int], bool] | None = None
        self._by_name: dict[str, QueueStatistics] = {}
        self._ending: dict[str, tuple[QueueStatistics, bool]] = {}

    def watch(self, broker: Broker) -> None:
        """Begin with what there is."""
        broker.observers.append(self)
        for queue in broker.queues():
            queue_statistics = self.queue_statistics(queue.spec.name)
            queue_statistics.set_alerts(self.arguments(queue.spec.name))
            counters = queue_statistics.counters
            for entry in queue.entries():
                counters.came(entry.message)
            counters.added = queue.published
            counters.removed = queue.published - queue.depth

    def queue_statistics(self, name: str) -> QueueStatistics:
        """Those of the queue of that name."""
        found = self._by_name.get(name)
        if found is None:
            found = QueueStatistics()
            self._by_name[name] = found
        return found

    def set_alerts(self, name: str, arguments: dict[str, Any]) -> None:
        """A queue was declared with arguments of its own."""
        self.queue_statistics(name).set_alerts(arguments)

    # ------------------------------------------------------------------ the broker's calls

    def queue_declared(self, spec: QueueSpec) -> None:
        """See Observer."""
        self._by_name[spec.name] = QueueStatistics()
        if self.tell is not None:
            self.tell(
                "queueDeclare",
                {
                    "qName": spec.name,
                    "durable": spec.durable,
                    "excl": spec.exclusive.value != "none",
                    "autoDel": spec.lifetime.value != "permanent",
                    "altEx": spec.alternate or "",
                    "args": {},
                    "disp": "created",
                },
            )

    def queue_deleted(self, spec: QueueSpec) -> None:
        """See Observer."""
        queue_statistics = self._by_name.pop(spec.name, None)
        if queue_statistics is not None:
            self._ending[spec.name] = (queue_statistics, spec.alternate is not None)
        if self.tell is not None:
            self.tell("queueDelete", {"qName": spec.name})

    def effects_drained(self, name: str, effects: list[Effect]) -> None:
        """See Observer."""
        totals = self.totals
        if self._ending:
            ending = self._ending.pop(name, None)
            if ending is not None:
                deleted = totals.deleted
                for effect in effects:
                    totals.count(effect)
                if ending[1]:
                    self.sent_on += totals.deleted - deleted
                    totals.deleted = deleted
                return
        queue_statistics = self.queue_statistics(name)
        counters = queue_statistics.counters
        alerts = queue_statistics.count_alert is not None or queue_statistics.size_alert is not None
        for effect in effects:
            if isinstance(effect, Added):
                message = effect.entry.message
                size = size_of(message)
                totals.gain(size, message.durable)
                counters.gain(size, message.durable)
            elif isinstance(effect, Removed):
                message = effect.entry.message
                size = size_of(message)
                totals.lose(size, message.durable, effect.reason)
                counters.lose(size, message.durable, effect.reason)
            else:
                totals.count(effect)
                if not counters.count(effect):
                    continue
            if alerts:
                self._alert(name, queue_statistics)

    def _alert(self, name: str, queue_statistics: QueueStatistics) -> None:
        if self.tell is None:
            return
        for way in queue_statistics.crossed():
            values = {
                "qName": name,
                "msgDepth": int(queue_statistics.counters.depth),
                "byteDepth": int(queue_statistics.counters.depth_bytes),
            }
            self.tell(f"queueThresholdCrossed{way}", values)
            if way == "Upward" and queue_statistics.exceeds:
                self.tell("queueThresholdExceeded", values)

    def end_turn(self, now: i64) -> bool:
        """See Observer."""
        return self.publish is not None and self.publish(now)
