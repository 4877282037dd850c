"""lastvalue.server.drain, with a broker that listens and its client."""

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest
from logged_events import fields
from waiting import until

from lastvalue.client import Connection, Message, connect
from lastvalue.queues.spec import QueueSpec
from lastvalue.server.broker_server import BrokerServer, ServerOptions

LONG_MS = 600_000


@pytest.fixture
async def server() -> AsyncIterator[BrokerServer]:
    async with BrokerServer(ServerOptions(port=0, health_port=0, drain_timeout_ms=LONG_MS)) as server:
        server.broker.declare(QueueSpec("q"))
        yield server


@pytest.fixture
async def connection(server: BrokerServer) -> AsyncIterator[Connection]:
    async with connect(f"amqp://127.0.0.1:{server.port}") as connection:
        yield connection


async def status(port: int, path: str) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\n\r\n".encode())
    line = await reader.readline()
    writer.close()
    return int(line.split()[1])


async def test_what_a_consumer_holds_is_waited_for_and_it_gets_nothing_more(
    server: BrokerServer, connection: Connection
) -> None:
    queue = connection.queue("q")
    await queue.send(Message("1"))
    async with queue.receive() as deliveries:
        first = await anext(deliveries)
        draining = asyncio.create_task(server.drain(asyncio.Event()))
        await until(lambda: server.broker.alarms.shutdown)
        # What a producer sends until it learns that it has to wait is taken, and not delivered.
        await queue.send(Message("2"))
        assert not draining.done()
        first.accept()
        unfinished = await draining
    assert (unfinished.messages, unfinished.transactions) == (0, 0)
    assert server.broker.lookup("q").queue.contents.counts.acquired == 1
    assert server.broker.lookup("q").queue.depth == 1


async def test_it_is_not_ready_and_takes_no_connections_meanwhile(
    server: BrokerServer, connection: Connection
) -> None:
    queue = connection.queue("q")
    await queue.send(Message("1"))
    async with queue.receive() as deliveries:
        held = await anext(deliveries)
        assert await status(server.health_port, "/readyz") == 200
        draining = asyncio.create_task(server.drain(asyncio.Event()))
        await until(lambda: server.broker.alarms.shutdown)
        assert await status(server.health_port, "/readyz") == 503
        assert await status(server.health_port, "/healthz") == 200
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", server.port)
        held.accept()
        await draining


async def test_a_transaction_that_has_work_can_be_committed(
    server: BrokerServer, connection: Connection
) -> None:
    queue = connection.queue("q")
    async with connection.transaction() as transaction:
        await queue.send(Message("1"), transaction=transaction)
        draining = asyncio.create_task(server.drain(asyncio.Event()))
        await until(lambda: server.broker.alarms.shutdown)
        assert not draining.done()
    await draining
    assert server.broker.lookup("q").queue.depth == 1


async def test_producers_get_no_more_credit(server: BrokerServer) -> None:
    # With reconnection it would wait for a while for another broker.
    async with connect(f"amqp://127.0.0.1:{server.port}", reconnect=False) as connection:
        await server.drain(asyncio.Event())
        sending = asyncio.create_task(connection.queue("q").send(Message("1")))
        # The link is attached in the course of this exchange.
        await until(lambda: server.broker.alarms.producers == 1)
        await connection.queues()
        assert not sending.done()
        await server.stop()
        assert (await asyncio.gather(sending, return_exceptions=True))[0] is not None


async def test_a_second_signal_ends_the_wait_and_what_is_unfinished_is_told(
    server: BrokerServer, connection: Connection, caplog: pytest.LogCaptureFixture
) -> None:
    queue = connection.queue("q")
    await queue.send(Message("1"))
    hurried = asyncio.Event()
    async with queue.receive() as deliveries:
        await anext(deliveries)
        draining = asyncio.create_task(server.drain(hurried))
        await until(lambda: server.broker.alarms.shutdown)
        with caplog.at_level(logging.WARNING):
            hurried.set()
            unfinished = await draining
    assert unfinished.messages == 1
    assert fields(caplog, "server.unfinished") == [{"messages": 1, "transactions": 0}]


async def test_it_waits_no_longer_than_it_is_set_to() -> None:
    async with BrokerServer(ServerOptions(port=0, drain_timeout_ms=0)) as server:
        server.broker.declare(QueueSpec("q"))
        async with connect(f"amqp://127.0.0.1:{server.port}") as connection:
            queue = connection.queue("q")
            await queue.send(Message("1"))
            async with queue.receive() as deliveries:
                await anext(deliveries)
                assert (await server.drain(asyncio.Event())).messages == 1
