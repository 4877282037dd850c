"""The keys of a queue, by age and by updates, against a broker."""

import pytest

from lastvalue.client import Connection, KeyOrder, Message, RefusedError


async def test_keys_are_listed_by_age_and_by_updates(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol", top_talkers=10)
    for symbol in ("A", "B", "A"):
        await prices.send(Message(1, {"symbol": symbol}))
    oldest = await prices.list_keys(limit=1)
    assert [(each.key, each.sequence, each.updates) for each in oldest] == [("B", 2, 1)]
    busiest = await prices.list_keys(by=KeyOrder.UPDATES)
    assert [(each.key, each.messages, each.error) for each in busiest] == [("A", 2, 0), ("B", 1, 0)]


async def test_a_queue_that_counts_no_updates_says_how_it_would(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    with pytest.raises(RefusedError, match="set its option top_talkers"):
        await prices.list_keys(by=KeyOrder.UPDATES)
