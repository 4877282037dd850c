"""Sending to one queue: bounded, pipelined, confirmed."""

import asyncio
from collections.abc import AsyncIterable, Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Final, Self

from lastvalue.client.driver import Driver
from lastvalue.client.message import Message
from lastvalue.client.outbox import Block, Outbox, Refusal, SenderOptions, SendOutcomes
from lastvalue.client.timeouts import within_timeout
from lastvalue.client.transaction import Transaction

DEFAULT_MAX_OUTSTANDING: Final = 5000


class Sender:
    """Sends to one queue; open it, or use it as an async context manager, which flushes at its end.

    Several tasks may call it at once; the messages of each call are sent in their order.
    A cancelled call may have sent all, some or none of its messages.

    Attributes:
        queue: the queue's name.
        outbox: the link, for callers that count confirmations themselves.
    """

    def __init__(self, driver: Driver, queue: str, options: SenderOptions) -> None:
        if options.max_outstanding < 1:
            raise ValueError(f"max_outstanding is 1 or more, not {options.max_outstanding}")
        self.queue = queue
        self._driver = driver
        self.outbox = Outbox(driver, queue, options)
        self._posted = SendOutcomes()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                await self.flush()
        finally:
            self.close()

    @property
    def is_open(self) -> bool:
        """Whether messages may be sent."""
        return self.outbox.is_open

    @property
    def max_message_bytes(self) -> int | None:
        """The size of the largest message that the broker takes, once it is open; None: any."""
        return self.outbox.max_message_bytes

    async def open(self, *, timeout_s: float | None = 10.0) -> None:
        """Attach to the queue; opening again does nothing.

        Raises:
            QueueNotFoundError, RefusedError: the queue does not exist, or the user may not send to it.
        """
        async with within_timeout(timeout_s, f"opening a sender to {self.queue!r}"):
            await self.outbox.attach()

    async def send(
        self, message: Message, *, timeout_s: float | None = 30.0, transaction: Transaction | None = None
    ) -> None:
        """Send one message and wait for its confirmation; a transaction sends it at its commit.

        Raises:
            SendRejectedError: the broker refused the message.
            InvalidMessageError: the message cannot be encoded.
        """
        await self.send_many((message,), timeout_s=timeout_s, transaction=transaction)

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
            InvalidMessageError: one cannot be encoded; the messages before it are sent.
        """
        outcomes = SendOutcomes()
        await self._send(messages, outcomes, timeout_s, transaction)
        return outcomes.sent

    async def send_each(
        self,
        messages: Iterable[Message] | AsyncIterable[Message],
        *,
        timeout_s: float | None = None,
        transaction: Transaction | None = None,
    ) -> list[Refusal]:
        """Send all messages, pipelined, and wait for every outcome; returns those that the broker refused.

        A refused message does not roll back the transaction.

        Raises:
            InvalidMessageError: one cannot be encoded; the messages before it are sent.
        """
        outcomes = SendOutcomes(each=True)
        await self._send(messages, outcomes, timeout_s, transaction)
        return outcomes.refusals

    async def send_block(
        self, block: Block, *, timeout_s: float | None = None, transaction: Transaction | None = None
    ) -> int:
        """Send many encoded messages and wait for every confirmation; returns how many it sent.

        A sender with `settled` frames them together and waits for nothing; in a transaction its commit fails
        if the broker refused one.

        Raises:
            SendRejectedError: the broker refused some of them; it has taken the others.
        """
        outcomes = SendOutcomes()
        async with within_timeout(timeout_s, f"sending to {self.queue!r}"):
            try:
                await self.outbox.put_block(block, outcomes, transaction)
                await self.outbox.until_settled(outcomes)
            except asyncio.CancelledError:
                outcomes.abandoned = True
                raise
        return outcomes.sent

    async def _send(
        self,
        messages: Iterable[Message] | AsyncIterable[Message],
        outcomes: SendOutcomes,
        timeout_s: float | None,
        transaction: Transaction | None,
    ) -> None:
        outbox = self.outbox
        with self._encoding(transaction) as encode:
            async with within_timeout(timeout_s, f"sending to {self.queue!r}"):
                try:
                    if isinstance(messages, AsyncIterable):
                        async for message in messages:
                            await outbox.put(encode(message), outcomes, transaction)
                    else:
                        await outbox.put_many(map(encode, messages), outcomes, transaction)
                    await outbox.until_settled(outcomes)
                except asyncio.CancelledError:
                    outcomes.abandoned = True
                    raise

    @contextmanager
    def _encoding(self, transaction: Transaction | None) -> Iterator[Callable[[Message], bytes]]:
        """Encodes the messages of one call, which belong to its span where the connection makes spans."""
        tracing = self._driver.tracing
        if tracing is None:
            yield partial(self.outbox.encoded, transaction=transaction)
            return
        with tracing.publishing(self.queue) as carrier:
            yield lambda message: self.outbox.encoded(tracing.traced(message, carrier), transaction)

    async def post(self, message: Message, *, transaction: Transaction | None = None) -> None:
        """Send a message without waiting for its confirmation; waits while `max_outstanding` are unconfirmed.

        `flush` waits for the confirmation and raises if the broker refused the message.

        Raises:
            InvalidMessageError: the message cannot be encoded.
        """
        with self._encoding(transaction) as encode:
            await self.outbox.put(encode(message), self._posted, transaction)

    async def flush(self, *, timeout_s: float | None = None) -> None:
        """Wait until every message posted since the last flush is confirmed.

        Raises:
            SendRejectedError: the broker refused some of them; `index` counts from the last flush.
        """
        posted, self._posted = self._posted, SendOutcomes()
        async with within_timeout(timeout_s, f"the confirmation of what was sent to {self.queue!r}"):
            await self.outbox.until_settled(posted)

    def close(self) -> None:
        """Detach; messages that have not left are dropped, so `flush` before. Closing twice does nothing."""
        self.outbox.detach()
