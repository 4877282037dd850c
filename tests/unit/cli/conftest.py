"""A real broker in a thread, and the command line against it."""

import asyncio
import threading
from collections.abc import Callable, Iterator

import pytest

from lastvalue.cli.app import run
from lastvalue.server.broker_server import BrokerServer, ServerOptions


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a broker; the environment names it too."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = BrokerServer(ServerOptions(port=0, users={"alice": "secret"}, anonymous=True))
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(60)
    monkeypatch.setenv("LASTVALUE_URL", f"amqp://127.0.0.1:{server.port}")
    yield f"amqp://127.0.0.1:{server.port}"
    asyncio.run_coroutine_threadsafe(server.stop(), loop).result(60)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(60)
    loop.close()


@pytest.fixture
def lastvalue(capfd: pytest.CaptureFixture[str]) -> Callable[[str], tuple[int, str, str]]:
    """Runs a command line (split at blanks); gives its exit code, output and errors."""

    def call(line: str) -> tuple[int, str, str]:
        code = run(line.split())
        output, errors = capfd.readouterr()
        return code, output, errors

    return call
