"""lastvalue.http.replay_routes."""

from collections.abc import AsyncIterator

import httpx
import pytest

from lastvalue.client import Connection, Message, connect
from lastvalue.gateway.gateway import make_gateway
from lastvalue.http import replay_routes as module
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users

ANN, BOB = ("ann", "a"), ("bob", "b")


@pytest.fixture
async def url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    users = Users(tmp_path_factory.mktemp("users") / "users.toml")
    users.put("ann", "a", ("all *",))
    users.put("bob", "b", ("browse prices", "browse prices.*"))
    async with BrokerServer(ServerOptions(port=0, users_file=users.path, anonymous=False)) as server:
        yield f"127.0.0.1:{server.port}"


@pytest.fixture
async def broker(url: str) -> AsyncIterator[Connection]:
    """With a queue to which five prices of two keys came, and its history."""
    async with connect(f"amqp://ann:a@{url}") as connection:
        await connection.declare("prices.history")
        prices = await connection.declare("prices", lvq_key="symbol", history="prices.history")
        for number in range(5):
            await prices.send(Message({"n": number}, {"symbol": "AB"[number % 2]}))
        await connection.declare("again")
        yield connection


@pytest.fixture
async def client(url: str, broker: Connection) -> AsyncIterator[httpx.AsyncClient]:
    gateway = make_gateway(GatewaySettings(url=f"amqp://{url}"))
    transport = httpx.ASGITransport(gateway)
    async with (
        gateway.router.lifespan_context(gateway),
        httpx.AsyncClient(transport=transport, base_url="http://localhost", auth=ANN) as client,
    ):
        yield client


async def test_a_preview_tells_what_would_come_and_publishes_nothing(
    client: httpx.AsyncClient, broker: Connection
) -> None:
    told = (await client.post("/queues/prices/replay", json={"from": "-1h", "dry_run": True})).json()
    assert (told["messages"], told["keys"]) == (5, 2)
    assert [each["body"]["n"] for each in told["first"]] == [0, 1, 2, 3, 4]
    conflated = {"from": "-1h", "dry_run": True, "every_ms": 3_600_000}
    assert (await client.post("/queues/prices/replay", json=conflated)).json()["messages"] == 2
    assert (await broker.queue("again").info()).depth == 0


async def test_a_period_is_published_once_however_often_it_is_asked_for(
    client: httpx.AsyncClient, broker: Connection
) -> None:
    period = (await client.post("/queues/prices/replay", json={"from": "-1h", "dry_run": True})).json()
    asked = {"from": period["from"], "to": period["to"], "into": "again"}
    for _ in range(2):
        assert (await client.post("/queues/prices/replay", json=asked)).json()["messages"] == 5
    assert (await broker.queue("again").info()).depth == 5


@pytest.mark.parametrize(
    ("asked", "status", "told"),
    [
        ({"from": "-1h"}, 422, "name another queue"),
        ({"from": "-1h", "into": "prices"}, 422, "name another queue"),
        ({"from": "now", "to": "-1h", "into": "again"}, 422, "later than its start"),
        ({"from": "-1h", "into": "nothing"}, 404, "nothing"),
        ({"from": "yesterday", "into": "again"}, 422, "yesterday"),
    ],
)
async def test_what_cannot_be_replayed_is_refused(
    client: httpx.AsyncClient, asked: dict[str, str], status: int, told: str
) -> None:
    answer = await client.post("/queues/prices/replay", json=asked)
    assert (answer.status_code, told in answer.json()["detail"]) == (status, True)


async def test_long_periods_are_left_to_the_command(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_REPLAYED", 4)
    answer = await client.post("/queues/prices/replay", json={"from": "-1h", "into": "again"})
    assert (answer.status_code, "lastvalue replay" in answer.json()["detail"]) == (413, True)


async def test_a_replay_has_the_rights_of_its_caller(client: httpx.AsyncClient, broker: Connection) -> None:
    preview = await client.post("/queues/prices/replay", json={"from": "-1h", "dry_run": True}, auth=BOB)
    assert (preview.status_code, preview.json()["messages"]) == (200, 5)
    refused = await client.post("/queues/prices/replay", json={"from": "-1h", "into": "again"}, auth=BOB)
    assert (refused.status_code, "bob" in refused.json()["detail"]) == (403, True)
    assert (await broker.queue("again").info()).depth == 0
