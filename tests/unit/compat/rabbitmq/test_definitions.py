"""Whether the broker would take a file of definitions, asked before anything changes."""

from typing import Any

import httpx
import pytest

QUEUE, EXCHANGE, PERMISSION = {"name": "fine"}, {"name": "news", "type": "topic"}, {"user": "bob"}


def bound(source: str, destination: str, **arguments: object) -> dict[str, Any]:
    return {"source": source, "destination": destination, "arguments": arguments}


@pytest.mark.parametrize(
    ("part", "status", "named"),
    [
        ({"queues": [QUEUE, {"name": "odd", "arguments": {"x-colour": "red"}}]}, 400, "queue 'odd'"),
        ({"queues": [QUEUE, {"name": "there", "durable": False}]}, 400, "queue 'there'"),
        ({"queues": [QUEUE, {"name": "fine", "durable": False}]}, 400, "'fine' is there twice"),
        ({"exchanges": [EXCHANGE, {"name": "odd", "type": "sideways"}]}, 400, "exchange 'odd'"),
        ({"exchanges": [EXCHANGE, {"name": "qpid.mine"}]}, 400, "exchange 'qpid.mine'"),
        ({"bindings": [bound("amq.topic", "there"), bound("news", "there")]}, 404, "'there' to 'news'"),
        ({"bindings": [bound("amq.topic", "nosuch")]}, 404, "'nosuch' to 'amq.topic'"),
        ({"bindings": [bound("amq.match", "there", **{"x-match": "most"})]}, 400, "x-match"),
        ({"users": [{"name": "eve", "password": "e\x07"}]}, 400, "password"),
        ({"permissions": [{"user": "eve", "configure": "", "write": "", "read": ""}]}, 404, "user 'eve'"),
    ],
)
async def test_what_the_broker_would_refuse_changes_nothing(
    admin: httpx.AsyncClient, part: dict[str, Any], status: int, named: str
) -> None:
    assert (await admin.put("/api/queues/%2F/there", json={})).status_code == 201
    before = (await admin.get("/api/definitions")).json()
    users = [{"name": "dan", "password": "d"}, *part.get("users", [])]
    refused = await admin.post("/api/definitions", json={"queues": [QUEUE], **part, "users": users})
    assert (refused.status_code, named in refused.json()["detail"]) == (status, True), refused.text
    assert (await admin.get("/api/definitions")).json() == before


async def test_what_a_file_declares_itself_counts_as_there(admin: httpx.AsyncClient) -> None:
    file = {
        "exchanges": [EXCHANGE, {"name": "late", "arguments": {"alternate-exchange": "news"}}],
        "queues": [{"name": "dead"}, {"name": "q", "arguments": {"alternate": "dead"}}],
        "bindings": [bound("news", "q"), bound("late", "news")],
    }
    assert (await admin.post("/api/definitions", json=file)).status_code == 204
    shown = (await admin.get("/api/definitions")).json()
    assert len(shown["bindings"]) == 2


async def test_a_user_without_rights_changes_nothing(admin: httpx.AsyncClient) -> None:
    bob = httpx.BasicAuth("bob", "b")
    refused = await admin.post("/api/definitions", json={"queues": [QUEUE]}, auth=bob)
    assert (refused.status_code, "queue 'fine'" in refused.json()["detail"]) == (401, True)
    assert (await admin.get("/api/queues/%2F/fine")).status_code == 404
