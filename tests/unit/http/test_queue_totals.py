"""Sums over queues, over HTTP."""

import httpx
import pytest

from lastvalue.client import Connection, Message
from lastvalue.client.queue_info import queue_info
from lastvalue.http.metrics import QUEUE_METRICS
from lastvalue.http.queue_totals import combined
from lastvalue.model.queue_statistics import QUEUE_STATISTICS, Over, QueueStatistic, Unit


async def test_the_sums_are_of_all_queues(http: httpx.AsyncClient, connection: Connection) -> None:
    await (await connection.declare("orders")).send(Message("1"))
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send_many([Message("1", {"symbol": symbol}) for symbol in ("A", "A", "B")])
    totals = (await http.get("/queue-totals")).json()
    shown = {name: totals[name] for name in ("queues", "depth", "published", "keys", "conflated")}
    assert shown == {"queues": 2, "depth": 3, "published": 4, "keys": 2, "conflated": 1}


def test_every_metric_of_a_queue_is_among_the_totals() -> None:
    # Three so that the error of accounting is not 0 by chance.
    of_a_queue = queue_info({each.name: 3 for each in QUEUE_STATISTICS})
    asked = combined(QUEUE_STATISTICS)
    of_all = queue_info({name: 3 for names in asked.values() for name in names})
    now_ms = 5000
    shown = {metric.name: metric.read(of_all, now_ms) for metric in QUEUE_METRICS}
    assert shown == {metric.name: metric.read(of_a_queue, now_ms) for metric in QUEUE_METRICS}


def test_what_does_not_add_up_is_no_metric_of_a_queue() -> None:
    made_up = QueueStatistic("made_up", "nothing", Unit.MESSAGES, Over.NONE, prometheus="queue_made_up")
    with pytest.raises(KeyError):
        combined([made_up])


def test_only_sums_are_totalled() -> None:
    assert [each.name for each in QUEUE_STATISTICS if each.totalled and each.over is not Over.SUM] == []
