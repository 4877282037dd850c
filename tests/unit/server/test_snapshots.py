"""Snapshots of a broker that is at work."""

import asyncio
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from lastvalue.client import Connection, Message, RefusedError, connect
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.open_store import StoreSettings
from lastvalue.store.inspection import inspect
from lastvalue.store.object_address import ObjectAddress
from lastvalue.store.snapshot import MANIFEST, restore
from lastvalue.store.snapshot_places import below, restore_from
from lastvalue.store.store_options import StoreOptions


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


async def test_a_snapshot_goes_to_object_storage_and_the_next_sends_less(tmp_path: Path) -> None:
    root = ObjectAddress(f"file://{tmp_path}/backup")
    async with (
        BrokerServer(
            ServerOptions(port=0, snapshots=root), store=StoreSettings(tmp_path / "store")
        ) as running,
        connect(f"amqp://127.0.0.1:{running.port}") as connection,
    ):
        orders = await connection.declare("orders", durable=True)
        await orders.send(Message("1", durable=True))
        sizes: list[int] = []
        told: list[Any] = []
        for name in ("one", "two"):
            sizes.append(await connection.snapshot(f"{root}/{name}"))
            told.append(await connection.manage("READ", kind="store"))
        assert [told[0]["sent"], told[1]["sent"]] == [sizes[0], 0]
        with pytest.raises(RefusedError, match="has a snapshot one"):
            await connection.snapshot(f"{root}/one")
        for place in (str(tmp_path / "backup" / "three"), "s3://other/three", f"{root}2/three", str(root)):
            with pytest.raises(RefusedError, match=r"into object storage below file:.*; .* is not"):
                await connection.snapshot(place)
        with pytest.raises(RefusedError, match="this is no address of a snapshot: expected s3:") as caught:
            await connection.snapshot("s3://KEY:SECRET@bucket/three")
        assert "SECRET" not in str(caught.value)
    restore_from(below(root, "two"), tmp_path / "second", lambda done, of: None)
    async with server(tmp_path / "second") as again, connect(f"amqp://127.0.0.1:{again.port}") as connection:
        assert await numbers_on(connection, "orders") == [1]


class SlowRefusal(BaseHTTPRequestHandler):
    """Refuses an object, but not at once."""

    asked = threading.Event()
    answer = threading.Event()

    def do_PUT(self) -> None:
        self.asked.set()
        assert self.answer.wait(60)
        self.send_error(403)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


async def test_others_do_not_wait_for_object_storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SlowRefusal.asked.clear()
    SlowRefusal.answer.clear()
    with HTTPServer(("127.0.0.1", 0), SlowRefusal) as storage:
        threading.Thread(target=storage.serve_forever, daemon=True).start()
        for name, value in {
            "AWS_ACCESS_KEY_ID": "anyone",
            "AWS_SECRET_ACCESS_KEY": "anything",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{storage.server_port}",
            "AWS_ALLOW_HTTP": "true",
        }.items():
            monkeypatch.setenv(name, value)
        options = ServerOptions(port=0, snapshots=ObjectAddress("s3://bucket"))
        async with (
            BrokerServer(options, store=StoreSettings(tmp_path / "store")) as running,
            connect(f"amqp://127.0.0.1:{running.port}") as connection,
        ):
            snapshot = asyncio.create_task(connection.snapshot("s3://bucket/one"))
            await asyncio.to_thread(SlowRefusal.asked.wait, 60)
            await connection.declare("orders", durable=True)
            with pytest.raises(RefusedError, match="is being written into s3://bucket/one; wait for it"):
                await connection.snapshot("s3://bucket/two")
            SlowRefusal.answer.set()
            with pytest.raises(RefusedError, match=r"bucket cannot be written: .*403 Forbidden"):
                await snapshot
        storage.shutdown()


async def test_a_broker_without_a_directory_for_snapshots_writes_none(tmp_path: Path) -> None:
    store = StoreSettings(tmp_path / "store")
    async with (
        BrokerServer(ServerOptions(port=0), store=store) as running,
        connect(f"amqp://127.0.0.1:{running.port}") as connection,
    ):
        with pytest.raises(RefusedError, match=r"--snapshots DIR\|URL"):
            await connection.snapshot(str(tmp_path / "taken"))


async def test_a_broker_without_a_store_has_no_snapshot() -> None:
    async with (
        BrokerServer(ServerOptions(port=0)) as running,
        connect(f"amqp://127.0.0.1:{running.port}") as connection,
    ):
        with pytest.raises(RefusedError, match="has no store"):
            await connection.snapshot("/nowhere")
