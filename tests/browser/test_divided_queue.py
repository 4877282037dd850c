"""The page of a queue that two brokers have, in a real browser."""

from collections.abc import Awaitable, Callable, Iterator

import pytest
from divided_brokers import DividedBrokers
from playwright.async_api import Page, expect

from lastvalue.client import Message, connect

KEYS = [f"k{number}" for number in range(12)]


@pytest.fixture
def brokers() -> Iterator[DividedBrokers]:
    with DividedBrokers() as brokers:
        yield brokers


async def test_what_one_broker_has_lost_leaves_the_table_and_the_others_values_stay(
    page: Page, console: Callable[[int], Awaitable[str]], brokers: DividedBrokers
) -> None:
    brokers.declare("divided.prices", lvq_key="k")
    async with connect(brokers.urls[0]) as connection:
        prices = await connection.partitioned("divided.prices")
        await prices.send_many(Message(1, {"k": key}) for key in KEYS)
        own = [key for key in KEYS if prices.partition_of(key) is prices.partitions[0]]
    others = sorted(set(KEYS) - set(own))
    keys = page.get_by_role("gridcell").filter(has=page.get_by_role("button"))
    notice = page.get_by_text("partition 1 is away")
    address = await console(int(brokers.urls[0].rpartition(":")[2]))
    await page.goto(f"{address}#/queues/divided.prices")
    await expect(keys).to_have_text(sorted(KEYS))
    brokers.stop(1)
    await expect(notice).to_be_visible()
    await expect(keys).to_have_text(sorted(KEYS))
    brokers.start_empty(1)
    brokers.declare("divided.prices", lvq_key="k")
    async with connect(brokers.urls[1]) as connection:
        await connection.queue("divided.prices").put(others[0], 2)
    await expect(keys).to_have_text(sorted([*own, others[0]]))
    await expect(notice).to_be_hidden()
