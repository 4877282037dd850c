"""A queue that two brokers have is followed at both of them."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager
from http import HTTPStatus
from typing import Any

import pytest
from divided_brokers import DividedBrokers

from lastvalue.client import Message, connect
from lastvalue.client.partitioned_queue import PartitionedQueue
from lastvalue.http.broker_access import BrokerAccess
from lastvalue.http.caller import ANONYMOUS, Caller
from lastvalue.http.follow_events import FollowBatch
from lastvalue.http.follow_partitions import UNKNOWN, follow_partitions
from lastvalue.http.follower import FollowTerms
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.problems import Problem

KEYS = [f"k{number}" for number in range(12)]
WITHIN_S = 30


class Events:
    """What a follower is told, until some event has come."""

    def __init__(self, batches: AsyncGenerator[FollowBatch]) -> None:
        self._batches = batches
        self.told: list[tuple[str, dict[str, Any], str | None]] = []

    async def until(self, ends: Callable[[str, dict[str, Any]], bool]) -> None:
        """Take events up to the one that ends it."""
        async with asyncio.timeout(WITHIN_S):
            while not any(ends(kind, data) for kind, data, _ in self.told):
                for event in (await anext(self._batches)).events:
                    self.told.append((event.kind, json.loads(event.data), event.token))

    async def until_complete(self, count: int = 2) -> None:
        """Take events until so many brokers have sent their values."""
        await self.until(lambda *_: len(self.of("snapshot-end")) >= count)

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The data of the events of a kind."""
        return [data for each, data, _ in self.told if each == kind]

    @property
    def values(self) -> dict[object, object]:
        """The newest value of each key."""
        return {data["key"]: data["body"] for data in self.of("value")}

    @property
    def place(self) -> str:
        """The id of the last event."""
        return self.told[-1][2] or ""


@pytest.fixture
def brokers() -> Iterator[DividedBrokers]:
    with DividedBrokers() as brokers:
        yield brokers


@pytest.fixture
async def access(brokers: DividedBrokers) -> AsyncIterator[BrokerAccess]:
    access = BrokerAccess(GatewaySettings(url=brokers.urls[0]))
    yield access
    assert access.followers == 0
    await access.close()


@pytest.fixture
async def prices(brokers: DividedBrokers) -> AsyncIterator[PartitionedQueue]:
    brokers.declare("divided.prices", lvq_key="k")
    async with connect(brokers.urls[0]) as connection:
        queue = await connection.partitioned("divided.prices")
        await queue.send_many(Message(number, {"k": key}) for number, key in enumerate(KEYS))
        yield queue


def callers(brokers: DividedBrokers) -> list[Caller | Problem]:
    return [
        Caller(leader=(url.removeprefix("amqp://"),)) if number else ANONYMOUS
        for number, url in enumerate(brokers.urls)
    ]


@asynccontextmanager
async def following(access: BrokerAccess, brokers: DividedBrokers, **terms: Any) -> AsyncIterator[Events]:
    asked = FollowTerms(**terms)
    async with aclosing(
        await follow_partitions(access, callers(brokers), "divided.prices", asked)
    ) as batches:
        yield Events(batches)


async def test_the_values_of_both_brokers_come_with_the_number_of_theirs(
    access: BrokerAccess, brokers: DividedBrokers, prices: PartitionedQueue
) -> None:
    async with following(access, brokers) as events:
        await events.until_complete()
        assert events.values == {key: number for number, key in enumerate(KEYS)}
        for value in events.of("value"):
            assert prices.partition_of(value["key"]) is prices.partitions[value["partition"]]
        ends = events.of("snapshot-end")
        assert sorted((end["partition"], end["partitions"], end["resumed"]) for end in ends) == [
            (0, 2, False),
            (1, 2, False),
        ]
        for body in (100, 101, 102):
            await prices.send_many(Message(body, {"k": key}) for key in KEYS)
        await events.until(lambda *_: set(events.values.values()) == {102})
    seen: dict[str, int] = {}
    for value in events.of("value"):
        assert value["sequence"] > seen.get(value["key"], 0)
        seen[value["key"]] = value["sequence"]


async def test_who_comes_back_gets_what_has_changed_at_both(
    access: BrokerAccess, brokers: DividedBrokers, prices: PartitionedQueue
) -> None:
    async with following(access, brokers) as events:
        await events.until_complete()
    changed = [next(key for key in KEYS if prices.partition_of(key) is part) for part in prices.partitions]
    await prices.put(changed[0], "new")
    await prices.delete(changed[1])
    async with following(access, brokers, last_event_id=events.place) as back:
        await back.until_complete()
        # A change may come to the gateway after the follower.
        await back.until(lambda *_: bool(back.values and back.of("removed")))
    assert back.values == {changed[0]: "new"}
    assert [told["key"] for told in back.of("removed")] == [changed[1]]
    assert [end["resumed"] for end in back.of("snapshot-end")] == [True, True]


async def test_who_was_cut_off_before_a_broker_had_sent_anything_gets_all_of_that_one(
    access: BrokerAccess, brokers: DividedBrokers, prices: PartitionedQueue
) -> None:
    async with following(access, brokers) as events:
        await events.until_complete()
    known = events.place.split(".")[0]
    async with following(access, brokers, last_event_id=f"{known}.{UNKNOWN}") as back:
        await back.until_complete()
    assert {data["partition"]: data["resumed"] for data in back.of("snapshot-end")} == {0: True, 1: False}
    assert back.values == {
        key: n for n, key in enumerate(KEYS) if prices.partition_of(key) is prices.partitions[1]
    }


@pytest.mark.parametrize("place", ["5-17-0", "5-17-0.5-17-0.5-17-0"])
async def test_a_place_at_another_number_of_brokers_is_none(
    access: BrokerAccess, brokers: DividedBrokers, prices: PartitionedQueue, place: str
) -> None:
    async with following(access, brokers, last_event_id=place) as events:
        await events.until_complete()
    assert events.values == {key: number for number, key in enumerate(KEYS)}
    assert [end["resumed"] for end in events.of("snapshot-end")] == [False, False]


async def test_a_broker_that_is_away_is_named_and_the_others_go_on(
    access: BrokerAccess, brokers: DividedBrokers, prices: PartitionedQueue
) -> None:
    own = next(key for key in KEYS if prices.partition_of(key) is prices.partitions[0])
    other = next(key for key in KEYS if prices.partition_of(key) is prices.partitions[1])
    async with following(access, brokers) as events:
        await events.until_complete()
        brokers.stop(1)
        await events.until(lambda kind, _: kind == "partition-lost")
        (lost,) = events.of("partition-lost")
        assert (lost["partition"], lost["partitions"], lost["status"]) == (1, 2, 503)
        await prices.put(own, "meanwhile")
        await events.until(lambda *_: events.values[own] == "meanwhile")
        place = events.place
        brokers.start_empty(1)
        brokers.declare("divided.prices", lvq_key="k")
        async with connect(brokers.urls[1]) as connection:
            await connection.queue("divided.prices").put(other, "again")
        await events.until_complete(3)
        end = events.of("snapshot-end")[-1]
        assert (end["partition"], end["resumed"]) == (1, False)
        assert events.values[other] == "again"
    assert len(events.of("partition-lost")) == 1
    async with following(access, brokers, last_event_id=place) as back:
        await back.until_complete()
    assert {data["partition"]: data["resumed"] for data in back.of("snapshot-end")} == {0: True, 1: False}


async def test_a_lost_connection_goes_on_where_it_was(
    access: BrokerAccess, brokers: DividedBrokers, prices: PartitionedQueue
) -> None:
    other = next(key for key in KEYS if prices.partition_of(key) is prices.partitions[1])
    async with following(access, brokers, rate=1e6) as events:
        await events.until_complete()
        async with connect(brokers.urls[1]) as connection:
            for each in await connection.statistics("connection"):
                if str(each["program"]).startswith("lastvalue-http"):
                    await connection.close_connection(str(each["name"]))
        await prices.put(other, "new")
        await events.until_complete(3)
        assert events.of("snapshot-end")[-1]["resumed"] is True
        await events.until(lambda *_: events.values[other] == "new")


async def test_who_may_not_read_at_one_broker_is_refused(
    access: BrokerAccess, brokers: DividedBrokers, prices: PartitionedQueue
) -> None:
    brokers.permit(1, "write divided.*")
    with pytest.raises(Problem, match=r"partition 1: .*may not browse") as refused:
        await follow_partitions(access, callers(brokers), "divided.prices", FollowTerms())
    assert refused.value.status_code == 403


async def test_a_right_that_is_taken_away_at_one_broker_ends_the_stream_with_the_reason(
    access: BrokerAccess, brokers: DividedBrokers, prices: PartitionedQueue
) -> None:
    async with following(access, brokers) as events:
        await events.until_complete()
        brokers.permit(1, "write divided.*")
        await events.until(lambda kind, _: kind == "error")
    (error,) = events.of("error")
    assert error["status"] == 403
    assert error["detail"].startswith("partition 1: ")


async def test_where_the_caller_does_not_get_is_named_once(
    access: BrokerAccess, brokers: DividedBrokers, prices: PartitionedQueue
) -> None:
    at: list[Caller | Problem] = [ANONYMOUS, Problem(HTTPStatus.MISDIRECTED_REQUEST, "ask another gateway")]
    async with aclosing(await follow_partitions(access, at, "divided.prices", FollowTerms())) as batches:
        events = Events(batches)
        await events.until_complete(1)
    assert events.of("partition-lost") == [
        {"partition": 1, "partitions": 2, "status": 421, "detail": "ask another gateway"}
    ]
    assert set(events.values) == {key for key in KEYS if prices.partition_of(key) is prices.partitions[0]}


async def test_a_rate_is_that_of_all_brokers_together(
    access: BrokerAccess, brokers: DividedBrokers, prices: PartitionedQueue
) -> None:
    async with following(access, brokers, rate=20) as events:
        began = asyncio.get_running_loop().time()
        await events.until_complete()
        took_s = asyncio.get_running_loop().time() - began
    # The first of each broker may come at once.
    assert len(events.of("value")) <= 20 * took_s + 4


async def test_who_does_not_read_is_sent_newest_values_and_little_waits(
    access: BrokerAccess, brokers: DividedBrokers, prices: PartitionedQueue
) -> None:
    updates = 3000
    async with following(access, brokers) as events:
        await events.until_complete()
        await prices.send_many(Message(number, {"k": KEYS[number % len(KEYS)]}) for number in range(updates))
        await events.until(
            lambda *_: sum(map(int, map(str, events.values.values()))) >= len(KEYS) * (updates - len(KEYS))
        )
    assert len(events.of("value")) < updates
