"""A broker with a gateway for each test, and a real browser before its console that all tests share.

A browser takes longer to start than most tests, and belongs to the event loop that started it.
So the tests and fixtures of this folder run on the loop of the session.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from lastvalue.client import Connection, connect
from lastvalue.gateway.gateway_server import GatewayServer
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer, ServerOptions

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# Of what a page shows in the end; five seconds are too few on a busy machine.
expect.set_options(timeout=60_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if pytest_asyncio.is_async_test(item) and Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[BrokerServer]:
    async with BrokerServer(ServerOptions(port=0)) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def broker(server: BrokerServer) -> AsyncIterator[Connection]:
    async with connect(f"amqp://127.0.0.1:{server.port}") as connection:
        yield connection


@pytest_asyncio.fixture(loop_scope="session")
async def address(server: BrokerServer, console: Callable[[int], Awaitable[str]]) -> str:
    """Of the console."""
    return await console(server.port)


@pytest_asyncio.fixture(loop_scope="session")
async def console() -> AsyncIterator[Callable[[int], Awaitable[str]]]:
    """Starts a gateway before the broker at a port; the address of its console."""
    async with AsyncExitStack() as gateways:

        async def start(port: int) -> str:
            gateway = GatewayServer(GatewaySettings(url=f"amqp://127.0.0.1:{port}", port=0))
            serving = asyncio.create_task(gateway.serve())
            gateways.push_async_callback(stop, gateway, serving)
            return f"{gateway.url}/console/"

        async def stop(gateway: GatewayServer, serving: asyncio.Task[None]) -> None:
            gateway.stop()
            await serving

        yield start


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on PATH")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, headless=True)
        yield browser
        await browser.close()


class Faults(list[str]):
    """What a page complained about: errors of scripts, and what its policy refused."""

    def watch(self, page: Page) -> None:
        """Collect the faults of a page from now on."""
        page.on("pageerror", lambda error: self.append(str(error)))
        page.on(
            "console",
            lambda message: (
                self.append(message.text)
                if message.type == "error" and "Failed to load resource" not in message.text
                else None
            ),
        )


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A page whose scripts may not fail; no other test has its cookies and its storage."""
    page = await browser.new_page(viewport={"width": 1280, "height": 800})
    faults = Faults()
    faults.watch(page)
    yield page
    await page.close()
    assert faults == []
