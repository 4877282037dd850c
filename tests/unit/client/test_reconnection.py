"""lastvalue.client.reconnection: the waits and places, and programs that survive a lost connection."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from waiting import until

from lastvalue.client import (
    AuthenticationError,
    Choice,
    ClientError,
    ConnectFailedError,
    Connection,
    ConnectionLostError,
    InvalidUrlError,
    Message,
    NotOpenError,
    Queue,
    RefusedError,
    Wanted,
    WatchOptions,
    connect,
)
from lastvalue.client.driver import Driver
from lastvalue.client.management import Management
from lastvalue.client.reconnection import REDIRECTS_ONLY, Place, Reconnection
from lastvalue.queues.spec import Priority, QueueSpec
from lastvalue.server.broker_server import BrokerServer, ServerOptions

SOON = Reconnection(first_wait_s=0.01, longest_wait_s=0.05)


@pytest.mark.parametrize(
    ("failed", "chance", "wait_s"),
    [(0, 0.0, 1.0), (0, 1.0, 0.5), (2, 0.0, 4.0), (9, 0.5, 3.75), (2000, 0, 5.0)],
)
def test_waits_double_up_to_the_longest_and_differ_by_chance(
    failed: int, chance: float, wait_s: float
) -> None:
    assert Reconnection(first_wait_s=1, longest_wait_s=5).wait_s(failed, chance) == wait_s


def test_waits_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="longest_wait_s no less than that; not 2 and 1"):
        Reconnection(first_wait_s=2, longest_wait_s=1)


def _message(sequence: int, time_ms: int, given: str | None = None, delay_ms: int = 0) -> Message:
    properties = {} if given is None else {"_AMQ_DUPL_ID": given}
    named = {"x-opt-delivery-delay": delay_ms} if delay_ms else {}
    return Message(None, properties, named, sequence=sequence, arrival_time_ms=time_ms)


@pytest.mark.parametrize(
    ("had", "after", "after_ms"),
    [
        ([_message(3, 10), _message(4, 12)], 4, 12),
        # A message that a broker numbered again after a kill.
        ([_message(9, 10), _message(8, 15)], 8, 15),
        # One that was held back comes late: others that were due before it may not have come.
        ([_message(9, 10), _message(2, 5, delay_ms=20)], 9, 10),
        ([_message(9, 10), _message(2, 5, delay_ms=20), _message(10, 30)], 10, 30),
        ([_message(9, 10, delay_ms=7)], 9, 17),
    ],
)
def test_a_place_is_the_last_sequence_and_its_time(had: list[Message], after: int, after_ms: int) -> None:
    place = Place()
    for message in had:
        assert place.note(message)
    wanted = place.wanted(Wanted(selector="a = 1", replay_period_s=5), 0.0)
    assert wanted == Wanted(selector="a = 1", after=after, after_ms=after_ms)


def test_a_place_before_the_first_message_is_where_the_browser_began() -> None:
    place = Place()
    place.begin(100.0)
    assert place.wanted(Wanted(), 107.5) == Wanted()
    assert place.wanted(Wanted(replay_period_s=2), 107.5).replay_period_s == 10


def test_a_watching_browser_goes_on_with_its_token() -> None:
    place = Place(WatchOptions())
    place.note(Message(token="1-2-3"))
    place.note(Message())
    assert place.wanted(Wanted(watch=WatchOptions(rate=1)), 0).watch == WatchOptions(rate=1, token="1-2-3")


def test_what_a_killed_broker_lost_and_gets_again_is_told_once() -> None:
    place = Place()
    assert place.note(_message(5, 10, "a"))
    assert place.note(_message(6, 10, "a"))
    place.interrupted()
    assert not place.note(_message(5, 30, "a"))
    assert place.note(_message(6, 30, "b"))


def test_what_a_watching_browser_is_told_again_counts() -> None:
    """The broker has lost what it had sent, does not know the token, and sends all values."""
    place = Place(WatchOptions())
    place.note(_message(5, 10, "a"))
    place.interrupted()
    assert place.note(_message(5, 10, "a"))
    assert place.note(_message(5, 10, "a"))


# ---- against a broker


@asynccontextmanager
async def lost(server: BrokerServer, connection: Connection) -> AsyncIterator[None]:
    """The connection breaks, and comes back at the end of the block."""
    may_come = asyncio.Event()
    connect_again = connection._endpoints.connect

    async def try_later(driver: Driver) -> ClientError | None:
        await may_come.wait()
        return await connect_again(driver)

    connection._endpoints.connect = try_later  # type: ignore[method-assign]  # what a test delays
    for each in list(server._connections):
        if each._transport is not None:
            each._transport.abort()
    await until(lambda: not connection.is_open)
    try:
        yield
    finally:
        may_come.set()


@pytest.fixture
async def back(url: str) -> AsyncIterator[Connection]:
    async with asyncio.timeout(60), connect(url, reconnect=SOON) as connection:
        yield connection


@asynccontextmanager
async def another(url: str, queue: str) -> AsyncIterator[Queue]:
    async with connect(url) as connection:
        yield connection.queue(queue)


async def test_browsers_go_on_where_they_were(server: BrokerServer, url: str, back: Connection) -> None:
    queue = await back.declare("orders")
    await queue.send_many(Message(number) for number in range(4))
    browser = queue.browse(follow=True, limit=7, wanted=Wanted(selector="TRUE"))
    got = [(await anext(browser)).body for _ in range(2)]
    async with lost(server, back), another(url, "orders") as elsewhere:
        await elsewhere.send_many(Message(number) for number in range(4, 7))
    got += [message.body async for message in browser]
    assert got == [0, 1, 2, 3, 4, 5, 6]


async def test_a_browser_to_the_end_goes_on_to_the_end(
    server: BrokerServer, url: str, back: Connection
) -> None:
    queue = await back.declare("prices", lvq_key="k")
    await queue.send_many(Message(number, {"k": number}) for number in range(4))
    browser = queue.browse(prefetch=1)
    got = [(await anext(browser)).body for _ in range(2)]
    async with lost(server, back), another(url, "prices") as elsewhere:
        await elsewhere.send(Message(9, {"k": 0}))
    assert got + [message.body async for message in browser] == [0, 1, 2, 3, 9]


async def test_a_browser_that_had_nothing_yet_misses_nothing(
    server: BrokerServer, url: str, back: Connection
) -> None:
    queue = await back.declare("orders")
    async with queue.browse(follow=True, wanted=Wanted(replay_period_s=0)) as browser:
        async with lost(server, back), another(url, "orders") as elsewhere:
            await elsewhere.send(Message("meanwhile"))
        assert (await anext(browser)).body == "meanwhile"


async def test_a_browser_of_a_queue_without_places_ends(server: BrokerServer, back: Connection) -> None:
    server.broker.declare(QueueSpec("urgent", ordering=Priority()))
    queue = back.queue("urgent")
    await queue.send(Message(1))
    browser = queue.browse(follow=True)
    await anext(browser)
    async with lost(server, back):
        pass
    with pytest.raises(RefusedError, match="its order has no places"):
        await anext(browser)


async def test_a_changed_pace_stays(server: BrokerServer, back: Connection) -> None:
    queue = await back.declare("prices", lvq_key="k")
    wanted = Wanted(watch=WatchOptions(rate=0.001))
    async with queue.browse(follow=True, wanted=wanted) as browser:
        browser.change_pace(rate=1000)
        async with lost(server, back):
            pass
        for number in range(3):
            await queue.send(Message(number, {"k": number}))
            assert (await anext(browser)).body == number


async def test_what_was_settled_does_not_come_again(server: BrokerServer, back: Connection) -> None:
    queue = await back.declare("orders")
    await queue.send_many(Message(number) for number in range(6))
    receiver = queue.receive(limit=4, credit=2)
    first = [await anext(receiver) for _ in range(2)]
    async with lost(server, back):
        first[0].accept()
        first[1].reject("late")
    rest = []
    async for delivery in receiver:
        delivery.accept()
        rest.append(delivery.message.body)
    assert rest == [2, 3]
    await until(lambda: server.broker.lookup("orders").queue.depth == 2)


async def test_what_was_released_comes_again(server: BrokerServer, back: Connection) -> None:
    queue = await back.declare("orders")
    await queue.send(Message(0))
    receiver = queue.receive()
    delivery = await anext(receiver)
    async with lost(server, back):
        delivery.release()
    assert (await anext(receiver)).message.body == 0


async def test_a_dead_letter_that_was_sent_back_is_new_to_browsers_and_receivers(
    server: BrokerServer, url: str, back: Connection
) -> None:
    await back.declare("failed")
    queue = await back.declare("orders", alternate="failed")
    async with queue.sender() as sender:
        await sender.send(Message("once"))
    browser = queue.browse(follow=True)
    receiver = queue.receive()
    for number in range(2):
        assert (await anext(browser)).body == "once"
        delivery = await anext(receiver)
        assert delivery.message.annotations.get("x-opt-original-sequence") == (number or None)
        delivery.reject("not now")
        await until(lambda: server.broker.lookup("failed").queue.depth == 1)
        async with lost(server, back), another(url, "failed") as elsewhere:
            await elsewhere.retry_messages(Choice())
    assert (await anext(browser)).sequence == 3
    assert (await anext(receiver)).message.sequence == 3


@pytest.mark.parametrize("window", [0, 100])
async def test_unconfirmed_messages_are_sent_again_and_taken_once(
    server: BrokerServer, back: Connection, window: int
) -> None:
    queue = await back.declare("orders", duplicate_window=window)
    async with queue.sender() as sender:
        await sender.send(Message(0))
        transport = queue._driver._transport
        assert transport is not None
        # The broker takes them, and its confirmations are not read any more.
        transport.pause_reading()
        for number in range(1, 5):
            await sender.post(Message(number))
        await until(lambda: server.broker.lookup("orders").queue.depth == 5)
        transport.abort()
        async with lost(server, back):
            await sender.post(Message(5))
        await sender.flush()
    assert [message.body async for message in queue.browse()] == [0, 1, 2, 3, 4, 5]


async def test_calls_wait_until_the_connection_is_there_again(server: BrokerServer, back: Connection) -> None:
    queue = await back.declare("prices", lvq_key="k")
    await queue.send(Message(1, {"k": "a"}))
    async with lost(server, back):
        asked = asyncio.create_task(queue.get("a"))
        sent = asyncio.create_task(back.queue("prices").send(Message(2, {"k": "b"})))
    await sent
    found = await asked
    assert found is not None
    assert found.body == 1


async def test_a_request_that_changes_something_is_not_repeated(
    server: BrokerServer, back: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await back.declare("orders")
    asked: list[str] = []

    async def never_answered(management: Management, number: str) -> Message:
        asked.append(number)
        while True:
            await management._inbox.take(1)

    monkeypatch.setattr(Management, "_answer_to", never_answered)
    purging, listing = asyncio.create_task(back.purge("orders")), asyncio.create_task(back.queues())
    await until(lambda: bool(asked))
    async with lost(server, back):
        monkeypatch.undo()
    with pytest.raises(ConnectionLostError):
        await purging
    assert [each.name for each in await listing] == ["orders"]


async def test_a_transaction_ends_with_its_connection(server: BrokerServer, back: Connection) -> None:
    queue = await back.declare("orders")
    transaction = back.transaction()
    await transaction.begin()
    await queue.send(Message(0), transaction=transaction)
    async with lost(server, back):
        pass
    with pytest.raises(ConnectionLostError):
        await transaction.commit()
    async with back.transaction() as second:
        await queue.send(Message(1), transaction=second)
    assert [message.body async for message in queue.browse()] == [1]


async def test_who_asks_is_told_when_it_is_lost_and_back(server: BrokerServer, url: str) -> None:
    told: list[ConnectionLostError | None] = []
    again = Reconnection(first_wait_s=0.01, on_change=told.append)
    async with connect(url, reconnect=again) as connection:
        async with lost(server, connection):
            await until(lambda: bool(told))
            assert [type(each) for each in told] == [ConnectionLostError]
        await until(lambda: len(told) > 1)
        assert told[1:] == [None]
        assert connection.is_open


async def test_a_connection_gives_up_after_a_while(url: str, server: BrokerServer) -> None:
    again = Reconnection(first_wait_s=0, longest_wait_s=0, give_up_s=0)
    async with connect(url, reconnect=again) as connection:
        browser = connection.queue(await _declared(connection)).browse(follow=True)
        waiting = asyncio.create_task(anext(browser))
        await connection.queues()
        await server.stop()
        with pytest.raises(ConnectionLostError, match="shutting down") as caught:
            await waiting
        assert "it could not be made again: cannot connect" in caught.value.__notes__[0]
        with pytest.raises(ConnectionLostError):
            await connection.queues()


async def _declared(connection: Connection) -> str:
    return (await connection.declare("q")).name


async def test_a_connection_that_is_away_can_be_closed(server: BrokerServer, url: str) -> None:
    connection = connect(url, reconnect=SOON)
    await connection.open()
    waiting = asyncio.create_task(anext(connection.queue(await _declared(connection)).browse(follow=True)))
    async with lost(server, connection):
        await connection.close()
        with pytest.raises(NotOpenError):
            await waiting


async def test_credentials_that_count_no_more_end_it() -> None:
    options = ServerOptions(port=0, users={"ann": "old"})
    async with BrokerServer(options) as server:
        url = f"amqp://ann:old@127.0.0.1:{server.port}"
        async with connect(url, reconnect=SOON) as connection:
            queue = await connection.declare("q")
            waiting = asyncio.create_task(anext(queue.browse(follow=True)))
            await connection.queues()
            server.settings.change(replace(options, users={"ann": "new"}))
            with pytest.raises(AuthenticationError):
                await waiting


async def test_it_logs_in_again_with_its_password() -> None:
    async with (
        BrokerServer(ServerOptions(port=0, users={"ann": "secret"})) as server,
        connect(f"amqp://ann:secret@127.0.0.1:{server.port}", reconnect=SOON) as connection,
    ):
        async with lost(server, connection):
            pass
        assert await connection.queues() == []


async def test_several_brokers_are_tried_in_their_order(url: str) -> None:
    async with BrokerServer(ServerOptions(port=0)) as second:
        brokers = ["amqp://127.0.0.1:1", f"amqp://127.0.0.1:{second.port}", url]
        async with connect(brokers, reconnect=SOON) as connection:
            await connection.declare("on-the-second")
            await second.stop()
            assert await connection.queues() == []
    with pytest.raises(ConnectFailedError):
        await connect(["amqp://127.0.0.1:1", "amqp://127.0.0.1:1"]).open()
    with pytest.raises(InvalidUrlError, match="the list of brokers is empty"):
        connect([])


async def test_a_call_that_follows_redirects_only_goes_to_the_leader_and_ends_with_its_broker() -> None:
    """Its messages have no ids, as it repeats none."""
    async with BrokerServer(ServerOptions(port=0)) as follower, BrokerServer(ServerOptions(port=0)) as leader:
        for server in (follower, leader):
            async with connect(f"amqp://127.0.0.1:{server.port}") as connection:
                await connection.declare("orders", duplicate_window=9)
        follower.broker.authorization.leader = f"127.0.0.1:{leader.port}"
        url = f"amqp://127.0.0.1:{follower.port}"
        async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
            await connection.queue("orders").send(Message("sent"))
        async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
            await connection.declare("declared")
            [message] = [each async for each in connection.queue("orders").browse()]
            assert (message.body, message.duplicate_id) == ("sent", None)
            async for delivery in connection.queue("orders").receive(limit=1):
                delivery.accept()
            await leader.stop()
            with pytest.raises(ConnectionLostError):
                await connection.queues()
        assert follower.broker.lookup("orders").queue.published == 0
