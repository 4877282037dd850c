"""What the console shows to users with and without rights, and over a restart of the broker."""

import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Page, expect
from served_broker import ServedBroker
from served_gateway import served_gateway

from lastvalue.client import Message, connect
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users


@pytest_asyncio.fixture(loop_scope="session")
async def server(tmp_path: Path) -> AsyncIterator[BrokerServer]:
    """With two users: ann may do everything, bob may look at prices."""
    users = Users(tmp_path / "users.toml")
    users.put("ann", "a", ("all *", "administer $*"))
    users.put("bob", "b", ("browse prices",))
    async with BrokerServer(ServerOptions(port=0, users_file=users.path, anonymous=False)) as server:
        async with connect(f"amqp://ann:a@127.0.0.1:{server.port}") as connection:
            queue = await connection.declare("prices", lvq_key="symbol")
            await queue.send(Message({"bid": 1}, {"symbol": "A"}))
            await connection.declare("secret")
        yield server


async def log_in(page: Page, user: str, password: str) -> None:
    await page.get_by_label("User").fill(user)
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Log in", exact=True).click()


async def test_a_wrong_password_is_refused_and_a_right_one_leads_on(page: Page, address: str) -> None:
    await page.goto(f"{address}#/queues")
    await log_in(page, "ann", "wrong")
    await expect(page.get_by_role("alert")).to_have_text("Wrong user or password")
    await log_in(page, "ann", "a")
    await expect(page.locator("tbody td:first-child")).to_have_text(["prices", "secret"])
    await page.reload()
    await expect(page.locator("tbody td:first-child")).to_have_text(["prices", "secret"])
    await page.get_by_role("button", name="Log out ann").click()
    await expect(page.get_by_label("Password")).to_be_visible()
    await page.reload()
    await expect(page.get_by_label("Password")).to_be_visible()


async def test_a_user_sees_and_changes_only_what_the_rights_allow(page: Page, address: str) -> None:
    await page.goto(f"{address}#/queues")
    await log_in(page, "bob", "b")
    await expect(page.locator("tbody td:first-child")).to_have_text(["prices"])
    await page.get_by_role("link", name="prices").click()
    await expect(page.get_by_role("gridcell", name="A")).to_be_visible()
    await expect(page.get_by_role("button", name="Pause")).to_be_disabled()
    purge = page.get_by_role("button", name="Purge")
    await expect(purge).to_be_disabled()
    await expect(purge).to_have_attribute("title", "This needs the right manage 'prices'")
    await page.get_by_role("gridcell", name="A").click()
    await expect(page.get_by_role("dialog").get_by_role("button", name="Change")).to_be_disabled()
    await page.keyboard.press("Escape")
    await page.get_by_role("link", name="Overview").click()
    await expect(page.get_by_text("administer on $broker")).to_be_visible()


async def test_a_queue_that_the_user_may_not_see_is_not_shown(page: Page, address: str) -> None:
    await page.goto(f"{address}#/queues/secret")
    await log_in(page, "bob", "b")
    await expect(page.get_by_role("alert")).to_contain_text("secret")


async def test_the_live_table_goes_on_after_a_restart_of_the_broker(page: Page, tmp_path: Path) -> None:
    first = BrokerServer(ServerOptions(port=0, store=tmp_path / "store"))
    await first.start()
    url = f"amqp://127.0.0.1:{first.port}"
    async with connect(url) as connection:
        queue = await connection.declare("prices", lvq_key="symbol", durable=True)
        await queue.send(Message({"bid": 1}, {"symbol": "A"}, durable=True))
    bid = page.get_by_role("gridcell").nth(1)
    async with served_gateway(GatewaySettings(url=url, port=0)) as gateway:
        await page.goto(f"{gateway.url}/console/#/queues/prices")
        await expect(bid).to_have_text("1")
        await first.stop()
        await expect(page.locator(".banner").first).to_be_visible()
        async with BrokerServer(ServerOptions(port=first.port, store=tmp_path / "store")):
            async with connect(url) as connection:
                await connection.queue("prices").send(Message({"bid": 2}, {"symbol": "A"}, durable=True))
            await expect(bid).to_have_text("2")
            await expect(page.locator(".banner")).to_have_count(0)
            await page.goto("about:blank")


async def test_a_session_outlives_a_restart_of_the_broker_and_its_gateway(page: Page, tmp_path: Path) -> None:
    users = Users(tmp_path / "users.toml")
    users.put("ann", "a", ("all *", "administer $*"))
    with socket.create_server(("127.0.0.1", 0)) as found:
        http_port = str(found.getsockname()[1])
    arguments = ("--users-file", str(users.path), "--no-anonymous", "--store", str(tmp_path / "store"))
    with ServedBroker(*arguments, "--http-port", http_port) as first:
        address = first.announced("http")
        await page.goto(f"{address}/console/#/queues")
        await log_in(page, "ann", "a")
        await page.get_by_role("button", name="Add a queue").click()
        await page.get_by_label("Name", exact=True).fill("before")
        await page.get_by_label("Last-value key").fill("k")
        await page.get_by_label("Durable").check()
        await page.get_by_role("button", name="Add", exact=True).click()
        await expect(page.get_by_role("link", name="before")).to_be_visible()
    await expect(page.locator(".banner")).to_be_visible()
    with ServedBroker(*arguments, "--http-port", http_port):
        await expect(page.locator(".banner")).to_have_count(0)
        await page.reload()
        # It shows and changes what it did before, with the proof that it had.
        await page.get_by_role("link", name="before").click()
        await page.get_by_role("button", name="Pause").click()
        await expect(page.get_by_text("paused", exact=True).first).to_be_visible()
        await page.goto("about:blank")
