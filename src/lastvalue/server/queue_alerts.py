"""Alerts of queues: which of them hold more than their thresholds allow."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastvalue.addresses.name_pattern import check_pattern, name_matches
from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_counts import oldest_ms
from lastvalue.broker.rights.owner import BROKER
from lastvalue.config.alert_setting import ALERT_FORM

MOST_TOLD: Final = 20
"""What is told at once is one line in a pipe, and names are long."""

_LOOKED_AT_ONCE: Final = 500
_FORM: Final = re.compile(ALERT_FORM)


@dataclass(frozen=True, slots=True)
class QueueThreshold:
    """What queues may hold.

    Attributes:
        queues: the pattern of their names, of `addresses.name_pattern`.
        what: `messages`, how many, or `age_s`, for how many seconds the oldest one has been there.
        most: the highest value without an alert.
    """

    queues: str
    what: str
    most: int

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
        raise ValueError(f"{text!r} is no threshold; expected NAME:messages=N or NAME:age_s=N")
    check_pattern(found[1])
    return QueueThreshold(found[1], found[2], int(found[3]))


async def queue_alerts(
    broker: Broker, thresholds: Sequence[QueueThreshold], now_ms: int
) -> list[dict[str, Any]]:
    """The thresholds that are crossed, some queues at a time; MOST_TOLD at most, by the names of queues."""
    alerts: list[dict[str, Any]] = []
    if not thresholds:
        return alerts
    for number, name in enumerate(broker.authorization.queue_names()):
        if number % _LOOKED_AT_ONCE == 0:
            await asyncio.sleep(0)
        hosted = broker.authorization.shown_queue(BROKER, name)
        if hosted is None:
            continue
        for threshold in thresholds:
            if not threshold.is_of(name):
                continue
            first_ms = oldest_ms(hosted.queue)
            age_s = max(0, now_ms - first_ms) // 1000 if first_ms else 0
            value = hosted.queue.depth if threshold.what == "messages" else age_s
            if value > threshold.most:
                alerts.append({"queue": name, "what": threshold.what, "value": value, "most": threshold.most})
        if len(alerts) >= MOST_TOLD:
            break
    return alerts[:MOST_TOLD]
