"""The past of queues over HTTP."""

import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from waiting import until

from lastvalue.client import Connection, Message, connect
from lastvalue.gateway.gateway import make_gateway
from lastvalue.history.landing import LandingOptions, land_history
from lastvalue.history.times import print_time, read_time
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users


@pytest.fixture
async def prices(connection: Connection) -> None:
    """A queue that took 1 for A, 2 for B, and 3 for A."""
    queue = await connection.declare("prices", lvq_key="symbol", history="prices.history")
    for number, symbol in enumerate("ABA", start=1):
        await queue.send(Message(number, {"symbol": symbol}))


async def found(http: httpx.AsyncClient, path: str) -> dict[str, Any]:
    answer = await http.get(path)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def moment_before_others(http: httpx.AsyncClient) -> str:
    """A moment that is over."""
    moment = str((await found(http, "/queues/prices/as-of"))["moment"])
    await until(lambda: time.time_ns() // 1_000_000 > read_time(moment, 0))
    return moment


@pytest.mark.usefixtures("prices")
async def test_as_of_is_what_the_queue_held_then(http: httpx.AsyncClient, connection: Connection) -> None:
    now = await found(http, "/queues/prices/as-of")
    assert [(each["key"], each["body"], each["updates"]) for each in now["values"]] == [
        ("B", 2, 1),
        ("A", 3, 2),
    ]
    assert now["total"] == 2
    assert now["history_from"] <= now["moment"] <= now["history_to"]
    moment = await moment_before_others(http)
    await connection.queue("prices").send(Message(4, {"symbol": "B"}))
    then = await found(http, f"/queues/prices/as-of?moment={moment}")
    assert [each["body"] for each in then["values"]] == [2, 3]


@pytest.mark.usefixtures("prices")
async def test_the_history_has_an_extent(http: httpx.AsyncClient, connection: Connection) -> None:
    extent = await found(http, "/queues/prices/history")
    assert extent == {
        "history": "prices.history",
        "history_from": extent["history_from"],
        "history_to": extent["history_to"],
        "records": 5,
        "base_records": 0,
        "is_whole": True,
    }
    told = await connection.queue("prices").history_extent()
    assert told is not None
    assert extent["history_from"] == print_time(told.first_ms) <= extent["history_to"]


async def test_a_history_that_has_dropped_records_is_known_from_its_oldest_one(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    await connection.declare("short", max_messages=2, when_full="drop-oldest")
    queue = await connection.declare("prices", lvq_key="symbol", history="short")
    for number in range(9):
        await queue.send(Message(number, {"symbol": "AB"[number % 2]}))
    extent = await found(http, "/queues/prices/history")
    assert (extent["records"], extent["is_whole"]) == (2, True)
    then = await found(http, f"/queues/prices/as-of?moment={extent['history_from']}")
    assert {each["key"] for each in then["values"]} == {"A", "B"}
    assert then["history_from"] == extent["history_from"]
    # What it was told before that is not known.
    answer = await http.get("/queues/prices/as-of?moment=2001-01-01")
    assert answer.status_code == 404
    assert "begins after" in answer.json()["detail"]


@pytest.mark.usefixtures("prices")
async def test_diff_is_what_changed(http: httpx.AsyncClient, connection: Connection) -> None:
    start = await moment_before_others(http)
    await connection.queue("prices").send(Message(4, {"symbol": "B"}))
    (change,) = (await found(http, f"/queues/prices/diff?from={start}"))["changes"]
    assert (change["change"], change["key"], change["before"], change["body"], change["reason"]) == (
        "replaced",
        "B",
        2,
        4,
        "replaced",
    )


@pytest.mark.usefixtures("prices")
async def test_timelines_are_of_the_queue_and_of_a_key(http: httpx.AsyncClient) -> None:
    whole = (await found(http, "/queues/prices/timeline"))["records"]
    assert [each["effect"] for each in whole] == ["declared", "added", "added", "added", "removed"]
    assert {each["key"] for each in whole} == {None, "A", "B"}
    of_a_key = await found(http, "/queues/prices/keys/B/timeline?newest_first=true")
    assert [(each["effect"], each["body"]) for each in of_a_key["records"]] == [
        ("added", 2),
        ("declared", None),
    ]


@pytest.mark.usefixtures("prices")
@pytest.mark.parametrize(
    ("resource", "items"),
    [
        ("as-of", "values"),
        ("diff?from=-1ms", "changes"),
        ("timeline", "records"),
        ("keys/A/timeline", "records"),
    ],
)
async def test_pages_lead_to_the_next_of_the_same_times(
    http: httpx.AsyncClient, connection: Connection, resource: str, items: str
) -> None:
    path = f"/queues/prices/{resource}"
    if "diff" in resource:
        began = await moment_before_others(http)
        for number in range(4):
            await connection.queue("prices").send(Message(number, {"symbol": f"new {number}"}))
        path = f"/queues/prices/diff?from={began}"
    whole = await found(http, path)
    paged = []
    page = await found(http, path + ("&" if "?" in path else "?") + "limit=1")
    paged += page[items]
    while "next" in page:
        page = await found(http, page["next"])
        paged += page[items]
    assert len(paged) > 1
    assert paged == whole[items]


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("/queues/plain/as-of", 404, "has no history"),
        ("/queues/missing/as-of", 404, "no queue named 'missing'"),
        ("/queues/missing/history", 404, "no queue named 'missing'"),
        ("/queues/plain/history", 404, "has no history"),
        ("/queues/prices/as-of?moment=soon", 422, "moment"),
        ("/queues/prices/as-of?moment=2999-01-01", 422, "2999"),
        ("/queues/prices/as-of?moment=1999-01-01", 404, "begins"),
        ("/queues/prices/diff", 422, "from"),
        ("/queues/prices/diff?from=now&to=-5m", 422, "before"),
        ("/queues/prices/timeline?limit=0", 422, "limit"),
        ("/queues/prices/timeline?order=x", 422, "order"),
    ],
)
@pytest.mark.usefixtures("prices")
async def test_what_cannot_be_looked_back_at_is_a_problem(
    http: httpx.AsyncClient, connection: Connection, path: str, status: int, told: str
) -> None:
    await connection.declare("plain")
    answer = await http.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert told in answer.json()["detail"]


@pytest.mark.usefixtures("prices")
async def test_tables_have_what_the_broker_no_longer_has(
    url: str, connection: Connection, tmp_path: Path
) -> None:
    await land_history(url, tmp_path, ["prices"], LandingOptions(until_now=True))
    assert await connection.purge("prices.history") == 5
    gateway = make_gateway(GatewaySettings(url=url, tables=tmp_path))
    async with (
        gateway.router.lifespan_context(gateway),
        httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url="http://localhost") as http,
    ):
        assert (await found(http, "/queues/prices/as-of"))["total"] == 2
        await connection.delete("prices")
        gone = await found(http, "/queues/prices/timeline")
    assert [each["effect"] for each in gone["records"]][:-3] == ["declared", *["added"] * 3, "removed"]
    assert gone["records"][-1]["effect"] == "deleted"


@pytest.fixture
async def guarded(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A gateway before a broker where bob may browse `prices` and its history, and `secret` without it."""
    users = Users(tmp_path / "users.toml")
    users.put("ann", "a", ("all *",))
    users.put("bob", "b", ("browse prices", "browse prices.history", "browse secret", "configure closed"))
    options = ServerOptions(port=0, users_file=tmp_path / "users.toml", anonymous=False)
    async with BrokerServer(options) as server:
        url = f"amqp://127.0.0.1:{server.port}"
        async with connect(url.replace("//", "//ann:a@")) as ann:
            for name in ("prices", "secret", "closed"):
                await ann.declare(name, history=f"{name}.history")
        gateway = make_gateway(GatewaySettings(url=url, tables=tmp_path / "tables"))
        async with (
            gateway.router.lifespan_context(gateway),
            httpx.AsyncClient(
                transport=httpx.ASGITransport(gateway), base_url="http://localhost", auth=("bob", "b")
            ) as http,
        ):
            yield http


@pytest.mark.parametrize(
    ("queue", "status"), [("prices", 200), ("secret", 403), ("closed", 403), ("prices.gone", 403)]
)
async def test_the_right_to_browse_a_queue_and_its_history_decides(
    guarded: httpx.AsyncClient, queue: str, status: int
) -> None:
    for resource in ("as-of", "timeline", "keys/A/timeline", "diff?from=now"):
        assert (await guarded.get(f"/queues/{queue}/{resource}")).status_code == status, resource
