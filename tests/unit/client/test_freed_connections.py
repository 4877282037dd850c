"""Connections of the client give their memory back when they are closed, without the garbage collector."""

import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest

from lastvalue.client import Message, connect
from lastvalue.client.errors import ClientError
from lastvalue.model.errors import LastvalueError
from lastvalue.server.broker_server import BrokerServer, ServerOptions


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with BrokerServer(ServerOptions(port=0)) as server:
        yield f"amqp://127.0.0.1:{server.port}"


VALUE = Message("x", {"k": "1"})


async def send_and_read(url: str) -> None:
    async with connect(url) as connection:
        queue = await connection.declare("q", lvq_key="k")
        async with queue.sender() as sender, connection.transaction() as transaction:
            await sender.send(VALUE)
            await sender.send(VALUE, transaction=transaction)
        async with queue.browse() as browser:
            assert [message.body async for message in browser] == ["x"]
        async with queue.receive(limit=1) as receiver:
            async for delivery in receiver:
                delivery.accept()


async def leave_links_open(url: str) -> None:
    async with connect(url) as connection:
        queue = await connection.declare("q", lvq_key="k")
        sender = await queue.sender().__aenter__()
        await sender.send(VALUE)
        browser = await queue.browse(follow=True).__aenter__()
        assert len(await browser.batch()) == 1


async def watch(url: str) -> None:
    async with connect(url) as connection:
        queue = await connection.declare("q", lvq_key="k")
        async with queue.sender() as sender, connection.watch("q") as watcher:
            await sender.send(VALUE)
            await watcher.complete()


async def ask_in_vain(url: str) -> None:
    async with connect(url) as connection:
        with pytest.raises(LastvalueError):
            await connection.purge("missing")
        with pytest.raises(LastvalueError):
            async with connection.queue("missing").sender():
                pass


async def use_what_is_closed(url: str) -> None:
    async with connect(url) as connection:
        sender = await (await connection.declare("q", lvq_key="k")).sender().__aenter__()
    with pytest.raises(ClientError):
        await sender.send(VALUE)
    with pytest.raises(ClientError):
        await connection.queues()


async def connect_to_nobody(url: str) -> None:
    del url
    with pytest.raises(ClientError):
        await connect("amqp://127.0.0.1:1").open()


async def lose(url: str, *, reconnect: bool) -> None:
    connection = await connect(url, reconnect=reconnect).__aenter__()
    sender = await (await connection.declare("q", lvq_key="k")).sender().__aenter__()
    await sender.send(VALUE)
    async with connect(url) as other:
        for each in await other.statistics("connection"):
            with suppress(LastvalueError):
                await other.close_connection(str(each["name"]))
    with suppress(ClientError):
        await sender.send(VALUE)
    await connection.close()


async def lose_for_ever(url: str) -> None:
    await lose(url, reconnect=False)


async def lose_and_connect_again(url: str) -> None:
    await lose(url, reconnect=True)


@pytest.mark.parametrize(
    "used",
    [
        send_and_read,
        leave_links_open,
        watch,
        ask_in_vain,
        use_what_is_closed,
        connect_to_nobody,
        lose_for_ever,
        lose_and_connect_again,
    ],
)
async def test_nothing_of_a_closed_connection_waits_for_the_collector(
    url: str, used: Callable[[str], Awaitable[None]]
) -> None:
    # What is made once, such as caches.
    await used(url)
    gc.collect()
    gc.disable()
    try:
        await used(url)
        # The broker's side has the last word.
        async with connect(url) as connection:
            assert len(await connection.statistics("connection")) == 1
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        ours = [each for each in gc.garbage if type(each).__module__.startswith("lastvalue")]
        assert [type(each).__qualname__ for each in ours] == []
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
