"""The pages of connections, exchanges, the pipeline and what administrators look after, in a real browser."""

import io
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from accessibility import violations_of_both_themes
from playwright.async_api import Page, expect
from served_gateway import served_gateway
from waiting import until_answer

from lastvalue.broker.administration.cluster_requests import Cluster
from lastvalue.cli.served_pipeline import ServedPipeline
from lastvalue.client import Connection, Message, connect
from lastvalue.client.errors import AuthenticationError, DetachedError
from lastvalue.config.toml_reader import parse_toml
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.log_output import LogOutput
from lastvalue.server.recent_lines import RecentLines
from lastvalue.server.served_configuration import ServedConfiguration
from lastvalue.server.users import Users

CONFIGURATION = """
[[queue]]
name = "orders"

[[feed]]
name = "rows"
format = "csv"
path = "in"
schema = "k STRING"
queue = "prices"
options = { header = "true", password = "hunter2" }
"""


@pytest_asyncio.fixture(loop_scope="session")
async def server(tmp_path: Path) -> AsyncIterator[BrokerServer]:
    """With a store, users, a configuration, a pipeline and a log."""
    users = Users(tmp_path / "users.toml")
    users.put("ann", "a", ("all *", "all $*"))
    users.put("bob", "b", ("browse prices",))
    config = tmp_path / "lastvalue.toml"
    config.write_text(CONFIGURATION)
    options = ServerOptions(
        port=0, users_file=users.path, anonymous=False, store=tmp_path / "store", snapshots=tmp_path
    )
    recent = RecentLines()
    output = LogOutput(options, io.StringIO())
    output.keep(recent.filter)
    with output:
        async with BrokerServer(options) as server:
            server.serve_configuration(config)
            server.broker.log = recent
            server.broker.pipeline = ServedPipeline(config, parse_toml(CONFIGURATION).pipeline)
            yield server


@pytest_asyncio.fixture(loop_scope="session")
async def broker(server: BrokerServer) -> AsyncIterator[Connection]:
    async with connect(f"amqp://ann:a@127.0.0.1:{server.port}") as connection:
        yield connection


async def logged_in(page: Page, address: str, place: str, user: str = "ann", password: str = "a") -> None:
    await page.goto(f"{address}#/{place}")
    await page.get_by_label("User").fill(user)
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Log in", exact=True).click()


async def test_a_consumer_tells_what_it_waits_for_and_its_connection_is_closed(
    page: Page, address: str, broker: Connection
) -> None:
    queue = await broker.declare("prices")
    async with queue.browse(follow=True):
        await logged_in(page, address, "connections?show=consumers")
        await expect(page.get_by_role("row", name="prices")).to_contain_text("empty")
        assert await violations_of_both_themes(page) == []
        async with queue.browse(follow=True) as closed:
            [*_, shown] = await broker.statistics("consumer")
            await page.get_by_role("button", name=f"Close {shown['name']}").click()
            await page.get_by_role("button", name="Close the consumer").click()
            await expect(page.get_by_role("status")).to_contain_text(f"closed {shown['name']}")
            with pytest.raises(DetachedError, match="closed by management"):
                await anext(closed)
        await page.get_by_role("link", name="connections", exact=True).click()
        name = str((await broker.statistics("consumer"))[0]["connection"])
        await expect(page.get_by_role("row", name=name)).to_contain_text("127.0.0.1:")
        await expect(page.get_by_role("row", name=name)).to_contain_text("no TLS")
        # The gateway's own connection is this page's.
        await expect(page.get_by_role("row", name="lastvalue-http-")).to_contain_text("gateway")
        await expect(page.get_by_role("button", name="Close amqp")).to_have_count(1)
        await page.get_by_role("button", name=f"Close {name}").click()
        await page.get_by_role("button", name="Close the connection").click()
        await expect(page.get_by_role("status")).to_contain_text(f"closed {name}")

        async def is_gone() -> bool:
            # The client may be back on another one before anybody looks.
            return name not in [str(each["name"]) for each in await broker.statistics("connection")]

        await until_answer(is_gone)


async def test_an_exchange_explains_where_a_message_would_go(
    page: Page, address: str, broker: Connection
) -> None:
    await broker.declare("prices")
    await broker.declare("large")
    await broker.bind("amq.topic", "prices", "a.*")
    await broker.bind("amq.topic", "large", "a.*", {"x-filter-jms-selector": "size > 3"})
    await logged_in(page, address, "exchanges")
    await page.get_by_role("link", name="amq.topic").click()
    await page.get_by_label("Routing key").fill("a.b")
    await page.get_by_label("Properties").fill('{"size": 1}')
    await page.get_by_role("button", name="Explain").click()
    answer = page.locator(".answer")
    await expect(answer.get_by_role("paragraph")).to_have_text("It would go to prices")
    await expect(answer.get_by_role("row", name="large")).to_contain_text("does not select it: size > 3")
    assert await violations_of_both_themes(page) == []


async def test_a_pipeline_that_does_not_run_says_so(page: Page, address: str, server: BrokerServer) -> None:
    await logged_in(page, address, "pipelines")
    await expect(page.get_by_text("the pipeline has not run")).to_be_visible()
    await expect(page.get_by_label("Graph of the pipeline")).to_contain_text("csv in")
    await expect(page.get_by_role("button", name="Restart rows")).to_be_disabled()
    assert await violations_of_both_themes(page) == []


async def test_the_store_is_shown_and_a_snapshot_written(
    page: Page, address: str, broker: Connection, tmp_path: Path
) -> None:
    queue = await broker.declare("kept", durable=True)
    async with queue.sender() as sender:
        await sender.send(Message("x", durable=True))
    await logged_in(page, address, "store")
    await expect(page.get_by_role("row", name="1")).to_contain_text("B")
    await page.get_by_role("button", name="Write a snapshot").click()
    await page.get_by_label("Directory").fill("relative")
    await page.get_by_role("button", name="Begin").click()
    await expect(page.get_by_role("dialog")).to_contain_text("begins with /")
    await page.get_by_label("Directory").fill(str(tmp_path / "copy"))
    await page.get_by_role("button", name="Begin").click()
    await expect(page.get_by_label("The last snapshot")).to_contain_text("done")
    await expect(page.get_by_label("The last snapshot")).to_contain_text(f"--restore {tmp_path / 'copy'}")
    await expect(page.locator(".figures")).to_contain_text(re.compile("99 % take up to\\d+ ms"))
    assert await violations_of_both_themes(page) == []


async def test_a_user_s_rights_are_explained(page: Page, address: str, server: BrokerServer) -> None:
    await logged_in(page, address, "users")
    await page.get_by_role("link", name="bob").click()
    await expect(page.get_by_text("May bob")).to_be_visible()
    await page.get_by_label("with").fill("prices")
    await page.get_by_label("with").press("Enter")
    await expect(page.get_by_role("row", name="publish?")).to_contain_text("write 'prices'")
    await expect(page.get_by_role("row", name="yes browse?")).to_be_visible()
    assert await violations_of_both_themes(page) == []


async def test_users_are_added_changed_and_deleted(page: Page, address: str, server: BrokerServer) -> None:
    await logged_in(page, address, "users")
    dialog = page.get_by_role("dialog")
    await page.get_by_role("button", name="Add a user").click()
    await dialog.get_by_label("Name", exact=True).fill("eve")
    await dialog.get_by_label("Password", exact=True).fill("secret")
    await dialog.get_by_label("The password again").fill("other")
    await dialog.get_by_label("Rules, one a line").fill("read prices\nbrowse prices.*")
    await dialog.get_by_role("button", name="Add").click()
    await expect(dialog.get_by_role("alert")).to_have_text("The two passwords differ")
    await dialog.get_by_label("The password again").fill("secret")
    await dialog.get_by_role("button", name="Add").click()
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="eve", exact=True))
    await expect(row).to_contain_text("read prices")
    assert await violations_of_both_themes(page) == []
    url = f"127.0.0.1:{server.port}"
    async with connect(f"amqp://eve:secret@{url}"):
        pass
    await page.get_by_role("button", name="Password of eve").click()
    await dialog.get_by_label("Password", exact=True).fill("better")
    await dialog.get_by_label("The password again").fill("better")
    await dialog.get_by_role("button", name="Change").click()
    await expect(page.get_by_text("The password of eve is another one.")).to_be_visible()
    async with connect(f"amqp://eve:better@{url}"):
        pass
    await page.get_by_role("button", name="Rules of eve").click()
    await dialog.get_by_label("Rules, one a line").fill("nonsense")
    await dialog.get_by_role("button", name="Change").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("nonsense")
    await dialog.get_by_label("Rules, one a line").fill("all prices")
    await dialog.get_by_role("button", name="Change").click()
    await expect(row).to_contain_text("all prices")
    await expect(page.get_by_role("button", name="Delete of ann")).to_be_disabled()
    await page.get_by_role("button", name="Delete of eve").click()
    await dialog.get_by_role("button", name="Delete the user").click()
    await expect(row).to_have_count(0)
    with pytest.raises(AuthenticationError):
        async with connect(f"amqp://eve:better@{url}"):
            pass


async def test_an_alarm_is_above_every_page(page: Page, address: str, server: BrokerServer) -> None:
    await logged_in(page, address, "exchanges")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Exchanges")
    file = server.broker.configuration_file
    assert isinstance(file, ServedConfiguration)
    file.is_applied = False
    strip = page.get_by_role("alert")
    await expect(strip).to_contain_text("The configuration file could not be applied")
    await page.get_by_role("link", name="Log", exact=True).click()
    await expect(strip).to_be_visible()
    assert await violations_of_both_themes(page) == []
    file.is_applied = True
    await expect(strip).to_have_count(0)


async def test_an_alert_of_a_queue_is_above_every_page(
    page: Page, server: BrokerServer, broker: Connection
) -> None:
    await broker.declare("orders")
    async with served_gateway(GatewaySettings(url=f"amqp://127.0.0.1:{server.port}", port=0)) as gateway:
        alert = {"queue": "orders", "what": "messages", "value": 1200, "most": 1000}
        gateway.take_figures({"time_ms": 1, "alerts": [alert]})
        await logged_in(page, f"{gateway.url}/console/", "exchanges")
        strip = page.get_by_role("alert")
        await expect(strip).to_have_text("Queue orders has 1,200 messages, more than 1,000")
        assert await violations_of_both_themes(page) == []
        await page.goto("about:blank")


async def test_plots_begin_with_the_hour_that_the_gateway_kept(page: Page, server: BrokerServer) -> None:
    settings = GatewaySettings(url=f"amqp://127.0.0.1:{server.port}", port=0)
    async with served_gateway(settings) as gateway:
        now_ms = time.time_ns() // 1_000_000
        for number in range(360):
            figures = {"time_ms": now_ms - 10_000 * (360 - number), "published": number * 70, "held_bytes": 5}
            gateway.take_figures(figures)
        await logged_in(page, f"{gateway.url}/console/", "overview")
        await expect(page.get_by_text("The gateway keeps the last hour")).to_be_visible()
        # 70 messages came each ten seconds.
        await expect(page.locator(".legend").first).to_contain_text(re.compile("published [0-9.]+/s"))
        await expect(page.get_by_text("Nothing was measured yet.")).to_have_count(0)
        await page.goto("about:blank")


async def test_the_busiest_queues_and_keys_are_on_the_overview(
    page: Page, address: str, broker: Connection
) -> None:
    calm = await broker.declare("calm")
    busy = await broker.declare("busy", lvq_key="symbol", top_talkers=10)
    await calm.send(Message("1"))
    await busy.send_many([Message(number, {"symbol": "A" if number else "B"}) for number in range(9)])
    await broker.queue("calm").update(paused=True)
    await logged_in(page, address, "overview")
    rows = page.get_by_role("region", name="Busiest queues").get_by_role("row")
    await expect(rows.nth(1)).to_contain_text("busy")
    await expect(page.get_by_role("row", name="calm")).to_contain_text("paused")
    keys = page.get_by_role("region", name="Busiest keys of busy").get_by_role("row")
    await expect(keys.nth(1)).to_have_text("A8")
    assert await violations_of_both_themes(page) == []


async def test_a_configuration_is_compared_and_applied(page: Page, address: str, broker: Connection) -> None:
    await logged_in(page, address, "configuration")
    await expect(page.get_by_role("row", name="add queue 'orders'")).to_be_visible()
    await expect(page.get_by_text("lastvalue.toml")).to_be_visible()
    await expect(page.get_by_role("row", name="anonymous")).to_contain_text("false")
    await expect(page.get_by_role("row", name="max_frame_size")).to_have_count(0)
    await page.get_by_role("button", name="Show defaults").click()
    await expect(page.get_by_role("row", name="max_frame_size")).to_contain_text("65536")
    await expect(page.locator("pre")).to_contain_text('[[queue]]\nname = "orders"\n')
    await expect(page.locator("pre")).to_contain_text('options = { header = "true", password = "***" }')
    assert await violations_of_both_themes(page) == []
    await page.get_by_role("button", name="Apply the file").click()
    await page.get_by_role("button", name="Apply", exact=True).click()
    await expect(page.get_by_role("row", name="done add queue 'orders'")).to_be_visible()
    assert [each.name for each in await broker.queues()] == ["orders"]


async def test_the_log_follows_what_happens(page: Page, address: str, broker: Connection) -> None:
    await logged_in(page, address, "log")
    await expect(page.get_by_role("row", name="server.listening")).to_be_visible()
    # A login is one line, unless the audit is asked for.
    await expect(page.get_by_role("row", name="connection.opened").first).to_be_visible()
    await expect(page.get_by_role("row", name="audit.login")).to_have_count(0)
    await page.get_by_label("Lines with this text").fill("LISTENING")
    await expect(page.get_by_role("row", name="connection.opened")).to_have_count(0)
    await page.get_by_label("Lines with this text").fill("")
    await page.get_by_role("button", name="Audit").click()
    await broker.declare("seen")
    await expect(page.get_by_role("row", name="name=seen")).to_be_visible()
    await expect(page.get_by_role("row", name="server.listening")).to_have_count(0)
    assert await violations_of_both_themes(page) == []


class OneFollower(Cluster):
    """A leader with a follower; when it has stepped down it follows."""

    leads = True

    def state(self) -> dict[str, Any]:
        if not self.leads:
            return {"role": "follower", "term": 5, "leader": "two:5672", "lag_ms": 1500, "lag_records": 7}
        follower = {"address": "two:5672", "process": "b", "records_unsent": 3}
        server = {"server": "n1", "role": "leader", "current": True, "records_behind": 0}
        known = {"lease_ms": 3000, "missing": ["three:5672"], "servers": [server]}
        return {"role": "leader", "term": 4, "leader": "one:5672", "followers": [follower], **known}

    def step_down(self, *, alone: bool) -> None:
        self.leads = False


async def test_a_cluster_is_shown_and_handed_over(page: Page, address: str, server: BrokerServer) -> None:
    await logged_in(page, address, "cluster")
    await expect(page.get_by_text("This broker works alone")).to_be_visible()
    await expect(page.get_by_text("shares no log")).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_count(0)
    server.broker.cluster = OneFollower()
    await expect(page.get_by_role("row", name="two:5672")).to_contain_text("3")
    await expect(page.locator(".figures")).to_contain_text("the leader")
    await expect(page.locator(".figures")).to_contain_text("3.0 s")
    await expect(page.get_by_text("neither leads nor follows: three:5672")).to_be_visible()
    await expect(page.get_by_role("row", name="n1")).to_contain_text("current")
    link = page.get_by_role("row", name="two:5672").get_by_role("link", name="two:5672")
    await expect(link).to_have_attribute("href", re.compile(r"^http://two:\d+/.*#/cluster$"))
    assert await violations_of_both_themes(page) == []
    await page.get_by_role("button", name="Step down").click()
    await page.get_by_role("button", name="Hand over").click()
    await expect(page.locator(".figures")).to_contain_text("a follower")
    await expect(page.locator(".figures")).to_contain_text("1.5 s")
    await expect(page.get_by_role("button", name="Step down")).to_have_count(0)


async def test_what_one_may_not_see_is_not_offered_and_refused_by_its_address(
    page: Page, address: str, server: BrokerServer
) -> None:
    await logged_in(page, address, "store", "bob", "b")
    offered = page.get_by_role("navigation", name="Pages of the console").get_by_role("link")
    await expect(offered).to_have_text(["Overview", "Queues", "Exchanges", "Connections"])
    names = {
        "configuration": "$configuration",
        "pipelines": "$pipelines",
        "cluster": "$broker",
        "log": "$logging",
        "store": "$store",
    }
    for place, name in names.items():
        await page.goto(f"{address}#/{place}")
        await expect(page.get_by_role("alert").first).to_contain_text(
            f"user 'bob' may not administer '{name}'"
        )
    await page.get_by_role("link", name="What you may do").click()
    await expect(page.get_by_role("row", name="show the newest lines of the log")).to_contain_text("no")
    await expect(page.get_by_role("alert")).to_have_count(0)


async def test_a_follower_offers_no_change_and_says_whom_it_follows(
    page: Page, address: str, server: BrokerServer, broker: Connection
) -> None:
    queue = await broker.declare("prices", lvq_key="symbol")
    await queue.send(Message({"bid": 1}, {"symbol": "A"}))
    await logged_in(page, address, "queues/prices")
    purge = page.get_by_role("button", name="Purge")
    await expect(purge).to_be_enabled()
    server.broker.authorization.leader = "two:5672"
    await page.reload()
    for name in ("Publish", "Pause", "Move", "Copy", "Retry", "Purge", "Delete"):
        await expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled()
    await expect(purge).to_have_attribute("title", "This broker follows two:5672, which makes changes")
    await expect(page.get_by_role("status").first).to_contain_text("This broker follows two:5672")
    await expect(page.get_by_role("gridcell", name="A")).to_be_visible()
    await page.get_by_role("gridcell", name="A").click()
    await expect(page.get_by_role("dialog").get_by_role("button", name="Change")).to_be_disabled()
    server.broker.authorization.leader = None
