"""The values of keys over HTTP."""

import httpx
import pytest

from lastvalue.client import Connection, Message, Queue


@pytest.fixture
async def prices(connection: Connection) -> Queue:
    queue = await connection.declare("prices", lvq_key="symbol")
    await queue.send(Message({"bid": 1.5}, {"symbol": "A"}))
    await queue.send(Message("text", {"symbol": "B"}))
    return queue


async def test_a_value_is_got_with_its_sequence_as_entity_tag(http: httpx.AsyncClient, prices: Queue) -> None:
    answer = await http.get("/queues/prices/keys/A")
    assert (answer.status_code, answer.headers["etag"]) == (200, '"1"')
    document = answer.json()
    assert (document["key"], document["body"], document["sequence"]) == ("A", {"bid": 1.5}, 1)
    assert (await http.get("/queues/prices/keys/C")).status_code == 404


@pytest.mark.parametrize("tags", ['"1"', '"7", "1"', '"7",W/"1"', "*"])
async def test_a_value_that_the_caller_has_is_not_sent_again(
    http: httpx.AsyncClient, prices: Queue, tags: str
) -> None:
    """A proxy that compresses an answer makes its tag a weak one [RFC 9110 §8.8.3.3]."""
    again = await http.get("/queues/prices/keys/A", headers={"If-None-Match": tags})
    assert (again.status_code, again.headers["etag"], again.content) == (304, '"1"', b"")


@pytest.mark.parametrize("tags", ['"7"', "1", 'W/"7"'])
async def test_a_value_that_the_caller_lacks_is_sent(
    http: httpx.AsyncClient, prices: Queue, tags: str
) -> None:
    answer = await http.get("/queues/prices/keys/A", headers={"If-None-Match": tags})
    assert (answer.status_code, answer.json()["sequence"]) == (200, 1)


@pytest.mark.parametrize(
    ("body", "media_type", "content"),
    [
        ("text", "text/plain; charset=utf-8", b"text"),
        (b"\x01\xff", "application/octet-stream", b"\x01\xff"),
        ({"a": [1, None]}, "application/json", b'{"a":[1,null]}'),
    ],
)
async def test_a_body_alone_has_its_own_media_type(
    http: httpx.AsyncClient, prices: Queue, body: object, media_type: str, content: bytes
) -> None:
    await prices.send(Message(body, {"symbol": "A"}))
    answer = await http.get("/queues/prices/keys/A", params={"raw": "true"})
    assert (answer.headers["content-type"], answer.content) == (media_type, content)


async def test_a_value_is_put_as_json_text_or_bytes(http: httpx.AsyncClient, prices: Queue) -> None:
    put = await http.put(
        "/queues/prices/keys/A", json={"body": 2, "properties": {"venue": "X"}, "ttl_ms": 60000}
    )
    assert (put.json(), put.headers["etag"]) == ({"sequence": 3, "taken": True}, '"3"')
    await http.put("/queues/prices/keys/B", content="neu", headers={"Content-Type": "text/plain"})
    await http.put("/queues/prices/keys/C", content=b"\xff", headers={"Content-Type": "image/x"})
    values = await prices.get_many(["A", "B", "C"])
    assert [value.body for value in values.values()] == [2, "neu", b"\xff"]
    assert (values["A"].properties, values["A"].ttl_ms) == ({"venue": "X", "symbol": "A"}, 60000)
    assert values["C"].content_type == "image/x"


async def test_a_value_is_put_only_in_place_of_the_one_that_is_expected(
    http: httpx.AsyncClient, prices: Queue
) -> None:
    path = "/queues/prices/keys/A"
    assert (await http.put(path, json={"body": 2}, headers={"If-Match": '"2"'})).status_code == 412
    assert (await http.put(path, json={"body": 2}, headers={"If-None-Match": "*"})).status_code == 412
    assert (await http.put(path, json={"body": 3}, headers={"If-Match": '"1"'})).status_code == 200
    new = await http.put("/queues/prices/keys/N", json={"body": 4}, headers={"If-None-Match": "*"})
    assert new.status_code == 200
    assert [value.body for value in (await prices.get_many(["A", "N"])).values()] == [3, 4]


async def test_a_value_is_deleted(http: httpx.AsyncClient, prices: Queue) -> None:
    path = "/queues/prices/keys/A"
    assert (await http.delete(path, headers={"If-Match": '"9"'})).status_code == 412
    assert (await http.delete(path)).status_code == 204
    assert (await http.delete(path)).status_code == 404
    assert await prices.get("A") is None


async def test_a_key_in_a_path_may_be_an_integer_and_contain_a_slash(
    http: httpx.AsyncClient, prices: Queue
) -> None:
    await http.put("/queues/prices/keys/5?type=integer", json={"body": "number"})
    await http.put("/queues/prices/keys/a%2Fb", json={"body": "path"})
    values = await prices.get_many([5, "5", "a/b"])
    assert {key: value.body for key, value in values.items()} == {5: "number", "a/b": "path"}
    for text in ("x", str(2**64), "9" * 5000):
        refused = await http.get(f"/queues/prices/keys/{text}?type=integer")
        assert (refused.status_code, refused.json()["errors"][0]["in"]) == (422, "path")


async def test_values_are_listed_by_key_in_pages_and_by_selector(
    http: httpx.AsyncClient, prices: Queue
) -> None:
    async def keys(**query: object) -> list[str]:
        answer = await http.get("/queues/prices/keys", params={k: str(v) for k, v in query.items()})
        return [value["key"] for value in answer.json()["values"]]

    await prices.send(Message(3, {"symbol": "C", "n": 1}))
    assert await keys() == ["A", "B", "C"]
    assert await keys(limit=2) == ["A", "B"]
    assert await keys(after=2) == ["C"]
    assert await keys(selector="n = 1") == ["C"]
    for number, key in enumerate(["eu.a", "eu.b", "eu%1", "e'u", 5]):
        await prices.send(Message(number, {"symbol": key, "n": number}))
    assert await keys(prefix="eu.") == ["eu.a", "eu.b"]
    assert await keys(prefix="eu.", selector="n = 1 OR n = 3") == ["eu.b"]
    assert await keys(prefix="eu", limit=1, after=4) == ["eu.b"]
    # Signs that have a meaning in patterns have none here.
    assert [await keys(prefix=prefix) for prefix in ("eu%", "e'", "_", "!")] == [["eu%1"], ["e'u"], [], []]
    several = await http.get("/queues/prices/keys?key=C&key=X&key=A")
    assert [value["key"] for value in several.json()["values"]] == ["C", "A"]


async def test_a_message_is_published_to_a_queue_of_any_type(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    plain = await connection.declare("plain")
    assert (await http.post("/queues/plain/messages", json={"body": 1})).json() == {"confirmed": True}
    assert (await plain.info()).depth == 1


@pytest.mark.parametrize(
    ("method", "path", "content", "headers", "status", "detail"),
    [
        ("GET", "/queues/plain/keys/A", b"", {}, 422, "not a last-value queue"),
        ("GET", "/queues/plain/keys", b"", {}, 409, "no keys"),
        ("GET", "/queues/prices/keys?selector=%3D", b"", {}, 422, "selector"),
        ("GET", "/queues/prices/keys?after=-1", b"", {}, 422, "after"),
        ("GET", "/queues/prices/keys?key=A&prefix=A", b"", {}, 422, "no prefix"),
        ("PUT", "/queues/prices/keys/A", b"{", {"Content-Type": "application/json"}, 422, "not JSON"),
        ("PUT", "/queues/prices/keys/A", b"[]", {"Content-Type": "application/json"}, 422, "JSON object"),
        ("PUT", "/queues/prices/keys/A", b'{"x": 1}', {"Content-Type": "application/json"}, 422, "'x'"),
        ("PUT", "/queues/prices/keys/A", b"\xff", {"Content-Type": "text/plain"}, 422, "UTF-8"),
        ("PUT", "/queues/prices/keys/A", b"1", {"If-Match": "seven"}, 422, "If-Match"),
        ("PUT", "/queues/prices/keys/A", b"1", {"If-Match": "7" * 5000}, 422, "If-Match"),
        ("PUT", "/queues/prices/keys/A", b"1", {"If-None-Match": '"1"'}, 422, "If-None-Match: *"),
        ("PUT", "/queues/missing/keys/A", b"1", {}, 404, "missing"),
        ("POST", "/queues/missing/messages", b"1", {}, 404, "missing"),
    ],
)
async def test_what_is_wrong_is_a_problem_and_changes_nothing(
    http: httpx.AsyncClient,
    connection: Connection,
    prices: Queue,
    method: str,
    path: str,
    content: bytes,
    headers: dict[str, str],
    status: int,
    detail: str,
) -> None:
    await connection.declare("plain")
    answer = await http.request(method, path, content=content, headers=headers)
    assert (answer.status_code, detail in answer.json()["detail"]) == (status, True), answer.text
    assert (await prices.info()).published == 2


async def test_several_values_change_together(http: httpx.AsyncClient, prices: Queue) -> None:
    changes = {
        "put": [{"key": "A", "body": 2}, {"key": 7, "body": "new", "ttl_ms": 60_000}],
        "delete": ["B"],
        "only_if": [{"key": "A", "sequence": 1}, {"key": 7, "sequence": 0}],
    }
    answer = await http.patch("/queues/prices/keys", json=changes)
    assert (answer.status_code, answer.json()) == (
        200,
        {"put": [{"sequence": 3, "taken": True}, {"sequence": 4, "taken": True}], "deleted": [2]},
    )
    assert (await http.patch("/queues/prices/keys", json=changes)).status_code == 412
    assert {each.properties["symbol"]: each.body async for each in prices.browse()} == {"A": 2, 7: "new"}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"put": [{"body": 1}]},
        {"put": [{"key": "A", "bogus": 1}]},
        {"put": [{"key": "A"}], "delete": ["A"]},
        {"delete": [1.5]},
        {"remove": ["A"]},
    ],
)
async def test_changes_that_cannot_be_read_change_nothing(
    http: httpx.AsyncClient, prices: Queue, changes: dict[str, object]
) -> None:
    assert (await http.patch("/queues/prices/keys", json=changes)).status_code == 422
    assert [each.sequence async for each in prices.browse()] == [1, 2]


async def test_the_oldest_keys_and_the_busiest_ones_are_listed(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    queue = await connection.declare("ticks", lvq_key="symbol", top_talkers=5)
    for symbol in ("A", "B", "A"):
        await queue.send(Message(1, {"symbol": symbol}))
    [oldest] = (await http.get("/queues/ticks/oldest-keys", params={"limit": 1})).json()["keys"]
    assert (oldest["key"], oldest["sequence"], oldest["updates"]) == ("B", 2, 1)
    busiest = (await http.get("/queues/ticks/top-talkers")).json()["keys"]
    assert busiest[0] == {"key": "A", "messages": 2, "error": 0}


async def test_the_empty_key_is_a_key_as_any_other(http: httpx.AsyncClient, prices: Queue) -> None:
    put = await http.put("/queues/prices/keys/", json={"body": "of no name"})
    assert (put.status_code, put.json()["taken"]) == (200, True)
    got = await http.get("/queues/prices/keys/")
    assert (got.status_code, got.json()["key"], got.json()["body"]) == (200, "", "of no name")
    assert (await http.delete("/queues/prices/keys/")).status_code == 204
    assert (await http.get("/queues/prices/keys/")).status_code == 404
    assert [each["key"] for each in (await http.get("/queues/prices/keys")).json()["values"]] == ["A", "B"]


@pytest.mark.parametrize(
    "path", ["/queues/prices/keys/%FF", "/queues/%E4/keys/a", "/queues/prices/keys?key=%FF"]
)
async def test_a_name_that_is_not_utf8_is_refused(http: httpx.AsyncClient, prices: Queue, path: str) -> None:
    refused = await http.get(path)
    assert (refused.status_code, "UTF-8" in refused.json()["detail"]) == (400, True)


async def test_a_key_of_several_properties_is_one_text(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    quotes = await connection.declare("quotes", lvq_key="venue,symbol")
    for number, venue in enumerate(["X", "Y", 5]):
        await quotes.send(Message(number, {"venue": venue, "symbol": "A,B"}))
    put = await http.put("/queues/quotes/keys/X,C", json={"body": "put"})
    assert put.status_code == 200
    answer = (await http.get("/queues/quotes/keys/X,C")).json()
    assert (answer["key"], answer["properties"]) == ("X,C", {"venue": "X", "symbol": "C"})
    assert (await http.get("/queues/quotes/keys/5,A%5C,B")).json()["body"] == 2
    listed = (await http.get("/queues/quotes/keys", params={"prefix": "X,"})).json()["values"]
    assert [each["key"] for each in listed] == ["X,A\\,B", "X,C"]
    refused = await http.put("/queues/quotes/keys/X", json={"body": "put"})
    assert (refused.status_code, "the values of venue and symbol" in refused.text) == (422, True)
    assert (await http.get("/queues/quotes/keys/X")).status_code == 422
