"""A real broker on a free port, and a connection to it."""

from collections.abc import AsyncIterator

import pytest

from lastvalue.client import Connection, connect
from lastvalue.server.broker_server import BrokerServer, ServerOptions

pytest.importorskip("duckdb")


@pytest.fixture
async def connection() -> AsyncIterator[Connection]:
    async with (
        BrokerServer(ServerOptions(port=0)) as server,
        connect(f"amqp://127.0.0.1:{server.port}") as connection,
    ):
        yield connection
