"""lastvalue.client.watcher, against a broker."""

import asyncio
from typing import Any

import pytest
from waiting import until

from lastvalue.client import (
    Change,
    Connection,
    ConnectionLostError,
    InvalidMessageError,
    Message,
    Queue,
    QueueInfo,
    QueueNotFoundError,
    RefusedError,
    TimedOutError,
    Wanted,
    WatchOptions,
    connect,
)
from lastvalue.queues.spec import LastValue, QueueSpec
from lastvalue.server.broker_server import BrokerServer, ServerOptions


async def test_a_watcher_has_the_values_and_follows_their_changes(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    for number, symbol in enumerate("ABA"):
        await prices.send(Message(number, {"symbol": symbol}))
    heard: list[Change] = []
    async with connection.watch("prices", on_change=heard.append) as watcher:
        await watcher.complete()
        assert {key: value.body for key, value in watcher.items()} == {"A": 2, "B": 1}
        assert watcher.stale_for_s is None
        await prices.delete("A")
        await prices.send(Message(9, {"symbol": "C"}))
        await until(lambda: "C" in watcher)
        assert ("A" in watcher, watcher["C"].body) == (False, 9)
    assert [(each.key, each.reason) for each in heard] == [
        ("B", None),
        ("A", None),
        ("A", "key_deleted"),
        ("C", None),
    ]
    assert watcher.stale_for_s is not None


async def test_changes_begin_with_the_values_and_are_the_newest_of_each_key(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message(1, {"symbol": "A"}))
    async with connection.watch("prices", options=WatchOptions(keys=["A"])) as watcher:
        await watcher.complete()
        changes = watcher.changes()
        assert (await anext(changes)).key == "A"
        await prices.send(Message(1, {"symbol": "B"}))
        await prices.delete("A")
        last = await anext(changes)
    assert (last.key, last.value, last.reason) == ("A", None, "key_deleted")


@pytest.mark.parametrize("body", [{"t": "x" * 50, "n": 1}, '{"t":"%s","n":1}' % ("x" * 50)])
async def test_deltas_are_applied(connection: Connection, body: object) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message(body, {"symbol": "A"}))
    async with connection.watch("prices", options=WatchOptions(delta=True)) as watcher:
        await watcher.complete()
        changed = {**body, "n": 2} if isinstance(body, dict) else str(body).replace("1}", "2}")
        await prices.send(Message(changed, {"symbol": "A"}))
        await until(lambda: watcher["A"].sequence == 2)
        assert watcher["A"].body == changed
    assert (await prices.info()).statistics["saved_bytes"] > 40


async def test_a_watcher_connects_again_and_tells_what_happened_meanwhile() -> None:
    server = BrokerServer(ServerOptions(port=0))
    await server.start()
    first = server.port
    async with connect(f"amqp://127.0.0.1:{first}") as connection:
        prices = await connection.declare("prices", lvq_key="symbol")
        await prices.send(Message(1, {"symbol": "A"}))
        await prices.send(Message(1, {"symbol": "B"}))
        async with connection.watch("prices") as watcher:
            await watcher.complete()
            await server.stop()
            await until(lambda: watcher.stale_for_s is not None)
            assert len(watcher) == 2
            server = BrokerServer(ServerOptions(port=first))
            server.broker.declare(QueueSpec("prices", ordering=LastValue("symbol")))
            await server.start()
            await prices.send(Message(2, {"symbol": "B"}))
            await watcher.complete(30)
            await until(lambda: watcher["B"].body == 2)
            assert list(watcher) == ["B"]
    await server.stop()


async def test_a_watcher_waits_for_a_broker_that_does_not_answer_yet(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = await connection.declare("prices", lvq_key="k")
    await queue.send(Message(1, {"k": "a"}))
    answer = Queue.info
    silences = iter([1, 1])

    async def silent_at_first(queue: Queue) -> QueueInfo:
        if next(silences, None) is not None:
            raise TimedOutError("asking for the queue", 10.0)
        return await answer(queue)

    monkeypatch.setattr(Queue, "info", silent_at_first)
    async with connection.watch("prices") as watcher:
        await watcher.complete()
        assert watcher["a"].body == 1


async def test_without_reconnecting_a_lost_connection_ends_it(
    server: BrokerServer, connection: Connection
) -> None:
    await connection.declare("prices", lvq_key="symbol")
    async with connection.watch("prices") as watcher:
        await watcher.complete()
        await server.stop()
        with pytest.raises(ConnectionLostError):
            async for _ in watcher.changes():
                pass


@pytest.mark.parametrize(("queue", "error"), [("missing", QueueNotFoundError), ("plain", RefusedError)])
async def test_what_cannot_be_watched_is_an_error(
    connection: Connection, queue: str, error: type[Exception]
) -> None:
    await connection.declare("plain")
    async with connection.watch(queue) as watcher:
        with pytest.raises(error):
            await watcher.complete()


async def test_the_pace_of_a_browser_changes_while_it_runs(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    wanted = Wanted(watch=WatchOptions(rate=0.01))
    async with prices.browse(follow=True, wanted=wanted) as browser:
        await prices.send(Message(1, {"symbol": "A"}))
        assert (await anext(browser)).body == 1
        await prices.send(Message(2, {"symbol": "A"}))
        browser.change_pace()
        async with asyncio.timeout(120):
            assert (await anext(browser)).body == 2


@pytest.mark.parametrize(
    "pace", [{"rate": -1}, {"rate": float("nan")}, {"interval_ms": -1}, {"rate": 1, "interval_ms": 1}]
)
async def test_a_pace_that_is_none_is_refused_and_the_browser_goes_on(
    connection: Connection, pace: dict[str, Any]
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    async with prices.browse(follow=True, wanted=Wanted(watch=WatchOptions())) as browser:
        await prices.send(Message(1, {"symbol": "A"}))
        await anext(browser)
        with pytest.raises(ValueError, match="a pace is"):
            browser.change_pace(**pace)
        await prices.send(Message(2, {"symbol": "A"}))
        assert (await anext(browser)).body == 2


async def test_more_keys_than_fit_into_a_frame_are_refused_and_the_connection_stays(
    connection: Connection,
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    many = Wanted(watch=WatchOptions(keys=[f"key {number:05}" for number in range(10_000)]))
    with pytest.raises(RefusedError, match="needs a frame of 110") as refused:
        await anext(prices.browse(wanted=many))
    assert refused.value.symbol == "amqp:frame-size-too-small"
    some = Wanted(watch=WatchOptions(keys=[f"key {number:05}" for number in range(5000)]))
    await prices.send(Message(1, {"symbol": "key 04999"}))
    assert [message.body async for message in prices.browse(wanted=some)] == [1]


async def test_a_browser_asks_for_full_values(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    wanted = Wanted(watch=WatchOptions(unchanged="body"))
    async with prices.browse(follow=True, wanted=wanted) as browser:
        await prices.send(Message("same", {"symbol": "A"}))
        assert (await anext(browser)).sequence == 1
        await prices.send(Message("same", {"symbol": "A"}))
        await prices.send(Message("other", {"symbol": "B"}))
        assert (await anext(browser)).sequence == 3
        browser.ask_full_values()
        await prices.info()
        await prices.send(Message("same", {"symbol": "A"}))
        assert (await anext(browser)).sequence == 4
    assert (await prices.info()).statistics["unchanged"] == 1


async def test_a_key_of_several_properties_is_their_values_with_commas(connection: Connection) -> None:
    quotes = await connection.declare("quotes", lvq_key="venue,symbol")
    await quotes.put("X,A", 1)
    await quotes.send(Message(2, {"venue": "Y", "symbol": "A,B"}))
    await quotes.send(Message(3, {"venue": "Y"}))
    first = await quotes.get("X,A")
    assert first is not None
    assert first.properties == {"venue": "X", "symbol": "A"}
    async with connection.watch("quotes", options=WatchOptions(removals=True)) as watcher:
        await watcher.complete()
        assert {key: value.body for key, value in watcher.items()} == {"X,A": 1, "Y,A\\,B": 2, None: 3}
        await quotes.delete("Y,A\\,B")
        await until(lambda: "Y,A\\,B" not in watcher)
    assert [each.key for each in await quotes.list_keys()] == ["X,A"]
    with pytest.raises(
        InvalidMessageError, match="'X' is no key of the queue: the key is the values of venue"
    ):
        await quotes.put("X", 1)
    with pytest.raises(RefusedError, match="'X' cannot be a key: the key is the values of venue and symbol"):
        await quotes.get("X")


async def test_messages_are_conflated_for_a_reader_by_several_properties(connection: Connection) -> None:
    ticks = await connection.declare("ticks")
    for number, venue in enumerate("XYXX"):
        await ticks.send(Message(number, {"venue": venue, "symbol": "A"}))
    async with connection.watch("ticks", options=WatchOptions(conflate="venue,symbol")) as watcher:
        await watcher.complete()
        assert {key: value.body for key, value in watcher.items()} == {"X,A": 3, "Y,A": 1}
