"""Objects of Broker-J's API with those below them."""

from typing import Any

import httpx
import pytest

from lastvalue.client import Connection
from lastvalue.compat.broker_j.nested_objects import CHILDREN
from lastvalue.compat.broker_j.object_tree import CATEGORIES

API = "/api/latest"


def names(objects: list[dict[str, Any]]) -> list[str]:
    return [each["name"] for each in objects]


async def test_an_object_has_what_is_below_it_as_deep_as_that_is_asked_for(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    queue = await connection.declare("prices")
    await connection.declare("orders")
    await connection.bind("amq.topic", "prices", "a")
    async with queue.browse(follow=True):
        host = (await http.get(f"{API}/virtualhost/default/default", params={"depth": 2})).json()
        assert names(host["queues"]) == ["orders", "prices"]
        orders, prices = host["queues"]
        assert (names(prices["bindings"]), [each["queue"] for each in prices["consumers"]]) == (
            ["a"],
            ["prices"],
        )
        assert (orders["bindings"], orders["consumers"]) == ([], [])
        assert [names(each["bindings"]) for each in host["exchanges"] if each["name"] == "amq.topic"] == [
            ["a"]
        ]
        assert all(names(each["sessions"]) for each in host["connections"])
        assert "consumers" not in host["connections"][0]["sessions"][0]
        connections = (await http.get(f"{API}/connection", params={"depth": 2})).json()
        consumers = [each["consumers"] for peer in connections for each in peer["sessions"]]
        assert [each["queue"] for found in consumers for each in found] == ["prices"]
    (broker,) = (await http.get(f"{API}/broker", params={"depth": 3})).json()
    assert names(broker["virtualhostnodes"][0]["virtualhosts"][0]["queues"]) == ["orders", "prices"]
    assert "queues" not in (await http.get(f"{API}/virtualhost/default/default")).json()


@pytest.mark.parametrize("depth", ["-1", "11", "x", ""])
async def test_a_depth_that_is_none_is_refused(http: httpx.AsyncClient, depth: str) -> None:
    for path in ("virtualhost", "virtualhost/default/default"):
        refused = await http.get(f"{API}/{path}", params={"depth": depth})
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "depth")


def test_what_is_below_is_of_a_category_that_there_is() -> None:
    assert {each.category for children in CHILDREN.values() for each in children} <= set(CATEGORIES)
