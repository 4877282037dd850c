"""Snapshots of a broker that is at work."""

import asyncio
from pathlib import Path

import pytest

from lastvalue.client import Connection, Message, RefusedError, connect
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.open_store import StoreSettings
from lastvalue.store.inspection import inspect
from lastvalue.store.snapshot import MANIFEST, restore
from lastvalue.store.store_journal import StoreOptions


def server(directory: Path) -> BrokerServer:
    # Small segments, so that some are begun and deleted while the files are copied.
    options = StoreOptions(segment_bytes=20_000)
    return BrokerServer(
        ServerOptions(port=0, snapshots=directory.parent), store=StoreSettings(directory, options)
    )


async def numbers_on(connection: Connection, queue: str) -> list[int]:
    return [int(str(message.body)) async for message in connection.queue(queue).browse(follow=False)]


class Load:
    """Sends numbers one after the other until it is stopped; knows the last that was confirmed."""

    def __init__(self, queue: str) -> None:
        self.confirmed = 0
        self.enough = asyncio.Event()
        self._queue = queue

    async def run(self, port: int) -> None:
        async with connect(f"amqp://127.0.0.1:{port}") as connection:
            queue = connection.queue(self._queue)
            number = 0
            while True:
                number += 1
                key = {"key": number % 7}
                await queue.send(Message(str(number), properties=key, durable=True))
                self.confirmed = number
                if number == 300:
                    self.enough.set()


async def test_a_snapshot_under_load_is_a_moment_with_everything_confirmed_before(tmp_path: Path) -> None:
    orders, prices = Load("orders"), Load("prices")
    async with server(tmp_path / "store") as busy, connect(f"amqp://127.0.0.1:{busy.port}") as connection:
        await connection.declare("orders", durable=True)
        await connection.declare("prices", lvq_key="key", durable=True)
        work = [asyncio.create_task(load.run(busy.port)) for load in (orders, prices)]
        await asyncio.gather(orders.enough.wait(), prices.enough.wait())
        confirmed = orders.confirmed, prices.confirmed
        size = await connection.snapshot(str(tmp_path / "snapshot"))
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        sent = orders.confirmed, prices.confirmed
    assert size == inspect(tmp_path / "snapshot").bytes
    assert inspect(tmp_path / "snapshot").damage == []

    restore(tmp_path / "snapshot", tmp_path / "second", lambda done, of: None)
    async with server(tmp_path / "second") as again, connect(f"amqp://127.0.0.1:{again.port}") as connection:
        found = await numbers_on(connection, "orders")
        newest = await numbers_on(connection, "prices")
    assert found == list(range(1, len(found) + 1))
    assert confirmed[0] <= len(found) <= sent[0] + 1
    assert newest == list(range(newest[-1] - 6, newest[-1] + 1))
    assert confirmed[1] <= newest[-1] <= sent[1] + 1


async def test_a_snapshot_goes_into_an_empty_directory_only(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").touch()
    async with (
        server(tmp_path / "store") as running,
        connect(f"amqp://127.0.0.1:{running.port}") as connection,
    ):
        with pytest.raises(RefusedError, match="is not empty: it has file"):
            await connection.snapshot(str(tmp_path / "taken"))
        with pytest.raises(RefusedError, match="is not below it"):
            await connection.snapshot(f"{tmp_path}-elsewhere")
        (tmp_path / "out").symlink_to("/")
        with pytest.raises(RefusedError, match="is not below it"):
            await connection.snapshot(str(tmp_path / "out" / "snapshot"))
        with pytest.raises(RefusedError, match="begins with /"):
            await connection.snapshot("taken")
        with pytest.raises(RefusedError, match="cannot be written: Not a directory"):
            await connection.snapshot(str(tmp_path / "taken" / "file" / "below"))
        told: list[tuple[int, int]] = []
        size = await connection.snapshot(
            str(tmp_path / "free"), progress=lambda done, of: told.append((done, of))
        )
    assert told[-1] == (size, size)
    assert (tmp_path / "free" / MANIFEST).exists()
    assert (tmp_path / "free").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "free").iterdir()} == {0o600}


async def test_a_broker_without_a_directory_for_snapshots_writes_none(tmp_path: Path) -> None:
    store = StoreSettings(tmp_path / "store")
    async with (
        BrokerServer(ServerOptions(port=0), store=store) as running,
        connect(f"amqp://127.0.0.1:{running.port}") as connection,
    ):
        with pytest.raises(RefusedError, match="--snapshots DIR"):
            await connection.snapshot(str(tmp_path / "taken"))


async def test_a_broker_without_a_store_has_no_snapshot() -> None:
    async with (
        BrokerServer(ServerOptions(port=0)) as running,
        connect(f"amqp://127.0.0.1:{running.port}") as connection,
    ):
        with pytest.raises(RefusedError, match="has no store"):
            await connection.snapshot("/nowhere")
