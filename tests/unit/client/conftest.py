"""A real broker on a free port, and a connection to it."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator

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
    async with connect(url) as connection:
        yield connection


class ServerThread:
    """A broker whose loop runs in a thread, for tests that block."""

    def __init__(self) -> None:
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server = BrokerServer(ServerOptions(port=0))

    @property
    def url(self) -> str:
        return f"amqp://127.0.0.1:{self._server.port}"

    def start(self) -> None:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._server.start(), self._loop).result(10)

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._server.stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()


@pytest.fixture
def broker_thread() -> Iterator[ServerThread]:
    thread = ServerThread()
    thread.start()
    yield thread
    thread.stop()
