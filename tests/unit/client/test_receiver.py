"""lastvalue.client.receiver."""

import asyncio

import pytest

from lastvalue.client import (
    Connection,
    DetachedError,
    Message,
    NotOpenError,
    Queue,
    TimedOutError,
    connect,
)
from lastvalue.server.broker_server import BrokerServer


@pytest.fixture
async def orders(connection: Connection) -> Queue:
    queue = await connection.declare("orders")
    await queue.send_many(Message(number) for number in range(10))
    return queue


@pytest.fixture
async def prices(connection: Connection) -> Queue:
    return await connection.declare("prices", lvq_key="symbol")


async def depth(queue: Queue) -> int:
    return (await queue.info()).depth


# ---- Browsing


async def test_a_snapshot_ends_at_the_tail_and_leaves_the_messages(orders: Queue) -> None:
    assert [message.body async for message in orders.browse()] == list(range(10))
    assert await depth(orders) == 10


@pytest.mark.parametrize("prefetch", [1, 2, 3, 9, 10, 11])
async def test_a_snapshot_is_whole_whatever_the_prefetch(orders: Queue, prefetch: int) -> None:
    assert [message.body async for message in orders.browse(prefetch=prefetch)] == list(range(10))


async def test_a_snapshot_of_an_empty_queue_ends(connection: Connection) -> None:
    queue = await connection.declare("empty")
    assert [message async for message in queue.browse()] == []


async def test_following_goes_on_with_what_comes_later(orders: Queue) -> None:
    async with orders.browse(follow=True) as browser:
        first = [(await anext(browser)).body for _ in range(10)]
        await orders.send(Message("later"))
        assert [*first, (await anext(browser)).body] == [*range(10), "later"]


async def test_a_message_tells_its_place_on_the_queue(orders: Queue) -> None:
    messages = [message async for message in orders.browse()]
    assert [message.sequence for message in messages] == list(range(1, 11))
    assert all(message.arrival_time_ms for message in messages)
    assert {message.updates for message in messages} == {1}


async def test_a_message_tells_how_many_updates_it_stands_for(prices: Queue) -> None:
    await prices.send(Message(1, {"symbol": "A"}, updates=5))
    await prices.send(Message(2, {"symbol": "A"}))
    assert [(message.body, message.updates) async for message in prices.browse()] == [(2, 6)]


async def test_a_reader_without_prefetch_gets_the_newest_value_alone(prices: Queue) -> None:
    await prices.send(Message(0, {"symbol": "A"}))
    async with prices.browse(follow=True, prefetch=1) as browser:
        await anext(browser)
        await prices.send_many(Message(number, {"symbol": "A"}) for number in range(1, 1001))
        newest = await anext(browser)
    assert (newest.body, newest.updates) == (1000, 1001)


async def test_a_reader_that_stops_holds_no_more_than_its_prefetch(orders: Queue) -> None:
    async with orders.browse(follow=True, prefetch=4) as browser:
        await anext(browser)
        await orders.info()
        assert len(await browser.batch(100)) == 3


async def test_a_batch_is_what_has_come(orders: Queue) -> None:
    async with orders.browse(prefetch=6) as browser:
        batches = [await browser.batch(4) for _ in range(4)]
    assert [message.body for batch in batches for message in batch] == list(range(10))


async def test_a_limit_ends_the_iteration(orders: Queue) -> None:
    assert [message.body async for message in orders.browse(limit=3)] == [0, 1, 2]
    assert [message.body async for message in orders.browse(follow=True, limit=3)] == [0, 1, 2]


async def test_a_long_silence_is_told(connection: Connection) -> None:
    queue = await connection.declare("empty")
    with pytest.raises(TimedOutError, match=r"the next message of 'empty' took longer than 0.01 s"):
        await anext(queue.browse(follow=True, timeout_s=0.01))


async def test_a_browser_goes_on_after_a_timeout(connection: Connection) -> None:
    queue = await connection.declare("empty")
    browser = queue.browse(follow=True, timeout_s=0.01)
    with pytest.raises(TimedOutError):
        await anext(browser)
    browser.timeout_s = None
    await queue.send(Message("a"))
    assert (await anext(browser)).body == "a"


async def test_leaving_a_loop_detaches(orders: Queue) -> None:
    async for _ in orders.browse(follow=True):
        break
    await orders.info()
    assert (await orders.info()).subscriptions == 0


async def test_a_closed_browser_ends(orders: Queue) -> None:
    browser = orders.browse(follow=True)
    await anext(browser)
    browser.close()
    browser.close()
    assert len(await browser.batch(100)) == 9
    with pytest.raises(NotOpenError):
        await anext(browser)


async def test_a_deleted_queue_ends_its_browsers(connection: Connection, orders: Queue) -> None:
    async with orders.browse(follow=True, prefetch=10) as browser:
        await browser.batch(10)
        await connection.delete("orders")
        with pytest.raises(DetachedError, match="the queue was deleted"):
            await anext(browser)


async def test_a_cancelled_wait_loses_no_message(orders: Queue) -> None:
    async with orders.browse(follow=True) as browser:
        await browser.batch(10)
        waiting = asyncio.create_task(anext(browser))
        await orders.info()
        waiting.cancel()
        await orders.send(Message("later"))
        assert (await anext(browser)).body == "later"


@pytest.mark.parametrize("arguments", [{"prefetch": 0}, {"limit": 0}])
async def test_a_browser_takes_at_least_one_message(orders: Queue, arguments: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        orders.browse(**arguments)  # type: ignore[arg-type] # no flag among them


# ---- Receiving


async def test_accepted_messages_leave_the_queue(orders: Queue) -> None:
    async for delivery in orders.receive(limit=4):
        delivery.accept()
    info = await orders.info()
    assert (info.depth, info.removed) == (6, {"accepted": 4})


async def test_released_messages_return_to_their_place(orders: Queue) -> None:
    async for delivery in orders.receive(limit=4):
        delivery.release()
    assert [message.body async for message in orders.browse()] == list(range(10))


async def test_rejected_messages_leave_the_queue(orders: Queue) -> None:
    async for delivery in orders.receive(limit=2):
        delivery.reject("unreadable")
    assert (await orders.info()).removed == {"rejected": 2}


async def test_a_failed_delivery_is_counted_on_the_next(orders: Queue) -> None:
    async for delivery in orders.receive(limit=1):
        delivery.modify(failed=True)
    assert [delivery.message.delivery_count async for delivery in orders.receive(limit=2)] == [1, 0]


async def test_a_modified_delivery_that_did_not_fail_is_not_counted(orders: Queue) -> None:
    async for delivery in orders.receive(limit=1):
        delivery.modify(failed=False)
    assert [delivery.message.delivery_count async for delivery in orders.receive(limit=1)] == [0]


async def test_every_delivery_has_its_own_outcome(orders: Queue) -> None:
    async with orders.receive(limit=6) as receiver:
        deliveries = await receiver.batch(6)
        deliveries[0].accept()
        deliveries[1].accept()
        deliveries[2].reject()
        deliveries[3].accept()
        deliveries[4].release()
        deliveries[5].accept()
    assert [message.body async for message in orders.browse()] == [4, 6, 7, 8, 9]


async def test_deliveries_are_settled_when_the_iteration_has_ended(orders: Queue) -> None:
    deliveries = [delivery async for delivery in orders.receive(limit=3)]
    for delivery in deliveries:
        delivery.accept()
    assert await depth(orders) == 7


async def test_deliveries_that_are_dropped_return(orders: Queue) -> None:
    assert len([delivery async for delivery in orders.receive(limit=3)]) == 3
    await orders.info()
    assert (await orders.info()).available == 10


async def test_the_first_outcome_counts(orders: Queue) -> None:
    async for delivery in orders.receive(limit=1):
        delivery.accept()
        delivery.release()
    assert await depth(orders) == 9


async def test_what_is_not_settled_returns_when_the_receiver_closes(orders: Queue) -> None:
    async with orders.receive() as receiver:
        await receiver.batch(5)
    info = await orders.info()
    assert (info.depth, info.available) == (10, 10)


async def test_an_outcome_after_the_end_is_refused(orders: Queue) -> None:
    async with orders.receive() as receiver:
        delivery = await anext(receiver)
    with pytest.raises(NotOpenError):
        delivery.accept()


async def test_a_receiver_takes_no_more_than_its_limit(orders: Queue) -> None:
    async with orders.receive(limit=3) as receiver:
        await receiver.batch(3)
        assert (await orders.info()).available == 7


async def test_a_receiver_takes_no_more_than_its_credit(orders: Queue) -> None:
    async with orders.receive(credit=4) as receiver:
        await anext(receiver)
        assert (await orders.info()).available == 6


async def test_many_deliveries_are_accepted_as_they_come(connection: Connection) -> None:
    queue = await connection.declare("many")
    await queue.send_many(Message(number) for number in range(2000))
    async for delivery in queue.receive(credit=7, limit=2000):
        delivery.accept()
    assert (await queue.info()).removed == {"accepted": 2000}


async def test_messages_that_a_lost_connection_held_go_to_others(server: BrokerServer, orders: Queue) -> None:
    async with connect(f"amqp://127.0.0.1:{server.port}") as other:
        held = await anext(other.queue("orders").receive(limit=1))
        assert held.message.body == 0
    assert [delivery.message.body async for delivery in orders.receive(limit=1)] == [0]


async def test_a_message_passed_on_keeps_its_fields_and_gets_a_new_place(
    connection: Connection, prices: Queue
) -> None:
    other = await connection.declare("other")
    await prices.send(Message(1.5, {"symbol": "A"}, subject="quote", updates=3))
    async for message in prices.browse():
        await other.send(message)
        await other.send(message)
    copies = [message async for message in other.browse()]
    assert [(copy.body, copy.subject, copy.updates, copy.sequence) for copy in copies] == [
        (1.5, "quote", 3, 1),
        (1.5, "quote", 3, 2),
    ]


async def test_sending_while_browsing_does_not_hold_up_either(connection: Connection, orders: Queue) -> None:
    other = await connection.declare("other")
    async for message in orders.browse(prefetch=2):
        await other.send(message)
    assert await depth(other) == 10
