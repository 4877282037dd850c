"""lastvalue.client.endpoints."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from itertools import chain, repeat
from typing import cast

import pytest

from lastvalue.client import ConnectFailedError, ConnectionLostError, Reconnection, connect
from lastvalue.codec.amqp10.performatives import AmqpError
from lastvalue.protocols.amqp10.connection import Connection as Engine
from lastvalue.protocols.amqp10.connection import ConnectionOpened
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.session import SessionBegun
from lastvalue.protocols.amqp10.wire import Event
from lastvalue.protocols.sasl import Authenticator

LEASE_MS = 200


class Closing(asyncio.Protocol):
    """A broker that closes each connection with an error once this has happened on it."""

    def __init__(self, once: type[Event]) -> None:
        self._once = once
        self._engine = Engine(
            Role.SERVER, ConnectionOptions(container_id="peer", authenticator=Authenticator()), 0
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._engine.receive(data, 0)
        if any(isinstance(each, self._once) for each in self._engine.events()):
            self._engine.close(AmqpError("amqp:resource-limit-exceeded", "there are too many"))
        self._transport.write(self._engine.data_to_send())


class Stopping(asyncio.Protocol):
    """A broker with a lease that opens the first connection, and is as if it were stopped then."""

    connections = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        type(self).connections += 1
        self._answers = self.connections == 1
        self._transport = cast("asyncio.Transport", transport)
        self._engine = Engine(
            Role.SERVER,
            ConnectionOptions(container_id="peer", authenticator=Authenticator(), lease_ms=LEASE_MS),
            0,
        )

    def data_received(self, data: bytes) -> None:
        if self._answers:
            self._engine.receive(data, 0)
            self._answers = not any(isinstance(each, SessionBegun) for each in self._engine.events())
            self._transport.write(self._engine.data_to_send())


@asynccontextmanager
async def served(protocol: Callable[[], asyncio.BaseProtocol]) -> AsyncIterator[str]:
    server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
    async with server:
        yield f"amqp://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def test_a_broker_that_opens_nothing_does_not_end_the_connection_to_the_next_one(url: str) -> None:
    async with (
        served(partial(Closing, ConnectionOpened)) as first,
        connect([first, url], reconnect=False) as connection,
    ):
        assert await connection.queues() == []


async def test_where_no_broker_opens_a_connection_the_last_one_is_named() -> None:
    async with served(partial(Closing, ConnectionOpened)) as broker:
        with pytest.raises(ConnectFailedError, match=broker.removeprefix("amqp://")):
            await connect(["amqp://127.0.0.1:1", broker]).open()


async def test_a_connection_that_is_lost_as_it_opens_is_made_again(url: str) -> None:
    told: list[bool] = []
    again = Reconnection(first_wait_s=0, longest_wait_s=0, on_change=lambda error: told.append(error is None))
    # It opens three connections only to close them, then none.
    when = chain([SessionBegun] * 3, repeat(ConnectionOpened))
    async with (
        asyncio.timeout(60),
        served(lambda: Closing(next(when))) as first,
        connect([first, url], reconnect=again) as connection,
    ):
        assert await connection.queues() == []
    assert told == [False, True]


async def test_without_reconnection_such_a_connection_has_ended() -> None:
    async with (
        served(partial(Closing, SessionBegun)) as broker,
        connect(broker, reconnect=False) as connection,
    ):
        with pytest.raises(ConnectionLostError):
            await connection.queues()


async def test_a_broker_that_is_silent_for_its_lease_is_left_for_the_next_one(url: str) -> None:
    told: list[bool] = []
    again = Reconnection(
        first_wait_s=600, longest_wait_s=600, on_change=lambda error: told.append(error is None)
    )
    async with (
        # Much less than the idle timeout, the waits, and how long the silent one may take to open.
        asyncio.timeout(60),
        served(Stopping) as stopping,
        connect([stopping, url], reconnect=again, timeout_s=600, idle_timeout_s=600) as connection,
    ):
        assert await connection.queues(timeout_s=600) == []
    assert told == [False, True]
    assert Stopping.connections > 1
