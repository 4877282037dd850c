"""A gateway in the event loop of a test, or in a thread."""

import asyncio
import ssl
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import httpx

from lastvalue.gateway.gateway_server import GatewayServer
from lastvalue.http.gateway_settings import GatewaySettings


@asynccontextmanager
async def served_gateway(settings: GatewaySettings) -> AsyncIterator[GatewayServer]:
    """A gateway that serves inside the `async with` block."""
    server = GatewayServer(settings)
    serving = asyncio.create_task(server.serve())
    try:
        yield server
    finally:
        server.stop()
        await serving


@contextmanager
def gateway_client(url: str, auth: tuple[str, str] | None = None) -> Iterator[httpx.Client]:
    """A blocking caller of a gateway to this broker, which serves in a thread of its own."""
    server = GatewayServer(GatewaySettings(url=url, port=0))
    started = threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(started.set)))
    thread.start()
    started.wait()
    # Without the certificates of the system, which take time to read and are not needed.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        with httpx.Client(base_url=server.url, auth=auth, timeout=60, verify=context) as client:
            yield client
    finally:
        server.stop()
        thread.join()
