"""lastvalue.http.recent_figures."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from waiting import until

from lastvalue.client import Message, connect
from lastvalue.gateway.gateway import make_gateway
from lastvalue.http import recent_figures as module
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.recent_figures import MOST_KEPT, RecentFigures
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users


def test_no_more_than_an_hour_is_kept() -> None:
    recent = RecentFigures()
    assert recent.document()["since_ms"] is None
    for number in range(MOST_KEPT + 5):
        recent.add({"time_ms": number * 10_000, "published": number, "held_bytes": 7})
    document = recent.document()
    assert (document["since_ms"], len(document["times_ms"])) == (50_000, MOST_KEPT)
    assert document["figures"]["published"][-1] == MOST_KEPT + 4
    assert set(document["figures"]["held_bytes"]) == {7}
    assert set(document["figures"]["store_bytes"]) == {0}


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncIterator[BrokerServer]:
    users = Users(tmp_path / "users.toml")
    users.put("ann", "a", ("all *", "administer $*"))
    users.put("bob", "b", ("all *",))
    options = ServerOptions(port=0, users_file=users.path, anonymous=False)
    async with BrokerServer(options) as server:
        yield server


async def test_a_gateway_of_its_own_asks_as_the_user_of_its_url(
    broker: BrokerServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EVERY_S", 0.01)
    url = f"amqp://ann:a@127.0.0.1:{broker.port}"
    async with connect(url) as connection:
        await (await connection.declare("q")).send_many([Message("1")] * 3)
    gateway = make_gateway(GatewaySettings(url=url))
    async with (
        gateway.router.lifespan_context(gateway),
        httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url="http://localhost") as client,
    ):
        recent: RecentFigures = gateway.state.access.recent
        await until(lambda: len(recent.document()["times_ms"]) > 1)
        answer = (await client.get("/recent-figures", auth=("ann", "a"))).json()
        assert answer["figures"]["published"][0] == 3
        refused = await client.get("/recent-figures", auth=("bob", "b"))
        assert (refused.status_code, "$broker" in refused.json()["detail"]) == (403, True)


async def test_without_a_user_in_its_url_nothing_is_asked(
    broker: BrokerServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EVERY_S", 0.01)
    gateway = make_gateway(GatewaySettings(url=f"amqp://127.0.0.1:{broker.port}"))
    async with (
        gateway.router.lifespan_context(gateway),
        httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url="http://localhost") as client,
    ):
        answer = (await client.get("/recent-figures", auth=("ann", "a"))).json()
        assert (answer["since_ms"], answer["times_ms"]) == (None, [])
