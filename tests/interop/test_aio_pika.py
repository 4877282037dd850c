"""aio-pika, a client of AMQP 0-9-1, against a broker process."""

import asyncio

import aio_pika
import pytest
from aio_pika.exceptions import DeliveryError
from served_broker import HOST, PASSWORD, USER, ServedBroker

pytestmark = pytest.mark.interop


async def test_confirmed_messages_are_consumed_from_a_last_value_queue(broker: ServedBroker) -> None:
    connection = await aio_pika.connect(host=HOST, port=broker.port, login=USER, password=PASSWORD)
    async with connection:
        channel = await connection.channel()
        queue = await channel.declare_queue(exclusive=True, arguments={"qpid.last_value_queue_key": "ticker"})
        for number, ticker in enumerate(["A", "B", "A"]):
            message = aio_pika.Message(str(number).encode(), headers={"ticker": ticker})
            await channel.default_exchange.publish(message, queue.name)
        found = []
        async with asyncio.timeout(10), queue.iterator() as messages:
            async for incoming in messages:
                async with incoming.process():
                    found.append(incoming.body)
                if len(found) == 2:
                    break
        assert found == [b"1", b"2"]


async def test_a_transaction_and_an_unroutable_message(broker: ServedBroker) -> None:
    connection = await aio_pika.connect(host=HOST, port=broker.port, login=USER, password=PASSWORD)
    async with connection:
        channel = await connection.channel(publisher_confirms=False)
        queue = await channel.declare_queue(exclusive=True)
        async with channel.transaction():
            await channel.default_exchange.publish(aio_pika.Message(b"x"), queue.name)
            assert await queue.get(fail=False) is None
        got = await queue.get()
        assert got is not None
        assert got.body == b"x"
        await got.ack()
        confirmed = await connection.channel(on_return_raises=True)
        with pytest.raises(DeliveryError):
            await confirmed.default_exchange.publish(aio_pika.Message(b"x"), "nowhere")
