"""What RabbitMQ has and the broker does not says where it is."""

import httpx
import pytest


@pytest.mark.parametrize(
    ("method", "path", "told"),
    [
        ("GET", "/api/users", "lastvalue user"),
        ("PUT", "/api/users/ann", "lastvalue user"),
        ("DELETE", "/api/users/ann", "lastvalue user"),
        ("GET", "/api/users/ann/permissions", "lastvalue user"),
        ("POST", "/api/users/bulk-delete", "lastvalue user"),
        ("GET", "/api/permissions", "lastvalue user"),
        ("PUT", "/api/permissions/%2F/ann", "lastvalue user"),
        ("GET", "/api/vhosts/%2F/permissions", "lastvalue user"),
        ("PUT", "/api/policies/%2F/limits", "PATCH /queues/NAME"),
        ("GET", "/api/parameters", "PATCH /queues/NAME"),
    ],
)
async def test_what_is_elsewhere_is_said(http: httpx.AsyncClient, method: str, path: str, told: str) -> None:
    answer = await http.request(method, path)
    assert (answer.status_code, answer.headers["content-type"]) == (405, "application/problem+json")
    assert told in answer.json()["detail"]


async def test_there_are_no_policies(http: httpx.AsyncClient) -> None:
    for path in ("/api/policies", "/api/policies/%2F"):
        assert (await http.get(path)).json() == []
