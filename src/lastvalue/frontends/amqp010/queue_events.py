"""Events of queues that QMF publishes: declared, deleted, and depths that cross a mark."""

from collections.abc import Callable, Mapping
from typing import Any, final

from mypy_extensions import i64

from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.statistics.depth_alerts import DepthAlerts
from lastvalue.queues.effects import Effect


@final
class QueueEvents(Observer):
    """Publishes the events of all queues.

    Args:
        tell: takes events: their name and their values.
        publish: publishes the events that it took; whether there were any.
    """

    __slots__ = ("_alerts", "_publish", "_tell")

    def __init__(self, tell: Callable[[str, dict[str, Any]], None], publish: Callable[[int], bool]) -> None:
        self._tell = tell
        self._publish = publish
        self._alerts = DepthAlerts()

    def set_alerts(self, name: str, arguments: Mapping[str, object]) -> bool:
        """A queue was declared with arguments of its own; whether its effects are read for alerts."""
        return self._alerts.set(name, arguments)

    def queue_declared(self, hosted: HostedQueue) -> None:
        """See Observer."""
        spec = hosted.queue.spec
        self._alerts.forget(spec.name)
        self._tell(
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

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer."""
        name = hosted.queue.spec.name
        self._alerts.forget(name)
        self._tell("queueDelete", {"qName": name})

    def queue_redirected(self, source: HostedQueue, target: HostedQueue) -> None:
        """See Observer."""
        self._tell("queueRedirect", _pair(source, target))

    def redirect_ended(self, source: HostedQueue, target: HostedQueue) -> None:
        """See Observer."""
        self._tell("queueRedirectCancelled", _pair(source, target))

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """See Observer."""
        del now
        for crossing in self._alerts.crossings(hosted, effects):
            values = {
                "qName": hosted.queue.spec.name,
                "msgDepth": int(crossing.depth),
                "byteDepth": int(crossing.depth_bytes),
            }
            self._tell(f"queueThresholdCrossed{crossing.way}", values)
            if crossing.way == "Upward" and crossing.exceeds:
                self._tell("queueThresholdExceeded", values)

    def end_turn(self, now: i64) -> bool:
        """See Observer."""
        return self._publish(now)


def _pair(source: HostedQueue, target: HostedQueue) -> dict[str, str]:
    return {"qName": source.queue.spec.name, "qTarget": target.queue.spec.name}
