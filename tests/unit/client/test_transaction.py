"""Transactions of the client, against a real broker."""

import asyncio

import pytest

from lastvalue.client import (
    Connection,
    ConnectionLostError,
    Message,
    NotOpenError,
    Queue,
    SendRejectedError,
    TransactionRolledBackError,
    connect,
)
from lastvalue.server.broker_server import BrokerServer


class OnPurposeError(Exception):
    pass


async def bodies(queue: Queue) -> list[object]:
    return [message.body async for message in queue.browse()]


async def test_a_block_that_ends_commits(connection: Connection) -> None:
    one, two = await connection.declare("one"), await connection.declare("two")
    async with connection.transaction() as transaction:
        await one.send(Message("a"), transaction=transaction)
        await two.send_many([Message("b"), Message("c")], transaction=transaction)
        assert (await bodies(one), await bodies(two)) == ([], [])
    assert (await bodies(one), await bodies(two)) == (["a"], ["b", "c"])


async def test_an_exception_rolls_back_and_passes(connection: Connection) -> None:
    queue = await connection.declare("q")
    await queue.send(Message("first"))

    async def fail_halfway() -> None:
        async with connection.transaction() as transaction:
            await queue.send(Message("second"), transaction=transaction)
            async for delivery in queue.receive(limit=1):
                delivery.accept(transaction=transaction)
            raise OnPurposeError

    with pytest.raises(OnPurposeError):
        await fail_halfway()
    (message,) = [message async for message in queue.browse()]
    assert (message.body, message.delivery_count) == ("first", 1)


async def test_what_is_accepted_leaves_and_what_is_sent_comes_together(connection: Connection) -> None:
    source, target = await connection.declare("source"), await connection.declare("target")
    await source.send_many([Message(number) for number in range(300)])
    async with connection.transaction() as transaction:
        async for delivery in source.receive(limit=300):
            await target.send(delivery.message, transaction=transaction)
            delivery.accept(transaction=transaction)
        assert ((await source.info()).depth, (await target.info()).depth) == (300, 0)
    assert ((await source.info()).depth, (await target.info()).depth) == (0, 300)


async def test_settled_messages_are_all_on_their_way_before_the_commit(connection: Connection) -> None:
    queue = await connection.declare("q")
    async with queue.sender(settled=True) as sender, connection.transaction() as transaction:
        for number in range(20_000):
            await sender.post(Message(number), transaction=transaction)
    assert (await queue.info()).depth == 20_000


async def test_a_sender_that_is_closed_when_all_is_confirmed_does_no_harm(connection: Connection) -> None:
    queue = await connection.declare("q")
    async with connection.transaction() as transaction, queue.sender() as sender:
        await sender.post(Message(1), transaction=transaction)
    assert await bodies(queue) == [1]


async def test_a_commit_that_does_not_fit_says_why_and_leaves_nothing(connection: Connection) -> None:
    queue, small = await connection.declare("q"), await connection.declare("small", max_messages=1)
    transaction = connection.transaction()
    await transaction.begin()
    await queue.send(Message(1), transaction=transaction)
    await small.send_many([Message(2), Message(3)], transaction=transaction)
    with pytest.raises(TransactionRolledBackError, match=r"small.*no room"):
        await transaction.commit()
    assert (await bodies(queue), await bodies(small)) == ([], [])


async def test_a_posted_message_that_is_not_taken_fails_the_transaction(connection: Connection) -> None:
    queue = await connection.declare("q", delayed_delivery="refuse")
    late = Message(1, annotations={"x-opt-delivery-delay": 60_000})
    sender = queue.sender()
    await sender.open()
    transaction = connection.transaction()
    await transaction.begin()
    await sender.post(late, transaction=transaction)
    await sender.post(Message(2), transaction=transaction)
    with pytest.raises(SendRejectedError):
        await transaction.commit()
    assert await bodies(queue) == []


async def test_transactions_side_by_side_do_not_mix(connection: Connection) -> None:
    queue = await connection.declare("q")

    async def work(number: int) -> None:
        async with connection.transaction() as transaction:
            for part in "abc":
                await queue.send(Message(f"{number}{part}"), transaction=transaction)
            if number % 2:
                await transaction.rollback()

    await asyncio.gather(*(work(number) for number in range(10)))
    found = await bodies(queue)
    assert sorted(str(body) for body in found) == [
        f"{number}{part}" for number in range(0, 10, 2) for part in "abc"
    ]
    assert [str(body)[1] for body in found] == list("abc" * 5)


async def test_a_transaction_is_used_once_and_only_while_it_is_open(connection: Connection) -> None:
    queue = await connection.declare("q")
    async with connection.transaction() as transaction:
        pass
    with pytest.raises(NotOpenError):
        await queue.send(Message(1), transaction=transaction)
    with pytest.raises(NotOpenError):
        await transaction.begin()


async def test_a_broker_that_goes_away_ends_the_transaction(server: BrokerServer, url: str) -> None:
    async with connect(url, reconnect=False) as connection:
        await connection.declare("q")
        transaction = connection.transaction()
        await transaction.begin()
        await server.stop()
        with pytest.raises(ConnectionLostError):
            await transaction.commit()
