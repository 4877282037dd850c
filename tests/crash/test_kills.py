"""A broker with a store is killed while clients work; what it confirmed is there when it comes back.

Each life of the broker is a real process. It is killed by SIGKILL, at a random moment or at a step of the
write path, while clients publish to queues of every type, consume, and move messages in transactions. The
next life is looked at before it gets work of its own.
"""

import asyncio
import os
import random
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from doomed_server import STEPS
from example_counts import profile
from workload import Witness, declare, look, work

from lastvalue.client import connect
from lastvalue.client.errors import ConnectFailedError, ConnectionLostError, NotOpenError

KILLS = int(os.environ.get("LASTVALUE_KILLS", "4" if profile() == "quick" else "10"))
LISTENING = re.compile(rb"listening on (amqp://\S+)")
SERVER = Path(__file__).with_name("doomed_server.py")


@asynccontextmanager
async def serving(store: Path, *doom: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """A broker's process, and its address; "" where it died before it listened."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(SERVER), str(store), *doom, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        found = LISTENING.search(await asyncio.wait_for(process.stdout.readline(), 120))
        assert found is not None or await process.wait() == -signal.SIGKILL
        yield process, "" if found is None else found[1].decode()
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def live(store: Path, witness: Witness, chance: random.Random, step: str) -> bool:
    """One life, to its end at that step, or at a random moment; whether it was the step that ended it."""
    doom = (step, str(chance.randint(1, STEPS[step]))) if step else ()
    async with serving(store, *doom) as (process, url):
        if url:
            try:
                async with connect(url, reconnect=False) as connection:
                    await look(connection, witness)
                    await declare(connection, witness)
                async with asyncio.timeout(chance.uniform(0.1, 0.8) if not step else 2.5):
                    await work(url, witness, chance)
            except* TimeoutError:
                pass
            except* (ConnectFailedError, ConnectionLostError, NotOpenError):
                # It is gone, or has just been killed: a broker that lives loses no connection.
                await asyncio.wait_for(process.wait(), 120)
        alone = process.returncode is not None
        if not alone:
            process.send_signal(signal.SIGKILL)
        assert await process.wait() == -signal.SIGKILL
        return alone


@pytest.mark.timeout(1200 + 60 * KILLS)
async def test_what_was_confirmed_survives_being_killed(tmp_path: Path) -> None:
    seed = int(os.environ.get("LASTVALUE_SEED", random.randrange(2**32)))
    print(f"seed {seed}")
    chance = random.Random(seed)
    witness = Witness()
    ended: dict[str, int] = dict.fromkeys(STEPS, 0)
    steps = [*STEPS, "", ""]
    chance.shuffle(steps)
    for number in range(KILLS):
        step = steps[number % len(steps)]
        if await live(tmp_path, witness, chance, step) and step:
            ended[step] += 1
    async with serving(tmp_path) as (_, url), connect(url, reconnect=False) as connection:
        await look(connection, witness)
    print(f"ended by themselves: {ended}; {witness.commits} commits, {witness.rollbacks} rollbacks")
    assert sum(ended.values()) >= KILLS // 3
    assert all(known.sent > KILLS for known in witness.queues.values())
    assert witness.commits > KILLS
    assert witness.rollbacks > 0
