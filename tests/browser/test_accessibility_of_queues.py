"""What axe-core finds on the pages of the broker and of queues, in both themes."""

from accessibility import violations_of_both_themes
from playwright.async_api import Page, expect

from lastvalue.client import Connection, Message

PLACES = (
    "overview",
    "queues",
    "queues/prices",
    "queues/prices?tab=options",
    "queues/prices?tab=readers",
    "queues/prices?tab=removed",
    "queues/orders",
)


async def test_nothing_is_wrong_with_pages_and_dialogs(page: Page, address: str, broker: Connection) -> None:
    await broker.declare("prices.history")
    prices = await broker.declare("prices", lvq_key="symbol", history="prices.history")
    for bid in range(2):
        await prices.send_many([Message({"bid": bid}, {"symbol": symbol}) for symbol in "AB"])
    await (await broker.declare("orders")).send(Message("text"))
    found: dict[str, list[str]] = {}
    for place in PLACES:
        await page.goto(f"{address}#/{place}")
        await expect(page.locator("table, .live, .plot, .facts").first).to_be_visible()
        found[place] = await violations_of_both_themes(page)
    await page.goto(f"{address}#/queues/prices")
    await page.get_by_role("gridcell", name="A").click()
    await expect(page.get_by_role("list", name="Versions")).to_be_visible()
    found["key"] = await violations_of_both_themes(page)
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Publish").click()
    found["publish"] = await violations_of_both_themes(page)
    assert {place: faults for place, faults in found.items() if faults} == {}


async def test_a_row_is_reached_and_opened_by_keyboard(page: Page, address: str, broker: Connection) -> None:
    prices = await broker.declare("prices", lvq_key="symbol")
    await prices.send_many([Message(1, {"symbol": symbol}) for symbol in "ABC"])
    await page.goto(f"{address}#/queues/prices")
    grid = page.get_by_role("grid")
    await expect(grid).to_have_attribute("aria-rowcount", "4")
    await grid.focus()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog").get_by_role("heading", name="C")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(grid).to_be_focused()
