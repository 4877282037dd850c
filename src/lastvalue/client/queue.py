"""A queue by its name: what an application does with it."""

import asyncio
from collections.abc import AsyncIterable, Iterable
from typing import Final

from lastvalue.client.driver import Driver
from lastvalue.client.inbox import ReceiveOptions
from lastvalue.client.management import Management
from lastvalue.client.message import Message
from lastvalue.client.queue_info import QueueInfo, Sequences, queue_info, sequences
from lastvalue.client.receiver import DEFAULT_AHEAD, Browser, Receiver
from lastvalue.client.sender import DEFAULT_MAX_OUTSTANDING, Sender
from lastvalue.client.timeouts import within_timeout
from lastvalue.client.transaction import Transaction
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

    async def info(self, *, timeout_s: float = 10.0) -> QueueInfo:
        """The queue's declaration and counts.

        Raises:
            QueueNotFoundError: it does not exist.
        """
        async with within_timeout(timeout_s, f"asking for queue {self.name!r}"):
            return queue_info(await self._management.ask("READ", self.name))

    async def update(self, *, timeout_s: float = 10.0, **options: object) -> QueueInfo:
        """Declare the queue anew with these options changed; what it holds stays.

        Raises:
            QueueNotFoundError: it does not exist.
            RefusedError: an option is unknown, or is one that a queue has for life.
        """
        async with within_timeout(timeout_s, f"changing queue {self.name!r}"):
            return queue_info(await self._management.ask("UPDATE", self.name, options))

    async def sequences(
        self, *, after: int = 0, messages: int | None = None, timeout_s: float = 10.0
    ) -> Sequences:
        """Where the messages behind a sequence are, for whoever reads the queue batch by batch.

        Args:
            after: a sequence; 0 is before the first.
            messages: how many of them a batch may have.
            timeout_s: how long the answer may take.

        Raises:
            QueueNotFoundError: it does not exist.
        """
        body = {"after": after} if messages is None else {"after": after, "messages": messages}
        async with within_timeout(timeout_s, f"asking for the sequences of {self.name!r}"):
            return sequences(await self._management.ask("SEQUENCES", self.name, body))

    async def send(
        self,
        message: Message,
        *,
        timeout_s: float | None = DEFAULT_SEND_TIMEOUT_S,
        transaction: Transaction | None = None,
    ) -> None:
        """Send one message and wait for its confirmation; a transaction sends it at its commit.

        Raises:
            SendRejectedError: the broker did not take it.
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
        """Send all, pipelined, and wait for every confirmation; returns how many they were.

        Raises:
            SendRejectedError: the broker did not take some of them; the others it did.
            QueueNotFoundError: the queue does not exist.
            InvalidMessageError: one cannot be encoded; those before it are sent.
        """
        sender = await self.opened_sender(timeout_s)
        return await sender.send_many(messages, timeout_s=timeout_s, transaction=transaction)

    def sender(
        self,
        *,
        max_outstanding: int = DEFAULT_MAX_OUTSTANDING,
        settled: bool = False,
        once: bool = False,
        producer: str | None = None,
    ) -> Sender:
        """A sender for long use.

        Args:
            max_outstanding: messages that may wait for their confirmation.
            settled: send without confirmation; what the queue does not take is not noticed.
            once: messages of one `_AMQ_DUPL_ID`, an application property, are taken once.
            producer: a name by which the broker knows message_ids again, too; as with `once`.
        """
        return Sender(
            self._driver,
            self.name,
            max_outstanding=max_outstanding,
            settled=settled,
            once=once,
            producer=producer,
        )

    def browse(
        self,
        *,
        follow: bool = False,
        prefetch: int = DEFAULT_AHEAD,
        limit: int | None = None,
        timeout_s: float | None = None,
        wanted: Wanted = EVERYTHING,
    ) -> Browser:
        """The messages in their order, without taking them.

        Args:
            follow: go on with what comes later; otherwise it ends at the tail.
            prefetch: messages that may be on their way to a slow reader, no longer the newest of their keys.
            limit: end after so many.
            timeout_s: how long the next message may take; a longer wait raises TimedOutError.
            wanted: which of them: a selector, a replay period, …
        """
        receive_options = ReceiveOptions(
            address=self.name,
            browse=True,
            to_tail=not follow,
            ahead=prefetch,
            limit=limit,
            wanted=wanted,
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
        """Deliveries taken from the queue, to be settled; never ends by itself without a limit.

        Args:
            credit: messages that may be on their way or wait to be taken.
            limit: end after so many; no more are fetched.
            timeout_s: how long the next message may take; a longer wait raises TimedOutError.
            wanted: which of them, and at which priority among the consumers.
        """
        receive_options = ReceiveOptions(address=self.name, ahead=credit, limit=limit, wanted=wanted)
        return Receiver(self._driver, receive_options, timeout_s)

    async def opened_sender(self, timeout_s: float | None) -> Sender:
        """The sender that `send` and `send_many` use, attached.

        Raises:
            QueueNotFoundError: the queue does not exist.
        """
        if self._sender is None or not self._sender.is_open:
            async with self._attaching:
                if self._sender is None or not self._sender.is_open:
                    sender = self.sender()
                    await sender.open(timeout_s=timeout_s)
                    self._sender = sender
        return self._sender
