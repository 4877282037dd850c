"""A gateway before a broker, and callers of the gateway."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from lastvalue.http.gateway import make_gateway
from lastvalue.http.gateway_server import GatewayServer
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
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as client:
        yield client
    server.stop()
    await serving
