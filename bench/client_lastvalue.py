"""Our client under the loads of bench/clients.py; see `client_costs`."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from client_costs import BODY, HOST, KEYS, PREFETCH, Costs, run
from lastvalue.client import Message, blocking, connect


@asynccontextmanager
async def _queue(port: int, name: str, **options: Any) -> AsyncIterator[Any]:
    async with connect(f"amqp://{HOST}:{port}") as connection:
        queue = await connection.declare(name, **options)
        await connection.purge(name)
        yield connection, queue


def _messages(count: int) -> Iterator[Any]:
    return (Message(BODY, {"key": f"k{number % KEYS}"}) for number in range(count))


async def many(port: int, count: int) -> float:
    async with _queue(port, "many", lvq_key="key") as (_, queue), queue.sender() as sender:
        await sender.send_many(_messages(count // 10))
        costs = Costs()
        await sender.send_many(_messages(count))
        return costs.per(count)


async def one(port: int, count: int) -> float:
    async with _queue(port, "one", lvq_key="key") as (_, queue), queue.sender() as sender:
        for message in _messages(count // 10):
            await sender.send(message)
        costs = Costs()
        for message in _messages(count):
            await sender.send(message)
        return costs.per(count)


async def received(port: int, count: int) -> float:
    async with _queue(port, "fifo") as (_, queue):
        await queue.send_many(_messages(count + count // 10))
        got, warm, costs = 0, count // 10, Costs()
        async with queue.receive(credit=PREFETCH) as receiver:
            async for delivery in receiver:
                assert delivery.message.body == BODY
                delivery.accept()
                got += 1
                if got == warm:
                    costs = Costs()
                if got == warm + count:
                    break
            cost = costs.per(count)
            await asyncio.sleep(0)
        return cost


async def batches(port: int, count: int) -> float:
    async with _queue(port, "fifo") as (_, queue):
        await queue.send_many(_messages(count + count // 10))
        got, warm, costs = 0, 0, Costs()
        async with queue.receive(credit=PREFETCH) as receiver:
            while got - warm < count:
                for delivery in await receiver.batch(PREFETCH):
                    assert delivery.message.body == BODY
                    delivery.accept()
                    got += 1
                if not warm and got >= count // 10:
                    warm, costs = got, Costs()
                if got == count + count // 10:
                    break
            cost = costs.per(got - warm)
            await asyncio.sleep(0)
        return cost


async def browsed(port: int, count: int) -> float:
    async with _queue(port, "fifo") as (_, queue):
        await queue.send_many(_messages(count + count // 10))
        got, warm, costs = 0, count // 10, Costs()
        async for message in queue.browse(prefetch=PREFETCH):
            assert message.body == BODY
            got += 1
            if got == warm:
                costs = Costs()
        return costs.per(got - warm)


async def watched(port: int, count: int) -> float:
    async with _queue(port, "watched", lvq_key="key") as (connection, queue):
        await queue.send_many(Message(BODY, {"key": f"k{number}"}) for number in range(count))
        changes, warm, costs = 0, count // 10, Costs()
        async with connection.watch("watched") as watcher:
            async for _ in watcher.changes():
                changes += 1
                if changes == warm:
                    costs = Costs()
                if changes == count:
                    break
            return costs.per(count - warm)


async def blocking_many(port: int, count: int) -> float:
    with blocking.connect(f"amqp://{HOST}:{port}") as connection:
        queue = connection.declare("many", lvq_key="key")
        with queue.sender() as sender:
            sender.send_many(_messages(count // 10))
            costs = Costs()
            sender.send_many(_messages(count))
            return costs.per(count)


async def blocking_one(port: int, count: int) -> float:
    with blocking.connect(f"amqp://{HOST}:{port}") as connection:
        queue = connection.declare("one", lvq_key="key")
        with queue.sender() as sender:
            for message in _messages(count // 10):
                sender.send(message)
            costs = Costs()
            for message in _messages(count):
                sender.send(message)
            return costs.per(count)


async def blocking_received(port: int, count: int) -> float:
    with blocking.connect(f"amqp://{HOST}:{port}") as connection:
        queue = connection.declare("fifo")
        connection.purge("fifo")
        queue.send_many(_messages(count + count // 10))
        warm, costs = count // 10, Costs()
        for got, delivery in enumerate(queue.receive(credit=PREFETCH, limit=count + warm), 1):
            assert delivery.message.body == BODY
            delivery.accept()
            if got == warm:
                costs = Costs()
        return costs.per(count)


if __name__ == "__main__":
    run(
        many=many,
        one=one,
        received=received,
        batches=batches,
        browsed=browsed,
        watched=watched,
        blocking_many=blocking_many,
        blocking_one=blocking_one,
        blocking_received=blocking_received,
    )
