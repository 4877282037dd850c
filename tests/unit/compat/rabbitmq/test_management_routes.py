"""RabbitMQ's management API, as its users' tools ask."""

from typing import Any

import httpx
import pytest

from lastvalue.client import Connection, Message

HOST = "/api/queues/%2F"


async def test_a_queue_is_declared_shown_purged_and_deleted(http: httpx.AsyncClient) -> None:
    declared = {"durable": False, "auto_delete": True, "arguments": {"x-max-length": 5}, "vhost": "/"}
    assert (await http.put(f"{HOST}/q", json=declared)).status_code == 201
    assert (await http.put(f"{HOST}/q", json=declared)).status_code == 204
    shown = (await http.get(f"{HOST}/q")).json()
    assert (shown["durable"], shown["auto_delete"], shown["arguments"]["max_messages"]) == (False, True, 5)
    assert [each["name"] for each in (await http.get("/api/queues")).json()] == ["q"]
    assert (await http.delete(f"{HOST}/q/contents")).status_code == 204
    assert (await http.delete(f"{HOST}/q")).status_code == 204
    assert (await http.get(f"{HOST}/q")).status_code == 404


async def test_messages_are_published_and_got(http: httpx.AsyncClient, connection: Connection) -> None:
    await connection.declare("q")
    path = "/api/exchanges/%2F/amq.default/publish"
    message = {
        "routing_key": "q",
        "payload": "hello",
        "properties": {"headers": {"h": 1}, "delivery_mode": 2},
    }
    assert (await http.post(path, json=message)).json() == {"routed": True}

    async def got(ackmode: str) -> list[dict[str, Any]]:
        answer = await http.post(f"{HOST}/q/get", json={"count": 5, "ackmode": ackmode})
        shown: list[dict[str, Any]] = answer.json()
        return shown

    (kept,) = await got("ack_requeue_true")
    assert (kept["payload"], kept["payload_encoding"], kept["message_count"]) == ("hello", "string", 0)
    assert (kept["properties"]["headers"], kept["properties"]["delivery_mode"]) == ({"h": 1}, 2)
    assert len(await got("ack_requeue_false")) == 1
    assert await got("ack_requeue_false") == []


async def test_a_payload_of_bytes_is_base64(http: httpx.AsyncClient, connection: Connection) -> None:
    queue = await connection.declare("q")
    path = "/api/exchanges/%2F/amq.default/publish"
    message = {"routing_key": "q", "payload": "/wA=", "payload_encoding": "base64"}
    assert (await http.post(path, json=message)).json() == {"routed": True}
    await queue.send(Message({"a": 1}))
    answer = await http.post(
        f"{HOST}/q/get", json={"count": 2, "ackmode": "reject_requeue_false", "truncate": 4}
    )
    assert [(each["payload"], each["payload_encoding"], each["payload_bytes"]) for each in answer.json()] == [
        ("/wA=", "base64", 2),
        ('{"a"', "string", 8),
    ]


async def test_exchanges_and_bindings(http: httpx.AsyncClient, connection: Connection) -> None:
    await connection.declare("q")
    exchange = "/api/exchanges/%2F/news"
    assert (await http.put(exchange, json={"type": "topic", "durable": True})).status_code == 201
    assert (await http.put(exchange, json={"type": "topic", "durable": True})).status_code == 204
    shown = (await http.get(exchange)).json()
    assert (shown["type"], shown["durable"], shown["auto_delete"]) == ("topic", True, False)
    bound = await http.post("/api/bindings/%2F/e/news/q/q", json={"routing_key": "a.#"})
    assert (bound.status_code, bound.headers["location"]) == (201, "a.%23")
    (binding,) = (await http.get(f"{exchange}/bindings/source")).json()
    assert (binding["destination"], binding["destination_type"], binding["routing_key"]) == (
        "q",
        "queue",
        "a.#",
    )
    routed = await http.post(f"{exchange}/publish", json={"routing_key": "a.b", "payload": "x"})
    lost = await http.post(f"{exchange}/publish", json={"routing_key": "b", "payload": "x"})
    assert (routed.json(), lost.json()) == ({"routed": True}, {"routed": False})
    assert len((await http.get(f"{HOST}/q/bindings")).json()) == 2
    assert (await http.delete("/api/bindings/%2F/e/news/q/q/a.%23")).status_code == 204
    definitions = (await http.get("/api/definitions")).json()
    assert [each["name"] for each in definitions["exchanges"]] == ["news"]
    assert (definitions["queues"][0]["name"], definitions["bindings"]) == ("q", [])
    assert (await http.delete(exchange)).status_code == 204
    assert (await http.get(exchange)).status_code == 404
    names = [each["name"] for each in (await http.get("/api/exchanges/%2F")).json()]
    assert {"", "amq.direct", "amq.topic"} <= set(names)


async def test_the_broker_and_its_peers_are_shown(http: httpx.AsyncClient, connection: Connection) -> None:
    queue = await connection.declare("q")
    async with queue.browse(follow=True):
        overview = (await http.get("/api/overview")).json()
        assert overview["object_totals"]["queues"] == 1
        assert overview["object_totals"]["connections"] == 2
        consumers = (await http.get("/api/consumers")).json()
        assert "q" in [each["queue"]["name"] for each in consumers]
    name = (await http.get("/api/nodes")).json()[0]["name"]
    assert (await http.get(f"/api/nodes/{name}")).json()["name"] == name
    assert (await http.get("/api/cluster-name")).json() == {"name": name}
    assert (await http.get("/api/whoami")).json() == {"name": "anonymous", "tags": ["administrator"]}
    assert (await http.get("/api/vhosts")).json() == [{"name": "/"}]
    assert (await http.get("/api/vhosts/%2F")).json() == {"name": "/"}
    for kind in ("connections", "channels"):
        shown = (await http.get(f"/api/{kind}", params={"page": "1", "page_size": "1"})).json()
        assert (shown["page_count"], shown["item_count"]) == (2, 1)
        one = shown["items"][0]["name"]
        assert (await http.get(f"/api/{kind}/{one}")).json()["name"] == one
    assert (await http.delete("/api/connections/missing")).status_code == 404


async def test_what_is_used_is_not_deleted_if_the_caller_says_so(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    queue = await connection.declare("q")
    await queue.send(Message("x"))
    await http.put("/api/exchanges/%2F/news", json={"type": "fanout"})
    await http.post("/api/bindings/%2F/e/news/q/q", json={})
    for path in (f"{HOST}/q?if-empty=true", "/api/exchanges/%2F/news?if-unused=true"):
        assert (await http.delete(path)).status_code == 400
    async with queue.browse(follow=True):
        assert (await http.delete(f"{HOST}/q?if-unused=true")).status_code == 400
    assert (await http.delete("/api/exchanges/%2F/news?if-unused=false")).status_code == 204
    assert (await http.delete(f"{HOST}/q?if-unused=true")).status_code == 204


async def test_bindings_are_found_by_their_ends(http: httpx.AsyncClient) -> None:
    await http.put(f"{HOST}/q", json={})
    for destination in ("q/q", "e/amq.fanout"):
        path = f"/api/bindings/%2F/e/amq.topic/{destination}"
        assert (await http.post(path, json={"routing_key": "a.#"})).status_code == 201
        assert [each["routing_key"] for each in (await http.get(path)).json()] == ["a.#"]
        assert (await http.get(f"{path}/a.%23")).json()["source"] == "amq.topic"
        assert (await http.get(f"{path}/other")).status_code == 404
    (to_exchange,) = (await http.get("/api/exchanges/%2F/amq.fanout/bindings/destination")).json()
    assert to_exchange["destination_type"] == "exchange"
    assert (await http.get("/api/bindings/%2F/e/amq.topic/x/q")).status_code == 400


async def test_what_tools_ask_first(http: httpx.AsyncClient) -> None:
    assert (await http.get("/api/auth")).json() == {"oauth_enabled": False}
    assert (await http.get("/api/extensions")).json() == []
    (node,) = (await http.get("/api/nodes")).json()
    assert (node["running"], node["mem_alarm"], node["fd_used"] > 0) == (True, False, True)


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "detail"),
    [
        ("PUT", f"{HOST}/q", {"arguments": {"x-max-lenght": 1}}, 400, "x-max-lenght"),
        ("PUT", f"{HOST}/q", {"durable": "perhaps"}, 400, "durable"),
        ("POST", f"{HOST}/q/get", {"count": 0, "ackmode": "ack_requeue_true"}, 400, "count"),
        ("POST", f"{HOST}/missing/get", {"ackmode": "ack_requeue_true"}, 404, "missing"),
        ("POST", "/api/exchanges/%2F/missing/publish", {"routing_key": "", "payload": ""}, 404, "missing"),
        ("POST", "/api/exchanges/%2F/amq.direct/publish", {"payload": ""}, 400, "routing_key"),
        ("GET", "/api/queues?name=(a%2B)%2B&use_regex=true", None, 400, "not supported"),
        ("GET", "/api/nodes/other", None, 404, "other"),
    ],
)
async def test_what_is_wrong_is_a_problem(
    http: httpx.AsyncClient, method: str, path: str, body: object, status: int, detail: str
) -> None:
    answer = await http.request(method, path, json=body)
    assert (answer.status_code, detail in answer.json()["detail"]) == (status, True), answer.text


async def test_every_name_of_a_virtual_host_stands_for_the_one_there_is(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    assert (await http.put("/api/vhosts/other")).status_code == 204
    assert (await http.put("/api/queues/other/orders", json={"arguments": None})).status_code == 201
    assert (await http.put("/api/exchanges/other/news", json={"arguments": []})).status_code == 201
    binding = "/api/bindings/other/e/news/q/orders"
    assert (await http.post(binding, json={"routing_key": "k", "arguments": []})).status_code == 201
    assert (await http.put("/api/exchanges/other/news", json={"arguments": [1]})).status_code == 400
    assert (await http.delete("/api/vhosts/other")).status_code == 204
    assert (await connection.queue("orders").info()).depth == 0
    refused = await http.delete("/api/vhosts/%2F")
    assert (refused.status_code, "one virtual host" in refused.json()["detail"]) == (400, True)


async def test_a_list_is_of_the_queues_that_were_declared_under_a_name_of_the_virtual_host(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    async def listed(path: str) -> list[str]:
        answer = (await http.get(f"/api/queues{path}")).json()
        return [each["name"] for each in (answer["items"] if "page" in path else answer)]

    await connection.declare("everywhere")
    for path in ("%2F/main", "prod/a", "prod/b", "te%2Fst/a"):
        assert (await http.put(f"/api/queues/{path}", json={})).status_code in (201, 204)
    assert await listed("/prod") == ["a", "b"]
    assert await listed("/prod?name=b&use_regex=true") == ["b"]
    assert await listed("/prod?page=2&page_size=1") == ["b"]
    page = (await http.get("/api/queues/prod?page=1&page_size=1&name=b")).json()
    assert [page[each] for each in ("item_count", "filtered_count", "total_count")] == [1, 1, 2]
    everything = ["a", "b", "everywhere", "main"]
    # Nothing was declared under the last two: "a" was there.
    for path in ("", "/%2F", "/te%2Fst", "/other", "/other?page=1"):
        assert await listed(path) == everything


async def test_a_queue_keeps_the_name_it_was_declared_under_in_a_file_of_definitions(
    http: httpx.AsyncClient,
) -> None:
    await http.put("/api/queues/prod/a", json={})
    file = (await http.get("/api/definitions")).json()
    assert (await http.delete("/api/queues/prod/a")).status_code == 204
    assert (await http.post("/api/definitions", json=file)).status_code == 204
    await http.put("/api/queues/%2F/b", json={})
    assert [each["name"] for each in (await http.get("/api/queues/prod")).json()] == ["a"]


async def test_a_binding_without_arguments_may_say_null(http: httpx.AsyncClient) -> None:
    body = {"routing_key": "k", "arguments": None}
    assert (await http.post("/api/bindings/%2F/e/amq.topic/e/amq.direct", json=body)).status_code == 201
