"""The console goes on with values that JSON lacks, streams that die, queues that go, and very much of all."""

import asyncio
import math
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from playwright.async_api import Page, expect

from lastvalue.client import Connection, Message

KEYS = 100_000
RECORDS = 200_000
BATCH = 1000


class Relay:
    """Passes bytes between callers and a port until it is stopped; then it is silent and closes nothing."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._passes = asyncio.Event()
        self._passes.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["Relay"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        yield self
        server.close()
        await server.wait_closed()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def stop(self) -> None:
        self._passes.clear()

    def go_on(self) -> None:
        """Serve callers who come from now on; those of before stay dead."""
        self._passes = asyncio.Event()
        self._passes.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_connection("127.0.0.1", self._to)
        for source, target in ((reader, forth), (back, writer)):
            task = asyncio.create_task(self._pass_on(source, target, self._passes))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass_on(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, passes: asyncio.Event
    ) -> None:
        try:
            while data := await source.read(65536):
                await passes.wait()
                target.write(data)
        finally:
            target.close()


async def test_a_value_that_json_does_not_have_is_shown_and_the_others_go_on(
    page: Page, address: str, broker: Connection
) -> None:
    queue = await broker.declare("prices", lvq_key="symbol")
    await page.goto(f"{address}#/queues/prices")
    await expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "1")
    await queue.send(
        Message({"price": math.nan, "lat": math.inf, "lon": 1.0}, {"symbol": "A", "x": math.nan})
    )
    await queue.send(Message('{"price": NaN}', {"symbol": "B"}))
    await queue.send(Message({"price": 1.5, "lat": 1, "lon": 2}, {"symbol": "C"}))
    await expect(page.get_by_role("row", name="Pin A")).to_contain_text("NaN")
    await expect(page.get_by_role("row", name="Pin B")).to_contain_text('{"price": NaN}')
    await expect(page.get_by_role("row", name="Pin C")).to_contain_text("1.5")
    await page.get_by_role("gridcell", name="Pin A").click()
    await expect(page.get_by_role("dialog").locator("pre")).to_contain_text('"NaN"')
    await page.goto(f"{address}#/queues/prices/map")
    await expect(page.get_by_text("1 on the map")).to_be_visible()
    await page.goto(f"{address}#/queues/prices/prices")
    await expect(page.get_by_role("row", name="C 1.50")).to_be_visible()


async def test_a_stream_on_which_nothing_comes_is_asked_for_again(
    page: Page, address: str, broker: Connection
) -> None:
    queue = await broker.declare("prices", lvq_key="symbol")
    await queue.send(Message({"bid": 1}, {"symbol": "A"}))
    port = urlsplit(address).port or 0
    async with Relay(port).serving() as relay:
        await page.clock.install()
        await page.goto(f"http://127.0.0.1:{relay.port}/console/#/queues/prices")
        bid = page.get_by_role("gridcell").nth(1)
        await expect(bid).to_have_text("1")
        relay.stop()
        await queue.send(Message({"bid": 2}, {"symbol": "A"}))
        await page.clock.fast_forward(60_000)
        await expect(page.get_by_text("The rows are as they were")).to_be_visible()
        await page.clock.fast_forward(120_000)
        relay.go_on()
        await page.clock.fast_forward(120_000)
        await expect(bid).to_have_text("2")
        await expect(page.locator(".banner")).to_have_count(0)
        await page.goto("about:blank")


async def test_a_queue_that_is_deleted_and_declared_again_is_followed_again(
    page: Page, address: str, broker: Connection
) -> None:
    message = Message({"price": 1.5, "lat": 1, "lon": 2}, {"symbol": "A"})
    shown = {
        "": page.get_by_role("gridcell", name="A"),
        "/map": page.get_by_text("1 on the map"),
        "/prices": page.get_by_role("row", name="A 1.50"),
    }
    for view, found in shown.items():
        await (await broker.declare("prices", lvq_key="symbol")).send(message)
        await page.goto(f"{address}#/queues/prices{view}")
        await expect(found).to_be_visible()
        await broker.delete("prices")
        await expect(page.get_by_role("alert")).to_contain_text("queue")
        await (await broker.declare("prices", lvq_key="symbol")).send(message)
        await expect(found).to_be_visible()
        await expect(page.get_by_role("alert")).to_have_count(0)
        await broker.delete("prices")


async def test_a_hundred_thousand_keys_are_searched_and_chosen_from(
    page: Page, address: str, broker: Connection
) -> None:
    queue = await broker.declare("wide", lvq_key="k")
    for first in range(0, KEYS, BATCH):
        await queue.send_many([Message({"n": n}, {"k": f"k{n:06}"}) for n in range(first, first + BATCH)])
    await page.goto(f"{address}#/queues/wide")
    await expect(page.get_by_text("The queue has 100,000 keys.")).to_be_visible()
    await page.get_by_label("Keys that match").fill("k01234*")
    await page.get_by_role("button", name="Select").click()
    await expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "11")
    await queue.send(Message({"n": -1}, {"k": "k012345"}))
    await expect(page.get_by_role("row").filter(has_text="k012345")).to_contain_text("-1")
    await page.get_by_role("link", name="Messages").click()
    await expect(page.get_by_role("navigation", name="Pages", exact=True)).to_contain_text("1\u201350")


async def test_a_history_of_many_records_is_looked_back_at_while_the_page_goes_on(
    page: Page, address: str, broker: Connection
) -> None:
    await broker.declare("long.history")
    queue = await broker.declare("long", lvq_key="k", history="long.history")
    # A value that replaces another is two records.
    for first in range(0, RECORDS // 2 + BATCH, BATCH):
        await queue.send_many([Message({"n": n}, {"k": f"k{n % 100}"}) for n in range(first, first + BATCH)])
    assert (await broker.queue("long.history").info()).depth > RECORDS
    await page.goto(f"{address}#/queues/long")
    slider = page.get_by_role("slider", name="Moment")
    await slider.focus()
    await slider.press("PageDown")
    # On a busy machine the broker may say that it took too long, which is as good here.
    await expect(page.locator(".past")).to_contain_text(re.compile("100 rows|took longer"))
    await page.get_by_role("button", name="Live").click()
    await queue.send(Message({"n": -7}, {"k": "k0"}))
    await expect(page.get_by_role("row").filter(has_text="-7")).to_be_visible()
