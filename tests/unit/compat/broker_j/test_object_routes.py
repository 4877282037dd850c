"""Broker-J's REST API: scripts that were written for it."""

from typing import Any

import httpx
import pytest

from lastvalue.client import Connection, Message
from lastvalue.client.errors import DetachedError
from lastvalue.compat.broker_j import object_tree

QUEUES = "/api/latest/queue/default/default"


async def test_a_last_value_queue_is_made_and_an_unknown_type_is_refused(http: httpx.AsyncClient) -> None:
    """S-223."""
    made = await http.put(f"{QUEUES}/q", json={"type": "lvq", "lvqKey": "k"})
    assert (made.status_code, made.headers["location"]) == (201, f"{QUEUES}/q")
    shown = (await http.get(f"{QUEUES}/q")).json()
    assert (shown["type"], shown["lvqKey"], shown["durable"]) == ("lvq", "k", True)
    refused = await http.put(f"{QUEUES}/r", json={"type": "nosuch"})
    assert (refused.status_code, "nosuch" in refused.json()["errorMessage"]) == (422, True)


async def test_what_is_missing(http: httpx.AsyncClient) -> None:
    """S-222."""
    assert (await http.get(f"{QUEUES}/q")).status_code == 404
    assert (await http.post(f"{QUEUES}/q", json={"maximumMessageTtl": 1})).status_code == 404
    await http.put(f"{QUEUES}/q", json={})
    assert (await http.delete(f"{QUEUES}/q")).status_code == 200
    assert (await http.delete(f"{QUEUES}/q")).status_code == 404


@pytest.mark.parametrize(
    "attributes",
    [
        {"type": "priority", "priorities": 5},
        {"type": "sorted", "sortKey": "k"},
        {"messageGroupType": "SHARED_GROUPS", "messageGroupKeyOverride": "grp"},
        {
            "ensureNondestructiveConsumers": True,
            "maximumMessageTtl": 60000,
            "minimumMessageTtl": 60000,
            "defaultFilters": {"x-qpid-replay-period": {"x-qpid-replay-period": ["0"]}},
        },
        {"holdOnPublishEnabled": True},
        {"overflowPolicy": "RING", "maximumQueueDepthMessages": 5},
        {"overflowPolicy": "PRODUCER_FLOW_CONTROL", "maximumQueueDepthBytes": 5000},
        {"maximumLiveConsumers": 1, "maximumDeliveryAttempts": 3, "noLocal": True},
        {"lifetimePolicy": "DELETE_ON_NO_OUTBOUND_LINKS", "durable": False},
        {"alternateBinding": {"destination": "dead", "attributes": {}}},
    ],
)
async def test_attributes_are_shown_as_they_were_given(
    http: httpx.AsyncClient, attributes: dict[str, Any]
) -> None:
    await http.put(f"{QUEUES}/dead", json={})
    made = await http.put(f"{QUEUES}/q", json=attributes)
    assert made.status_code == 201, made.text
    shown = (await http.get(f"{QUEUES}/q")).json()
    assert {name: shown[name] for name in attributes} == attributes


async def test_an_object_that_was_read_can_be_put_again(http: httpx.AsyncClient) -> None:
    await http.put(f"{QUEUES}/q", json={"maximumMessageTtl": 60000})
    shown = (await http.get(f"{QUEUES}/q")).json()
    changed = await http.put(f"{QUEUES}/q", json={**shown, "maximumMessageTtl": 1000})
    assert (changed.status_code, changed.text) == (200, "")
    assert (await http.get(f"{QUEUES}/q")).json()["maximumMessageTtl"] == 1000


CHANGES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"maximumQueueDepthMessages": 5, "overflowPolicy": "RING"}, {"maximumQueueDepthMessages": 9}),
    ({"maximumQueueDepthMessages": 5, "overflowPolicy": "RING"}, {"overflowPolicy": "REJECT"}),
    ({"maximumQueueDepthMessages": 5, "overflowPolicy": "RING"}, {"overflowPolicy": "NONE"}),
    ({"maximumQueueDepthBytes": 5000, "overflowPolicy": "PRODUCER_FLOW_CONTROL"}, {"overflowPolicy": "RING"}),
    ({"maximumQueueDepthBytes": 5000}, {"maximumQueueDepthBytes": -1}),
    ({"maximumMessageTtl": 5}, {"maximumMessageTtl": 0}),
    ({"minimumMessageTtl": 5}, {"minimumMessageTtl": 9}),
    ({"maximumDeliveryAttempts": 5}, {"maximumDeliveryAttempts": 0}),
    ({"maximumLiveConsumers": 1}, {"maximumLiveConsumers": 3}),
    ({"noLocal": True}, {"noLocal": False}),
    ({"ensureNondestructiveConsumers": True}, {"ensureNondestructiveConsumers": False}),
    ({"holdOnPublishEnabled": False}, {"holdOnPublishEnabled": True}),
    ({"alternateBinding": {"destination": "dead"}}, {"alternateBinding": None}),
    ({"alternateBinding": {"destination": "dead"}}, {"expiryPolicy": "ROUTE_TO_ALTERNATE"}),
    ({"defaultFilters": {"f": {"x-qpid-replay-period": ["0"]}}}, {"defaultFilters": None}),
    ({"description": "a"}, {"description": "b"}),
    ({"lifetimePolicy": "DELETE_ON_NO_LINKS"}, {"lifetimePolicy": "PERMANENT"}),
]


@pytest.mark.parametrize("method", ["PUT", "POST"])
@pytest.mark.parametrize(("attributes", "change"), CHANGES)
async def test_a_change_makes_what_a_declaration_makes(
    http: httpx.AsyncClient, method: str, attributes: dict[str, Any], change: dict[str, Any]
) -> None:
    for name, declared in (("dead", {}), ("q", attributes), ("other", {**attributes, **change})):
        made = await http.put(f"{QUEUES}/{name}", json=declared)
        assert made.status_code == 201, made.text
    changed = await http.request(method, f"{QUEUES}/q", json=change)
    assert changed.status_code == 200, changed.text
    shown, other = [(await http.get(f"{QUEUES}/{name}")).json() for name in ("q", "other")]
    assert {**shown, "id": "", "name": ""} == {**other, "id": "", "name": ""}


@pytest.mark.parametrize("method", ["PUT", "POST"])
@pytest.mark.parametrize(
    "change",
    [
        {"type": "sorted", "sortKey": "k"},
        {"lvqKey": "other"},
        {"durable": False},
        {"messageGroupType": "SHARED_GROUPS"},
        {"lifetimePolicy": "DELETE_ON_CONNECTION_CLOSE"},
        {"desiredState": "STOPPED"},
        {"state": "STOPPED"},
        {"context": {"queue.x": "1"}},
        {"name": "r"},
        {"nosuch": 1},
    ],
)
async def test_what_cannot_change_is_refused_by_name(
    http: httpx.AsyncClient, method: str, change: dict[str, Any]
) -> None:
    await http.put(f"{QUEUES}/q", json={"type": "lvq", "lvqKey": "k"})
    before = (await http.get(f"{QUEUES}/q")).json()
    refused = await http.request(method, f"{QUEUES}/q", json=change)
    assert 400 <= refused.status_code < 500, refused.text
    named = {"lvqKey": "lvq_key", "messageGroupType": "group", "lifetimePolicy": "lifetime"}
    assert any(named.get(name, name) in refused.json()["errorMessage"] for name in change), refused.text
    assert (await http.get(f"{QUEUES}/q")).json() == before


async def test_a_last_value_queue_keeps_its_key_when_something_else_changes(http: httpx.AsyncClient) -> None:
    await http.put(f"{QUEUES}/q", json={"type": "lvq", "lvqKey": "k"})
    changed = await http.put(f"{QUEUES}/q", json={"type": "lvq", "maximumMessageTtl": 5})
    assert changed.status_code == 200, changed.text
    shown = (await http.get(f"{QUEUES}/q")).json()
    assert (shown["lvqKey"], shown["maximumMessageTtl"]) == ("k", 5)


async def test_an_exchange_is_changed(http: httpx.AsyncClient, connection: Connection) -> None:
    exchange = "/api/latest/exchange/default/default/x"
    await http.put(f"{QUEUES}/dead", json={})
    assert (await http.put(exchange, json={"type": "topic"})).status_code == 201
    for method, alternate in (("PUT", "dead"), ("POST", "amq.fanout")):
        body = {"alternateBinding": {"destination": alternate}}
        assert (await http.request(method, exchange, json=body)).status_code == 200
        (found,) = [each for each in await connection.exchanges() if each.name == "x"]
        assert found.options["alternate"] == alternate
    refused = await http.post(exchange, json={"type": "fanout"})
    assert (refused.status_code, "type" in refused.json()["errorMessage"]) == (422, True)


async def test_an_object_is_made_below_its_parent_once(http: httpx.AsyncClient) -> None:
    for method, name in (("POST", "a"), ("PUT", "b")):
        assert (await http.request(method, QUEUES, json={"name": name})).status_code == 201
        assert (await http.request(method, QUEUES, json={"name": name})).status_code == 409
    assert (await http.post(QUEUES, json={})).status_code == 422
    assert (await http.delete(QUEUES, params={"name": "a"})).status_code == 200
    assert (await http.delete(QUEUES)).status_code == 422
    names = [each["name"] for each in (await http.get(QUEUES)).json()]
    assert names == ["b"]


async def test_of_several_objects_to_delete_all_are_there_or_none_is_deleted(http: httpx.AsyncClient) -> None:
    for name in "ab":
        await http.put(f"{QUEUES}/{name}", json={})
    assert (await http.delete(QUEUES, params={"name": ["a", "missing"]})).status_code == 404
    assert len((await http.get(QUEUES)).json()) == 2
    assert (await http.delete(QUEUES, params={"name": ["a", "b"]})).status_code == 200
    assert (await http.get(QUEUES)).json() == []


async def test_a_consumer_is_closed_by_its_id(http: httpx.AsyncClient, connection: Connection) -> None:
    queue = await connection.declare("q")
    async with queue.browse(follow=True) as closed, queue.browse(follow=True) as stays:
        path = "/api/latest/consumer/default/default"
        first, second = sorted(
            (each for each in (await http.get(path)).json() if each["queue"] == "q"),
            key=lambda it: it["name"],
        )
        assert (await http.delete(path, params={"id": first["id"]})).status_code == 200
        with pytest.raises(DetachedError, match="closed by management"):
            await anext(closed)
        await queue.send(Message("x"))
        assert (await anext(stays)).body == "x"
        left = [each["id"] for each in (await http.get(path)).json() if each["queue"] == "q"]
        assert left == [second["id"]]


async def test_objects_are_listed_filtered_and_sorted(http: httpx.AsyncClient) -> None:
    for name, attributes in {"a": {"type": "lvq"}, "b": {}, "c": {"type": "lvq"}}.items():
        await http.put(f"{QUEUES}/{name}", json=attributes)

    async def names(path: str) -> list[str]:
        return [each["name"] for each in (await http.get(path)).json()]

    for path in ("/api/latest/queue", "/api/latest/queue/default", "/api/latest/queue/*/default/*"):
        assert await names(path) == ["a", "b", "c"]
    assert await names("/api/latest/queue?type=lvq&depth=1&sort=-name") == ["c", "a"]
    assert await names("/api/latest/queue/*/*/b") == ["b"]
    as_list = await http.get(f"{QUEUES}/a?singletonModelObjectResponseAsList=true")
    assert [each["name"] for each in as_list.json()] == ["a"]


async def test_a_name_with_a_slash_is_encoded_twice(http: httpx.AsyncClient) -> None:
    made = await http.put(f"{QUEUES}/a%252Fb", json={})
    assert made.headers["location"] == f"{QUEUES}/a%252Fb"
    assert (await http.get(f"{QUEUES}/a%252Fb")).json()["name"] == "a/b"


async def test_a_name_with_a_percent_sign_is_encoded_twice_too(http: httpx.AsyncClient) -> None:
    """So a queue named %2F is another one than that named /."""
    made = await http.put(f"{QUEUES}/%25252F", json={})
    assert made.headers["location"] == f"{QUEUES}/%25252F"
    assert (await http.get(f"{QUEUES}/%25252F")).json()["name"] == "%2F"
    assert (await http.get(f"{QUEUES}/%252F")).status_code == 404


async def test_queries_select_filter_sort_and_page(http: httpx.AsyncClient, connection: Connection) -> None:
    for name, depth in (("a", 2), ("b", 0), ("c", 1)):
        queue = await connection.declare(name)
        await queue.send_many(Message(number) for number in range(depth))
    query = {"select": "name,queueDepthMessages", "where": "queueDepthMessages > 0", "orderBy": "name desc"}
    for path in ("/api/latest/querybroker/queue", "/api/latest/queryvhost/default/default/queue"):
        told = (await http.get(path, params=query)).json()
        assert told == {
            "headers": ["name", "queueDepthMessages"],
            "results": [["c", 1], ["a", 2]],
            "total": 2,
        }
    page = {"select": "name", "limit": "1", "offset": "1"}
    assert (await http.get("/api/latest/querybroker/queue", params=page)).json() == {
        "headers": ["name"],
        "results": [["b"]],
        "total": 3,
    }
    by_depth = {"select": "name", "orderBy": "queueDepthMessages DESC", "limit": "2", "offset": "1"}
    told = (await http.get("/api/latest/querybroker/queue", params=by_depth)).json()
    assert (told["results"], told["total"]) == ([["c"], ["b"]], 3)
    assert (await http.get("/api/latest/querybroker/queue", params={"where": "="})).status_code == 422


async def test_a_query_that_looks_at_all_queues_reads_some_at_a_time(
    http: httpx.AsyncClient, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(object_tree, "QUEUES_AT_ONCE", 2)
    for name in ("a", "b", "c", "d", "e"):
        await connection.declare(name)
    query = {"select": "name", "where": "name <> 'b'", "orderBy": "type,name desc", "limit": "2"}
    told = (await http.get("/api/latest/querybroker/queue", params=query)).json()
    assert (told["results"], told["total"]) == ([["e"], ["d"]], 4)


async def test_the_other_categories_are_shown(http: httpx.AsyncClient, connection: Connection) -> None:
    queue = await connection.declare("q")
    await connection.bind("amq.topic", "q", "a.#")
    exchange = "/api/latest/exchange/default/default"
    assert (await http.put(f"{exchange}/news", json={"type": "fanout"})).status_code == 201
    assert (await http.get(f"{exchange}/news")).json()["type"] == "fanout"
    assert (await http.delete(f"{exchange}/news")).status_code == 200
    async with queue.browse(follow=True):
        consumers = (await http.get("/api/latest/consumer")).json()
        assert [each["queue"] for each in consumers if each["distributionMode"] == "COPY"] == ["q"]
    bindings = (await http.get("/api/latest/binding?exchange=amq.topic")).json()
    assert [(each["name"], each["queue"]) for each in bindings] == [("a.#", "q")]
    assert len((await http.get("/api/latest/session")).json()) == 2
    assert (await http.get("/api/latest/virtualhost/x/y")).json()["statistics"]["queueCount"] == 1
    assert (await http.get("/api/latest/broker")).json()[0]["productVersion"]
    connections = (await http.get("/api/latest/connection/default/default")).json()
    path = f"/api/latest/connection/default/default/{connections[0]['name']}"
    assert (await http.get(path)).json()["name"] == connections[0]["name"]


@pytest.mark.parametrize("prefix", ["/api/v8.0", "/api/v9.0"])
async def test_a_version_of_the_api_may_be_named(http: httpx.AsyncClient, prefix: str) -> None:
    assert (await http.get(f"{prefix}/queue")).json() == []


@pytest.mark.parametrize(
    ("method", "path", "status", "detail"),
    [
        ("GET", "/api/latest/nothing", 404, "there are broker"),
        ("GET", "/api/latest/querybroker/nothing", 404, "nothing"),
        ("GET", f"{QUEUES}/q/clearQueue", 405, "ask with POST"),
        ("PUT", f"{QUEUES}/q/clearQueue", 405, "POST"),
        ("POST", f"{QUEUES}/q/nothing", 404, "clearQueue"),
        ("POST", f"{QUEUES}/q/clearQueue/more", 404, "3 names"),
        ("PUT", "/api/latest/user/x/y", 422, "password"),
        ("PUT", "/api/latest/keystore/x", 404, "keystore"),
        ("PUT", "/api/latest/broker", 405, "PUT"),
        ("POST", "/api/latest/connection/a/b/c", 501, "connection"),
    ],
)
async def test_what_is_wrong_is_a_problem(
    http: httpx.AsyncClient, method: str, path: str, status: int, detail: str
) -> None:
    await http.put(f"{QUEUES}/q", json={})
    answer = await http.request(method, path)
    assert (answer.status_code, detail in answer.json()["errorMessage"]) == (status, True), answer.text
