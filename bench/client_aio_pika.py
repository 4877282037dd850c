"""aio-pika under the loads of bench/clients.py; see `client_costs`."""

import asyncio

import aio_pika

from client_costs import BODY, HOST, IN_FLIGHT, KEYS, PREFETCH, Costs, run


async def many(port: int, count: int) -> float:
    """Confirmed, so many at a time as are in flight."""
    async with await aio_pika.connect(f"amqp://guest:guest@{HOST}:{port}/") as connection:
        channel = await connection.channel()
        await channel.declare_queue("fifo")

        async def send(count: int) -> None:
            exchange = channel.default_exchange
            for first in range(0, count, IN_FLIGHT):
                numbers = range(first, min(count, first + IN_FLIGHT))
                messages = [aio_pika.Message(BODY, headers={"key": f"k{each % KEYS}"}) for each in numbers]
                await asyncio.gather(*(exchange.publish(message, "fifo") for message in messages))

        await send(count // 10)
        costs = Costs()
        await send(count)
        return costs.per(count)


async def one(port: int, count: int) -> float:
    async with await aio_pika.connect(f"amqp://guest:guest@{HOST}:{port}/") as connection:
        channel = await connection.channel()
        await channel.declare_queue("fifo")
        costs = Costs()
        for number in range(count):
            message = aio_pika.Message(BODY, headers={"key": f"k{number % KEYS}"})
            await channel.default_exchange.publish(message, "fifo")
        return costs.per(count)


async def received(port: int, count: int) -> float:
    await many(port, count + count // 10)
    async with await aio_pika.connect(f"amqp://guest:guest@{HOST}:{port}/") as connection:
        channel = await connection.channel()
        await channel.set_qos(prefetch_count=PREFETCH)
        queue = await channel.declare_queue("fifo")
        got, warm, costs = 0, count // 10, Costs()
        async with queue.iterator() as messages:
            async for message in messages:
                assert message.body == BODY
                await message.ack()
                got += 1
                if got == warm:
                    costs = Costs()
                if got == count + warm:
                    break
            return costs.per(count)


if __name__ == "__main__":
    run(many=many, one=one, received=received)
