"""A broker with a manual clock in a thread; asynchronous tests run on both event loops, in `make test` on one."""

import asyncio
import threading
from collections.abc import Callable, Iterator

import pytest

from lastvalue.config.server_options import EventLoop
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.clock import ManualClock
from lastvalue.server.event_loop import chosen_event_loop, event_loop_factory


def pytest_asyncio_loop_factories(
    config: pytest.Config,
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The loop of a broker, and asyncio's if that is another and there is time."""
    loops = {chosen_event_loop(EventLoop.AUTO)}
    if config.getoption("run") != "quick":
        loops.add(EventLoop.ASYNCIO)
    return {each.value: event_loop_factory(each) for each in sorted(loops, key=lambda each: each.value)}


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
