"""A queue followed as server-sent events."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from served_gateway import served_gateway
from waiting import until

from lastvalue.client import Connection, Message
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer


@dataclass(frozen=True)
class Event:
    kind: str
    data: dict[str, Any]
    id: str | None


async def _events(response: httpx.Response) -> AsyncIterator[Event]:
    fields: dict[str, str] = {}
    async for line in response.aiter_lines():
        name, colon, value = line.partition(":")
        if colon and name:
            fields[name] = value.removeprefix(" ")
        elif not line and "data" in fields:
            yield Event(fields["event"], json.loads(fields["data"]), fields.get("id"))
            fields = {}


@asynccontextmanager
async def following(
    client: httpx.AsyncClient, query: str = "", last: str = ""
) -> AsyncIterator[AsyncIterator[Event]]:
    headers = {"Last-Event-ID": last} if last else {}
    async with client.stream("GET", f"/queues/prices/follow{query}", headers=headers) as response:
        assert response.status_code == 200, await response.aread()
        yield _events(response)


async def take(events: AsyncIterator[Event], count: int) -> list[tuple[str, object]]:
    taken = [await anext(events) for _ in range(count)]
    return [(event.kind, event.data.get("body", event.data.get("sequence"))) for event in taken]


async def test_a_follower_gets_the_values_a_marker_and_then_updates(
    served: httpx.AsyncClient, connection: Connection
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    for number, symbol in enumerate("ABA"):
        await prices.send(Message(number, {"symbol": symbol}))
    async with following(served) as events:
        assert await take(events, 3) == [("value", 1), ("value", 2), ("snapshot-end", 3)]
        await prices.send(Message(9, {"symbol": "B"}))
        update = await anext(events)
    assert (update.kind, update.data["sequence"]) == ("value", 4)
    assert (update.data["key"], update.data["updates"]) == ("B", 2)


async def test_a_follower_that_comes_back_gets_what_has_changed_since(
    served: httpx.AsyncClient, connection: Connection
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    for number, symbol in enumerate("ABC"):
        await prices.send(Message(number, {"symbol": symbol}))
    async with following(served) as events:
        last = [await anext(events) for _ in range(4)][-1].id or ""
    await prices.send(Message(9, {"symbol": "A"}))
    await prices.delete("B")
    async with following(served, last=last) as events:
        value, removed, end = [await anext(events) for _ in range(3)]
    assert (removed.kind, removed.data) == ("removed", {"key": "B", "reason": "key_deleted", "sequence": 4})
    assert (value.kind, value.data["body"], end.data["resumed"]) == ("value", 9, True)


async def test_a_follower_may_come_back_to_another_gateway(
    served: httpx.AsyncClient, connection: Connection, url: str
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    for number, symbol in enumerate("ABC"):
        await prices.send(Message(number, {"symbol": symbol}))
    async with following(served) as events:
        last = [await anext(events) for _ in range(4)][-1].id or ""
    await prices.send(Message(9, {"symbol": "A"}))
    await prices.delete("B")
    async with (
        served_gateway(GatewaySettings(url=url, port=0)) as other,
        httpx.AsyncClient(base_url=other.url, timeout=120) as client,
        following(client, last=last) as events,
    ):
        told = [await anext(events) for _ in range(3)]
    assert {event.kind for event in told} == {"removed", "value", "snapshot-end"}
    assert told[-1].data["resumed"] is True


async def test_a_follower_whose_place_the_queue_does_not_have_gets_a_snapshot(
    served: httpx.AsyncClient, connection: Connection
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message(1, {"symbol": "A"}))
    async with following(served, last="5-17-0") as events:
        value, end = [await anext(events) for _ in range(2)]
    assert (value.data["body"], value.id) == (1, "")
    assert (end.kind, end.data) == ("snapshot-end", {"sequence": 1, "resumed": False})
    assert end.id


async def test_a_removed_key_is_an_event(served: httpx.AsyncClient, connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message(1, {"symbol": "A"}))
    async with following(served) as events:
        assert await take(events, 2) == [("value", 1), ("snapshot-end", 1)]
        await prices.delete("A")
        removed = await anext(events)
    assert (removed.kind, removed.data["key"], removed.data["reason"]) == ("removed", "A", "key_deleted")


@pytest.mark.parametrize("query", ["?prefix=eu.", "?glob=*.A", "?key=eu.A&key=nobody"])
async def test_keys_are_chosen_by_prefix_and_pattern(
    served: httpx.AsyncClient, connection: Connection, query: str
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    for number, symbol in enumerate(("eu.A", "us.B")):
        await prices.send(Message(number, {"symbol": symbol}))
    async with following(served, query) as events:
        assert await take(events, 2) == [("value", 0), ("snapshot-end", 2)]


async def test_where_values_are_not_in_the_order_of_their_sequences_a_follower_begins_anew_and_is_told(
    served: httpx.AsyncClient, connection: Connection
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol", lvq_placement="in-place")
    await prices.send(Message(1, {"symbol": "A"}))
    async with following(served) as events:
        last = str([(await anext(events)).id for _ in range(2)][-1])
    async with following(served, last=last) as events:
        value, end = [await anext(events) for _ in range(2)]
    assert (value.data["body"], value.id) == (1, "")
    assert (end.kind, end.data) == ("snapshot-end", {"sequence": 1, "resumed": False})


async def test_a_selector_chooses_the_values(served: httpx.AsyncClient, connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    for number, symbol in enumerate("AB"):
        await prices.send(Message(number, {"symbol": symbol}))
    async with following(served, "?selector=symbol%3D'B'") as events:
        assert await take(events, 2) == [("value", 1), ("snapshot-end", 2)]


async def test_a_slow_follower_gets_newest_values_at_its_own_rate(
    served: httpx.AsyncClient, connection: Connection
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    async with following(served, "?rate=20") as events:
        await anext(events)
        await prices.send_many(Message(number, {"symbol": "A"}) for number in range(5000))
        got = [await anext(events)]
        while got[-1].data["body"] != 4999:
            got.append(await anext(events))
    assert got[-1].data["updates"] == 5000
    assert len(got) < 500


async def test_a_follower_that_goes_away_leaves_nothing_behind(
    served: httpx.AsyncClient,
    connection: Connection,
    server: BrokerServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lastvalue.http.shared_watch.LINGER_S", 0.01)
    prices = await connection.declare("prices", lvq_key="symbol")
    async with following(served) as events:
        await anext(events)
        assert (await prices.info()).subscriptions == 1
    await until(lambda: not server.broker.lookup("prices").readers)


async def test_the_end_of_the_broker_is_an_event(
    served: httpx.AsyncClient, server: BrokerServer, url: str
) -> None:
    async with httpx.AsyncClient(base_url=served.base_url, timeout=120) as declaring:
        await declaring.put("/queues/prices", json={})
    async with following(served) as events:
        await anext(events)
        await server.stop()
        last = await anext(events)
    assert (last.kind, last.data["status"]) == ("error", 503)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("?key=A&key=it's", [("value", 0), ("value", 2), ("snapshot-end", 4)]),
        ("?key=3&type=integer", [("value", 3), ("snapshot-end", 4)]),
        ("?key=A&key=B&selector=n%3E0", [("value", 1), ("snapshot-end", 4)]),
    ],
)
async def test_keys_choose_the_values(
    served: httpx.AsyncClient, connection: Connection, query: str, told: list[tuple[str, int]]
) -> None:
    prices = await connection.declare("prices", lvq_key="the symbol")
    for number, symbol in enumerate(("A", "B", "it's", 3)):
        await prices.send(Message(number, {"the symbol": symbol, "n": number}))
    async with following(served, query) as events:
        assert await take(events, len(told)) == told


@pytest.mark.parametrize(
    ("path", "last", "status"),
    [
        ("/queues/missing/follow", "", 404),
        ("/queues/prices/follow?key=x&type=integer", "", 422),
        ("/queues/prices/follow?last_event_id=x", "", 422),
        ("/queues/plain/follow?key=x", "", 422),
        ("/queues/prices/follow?selector=%3D", "", 422),
        ("/queues/prices/follow?rate=0", "", 422),
        ("/queues/prices/follow", "seven", 422),
    ],
)
async def test_what_cannot_be_followed_is_a_problem(
    served: httpx.AsyncClient, connection: Connection, path: str, last: str, status: int
) -> None:
    await connection.declare("prices", lvq_key="symbol")
    await connection.declare("plain")
    answer = await served.get(path, headers={"Last-Event-ID": last} if last else {})
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
