"""aio-pika, a client of AMQP 0-9-1, against a broker process."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aio_pika
import pytest
import pytest_asyncio
from aio_pika.abc import AbstractChannel, AbstractConnection, AbstractQueue
from aio_pika.exceptions import DeliveryError
from served_broker import HOST, PASSWORD, USER, ServedBroker

pytestmark = pytest.mark.interop

SECONDS = 60
BROWSE = {"x-filter-no-consume": True}


@pytest_asyncio.fixture
async def connection(broker: ServedBroker) -> AsyncIterator[AbstractConnection]:
    opened = await aio_pika.connect(host=HOST, port=broker.port, login=USER, password=PASSWORD)
    async with opened:
        yield opened


@pytest_asyncio.fixture
async def channel(connection: AbstractConnection) -> AbstractChannel:
    return await connection.channel()


async def declared(channel: AbstractChannel, **arguments: Any) -> AbstractQueue:
    """A queue that goes with the connection."""
    return await channel.declare_queue(exclusive=True, arguments=arguments)


async def publish(
    channel: AbstractChannel, queue: AbstractQueue, body: str, priority: int | None = None, **headers: Any
) -> None:
    message = aio_pika.Message(body.encode(), headers=headers, priority=priority)
    await channel.default_exchange.publish(message, queue.name)


async def bodies(queue: AbstractQueue, count: int, **options: Any) -> list[bytes]:
    """What a consumer gets that acknowledges nothing, and no more than is expected."""
    found = []
    async with asyncio.timeout(SECONDS), queue.iterator(**options) as messages:
        async for incoming in messages:
            found.append(incoming.body)
            if len(found) == count:
                break
    return found


async def test_confirmed_messages_are_consumed_from_a_last_value_queue(channel: AbstractChannel) -> None:
    queue = await declared(channel, **{"qpid.last_value_queue_key": "ticker"})
    for number, ticker in enumerate(["A", "B", "A"]):
        await publish(channel, queue, str(number), ticker=ticker)
    found = []
    async with asyncio.timeout(SECONDS), queue.iterator() as messages:
        async for incoming in messages:
            async with incoming.process():
                found.append(incoming.body)
            if len(found) == 2:
                break
    assert found == [b"1", b"2"]


async def test_browsers_and_who_acknowledges_nothing_leave_last_values(
    connection: AbstractConnection, channel: AbstractChannel
) -> None:
    queue = await declared(channel, **{"qpid.last_value_queue_key": "ticker"})
    for number, ticker in enumerate(["A", "B", "A"]):
        await publish(channel, queue, str(number), ticker=ticker)
    assert await bodies(queue, 2, no_ack=True, arguments=BROWSE) == [b"1", b"2"]
    reader = await connection.channel()
    assert await bodies(await reader.get_queue(queue.name), 2) == [b"1", b"2"]
    await reader.close()
    assert (await channel.declare_queue(queue.name, passive=True)).declaration_result.message_count == 2


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"qpid.queue_sort_key": "name"}, [b"a", b"b", b"c"]),
        ({"x-max-priority": 5}, [b"b", b"c", b"a"]),
        ({"qpid.ensure_nondestructive_consumers": True}, [b"c", b"a", b"b"]),
    ],
)
async def test_a_queue_gives_in_its_order(
    channel: AbstractChannel, arguments: dict[str, Any], expected: list[bytes]
) -> None:
    queue = await declared(channel, **arguments)
    for name, priority in (("c", 3), ("a", 1), ("b", 5)):
        await publish(channel, queue, name, priority, name=name)
    assert await bodies(queue, 3, no_ack=True) == expected


async def test_everybody_sees_everything_on_a_non_destructive_queue(channel: AbstractChannel) -> None:
    queue = await declared(channel, **{"qpid.ensure_nondestructive_consumers": True})
    await publish(channel, queue, "x")
    assert [await bodies(queue, 1, no_ack=True) for _ in range(2)] == [[b"x"], [b"x"]]


async def test_the_messages_of_a_group_go_to_one_consumer(
    connection: AbstractConnection, channel: AbstractChannel
) -> None:
    queue = await declared(channel, **{"qpid.group_header_key": "g", "qpid.shared_msg_group": 1})
    for number, group in enumerate("aab"):
        await publish(channel, queue, str(number), g=group)
    readers = [await (await connection.channel()).get_queue(queue.name) for _ in range(2)]
    assert [(await reader.get()).body for reader in readers] == [b"0", b"2"]


async def test_what_is_put_back_is_redelivered_and_what_is_rejected_is_a_dead_letter(
    channel: AbstractChannel,
) -> None:
    dead = await declared(channel)
    dead_letters = {"x-dead-letter-exchange": "", "x-dead-letter-routing-key": dead.name}
    queue = await declared(channel, **dead_letters)
    await publish(channel, queue, "x")
    await (await queue.get()).nack()
    again = await queue.get()
    assert again.redelivered
    await again.reject(requeue=False)
    assert await bodies(dead, 1) == [b"x"]


async def test_a_transaction_and_an_unroutable_message(connection: AbstractConnection) -> None:
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
