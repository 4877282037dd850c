"""Logging in with a browser, and out."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from lastvalue.gateway.gateway import make_gateway
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users

ANN = {"user": "ann", "password": "a"}


@pytest.fixture
async def guarded_url(tmp_path: Path) -> AsyncIterator[str]:
    users = Users(tmp_path / "users.toml")
    users.put("ann", "a", ("all *",))
    users.put("bob", "b", ("browse prices",))
    options = ServerOptions(port=0, users_file=tmp_path / "users.toml", anonymous=False)
    async with BrokerServer(options) as server:
        yield f"amqp://127.0.0.1:{server.port}"


@pytest.fixture
async def browser(guarded_url: str) -> AsyncIterator[httpx.AsyncClient]:
    gateway = make_gateway(GatewaySettings(url=guarded_url))
    async with (
        gateway.router.lifespan_context(gateway),
        httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url="http://localhost") as client,
    ):
        yield client


async def test_requests_after_a_login_have_the_user_s_rights(browser: httpx.AsyncClient) -> None:
    assert (await browser.get("/queues")).status_code == 401
    answer = await browser.post("/session", json=ANN)
    assert answer.status_code == 201
    told = answer.json()
    assert (told["user"], told["csrf_header"]) == ("ann", "X-CSRF-Token")
    assert 0 < told["expires_in_s"] <= 12 * 3600
    assert (await browser.get("/queues")).status_code == 200
    assert (await browser.get("/session")).json()["csrf_token"] == told["csrf_token"]
    assert (await browser.get("/api/whoami")).json()["name"] == "ann"


async def test_a_change_by_a_session_needs_its_token(browser: httpx.AsyncClient) -> None:
    token = (await browser.post("/session", json=ANN)).json()["csrf_token"]
    for headers in ({}, {"X-CSRF-Token": "guessed"}):
        refused = await browser.put("/queues/prices", json={}, headers=headers)
        assert refused.status_code == 403
        assert "X-CSRF-Token" in refused.json()["detail"]
        assert (await browser.delete("/session", headers=headers)).status_code == 403
    assert (await browser.get("/queues/prices")).status_code == 404
    taken = await browser.put("/queues/prices", json={}, headers={"X-CSRF-Token": token})
    assert taken.status_code == 201


async def test_the_token_of_another_session_is_not_taken(browser: httpx.AsyncClient) -> None:
    other = (await browser.post("/session", json={"user": "bob", "password": "b"})).json()["csrf_token"]
    await browser.post("/session", json=ANN)
    answer = await browser.put("/queues/prices", json={}, headers={"X-CSRF-Token": other})
    assert answer.status_code == 403


async def test_after_a_logout_the_cookie_is_worth_nothing(browser: httpx.AsyncClient) -> None:
    token = (await browser.post("/session", json=ANN)).json()["csrf_token"]
    cookie = browser.cookies["lastvalue-session"]
    answer = await browser.delete("/session", headers={"X-CSRF-Token": token})
    assert (answer.status_code, "lastvalue-session" in browser.cookies) == (204, False)
    stolen = await browser.get("/queues", headers={"Cookie": f"lastvalue-session={cookie}"})
    assert (stolen.status_code, "log in again" in stolen.json()["detail"]) == (401, True)


async def test_other_credentials_precede_a_session(browser: httpx.AsyncClient) -> None:
    await browser.post("/session", json=ANN)
    answer = await browser.put("/queues/prices", json={}, auth=("bob", "b"))
    assert (answer.status_code, answer.json()["condition"]) == (403, "amqp:unauthorized-access")


@pytest.mark.parametrize(
    ("behind_proxy", "name", "attributes"),
    [
        (False, "lastvalue-session", ["HttpOnly", "Path=/", "SameSite=strict"]),
        (True, "__Host-lastvalue-session", ["HttpOnly", "Path=/", "SameSite=strict", "Secure"]),
    ],
)
async def test_no_script_reads_the_cookie_and_no_other_site_sends_it(
    guarded_url: str, behind_proxy: bool, name: str, attributes: list[str]
) -> None:
    gateway = make_gateway(GatewaySettings(url=guarded_url, behind_proxy=behind_proxy))
    async with (
        gateway.router.lifespan_context(gateway),
        httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url="https://localhost") as client,
    ):
        answer = await client.post("/session", json=ANN)
        cookie, *rest = answer.headers["set-cookie"].split("; ")
        assert (cookie.partition("=")[0], sorted(rest)) == (name, sorted([*attributes, "Max-Age=43200"]))
        assert (await client.get("/queues")).status_code == 200


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ({"user": "ann", "password": "b"}, 401, ""),
        ({"user": "eve", "password": "a"}, 401, ""),
        ({"token": "not.a.token"}, 401, ""),
        ({}, 422, "either user and password, or a token"),
        ({"user": "ann", "token": "x"}, 422, "either user and password, or a token"),
        ({"user": "ann", "password": "a", "name": "x"}, 422, "name"),
        ({"user": 5}, 422, "user"),
    ],
)
async def test_other_logins_are_refused(
    browser: httpx.AsyncClient, body: object, status: int, told: str
) -> None:
    answer = await browser.post("/session", json=body)
    assert (answer.status_code, "set-cookie" in answer.headers) == (status, False)
    assert told in answer.json()["detail"]


async def test_a_page_s_script_is_not_asked_by_the_browser(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/session", headers={"Sec-Fetch-Dest": "empty"})
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, 'Bearer realm="lastvalue"')
    assert (await browser.get("/session")).headers["www-authenticate"].startswith("Basic")


async def test_a_page_of_another_site_cannot_log_in(browser: httpx.AsyncClient) -> None:
    answer = await browser.post("/session", json=ANN, headers={"Origin": "https://example.org"})
    assert answer.status_code == 403


async def test_where_nobody_has_to_log_in_there_is_no_session(http: httpx.AsyncClient) -> None:
    assert (await http.get("/session")).json()["user"] is None
    assert (await http.delete("/session")).status_code == 404
