"""The blocking form of a queue that several brokers have."""

from collections.abc import AsyncGenerator, Callable, Generator
from typing import Generic, TypeVar

from lastvalue.client.calls_blocking import PartitionedQueueCalls
from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.message import Message
from lastvalue.client.partitioned_queue import PartitionedQueue as AsyncPartitionedQueue
from lastvalue.client.queue import Queue
from lastvalue.client.receiver import DEFAULT_AHEAD
from lastvalue.client.values import Key
from lastvalue.client.wanted import EVERYTHING, Wanted

_Blocking = TypeVar("_Blocking")


class PartitionedQueue(PartitionedQueueCalls, Generic[_Blocking]):
    """A queue at all the brokers that have it; see `client.PartitionedQueue`.

    Args:
        queue: the asyncio form.
        thread: of the connection.
        blocking: makes the blocking form of a queue at one broker.
    """

    def __init__(
        self, queue: AsyncPartitionedQueue, thread: LoopThread, blocking: Callable[[Queue], _Blocking]
    ) -> None:
        super().__init__(queue, thread)
        self.name = queue.name
        self.key_property = queue.key_property
        self.partitions = [blocking(each) for each in queue.partitions]
        self._blocking = blocking

    def partition_of(self, key: Key) -> _Blocking:
        """The queue at the broker that has this key."""
        return self._blocking(self._queue.partition_of(key))

    def taker_of(self, message: Message) -> _Blocking:
        """The queue at the broker that has the message's key."""
        return self._blocking(self._queue.taker_of(message))

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
