"""Exchanges over HTTP."""

import httpx
import pytest

from lastvalue.client import Connection


async def test_an_exchange_is_declared_bound_listed_and_deleted(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    await connection.declare("sports")
    assert (await http.put("/exchanges/news", json={"type": "topic"})).status_code == 204
    binding = {"destination": "sports", "key": "sports.#"}
    assert (await http.post("/exchanges/news/bindings", json=binding)).status_code == 204
    listed = (await http.get("/exchanges", params={"contains": "news"})).json()["exchanges"]
    assert [(each["name"], each["type"]) for each in listed] == [("news", "topic")]
    assert listed[0]["bindings"] == [{"destination": "sports", "key": "sports.#", "arguments": {}}]
    gone = await http.delete("/exchanges/news/bindings", params={"destination": "sports", "key": "sports.#"})
    assert gone.status_code == 204
    assert (await http.delete("/exchanges/news")).status_code == 204
    assert (await http.get("/exchanges", params={"contains": "news"})).json() == {"exchanges": []}


async def test_exchanges_are_listed_in_pages(http: httpx.AsyncClient) -> None:
    first = (await http.get("/exchanges", params={"limit": 1, "contains": "amq."})).json()
    second = (await http.get(first["next"])).json()
    assert first["exchanges"][0]["name"] < second["exchanges"][0]["name"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "detail"),
    [
        ("PUT", "/exchanges/x", {"type": "sideways"}, 422, "sideways"),
        ("DELETE", "/exchanges/missing", None, 404, "missing"),
        ("POST", "/exchanges/amq.topic/bindings", {"destination": "missing"}, 404, "missing"),
        ("POST", "/exchanges/amq.topic/bindings", {}, 422, "destination"),
        ("POST", "/exchanges/amq.topic/bindings", {"destination": "q", "kye": "a"}, 422, "kye"),
        ("DELETE", "/exchanges/amq.topic/bindings", None, 422, "destination"),
    ],
)
async def test_what_is_wrong_is_a_problem(
    http: httpx.AsyncClient, method: str, path: str, body: object, status: int, detail: str
) -> None:
    answer = await http.request(method, path, json=body)
    assert (answer.status_code, detail in answer.json()["detail"]) == (status, True), answer.text
