"""Sums over queues, over HTTP."""

import httpx

from lastvalue.broker.statistics.statistic import QUEUE
from lastvalue.client import Connection, Message
from lastvalue.client.queue_info import queue_info
from lastvalue.http.metrics import QUEUE_METRICS
from lastvalue.http.queue_totals import COMBINED


async def test_the_sums_are_of_all_queues(http: httpx.AsyncClient, connection: Connection) -> None:
    await (await connection.declare("orders")).send(Message("1"))
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send_many([Message("1", {"symbol": symbol}) for symbol in ("A", "A", "B")])
    totals = (await http.get("/queue-totals")).json()
    shown = {name: totals[name] for name in ("queues", "depth", "published", "keys", "conflated")}
    assert shown == {"queues": 2, "depth": 3, "published": 4, "keys": 2, "conflated": 1}


def test_every_metric_of_a_queue_is_among_the_totals() -> None:
    # Three so that the error of accounting is not 0 by chance.
    of_a_queue = queue_info({each.name: 3 for each in QUEUE})
    of_all = queue_info({name: 3 for names in COMBINED.values() for name in names})
    now_ms = 5000
    shown = {metric.name: metric.read(of_all, now_ms) for metric in QUEUE_METRICS}
    assert shown == {metric.name: metric.read(of_a_queue, now_ms) for metric in QUEUE_METRICS}
