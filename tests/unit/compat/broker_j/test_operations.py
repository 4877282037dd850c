"""The operations of Broker-J's REST API."""

from typing import Any

import httpx
import pytest

from lastvalue.client import Connection, Message, Queue

QUEUES = "/api/latest/queue/default/default"


@pytest.fixture
async def source(connection: Connection) -> Queue:
    queue = await connection.declare("source", priorities=10)
    await connection.declare("target")
    for number, priority in ((1, 5), (2, 6), (3, 1)):
        await queue.send(Message(str(number), {"id": str(number), "index": number}, priority=priority))
    return queue


async def bodies(queue: Queue) -> str:
    async with queue.browse() as browser:
        return "".join([str(message.body) async for message in browser])


async def run(http: httpx.AsyncClient, operation: str, **arguments: Any) -> Any:
    answer = await http.post(f"{QUEUES}/source/{operation}", json=arguments)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_messages_are_moved_by_their_ids(
    http: httpx.AsyncClient, connection: Connection, source: Queue
) -> None:
    """S-213."""
    assert await run(http, "moveMessages", destination="target", messageIds=[1, 3]) == [1, 3]
    assert (await bodies(source), await bodies(connection.queue("target"))) == ("2", "13")


async def test_messages_are_moved_by_a_selector(
    http: httpx.AsyncClient, connection: Connection, source: Queue
) -> None:
    """S-214."""
    assert await run(http, "moveMessages", destination="target", selector="index % 2 = 0") == [2]
    assert (await bodies(source), await bodies(connection.queue("target"))) == ("13", "2")


async def test_all_messages_are_copied(
    http: httpx.AsyncClient, connection: Connection, source: Queue
) -> None:
    """S-215."""
    assert len(await run(http, "copyMessages", destination="target")) == 3
    assert [(await connection.queue(name).info()).depth for name in ("source", "target")] == [3, 3]


async def test_messages_are_deleted_and_a_queue_is_cleared(http: httpx.AsyncClient, source: Queue) -> None:
    """S-217."""
    assert await run(http, "deleteMessages", limit=1) == [1]
    assert await run(http, "clearQueue") == 2
    assert (await source.info()).depth == 0


async def test_a_scheduled_message_is_deleted_like_others(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    """S-113."""
    queue = await connection.declare("source")
    await queue.send(Message("later", annotations={"x-opt-delivery-delay": 60_000}))
    assert (await queue.info()).available == 0
    assert await run(http, "deleteMessages", messageIds=[1]) == [1]
    assert (await queue.info()).depth == 0


async def test_one_message_gets_another_priority(http: httpx.AsyncClient, source: Queue) -> None:
    """S-127."""
    assert await bodies(source) == "213"
    new_id = await run(http, "reenqueueMessageForPriorityChange", messageId=3, newPriority=10)
    assert await bodies(source) == "321"
    info = await http.get(f"{QUEUES}/source/getMessageInfoById", params={"messageId": new_id})
    assert (info.json()["priority"], info.json()["headers"]["id"]) == (10, "3")
    assert await run(http, "reenqueueMessageForPriorityChange", messageId=99, newPriority=1) == -1


async def test_messages_get_another_priority_by_a_selector(http: httpx.AsyncClient, source: Queue) -> None:
    """S-128."""
    changed = await run(
        http, "reenqueueMessagesForPriorityChange", selector="id in ('3','1')", newPriority=10
    )
    assert (len(changed), await bodies(source)) == (2, "132")


async def test_a_value_gets_another_priority(http: httpx.AsyncClient, connection: Connection) -> None:
    """S-067."""
    values = await connection.declare("source", lvq_key="symbol", priorities=10)
    await values.send(Message("m1", {"symbol": "A"}))
    assert await run(http, "reenqueueMessageForPriorityChange", messageId=1, newPriority=7) == 2
    assert (await values.info()).depth == 1


async def test_messages_are_described(http: httpx.AsyncClient, connection: Connection) -> None:
    """S-218."""
    queue = await connection.declare("source")
    await queue.send(Message("x", {"a": 1}, group_id="g", message_id="m", ttl_ms=60000, durable=True))
    await queue.send(Message("y"))
    answer = await http.get(f"{QUEUES}/source/getMessageInfo", params={"includeHeaders": "true"})
    assert answer.headers["content-range"] == "messages 0-1/2"
    first, second = answer.json()
    assert (first["id"], first["headers"], first["groupId"], first["state"]) == (
        1,
        {"a": 1},
        "g",
        "Available",
    )
    assert first["expirationTime"] == first["arrivalTime"] + 60000
    assert (second["id"], second["persistent"]) == (2, False)
    page = await http.get(f"{QUEUES}/source/getMessageInfo", params={"first": "1", "last": "1"})
    assert [each["id"] for each in page.json()] == [2]
    assert "headers" not in page.json()[0]


async def test_what_a_consumer_holds_is_described_first(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    """S-218."""
    queue = await connection.declare("source")
    await queue.send_many([Message(text, {"a": text}) for text in "abc"])
    async with queue.receive(limit=1) as receiver:
        delivery = await anext(receiver)
        answer = await http.get(f"{QUEUES}/source/getMessageInfo")
        assert answer.headers["content-range"] == "messages 0-2/3"
        assert [(each["id"], each["state"]) for each in answer.json()] == [
            (1, "Acquired"),
            (2, "Available"),
            (3, "Available"),
        ]
        assert "deliveredTo" in answer.json()[0]
        assert "deliveredTo" not in answer.json()[1]
        page = await http.get(f"{QUEUES}/source/getMessageInfo", params={"first": "1", "last": "1"})
        assert [each["id"] for each in page.json()] == [2]
        one = await http.get(f"{QUEUES}/source/getMessageInfoById", params={"messageId": "1"})
        assert (one.json()["state"], one.json()["headers"]) == ("Acquired", {"a": "a"})
        held = (await http.get("/queues/source/messages", params={"held": "true"})).json()["messages"]
        assert [(each["sequence"], each["body"], "held_by" in each) for each in held] == [(1, "a", True)]
        delivery.accept()
    assert (await http.get("/queues/source/messages?held=true")).json() == {"messages": [], "next": None}
    assert (await http.get("/queues/source/messages?held=true&selector=a")).status_code == 422


@pytest.mark.parametrize(
    ("body", "media_type", "content"),
    [
        ({"a": [1, 2.5]}, "application/json", b'{"a": [1, 2.5]}'),
        ([1, "two"], "application/json", b'[1, "two"]'),
        (b"\x00\xff", "application/octet-stream", b"\x00\xff"),
        ("text", "text/plain; charset=utf-8", b"text"),
    ],
)
async def test_the_content_of_a_message(
    http: httpx.AsyncClient, connection: Connection, body: object, media_type: str, content: bytes
) -> None:
    """S-219."""
    queue = await connection.declare("source")
    await queue.send(Message(body))
    query = {"messageId": "1", "returnJson": "true"}
    answer = await http.get(f"{QUEUES}/source/getMessageContent", params=query)
    assert (answer.headers["content-type"], answer.content) == (media_type, content)
    part = await http.get(f"{QUEUES}/source/getMessageContent", params={**query, "limit": "1"})
    assert (part.content, part.headers["x-content-truncated"]) == (content[:1], "true")
    assert (await http.get(f"{QUEUES}/source/getMessageContent?messageId=9")).status_code == 404


@pytest.mark.parametrize("content", ["", "text", {"a": 1}, [1, "two"], None])
async def test_a_message_is_published(
    http: httpx.AsyncClient, connection: Connection, content: object
) -> None:
    """S-220."""
    queue = await connection.declare("q")
    message = {"address": "q", "content": content, "headers": {"h": 1}, "priority": 7, "messageId": "m"}
    answer = await http.post("/api/latest/virtualhost/d/d/publishMessage", json={"message": message})
    assert (answer.status_code, answer.json()) == (200, 1)
    async with queue.browse() as browser:
        got = await anext(browser)
    assert (got.body, got.properties, got.priority, got.message_id) == (content, {"h": 1}, 7, "m")


async def test_a_published_message_may_be_base64_and_expires_when_it_says(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    queue = await connection.declare("q")
    expires_ms = await connection.clock_ms() + 60_000
    message = {
        "address": "q",
        "content": "/wA=",
        "contentTransferEncoding": "base64",
        "expiration": expires_ms,
    }
    await http.post("/api/latest/virtualhost/d/d/publishMessage", json={"message": message})
    async with queue.browse() as browser:
        got = await anext(browser)
    assert got.body == b"\xff\x00"
    assert got.ttl_ms is not None
    assert 0 < got.ttl_ms <= 60_000


async def test_an_exchange_is_bound_and_unbound(http: httpx.AsyncClient, connection: Connection) -> None:
    queue = await connection.declare("q")
    path = "/api/latest/exchange/default/default/amq.topic"
    arguments = {"destination": "q", "bindingKey": "a.#"}
    assert (await http.post(f"{path}/bind", json=arguments)).json() is True
    await connection.queue("amq.topic").send(Message("x", subject="a.b"))
    assert (await queue.info()).depth == 1
    assert (await http.post(f"{path}/unbind", json=arguments)).json() is True
    assert (await http.post(f"{path}/unbind", json=arguments)).status_code == 404


async def test_statistics_are_told_by_name(http: httpx.AsyncClient, source: Queue) -> None:
    path = f"{QUEUES}/source/getStatistics"
    assert (await http.get(path)).json()["totalEnqueuedMessages"] == 3
    one = await http.post(path, json={"statistics": ["queueDepthMessages"]})
    assert one.json() == {"queueDepthMessages": 3}
    in_url = await http.get(path, params={"statistics": '["queueDepthMessages"]'})
    assert in_url.json() == {"queueDepthMessages": 3}
    assert (await http.get(path, params={"statistics": "[queueDepth"})).status_code == 422


@pytest.mark.parametrize(
    ("operation", "arguments", "status", "detail"),
    [
        ("moveMessages", {}, 422, "destination"),
        ("moveMessages", {"destination": "missing"}, 404, "missing"),
        ("copyMessages", {"destination": "target", "messageIds": "1"}, 422, "messageIds"),
        ("deleteMessages", {"selector": "="}, 422, "selector"),
        ("deleteMessages", {"limit": "many"}, 422, "limit"),
        ("reenqueueMessageForPriorityChange", {"messageId": 1, "newPriority": 999}, 422, "newPriority"),
        ("getMessageInfoById", {}, 422, "messageId"),
        ("resetStatistics", {}, 501, "never reset"),
    ],
)
async def test_wrong_arguments_are_named(
    http: httpx.AsyncClient,
    source: Queue,
    operation: str,
    arguments: dict[str, Any],
    status: int,
    detail: str,
) -> None:
    answer = await http.post(f"{QUEUES}/source/{operation}", json=arguments)
    assert (answer.status_code, detail in answer.json()["errorMessage"]) == (status, True), answer.text
    assert (await source.info()).depth == 3
