"""Who guesses passwords over HTTP locks out nobody else."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from starlette.types import ASGIApp

from lastvalue.client.errors import AuthenticationError
from lastvalue.gateway.gateway import make_gateway
from lastvalue.http import password_guesses
from lastvalue.http.caller import ANONYMOUS, Caller
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.password_guesses import PasswordGuesses
from lastvalue.model.admission import (
    GATEWAY_LOGINS_AT_ONCE,
    GATEWAY_PASSWORDS_OF_ADDRESS,
    GATEWAY_PASSWORDS_OF_USER,
)
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users

MOST_AT_ONCE = GATEWAY_LOGINS_AT_ONCE.most
PER_ADDRESS = GATEWAY_PASSWORDS_OF_ADDRESS.most
PER_ADDRESS_AND_USER = GATEWAY_PASSWORDS_OF_USER.most


@pytest.fixture(autouse=True)
def _at_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the test takes, no minute passes."""
    monkeypatch.setattr(password_guesses, "_now_ms", lambda: 60_000)


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncIterator[ASGIApp]:
    users = Users(tmp_path / "users.toml")
    for name in ("ann", "bob"):
        users.put(name, name, ("all *",))
    options = ServerOptions(port=0, users_file=tmp_path / "users.toml", anonymous=False)
    async with BrokerServer(options) as server:
        gateway = make_gateway(GatewaySettings(url=f"amqp://127.0.0.1:{server.port}"))
        async with gateway.router.lifespan_context(gateway):
            yield gateway


def caller(gateway: ASGIApp, address: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(gateway, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url="http://localhost")


async def statuses(client: httpx.AsyncClient, user: str, password: str, times: int) -> list[int]:
    return [(await client.get("/queues", auth=(user, password))).status_code for _ in range(times)]


async def test_who_guesses_a_user_s_password_does_not_lock_that_user_out(gateway: ASGIApp) -> None:
    async with caller(gateway, "10.0.0.1") as guessing, caller(gateway, "10.0.0.2") as other:
        got = await statuses(guessing, "ann", "wrong", 3 * PER_ADDRESS_AND_USER)
        assert got == [401] * PER_ADDRESS_AND_USER + [429] * (2 * PER_ADDRESS_AND_USER)
        assert (await guessing.get("/queues", auth=("ann", "ann"))).headers["retry-after"] == "12"
        assert await statuses(other, "ann", "ann", 1) == [200]
        login = await guessing.post("/session", json={"user": "ann", "password": "wrong"})
        assert login.status_code == 429


async def test_who_guesses_names_is_stopped_before_the_broker_stops_the_gateway(gateway: ASGIApp) -> None:
    async with caller(gateway, "10.0.0.1") as guessing, caller(gateway, "10.0.0.2") as other:
        got = [await statuses(guessing, f"user {number}", "x", 1) for number in range(150)]
        assert got == [[401]] * PER_ADDRESS + [[429]] * (150 - PER_ADDRESS)
        assert await statuses(other, "bob", "bob", 1) == [200]


async def test_the_addresses_of_a_network_are_one_guesser(gateway: ASGIApp) -> None:
    got = []
    for number in range(PER_ADDRESS + 1):
        async with caller(gateway, f"2001:db8::{number:x}") as guessing:
            got += await statuses(guessing, f"user {number}", "x", 1)
    assert got == [401] * PER_ADDRESS + [429]


async def test_guesses_at_once_are_counted_too(gateway: ASGIApp) -> None:
    async with caller(gateway, "10.0.0.1") as guessing:
        got = await asyncio.gather(*(statuses(guessing, "ann", f"wrong {number}", 1) for number in range(60)))
    assert sum(each == [401] for each in got) <= MOST_AT_ONCE


async def test_who_is_connected_stays_so(gateway: ASGIApp) -> None:
    async with caller(gateway, "10.0.0.1") as client:
        assert await statuses(client, "bob", "bob", 1) == [200]
        await statuses(client, "ann", "wrong", PER_ADDRESS + 1)
        assert await statuses(client, "bob", "bob", 1) == [200]


async def test_who_gives_no_credentials_guesses_none(gateway: ASGIApp) -> None:
    """Else the probes of an orchestrator, or a page whose session is over, would lock people out."""
    async with caller(gateway, "10.0.0.1") as client:
        got = [(await client.get("/queues")).status_code for _ in range(2 * PER_ADDRESS)]
        assert got == [401] * len(got)
        probed = [(await client.get("/readyz")).status_code for _ in range(2 * PER_ADDRESS)]
        assert probed == [200] * len(probed)
        assert await statuses(client, "bob", "bob", 1) == [200]


def test_the_broker_is_not_asked_again_at_once_about_callers_without_credentials() -> None:
    guesses = PasswordGuesses()
    asked: list[Caller] = []

    def enter(caller: Caller) -> None:
        with guesses.checking(caller):
            asked.append(caller)
            raise AuthenticationError("127.0.0.1", 5672, "no")

    other = Caller(leader=("127.0.0.1:5673",))
    for each in (ANONYMOUS, ANONYMOUS, other, ANONYMOUS):
        with pytest.raises(AuthenticationError):
            enter(each)
    assert asked == [ANONYMOUS, other]
