"""Users and ports in Broker-J's API."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from lastvalue.gateway.gateway import make_gateway
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users

USERS = "/api/latest/user/passwords"
BOB = httpx.BasicAuth("bob", "b")


@pytest.fixture
def users(tmp_path: Path) -> Users:
    users = Users(tmp_path / "users.toml")
    users.put("ann", "a", None)
    users.put("bob", "b", ("browse *",))
    return users


@pytest.fixture
async def admin(users: Users) -> AsyncIterator[httpx.AsyncClient]:
    async with BrokerServer(ServerOptions(port=0, users_file=users.path, anonymous=False)) as server:
        gateway = make_gateway(GatewaySettings(url=f"amqp://127.0.0.1:{server.port}"))
        transport = httpx.ASGITransport(gateway)
        async with (
            gateway.router.lifespan_context(gateway),
            httpx.AsyncClient(transport=transport, base_url="http://localhost", auth=("ann", "a")) as client,
        ):
            yield client


async def test_a_user_is_made_changed_and_removed(admin: httpx.AsyncClient, users: Users) -> None:
    eve = {"name": "eve", "type": "managed", "password": "e"}
    assert (await admin.post(USERS, json=eve)).status_code == 201
    assert (await admin.post(USERS, json=eve)).status_code == 409
    assert (await admin.get(f"{USERS}/eve")).json()["rules"] == []
    assert (await admin.post(f"{USERS}/eve/setPassword", json={"password": "f"})).status_code == 200
    users.load()
    assert users.check("eve", "f")
    assert (await admin.put(f"{USERS}/eve", json={"password": "g", "rules": ["read q"]})).status_code == 200
    assert (await admin.post(f"{USERS}/eve", json={"password": "h"})).status_code == 200
    users.load()
    assert (users.check("eve", "h"), users.rules()["eve"]) == (True, ("read q",))
    assert [each["name"] for each in (await admin.get(USERS)).json()] == ["ann", "bob", "eve"]
    assert (await admin.delete(f"{USERS}/eve")).status_code == 200
    assert (await admin.get(f"{USERS}/eve")).status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "field"),
    [
        ("PUT", f"{USERS}/eve", {}, 422, "password"),
        ("PUT", f"{USERS}/eve", {"password": "e", "rules": "read q"}, 422, "rules"),
        ("PUT", f"{USERS}/eve", {"password": "e", "rules": ["reed q"]}, 422, "rules"),
        ("POST", f"{USERS}/eve", {"password": "e"}, 404, "eve"),
        ("POST", f"{USERS}/eve/setPassword", {"password": "e"}, 404, "eve"),
        ("POST", f"{USERS}/bob/setPassword", {}, 422, "password"),
        ("DELETE", f"{USERS}/eve", None, 404, "eve"),
    ],
)
async def test_what_is_wrong_is_named(
    admin: httpx.AsyncClient, users: Users, method: str, path: str, body: object, status: int, field: str
) -> None:
    refused = await admin.request(method, path, json=body)
    assert (refused.status_code, field in refused.json()["errorMessage"]) == (status, True), refused.text
    users.load()
    assert users.names() == ["ann", "bob"]


async def test_others_neither_see_users_nor_change_them(admin: httpx.AsyncClient, users: Users) -> None:
    for method, path, body in (
        ("GET", USERS, None),
        ("POST", f"{USERS}/bob/setPassword", {"password": "x"}),
        ("DELETE", f"{USERS}/ann", None),
    ):
        assert (await admin.request(method, path, json=body, auth=BOB)).status_code == 403
    users.load()
    assert users.check("bob", "b")


async def test_ports_are_shown(admin: httpx.AsyncClient) -> None:
    (amqp,) = (await admin.get("/api/latest/port")).json()
    assert (amqp["name"], amqp["transports"], amqp["boundPort"] > 0) == ("amqp", ["TCP"], True)
    assert (await admin.get("/api/latest/port/amqp")).json() == amqp
    assert (await admin.put("/api/latest/port/amqp2", json={"port": 1})).status_code == 501
    assert (await admin.get("/api/latest/port", auth=BOB)).status_code == 403
