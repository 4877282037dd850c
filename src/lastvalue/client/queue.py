"""A queue by its name, with the operations of an application."""

import asyncio
from collections.abc import AsyncIterable, Iterable
from typing import Final

from lastvalue.client.choice import Choice, HandledMessages, handled_messages
from lastvalue.client.driver import Driver
from lastvalue.client.explanation import Explanations, explanations
from lastvalue.client.inbox import ReceiveOptions
from lastvalue.client.key_facts import KeyFacts, KeyOrder, list_keys
from lastvalue.client.management import Management
from lastvalue.client.message import Message
from lastvalue.client.outbox import SenderOptions
from lastvalue.client.queue_info import (
    HistoryExtent,
    QueueInfo,
    Sequences,
    history_extent,
    queue_info,
    sequences,
)
from lastvalue.client.receiver import DEFAULT_AHEAD, Browser, Receiver
from lastvalue.client.sender import DEFAULT_MAX_OUTSTANDING, Sender
from lastvalue.client.timeouts import within_timeout
from lastvalue.client.transaction import Transaction
from lastvalue.client.values import (
    ChangeResult,
    DeleteResult,
    Key,
    KeySequences,
    KeyValues,
    PutResult,
    change_values,
    delete_value,
    get_values,
    keyed_messages,
    put_value,
)
from lastvalue.client.wanted import EVERYTHING, Wanted

DEFAULT_SEND_TIMEOUT_S: Final = 30.0


class Queue:
    """A queue of a connection; `Connection.queue` and `Connection.declare` give it."""

    def __init__(self, name: str, driver: Driver, management: Management) -> None:
        self.name = name
        self._driver = driver
        self._management = management
        self._sender: Sender | None = None
        self._attaching = asyncio.Lock()
        self._key_property: str | None = None

    async def info(self, *, timeout_s: float = 10.0) -> QueueInfo:
        """The queue's declaration and counts.

        Raises:
            QueueNotFoundError: the queue does not exist.
        """
        async with within_timeout(timeout_s, f"asking for queue {self.name!r}"):
            return queue_info(await self._management.ask("READ", self.name))

    async def update(self, *, timeout_s: float = 10.0, **options: object) -> QueueInfo:
        """Change these options of the queue; its messages stay.

        Raises:
            QueueNotFoundError: the queue does not exist.
            RefusedError: an option is unknown, or is one that a queue cannot change.
        """
        async with within_timeout(timeout_s, f"changing queue {self.name!r}"):
            return queue_info(await self._management.ask("UPDATE", self.name, options))

    async def move_messages(
        self, destination: str, choice: Choice, *, timeout_s: float = 10.0
    ) -> HandledMessages:
        """Move messages to another queue, those excepted that it does not take.

        Raises:
            QueueNotFoundError: one of the queues does not exist.
            RefusedError: the user may not do that, or the selector is not valid.
        """
        return await self._handle("moveMessages", choice, {"destination": destination}, timeout_s)

    async def copy_messages(
        self, destination: str, choice: Choice, *, timeout_s: float = 10.0
    ) -> HandledMessages:
        """Copy messages to another queue; raises as `move_messages` does."""
        return await self._handle("copyMessages", choice, {"destination": destination}, timeout_s)

    async def retry_messages(self, choice: Choice, *, timeout_s: float = 10.0) -> HandledMessages:
        """Move dead letters back to the queues that they left; raises as `move_messages` does."""
        return await self._handle("retryMessages", choice, {}, timeout_s)

    async def delete_messages(self, choice: Choice, *, timeout_s: float = 10.0) -> HandledMessages:
        """Remove messages; they do not go to the alternate; raises as `move_messages` does."""
        return await self._handle("deleteMessages", choice, {}, timeout_s)

    async def change_priority(
        self, priority: int, choice: Choice, *, timeout_s: float = 10.0
    ) -> HandledMessages:
        """Enqueue messages again with another priority, 0 to 255; raises as `move_messages` does."""
        return await self._handle(
            "reenqueueMessagesForPriorityChange", choice, {"newPriority": priority}, timeout_s
        )

    async def _handle(
        self, operation: str, choice: Choice, body: dict[str, object], timeout_s: float
    ) -> HandledMessages:
        async with within_timeout(timeout_s, f"{operation} on {self.name!r}"):
            return handled_messages(
                await self._management.ask(operation, self.name, body | choice.arguments())
            )

    async def sequences(
        self, *, after: int = 0, messages: int | None = None, timeout_s: float = 10.0
    ) -> Sequences:
        """The bounds of the next batch after a sequence, for a reader that reads the queue in batches.

        Args:
            after: a sequence; 0 is before the first.
            messages: the most messages of a batch.
            timeout_s: seconds that the response may take.

        Raises:
            QueueNotFoundError: the queue does not exist.
        """
        body = {"after": after} if messages is None else {"after": after, "messages": messages}
        async with within_timeout(timeout_s, f"asking for the sequences of {self.name!r}"):
            return sequences(await self._management.ask("SEQUENCES", self.name, body))

    async def history_extent(self, *, timeout_s: float = 10.0) -> HistoryExtent | None:
        """What the queue's history has, at the same cost whatever that is; None if it has no history.

        Raises:
            QueueNotFoundError: the queue does not exist.
        """
        async with within_timeout(timeout_s, f"asking for the history of {self.name!r}"):
            return history_extent(await self._management.ask("EXTENT", self.name, {}))

    async def why(
        self,
        *,
        key: Key | None = None,
        sequence: int | None = None,
        message_id: str | None = None,
        timeout_s: float = 10.0,
    ) -> Explanations:
        """What became of the messages with this key, this sequence or this message id: one of the three.

        The queue remembers why messages left if its option `removal_log` says of how many.

        Raises:
            QueueNotFoundError: the queue does not exist.
            RefusedError: it has no keys, or the user may not browse it.
        """
        body = {"key": key, "sequence": sequence, "message_id": message_id}
        async with within_timeout(timeout_s, f"asking what became of a message of {self.name!r}"):
            return explanations(await self._management.ask("WHY", self.name, body))

    async def list_keys(
        self, *, by: KeyOrder = KeyOrder.AGE, limit: int = 100, timeout_s: float = 10.0
    ) -> list[KeyFacts]:
        """Keys of a last-value queue: those with the oldest values first, or those updated most.

        Raises:
            QueueNotFoundError: the queue does not exist.
            RefusedError: it has no keys, does not count their updates, or the user may not browse it.
        """
        async with within_timeout(timeout_s, f"listing the keys of {self.name!r}"):
            return await list_keys(self._management, self.name, by, limit)

    async def get(self, key: Key, *, timeout_s: float = 10.0) -> Message | None:
        """The value of a key of a last-value queue; None if a browser would see none.

        Raises:
            QueueNotFoundError: the queue does not exist.
            RefusedError: the queue has no keys, or the user may not browse it.
        """
        return (await self.get_many([key], timeout_s=timeout_s)).get(key)

    async def get_many(self, keys: Iterable[Key], *, timeout_s: float = 10.0) -> dict[Key, Message]:
        """The values of these keys of a last-value queue, without the keys that have none.

        They are not of one moment if there are very many of them.

        Raises:
            QueueNotFoundError: the queue does not exist.
            RefusedError: the queue has no keys, or the user may not browse it.
        """
        async with within_timeout(timeout_s, f"asking for values of {self.name!r}"):
            return await get_values(self._management, self.name, keys)

    async def put(
        self, key: Key, value: object, *, if_sequence: int | None = None, timeout_s: float = 10.0
    ) -> PutResult:
        """Put the value of a key into a last-value queue and wait for its confirmation.

        Args:
            key: the key; the message gets it as the queue's key property.
            value: a body, or a `Message` with it.
            if_sequence: take it only while the key's value has this sequence; 0 is a key without a value.
            timeout_s: seconds that the response may take.

        Raises:
            QueueNotFoundError: the queue does not exist.
            RefusedError: the queue did not take it; the condition is PRECONDITION_FAILED if the value has
                another sequence.
            InvalidMessageError: the message cannot be encoded.
        """
        async with within_timeout(timeout_s, f"putting a value into {self.name!r}"):
            (message,) = await self._keyed({key: value})
            return await put_value(self._management, self.name, message, if_sequence)

    async def put_many(
        self,
        values: KeyValues,
        *,
        delete: Iterable[Key] = (),
        if_sequences: KeySequences | None = None,
        timeout_s: float = 10.0,
    ) -> ChangeResult:
        """Put values of several keys, and delete others, all at once or not at all; at most 1000 of each.

        Args:
            values: by key, each a body or a `Message` with it.
            delete: keys whose values leave; that one has no value is no error.
            if_sequences: only while each of these keys has this sequence; 0 is a key without a value.
            timeout_s: seconds that the response may take.

        Raises:
            QueueNotFoundError: the queue does not exist.
            RefusedError: the queue has done nothing: no room, a key that is put and deleted, too many keys,
                or the user may not write to it; the condition is PRECONDITION_FAILED if a key has another
                sequence.
            InvalidMessageError: a message cannot be encoded.
        """
        async with within_timeout(timeout_s, f"putting values on {self.name!r}"):
            messages = await self._keyed(values)
            return await change_values(self._management, self.name, messages, delete, if_sequences or {})

    async def delete(
        self, key: Key, *, if_sequence: int | None = None, timeout_s: float = 10.0
    ) -> DeleteResult:
        """Delete the value of a key of a last-value queue and wait for the confirmation.

        Args:
            key: the key; that it has no value is no error.
            if_sequence: delete it only while it has this sequence.
            timeout_s: seconds that the response may take.

        Raises:
            QueueNotFoundError: the queue does not exist.
            RefusedError: the queue has no keys, or the user may not write to it; the condition is
                PRECONDITION_FAILED if the value has another sequence.
        """
        async with within_timeout(timeout_s, f"deleting a value of {self.name!r}"):
            return await delete_value(self._management, self.name, key, if_sequence)

    async def send(
        self,
        message: Message,
        *,
        timeout_s: float | None = DEFAULT_SEND_TIMEOUT_S,
        transaction: Transaction | None = None,
    ) -> None:
        """Send one message and wait for its confirmation; in a transaction it is enqueued at the commit.

        Raises:
            SendRejectedError: the broker refused the message.
            QueueNotFoundError: the queue does not exist.
            InvalidMessageError: the message cannot be encoded.
        """
        sender = await self.opened_sender(timeout_s)
        await sender.send(message, timeout_s=timeout_s, transaction=transaction)

    async def send_many(
        self,
        messages: Iterable[Message] | AsyncIterable[Message],
        *,
        timeout_s: float | None = None,
        transaction: Transaction | None = None,
    ) -> int:
        """Send all messages, pipelined, and wait for every confirmation; returns how many it sent.

        Raises:
            SendRejectedError: the broker refused some of them; it has taken the others.
            QueueNotFoundError: the queue does not exist.
            InvalidMessageError: one cannot be encoded; the messages before it are sent.
        """
        sender = await self.opened_sender(timeout_s)
        return await sender.send_many(messages, timeout_s=timeout_s, transaction=transaction)

    def sender(
        self,
        *,
        max_outstanding: int = DEFAULT_MAX_OUTSTANDING,
        settled: bool = False,
        once: bool | None = None,
        producer: str | None = None,
        reject_unroutable: bool = False,
    ) -> Sender:
        """A sender for many messages.

        Args:
            max_outstanding: how many messages may wait for their confirmation.
            settled: send without confirmations; refused messages are not noticed.
            once: the queue takes messages with the same `_AMQ_DUPL_ID`, an application property, once; None:
                on a connection that reconnects it does so, by ids that the sender gives them.
            producer: a name with which the queue also takes messages of the same message_id once.
            reject_unroutable: refuse what no queue gets of an exchange, which may discard that.
        """
        options = SenderOptions(max_outstanding, settled, once, producer, reject_unroutable, returns=True)
        return Sender(self._driver, self.name, options)

    def browse(
        self,
        *,
        follow: bool = False,
        prefetch: int = DEFAULT_AHEAD,
        limit: int | None = None,
        timeout_s: float | None = None,
        wanted: Wanted = EVERYTHING,
    ) -> Browser:
        """The messages in their order; they stay on the queue.

        Args:
            follow: continue with messages that come later; otherwise the browser ends at the tail.
            prefetch: how many messages may be on their way; these can be older than the newest of their keys.
            limit: the number of messages after which it ends.
            timeout_s: seconds to wait for each message; a longer wait raises TimedOutError.
            wanted: which messages: a selector, a replay period, …
        """
        receive_options = ReceiveOptions(
            address=self.name,
            browse=True,
            to_tail=not follow,
            ahead=prefetch,
            limit=limit,
            wanted=wanted,
            returns=True,
        )
        return Browser(self._driver, receive_options, timeout_s)

    def receive(
        self,
        *,
        credit: int = DEFAULT_AHEAD,
        limit: int | None = None,
        timeout_s: float | None = None,
        wanted: Wanted = EVERYTHING,
    ) -> Receiver:
        """Acquire messages as deliveries, which the application settles; without a limit it does not end.

        Args:
            credit: how many messages may be on their way or wait in the client.
            limit: the number of messages after which it ends; it acquires no more.
            timeout_s: seconds to wait for each message; a longer wait raises TimedOutError.
            wanted: which messages, and the priority among the consumers.
        """
        receive_options = ReceiveOptions(
            address=self.name, ahead=credit, limit=limit, wanted=wanted, returns=True
        )
        return Receiver(self._driver, receive_options, timeout_s)

    async def _keyed(self, values: KeyValues) -> list[Message]:
        """The messages of the values of keys; of a queue without keys it is the broker that says so."""
        if self._key_property is None:
            found = queue_info(await self._management.ask("READ", self.name)).options.get("lvq_key")
            self._key_property = found if isinstance(found, str) else ""
        return keyed_messages(values, self._key_property)

    async def opened_sender(self, timeout_s: float | None) -> Sender:
        """The sender that `send` and `send_many` use, attached.

        Raises:
            QueueNotFoundError: the queue does not exist.
        """
        if self._sender is None or self._sender.outbox.has_ended:
            async with self._attaching:
                if self._sender is None or self._sender.outbox.has_ended:
                    sender = self.sender()
                    await sender.open(timeout_s=timeout_s)
                    self._sender = sender
        return self._sender
