"""Pages of messages: each message comes on one of them, and none looks at very many."""

from typing import Any

import httpx
import pytest

from lastvalue.client import Connection, Message, Wanted
from lastvalue.http import found_page

OWN_ORDERS: list[dict[str, Any]] = [
    {"type": "priority"},
    {"sort_key": "n"},
    {"lvq_key": "n", "lvq_placement": "in-place"},
    {"lvq_key": "n", "priorities": 10},
]


async def pages(http: httpx.AsyncClient, path: str, **asked: Any) -> list[list[int]]:
    """The sequences on each page, from the one that is asked for to the last."""
    found: list[list[int]] = []
    following: dict[str, Any] | None = asked
    while following is not None:
        answer = (await http.get(path, params=following)).raise_for_status().json()
        found.append([each["sequence"] for each in answer.get("messages", answer.get("values"))])
        following = answer["next"]
    return found


@pytest.fixture(autouse=True)
def _looks_at_ten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(found_page, "MOST_LOOKED_AT", 10)


@pytest.mark.parametrize("options", [{}, {"lvq_key": "n"}])
async def test_a_page_looks_at_so_many_messages_and_says_where_the_next_one_goes_on(
    http: httpx.AsyncClient, connection: Connection, options: dict[str, Any]
) -> None:
    queue = await connection.declare("q", **options)
    await queue.send_many([Message(number, {"n": number}) for number in range(1, 36)])
    path = "/queues/q/keys" if options else "/queues/q/messages"
    assert await pages(http, path, selector="n = 33") == [[], [], [], [33]]
    assert await pages(http, path, selector="n > 7 AND n < 16", limit=3) == [
        [8, 9, 10],
        [11, 12, 13],
        [14, 15],
        [],
        [],
    ]
    assert await pages(http, path, selector="n = 33", after=30) == [[33]]
    assert await pages(http, path, limit=20) == [[*range(1, 21)], [*range(21, 36)]]
    first = (await http.get(path, params={"selector": "n = 33", "limit": 5})).json()
    assert first["next"] == {"selector": "n = 33", "limit": 5, "after": 10}


@pytest.mark.parametrize("options", OWN_ORDERS)
async def test_pages_of_a_queue_with_an_order_of_its_own_go_by_sequence(
    http: httpx.AsyncClient, connection: Connection, options: dict[str, Any]
) -> None:
    queue = await connection.declare("q", **options)
    messages = [Message(number, {"n": number * 7 % 25}, priority=number % 10) for number in range(25)]
    await queue.send_many(messages)
    found = await pages(http, "/queues/q/messages", after=0, limit=10)
    assert [sorted(page) for page in found] == [[*range(1, 11)], [*range(11, 21)], [*range(21, 26)]]
    chosen = await pages(http, "/queues/q/messages", after=0, limit=10, selector="n < 12")
    expected = [number + 1 for number in range(25) if number * 7 % 25 < 12]
    assert sorted(sequence for page in chosen for sequence in page) == expected


async def test_the_first_page_of_a_queue_with_an_order_of_its_own_is_what_is_delivered_first(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    queue = await connection.declare("q", type="priority")
    await queue.send_many([Message(number, {"n": number}, priority=number % 10) for number in range(25)])
    first, *rest = await pages(http, "/queues/q/messages", limit=5)
    assert first == [10, 20, 9, 19, 8]
    assert sorted(sequence for page in rest for sequence in page) == [*range(1, 26)]


@pytest.mark.parametrize("options", OWN_ORDERS)
async def test_a_selector_looks_at_so_many_messages_of_a_queue_with_an_order_of_its_own(
    http: httpx.AsyncClient, connection: Connection, options: dict[str, Any]
) -> None:
    queue = await connection.declare("q", **options)
    await queue.send_many([Message(number, {"n": number}, priority=number % 10) for number in range(1, 11)])
    selected, *_ = await pages(http, "/queues/q/messages", limit=2, selector="n > 7")
    assert selected == [
        each.sequence async for each in queue.browse(wanted=Wanted(selector="n > 7"), limit=2)
    ]
    await queue.send_many([Message(number, {"n": number}, priority=number % 10) for number in range(11, 36)])
    assert await pages(http, "/queues/q/messages", selector="n = 33", limit=5) == [[], [], [], [33]]
    assert await pages(http, "/queues/q/messages", selector="n = 7", limit=2) == [[7], [], [], []]
    many = await pages(http, "/queues/q/messages", limit=2, selector="n > 4")
    assert sorted(sequence for page in many for sequence in page) == [*range(5, 36)]
    assert max(map(len, many)) == 2
