"""What management has answered is on the disk, and survives a kill that comes right behind the answer."""

import asyncio
import signal
from collections.abc import Mapping
from pathlib import Path

from test_kills import serving

from lastvalue.client import Connection, Message, connect
from lastvalue.client.errors import ConnectionLostError, NotOpenError

QUEUES = ("purged", "moved", "copied", "deleted")
BEFORE, AFTER = [1, 1, 1, 1, 0], [0, 0, 1, 0, 2]


async def ask(url: str) -> list[object]:
    """Change what each queue holds, each over a connection of its own; what each was told."""
    asked: list[tuple[str, Mapping[str, object]]] = [
        ("PURGE", {}),
        ("moveMessages", {"destination": "archive"}),
        ("copyMessages", {"destination": "archive"}),
        ("deleteMessages", {}),
    ]

    async def one(name: str, operation: str, body: Mapping[str, object]) -> object:
        async with connect(url, reconnect=False) as connection:
            return await connection._ask(operation, name, body, timeout_s=30)

    asking = [one(name, *what) for name, what in zip(QUEUES, asked, strict=True)]
    return list(await asyncio.gather(*asking, return_exceptions=True))


async def depths(connection: Connection) -> list[int]:
    return [(await connection.queue(name).info()).depth for name in (*QUEUES, "archive")]


async def test_what_management_answered_was_on_the_disk(tmp_path: Path) -> None:
    async with serving(tmp_path) as (process, url), connect(url, reconnect=False) as connection:
        for name in (*QUEUES, "archive"):
            queue = await connection.declare(name, durable=True)
            if name != "archive":
                await queue.send(Message(name, durable=True))
        process.send_signal(signal.SIGUSR1)
        asking = asyncio.create_task(ask(url))
        while await depths(connection) != AFTER:
            pass
        # What was answered comes before this, and would not be lost with the broker.
        await connection.queues()
        process.send_signal(signal.SIGKILL)
        told = await asking
        assert [each for each in told if not isinstance(each, ConnectionLostError | NotOpenError)] == []
        await process.wait()
    async with serving(tmp_path) as (process, url), connect(url, reconnect=False) as connection:
        assert await depths(connection) == BEFORE
        assert [isinstance(each, Mapping) for each in await ask(url)] == [True] * 4
        process.send_signal(signal.SIGKILL)
        await process.wait()
    async with serving(tmp_path) as (_, url), connect(url) as connection:
        assert await depths(connection) == AFTER
