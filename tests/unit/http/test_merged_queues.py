"""The list of the queues of two brokers that divide some of them."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from divided_brokers import DividedBrokers

from lastvalue.client import Message, connect


@pytest.fixture
def brokers() -> Iterator[DividedBrokers]:
    with DividedBrokers() as brokers:
        yield brokers


@pytest.fixture
def url(brokers: DividedBrokers) -> str:
    return brokers.urls[0]


async def listed(http: httpx.AsyncClient, **asked: Any) -> list[list[tuple[str, str]]]:
    """The names and brokers of each page."""
    pages = []
    answer = (await http.get("/queues", params=asked)).json()
    while True:
        assert answer["unreachable"] == []
        pages.append([(queue["name"], queue["broker"]) for queue in answer["queues"]])
        if "next" not in answer:
            return pages
        answer = (await http.get(answer["next"])).json()


async def test_pages_by_name_have_the_queues_of_all_brokers(
    brokers: DividedBrokers, http: httpx.AsyncClient
) -> None:
    one, two = (url.removeprefix("amqp://") for url in brokers.urls)
    brokers.declare("divided.prices", lvq_key="k")
    for name in ("a", "c", "e"):
        brokers.declare_at(0, name)
    for name in ("b", "e", "f", "g", "h"):
        brokers.declare_at(1, name)
    both = [("divided.prices", each) for each in sorted((one, two))]
    own_of_both = [("e", each) for each in sorted((one, two))]
    whole = [("a", one), ("b", two), ("c", one), *both, *own_of_both, ("f", two), ("g", two), ("h", two)]
    for limit in range(1, 12):
        pages = await listed(http, limit=limit)
        assert [queue for page in pages for queue in page] == whole
        assert all(len(page) <= limit + 1 for page in pages)
    assert await listed(http, contains="e") == [[*both, *own_of_both]]
    assert await listed(http, after="g") == [[("h", two)]]


@pytest.mark.parametrize("limit", [1, 2, 3, 10])
async def test_pages_by_a_statistic_have_the_queues_of_all_brokers(
    brokers: DividedBrokers, http: httpx.AsyncClient, limit: int
) -> None:
    for number, (name, depth) in enumerate([("a", 3), ("b", 5), ("c", 1), ("d", 4), ("e", 0)]):
        brokers.declare_at(number % 2, name)
        async with connect(brokers.urls[number % 2]) as connection:
            await connection.queue(name).send_many(Message(each) for each in range(depth))
    ranked = [name for page in await listed(http, sort="-depth", limit=limit) for name, _ in page]
    assert ranked == ["b", "d", "a", "c", "e"]
    by_ratio = [name for page in await listed(http, sort="conflation_ratio", limit=limit) for name, _ in page]
    assert by_ratio == ["a", "b", "c", "d", "e"]


async def test_a_broker_that_is_away_is_named_and_the_others_are_listed(
    brokers: DividedBrokers, http: httpx.AsyncClient
) -> None:
    brokers.declare("divided.prices", lvq_key="k")
    brokers.stop(1)
    answer = (await http.get("/queues")).json()
    assert [queue["name"] for queue in answer["queues"]] == ["divided.prices"]
    ((lost),) = answer["unreachable"]
    assert (lost["broker"], lost["status"]) == (brokers.urls[1].removeprefix("amqp://"), 503)


async def test_each_broker_lists_what_the_caller_may_see_there(
    brokers: DividedBrokers, http: httpx.AsyncClient
) -> None:
    brokers.declare("divided.prices", lvq_key="k")
    brokers.declare("divided.secret", lvq_key="k")
    brokers.permit(1, "browse divided.prices")
    found = [queue for page in await listed(http) for queue in page]
    assert [name for name, _ in found] == ["divided.prices", "divided.prices", "divided.secret"]


async def test_a_session_lists_the_own_broker_and_is_told_of_the_others(
    brokers: DividedBrokers, http: httpx.AsyncClient
) -> None:
    brokers.declare("divided.prices", lvq_key="k")
    await http.post("/session", json={"user": "ann", "password": "secret"})
    answer = (await http.get("/queues")).json()
    assert [queue["name"] for queue in answer["queues"]] == ["divided.prices"]
    assert [each["status"] for each in answer["unreachable"]] == [421]


async def test_a_queue_is_shown_as_one_broker_has_it(
    brokers: DividedBrokers, http: httpx.AsyncClient
) -> None:
    brokers.declare("divided.prices", lvq_key="k")
    async with connect(brokers.urls[0]) as connection:
        prices = await connection.partitioned("divided.prices")
        await prices.send_many(Message(number, {"k": f"k{number}"}) for number in range(12))
        depths = [info.depth for info in await prices.info()]
    path = "/queues/divided.prices"
    shown = [(await http.get(path, params={"partition": number})).json()["depth"] for number in (0, 1)]
    assert shown == depths
    assert (await http.get(path)).json()["depth"] == depths[0]
    assert (await http.get(path, params={"partition": 2})).status_code == 404
