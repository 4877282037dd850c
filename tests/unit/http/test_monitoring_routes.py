"""Metrics and probes over HTTP."""

import httpx
from prometheus_client.parser import text_string_to_metric_families

from lastvalue.client import Connection, Message


async def test_the_metrics_are_those_of_the_broker(http: httpx.AsyncClient, connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    for number in range(3):
        await prices.send(Message(number, {"symbol": "A"}))
    for path in ("/metrics", "/metrics/detailed?queue=pri"):
        answer = await http.get(path)
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        families = {each.name: each for each in text_string_to_metric_families(answer.text)}
        assert families["lastvalue_queue_published"].samples[0].value == 3
        assert families["lastvalue_queue_conflated_updates"].samples[0].value == 2
        assert families["lastvalue_queue_accounting_error"].samples[0].value == 0
        assert families["lastvalue_up_seconds"].samples[0].value >= 0


async def test_probes_say_whether_the_broker_serves(http: httpx.AsyncClient) -> None:
    for path in ("/readyz", "/startupz"):
        answer = await http.get(path)
        assert answer.status_code == 200
        assert answer.json() == {"status": "ok", "checks": {"broker": "ok", "store": "ok", "memory": "ok"}}
    assert (await http.get("/healthz")).json() == {"status": "ok"}
