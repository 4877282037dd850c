"""`lastvalue quickstart`: prices that move, for whoever looks the first time."""

import asyncio
import json
import random
import signal
import sys
from asyncio.subprocess import PIPE
from itertools import islice

import httpx

from lastvalue.cli.exits import ExitCode
from lastvalue.cli.quickstart import made_up_prices
from lastvalue.client.connection import connect


def test_the_same_seed_makes_the_same_prices_in_order() -> None:
    first, again = (list(islice(made_up_prices(random.Random(7)), 500)) for _ in range(2))
    assert [(m.body, m.properties) for m in first] == [(m.body, m.properties) for m in again]
    assert [m.properties["sequence"] for m in first] == list(range(1, 501))
    assert len({m.properties["symbol"] for m in first}) == 12
    assert all(json.loads(str(m.body))["price"] > 0 for m in first)


async def test_it_shows_prices_serves_the_console_and_ends_with_ctrl_c() -> None:
    command = (sys.executable, "-m", "lastvalue", "quickstart", "--port", "0")
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE)
    assert process.stdout is not None
    shown = (await process.stdout.readuntil(b"Ctrl-C\n")).decode()
    named = dict(
        line.split(maxsplit=1) for line in shown.splitlines() if line.startswith(("broker", "console"))
    )
    assert f"lastvalue get prices BTC --url {named['broker']}" in shown
    async with httpx.AsyncClient(timeout=120) as client:
        assert (await client.get(named["console"].partition("#")[0])).status_code == 200
    async with connect(named["broker"], reconnect=False) as connection:
        prices = connection.queue("prices")
        browser = prices.browse(follow=True)
        first = [await anext(browser) for _ in range(30)]
        assert {message.properties["symbol"] for message in first} >= {"AAPL", "AMZN"}
        assert await prices.history_extent() is not None
    process.send_signal(signal.SIGINT)
    _, errors = await process.communicate()
    assert (process.returncode, errors) == (ExitCode.INTERRUPTED, b"interrupted\n")


async def test_it_ends_by_itself_after_its_duration() -> None:
    command = (sys.executable, "-m", "lastvalue", "quickstart", "--port", "0", "--duration", "0.2")
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE)
    _, errors = await process.communicate()
    assert (process.returncode, errors) == (ExitCode.OK, b"")
