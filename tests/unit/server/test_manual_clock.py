"""A broker whose time is moved by hand."""

import pytest

from lastvalue.client import Message, RefusedError, connect
from lastvalue.client.blocking import connect as connect_blocking
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.clock import Clock, ManualClock

START_MS = 1_000_000


async def test_what_is_held_and_what_expires_does_so_when_the_time_is_moved_there() -> None:
    """S-115, S-184"""
    async with (
        BrokerServer(ServerOptions(port=0), clock=ManualClock(START_MS)) as server,
        connect(f"amqp://127.0.0.1:{server.port}") as connection,
    ):
        queue = await connection.declare("q", default_ttl_ms=20_000)
        await queue.send(Message("later", annotations={"x-opt-delivery-delay": 6000}))
        browser = queue.browse(follow=True)
        server.advance(5999)
        await queue.send(Message("now"))
        assert (await anext(browser)).body == "now"
        server.advance(1)
        assert (await anext(browser)).body == "later"
        server.move_to(START_MS + 19_999)
        assert (await queue.info()).depth == 2
        server.advance(1)
        assert (await queue.info()).removed == {"expired": 1}


async def test_what_falls_due_on_a_long_way_is_delivered_at_its_time() -> None:
    async with (
        BrokerServer(ServerOptions(port=0), clock=ManualClock(START_MS)) as server,
        connect(f"amqp://127.0.0.1:{server.port}") as connection,
    ):
        queue = await connection.declare("q")
        browser = queue.browse(follow=True)
        async with browser:
            held = Message("held", annotations={"x-opt-delivery-delay": 1000}, ttl_ms=2000)
            await queue.send(held)
            assert await connection.advance_clock(86_400_000) == START_MS + 86_400_000
            assert (await anext(browser)).body == "held"
        assert (await queue.info()).removed == {"expired": 1}


async def test_connections_do_not_grow_old_with_a_manual_clock() -> None:
    async with (
        BrokerServer(ServerOptions(port=0), clock=ManualClock(START_MS)) as server,
        connect(f"amqp://127.0.0.1:{server.port}") as connection,
    ):
        assert await connection.clock_ms() == START_MS
        server.advance(10**9)
        assert await connection.clock_ms() == START_MS + 10**9


async def test_the_time_of_the_system_is_told_and_not_moved() -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        async with connect(f"amqp://127.0.0.1:{server.port}") as connection:
            assert abs(await connection.clock_ms() - Clock().now_ms()) < 60_000
            with pytest.raises(RefusedError, match="--clock manual"):
                await connection.advance_clock(1)
        with pytest.raises(TypeError):
            server.advance(1)


async def test_time_does_not_go_back() -> None:
    async with (
        BrokerServer(ServerOptions(port=0), clock=ManualClock(START_MS)) as server,
        connect(f"amqp://127.0.0.1:{server.port}") as connection,
    ):
        with pytest.raises(RefusedError, match="expected a number of milliseconds"):
            await connection.advance_clock(-1)
        with pytest.raises(ValueError, match="does not go back"):
            server.move_to(START_MS - 1)


def test_the_blocking_client_moves_the_time_too(manual_url: str) -> None:
    with connect_blocking(manual_url) as connection:
        before = connection.clock_ms()
        assert connection.advance_clock(10) == before + 10
