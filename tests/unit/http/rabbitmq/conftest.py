"""A gateway before a broker with a users file."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from lastvalue.http.gateway_server import GatewayServer
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users

ANN, BOB = httpx.BasicAuth("ann", "a"), httpx.BasicAuth("bob", "b")


@pytest.fixture
def users_file(tmp_path: Path) -> Path:
    """Ann may do everything, and Bob browse one queue."""
    users = Users(tmp_path / "users.toml")
    users.put("ann", "a", None)
    users.put("bob", "b", ("browse prices", "administer $connections"))
    return users.path


@pytest.fixture
async def admin(users_file: Path) -> AsyncIterator[httpx.AsyncClient]:
    """Ann, as a caller of the gateway."""
    options = ServerOptions(port=0, users_file=users_file, anonymous=False, max_bindings_per_user=100)
    async with BrokerServer(options) as server:
        gateway = GatewayServer(GatewaySettings(url=f"amqp://127.0.0.1:{server.port}", port=0))
        serving = asyncio.create_task(gateway.serve())
        async with httpx.AsyncClient(base_url=gateway.url, auth=ANN, timeout=30) as client:
            yield client
        gateway.stop()
        await serving
