"""Queries over queues of a real broker."""

import pytest

from lastvalue.client import Connection, Message
from lastvalue.history.errors import HistoryUnavailableError, InvalidTimeError
from lastvalue.history.times import print_time
from lastvalue.sql.query_text import QueryError
from lastvalue.sql.sql_query import sql_query


async def test_a_join_of_two_queues(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    positions = await connection.declare("positions", lvq_key="symbol")
    for symbol, price, amount in (("A", 2.5, 10), ("B", 4.0, 3), ("A", 3.0, 20)):
        await prices.send(Message({"price": price}, {"symbol": symbol}))
        await positions.send(Message({"amount": amount}, {"symbol": symbol}))
    worth = await sql_query(
        connection,
        "select symbol, price * amount as worth from prices join positions using (symbol) order by symbol",
    )
    assert worth.to_pylist() == [{"symbol": "A", "worth": 60.0}, {"symbol": "B", "worth": 12.0}]


async def test_a_queue_as_it_was_beside_the_queue_as_it_is(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol", history="prices.history")
    await prices.send(Message({"price": 1}, {"symbol": "A"}))
    first_ms = await connection.clock_ms()
    while await connection.clock_ms() == first_ms:
        pass
    await prices.send(Message({"price": 5}, {"symbol": "A"}))
    moved = await sql_query(
        connection,
        f"select symbol, now.price - old.price as moved, old.updates, old.sequence from prices now "
        f"join prices as of '{print_time(first_ms)}' old using (symbol)",
    )
    assert moved.to_pylist() == [{"symbol": "A", "moved": 4, "updates": 1, "sequence": 1}]


@pytest.mark.parametrize(
    ("query", "error", "text"),
    [
        ("select * from nothing", QueryError, "reads 'nothing': there is no queue"),
        ("select nope from prices", QueryError, "nope"),
        ("select * from prices as of 'noon'", InvalidTimeError, "'noon' is not a time"),
        ("select * from prices as of '-1h'", HistoryUnavailableError, "no history"),
    ],
)
async def test_what_is_wrong_is_said(
    connection: Connection, query: str, error: type[Exception], text: str
) -> None:
    await connection.declare("prices", lvq_key="symbol")
    with pytest.raises(error, match=text):
        await sql_query(connection, query)
