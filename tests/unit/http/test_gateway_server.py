"""A gateway that listens."""

import asyncio

import httpx
import pytest

from lastvalue.http.gateway_server import GatewayPortError, GatewayServer, GatewayThread
from lastvalue.http.gateway_settings import GatewaySettings


def test_a_gateway_in_a_thread_serves_until_the_end_of_the_block() -> None:
    settings = GatewaySettings(url="amqp://127.0.0.1:1", port=0)
    with GatewayThread(settings) as thread:
        answer = httpx.get(f"{thread.url}/healthz", timeout=30)
        assert (answer.status_code, "server" in answer.headers) == (200, False)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{thread.url}/healthz", timeout=30)


async def test_a_gateway_serves_until_it_is_stopped(url: str) -> None:
    server = GatewayServer(GatewaySettings(url=url, port=0))
    serving = asyncio.create_task(server.serve())
    async with httpx.AsyncClient() as client:
        assert (await client.get(f"{server.url}/readyz", timeout=30)).status_code == 200
    server.stop()
    await asyncio.wait_for(serving, 30)


def test_a_port_that_is_taken_is_said() -> None:
    first = GatewayServer(GatewaySettings(url="amqp://127.0.0.1:1", port=0))
    with pytest.raises(GatewayPortError, match="is taken"):
        GatewayServer(GatewaySettings(url="amqp://127.0.0.1:1", port=first.port))
    first.close()


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "http://127.0.0.1:"), ("::1", "http://[::1]:")])
def test_the_url_is_one_that_a_caller_can_use(host: str, shown: str) -> None:
    with GatewayThread(GatewaySettings(url="amqp://127.0.0.1:1", host=host, port=0)) as thread:
        assert thread.url.startswith(shown)
