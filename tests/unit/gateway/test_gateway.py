"""What holds for all routes of the gateway."""

import httpx
import pytest

from lastvalue.gateway.gateway import SECURITY_HEADERS, make_gateway
from lastvalue.http.gateway_settings import GatewaySettings


@pytest.mark.parametrize("path", ["/healthz", "/nothing", "/queues", "/openapi.json"])
async def test_each_answer_has_the_security_headers(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(path)
    assert {name: answer.headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS


async def test_the_document_describes_every_route(http: httpx.AsyncClient) -> None:
    document = (await http.get("/openapi.json")).json()
    assert document["openapi"].startswith("3.1")
    operations = [each for path in document["paths"].values() for each in path.values()]
    assert all(operation.get("description") for operation in operations)
    assert {"/queues/{queue}/keys/{key}", "/metrics", "/queues/{queue}/follow"} <= set(document["paths"])


@pytest.mark.parametrize("path", ["/docs", "/redoc"])
async def test_no_page_loads_anything_from_elsewhere(path: str) -> None:
    transport = httpx.ASGITransport(make_gateway(GatewaySettings(url="amqp://127.0.0.1")))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        assert (await client.get(path)).status_code == 404
