"""Values on a map and prices as candles, in a real browser."""

import json
import re

import pytest_asyncio
from accessibility import violations_of_both_themes
from playwright.async_api import Page, expect

from lastvalue.client import Connection, Message

PIXELS = "document.querySelector('.map canvas').toDataURL()"
PLACES = {"A1": (47.4, 8.5), "B2": (50.0, 8.6), "C3": (48.3, 11.8)}


async def put_places(broker: Connection, places: dict[str, tuple[float, float]]) -> None:
    async with broker.queue("positions").sender() as sender:
        for name, (latitude, longitude) in places.items():
            body = {
                "latitude": latitude,
                "longitude": longitude,
                "track": 90,
                "callsign": f"FLY {name}",
                "h": 1,
            }
            await sender.send(Message(json.dumps(body), {"icao24": name}))


@pytest_asyncio.fixture(loop_scope="session")
async def positions(broker: Connection) -> None:
    await broker.declare("positions", lvq_key="icao24")
    await put_places(broker, PLACES)


async def pixels(page: Page) -> str:
    """The picture on the canvas."""
    return str(await page.evaluate(PIXELS))


async def test_positions_are_on_the_map_and_move(
    page: Page, address: str, broker: Connection, positions: None
) -> None:
    await page.goto(f"{address}#/queues/positions")
    await page.get_by_role("link", name="Map").click()
    await expect(page.get_by_text("3 on the map")).to_be_visible()
    await expect(page.get_by_text("live", exact=True)).to_be_visible()
    before = await pixels(page)
    await put_places(broker, {"A1": (47.9, 9.5), "D4": (46.2, 6.1)})
    await expect(page.get_by_text("4 on the map")).to_be_visible()
    assert await pixels(page) != before
    await broker.purge("positions")
    await expect(page.get_by_text("0 on the map")).to_be_visible()
    assert await violations_of_both_themes(page) == []


async def test_what_is_clicked_is_shown_and_the_map_is_moved_by_keys(
    page: Page, address: str, positions: None
) -> None:
    await page.goto(f"{address}#/queues/positions/map")
    await expect(page.get_by_text("3 on the map")).to_be_visible()
    canvas = page.locator(".map canvas")
    await canvas.focus()
    shown = await pixels(page)
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("+")
    await page.wait_for_function(
        "shown => document.querySelector('.map canvas').toDataURL() !== shown", arg=shown
    )
    await page.keyboard.press("0")
    await page.wait_for_function(
        "shown => document.querySelector('.map canvas').toDataURL() === shown", arg=shown
    )
    # Everything fits, so the northernmost is above and left of the middle.
    box = await canvas.bounding_box()
    assert box is not None
    for x in range(0, int(box["width"]), 10):
        await canvas.click(position={"x": x, "y": box["height"] * 0.075})
        if await page.get_by_label("Fields of B2").count():
            break
    await expect(page.get_by_label("Fields of B2")).to_contain_text("FLY B2")


async def test_the_chosen_fields_stay_in_the_address(page: Page, address: str, positions: None) -> None:
    await page.goto(f"{address}#/queues/positions/map")
    await page.get_by_label("label").select_option("track")
    await expect(page).to_have_url(re.compile("label=track"))
    await page.reload()
    await expect(page.get_by_label("label")).to_have_value("track")


async def test_a_queue_that_one_may_not_see_is_refused(page: Page, address: str) -> None:
    await page.goto(f"{address}#/queues/nothing/map")
    await expect(page.get_by_role("alert")).to_contain_text("there is no queue named 'nothing'")


async def test_prices_become_candles(page: Page, address: str, broker: Connection) -> None:
    queue = await broker.declare("prices", lvq_key="symbol")
    await page.goto(f"{address}#/queues/prices/prices")
    await expect(page.get_by_text("live", exact=True)).to_be_visible()
    async with queue.sender() as sender:
        for price in (10.0, 12.5, 9.0, 11.0):
            await sender.send(Message({"price": price}, {"symbol": "AAPL"}))
            await expect(page.locator(".newest-candle")).to_contain_text(f"close {price:.2f}")
        await sender.send(Message({"price": 70}, {"symbol": "ROG"}))
    await expect(page.get_by_role("row", name="ROG")).to_contain_text("70.00")
    await expect(page.get_by_label("Candles of AAPL").locator("canvas")).to_be_visible()
    assert await violations_of_both_themes(page) == []


async def test_candles_of_the_busiest_key_begin_with_the_history(
    page: Page, address: str, broker: Connection
) -> None:
    await broker.declare("prices.history")
    queue = await broker.declare("prices", lvq_key="symbol", history="prices.history")
    async with queue.sender() as sender:
        for price in (10.0, 12.5, 9.0, 11.0):
            await sender.send(Message({"price": price}, {"symbol": "ROG"}))
        await sender.send(Message({"price": 70}, {"symbol": "AAPL"}))
    await page.goto(f"{address}#/queues/prices/prices?every=300")
    await expect(page.get_by_role("combobox", name="key")).to_have_value("ROG")
    await expect(page.get_by_text("Before the page was open")).to_be_visible()
    await expect(page.locator(".newest-candle")).to_contain_text("high 12.50")
    await expect(page.locator(".newest-candle")).to_contain_text("low 9.00")


async def test_whole_candles_are_taken_as_they_are(page: Page, address: str, broker: Connection) -> None:
    queue = await broker.declare("candles", lvq_key="symbol")
    async with queue.sender() as sender:
        body = {"open": 10, "high": 14, "low": 8, "close": 12}
        await sender.send(Message(body, {"symbol": "AAPL"}))
    await page.goto(f"{address}#/queues/candles/prices")
    await expect(page.locator(".newest-candle")).to_have_text("open 10.00high 14.00low 8.00close 12.00")


async def test_a_narrow_screen_shows_values_of_long_keys_and_scrolls_to_no_side(
    page: Page, address: str, broker: Connection
) -> None:
    queue = await broker.declare("prices", lvq_key="symbol")
    await queue.send(Message({"price": 5, "sequences": 1}, {"symbol": "a key that nobody would choose " * 2}))
    await page.set_viewport_size({"width": 400, "height": 800})
    wider = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    await page.goto(f"{address}#/queues/prices/prices")
    await expect(page.get_by_label("Candles of").locator("canvas")).to_be_visible()
    assert not await page.evaluate(wider)
    await page.goto(f"{address}#/queues/prices")
    await expect(page.get_by_role("gridcell", name="5", exact=True)).to_be_in_viewport(ratio=1)
    assert not await page.evaluate(wider)
