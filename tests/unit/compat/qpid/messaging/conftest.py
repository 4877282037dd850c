"""A real broker in a thread, and this interface's connections to it."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from lastvalue.compat.qpid.messaging import Connection, Session
from lastvalue.server.broker_server import BrokerServer, ServerOptions


@pytest.fixture
def broker() -> Iterator[str]:
    """host:port of a broker that knows the user alice."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = BrokerServer(ServerOptions(port=0, users={"alice": "secret"}, anonymous=True))
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(60)
    yield f"127.0.0.1:{server.port}"
    asyncio.run_coroutine_threadsafe(server.stop(), loop).result(60)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(60)
    loop.close()


@pytest.fixture
def connection(broker: str) -> Iterator[Connection]:
    with Connection(broker) as connection:
        yield connection


@pytest.fixture
def session(connection: Connection) -> Session:
    return connection.session()


@pytest.fixture
def other(connection: Connection) -> Session:
    """Another session of the same connection."""
    return connection.session()
