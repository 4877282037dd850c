"""Every block of Python in the README and the docs runs, those of a page in one program."""

from pathlib import Path
from typing import Any, Final

import pytest
from page_commands import PAGES, name_of
from python_blocks import NOT_RUN, blocks_to_run, local, python_blocks_of, reason_for, run_blocks

from lastvalue.client import Message, connect
from lastvalue.server.broker_server import BrokerServer, ServerOptions

pytestmark = pytest.mark.pure
NAMES: Final = [name_of(page) for page in PAGES if any(blocks_to_run(name_of(page), spark=False))]
_HISTORY: Final = """
prices = await connection.declare("prices", lvq_key="symbol", history="prices.history")
await connection.declare("prices.again")
await prices.send_many([Message(price, {"symbol": "AAPL"}) for price in (1.5, 2.5)])
import time
from lastvalue.history.landing import LandingOptions, land_history
await land_history(url, folder / "var/lib/lastvalue/history", ["prices"], LandingOptions(until_now=True))
first_ms = time_ms = second_ms = end_ms = (await prices.info()).statistics["last_in_ms"]
start_ms = end_ms - 1
"""
GIVEN: Final = {
    "docs/clients/python.md": """
from types import SimpleNamespace
body, properties, annotations = "1", {}, {}
messages = [Message("1", {"symbol": "AAPL"})]
orders, positions = await connection.declare("orders"), await connection.declare("positions")
await orders.send_many([Message("1")] * 11)
await connection.declare("other"), await connection.declare("prices.failed")
handled = []
handle = handled.append
async def every_tick():
    yield SimpleNamespace(price=102.5, symbol="AAPL")
ticks = every_tick()
""",
    "docs/clients/python-values.md": """
prices = await connection.declare("prices", lvq_key="symbol")
await prices.send(Message("101.7", {"symbol": "AAPL"}))
""",
    "docs/operate/serve.md": "start_ms = 0",
    "docs/pipeline/as-of.md": _HISTORY,
    "docs/pipeline/history.md": _HISTORY,
    "docs/pipeline/replay.md": _HISTORY,
    "docs/queues/history.md": """
prices = await connection.declare("prices", lvq_key="symbol", history="prices.history")
await prices.send(Message(1.5, {"symbol": "AAPL"}))
async with connection.queue("prices.history").browse() as browser:
    payloads = await browser.payloads(10)
""",
    "docs/queues/transactions.md": """
orders, positions = await connection.declare("orders"), await connection.declare("positions")
await orders.send_many([Message("1")] * 10)
position_of = lambda message: Message(message.body)
""",
}
"""What the blocks of a page take for granted."""

CHANGES: Final = {
    "docs/clients/python.md": {
        'await connection.delete("prices")': "",
        '5672") as connection:\n    ...': '5672") as other:\n    ...',
        'declare("prices", lvq_key="symbol")\n    ': 'declare("others", lvq_key="symbol")\n    ',
        "receive(credit=100)": "receive(credit=100, limit=1)",
    },
    "docs/clients/python-values.md": {
        "    last = message.token or last": "    last = message.token or last\n    break",
        'async with connection.watch("prices"': 'await prices.send(Message("1", {"symbol": "eu.AAPL"}))\n'
        'async with connection.watch("prices"',
        "else change.value.body)": "else change.value.body)\n        break",
    },
    "docs/pipeline/history.md": {"retention_days=30": "retention_days=30, until_now=True"},
    "docs/clients/messaging.md": {
        'Connection("localhost")': "Connection(url)",
        "while True:\n    print(receiver.fetch())": "print(receiver.fetch())",
    },
}
"""What is different here, by page: what would not end, or would end what later blocks use."""


@pytest.mark.parametrize("name", NAMES)
async def test_the_python_of_a_page_runs(name: str, tmp_path: Path) -> None:
    async with (
        BrokerServer(ServerOptions(port=0)) as server,
        connect(url := f"amqp://127.0.0.1:{server.port}") as connection,
    ):
        names: dict[str, Any] = {"url": url, "connection": connection, "Message": Message, "folder": tmp_path}
        printed = blocks_to_run(name, spark=False)
        blocks = [local(block, url, tmp_path, CHANGES.get(name, {})) for block in printed]
        await run_blocks([GIVEN.get(name, ""), *blocks], names)


@pytest.mark.parametrize(("name", "beginning"), NOT_RUN)
def test_what_is_not_run_is_on_its_page(name: str, beginning: str) -> None:
    assert any(block.startswith(beginning) for block in python_blocks_of(name))


def test_every_block_has_one_test_or_a_reason() -> None:
    names = [name_of(page) for page in PAGES]
    assert {name: covered_blocks(name) for name in names} == {
        name: sorted(python_blocks_of(name)) for name in names
    }


def covered_blocks(name: str) -> list[str]:
    run = [*blocks_to_run(name, spark=False), *blocks_to_run(name, spark=True)]
    left = [block for block in python_blocks_of(name) if reason_for(name, block) is not None]
    return sorted([*run, *left])
