"""The gateway of one broker and a queue whose keys two brokers have."""

import csv
import io
import json
from collections.abc import Iterator

import httpx
import pytest
from divided_brokers import DividedBrokers

KEYS = [f"k{number}" for number in range(12)]


@pytest.fixture(scope="module")
def brokers() -> Iterator[DividedBrokers]:
    with DividedBrokers() as brokers:
        yield brokers


@pytest.fixture
def url(brokers: DividedBrokers) -> str:
    return brokers.urls[0]


async def put_all(http: httpx.AsyncClient, queue: str, body: str) -> dict[object, object]:
    for key in KEYS:
        answer = await http.put(f"/queues/{queue}/keys/{key}", json={"body": f"{body} {key}"})
        assert answer.status_code == 200
    return {key: f"{body} {key}" for key in KEYS}


async def test_a_key_is_put_got_and_deleted_at_the_broker_that_has_it(
    brokers: DividedBrokers, http: httpx.AsyncClient
) -> None:
    name = brokers.declare("divided.one", lvq_key="k")
    assert brokers.held(name) == [{}, {}]
    bodies = await put_all(http, name, "one")
    assert brokers.held(name) == brokers.expected(bodies)
    for key in KEYS:
        path = f"/queues/{name}/keys/{key}"
        got = await http.get(path)
        assert got.json()["body"] == bodies[key]
        deleted = await http.delete(path, headers={"If-Match": got.headers["etag"]})
        assert deleted.status_code == 204
    assert brokers.held(name) == [{}, {}]


async def test_pages_go_on_from_one_broker_to_the_next(
    brokers: DividedBrokers, http: httpx.AsyncClient
) -> None:
    name = brokers.declare("divided.pages", lvq_key="k")
    bodies = await put_all(http, name, "one")
    found: dict[object, object] = {}
    asked: dict[str, str | int] | None = {"limit": 5}
    while asked is not None:
        page = (await http.get(f"/queues/{name}/keys", params=asked)).json()
        found |= {value["key"]: value["body"] for value in page["values"]}
        asked = page["next"]
    assert found == bodies
    some = (await http.get(f"/queues/{name}/keys", params={"key": KEYS[:5]})).json()
    assert {value["key"] for value in some["values"]} == set(KEYS[:5])
    assert (await http.get(f"/queues/{name}/keys", params={"partition": 2})).status_code == 404


async def test_changes_of_keys_of_two_brokers_are_refused_and_change_nothing(
    brokers: DividedBrokers, http: httpx.AsyncClient
) -> None:
    name = brokers.declare("divided.changes", lvq_key="k")
    answer = await http.patch(
        f"/queues/{name}/keys", json={"put": [{"key": key, "body": "x"} for key in KEYS]}
    )
    assert answer.status_code == 421
    assert "is not at this broker: ask" in answer.json()["detail"]
    assert brokers.held(name) == [{}, {}]


async def test_a_session_which_keeps_no_password_is_told_where_the_key_is(
    brokers: DividedBrokers, http: httpx.AsyncClient
) -> None:
    name = brokers.declare("divided.session", lvq_key="k")
    session = await http.post("/session", json={"user": "ann", "password": "secret"})
    assert session.status_code < 300, session.text
    statuses = {(await http.get(f"/queues/{name}/keys/{key}")).status_code for key in KEYS}
    assert statuses == {404, 421}


async def test_a_key_that_cannot_be_divided_is_a_bad_request(
    brokers: DividedBrokers, http: httpx.AsyncClient
) -> None:
    name = brokers.declare("divided.bool", lvq_key="k")
    answer = await http.get(f"/queues/{name}/keys/true", params={"type": "boolean"})
    assert answer.status_code == 422
    assert "a key is a text or an integer" in answer.json()["detail"]


async def followed(http: httpx.AsyncClient, path: str) -> dict[object, object]:
    """The values of the snapshot that a follower gets, by key."""
    found: dict[object, object] = {}
    async with http.stream("GET", path) as answer:
        assert answer.status_code == 200
        async for line in answer.aiter_lines():
            if line.startswith("data: ") and '"body"' in line:
                value = json.loads(line.removeprefix("data: "))
                found[value["key"]] = value["body"]
            if line == "event: snapshot-end":
                break
    return found


async def test_each_broker_s_keys_are_followed_by_its_number(
    brokers: DividedBrokers, served: httpx.AsyncClient
) -> None:
    name = brokers.declare("divided.followed", lvq_key="k")
    expected = brokers.expected(await put_all(served, name, "one"))
    path = f"/queues/{name}/follow"
    assert [await followed(served, f"{path}?partition={number}") for number in (0, 1)] == expected
    assert (await served.get(path, params={"partition": 2})).status_code == 404


async def test_a_table_has_the_values_of_all_brokers(
    brokers: DividedBrokers, http: httpx.AsyncClient
) -> None:
    name = brokers.declare("divided.table", lvq_key="k")
    path = f"/queues/{name}/values.csv"
    assert (await http.get(path)).text.split() == ["key,sequence,arrival_time_ms,updates"]
    bodies = await put_all(http, name, "one")

    async def rows(**asked: int) -> dict[object, object]:
        table = csv.DictReader(io.StringIO((await http.get(path, params=asked)).text))
        return {row["key"]: row["body"] for row in table}

    assert await rows() == bodies
    assert [await rows(partition=number) for number in (0, 1)] == brokers.expected(bodies)
    assert (await http.get(path, params={"partition": 2})).status_code == 404
    arrow = (await http.get(f"/queues/{name}/values.arrow", params={"columns": "key"})).content
    read = pytest.importorskip("pyarrow").ipc.open_stream(arrow).read_all()
    assert sorted(read.column("key").to_pylist()) == sorted(KEYS)


async def test_a_session_is_told_that_a_table_is_at_other_brokers_too(
    brokers: DividedBrokers, http: httpx.AsyncClient
) -> None:
    name = brokers.declare("divided.own", lvq_key="k")
    await http.post("/session", json={"user": "ann", "password": "secret"})
    assert (await http.get(f"/queues/{name}/values.csv")).status_code == 421
    assert (await http.get(f"/queues/{name}/values.csv", params={"partition": 0})).status_code == 200
    assert (await http.get(f"/queues/{name}/follow", params={"partition": 1})).status_code == 421


async def test_a_session_follows_the_own_broker_and_is_told_of_the_others(
    brokers: DividedBrokers, served: httpx.AsyncClient
) -> None:
    name = brokers.declare("divided.console", lvq_key="k")
    own, _ = brokers.expected(await put_all(served, name, "one"))
    # Its cookie is for TLS where the gateway is not on this machine's own address.
    await served.post("/session", json={"user": "ann", "password": "secret"})
    found: dict[object, object] = {}
    lost: list[dict[str, object]] = []
    async with served.stream("GET", f"/queues/{name}/follow") as answer:
        async for line in answer.aiter_lines():
            if line.startswith("data: "):
                told = json.loads(line.removeprefix("data: "))
                if "body" in told:
                    found[told["key"]] = told["body"]
                elif "detail" in told:
                    lost.append(told)
            if lost and len(found) == len(own):
                break
    assert found == own
    assert [(each["partition"], each["status"]) for each in lost] == [(1, 421)]
