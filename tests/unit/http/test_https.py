"""A gateway with a certificate, asked over real sockets."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import trustme
from served_gateway import served_gateway
from websockets.asyncio.client import connect as connect_web

from lastvalue.client import Connection, Message
from lastvalue.config.tls_listener import TlsError
from lastvalue.gateway.gateway_server import GatewayServer
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.tls import certificate_name

VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]
LARGE = "x" * 400_000


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def certificate(authority: trustme.CA, tmp_path: Path) -> Path:
    return written(authority, tmp_path / "server.pem", "localhost")


@pytest.fixture
async def gateway(url: str, certificate: Path) -> AsyncIterator[GatewayServer]:
    settings = GatewaySettings(url=url, host="localhost", port=0, certificate=str(certificate))
    async with served_gateway(settings) as gateway:
        yield gateway


def written(authority: trustme.CA, file: Path, name: str) -> Path:
    authority.issue_cert("localhost", common_name=name).private_key_and_cert_chain_pem.write_to_path(file)
    return file


def believing(authority: trustme.CA, version: ssl.TLSVersion) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    context.minimum_version = context.maximum_version = version
    return context


@pytest.mark.parametrize("version", VERSIONS)
async def test_https_answers_follows_by_events_and_by_websocket(
    gateway: GatewayServer,
    connection: Connection,
    authority: trustme.CA,
    version: ssl.TLSVersion,
    caplog: pytest.LogCaptureFixture,
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message(LARGE, {"symbol": "A"}))
    context = believing(authority, version)
    async with httpx.AsyncClient(verify=context, base_url=gateway.url, timeout=60) as client:
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        assert (await client.get("/queues/prices/keys/A")).json()["body"] == LARGE
        assert (await client.put("/queues/prices/keys/B", json={"body": LARGE})).is_success
        async with client.stream("GET", "/queues/prices/follow") as events:
            lines = events.aiter_lines()
            await read_to(lines, "event: snapshot-end")
            await prices.send(Message("new", {"symbol": "A"}))
            await read_to(lines, '"new"')
    follow = gateway.url.replace("https", "wss") + "/queues/prices/follow"
    async with asyncio.timeout(60), connect_web(follow, ssl=context, max_size=None) as follower:
        assert [json.loads(await follower.recv())["event"] for _ in range(3)] == [
            "value",
            "value",
            "snapshot-end",
        ]
    assert [record for record in caplog.records if record.name == "asyncio"] == []


async def test_a_replaced_certificate_is_shown_from_the_next_connection_on(
    gateway: GatewayServer, authority: trustme.CA, certificate: Path, caplog: pytest.LogCaptureFixture
) -> None:
    context = believing(authority, ssl.TLSVersion.TLSv1_3)
    assert await name_shown(gateway, context) == "localhost"
    await asyncio.to_thread(written, authority, certificate, "second")
    assert await name_shown(gateway, context) == "second"
    await asyncio.to_thread(certificate.write_text, "nonsense")
    assert await name_shown(gateway, context) == "second"
    assert "the old certificate stays in use" in caplog.text


def test_a_certificate_that_cannot_be_used_is_said_before_it_listens() -> None:
    with pytest.raises(TlsError, match=r"missing\.pem"):
        GatewayServer(GatewaySettings(url="amqp://127.0.0.1:1", port=0, certificate="missing.pem"))


async def read_to(lines: AsyncIterator[str], text: str) -> None:
    async for line in lines:
        if text in line:
            return
    raise AssertionError(f"the answer ended without {text}")


async def name_shown(gateway: GatewayServer, context: ssl.SSLContext) -> str | None:
    _, writer = await asyncio.open_connection("localhost", gateway.port, ssl=context)
    shown = certificate_name(writer.get_extra_info("peercert"))
    writer.close()
    return shown
