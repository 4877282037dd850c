"""The client at a queue that two brokers have, each some of its keys."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from log_servers import free_ports

from lastvalue.broker.partitions import Partition, Partitions
from lastvalue.client import Connection, InvalidMessageError, Message, PartitionedQueue, RefusedError, connect
from lastvalue.client.errors import ConnectionLostError, NotOpenError
from lastvalue.client.wanted import Wanted
from lastvalue.model.errors import InvalidSpecError, QueueNotFoundError
from lastvalue.model.key_partition import key_octets, key_partition
from lastvalue.server.broker_server import BrokerServer, ServerOptions

USERS = {"ann": "secret"}
KEYS: list[str | int] = [*"abcdefghij", *range(10)]


@pytest.fixture
async def brokers() -> AsyncIterator[list[BrokerServer]]:
    ports = free_ports(2)
    leaders = [f"127.0.0.1:{port}" for port in ports]
    first, second = (BrokerServer(ServerOptions(port=port, users=USERS)) for port in ports)
    for server, own in zip((first, second), leaders, strict=True):
        server.broker.authorization.partitions = Partitions(
            [Partition("orders.*", leaders[1:], own), Partition("prices", leaders, own)]
        )
    async with first, second:
        yield [first, second]


def url(server: BrokerServer) -> str:
    return f"amqp://ann:secret@127.0.0.1:{server.port}"


@pytest.fixture
async def connection(brokers: list[BrokerServer]) -> AsyncIterator[Connection]:
    async with connect(url(brokers[0])) as connection:
        yield connection


@pytest.fixture
async def prices(brokers: list[BrokerServer], connection: Connection) -> PartitionedQueue:
    for server in brokers:
        async with connect(url(server)) as each:
            await each.declare("prices", lvq_key="k")
    return await connection.partitioned("prices")


def updates(body: str) -> list[Message]:
    return [Message(f"{body} {key}", properties={"k": key}) for key in KEYS]


async def test_each_key_is_at_the_broker_that_the_hash_says(
    brokers: list[BrokerServer], prices: PartitionedQueue
) -> None:
    assert await prices.send_many(updates("old")) == len(KEYS)
    for message in updates("new"):
        await prices.send(message)
    for number, server in enumerate(brokers):
        async with connect(url(server)) as each:
            keys = {message.properties["k"] async for message in each.queue("prices").browse()}
        assert keys == {key for key in KEYS if key_partition(key_octets(key) or b"", 2) == number}
        assert keys
    values = await prices.get_many(KEYS)
    assert {key: value.body for key, value in values.items()} == {key: f"new {key}" for key in KEYS}
    assert sum(info.depth for info in await prices.info()) == len(KEYS)


async def test_one_key_is_put_got_and_deleted_where_it_is(prices: PartitionedQueue) -> None:
    for key in "ad":
        result = await prices.put(key, "1", if_sequence=0)
        assert (await prices.delete(key, if_sequence=result.sequence)).sequence == result.sequence
        assert await prices.get(key) is None


async def test_browsing_merges_and_follows_all_brokers(prices: PartitionedQueue) -> None:
    await prices.send_many(updates("old"))
    assert {message.properties["k"] async for message in prices.browse()} == set(KEYS)
    got: list[object] = []
    async with aclosing(prices.browse(follow=True)) as browser:
        async for message in browser:
            got.append(message.body)
            if len(got) == len(KEYS):
                await prices.send_many(updates("new"))
            if len(got) == 2 * len(KEYS):
                break
    assert set(got[len(KEYS) :]) == {f"new {key}" for key in KEYS}


async def test_a_browser_fails_with_the_broker_that_is_lost(
    brokers: list[BrokerServer], prices: PartitionedQueue
) -> None:
    del prices
    async with (
        connect(url(brokers[0]), reconnect=False) as one,
        connect(url(brokers[1]), reconnect=False) as other,
    ):
        queue = PartitionedQueue("prices", [one.queue("prices"), other.queue("prices")], "k")
        reading = asyncio.create_task(anext(queue.browse(follow=True)))
        await brokers[1].stop()
        with pytest.raises(ConnectionLostError):
            await reading


@pytest.mark.parametrize("properties", [{}, {"k": 1.5}, {"k": True}])
async def test_a_message_without_a_key_that_is_divided_is_not_sent(
    prices: PartitionedQueue, properties: dict[str, object]
) -> None:
    with pytest.raises(InvalidMessageError, match="a message for queue 'prices' cannot be sent"):
        await prices.send(Message("x", properties=properties))


async def test_what_is_of_one_broker_is_refused_and_says_where_it_is(prices: PartitionedQueue) -> None:
    with pytest.raises(InvalidSpecError, match="sequences and tokens are of one broker"):
        await anext(prices.browse(wanted=Wanted(after=3)))


async def test_a_transaction_that_would_span_brokers_is_refused_and_leaves_nothing(
    connection: Connection, prices: PartitionedQueue
) -> None:
    async def send_both() -> None:
        async with connection.transaction() as transaction:
            for key in "da":
                message = Message("x", properties={"k": key})
                await connection.queue("prices").send(message, transaction=transaction)

    with pytest.raises(RefusedError, match="this key of queue 'prices' is not at this broker"):
        await send_both()
    assert sum(info.depth for info in await prices.info()) == 0


async def test_a_whole_queue_at_another_broker_is_reached_by_asking_once(connection: Connection) -> None:
    with pytest.raises(RefusedError, match=r"queue 'orders\.new' is not at this broker"):
        await connection.declare("orders.new")
    orders = await connection.partitioned("orders.new")
    other = orders.partitions[0]
    assert orders.key_property == ""
    with pytest.raises(QueueNotFoundError):
        await other.send(Message("x"))
    with pytest.raises(RefusedError, match=r"queue 'orders\.new' is not at this broker"):
        await connection.queue("orders.new").send(Message("x"))


async def test_a_queue_that_is_not_partitioned_is_this_brokers(connection: Connection) -> None:
    await connection.declare("own")
    own = await connection.partitioned("own")
    await own.send(Message("x"))
    assert [message.body async for message in own.browse()] == ["x"]


async def test_a_connection_that_keeps_no_password_says_so(brokers: list[BrokerServer]) -> None:
    async with connect(url(brokers[0]), reconnect=False) as connection:
        with pytest.raises(NotOpenError, match="use reconnect=True"):
            await connection.partitioned("prices")


async def test_a_key_of_several_properties_is_divided_by_its_text(
    brokers: list[BrokerServer], connection: Connection
) -> None:
    for server in brokers:
        async with connect(url(server)) as each:
            await each.declare("prices", lvq_key="venue,symbol")
    prices = await connection.partitioned("prices")
    keys = [f"{venue},{symbol}" for venue in "XY" for symbol in "abcde"]
    for key in keys:
        venue, symbol = key.split(",")
        await prices.send(Message(key, {"symbol": symbol, "venue": venue}))
    assert {key: value.body for key, value in (await prices.get_many(keys)).items()} == {k: k for k in keys}
    depths = [(await each.info()).depth for each in prices.partitions]
    assert (sum(depths), min(depths) > 0) == (10, True)
    with pytest.raises(InvalidMessageError, match="no property 'venue,symbol'"):
        await prices.send(Message("x", {"venue": "X"}))
