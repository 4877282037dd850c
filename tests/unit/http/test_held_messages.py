"""Messages that consumers hold, read in pages."""

import pytest

from lastvalue.client import Connection, Message, QueueNotFoundError
from lastvalue.http.held_messages import held_messages


async def test_pages_go_on_after_a_sequence_and_where_messages_are_large(connection: Connection) -> None:
    queue = await connection.declare("orders")
    await queue.send_many([Message(b"x" * 700_000) for _ in range(5)])
    async with queue.receive(limit=4) as receiver:
        deliveries = [await anext(receiver) for _ in range(4)]
        held, _ = await held_messages(connection, "orders", 0, 100)
        assert [each.message.sequence for each in held] == [1, 2, 3, 4]
        held, _ = await held_messages(connection, "orders", 1, 2)
        assert [each.message.sequence for each in held] == [2, 3]
        for each in deliveries:
            each.accept()
    assert await held_messages(connection, "orders", 0, 100) == ([], None)
    with pytest.raises(QueueNotFoundError):
        await held_messages(connection, "nosuch", 0, 1)
