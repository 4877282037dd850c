"""A broker with a manual clock in a thread."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.clock import ManualClock


@pytest.fixture
def manual_url() -> Iterator[str]:
    """The address of a broker whose time stands still."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = BrokerServer(ServerOptions(port=0), clock=ManualClock(0))
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(60)
    yield f"amqp://127.0.0.1:{server.port}"
    asyncio.run_coroutine_threadsafe(server.stop(), loop).result(60)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(60)
    loop.close()
