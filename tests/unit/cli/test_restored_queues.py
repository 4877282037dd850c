"""`lastvalue snapshot restore --as-of`: from a broker's snapshots and the tables of its histories."""

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.cli import restored_queues
from lastvalue.client import Connection, Message, connect
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.history.landing import LandingOptions, land_history
from lastvalue.history.recorded_history import read_history
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.clock import ManualClock
from lastvalue.server.open_store import StoreSettings, open_store
from lastvalue.store.snapshot import SnapshotError

Lastvalue = Callable[[str], tuple[int, str, str]]
NOON_MS = 1_800_000_000_000 - 100_000_000_000
UNTIL_NOW = LandingOptions(until_now=True)


def server(tmp_path: Path, name: str, now_ms: int) -> BrokerServer:
    options = ServerOptions(port=0, snapshots=tmp_path / "backup")
    return BrokerServer(options, store=StoreSettings(tmp_path / name), clock=ManualClock(now_ms))


async def values(connection: Connection, queue: str) -> list[tuple[Any, int]]:
    return [(each.body, each.updates) async for each in connection.queue(queue).browse()]


async def history(tmp_path: Path) -> None:
    """At noon a snapshot, after which prices change each second, orders come and go, and queues are made."""
    (tmp_path / "backup").mkdir()
    async with server(tmp_path, "store", NOON_MS) as running:
        url = f"amqp://127.0.0.1:{running.port}"
        async with connect(url) as connection:
            prices = await connection.declare("prices", lvq_key="k", durable=True, history="h")
            orders = await connection.declare("orders", durable=True, history="h")
            plain = await connection.declare("plain", durable=True)
            old = await connection.declare("old", durable=True, history="h")
            await connection.declare_exchange("x", type="fanout", durable=True)
            for queue in (prices, orders, plain, old):
                await connection.bind("x", queue.name)
                await queue.send(Message("before", {"k": "a"}, durable=True))
            await connection.snapshot(str(tmp_path / "backup" / "noon"))
            for second in range(1, 4):
                await connection.advance_clock(1000)
                await prices.send(Message(second, {"k": "a"}, durable=True))
                await orders.send(Message(second, durable=True))
                await plain.send(Message(second, durable=True))
            await orders.send(Message("not durable"))
            new = await connection.declare("new", durable=True, history="h")
            await new.send(Message("new", durable=True))
            await connection.delete("old")
            await connection.advance_clock(1000)
            await prices.send(Message(4, {"k": "a"}, durable=True))
            async with orders.receive() as receiver:
                async for _ in receiver:
                    break
            await connection.advance_clock(1000)
            await connection.delete("prices")
            await land_history(url, tmp_path / "tables", ["orders"], UNTIL_NOW)


def restore(
    lastvalue: Lastvalue, tmp_path: Path, as_of_ms: int, more: str = ""
) -> dict[str, tuple[str, str]]:
    code, output, errors = lastvalue(
        f"snapshot restore {tmp_path}/backup {tmp_path}/restored --as-of {when(as_of_ms)} "
        f"--tables {tmp_path}/tables -o json {more}"
    )
    assert (code, errors) == (0, "")
    return {each["queue"]: (each["from"], each["note"]) for each in json.loads(output)}


def when(time_ms: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time_ms / 1000)) + f".{time_ms % 1000:03d}Z"


def test_queues_with_a_history_hold_what_they_held_and_the_others_what_the_snapshot_has(
    tmp_path: Path, lastvalue: Lastvalue
) -> None:
    asyncio.run(history(tmp_path))
    told = restore(lastvalue, tmp_path, NOON_MS + 3500)
    assert told == {
        "h": ("starts over", ""),
        "new": ("history", ""),
        "old": ("left out", "did not exist"),
        "orders": ("history", "1 messages were not durable"),
        "plain": ("snapshot", "has no history"),
        "prices": ("history", ""),
    }

    async def look() -> None:
        async with server(tmp_path, "restored", time.time_ns() // 1_000_000 + 1000) as again:
            url = f"amqp://127.0.0.1:{again.port}"
            async with connect(url) as connection:
                assert await values(connection, "prices") == [(3, 4)]
                assert await values(connection, "orders") == [("before", 1), (1, 1), (2, 1), (3, 1)]
                assert await values(connection, "plain") == [("before", 1)]
                assert await values(connection, "new") == [("new", 1)]
                assert {each.name for each in await connection.queues()} == set(told) - {"old"}
                (exchange,) = [each for each in await connection.exchanges() if each.name == "x"]
                assert {each.destination for each in exchange.bindings} == {"prices", "orders", "plain"}
                # Sequences that were given after that moment are not given again.
                await connection.queue("prices").send(Message("later", {"k": "b"}, durable=True))
                (later,) = [
                    each async for each in connection.queue("prices").browse() if each.body == "later"
                ]
                assert later.sequence is not None
                assert later.sequence > 5
                # The history continues in the tables, without a gap; what was, and what is, can be asked.
                await land_history(url, tmp_path / "tables", ["prices"], UNTIL_NOW)
        recorded = await read_history("prices", tables=tmp_path / "tables")
        for at_ms, held in ((NOON_MS + 4500, [4]), (recorded.known_to_ms, [3, "later"])):
            moment = recorded.as_of(at_ms)
            assert [decode_content(each.record.message).body for each in moment.in_order()] == held
        assert not recorded.as_of(NOON_MS + 5500).exists
        assert recorded.gaps == frozenset()

    asyncio.run(look())


def test_a_queue_is_taken_from_the_snapshot_where_that_is_asked(tmp_path: Path, lastvalue: Lastvalue) -> None:
    asyncio.run(history(tmp_path))
    told = restore(lastvalue, tmp_path, NOON_MS + 3500, "--from-snapshot prices")
    assert told["prices"] == ("snapshot", "")

    async def look() -> None:
        async with (
            server(tmp_path, "restored", NOON_MS + 10_000) as again,
            connect(f"amqp://127.0.0.1:{again.port}") as connection,
        ):
            assert await values(connection, "prices") == [("before", 1)]

    asyncio.run(look())


def test_what_cannot_be_restored_is_refused_and_named(tmp_path: Path, lastvalue: Lastvalue) -> None:
    asyncio.run(history(tmp_path))
    begin = f"snapshot restore {tmp_path}/backup {tmp_path}/restored"
    tables = f"--tables {tmp_path}/tables"
    later = f"--as-of {when(NOON_MS + 3500)}"
    early = f"--as-of {when(NOON_MS - 1)}"
    for line, told in (
        (f"{begin} {later}", "--as-of needs --tables"),
        (f"{begin} --from-snapshot q", "--from-snapshot needs --as-of"),
        (f"{begin} --as-of 2999-01-01 {tables}", "is in the future"),
        (f"{begin} {early} {tables}", "has no snapshot that was taken by 2"),
        (
            f"{begin.replace('backup', 'backup/noon')} {early} {tables}",
            "noon was taken at 2",
        ),
        (
            f"{begin} {later} --tables {tmp_path}/none",
            "hold no history of 'old'; --from-snapshot old restores",
        ),
        (f"{begin} {later} {tables} --from-snapshot q", "the snapshot has no such queue"),
    ):
        code, _, errors = lastvalue(line)
        assert (code != 0, told in errors) == (True, True), errors
        assert list((tmp_path / "restored").glob("*")) == []


def test_a_restore_that_was_cut_off_is_begun_again_in_an_empty_directory(
    tmp_path: Path, lastvalue: Lastvalue, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(history(tmp_path))

    def cut_off(*_arguments: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(restored_queues, "write_point_in_time", cut_off)
        lastvalue(
            f"snapshot restore {tmp_path}/backup {tmp_path}/restored --as-of {when(NOON_MS + 3500)} "
            f"--tables {tmp_path}/tables"
        )
    with pytest.raises(SnapshotError, match="did not finish; empty it and restore again"):
        open_store(StoreSettings(tmp_path / "restored"), Broker(), NOON_MS)


def test_without_a_moment_a_snapshot_is_restored_as_it_is(tmp_path: Path, lastvalue: Lastvalue) -> None:
    asyncio.run(history(tmp_path))
    code, output, errors = lastvalue(f"snapshot restore {tmp_path}/backup/noon {tmp_path}/restored -o json")
    assert (code, errors, json.loads(output)["store"]) == (0, "", f"{tmp_path}/restored")
    assert sorted(path.name for path in (tmp_path / "restored").iterdir()) == sorted(
        path.name for path in (tmp_path / "backup" / "noon").glob("*.journal")
    )
