"""lastvalue.client.sender."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from lastvalue.client import (
    Connection,
    DetachedError,
    InvalidMessageError,
    Message,
    NotOpenError,
    SendRejectedError,
    TimedOutError,
)
from lastvalue.model.conditions import Condition

NUMBERS = [Message(number) for number in range(3000)]


async def bodies(connection: Connection, queue: str) -> list[object]:
    return [message.body async for message in connection.queue(queue).browse(prefetch=1000)]


async def test_a_confirmed_message_is_on_the_queue(connection: Connection) -> None:
    queue = await connection.declare("orders")
    await queue.send(Message("a"))
    assert (await queue.info()).depth == 1


async def test_many_messages_arrive_in_their_order(connection: Connection) -> None:
    queue = await connection.declare("orders")
    assert await queue.send_many(NUMBERS) == 3000
    assert await bodies(connection, "orders") == list(range(3000))


async def test_an_async_iterable_is_sent(connection: Connection) -> None:
    async def numbers() -> AsyncIterator[Message]:
        for message in NUMBERS[:5]:
            yield message

    queue = await connection.declare("orders")
    assert await queue.send_many(numbers()) == 5


async def test_nothing_is_sent_of_nothing(connection: Connection) -> None:
    queue = await connection.declare("orders")
    assert await queue.send_many([]) == 0


async def test_a_message_larger_than_a_frame_arrives_whole(connection: Connection) -> None:
    queue = await connection.declare("orders")
    body = bytes(range(256)) * 4096
    await queue.send(Message(body))
    assert await bodies(connection, "orders") == [body]


async def test_posted_messages_are_there_after_a_flush(connection: Connection) -> None:
    queue = await connection.declare("orders")
    async with queue.sender(max_outstanding=10) as sender:
        for message in NUMBERS[:1000]:
            await sender.post(message)
        await sender.flush()
        assert await bodies(connection, "orders") == list(range(1000))


async def test_leaving_a_sender_flushes(connection: Connection) -> None:
    queue = await connection.declare("orders")
    async with queue.sender() as sender:
        await sender.post(Message("a"))
    assert await bodies(connection, "orders") == ["a"]


async def test_settled_messages_arrive_without_confirmation(connection: Connection) -> None:
    queue = await connection.declare("orders")
    async with queue.sender(settled=True) as sender:
        assert await sender.send_many(NUMBERS) == 3000
    assert await bodies(connection, "orders") == list(range(3000))


async def test_senders_of_several_tasks_do_not_mix_up_their_confirmations(connection: Connection) -> None:
    queue = await connection.declare("orders", max_messages=50)
    results = await asyncio.gather(
        *(queue.send(Message(number)) for number in range(60)), return_exceptions=True
    )
    assert results[:50] == [None] * 50
    assert {type(result) for result in results[50:]} == {SendRejectedError}


async def test_a_full_queue_rejects_and_says_why(connection: Connection) -> None:
    queue = await connection.declare("orders", max_messages=1)
    await queue.send(Message("a"))
    with pytest.raises(SendRejectedError, match=r"queue 'orders' rejected a message: .*full") as caught:
        await queue.send(Message("b"))
    error = caught.value
    assert (error.condition, error.symbol) == (
        Condition.RESOURCE_LIMIT_EXCEEDED,
        "amqp:resource-limit-exceeded",
    )
    assert (error.outcome, error.index, error.rejected, error.queue) == ("rejected", 0, 1, "orders")


async def test_of_many_the_first_rejected_is_told_and_how_many_were(connection: Connection) -> None:
    queue = await connection.declare("orders", max_messages=2000)
    with pytest.raises(SendRejectedError, match="1000 messages, the first of them") as caught:
        await queue.send_many(NUMBERS)
    assert (caught.value.index, caught.value.rejected) == (2000, 1000)


async def test_a_flush_tells_of_rejected_posts_once(connection: Connection) -> None:
    queue = await connection.declare("orders", max_messages=1)
    async with queue.sender() as sender:
        await sender.post(Message("a"))
        await sender.post(Message("b"))
        with pytest.raises(SendRejectedError) as caught:
            await sender.flush()
        await sender.flush()
    assert caught.value.index == 1


@pytest.mark.parametrize("value", [1.0, None, "text"])
async def test_what_is_no_message_is_refused_by_name(connection: Connection, value: Any) -> None:
    queue = await connection.declare("orders")
    with pytest.raises(InvalidMessageError, match=f"{value!r} is not a message; expected a Message"):
        await queue.send(value)
    assert await bodies(connection, "orders") == []


async def test_a_message_that_cannot_be_encoded_is_refused_and_those_before_are_sent(
    connection: Connection,
) -> None:
    queue = await connection.declare("orders")
    with pytest.raises(InvalidMessageError):
        await queue.send_many([Message("a"), Message(object()), Message("b")])
    await queue.send(Message("c"))
    assert await bodies(connection, "orders") == ["a", "c"]


async def test_a_failing_iterable_leaves_the_sender_usable(connection: Connection) -> None:
    def failing() -> Iterator[Message]:
        yield Message("a")
        raise OSError("the source broke")

    queue = await connection.declare("orders")
    with pytest.raises(OSError, match="the source broke"):
        await queue.send_many(failing())
    await queue.send(Message("b"))
    assert await bodies(connection, "orders") == ["a", "b"]


async def test_a_deleted_queue_ends_its_senders(connection: Connection) -> None:
    queue = await connection.declare("orders")
    async with queue.sender() as sender:
        await connection.delete("orders")
        with pytest.raises(DetachedError, match="'orders'") as caught:
            await sender.send(Message("a"))
    assert caught.value.condition in (Condition.RESOURCE_DELETED, Condition.NOT_FOUND)


async def test_a_queue_made_anew_takes_messages_again(connection: Connection) -> None:
    queue = await connection.declare("orders")
    await queue.send(Message("a"))
    await connection.delete("orders")
    queue = await connection.declare("orders")
    await queue.send(Message("b"))
    assert await bodies(connection, "orders") == ["b"]


async def test_a_sender_is_used_between_opening_and_closing(connection: Connection) -> None:
    queue = await connection.declare("orders")
    sender = queue.sender()
    await sender.open()
    sender.close()
    sender.close()
    with pytest.raises(NotOpenError):
        await sender.send(Message("a"))


async def test_a_message_sent_before_opening_waits_for_it(connection: Connection) -> None:
    sender = (await connection.declare("orders")).sender()
    sending = asyncio.create_task(sender.send(Message("a")))
    await sender.open()
    await sending
    assert await bodies(connection, "orders") == ["a"]


async def test_a_timeout_names_what_took_too_long(connection: Connection) -> None:
    sender = (await connection.declare("orders")).sender()
    with pytest.raises(TimedOutError, match=r"sending to 'orders' took longer than 0.01 s"):
        await sender.send(Message("a"), timeout_s=0.01)
    assert issubclass(TimedOutError, TimeoutError)


async def test_a_message_given_up_before_it_left_is_not_sent(connection: Connection) -> None:
    queue = await connection.declare("orders")
    sender = queue.sender()
    with pytest.raises(TimedOutError):
        await sender.send(Message("a"), timeout_s=0.01)
    await sender.open()
    await sender.send(Message("b"))
    assert await bodies(connection, "orders") == ["b"]


async def test_a_sender_has_room_for_at_least_one(connection: Connection) -> None:
    queue = await connection.declare("orders")
    with pytest.raises(ValueError, match="max_outstanding is 1 or more"):
        queue.sender(max_outstanding=0)
    async with queue.sender(max_outstanding=1) as sender:
        assert await sender.send_many(NUMBERS[:10]) == 10


async def test_a_sender_that_asks_is_confirmed_and_taken_once(connection: Connection) -> None:
    queue = await connection.declare("orders")
    message = Message("a", {"_AMQ_DUPL_ID": "7"})
    async with queue.sender(once=True) as sender:
        assert await sender.send_many([message, message]) == 2
    info = await queue.info()
    assert (info.depth, info.removed["duplicate"]) == (1, 1)


async def test_a_named_producer_s_message_ids_are_taken_once(connection: Connection) -> None:
    queue = await connection.declare("orders")
    for name in ("one", "one", "other"):
        async with queue.sender(producer=name) as sender:
            await sender.send(Message(name, message_id=1))
    assert await bodies(connection, "orders") == ["one", "other"]


async def test_each_message_that_is_not_taken_is_told(connection: Connection) -> None:
    queue = await connection.declare("small", max_messages=2)
    async with queue.sender() as sender:
        refusals = await sender.send_each(NUMBERS[:4])
    assert [(each.index, each.outcome, each.condition) for each in refusals] == [
        (2, "rejected", Condition.RESOURCE_LIMIT_EXCEEDED.amqp10),
        (3, "rejected", Condition.RESOURCE_LIMIT_EXCEEDED.amqp10),
    ]


async def test_a_message_that_is_told_as_refused_does_not_undo_its_transaction(
    connection: Connection,
) -> None:
    queue = await connection.declare("orders", delayed_delivery="refuse")
    later = Message("later", annotations={"x-opt-delivery-delay": 60_000})
    async with queue.sender() as sender, connection.transaction() as transaction:
        (refusal,) = await sender.send_each([Message("a"), later, Message("b")], transaction=transaction)
    assert refusal.index == 1
    assert "delay" in refusal.description
    assert await bodies(connection, "orders") == ["a", "b"]


async def test_a_durable_message_is_durable_when_it_comes(connection: Connection) -> None:
    queue = await connection.declare("orders")
    await queue.send_many([Message("a", durable=True), Message("b", {"k": 1}, durable=True), Message("c")])
    assert [message.durable async for message in queue.browse()] == [True, True, False]
