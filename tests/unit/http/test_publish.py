"""lastvalue.http.publish."""

import pytest

from lastvalue.client import Connection, Message, QueueNotFoundError, SendRejectedError
from lastvalue.http.publish import publish


async def test_whether_a_queue_got_the_message(connection: Connection) -> None:
    await connection.declare("q", max_messages=1)
    await connection.bind("amq.topic", "q", "a.#")
    assert await publish(connection, "amq.topic", Message("1", subject="a.b"))
    assert not await publish(connection, "amq.topic", Message("2", subject="c"))
    with pytest.raises(SendRejectedError, match="full"):
        await publish(connection, "q", Message("3"))
    with pytest.raises(QueueNotFoundError):
        await publish(connection, "missing", Message("4"))
