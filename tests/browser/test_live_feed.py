"""The live table before a feed that is faster than any screen.

`make live` has the long form: 10,000 updates a second over 5,000 keys, for a minute.
"""

import asyncio
import os
import time
from collections.abc import Iterator
from itertools import count, islice

import pytest
from playwright.async_api import CDPSession, Page, expect
from served_broker import ServedBroker

from lastvalue.client import Message, Queue, connect

SECONDS = float(os.environ.get("LASTVALUE_LIVE_S", "4"))
RATE = int(os.environ.get("LASTVALUE_LIVE_RATE", "2000"))
KEYS = int(os.environ.get("LASTVALUE_LIVE_KEYS", "500"))
BATCH = 200
MOST_GROWTH_BYTES = 12 * 1024 * 1024
LEAST_FRAMES_A_SECOND = 5
"""Of a browser without a graphics card, on a machine that also runs broker, gateway, feed and other tests."""

ALL_ROWS = """async () => {
    const grid = document.querySelector('.live');
    const seen = {};
    for (let top = 0; top <= grid.scrollHeight; top += grid.clientHeight - 30) {
        grid.scrollTop = top;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        for (const row of grid.querySelectorAll('.live-row:not(.head)')) {
            seen[row.children[0].textContent] = Number(row.children[1].textContent);
        }
    }
    grid.scrollTop = 0;
    return seen;
}"""
COUNT_FRAMES = """() => {
    window.frames_seen = 0;
    window.longest_ms = 0;
    let last = performance.now();
    const count = () => {
        window.frames_seen++;
        window.longest_ms = Math.max(window.longest_ms, performance.now() - last);
        last = performance.now();
        requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
}"""


@pytest.fixture
def served() -> Iterator[tuple[ServedBroker, str]]:
    """A broker with its gateway in a process of its own, and the gateway's address."""
    with ServedBroker("--http-port", "0") as broker:
        yield broker, broker.announced("http")


async def feed(queue: Queue, seconds: float) -> dict[str, int]:
    """Publish at RATE; returns the newest value of each key."""
    newest: dict[str, int] = {}
    numbers = count()
    loop = asyncio.get_running_loop()
    began = loop.time()
    while loop.time() - began < seconds:
        batch = {number: f"k{number % KEYS:05}" for number in islice(numbers, BATCH)}
        newest.update((key, number) for number, key in batch.items())
        await queue.send_many([Message({"number": number}, {"key": key}) for number, key in batch.items()])
        due = loop.create_future()
        loop.call_at(began + max(batch) / RATE, due.set_result, None)
        await due
    return newest


async def heap_bytes(devtools: CDPSession) -> int:
    """The memory of the page's script after a collection."""
    await devtools.send("HeapProfiler.collectGarbage")
    metrics = (await devtools.send("Performance.getMetrics"))["metrics"]
    return int({each["name"]: each["value"] for each in metrics}["JSHeapUsedSize"])


async def test_the_table_follows_a_fast_feed_without_growing(
    page: Page, served: tuple[ServedBroker, str]
) -> None:
    broker, address = served
    async with connect(broker.url) as connection:
        queue = await connection.declare("feed", lvq_key="key")
        await feed(queue, 1 + KEYS / RATE)
        await page.goto(f"{address}/console/#/queues/feed")
        await expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", str(KEYS + 1))
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("Performance.enable")
        await feed(queue, SECONDS / 4)
        before = await heap_bytes(devtools)
        published = (await queue.info()).published
        await page.evaluate(COUNT_FRAMES)
        began = time.monotonic()
        newest = await feed(queue, SECONDS)
        took_s = time.monotonic() - began
        frames, longest_ms = await page.evaluate("[window.frames_seen, window.longest_ms]")
        growth = await heap_bytes(devtools) - before
        published = (await queue.info()).published - published
        print(
            f"\n{published / took_s:,.0f} updates/s over {KEYS:,} keys, "
            f"{frames / took_s:.0f} frames/s, the longest {longest_ms:.0f} ms, "
            f"heap {before / 2**20:.1f} MiB, grown by {growth / 2**20:.1f} MiB; "
            f"saved: {await page.locator('.saving').inner_text()!r}"
        )
        last = max(newest, key=newest.__getitem__)
        await page.get_by_label("Rows with this text").fill(last)
        await expect(page.get_by_role("gridcell").nth(1)).to_have_text(str(newest[last]), timeout=30_000)
        await page.get_by_label("Rows with this text").fill("")
        await expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", str(KEYS + 1))
        assert await page.evaluate(ALL_ROWS) == newest
        assert growth < MOST_GROWTH_BYTES
        assert frames / took_s > LEAST_FRAMES_A_SECOND
