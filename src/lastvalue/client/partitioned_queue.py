"""A queue that several brokers have, each some of its keys: the client goes to the right one."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence

from lastvalue.client.errors import ClientError, InvalidMessageError
from lastvalue.client.leaders import divided_keys, partition_number
from lastvalue.client.message import Message
from lastvalue.client.message_codec import checked_message
from lastvalue.client.message_key import message_key
from lastvalue.client.queue import DEFAULT_SEND_TIMEOUT_S, Queue
from lastvalue.client.queue_info import QueueInfo
from lastvalue.client.receiver import DEFAULT_AHEAD
from lastvalue.client.values import DeleteResult, Key, PutResult
from lastvalue.client.wanted import EVERYTHING, Wanted
from lastvalue.model.errors import InvalidSpecError


class PartitionedQueue:
    """A queue at all the brokers that have it; `Connection.partitioned` gives it.

    What is about one key goes to the broker that has it. Messages of different keys have no order among each
    other, and no transaction spans brokers: open one at the connection of a broker, by `partition_of`.

    Args:
        name: of the queue.
        partitions: the queue at each broker.
        key_property: the property that has the key; empty where one broker has the whole queue.
    """

    def __init__(self, name: str, partitions: Sequence[Queue], key_property: str) -> None:
        self.name = name
        self.partitions = partitions
        self.key_property = key_property

    def partition_of(self, key: Key) -> Queue:
        """The queue at the broker that has this key.

        Raises:
            InvalidSpecError: the key is neither a text nor an integer.
        """
        return self.partitions[partition_number(key, len(self.partitions))]

    def taker_of(self, message: Message) -> Queue:
        """The queue at the broker that has the message's key.

        Raises:
            InvalidMessageError: the message has no key, or one that is neither a text nor an integer.
        """
        if len(self.partitions) == 1:
            return self.partitions[0]
        key = message_key(checked_message(message).properties, self.key_property)
        text = f"it has no property {self.key_property!r}, whose value is the key"
        try:
            if key is not None:
                return self.partitions[partition_number(key, len(self.partitions))]
        except InvalidSpecError as fault:
            text = str(fault)
        raise InvalidMessageError(f"a message for queue {self.name!r} cannot be sent: {text}")

    async def send(self, message: Message, *, timeout_s: float | None = DEFAULT_SEND_TIMEOUT_S) -> None:
        """Send one message and wait for its confirmation; raises as `Queue.send` and `taker_of` do."""
        await self.taker_of(message).send(message, timeout_s=timeout_s)

    async def send_many(self, messages: Iterable[Message], *, timeout_s: float | None = None) -> int:
        """Send all messages, at all brokers at once, and wait for every confirmation.

        Returns how many; raises as `Queue.send_many` and `taker_of` do, of which the latter sends nothing.
        """
        parts: dict[Queue, list[Message]] = {}
        for message in messages:
            parts.setdefault(self.taker_of(message), []).append(message)
        async with asyncio.TaskGroup() as group:
            sending = [
                group.create_task(queue.send_many(part, timeout_s=timeout_s)) for queue, part in parts.items()
            ]
        return sum(each.result() for each in sending)

    async def put(
        self, key: Key, value: object, *, if_sequence: int | None = None, timeout_s: float = 10.0
    ) -> PutResult:
        """Put the value of a key and wait for its confirmation; raises as `Queue.put`, `partition_of` do."""
        return await self.partition_of(key).put(key, value, if_sequence=if_sequence, timeout_s=timeout_s)

    async def get(self, key: Key, *, timeout_s: float = 10.0) -> Message | None:
        """The value of a key, or None; raises as `Queue.get` and `partition_of` do."""
        return await self.partition_of(key).get(key, timeout_s=timeout_s)

    async def get_many(self, keys: Iterable[Key], *, timeout_s: float = 10.0) -> dict[Key, Message]:
        """The values of these keys, without the keys that have none; they are not of one moment."""
        parts = divided_keys(keys, len(self.partitions))
        found: dict[Key, Message] = {}
        for values in await asyncio.gather(
            *(self.partitions[number].get_many(part, timeout_s=timeout_s) for number, part in parts.items())
        ):
            found |= values
        return found

    async def delete(
        self, key: Key, *, if_sequence: int | None = None, timeout_s: float = 10.0
    ) -> DeleteResult:
        """Delete the value of a key; raises as `Queue.delete` and `partition_of` do."""
        return await self.partition_of(key).delete(key, if_sequence=if_sequence, timeout_s=timeout_s)

    async def info(self, *, timeout_s: float = 10.0) -> list[QueueInfo]:
        """The declaration and counts at each broker, in their order."""
        return list(await asyncio.gather(*(each.info(timeout_s=timeout_s) for each in self.partitions)))

    async def browse(
        self,
        *,
        follow: bool = False,
        prefetch: int = DEFAULT_AHEAD,
        timeout_s: float | None = None,
        wanted: Wanted = EVERYTHING,
    ) -> AsyncGenerator[Message]:
        """The messages of all brokers as they come: those of one key in their order; they stay on the queue.

        Raises:
            InvalidSpecError: `wanted` has sequences or a token, which are of one broker.
        """
        if len(self.partitions) > 1:
            _check_wanted(wanted)
        came: asyncio.Queue[Message | ClientError | None] = asyncio.Queue(1)

        async def read(queue: Queue) -> None:
            ended: ClientError | None = None
            try:
                browser = queue.browse(follow=follow, prefetch=prefetch, timeout_s=timeout_s, wanted=wanted)
                async with browser:
                    async for message in browser:
                        await came.put(message)
            except ClientError as fault:
                ended = fault
            await came.put(ended)

        readers = [asyncio.create_task(read(queue)) for queue in self.partitions]
        try:
            ended = 0
            while ended < len(readers):
                message = await came.get()
                if isinstance(message, ClientError):
                    raise message
                if message is None:
                    ended += 1
                else:
                    yield message
        finally:
            for reader in readers:
                reader.cancel()
            await asyncio.gather(*readers, return_exceptions=True)


def _check_wanted(wanted: Wanted) -> None:
    bounds = (wanted.after, wanted.until, wanted.after_ms)
    token = None if wanted.watch is None else wanted.watch.token
    if any(each is not None for each in (*bounds, token)):
        raise InvalidSpecError(
            "sequences and tokens are of one broker: browse one of `partitions` to begin or end at them"
        )
