"""Alerts: when a queue's depth crosses a mark that its declaration names [Qpid C++]."""

from collections.abc import Mapping
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.queues.effects import Added, Effect, Removed, Scheduled, Updated

_OLDER_NAMES: Final = "x-qpid-maximum-message-"


@final
class Mark:
    """Says when a depth goes up to a mark, and when it has gone down to a lower one after that.

    Args:
        up: the mark; 0 is none.
        down: the lower one.
    """

    __slots__ = ("_down", "_raised", "_up")

    def __init__(self, up: i64, down: i64) -> None:
        self._up: i64 = up
        self._down: i64 = down
        self._raised = False

    def crossed(self, depth: i64) -> str:
        """Which way the depth has crossed the mark: Upward, Downward, or nothing."""
        if not self._raised and self._up > 0 and depth >= self._up:
            self._raised = True
            return "Upward"
        if self._raised and depth <= self._down:
            self._raised = False
            return "Downward"
        return ""


@final
class Crossing:
    """A depth that has crossed a mark.

    Attributes:
        way: Upward or Downward.
        depth, depth_bytes: messages on the queue then, and their size.
        exceeds: the queue was declared with the older names of alerts, which have an event of their own.
    """

    __slots__ = ("depth", "depth_bytes", "exceeds", "way")

    def __init__(self, way: str, depth: i64, depth_bytes: i64, exceeds: bool) -> None:
        self.way = way
        self.depth: i64 = depth
        self.depth_bytes: i64 = depth_bytes
        self.exceeds = exceeds


@final
class DepthAlerts:
    """The marks of all queues, by the arguments of their declarations."""

    __slots__ = ("_by_queue",)

    def __init__(self) -> None:
        self._by_queue: dict[str, tuple[Mark, Mark, bool]] = {}

    def set(self, name: str, arguments: Mapping[str, object]) -> bool:
        """A queue was declared with these arguments; whether they have marks."""
        count, size = _limits(arguments, "count"), _limits(arguments, "size")
        if count[0] == 0 and size[0] == 0:
            return False
        exceeds = any(each.startswith(_OLDER_NAMES) for each in arguments)
        self._by_queue[name] = (Mark(*count), Mark(*size), exceeds)
        return True

    def forget(self, name: str) -> None:
        """A queue is gone, or is declared without arguments."""
        self._by_queue.pop(name, None)

    def crossings(self, hosted: HostedQueue, effects: list[Effect]) -> list[Crossing]:
        """The marks that the depth of a queue has crossed on its way to what it is after these effects."""
        marks = self._by_queue.get(hosted.queue.spec.name) if self._by_queue else None
        if marks is None or hosted.ownership.ending:
            return []
        count_mark, size_mark, exceeds = marks
        counts = hosted.queue.contents.counts
        steps = [step for effect in effects for step in _steps(effect)]
        depth: i64 = hosted.queue.depth - sum([count for count, _ in steps])
        depth_bytes: i64 = counts.published_bytes - counts.removed_bytes - sum([size for _, size in steps])
        crossings: list[Crossing] = []
        for count, size in steps:
            depth += count
            depth_bytes += size
            ways = (count_mark.crossed(depth), size_mark.crossed(depth_bytes))
            crossings += [Crossing(way, depth, depth_bytes, exceeds) for way in ways if way]
        return crossings


def _steps(effect: Effect) -> list[tuple[int, int]]:
    """How many messages and bytes more a queue holds after each step of an effect."""
    if isinstance(effect, (Added, Scheduled)):
        return [(1, int(effect.entry.size_bytes))]
    if isinstance(effect, Updated):
        return [(1, int(effect.entry.size_bytes)), (-1, -int(effect.previous.size_bytes))]
    if isinstance(effect, Removed):
        return [(-1, -int(effect.entry.size_bytes))]
    return []


def _limits(arguments: Mapping[str, object], unit: str) -> tuple[int, int]:
    """The upper and the lower mark; the lower one is half of the upper one where it is missing."""
    up = 0
    for name in (f"qpid.alert_{unit}_up", f"qpid.alert_{unit}", f"{_OLDER_NAMES}{unit}"):
        up = up or _number(arguments.get(name))
    down = _number(arguments.get(f"qpid.alert_{unit}_down"))
    return max(0, up), down if 0 < down < up else up // 2


def _number(value: object) -> int:
    try:
        return int(str(value)) if value is not None else 0
    except ValueError:
        return 0
