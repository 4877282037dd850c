"""Queues over HTTP."""

import httpx
import pytest

from lastvalue.client import Connection, Message


async def test_a_queue_is_declared_shown_changed_and_deleted(http: httpx.AsyncClient) -> None:
    declared = await http.put("/queues/prices", json={"lvq_key": "symbol"})
    assert (declared.status_code, declared.headers["location"]) == (201, "/queues/prices")
    assert (await http.put("/queues/prices", json={"lvq_key": "symbol"})).status_code == 200
    assert (await http.patch("/queues/prices", json={"max_messages": 5})).status_code == 200
    shown = (await http.get("/queues/prices")).json()
    assert (shown["type"], shown["options"]["max_messages"], shown["depth"]) == ("lvq", 5, 0)
    assert (await http.delete("/queues/prices")).status_code == 204
    assert (await http.get("/queues/prices")).status_code == 404


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain"])
async def test_a_body_that_is_not_said_to_be_json_is_refused_with_that(
    http: httpx.AsyncClient, kind: str
) -> None:
    refused = await http.put("/queues/prices", content=b'{"lvq_key": "k"}', headers={"Content-Type": kind})
    (fault,) = refused.json()["errors"]
    assert (refused.status_code, fault["in"], fault["field"]) == (415, "header", "Content-Type")
    assert kind in fault["fault"]


async def test_queues_are_listed_in_pages(http: httpx.AsyncClient, connection: Connection) -> None:
    for name in ("a", "b", "c"):
        await connection.declare(name)
    first = (await http.get("/queues", params={"limit": 2})).json()
    assert [queue["name"] for queue in first["queues"]] == ["a", "b"]
    second = (await http.get(first["next"])).json()
    assert [queue["name"] for queue in second["queues"]] == ["c"]
    assert "next" not in second


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("-depth", ["b", "c", "a"]),
        ("depth", ["a", "c", "b"]),
        ("-name", ["c", "b", "a"]),
        ("keys", ["a", "b", "c"]),
    ],
)
async def test_queues_are_sorted_and_listed_in_pages(
    http: httpx.AsyncClient, connection: Connection, sort: str, names: list[str]
) -> None:
    for name, messages in (("a", 0), ("b", 2), ("c", 1)):
        queue = await connection.declare(name)
        await queue.send_many([Message("1")] * messages)
    first = (await http.get("/queues", params={"limit": 2, "sort": sort})).json()
    second = (await http.get(first["next"])).json()
    assert [queue["name"] for queue in (*first["queues"], *second["queues"])] == names
    assert "next" not in second


async def test_queues_are_sorted_by_what_conflation_saves(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    for name, updates in (("a", 1), ("b", 3)):
        queue = await connection.declare(name, lvq_key="key")
        await queue.send_many([Message("1", {"key": "k"})] * updates)
    listed = (await http.get("/queues", params={"sort": "-conflation_ratio"})).json()
    assert [queue["name"] for queue in listed["queues"]] == ["b", "a"]


async def test_a_queue_is_purged(http: httpx.AsyncClient, connection: Connection) -> None:
    queue = await connection.declare("q")
    await queue.send(Message("1"))
    assert (await http.post("/queues/q/purge")).json() == {"messages": 1}


async def test_a_name_with_a_slash_is_one_segment(http: httpx.AsyncClient, connection: Connection) -> None:
    assert (await http.put("/queues/a%2Fb", json={})).status_code == 201
    assert (await http.get("/queues/a%2Fb")).json()["name"] == "a/b"
    assert [queue.name for queue in await connection.queues()] == ["a/b"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "detail"),
    [
        ("GET", "/queues/missing", None, 404, "there is no queue named 'missing'"),
        ("DELETE", "/queues/missing", None, 404, "missing"),
        ("PUT", "/queues/q", {"max_mesages": 1}, 422, "max_mesages"),
        ("PUT", "/queues/q", {"timeout_s": 1}, 422, "timeout_s"),
        ("PUT", "/queues/q", {"name": "other"}, 422, "name"),
        ("PUT", "/queues/there", {"lvq_key": "k"}, 412, "there"),
        ("PUT", "/queues/q", [], 422, "body"),
        ("PATCH", "/queues/there", {"max_messages": "many"}, 422, "max_messages"),
        ("GET", "/queues?limit=0", None, 422, "limit"),
        ("GET", "/queues?sort=colour", None, 422, "not by 'colour'"),
        ("GET", "/queues?sort=depth&after=a", None, 422, "`offset`"),
        ("GET", "/queues?offset=3", None, 422, "`after`"),
        ("POST", "/queues", None, 405, "/queues does not answer POST"),
        ("GET", "/nothing", None, 404, "/openapi.json"),
    ],
)
async def test_what_is_wrong_is_a_problem_that_names_it(
    http: httpx.AsyncClient,
    connection: Connection,
    method: str,
    path: str,
    body: object,
    status: int,
    detail: str,
) -> None:
    await connection.declare("there")
    answer = await http.request(method, path, json=body)
    assert answer.headers["content-type"] == "application/problem+json"
    document = answer.json()
    assert (answer.status_code, document["status"]) == (status, status)
    assert detail in document["detail"]
    assert [queue.name for queue in await connection.queues()] == ["there"]
