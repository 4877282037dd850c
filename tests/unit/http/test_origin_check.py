"""What a page of another site makes a browser send."""

import httpx
import pytest

from lastvalue.gateway.gateway import make_gateway
from lastvalue.http.gateway_settings import GatewaySettings


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8080", 200),
        ("127.0.0.1", 200),
        ("[::1]:8080", 200),
        ("10.1.2.3:8080", 200),
        ("board.example", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("", 421),
        ("[", 421),
    ],
)
async def test_only_own_names_are_served(host: str, status: int) -> None:
    gateway = make_gateway(GatewaySettings(url="amqp://127.0.0.1", names=("board.example",)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url="http://x") as client:
        assert (await client.get("/healthz", headers={"Host": host})).status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 201),
        ("http://localhost", 201),
        ("http://evil.example", 403),
        ("null", 403),
        ("http://localhost:1", 403),
        ("http://[", 403),
    ],
)
async def test_a_page_of_another_site_changes_nothing(
    http: httpx.AsyncClient, origin: str | None, status: int
) -> None:
    headers = {} if origin is None else {"Origin": origin}
    assert (await http.put("/queues/q", json={}, headers=headers)).status_code == status
    assert (await http.get("/queues/q", headers=headers)).status_code == (200 if status == 201 else 404)
