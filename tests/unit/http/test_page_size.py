"""lastvalue.http.page_size: an answer with large messages is short, and says where the next one begins."""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from lastvalue.client import Connection, Message, QueueInfo
from lastvalue.http import page_size
from lastvalue.http.page_size import ahead_of
from lastvalue.model.admission import PAGE_BYTES

KEYS = [f"k{number}" for number in range(9)]
BODIES: list[Any] = ["x" * 1000, [1] * 400, {"a": "y" * 1000}]


@pytest.fixture(autouse=True)
def _pages_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_size, "PAGE_BYTES", replace(PAGE_BYTES, most=1500))
    monkeypatch.setattr(page_size, "_FIRST_PART", 2)


async def pages(http: httpx.AsyncClient, path: str, asked: dict[str, Any]) -> list[int]:
    """How many messages each page has."""
    sizes = []
    following: dict[str, Any] | None = asked
    while following is not None:
        answer = (await http.get(path, params=following)).raise_for_status().json()
        sizes.append(len(answer.get("messages", answer.get("values"))))
        following = answer["next"]
    return sizes


@pytest.mark.parametrize("body", BODIES, ids=["text", "list", "map"])
@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ({}, {}),
        ({}, {"selector": "k <> 'no'"}),
        ({"lvq_key": "k"}, {}),
        ({"lvq_key": "k", "lvq_placement": "in-place"}, {}),
        ({"lvq_key": "k", "lvq_placement": "in-place"}, {"after": 0}),
        ({"lvq_key": "k"}, {"key": KEYS}),
    ],
    ids=["queue", "selector", "values", "own order", "by sequence", "keys"],
)
async def test_every_page_is_short_and_they_have_all_messages(
    http: httpx.AsyncClient, connection: Connection, options: dict[str, Any], asked: dict[str, Any], body: Any
) -> None:
    queue = await connection.declare("q", **options)
    await queue.send_many([Message(body, {"k": key}) for key in KEYS])
    path = "/queues/q/keys" if options else "/queues/q/messages"
    sizes = await pages(http, path, asked)
    assert max(sizes) <= 2
    assert sum(sizes) >= len(KEYS)


async def test_messages_that_consumers_have_come_on_short_pages(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    queue = await connection.declare("q")
    await queue.send_many([Message("x" * 1000) for _ in KEYS])
    async with queue.receive(limit=len(KEYS)) as receiver:
        deliveries = [await anext(receiver) for _ in KEYS]
        sizes = await pages(http, "/queues/q/messages", {"held": "true"})
        assert (max(sizes), sum(sizes)) == (2, len(KEYS))
        for each in deliveries:
            each.release()


@pytest.mark.parametrize(
    ("mode", "left"), [("ack_requeue_true", 9), ("ack_requeue_false", 7), ("reject_requeue_true", 9)]
)
async def test_what_rabbitmq_s_api_gets_is_short_and_nothing_comes_twice(
    http: httpx.AsyncClient, connection: Connection, mode: str, left: int
) -> None:
    queue = await connection.declare("q")
    await queue.send_many([Message(f"{key} {'x' * 1000}") for key in KEYS])
    asked = {"count": 9, "ackmode": mode, "encoding": "auto"}
    got = (await http.post("/api/queues/%2F/q/get", json=asked)).raise_for_status().json()
    assert [each["payload"].split()[0] for each in got] == ["k0", "k1"]
    assert (await queue.info()).depth == left


@pytest.mark.parametrize(
    ("depth", "depth_bytes", "ahead"), [(3, 1500, 100), (4, 1600, 1), (1000, 100_000, 7), (10**6, 10**7, 16)]
)
def test_few_large_messages_are_on_their_way(depth: int, depth_bytes: int, ahead: int) -> None:
    info = QueueInfo("q", "standard", depth=depth, depth_bytes=depth_bytes)
    assert ahead_of(info, 100) == ahead
