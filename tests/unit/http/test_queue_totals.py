"""Sums over queues, over HTTP."""

import httpx

from lastvalue.client import Connection, Message


async def test_the_sums_are_of_all_queues(http: httpx.AsyncClient, connection: Connection) -> None:
    await (await connection.declare("orders")).send(Message("1"))
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send_many([Message("1", {"symbol": symbol}) for symbol in ("A", "A", "B")])
    totals = (await http.get("/queue-totals")).json()
    shown = {name: totals[name] for name in ("queues", "depth", "published", "keys", "conflated")}
    assert shown == {"queues": 2, "depth": 3, "published": 4, "keys": 2, "conflated": 1}
