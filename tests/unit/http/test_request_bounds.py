"""lastvalue.http.request_bounds: what is too large or too slow is refused before it is parsed."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import httpx
import pytest

from lastvalue.gateway.gateway import make_gateway
from lastvalue.http import request_bounds
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.model.admission import BODY_BYTES, FIRST_BODY_BYTES, FIRST_BYTES, OPENING_MS
from lastvalue.queues.spec import QueueSpec
from lastvalue.server.broker_server import BrokerServer, ServerOptions

ANN = ("ann", "right")
SMALL = FIRST_BODY_BYTES.most
PATH = "/queues/q/messages"


class Parts(httpx.AsyncByteStream):
    """A body in parts, without a declared size; counts what was read of it."""

    def __init__(self, size_bytes: int, part_bytes: int = 1 << 14) -> None:
        self._parts = size_bytes // part_bytes
        self._part_bytes = part_bytes
        self.read_bytes = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for _ in range(self._parts):
            self.read_bytes += self._part_bytes
            yield b"x" * self._part_bytes


class Stalled(httpx.AsyncByteStream):
    """A body of which only the begin comes."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()


@pytest.fixture
async def caller() -> AsyncIterator[httpx.AsyncClient]:
    async with BrokerServer(ServerOptions(port=0, users={"ann": "right"})) as server:
        server.broker.declare(QueueSpec("q"))
        gateway = make_gateway(GatewaySettings(url=f"amqp://127.0.0.1:{server.port}"))
        transport = httpx.ASGITransport(gateway)
        async with (
            gateway.router.lifespan_context(gateway),
            httpx.AsyncClient(transport=transport, base_url="http://localhost") as client,
        ):
            yield client


@pytest.mark.parametrize(
    ("path", "auth", "status"),
    [
        ("/session", None, 413),
        ("/session", ANN, 413),
        (PATH, None, 401),
        (PATH, ("ann", "wrong"), 401),
        ("/api/definitions", None, 401),
        ("/queues/q/keys/a", None, 401),
    ],
)
@pytest.mark.parametrize("declared", [True, False])
async def test_no_more_than_a_little_is_read_of_who_has_not_logged_in(
    caller: httpx.AsyncClient, path: str, auth: tuple[str, str] | None, status: int, *, declared: bool
) -> None:
    body = Parts(4 << 20)
    size = {"Content-Length": str(4 << 20)} if declared else {"Transfer-Encoding": "chunked"}
    headers = {"Content-Type": "application/json", **size}
    request = httpx.Request("PUT" if "keys" in path else "POST", f"http://localhost{path}", headers=headers)
    request.stream = body
    answer = await caller.send(request, auth=auth)
    assert body.read_bytes <= 2 * SMALL
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.headers["connection"] == "close"
    assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_who_is_let_in_may_send_what_a_message_may_have(caller: httpx.AsyncClient) -> None:
    headers = {"Content-Type": "text/plain"}
    sent = await caller.post(PATH, content=Parts(4 * SMALL), headers=headers, auth=ANN)
    assert sent.status_code // 100 == 2, sent.text
    refused = await caller.post(PATH, content=b"x" * (BODY_BYTES.most + 1), headers=headers, auth=ANN)
    assert (refused.status_code, str(BODY_BYTES.most) in refused.json()["detail"]) == (413, True)


async def test_a_small_body_without_credentials_is_answered_by_its_route(caller: httpx.AsyncClient) -> None:
    assert (await caller.post("/session", json={"user": "ann", "password": "right"})).status_code == 201
    headers = {"Content-Type": "application/json"}
    assert (await caller.post("/session", content=b"x" * SMALL, headers=headers)).status_code == 422


@pytest.mark.parametrize("path", ["/queues", "/healthz", "/nothing"])
async def test_a_head_that_is_too_long_is_refused(caller: httpx.AsyncClient, path: str) -> None:
    for accept in ("text/html," * 6000, "a" * FIRST_BYTES.most):
        answer = await caller.get(path, headers={"Accept": accept}, auth=ANN)
        assert answer.status_code == 431
    assert (await caller.get(f"{path}?{'a' * FIRST_BYTES.most}", auth=ANN)).status_code == 431


async def test_a_body_that_does_not_come_in_time_is_refused(
    caller: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_bounds, "OPENING_MS", replace(OPENING_MS, most=0))
    answer = await caller.post("/session", content=Stalled(), headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.headers["connection"]) == (408, "close")
