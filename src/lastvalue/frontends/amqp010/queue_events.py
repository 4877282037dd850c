"""Events of queues that QMF publishes: declared, deleted, and depths that cross a mark."""

from collections.abc import Callable, Mapping
from typing import Any, Final, final

from mypy_extensions import i64

from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.model.message import size_of
from lastvalue.queues.effects import Added, Effect, Removed, Scheduled

_OLDER_NAMES: Final = "x-qpid-maximum-message-"


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
class QueueAlerts:
    """The alerts of one queue, as the arguments of queue.declare say.

    Attributes:
        exceeds: it was declared with the older names of alerts, which have an event of their own, too.
    """

    __slots__ = ("_count", "_size", "exceeds")

    def __init__(self, arguments: Mapping[str, object]) -> None:
        self._count = _alert(arguments, "count")
        self._size = _alert(arguments, "size")
        self.exceeds = any(name.startswith(_OLDER_NAMES) for name in arguments)

    @property
    def wanted(self) -> bool:
        """Whether the arguments ask for any."""
        return self._count is not None or self._size is not None

    def crossed(self, depth: i64, depth_bytes: i64) -> list[str]:
        """The marks that the depth has crossed."""
        count = "" if self._count is None else self._count.look(depth)
        size = "" if self._size is None else self._size.look(depth_bytes)
        return [each for each in (count, size) if each]


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
        self._alerts: dict[str, QueueAlerts] = {}

    def set_alerts(self, name: str, arguments: Mapping[str, object]) -> None:
        """A queue was declared with arguments of its own."""
        alerts = QueueAlerts(arguments)
        if alerts.wanted:
            self._alerts[name] = alerts

    def queue_declared(self, hosted: HostedQueue) -> None:
        """See Observer."""
        spec = hosted.queue.spec
        self._alerts.pop(spec.name, None)
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
        self._alerts.pop(name, None)
        self._tell("queueDelete", {"qName": name})

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """See Observer."""
        del now
        if not self._alerts or hosted.ownership.ending:
            return
        alerts = self._alerts.get(hosted.queue.spec.name)
        if alerts is not None:
            self._look(hosted, alerts, effects)

    def _look(self, hosted: HostedQueue, alerts: QueueAlerts, effects: list[Effect]) -> None:
        """See which marks the depth crossed on its way to what it is now."""
        counts = hosted.queue.contents.counts
        steps = [_step(effect) for effect in effects]
        depth: i64 = hosted.queue.depth - sum(count for count, _ in steps)
        depth_bytes: i64 = counts.published_bytes - counts.removed_bytes - sum(size for _, size in steps)
        for count, size in steps:
            if count == 0:
                continue
            depth += count
            depth_bytes += size
            for way in alerts.crossed(depth, depth_bytes):
                self._cross(hosted, way, alerts.exceeds, int(depth), int(depth_bytes))

    def _cross(self, hosted: HostedQueue, way: str, exceeds: bool, depth: int, depth_bytes: int) -> None:
        values = {"qName": hosted.queue.spec.name, "msgDepth": depth, "byteDepth": depth_bytes}
        self._tell(f"queueThresholdCrossed{way}", values)
        if way == "Upward" and exceeds:
            self._tell("queueThresholdExceeded", values)

    def end_turn(self, now: i64) -> bool:
        """See Observer."""
        return self._publish(now)


def _step(effect: Effect) -> tuple[int, int]:
    """How many messages and bytes more a queue holds after an effect."""
    if isinstance(effect, (Added, Scheduled)):
        return 1, int(size_of(effect.entry.message))
    if isinstance(effect, Removed):
        return -1, -int(size_of(effect.entry.message))
    return 0, 0


def _alert(arguments: Mapping[str, object], unit: str) -> Alert | None:
    """[Qpid C++] The lower mark is half of the upper one where it is not given."""
    up = 0
    for name in (f"qpid.alert_{unit}_up", f"qpid.alert_{unit}", f"{_OLDER_NAMES}{unit}"):
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
