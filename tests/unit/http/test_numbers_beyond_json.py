"""NaN and the infinities are text wherever JSON leaves the broker (RFC 8259 has no such numbers)."""

import asyncio
import json
from math import inf, nan
from typing import Any

import httpx
import pytest

from lastvalue.cli.app import run
from lastvalue.client import Connection, Message, Queue

ODD = {"bid": nan, "ask": [inf, -inf, 1.5]}
SHOWN = {"bid": "NaN", "ask": ["Infinity", "-Infinity", 1.5]}
OBJECTS = "/api/latest/queue/default/default/prices"


def strict(text: str | bytes) -> Any:
    """The value of a text that is JSON by RFC 8259."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} in {text!r}")

    return json.loads(text, parse_constant=refuse)


def holds(document: object) -> bool:
    """Whether the odd body is somewhere in a document, as JSON or as a text of JSON."""
    if document == SHOWN:
        return True
    if isinstance(document, str) and document.startswith("{"):
        return bool(strict(document) == SHOWN)
    inner = (
        document.values() if isinstance(document, dict) else document if isinstance(document, list) else ()
    )
    return any(holds(each) for each in inner)


@pytest.fixture
async def prices(connection: Connection) -> Queue:
    await connection.declare("prices.past")
    queue = await connection.declare("prices", lvq_key="symbol", history="prices.past")
    await queue.send(Message(ODD, {"symbol": "A", "odd": nan}))
    return queue


@pytest.mark.parametrize(
    "path",
    [
        "/queues/prices/keys/A",
        "/queues/prices/keys/A?raw=true",
        "/queues/prices/keys",
        "/queues/prices/messages",
        "/queues/prices/keys/A/timeline",
        f"{OBJECTS}/getMessageContent?messageId=1&returnJson=true",
    ],
)
async def test_each_answer_is_json(http: httpx.AsyncClient, prices: Queue, path: str) -> None:
    answer = await http.get(path, headers={"Accept": "application/json"})
    assert answer.status_code == 200, answer.text
    assert holds(strict(answer.content))


async def test_messages_by_the_rabbitmq_api_are_json(http: httpx.AsyncClient, prices: Queue) -> None:
    asked = {"count": 1, "ackmode": "ack_requeue_true", "encoding": "auto"}
    answer = await http.post("/api/queues/%2F/prices/get", json=asked)
    assert holds(strict(answer.content))


async def test_followers_get_json(served: httpx.AsyncClient, prices: Queue) -> None:
    async with served.stream("GET", "/queues/prices/follow") as events:
        data = [line async for line in _first(events)]
    assert holds(strict(data[0].removeprefix("data: ")))


async def _first(events: httpx.Response) -> Any:
    async for line in events.aiter_lines():
        if line.startswith("data: "):
            yield line
            return


@pytest.mark.parametrize("body", [b'{"body": NaN}', b'{"body": {"a": [-Infinity]}}'])
async def test_json_with_such_a_number_is_refused(
    http: httpx.AsyncClient, prices: Queue, body: bytes
) -> None:
    media_type = {"Content-Type": "application/json"}
    answer = await http.put("/queues/prices/keys/B", content=body, headers=media_type)
    assert answer.status_code == 422
    assert "is not a value of JSON" in answer.text


@pytest.mark.parametrize("line", ["get prices A", "browse prices", "timeline prices A"])
async def test_the_command_line_prints_json(
    prices: Queue, url: str, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    assert await asyncio.to_thread(run, [*line.split(), "--output", "jsonl", "--url", url]) == 0
    assert any(holds(strict(each)) for each in capsys.readouterr().out.splitlines())
