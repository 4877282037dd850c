"""Metrics and probes over HTTP."""

import asyncio

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from lastvalue import __version__
from lastvalue.client import Connection, Message
from lastvalue.http import monitoring_routes


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


async def test_totals_are_those_of_the_metrics_of_each_queue(
    http: httpx.AsyncClient, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send_many([Message(number, {"symbol": symbol}) for number, symbol in enumerate("AAAB")])
    orders = await connection.declare("orders", type="priority", priorities=5)
    await orders.send_many([Message(number) for number in range(3)])
    await connection.declare("empty")
    async with orders.receive(limit=1) as receiver:
        (await anext(receiver)).accept()
    each = _queue_samples((await http.get("/metrics")).text)
    monkeypatch.setattr(monitoring_routes, "MOST_QUEUES", 2)
    totals = _queue_samples((await http.get("/metrics")).text)
    assert set(totals) == set(each)
    for name, values in totals.items():
        assert len(values) == 1, name
        if "_age_" not in name[0]:
            assert sum(each[name]) == values[0], name
    # Of the age the queue that never had a message has no part.
    assert totals[("lastvalue_queue_newest_update_age_seconds", "")][0] > 0
    assert len(each[("lastvalue_queue_depth_messages", "")]) == 3


async def test_totals_describe_no_queue(
    http: httpx.AsyncClient, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await connection.declare("prices", lvq_key="symbol")
    monkeypatch.setattr(monitoring_routes, "MOST_QUEUES", 0)
    monkeypatch.setattr(Connection, "queues", None)
    assert "lastvalue_queue_depth_messages 0.0" in (await http.get("/metrics")).text


def _queue_samples(text: str) -> dict[tuple[str, str], list[float]]:
    told: dict[tuple[str, str], list[float]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name.startswith("lastvalue_queue_"):
                told.setdefault((sample.name, sample.labels.get("reason", "")), []).append(sample.value)
    return told


async def test_probes_say_whether_the_broker_serves(http: httpx.AsyncClient) -> None:
    for path in ("/readyz", "/startupz"):
        answer = await http.get(path)
        assert answer.status_code == 200
        assert answer.json()["status"] == "ok"
        assert answer.json()["checks"] == {
            "broker": "ok",
            "store": "ok",
            "memory": "ok",
            "disk": "ok",
            "certificate": "none",
        }
    assert (await http.get("/healthz")).json() == {"status": "ok"}


@pytest.mark.parametrize("query", ["?verbose", "?verbose=true"])
async def test_a_verbose_probe_tells_more(http: httpx.AsyncClient, query: str) -> None:
    answer = (await http.get(f"/readyz{query}")).json()
    assert (answer["status"], answer["checks"]["store"]) == ("ok", "ok")
    assert (answer["facts"]["version"], answer["facts"]["up_ms"] >= 0) == (__version__, True)
    assert answer["facts"]["held_bytes"] >= 0
    assert (await http.get("/readyz?verbose=odd")).status_code == 422


async def test_a_connection_that_ends_by_an_error_is_counted(http: httpx.AsyncClient, url: str) -> None:
    host, port = url.removeprefix("amqp://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"AMQP\x00\x01\x00\x00" + b"\xff" * 16)
    await reader.read()
    writer.close()
    text = (await http.get("/metrics")).text
    told = {
        sample.labels["condition"]: sample.value
        for family in text_string_to_metric_families(text)
        if family.name == "lastvalue_protocol_errors"
        for sample in family.samples
    }
    assert sum(told.values()) == 1, told


async def test_probes_are_answered_while_peers_hold_sockets_open(served: httpx.AsyncClient, url: str) -> None:
    gateway, broker = served.base_url, httpx.URL(url)
    held = []
    for _ in range(150):
        for place, said in (
            (gateway, b"GET /metrics HTTP/1.1\r\nHost: "),
            (broker, b"AMQP\x00\x01\x00\x00\x00"),
        ):
            _, writer = await asyncio.open_connection(place.host, place.port)
            writer.write(said)
            held.append(writer)
    for path in ("/healthz", "/readyz", "/metrics"):
        assert (await served.get(path, timeout=10)).status_code == 200
    for writer in held:
        writer.close()
