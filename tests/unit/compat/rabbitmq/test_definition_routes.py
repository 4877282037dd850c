"""RabbitMQ's definitions, exported and declared."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from lastvalue.client import connect
from lastvalue.server.users import Users

FILE: dict[str, Any] = {
    "rabbit_version": "3.13.0",
    "users": [{"name": "eve", "password": "e", "tags": ["monitoring"]}],
    "vhosts": [{"name": "/"}],
    "permissions": [{"user": "eve", "vhost": "/", "configure": "", "write": "^orders$", "read": ".*"}],
    "policies": [],
    "exchanges": [
        {"name": "news", "vhost": "/", "type": "topic", "durable": True, "arguments": {}},
        {"name": "inner", "type": "fanout", "durable": True, "internal": True, "arguments": {}},
        {"name": "amq.topic", "vhost": "/", "type": "topic", "durable": True, "arguments": {}},
    ],
    "queues": [{"name": "orders", "vhost": "/", "durable": True, "arguments": {"x-max-length": 5}}],
    "bindings": [
        {"source": "", "vhost": "/", "destination": "orders", "routing_key": "orders", "arguments": {}},
        {"source": "news", "vhost": "/", "destination": "orders", "routing_key": "a.#", "arguments": {}},
        {"source": "amq.match", "vhost": "/", "destination": "orders", "arguments": {}},
    ],
}


async def test_a_file_is_declared_and_written_again(admin: httpx.AsyncClient, users_file: Path) -> None:
    assert (await admin.post("/api/definitions", json=FILE)).status_code == 204
    shown = (await admin.get("/api/definitions")).json()
    exchanges = [(each["name"], each["internal"]) for each in shown["exchanges"]]
    assert exchanges == [("inner", True), ("news", False)]
    assert (shown["queues"][0]["name"], shown["queues"][0]["arguments"]["max_messages"]) == ("orders", 5)
    bound = [(each["source"], each["routing_key"], each["arguments"]) for each in shown["bindings"]]
    assert bound == [("amq.match", "", {"x-match": "all"}), ("news", "a.#", {})]
    assert {"name": "eve", "tags": ["monitoring"]} in shown["users"]
    assert [each["user"] for each in shown["permissions"]] == ["ann", "eve"]
    users = Users(users_file)
    users.load()
    assert users.check("eve", "e")
    # What was written has no passwords, so those that there are stay.
    assert (await admin.post("/api/definitions/%2F", json=shown)).status_code == 204
    users.load()
    assert users.check("eve", "e")
    assert (await admin.get("/api/definitions")).json() == shown


async def test_all_that_a_broker_has_is_written_so_that_it_can_be_sent_back(admin: httpx.AsyncClient) -> None:
    port = (await admin.get("/api/overview")).json()["listeners"][0]["port"]
    async with connect(f"amqp://ann:a@127.0.0.1:{port}") as connection:
        await connection.declare("ticks", lvq_key="symbol", order_by="n", history="ticks.history")
        await connection.declare("bars", lvq_key="k", conflation="sum(x)", conflation_interval_ms=1000)
        await connection.declare("urgent", priorities=4, default_ttl_ms=5000, alternate="ticks")
        await connection.declare_exchange("news", type="address")
        await connection.bind("news", "urgent", "")
        shown = (await admin.get("/api/definitions")).json()
        assert [(each["name"], each["type"]) for each in shown["exchanges"]] == [("news", "fanout")]
        assert (await admin.post("/api/definitions", json=shown)).status_code == 204
        await connection.unbind("news", "urgent", "")
        await connection.delete_exchange("news")
        for name in ("urgent", "bars", "ticks", "ticks.history"):
            await connection.delete(name)
        assert (await admin.post("/api/definitions", json=shown)).status_code == 204
    assert (await admin.get("/api/definitions")).json() == shown


@pytest.mark.parametrize(
    ("part", "field"),
    [
        ({"policies": [{"name": "p"}]}, "policies"),
        ({"queues": [{"name": "q", "vhost": "prod"}]}, "queues"),
        ({"queues": [{"vhost": "/"}]}, "queues.0.name"),
        ({"users": [{"name": "x", "password_hash": "AAAA"}]}, "users.0.password_hash"),
        ({"permissions": [{"user": "bob", "configure": "a+", "write": "", "read": ""}]}, "configure"),
    ],
)
async def test_a_file_that_is_wrong_changes_nothing(
    admin: httpx.AsyncClient, part: dict[str, Any], field: str
) -> None:
    before = (await admin.get("/api/definitions")).json()
    refused = await admin.post("/api/definitions", json={**FILE, **part})
    assert (refused.status_code, field in refused.json()["detail"]) == (400, True), refused.text
    assert (await admin.get("/api/definitions")).json() == before


@pytest.mark.parametrize(
    ("part", "status", "what"),
    [
        ({"queues": [{"name": "q", "arguments": {"history": "q"}}]}, 400, "queue 'q'"),
        (
            {
                "bindings": [
                    {"source": "news", "destination": "old", "routing_key": str(n)} for n in range(101)
                ]
            },
            429,
            "binding of 'old'",
        ),
    ],
    ids=["history", "bindings"],
)
async def test_what_only_the_declaration_shows_undoes_what_was_declared(
    admin: httpx.AsyncClient, part: dict[str, Any], status: int, what: str
) -> None:
    await admin.put("/api/queues/%2F/old", json={})
    kept = {"routing_key": "a", "arguments": {"x-match": "all", "n": 1}}
    await admin.post("/api/bindings/%2F/e/amq.match/q/old", json=kept)
    before = (await admin.get("/api/definitions")).json()
    replaced = {"source": "amq.match", "destination": "old", "routing_key": "a", "arguments": {"n": 2}}
    added = {**replaced, "routing_key": "b"}
    more = {"queues": [*FILE["queues"], *part.get("queues", [])]}
    more["bindings"] = [replaced, added, *FILE["bindings"], *part.get("bindings", [])]
    refused = await admin.post("/api/definitions", json={**FILE, **more})
    detail = refused.json()["detail"]
    assert (refused.status_code, what in detail, "nothing was declared" in detail) == (status, True, True), (
        detail
    )
    assert (await admin.get("/api/definitions")).json() == before


async def test_others_export_what_they_may_see(admin: httpx.AsyncClient) -> None:
    await admin.put("/api/queues/%2F/prices", json={})
    await admin.put("/api/queues/%2F/other", json={})
    shown = (await admin.get("/api/definitions", auth=httpx.BasicAuth("bob", "b"))).json()
    assert ([each["name"] for each in shown["queues"]], shown["users"]) == (["prices"], [])
