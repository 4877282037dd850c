"""A gateway before a broker with a users file."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from gateway_fixtures import http, served

from lastvalue.gateway.gateway_server import GatewayServer
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users

__all__ = ["admin", "http", "served", "users_file", "users_text"]

ANN, BOB = httpx.BasicAuth("ann", "a"), httpx.BasicAuth("bob", "b")


@pytest.fixture(scope="session")
def users_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Ann may do everything, and Bob browse one queue; written once, because a password takes 50 ms."""
    users = Users(tmp_path_factory.mktemp("users") / "users.toml")
    users.put("ann", "a", None)
    users.put("bob", "b", ("browse prices", "administer $connections"))
    return users.path.read_text()


@pytest.fixture
def users_file(users_text: str, tmp_path: Path) -> Path:
    """A file of users of the test's own."""
    file = tmp_path / "users.toml"
    file.write_text(users_text)
    return file


@pytest.fixture
async def admin(users_file: Path) -> AsyncIterator[httpx.AsyncClient]:
    """Ann, as a caller of the gateway."""
    options = ServerOptions(port=0, users_file=users_file, anonymous=False, max_bindings_per_user=100)
    async with BrokerServer(options) as server:
        gateway = GatewayServer(GatewaySettings(url=f"amqp://127.0.0.1:{server.port}", port=0))
        serving = asyncio.create_task(gateway.serve())
        # Without the certificates of the system, which take 30 ms to read and are not needed.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        async with httpx.AsyncClient(base_url=gateway.url, auth=ANN, timeout=120, verify=context) as client:
            yield client
        gateway.stop()
        await serving
