"""Refusals have the statuses of RabbitMQ's management API, and are problem documents."""

from typing import Any

import httpx
import pytest

HOST = "/api/queues/%2F"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "error"),
    [
        ("PUT", f"{HOST}/q", {"arguments": {"x-max-length": "many"}}, 400, "bad_request"),
        ("PUT", f"{HOST}/q", {"durable": []}, 400, "bad_request"),
        ("PUT", f"{HOST}/there", {"durable": False}, 400, "bad_request"),
        ("GET", f"{HOST}/missing", None, 404, "Object Not Found"),
        ("PUT", "/api/policies/%2F/p", {}, 400, "bad_request"),
    ],
)
async def test_what_is_refused_has_rabbitmqs_status_and_the_reason(
    http: httpx.AsyncClient, method: str, path: str, body: Any, status: int, error: str
) -> None:
    await http.put(f"{HOST}/there", json={"durable": True})
    answer = await http.request(method, path, json=body)
    document = answer.json()
    assert (answer.status_code, document["status"], document["error"]) == (status, status, error)
    assert answer.headers["content-type"] == "application/problem+json"
    assert document["reason"] == document["detail"]


async def test_the_field_that_is_wrong_is_named(http: httpx.AsyncClient) -> None:
    answer = await http.put(f"{HOST}/q", json={"durable": []})
    assert [each["field"] for each in answer.json()["errors"]] == ["durable"]
    odd = await http.put(f"{HOST}/q", content=b"x", headers={"Content-Type": "text/plain"})
    assert odd.status_code == 400


async def test_our_own_routes_keep_their_statuses(http: httpx.AsyncClient) -> None:
    answer = await http.put("/queues/q", json={"durable": "perhaps"})
    assert (answer.status_code, "error" in answer.json()) == (422, False)
    assert (await http.post(f"{HOST}/q")).status_code == 405
