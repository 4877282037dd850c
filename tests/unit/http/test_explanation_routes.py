"""What became of messages, over HTTP."""

import httpx
import pytest

from lastvalue.client import Connection, Message


@pytest.fixture
async def prices(connection: Connection) -> None:
    queue = await connection.declare("prices", lvq_key="symbol", removal_log=10)
    for number in range(2):
        await queue.send(Message(number, {"symbol": "A"}))
    await queue.send(Message(2, {"symbol": 7}))
    await queue.delete("A")


async def test_a_key_tells_what_became_of_its_values(http: httpx.AsyncClient, prices: None) -> None:
    told = (await http.get("/queues/prices/why", params={"key": "A"})).json()
    assert [each["reason"] for each in told["found"]] == ["key_deleted", "replaced"]
    assert (told["remembers"], told["last"]) == (10, 3)
    assert told["found"][1]["text"].endswith("2")


@pytest.mark.parametrize(
    ("asked", "sequences"),
    [({"sequence": 1}, [1]), ({"key": "7", "type": "integer"}, [3]), ({"key": "7"}, [])],
)
async def test_a_sequence_and_a_key_of_any_type_are_asked_for(
    http: httpx.AsyncClient, prices: None, asked: dict[str, str], sequences: list[int]
) -> None:
    told = (await http.get("/queues/prices/why", params=asked)).json()
    assert [each["sequence"] for each in told["found"]] == sequences


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({}, 422),
        ({"key": "A", "sequence": 1}, 422),
        ({"sequence": 0}, 422),
        ({"key": "x", "type": "integer"}, 422),
    ],
)
async def test_what_is_asked_wrongly_is_refused(
    http: httpx.AsyncClient, prices: None, asked: dict[str, str], status: int
) -> None:
    assert (await http.get("/queues/prices/why", params=asked)).status_code == status


async def test_a_queue_that_is_not_there_is_not_found(http: httpx.AsyncClient) -> None:
    assert (await http.get("/queues/none/why", params={"key": "A"})).status_code == 404
