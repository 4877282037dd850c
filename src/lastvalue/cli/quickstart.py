"""`lastvalue quickstart`: a broker with a feed of made-up prices, a live table of them, and the console."""

import asyncio
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Annotated, Final

import typer

from lastvalue.cli.demo_processes import show_console, start_broker, until_interrupted, while_running
from lastvalue.cli.exits import ExitCode
from lastvalue.cli.http import has_gateway
from lastvalue.cli.live_table import LiveTable, display, now_ms
from lastvalue.cli.options import duration_option
from lastvalue.client.connection import Connection, connect
from lastvalue.client.message import Message
from lastvalue.client.queue import Queue

_QUEUE: Final = "prices"
_KEY: Final = "symbol"
_ORDER_BY: Final = "sequence"
_SYMBOLS: Final = ("AAPL", "AMZN", "BTC", "ETH", "EUR", "GBP", "GOOG", "JPY", "META", "MSFT", "NVDA", "TSLA")
_COLUMNS: Final = ("price", "change", "size")
_PERIOD_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class _Plan:
    port: int
    rate: float
    duration_s: float | None
    opens: bool


def quickstart(
    *,
    port: Annotated[
        int,
        typer.Option(
            "--port", min=0, max=65535, help="The broker's port; if it is taken, the next free one."
        ),
    ] = 5672,
    rate: Annotated[
        float, typer.Option("--rate", min=0.1, max=10_000, help="How many prices a second are sent.")
    ] = 100.0,
    duration: Annotated[
        float | None,
        duration_option(
            "After how long it ends by itself: 30s, 5m; a number is in seconds.",
            "--duration",
            least_ms=100,
            show_default="no end",
        ),
    ] = None,
    opens: Annotated[
        bool, typer.Option("--open", help="Open the console in a browser, where the prices move.")
    ] = False,
) -> int:
    """Run a broker with made-up prices that move, and show them; needs no Spark, and keeps nothing.

    Prints the broker's URL and the address of the console, and what to try from another terminal.
    Ends with Ctrl-C, and with it the broker.
    """
    return asyncio.run(until_interrupted(_run(_Plan(port, rate, duration, opens))))


async def _run(plan: _Plan) -> int:
    broker, (url, *gateway) = await start_broker(plan.port, serves_http=has_gateway())
    try:
        async with connect(url, reconnect=False) as connection:
            await _serve(plan, connection, url, gateway)
    finally:
        await broker.end()
    return ExitCode.OK


async def _serve(plan: _Plan, connection: Connection, url: str, gateway: list[str]) -> None:
    """Send and show prices until the end of the plan."""
    queue = await connection.declare(
        _QUEUE, lvq_key=_KEY, order_by=_ORDER_BY, history=f"{_QUEUE}.history", removal_log=1000
    )
    await asyncio.to_thread(_introduce, plan, url, gateway)
    table = LiveTable(_KEY, _COLUMNS)
    table.phase = "prices"
    await while_running(
        _wait(plan.duration_s),
        _send(queue, plan, table),
        _follow(queue, table),
        display(table),
    )


def _introduce(plan: _Plan, url: str, gateway: list[str]) -> None:
    """Print where everything is and what to try, and open the console if that is asked for."""
    option = "" if url.endswith(":5672") else f" --url {url}"
    print(f"broker   {url}")
    show_console(f"console/#/queues/{_QUEUE}/prices", gateway, opens=plan.opens)
    print("try      in another terminal:")
    for command in ("browse prices --follow", "get prices BTC", "as-of prices -5s", "why prices BTC"):
        print(f"         lastvalue {command}{option}")
    print("end      Ctrl-C", flush=True)


async def _wait(duration_s: float | None) -> None:
    """Wait that long, or for ever."""
    if duration_s is None:
        await asyncio.Event().wait()
    else:
        await asyncio.sleep(duration_s)


async def _send(queue: Queue, plan: _Plan, table: LiveTable) -> None:
    """Send what is due, some times a second."""
    prices = made_up_prices(random.SystemRandom())
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    while True:
        due = int((loop.time() - began_s) * plan.rate) - table.read
        if due > 0:
            await queue.send_many([next(prices) for _ in range(due)])
            table.read += due
        await asyncio.sleep(_PERIOD_S)


def made_up_prices(chance: random.Random) -> Iterator[Message]:
    """Endless prices, each a small step from its symbol's last one; busy symbols come first."""
    opened = {symbol: round(chance.uniform(20, 500), 2) for symbol in _SYMBOLS}
    prices = dict(opened)
    weights = [1 / rank for rank in range(1, len(_SYMBOLS) + 1)]
    for sequence in count(1):
        (symbol,) = chance.choices(_SYMBOLS, weights)
        price = prices[symbol] = max(0.01, round(prices[symbol] * (1 + chance.gauss(0, 0.001)), 2))
        body = {
            "price": price,
            "change": round(price - opened[symbol], 2),
            "size": chance.randrange(1, 100) * 100,
        }
        yield Message(json.dumps(body), properties={_KEY: symbol, _ORDER_BY: sequence})


async def _follow(queue: Queue, table: LiveTable) -> None:
    async for message in queue.browse(follow=True):
        table.update(message.properties[_KEY], json.loads(str(message.body)), message.updates, now_ms())
