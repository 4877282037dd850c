"""A broker with a store is killed while clients work; what it confirmed is there when it comes back.

Each round starts a real `lastvalue serve`, lets clients publish to a standard and to a last-value queue and
consume from the first, kills it with SIGKILL at a random moment, starts it again and looks.
"""

import asyncio
import os
import random
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from lastvalue.client import Message, connect
from lastvalue.model.errors import LastvalueError

KILLS = int(os.environ.get("LASTVALUE_KILLS", "10"))
KEYS = 20
LISTENING = re.compile(rb"listening on (amqp://\S+)")


@dataclass
class Witness:
    """What the clients know."""

    sent: int = 0
    confirmed: set[int] = field(default_factory=set)
    accepted: set[int] = field(default_factory=set)
    released: set[int] = field(default_factory=set)
    newest: dict[str, int] = field(default_factory=dict)
    value: int = 0


def number_in(message: Message) -> int:
    assert isinstance(message.body, int)
    return message.body


@asynccontextmanager
async def serving(store: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    process = await asyncio.create_subprocess_exec(
        str(Path(sys.executable).with_name("lastvalue")), "serve", "--port", "0", "--store", str(store),
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        found = LISTENING.search(await asyncio.wait_for(process.stdout.readline(), 30))
        assert found is not None
        yield process, found[1].decode()
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def publish(url: str, witness: Witness) -> None:
    async with connect(url) as connection:
        queue = connection.queue("orders")
        while True:
            number = witness.sent = witness.sent + 1
            await queue.send(Message(number, durable=True))
            witness.confirmed.add(number)


async def publish_values(url: str, witness: Witness) -> None:
    async with connect(url) as connection:
        queue = connection.queue("prices")
        while True:
            value = witness.value = witness.value + 1
            key = f"K{value * 7 % KEYS}"
            await queue.send(Message(value, properties={"key": key}, durable=True))
            witness.newest[key] = value


async def consume(url: str, witness: Witness) -> None:
    async with connect(url) as connection:
        queue = connection.queue("orders")
        async for delivery in queue.receive():
            number = number_in(delivery.message)
            if number % 3 == 0 and number not in witness.released:
                witness.released.add(number)
                delivery.release()
            elif number % 10:
                witness.accepted.add(number)
                delivery.accept()


async def work_and_kill(store: Path, witness: Witness, seconds: float) -> None:
    async with serving(store) as (process, url):
        async with connect(url) as connection:
            await connection.declare("orders", durable=True)
            await connection.declare("prices", lvq_key="key", durable=True)
        clients = [asyncio.create_task(work(url, witness)) for work in (publish, publish_values, consume)]
        await asyncio.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        await process.wait()
        for client in clients:
            client.cancel()
        for client in clients:
            with suppress(asyncio.CancelledError, LastvalueError, OSError):
                await client


async def look(store: Path, witness: Witness) -> None:
    async with serving(store) as (_, url), connect(url) as connection:
        orders = connection.queue("orders")
        present = [number_in(message) async for message in orders.browse(follow=False)]
        assert present == sorted(set(present))
        assert set(present) <= set(range(1, witness.sent + 1))
        lost = witness.confirmed - set(present) - witness.accepted
        assert lost == set()
        prices = connection.queue("prices")
        values = [message async for message in prices.browse(follow=False)]
        held = {str(message.properties["key"]): number_in(message) for message in values}
        assert len(held) == len(values)
        assert {key: value for key, value in witness.newest.items() if held.get(key, 0) < value} == {}


@pytest.mark.slow
@pytest.mark.timeout(60 + 10 * KILLS)
async def test_what_was_confirmed_survives_being_killed(tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    witness = Witness()
    for _ in range(KILLS):
        await work_and_kill(tmp_path, witness, chance.uniform(0.05, 0.8))
        await look(tmp_path, witness)
    assert len(witness.confirmed) > 20 * KILLS
    assert witness.accepted
