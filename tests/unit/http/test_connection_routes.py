"""Connections over HTTP."""

from urllib.parse import quote

import httpx
import pytest
from waiting import until

from lastvalue.client import Connection
from lastvalue.client.errors import DetachedError


async def test_peers_are_listed_and_a_connection_is_closed(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    queue = await connection.declare("q")
    async with queue.browse(follow=True):
        consumers = (await http.get("/peers/consumers")).json()["consumers"]
        assert [each["node"] for each in consumers if each["browses"]] == ["q"]
    connections = (await http.get("/peers/connections")).json()["connections"]
    assert len(connections) == 2
    oldest = min(connections, key=lambda each: int(each["name"].rpartition(":")[2]))
    assert (await http.delete(f"/peers/connections/{oldest['name']}")).status_code == 204
    await until(lambda: not connection.is_open)


async def test_a_consumer_is_closed_and_its_connection_stays(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    queue = await connection.declare("q")
    async with queue.browse(follow=True) as browser:
        [shown] = [
            each for each in (await http.get("/peers/consumers")).json()["consumers"] if each["node"] == "q"
        ]
        where = {"connection": shown["connection"], "session": shown["session"]}
        path = f"/peers/consumers/{quote(shown['name'], safe='')}"
        assert (await http.delete(path, params=where)).status_code == 204
        assert (await http.delete(path, params=where)).status_code == 404
        with pytest.raises(DetachedError, match="closed by management"):
            await anext(browser)
    assert connection.is_open


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/peers/strangers", 422),
        ("DELETE", "/peers/connections/missing", 404),
        ("DELETE", "/peers/consumers/c?connection=missing&session=0", 404),
        ("DELETE", "/peers/consumers/c?connection=missing", 422),
    ],
)
async def test_what_is_wrong_is_a_problem(
    http: httpx.AsyncClient, method: str, path: str, status: int
) -> None:
    assert (await http.request(method, path)).status_code == status


async def test_the_broker_s_statistics_are_shown(http: httpx.AsyncClient) -> None:
    shown = (await http.get("/broker")).json()
    assert (shown["connections"], shown["queues"], shown["version"]) == (1, 0, "0.1.0")
