"""A queue followed over a WebSocket."""

import asyncio
import json
from typing import Any

import httpx
import pytest
from waiting import until
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from lastvalue.client import Connection, Message
from lastvalue.server.broker_server import BrokerServer


def address(served: httpx.AsyncClient, query: str = "", queue: str = "prices") -> str:
    return f"ws://{served.base_url.netloc.decode()}/queues/{queue}/follow{query}"


async def event(socket: ClientConnection) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(await socket.recv())
    return told


async def test_a_follower_gets_the_values_a_marker_and_then_updates(
    served: httpx.AsyncClient, connection: Connection
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    for number, symbol in enumerate("ABA"):
        await prices.send(Message(number, {"symbol": symbol}))
    async with connect(address(served)) as socket:
        assert [(await event(socket))["data"].get("body") for _ in range(2)] == [1, 2]
        end = await event(socket)
        assert (end["event"], end["data"]) == ("snapshot-end", {"sequence": 3, "resumed": False})
        await prices.send(Message(9, {"symbol": "B"}))
        update = await event(socket)
    assert (update["event"], update["data"]["sequence"]) == ("value", 4)
    assert (update["data"]["key"], update["data"]["updates"]) == ("B", 2)


async def test_a_follower_that_comes_back_gets_what_has_changed_since(
    served: httpx.AsyncClient, connection: Connection
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    for number, symbol in enumerate("ABAC"):
        await prices.send(Message(number, {"symbol": symbol}))
    async with connect(address(served)) as socket:
        first = (await event(socket))["id"]
    async with connect(address(served, f"?last_event_id={first}&key=A")) as socket:
        assert [(await event(socket))["event"] for _ in range(2)] == ["value", "snapshot-end"]
    async with connect(address(served), additional_headers={"Last-Event-ID": first}) as socket:
        assert [(await event(socket))["data"]["sequence"] for _ in range(3)] == [3, 4, 4]


async def test_a_slow_follower_gets_newest_values_at_its_own_rate(
    served: httpx.AsyncClient, connection: Connection
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    async with connect(address(served, "?rate=20")) as socket:
        await event(socket)
        await prices.send_many(Message(number, {"symbol": "A"}) for number in range(5000))
        got = [await event(socket)]
        while got[-1]["data"]["body"] != 4999:
            got.append(await event(socket))
    assert got[-1]["data"]["updates"] == 5000
    assert len(got) < 500


@pytest.mark.parametrize("says", ["", "hello", b"\x00", "x" * 5000])
async def test_a_follower_that_goes_away_leaves_nothing_behind(
    served: httpx.AsyncClient, connection: Connection, server: BrokerServer, says: str | bytes
) -> None:
    await connection.declare("prices", lvq_key="symbol")
    async with connect(address(served)) as socket:
        await event(socket)
        await until(lambda: bool(server.broker.lookup("prices").readers))
        await socket.send(says)
    await until(lambda: not server.broker.lookup("prices").readers)


async def test_the_end_of_the_broker_is_an_event(
    served: httpx.AsyncClient, connection: Connection, server: BrokerServer
) -> None:
    await connection.declare("prices", lvq_key="symbol")
    async with connect(address(served)) as socket:
        await event(socket)
        await server.stop()
        assert (await event(socket))["data"]["status"] == 503
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(socket.recv(), 120)


@pytest.mark.parametrize(
    ("queue", "query", "headers", "status"),
    [
        ("missing", "", {}, 404),
        ("prices", "?selector=%3D", {}, 422),
        ("prices", "?rate=0", {}, 422),
        ("prices", "?pace=1", {}, 422),
        ("prices", "", {"Last-Event-ID": "seven"}, 422),
        ("prices", "", {"Origin": "https://evil.example"}, 403),
        ("prices", "", {"Origin": "null"}, 403),
        ("prices", "", {"Authorization": "Digest x"}, 401),
        ("prices", "", {"Cookie": "lastvalue-session=stale"}, 401),
    ],
)
async def test_what_cannot_be_followed_is_a_problem(
    served: httpx.AsyncClient,
    connection: Connection,
    queue: str,
    query: str,
    headers: dict[str, str],
    status: int,
) -> None:
    await connection.declare("prices", lvq_key="symbol")
    with pytest.raises(InvalidStatus) as refused:
        async with connect(address(served, query, queue), additional_headers=headers):
            pass
    assert refused.value.response.status_code == status
    assert json.loads(refused.value.response.body)["status"] == status


async def test_a_page_of_the_gateway_itself_may_follow(
    served: httpx.AsyncClient, connection: Connection
) -> None:
    await connection.declare("prices", lvq_key="symbol")
    origin = str(served.base_url).rstrip("/")
    async with connect(address(served), additional_headers={"Origin": origin}) as socket:
        assert (await event(socket))["event"] == "snapshot-end"
