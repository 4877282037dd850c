"""A gateway in the event loop of a test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from lastvalue.http.gateway_server import GatewayServer
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
