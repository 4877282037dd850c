"""The messages of a queue over HTTP."""

import httpx
import pytest

from lastvalue.client import Connection, Message, Queue


@pytest.fixture
async def orders(connection: Connection) -> Queue:
    queue = await connection.declare("orders")
    await connection.declare("other", max_messages=1, when_full="refuse")
    await queue.send_many([Message(str(number), {"number": number}) for number in (1, 2, 3)])
    return queue


async def bodies(queue: Queue) -> list[object]:
    async with queue.browse() as browser:
        return [message.body async for message in browser]


async def test_messages_are_listed_in_pages_and_stay(http: httpx.AsyncClient, orders: Queue) -> None:
    first = (await http.get("/queues/orders/messages", params={"limit": 2})).json()["messages"]
    assert [(each["sequence"], each["body"]) for each in first] == [(1, "1"), (2, "2")]
    rest = (await http.get("/queues/orders/messages", params={"after": 2})).json()["messages"]
    assert [each["properties"] for each in rest] == [{"number": 3}]
    chosen = await http.get("/queues/orders/messages", params={"selector": "number > 1"})
    assert [each["body"] for each in chosen.json()["messages"]] == ["2", "3"]
    assert await bodies(orders) == ["1", "2", "3"]


async def test_messages_are_moved_and_those_that_do_not_fit_stay(
    http: httpx.AsyncClient, connection: Connection, orders: Queue
) -> None:
    chosen = {"destination": "other", "selector": "number >= 2"}
    moved = await http.post("/queues/orders/messages/move", json=chosen)
    assert moved.json() == {"messages": 1, "stayed": [3]}
    assert (await bodies(orders), await bodies(connection.queue("other"))) == (["1", "3"], ["2"])


async def test_messages_are_copied(http: httpx.AsyncClient, connection: Connection, orders: Queue) -> None:
    chosen = {"destination": "other", "sequences": [2]}
    copied = await http.post("/queues/orders/messages/copy", json=chosen)
    assert copied.json() == {"messages": 1, "stayed": []}
    assert (await bodies(orders), await bodies(connection.queue("other"))) == (["1", "2", "3"], ["2"])


async def test_messages_are_deleted(http: httpx.AsyncClient, orders: Queue) -> None:
    deleted = await http.post("/queues/orders/messages/delete", json={"limit": 2})
    assert deleted.json()["messages"] == 2
    assert await bodies(orders) == ["3"]


async def test_dead_letters_go_back_to_the_queue_that_they_left(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    await connection.declare("failed")
    queue = await connection.declare("work", alternate="failed", max_delivery_attempts=1)
    await queue.send(Message("task"))
    async with queue.receive() as receiver:
        (await anext(receiver)).reject()
    async with connection.queue("failed").receive() as receiver:
        (await anext(receiver)).release()
    assert (await http.post("/queues/failed/messages/retry", json={"all": True})).json()["messages"] == 1
    assert (await bodies(queue), await bodies(connection.queue("failed"))) == (["task"], [])


@pytest.mark.parametrize(
    ("path", "body", "status", "detail"),
    [
        ("orders/messages/delete", {}, 422, "say which messages"),
        ("orders/messages/delete", {"all": True, "limit": 1}, 422, "say which messages"),
        ("orders/messages/delete", {"sequences": [0]}, 422, "sequences.0"),
        ("orders/messages/delete", {"selector": "number >"}, 422, "number >"),
        ("orders/messages/move", {"all": True}, 422, "destination"),
        ("orders/messages/move", {"all": True, "destination": "missing"}, 404, "missing"),
        ("missing/messages/delete", {"all": True}, 404, "missing"),
        ("orders/messages/retry", {"al": True}, 422, "al"),
    ],
)
async def test_what_is_wrong_is_a_problem_that_names_it_and_changes_nothing(
    http: httpx.AsyncClient, orders: Queue, path: str, body: object, status: int, detail: str
) -> None:
    answer = await http.post(f"/queues/{path}", json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert detail in answer.json()["detail"]
    assert await bodies(orders) == ["1", "2", "3"]
