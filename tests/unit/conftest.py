"""For tests that need them: a real broker on a free port, and a connection to it."""

from collections.abc import AsyncIterator

import pytest

from lastvalue.client import Connection, connect
from lastvalue.server.broker_server import BrokerServer, ServerOptions


@pytest.fixture
async def server() -> AsyncIterator[BrokerServer]:
    async with BrokerServer(ServerOptions(port=0)) as server:
        yield server


@pytest.fixture
def url(server: BrokerServer) -> str:
    return f"amqp://127.0.0.1:{server.port}"


@pytest.fixture
async def connection(url: str) -> AsyncIterator[Connection]:
    async with connect(url, reconnect=False) as connection:
        yield connection
