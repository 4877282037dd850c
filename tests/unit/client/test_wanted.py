from typing import Any

import pytest

from lastvalue.client import Connection, Message, RefusedError, Sequences, Wanted, WatchOptions


async def filled(connection: Connection) -> None:
    queue = await connection.declare("q")
    await queue.send_many(Message(number, {"n": number}) for number in range(6))


async def test_a_browser_gets_what_its_selector_selects(connection: Connection) -> None:
    await filled(connection)
    browser = connection.queue("q").browse(wanted=Wanted(selector="n % 2 = 0 AND n > 0"))
    assert [message.body async for message in browser] == [2, 4]


async def test_a_consumer_takes_what_its_selector_selects_and_leaves_the_rest(connection: Connection) -> None:
    await filled(connection)
    queue = connection.queue("q")
    async for delivery in queue.receive(limit=2, wanted=Wanted(selector="n IN (1, 3)")):
        delivery.accept()
    assert [message.body async for message in queue.browse()] == [0, 2, 4, 5]


async def test_a_replay_period_of_nothing_begins_with_what_comes(connection: Connection) -> None:
    await filled(connection)
    queue = connection.queue("q")
    async with queue.browse(follow=True, wanted=Wanted(replay_period_s=0)) as browser:
        await queue.send(Message("new"))
        assert (await anext(browser)).body == "new"


async def test_a_replay_period_of_an_hour_has_what_came_in_it(connection: Connection) -> None:
    await filled(connection)
    browser = connection.queue("q").browse(wanted=Wanted(replay_period_s=3600))
    assert len([message async for message in browser]) == 6


async def test_what_this_connection_sent_is_passed_over_where_asked_for(
    connection: Connection,
) -> None:
    await filled(connection)
    browser = connection.queue("q").browse(wanted=Wanted(no_local=True))
    assert [message async for message in browser] == []


async def test_the_consumer_of_higher_priority_is_served_first(connection: Connection) -> None:
    queue = await connection.declare("q")
    async with queue.receive() as low, queue.receive(wanted=Wanted(priority=5)) as high:
        await queue.send_many(Message(number) for number in range(3))
        assert [(await anext(high)).message.body for _ in range(3)] == [0, 1, 2]
        low.close()


async def test_a_selector_that_cannot_be_read_is_refused_with_its_place(connection: Connection) -> None:
    await connection.declare("q")
    with pytest.raises(RefusedError, match="column 4"):
        await anext(connection.queue("q").browse(wanted=Wanted(selector="n >")))


async def test_an_updated_queue_keeps_what_it_holds(connection: Connection) -> None:
    await filled(connection)
    info = await connection.queue("q").update(max_messages=100, description="six numbers")
    assert (info.depth, info.options["max_messages"], info.options["description"]) == (6, 100, "six numbers")
    with pytest.raises(RefusedError, match="type, lvq_key cannot change"):
        await connection.queue("q").update(type="lvq", lvq_key="n")


def test_a_negative_replay_period_is_refused() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        Wanted(replay_period_s=-1)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"type": "priority"},
        {"lvq_key": "n"},
        {"lvq_key": "n", "lvq_placement": "in-place"},
    ],
)
@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(after=4), [4, 5]),
        (Wanted(after=0, until=2), [0, 1]),
        (Wanted(after=1, until=3), [1, 2]),
        (Wanted(until=1), [0]),
        (Wanted(after=6), []),
        (Wanted(after=2, selector="n > 3"), [4, 5]),
    ],
)
async def test_a_browser_gets_a_range_of_sequences(
    connection: Connection, options: dict[str, Any], wanted: Wanted, expected: list[int]
) -> None:
    queue = await connection.declare("ranges", **options)
    await queue.send_many(Message(number, {"n": number}) for number in range(6))
    assert [message.body async for message in queue.browse(wanted=wanted)] == expected


async def test_a_range_of_sequences_is_followed_as_far_as_it_goes(connection: Connection) -> None:
    await filled(connection)
    queue = connection.queue("q")
    async with queue.browse(follow=True, wanted=Wanted(after=5)) as browser:
        assert (await anext(browser)).body == 5
        await queue.send(Message("new"))
        assert (await anext(browser)).body == "new"


async def test_a_browser_gets_what_arrived_since_a_moment(connection: Connection) -> None:
    await filled(connection)
    queue = connection.queue("q")
    times = [message.arrival_time_ms or 0 async for message in queue.browse()]
    since = [message async for message in queue.browse(wanted=Wanted(since_ms=times[0]))]
    later = [message async for message in queue.browse(wanted=Wanted(since_ms=times[-1] + 1))]
    assert (len(since), len(later)) == (6, 0)


async def test_the_sequences_behind_one_are_told(connection: Connection) -> None:
    await filled(connection)
    assert await connection.queue("q").sequences(after=1, messages=3) == Sequences(6, 2, 0, 4)


async def test_a_subscription_to_an_exchange_is_conflated_by_the_property_that_it_asks_for(
    connection: Connection,
) -> None:
    await connection.declare_exchange("ticks", type="fanout")
    asked = WatchOptions(snapshot=True, conflate="symbol", max_keys=2)
    browser = connection.queue("ticks").browse(follow=True, wanted=Wanted(watch=asked))
    async with browser:
        assert (await anext(browser)).snapshot == "fresh"
        browser_of_all = connection.queue("ticks")
        for number, symbol in enumerate("ABCAC"):
            await browser_of_all.send(Message(number, {"symbol": symbol}))
        bodies: list[object] = []
        while not bodies or bodies[-1] != 4:
            bodies.append((await anext(browser)).body)
    assert bodies[-1] == 4


async def test_a_subscription_to_an_exchange_with_a_policy_gets_every_message_in_one_value(
    connection: Connection,
) -> None:
    await connection.declare_exchange("ticks", type="fanout")
    asked = WatchOptions(snapshot=True, conflate="symbol", policy="list(n, 100)", rate=50)
    browser = connection.queue("ticks").browse(follow=True, wanted=Wanted(watch=asked))
    numbers: dict[object, list[int]] = {"A": [], "B": []}
    async with browser:
        assert (await anext(browser)).snapshot == "fresh"
        sender = connection.queue("ticks")
        for number in range(60):
            await sender.send(Message({"n": number}, {"symbol": "AB"[number % 2]}))
        while len(numbers["A"]) + len(numbers["B"]) < 60:
            value = await anext(browser)
            assert isinstance(value.body, dict)
            assert (value.policy, value.updates) == ("list(n, 100)", len(value.body["n"]))
            numbers[value.properties["symbol"]] += value.body["n"]
    assert numbers == {"A": list(range(0, 60, 2)), "B": list(range(1, 60, 2))}


async def test_a_subscription_to_an_exchange_with_intervals_gets_values_of_one_interval_each(
    connection: Connection,
) -> None:
    await connection.declare_exchange("ticks", type="fanout")
    asked = WatchOptions(conflate="symbol", policy="list(n, 100)", interval_ms=100)
    browser = connection.queue("ticks").browse(follow=True, wanted=Wanted(watch=asked))
    found: list[int] = []
    async with browser:
        sender = connection.queue("ticks")
        await sender.send(Message({"n": 0}, {"symbol": "A"}))
        while len(found) < 20:
            value = await anext(browser)
            assert isinstance(value.body, dict)
            start_ms = value.annotations["x-opt-interval-start"]
            assert isinstance(start_ms, int)
            assert start_ms % 100 == 0
            assert start_ms <= value.body["first_time"] <= value.body["last_time"] < start_ms + 100
            found += value.body["n"]
            for number in (len(found), len(found) + 1):
                await sender.send(Message({"n": number}, {"symbol": "A"}))
    assert found[:20] == list(range(20))


async def test_a_consumer_cannot_watch(connection: Connection) -> None:
    await connection.declare("prices", lvq_key="symbol")
    receiver = connection.queue("prices").receive(wanted=Wanted(watch=WatchOptions(removals=True)))
    with pytest.raises(RefusedError, match="distribution-mode copy"):
        await anext(receiver)
