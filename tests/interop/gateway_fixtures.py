"""A gateway before a broker, and callers of the gateway."""

import asyncio
import ssl
from collections.abc import AsyncIterator

import httpx
import pytest

from lastvalue.gateway.gateway import make_gateway
from lastvalue.gateway.gateway_server import GatewayServer
from lastvalue.http.gateway_settings import GatewaySettings


@pytest.fixture
async def http(url: str) -> AsyncIterator[httpx.AsyncClient]:
    gateway = make_gateway(GatewaySettings(url=url))
    transport = httpx.ASGITransport(gateway)
    async with (
        gateway.router.lifespan_context(gateway),
        httpx.AsyncClient(transport=transport, base_url="http://localhost") as client,
    ):
        yield client


@pytest.fixture
async def served(url: str) -> AsyncIterator[httpx.AsyncClient]:
    """A caller of a gateway that listens, for answers that do not end."""
    server = GatewayServer(GatewaySettings(url=url, port=0))
    serving = asyncio.create_task(server.serve())
    # A context without certificates: there is no TLS, and reading those of the system takes 30 ms.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    async with httpx.AsyncClient(base_url=server.url, timeout=120, verify=context) as client:
        yield client
    server.stop()
    await serving
