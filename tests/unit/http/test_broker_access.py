"""Whose rights a request has."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from lastvalue.gateway.gateway import make_gateway
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users


@asynccontextmanager
async def gateway(settings: GatewaySettings) -> AsyncIterator[httpx.AsyncClient]:
    application = make_gateway(settings)
    async with (
        application.router.lifespan_context(application),
        httpx.AsyncClient(transport=httpx.ASGITransport(application), base_url="http://localhost") as client,
    ):
        yield client


@pytest.fixture
async def http(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    file = tmp_path / "users.toml"
    users = Users(file)
    users.put("ann", "a", ("all *",))
    users.put("bob", "b", ("browse prices",))
    async with (
        BrokerServer(ServerOptions(port=0, users_file=file, anonymous=False)) as server,
        gateway(GatewaySettings(url=f"amqp://127.0.0.1:{server.port}")) as client,
    ):
        yield client


async def test_a_request_has_the_rights_of_its_user(http: httpx.AsyncClient) -> None:
    ann, bob = httpx.BasicAuth("ann", "a"), httpx.BasicAuth("bob", "b")
    assert (await http.put("/queues/prices", json={"lvq_key": "k"}, auth=ann)).status_code == 201
    assert (await http.put("/queues/prices/keys/A", content=b"1", auth=ann)).status_code == 200
    assert (await http.get("/queues/prices/keys/A", auth=bob)).status_code == 200
    for method, path in [
        ("PUT", "/queues/prices/keys/A"),
        ("DELETE", "/queues/prices/keys/A"),
        ("POST", "/queues/prices/messages"),
        ("POST", "/queues/prices/purge"),
        ("DELETE", "/queues/prices"),
        ("GET", "/broker"),
        ("GET", "/metrics"),
    ]:
        refused = await http.request(method, path, auth=bob)
        assert refused.status_code == 403, path
        assert refused.json()["condition"] == "amqp:unauthorized-access"
    assert (await http.get("/queues/prices", auth=ann)).json()["published"] == 1


@pytest.mark.parametrize("auth", [None, httpx.BasicAuth("ann", "b"), httpx.BasicAuth("eve", "a")])
async def test_who_is_not_a_user_is_asked_for_credentials(
    http: httpx.AsyncClient, auth: httpx.BasicAuth | None
) -> None:
    answer = await http.get("/queues", auth=auth)
    assert answer.status_code == 401
    assert "credentials are missing or wrong" in answer.json()["detail"]
    assert answer.headers["www-authenticate"].startswith("Basic")


async def test_a_probe_needs_no_credentials_and_is_verbose_with_those_of_the_caller(
    http: httpx.AsyncClient,
) -> None:
    for path in ("/readyz", "/readyz?verbose"):
        assert (await http.get(path)).json()["checks"] == {"broker": "ok"}
    told = (await http.get("/readyz?verbose", auth=httpx.BasicAuth("ann", "a"))).json()
    # The right that this needs is the caller's, too.
    assert (told["checks"]["store"], told["facts"]) == ("not shown to this user", {})


async def test_right_credentials_after_wrong_ones_are_taken(http: httpx.AsyncClient) -> None:
    assert (await http.get("/queues", auth=httpx.BasicAuth("ann", "x"))).status_code == 401
    assert (await http.get("/queues", auth=httpx.BasicAuth("ann", "a"))).status_code == 200


async def test_a_gateway_that_needs_credentials_does_not_ask_the_broker_without() -> None:
    async with gateway(GatewaySettings(url="amqp://127.0.0.1:1", anonymous=False)) as client:
        assert (await client.get("/queues")).status_code == 401


async def test_a_broker_that_is_not_there_is_a_problem() -> None:
    async with gateway(GatewaySettings(url="amqp://127.0.0.1:1")) as client:
        answer = await client.get("/queues")
        assert (answer.status_code, "cannot connect" in answer.json()["detail"]) == (503, True)
        ready = await client.get("/readyz")
        assert (ready.status_code, ready.json()["status"]) == (503, "unready")
        assert (await client.get("/healthz")).status_code == 200
