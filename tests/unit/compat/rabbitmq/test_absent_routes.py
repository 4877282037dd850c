"""What RabbitMQ has and the broker does not is empty, and changing it is refused with the reason."""

import httpx
import pytest


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "/api/policies/%2F/limits"),
        ("DELETE", "/api/policies/%2F/limits"),
        ("PUT", "/api/operator-policies/%2F/limits"),
        ("PUT", "/api/parameters/shovel/%2F/s"),
        ("PUT", "/api/global-parameters/cluster_name"),
        ("PUT", "/api/vhost-limits/%2F/max-connections"),
        ("PUT", "/api/topic-permissions/%2F/ann"),
    ],
)
async def test_what_there_is_not_cannot_be_changed(http: httpx.AsyncClient, method: str, path: str) -> None:
    answer = await http.request(method, path, json={})
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    assert answer.json()["reason"] == answer.json()["detail"]
    assert "PATCH /queues/NAME" in answer.json()["detail"]


@pytest.mark.parametrize(
    "path", ["policies", "policies/%2F", "operator-policies", "parameters", "user-limits", "federation-links"]
)
async def test_there_are_none(http: httpx.AsyncClient, path: str) -> None:
    assert (await http.get(f"/api/{path}")).json() == []
