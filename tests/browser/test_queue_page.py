"""The pages of queues in a real browser."""

import json
import re
from pathlib import Path

import pytest
from accessibility import violations
from playwright.async_api import Page, expect

from lastvalue.client import Connection, Message
from lastvalue.http import found_page


def lines_of(file: Path) -> list[str]:
    return file.read_text().splitlines()


LOCAL_TIME = """(ms) => {
    const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60000);
    return local.toISOString().slice(0, 23);
}"""


async def test_queues_are_searched_and_sorted_by_the_server(
    page: Page, address: str, broker: Connection
) -> None:
    for name, messages in (("orders", 3), ("mail", 7), ("jobs", 5)):
        await (await broker.declare(name)).send_many([Message("1")] * messages)
    await page.goto(f"{address}#/queues")
    names = page.locator("tbody tr td:first-child")
    await expect(names).to_have_text(["jobs", "mail", "orders"])
    await page.get_by_role("button", name="Messages").click()
    await expect(names).to_have_text(["mail", "jobs", "orders"])
    await page.get_by_role("searchbox").fill("o")
    await expect(names).to_have_text(["jobs", "orders"])


async def test_a_queue_is_added_paused_and_deleted(page: Page, address: str, broker: Connection) -> None:
    await page.goto(f"{address}#/queues")
    await page.get_by_role("button", name="Add a queue").click()
    await page.get_by_label("Name", exact=True).fill("prices")
    await page.get_by_label("Last-value key").fill("symbol")
    await page.get_by_role("button", name="Add", exact=True).click()
    await page.get_by_role("link", name="prices").click()
    await page.get_by_role("button", name="Pause").click()
    await expect(page.get_by_text("paused", exact=True)).to_be_visible()
    assert (await broker.queue("prices").info()).options["paused"] is True
    await page.get_by_role("button", name="Delete").click()
    await page.get_by_label("Its name, to be sure").fill("prices")
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("The queue prices was deleted.")).to_be_visible()
    assert await broker.queues() == []


async def test_what_the_gateway_refuses_is_said_at_its_field(page: Page, address: str) -> None:
    await page.goto(f"{address}#/queues")
    await page.get_by_role("button", name="Add a queue").click()
    await page.get_by_label("Name", exact=True).fill("q")
    await page.get_by_label("Further options").fill('{"max_mesages": 1}')
    await page.get_by_role("button", name="Add", exact=True).click()
    await expect(page.get_by_role("alert")).to_contain_text("max_mesages")


async def test_the_live_table_follows_the_queue(page: Page, address: str, broker: Connection) -> None:
    queue = await broker.declare("prices", lvq_key="symbol")
    await queue.send(Message({"bid": 1.5}, {"symbol": "A"}))
    await page.goto(f"{address}#/queues/prices")
    row = page.get_by_role("row").filter(has_text="A")
    await expect(row.get_by_role("gridcell").nth(1)).to_have_text("1.5")
    await queue.send(Message({"bid": 2.5}, {"symbol": "A"}))
    await expect(row.get_by_role("gridcell").nth(1)).to_have_text("2.5")
    await queue.send(Message({"bid": 9}, {"symbol": "B"}))
    keys = page.get_by_role("gridcell").filter(has=page.get_by_role("button"))
    await expect(keys).to_have_text(["A", "B"])
    await page.get_by_role("button", name="Pin B").click()
    await expect(keys).to_have_text(["B", "A"])
    await page.get_by_label("Rows with this text").fill("zz")
    await expect(keys).to_have_text(["B"])


async def test_a_key_that_is_removed_leaves_the_table(page: Page, address: str, broker: Connection) -> None:
    queue = await broker.declare("prices", lvq_key="symbol")
    await queue.send_many([Message(1, {"symbol": symbol}) for symbol in "AB"])
    await page.goto(f"{address}#/queues/prices")
    grid = page.get_by_role("grid")
    await expect(grid).to_have_attribute("aria-rowcount", "3")
    await broker.purge("prices")
    await queue.send(Message(1, {"symbol": "C"}))
    await expect(grid).to_have_attribute("aria-rowcount", "2")


async def test_a_selector_chooses_the_rows(page: Page, address: str, broker: Connection) -> None:
    queue = await broker.declare("prices", lvq_key="symbol")
    await queue.send_many([Message(1, {"symbol": each, "venue": f"X{each}"}) for each in "AB"])
    await page.goto(f"{address}#/queues/prices")
    await page.get_by_label("Selector").fill("venue = 'XB'")
    await page.get_by_role("button", name="Select").click()
    await expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "2")
    await page.get_by_label("Selector").fill("venue =")
    await page.get_by_role("button", name="Select").click()
    await expect(page.get_by_role("alert")).to_contain_text("venue")


async def test_a_value_is_changed_only_in_place_of_the_one_that_was_seen(
    page: Page, address: str, broker: Connection
) -> None:
    queue = await broker.declare("prices", lvq_key="symbol")
    await queue.send(Message({"bid": 1}, {"symbol": "A"}))
    await page.goto(f"{address}#/queues/prices")
    await page.get_by_role("gridcell", name="A").click()
    drawer = page.get_by_role("dialog")
    await drawer.get_by_role("button", name="Change").click()
    await queue.send(Message({"bid": 2}, {"symbol": "A"}))
    await expect(drawer.locator("pre")).to_contain_text('"bid": 2')
    body = drawer.get_by_label("New body, as JSON")
    await body.fill('{"bid": 5}')
    await drawer.get_by_role("button", name="Put").click()
    await expect(drawer.get_by_role("alert")).to_contain_text("the form has the newest value now")
    await expect(body).to_have_value(json.dumps({"bid": 2}, indent=2))
    await body.fill('{"bid": 7}')
    await drawer.get_by_role("button", name="Put").click()
    await expect(drawer.locator("pre")).to_contain_text('"bid": 7')
    value = await queue.get("A")
    assert value is not None
    assert value.body == {"bid": 7}
    await expect(drawer.get_by_role("list")).to_contain_text("bid: 2 7")


async def test_a_search_that_finds_little_says_how_far_it_has_looked_and_goes_on(
    page: Page, address: str, broker: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_page, "MOST_LOOKED_AT", 60)
    queue = await broker.declare("orders")
    await queue.send_many([Message(f"body {number}", {"n": number}) for number in range(1, 151)])
    await page.goto(f"{address}#/queues/orders?tab=messages")
    pager = page.get_by_role("navigation", name="Pages", exact=True)
    await expect(pager).to_contain_text("1\u201350")
    await pager.get_by_role("button", name="Next page").click()
    await expect(pager).to_contain_text("51\u2013100")
    await page.get_by_role("searchbox", name="Selector").fill("n = 7 OR n = 140")
    await page.get_by_role("button", name="Select", exact=True).click()
    await expect(page.get_by_text("Looked as far as sequence 60.")).to_be_visible()
    await expect(page.get_by_role("cell", name="body 7", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Look further").click()
    await expect(page.get_by_text("Looked as far as sequence 120.")).to_be_visible()
    await expect(page.get_by_text("None of the messages of this page is selected.")).to_be_visible()
    await page.get_by_role("button", name="Look further").click()
    await expect(page.get_by_role("cell", name="body 140")).to_be_visible()
    await expect(pager).to_contain_text("2\u20132")
    await expect(page.get_by_role("button", name="Look further")).to_have_count(0)


async def test_messages_are_chosen_and_moved(page: Page, address: str, broker: Connection) -> None:
    orders = await broker.declare("orders")
    await broker.declare("late")
    await orders.send_many([Message(f"order {number}") for number in range(3)])
    await page.goto(f"{address}#/queues/orders")
    await page.get_by_label("Choose message 2").check()
    await page.get_by_role("button", name="Move chosen").click()
    await page.get_by_label("To the queue").fill("late")
    await page.get_by_role("button", name="Move", exact=True).last.click()
    await expect(page.get_by_label("Choose message 2")).to_have_count(0)
    assert (await broker.queue("late").info()).depth == 1


async def test_a_message_is_published_copied_and_sent_back_as_a_dead_letter(
    page: Page, address: str, broker: Connection
) -> None:
    failed = await broker.declare("failed")
    orders = await broker.declare("orders", alternate="failed")
    await broker.declare("copies")
    await page.goto(f"{address}#/queues/orders")
    await page.get_by_role("button", name="Publish").click()
    form = page.get_by_role("dialog")
    await form.get_by_label("Body", exact=True).fill('{"size": 5}')
    await form.get_by_label("The body is JSON").check()
    await form.get_by_label("Properties").fill('{"venue": 5')
    await form.get_by_role("button", name="Publish").click()
    await expect(form.get_by_label("Properties")).to_have_attribute("aria-invalid", "true")
    await form.get_by_label("Properties").fill('{"venue": "X"}')
    await form.get_by_role("button", name="Publish").click()
    await expect(page.get_by_role("row").filter(has_text="venue")).to_contain_text("size", timeout=30_000)

    await page.get_by_role("button", name="Copy", exact=True).click()
    await form.get_by_label("To the queue").fill("copies")
    await form.get_by_label("Selector").fill("venue = 'X'")
    await form.get_by_role("button", name="Copy").click()
    await expect(page.get_by_role("status").filter(has_text="1 message")).to_be_visible()
    assert (await broker.queue("copies").info()).depth == 1

    delivery = await anext(orders.receive())
    assert (delivery.message.body, delivery.message.properties) == ({"size": 5}, {"venue": "X"})
    delivery.reject("later")
    await page.goto(f"{address}#/queues/failed")
    row = page.get_by_role("row").filter(has_text="venue")
    await expect(row).to_be_visible(timeout=30_000)
    await page.get_by_role("button", name="Retry").click()
    await form.get_by_label("At most").fill("1")
    await form.get_by_role("button", name="Retry").click()
    await expect(row).to_have_count(0, timeout=30_000)
    assert ((await orders.info()).depth, (await failed.info()).depth) == (1, 0)


async def test_a_row_is_pinned_and_rows_are_sorted_by_a_column(
    page: Page, address: str, broker: Connection
) -> None:
    prices = await broker.declare("prices", lvq_key="symbol")
    for bid, symbol in enumerate("CBA"):
        await prices.send(Message({"bid": bid}, {"symbol": symbol}))
    await page.goto(f"{address}#/queues/prices")
    keys = page.get_by_role("gridcell", name=re.compile("[ABC]$"))
    await page.get_by_role("columnheader", name="bid").get_by_role("button").click()
    await expect(keys).to_have_text(["A", "B", "C"])
    await page.get_by_role("button", name="Pin C").click()
    await expect(keys).to_have_text(["C", "A", "B"])
    await prices.send(Message({"bid": 9}, {"symbol": "B"}))
    await expect(keys).to_have_text(["C", "B", "A"])
    await expect(page.locator(".saving")).to_be_visible()
    await page.get_by_label("Rows with this text").fill("A")
    await expect(keys).to_have_text(["C", "A"])


async def test_an_option_is_changed_and_has_an_origin(page: Page, address: str, broker: Connection) -> None:
    await broker.declare("orders", max_messages=5)
    await page.goto(f"{address}#/queues/orders?tab=options")
    row = page.get_by_role("row").filter(has_text="max_messages")
    await expect(row).to_contain_text("declared")
    await row.get_by_role("button").click()
    await page.get_by_role("textbox").fill("9")
    await page.get_by_role("dialog").get_by_role("button", name="Change").click()
    await expect(row).to_contain_text("9 messages")
    assert (await broker.queue("orders").info()).options["max_messages"] == 9


async def test_the_past_is_shown_compared_and_left(page: Page, address: str, broker: Connection) -> None:
    await broker.declare("prices.history")
    queue = await broker.declare("prices", lvq_key="symbol", history="prices.history")
    await queue.send(Message({"bid": 1}, {"symbol": "A"}))
    await queue.send(Message({"bid": 2}, {"symbol": "A"}))
    await page.goto(f"{address}#/queues/prices")
    bid = page.get_by_role("gridcell").nth(1)
    await expect(bid).to_have_text("2")
    slider = page.get_by_role("slider", name="Moment")
    await slider.focus()
    await slider.press("Home")
    moment = page.locator(".past output")
    await expect(moment).to_contain_text(" rows")
    await page.get_by_role("button", name="Mark", exact=True).click()
    await slider.press("End")
    await page.get_by_role("button", name="Compare with the mark").click()
    await expect(page.get_by_role("dialog")).to_contain_text("1 changes")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Live").click()
    await expect(moment).to_have_text("now")
    await queue.send(Message({"bid": 3}, {"symbol": "A"}))
    await expect(bid).to_have_text("3")
    await page.get_by_role("gridcell", name="A").click()
    await expect(page.get_by_role("dialog").get_by_role("list")).to_contain_text("added, in place of 2")


async def test_a_history_that_has_dropped_records_is_shown_from_its_oldest_one(
    page: Page, address: str, broker: Connection
) -> None:
    await broker.declare("short", max_messages=3, when_full="drop-oldest")
    queue = await broker.declare("prices", lvq_key="symbol", history="short")
    for bid in range(20):
        await queue.send(Message({"bid": bid}, {"symbol": "AB"[bid % 2]}))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(f"{address}#/queues/prices")
    slider = page.get_by_role("slider", name="Moment")
    await expect(slider).to_be_visible()
    # For the ends of the slider the history is not read.
    assert not [each for each in asked if "/as-of" in each]
    await slider.focus()
    await slider.press("Home")
    await expect(page.locator(".past output")).to_contain_text("2 rows")


async def test_a_pattern_chooses_the_keys_that_are_followed(
    page: Page, address: str, broker: Connection
) -> None:
    queue = await broker.declare("prices", lvq_key="symbol")
    await queue.send_many([Message(1, {"symbol": symbol}) for symbol in ("eu.A", "eu.B", "us.C")])
    await page.goto(f"{address}#/queues/prices")
    grid = page.get_by_role("grid")
    await expect(grid).to_have_attribute("aria-rowcount", "4")
    await page.get_by_label("Keys that match").fill("eu.*")
    await page.get_by_role("button", name="Select").click()
    await expect(grid).to_have_attribute("aria-rowcount", "3")
    await queue.send(Message(1, {"symbol": "us.D"}))
    await queue.send(Message(1, {"symbol": "eu.E"}))
    await expect(grid).to_have_attribute("aria-rowcount", "4")


async def test_a_moment_is_chosen_exactly(page: Page, address: str, broker: Connection) -> None:
    await broker.declare("prices.history")
    queue = await broker.declare("prices", lvq_key="symbol", history="prices.history")
    await queue.send(Message({"bid": 1}, {"symbol": "A"}))
    # The history has it by now, and by its own time perhaps later than it came.
    moment_ms = await broker.clock_ms()
    while await broker.clock_ms() <= moment_ms:
        continue
    await queue.send(Message({"bid": 2}, {"symbol": "A"}))
    await page.goto(f"{address}#/queues/prices")
    bid = page.get_by_role("gridcell").nth(1)
    await expect(bid).to_have_text("2")
    exact = page.get_by_label("Exact moment")
    await exact.fill(await page.evaluate(LOCAL_TIME, moment_ms))
    await exact.blur()
    await expect(bid).to_have_text("1")
    await expect(page.locator(".past")).to_contain_text(re.compile("UTC[+-]\\d\\d:\\d\\d"))
    await page.get_by_role("button", name="Live").click()
    await expect(bid).to_have_text("2")


async def test_a_key_says_why_its_values_are_gone_and_a_key_without_one_does_on_request(
    page: Page, address: str, broker: Connection
) -> None:
    queue = await broker.declare("prices", lvq_key="symbol", removal_log=100)
    for bid in range(2):
        await queue.send_many([Message({"bid": bid}, {"symbol": symbol}) for symbol in "AB"])
    await queue.delete("B")
    await page.goto(f"{address}#/queues/prices")
    await page.get_by_role("gridcell", name="A").click()
    became = page.get_by_role("list", name="What became of it, newest first")
    await expect(became.get_by_role("listitem")).to_have_count(2)
    await expect(became.get_by_role("listitem").last).to_contain_text("replaced")
    assert await violations(page) == []
    await page.keyboard.press("Escape")
    await page.get_by_role("link", name="Removed").click()
    await page.get_by_label("Which").fill("B")
    await page.get_by_role("button", name="Ask").click()
    await expect(became.get_by_role("listitem").first).to_contain_text("key deleted")
    await expect(page.get_by_text("The queue remembers why its last 100 messages left.")).to_be_visible()
    assert await violations(page) == []


async def test_what_the_table_shows_is_kept_as_csv_and_json(
    page: Page, address: str, broker: Connection
) -> None:
    queue = await broker.declare("prices", lvq_key="symbol")
    await queue.send(Message({"bid": 1.5, "note": '=1+1 "x", y'}, {"symbol": "A"}))
    await queue.send(Message({"bid": -2}, {"symbol": "B"}))
    await queue.send(Message({"bid": 3}, {"symbol": "hidden"}))
    await page.goto(f"{address}#/queues/prices")
    await expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "4")
    await page.get_by_label("Rows with this text").fill("A")
    await page.get_by_label("Rows with this text").fill("2")
    await expect(page.get_by_role("row", name="Pin A")).to_have_count(0)
    await page.get_by_label("Rows with this text").fill("")
    await page.get_by_role("columnheader", name="bid").get_by_role("button").click()
    async with page.expect_download() as kept:
        await page.get_by_role("button", name="CSV").click()
    download = await kept.value
    heading, *rows = lines_of(await download.path())
    assert download.suggested_filename == "prices.csv"
    assert heading.startswith("key,bid,note,updates,sequence,came")
    assert [each.split(",")[0] for each in rows] == ["hidden", "A", "B"]
    # A spreadsheet computes nothing of it.
    assert rows[1].startswith('A,1.5,"\'=1+1 ""x"", y",1,')
    async with page.expect_download() as kept:
        await page.get_by_role("button", name="JSON").click()
    lines = lines_of(await (await kept.value).path())
    assert [json.loads(each)["bid"] for each in lines] == [3, 1.5, -2]
    assert json.loads(lines[1])["note"] == '=1+1 "x", y'


async def test_a_period_is_previewed_and_replayed_into_another_queue(
    page: Page, address: str, broker: Connection
) -> None:
    await broker.declare("prices.history")
    await broker.declare("again")
    queue = await broker.declare("prices", lvq_key="symbol", history="prices.history")
    for bid in range(3):
        await queue.send(Message({"bid": bid}, {"symbol": "A"}))
    await page.goto(f"{address}#/queues/prices")
    slider = page.get_by_role("slider", name="Moment")
    await slider.focus()
    await slider.press("Home")
    await expect(page.locator(".past output")).to_contain_text(" rows")
    await page.get_by_role("button", name="Mark", exact=True).click()
    await page.get_by_role("button", name="Live").click()
    await page.get_by_role("button", name="Replay").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("3 messages of 1 key")
    await expect(dialog.get_by_role("row").last).to_contain_text('{"bid":2}')
    assert await violations(page) == []
    await dialog.get_by_label("Into the queue").fill("again")
    await dialog.get_by_role("button", name="Publish 3 messages").click()
    await expect(page.get_by_text("3 messages were published to again.")).to_be_visible()
    assert (await broker.queue("again").info()).depth == 3
