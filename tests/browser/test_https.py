"""The console of a gateway with a certificate."""

from pathlib import Path

import pytest
import trustme
from playwright.async_api import Browser, expect
from served_gateway import served_gateway

from lastvalue.client import Connection, Message
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer


@pytest.fixture
def certificate(tmp_path: Path) -> str:
    file = tmp_path / "server.pem"
    trustme.CA().issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(file)
    return str(file)


async def test_the_live_table_of_a_queue_is_shown_over_https(
    browser: Browser, broker: Connection, server: BrokerServer, certificate: str
) -> None:
    queue = await broker.declare("prices", lvq_key="symbol")
    await queue.send(Message({"bid": 1}, {"symbol": "A"}))
    settings = GatewaySettings(
        url=f"amqp://127.0.0.1:{server.port}", host="localhost", port=0, certificate=certificate
    )
    async with served_gateway(settings) as gateway:
        # Its authority is one of the test's.
        page = await browser.new_page(ignore_https_errors=True)
        await page.goto(f"{gateway.url}/console/#/queues/prices")
        bid = page.get_by_role("gridcell").nth(1)
        await expect(bid).to_have_text("1")
        await queue.send(Message({"bid": 2}, {"symbol": "A"}))
        await expect(bid).to_have_text("2")
        await page.close()
