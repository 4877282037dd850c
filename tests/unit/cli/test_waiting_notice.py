"""lastvalue.cli.waiting_notice."""

import asyncio

import pytest
from waiting import until

from lastvalue.cli.waiting_notice import WaitingNotice
from lastvalue.client import Connection, Message


async def test_a_full_queue_that_lets_producers_wait_is_named(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("lastvalue.cli.waiting_notice.confirm", said.append)
    orders = await connection.declare("orders", max_messages=1, when_full="block")
    notice = WaitingNotice(connection, "orders", 0.05)
    async with orders.sender() as sender, notice:
        await sender.send(Message("first"))
        notice.begin()
        sending = asyncio.create_task(sender.send_many(Message(number) for number in range(3)))
        await until(lambda: said != [])
        await orders.update(max_messages=10)
        assert await sending == 3
    (text,) = said
    assert text.startswith("waiting: the broker takes no messages for 'orders': the queue is full; `")


async def test_nothing_is_said_while_the_broker_is_not_waited_for(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("lastvalue.cli.waiting_notice.confirm", said.append)
    async with WaitingNotice(connection, "orders", 0.001) as notice:
        notice.end()
        for _ in range(20):
            await connection.queues()
    assert said == []
