"""Alerts of queues: which of them hold more than their thresholds allow."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastvalue.addresses.name_pattern import check_pattern, name_matches
from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_counts import oldest_ms
from lastvalue.broker.rights.owner import BROKER
from lastvalue.config.alert_setting import ALERT_FORM
from lastvalue.queues.queue import Queue

MOST_TOLD: Final = 20
"""A report is one line in a pipe, and names are long."""

_LOOKED_AT_ONCE: Final = 500
_FORM: Final = re.compile(ALERT_FORM)


@dataclass(frozen=True, slots=True)
class QueueThreshold:
    """What queues may hold.

    Attributes:
        queues: the pattern of their names, of `addresses.name_pattern`.
        what: `messages`, how many; `bytes`, of what size; or `age_s`, for how many seconds the oldest one
            has been there.
        most: the highest value without an alert.
    """

    queues: str
    what: str
    most: float

    def is_of(self, name: str) -> bool:
        """Whether it is a queue's of this name."""
        return name_matches(self.queues, name)


def read_threshold(text: str) -> QueueThreshold:
    """The threshold of a setting `http_alerts`.

    Raises:
        ValueError: the text is none.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no threshold; expected NAME:messages=N, NAME:bytes=N or NAME:age_s=N")
    check_pattern(found[1])
    return QueueThreshold(found[1], found[2], int(found[3]))


async def queue_alerts(
    broker: Broker, thresholds: Sequence[QueueThreshold], now_ms: int
) -> list[dict[str, Any]]:
    """The thresholds that are crossed, some queues at a time; MOST_TOLD at most, by the names of queues.

    A queue's own, of its options, comes before all of the setting, and the first of these that fits it
    before the others.
    """
    alerts: list[dict[str, Any]] = []
    for number, name in enumerate(broker.authorization.queue_names()):
        if number % _LOOKED_AT_ONCE == 0:
            await asyncio.sleep(0)
        hosted = broker.authorization.shown_queue(BROKER, name)
        if hosted is None:
            continue
        for what, most in _thresholds(hosted.queue, thresholds).items():
            value = _value(hosted.queue, what, now_ms)
            if value > most:
                alerts.append({"queue": name, "what": what, "value": value, "most": most})
        if len(alerts) >= MOST_TOLD:
            break
    return alerts[:MOST_TOLD]


def _thresholds(queue: Queue, thresholds: Sequence[QueueThreshold]) -> dict[str, float]:
    found = dict(_own(queue))
    for each in thresholds:
        if each.what not in found and each.is_of(queue.spec.name):
            found[each.what] = each.most
    return found


def _own(queue: Queue) -> Iterator[tuple[str, float]]:
    own = queue.spec.alerts
    if own.messages:
        yield "messages", own.messages
    if own.size_bytes:
        yield "bytes", own.size_bytes
    if own.age_ms:
        yield "age_s", _seconds(own.age_ms)


def _value(queue: Queue, what: str, now_ms: int) -> float:
    if what == "messages":
        return int(queue.depth)
    if what == "bytes":
        return int(queue.depth_bytes)
    first_ms = oldest_ms(queue)
    return _seconds(max(0, now_ms - first_ms)) if first_ms else 0


def _seconds(time_ms: int) -> float:
    """As a whole number where it is one."""
    return time_ms / 1000 if time_ms % 1000 else time_ms // 1000
