"""The blocking form of a queue that several brokers have."""

from collections.abc import AsyncGenerator, Callable, Generator, Iterable
from typing import Generic, TypeVar

from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.message import Message
from lastvalue.client.partitioned_queue import PartitionedQueue as AsyncPartitionedQueue
from lastvalue.client.queue import DEFAULT_SEND_TIMEOUT_S, Queue
from lastvalue.client.queue_info import QueueInfo
from lastvalue.client.receiver import DEFAULT_AHEAD
from lastvalue.client.values import DeleteResult, Key, PutResult
from lastvalue.client.wanted import EVERYTHING, Wanted

_Blocking = TypeVar("_Blocking")


class PartitionedQueue(Generic[_Blocking]):
    """A queue at all the brokers that have it; see `client.PartitionedQueue`.

    Args:
        queue: the asyncio form.
        thread: of the connection.
        blocking: makes the blocking form of a queue at one broker.
    """

    def __init__(
        self, queue: AsyncPartitionedQueue, thread: LoopThread, blocking: Callable[[Queue], _Blocking]
    ) -> None:
        self.name = queue.name
        self.key_property = queue.key_property
        self.partitions = [blocking(each) for each in queue.partitions]
        self._queue = queue
        self._thread = thread
        self._blocking = blocking

    def partition_of(self, key: Key) -> _Blocking:
        """The queue at the broker that has this key."""
        return self._blocking(self._queue.partition_of(key))

    def taker_of(self, message: Message) -> _Blocking:
        """The queue at the broker that has the message's key."""
        return self._blocking(self._queue.taker_of(message))

    def send(self, message: Message, *, timeout_s: float | None = DEFAULT_SEND_TIMEOUT_S) -> None:
        """Send one message and wait for its confirmation."""
        self._thread.run(self._queue.send(message, timeout_s=timeout_s))

    def send_many(self, messages: Iterable[Message], *, timeout_s: float | None = None) -> int:
        """Send all messages, at all brokers at once, and wait for every confirmation; returns how many."""
        return self._thread.run(self._queue.send_many(messages, timeout_s=timeout_s))

    def put(
        self, key: Key, value: object, *, if_sequence: int | None = None, timeout_s: float = 10.0
    ) -> PutResult:
        """Put the value of a key and wait for its confirmation."""
        return self._thread.run(self._queue.put(key, value, if_sequence=if_sequence, timeout_s=timeout_s))

    def get(self, key: Key, *, timeout_s: float = 10.0) -> Message | None:
        """The value of a key, or None."""
        return self._thread.run(self._queue.get(key, timeout_s=timeout_s))

    def get_many(self, keys: Iterable[Key], *, timeout_s: float = 10.0) -> dict[Key, Message]:
        """The values of these keys, without the keys that have none."""
        return self._thread.run(self._queue.get_many(keys, timeout_s=timeout_s))

    def delete(self, key: Key, *, if_sequence: int | None = None, timeout_s: float = 10.0) -> DeleteResult:
        """Delete the value of a key and wait for the confirmation."""
        return self._thread.run(self._queue.delete(key, if_sequence=if_sequence, timeout_s=timeout_s))

    def info(self, *, timeout_s: float = 10.0) -> list[QueueInfo]:
        """The declaration and counts at each broker."""
        return self._thread.run(self._queue.info(timeout_s=timeout_s))

    def browse(
        self,
        *,
        follow: bool = False,
        prefetch: int = DEFAULT_AHEAD,
        timeout_s: float | None = None,
        wanted: Wanted = EVERYTHING,
    ) -> Generator[Message, None, None]:
        """The messages of all brokers as they come; they stay on the queue."""
        messages = self._queue.browse(follow=follow, prefetch=prefetch, timeout_s=timeout_s, wanted=wanted)
        try:
            while True:
                message = self._thread.run(_next(messages))
                if message is None:
                    return
                yield message
        finally:
            self._thread.run(messages.aclose())


async def _next(messages: AsyncGenerator[Message]) -> Message | None:
    return await anext(messages, None)
