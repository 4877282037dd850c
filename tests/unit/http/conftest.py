"""A broker, a gateway before it, and callers of the gateway."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from lastvalue.client import Connection, connect
from lastvalue.http.gateway import make_gateway
from lastvalue.http.gateway_server import GatewayServer
from lastvalue.http.gateway_settings import GatewaySettings
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
