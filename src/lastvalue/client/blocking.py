"""The client's blocking form: the same names without await.

    with connect("amqp://127.0.0.1:5672") as connection:
        prices = connection.declare("prices", lvq_key="symbol")
        prices.send(Message(101.5, {"symbol": "AAPL"}))
        for message in prices.browse():
            print(message.body)

A connection runs its event loop in a daemon thread of its own and may be used from any thread.
It does not cross a fork: a new process needs its own connection.

The calls that the asyncio client makes as they are come from `calls_blocking`, which a script writes.
"""

import asyncio
import ssl
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from lastvalue.client import connection as asynchronous
from lastvalue.client.browser_blocking import Browser
from lastvalue.client.calls_blocking import ConnectionCalls, QueueCalls, SenderCalls
from lastvalue.client.connection import DEFAULT_TIMEOUT_S
from lastvalue.client.delivery_blocking import Delivery, Receiver, Transaction, inner_transaction
from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.message import Message
from lastvalue.client.outbox import Refusal, SendOutcomes
from lastvalue.client.partitioned_queue_blocking import PartitionedQueue
from lastvalue.client.queue import Queue as AsyncQueue
from lastvalue.client.receiver import DEFAULT_AHEAD
from lastvalue.client.reconnection import Reconnection
from lastvalue.client.sender import DEFAULT_MAX_OUTSTANDING
from lastvalue.client.sender import Sender as AsyncSender
from lastvalue.client.timeouts import within_timeout
from lastvalue.client.transaction import DEFAULT_TRANSACTION_TIMEOUT_S
from lastvalue.client.transaction import Transaction as AsyncTransaction
from lastvalue.client.url import DEFAULT_URL
from lastvalue.client.wanted import EVERYTHING, Wanted, WatchOptions
from lastvalue.client.watcher_blocking import Watcher

if TYPE_CHECKING:
    from lastvalue.client.tracing import Tracing

__all__ = [
    "CHUNK",
    "Browser",
    "Connection",
    "Delivery",
    "PartitionedQueue",
    "Queue",
    "Receiver",
    "Sender",
    "Transaction",
    "connect",
]

CHUNK: Final = 500
"""Messages that go to the loop's thread together; one handover costs as much as sending ten messages."""


def connect(  # noqa: PLR0913 - each is an option of the connection
    url: str | Sequence[str] = DEFAULT_URL,
    *,
    timeout_s: float = DEFAULT_TIMEOUT_S,
    container_id: str | None = None,
    idle_timeout_s: float = 60.0,
    tls: ssl.SSLContext | None = None,
    token: str | None = None,
    reconnect: bool | Reconnection = True,
) -> "Connection":
    """An open connection; close it, or use it as a context manager. For the arguments see `client.connect`.

    Raises:
        InvalidUrlError, ConnectFailedError, AuthenticationError, TimedOutError: see `client.Connection.open`.
    """
    connection = asynchronous.connect(
        url,
        timeout_s=timeout_s,
        container_id=container_id,
        idle_timeout_s=idle_timeout_s,
        tls=tls,
        token=token,
        reconnect=reconnect,
    )
    thread = LoopThread()
    try:
        thread.run(connection.open())
    except BaseException:
        thread.stop()
        raise
    return Connection(connection, thread)


class Connection(ConnectionCalls):
    """An open connection to a broker."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        """Close it and end its thread. Closing twice does nothing."""
        if self._thread.is_running:
            self._thread.run(self._connection.close(timeout_s=timeout_s))
            self._thread.stop()

    def queue(self, name: str) -> "Queue":
        """The queue of that name; this sends nothing, so the queue need not exist."""
        return Queue(self._connection.queue(name), self._thread)

    def partitioned(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> "PartitionedQueue[Queue]":
        """The queue at all the brokers that have it; see `client.Connection.partitioned`."""
        found = self._thread.run(self._connection.partitioned(name, timeout_s=timeout_s))
        return PartitionedQueue(found, self._thread, lambda queue: Queue(queue, self._thread))

    def watch(
        self,
        queue: str,
        *,
        selector: str | None = None,
        options: WatchOptions | None = None,
    ) -> Watcher:
        """A mapping that is kept current, to enter by `with`; see `client.Connection.watch`."""
        watcher = self._connection.watch(queue, selector=selector, options=options)
        return Watcher(watcher, self._thread)

    def transaction(self, *, timeout_s: float | None = DEFAULT_TRANSACTION_TIMEOUT_S) -> "Transaction":
        """A transaction, to enter by `with`; see `client.Connection.transaction`."""
        return Transaction(self._connection.transaction(timeout_s=timeout_s), self._thread)

    def declare(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, **options: object) -> "Queue":
        """Declare a queue, unless it exists with the same options; see `client.Connection.declare`."""
        self._thread.run(self._connection.declare(name, timeout_s=timeout_s, **options))
        return self.queue(name)

    def trace(self, tracing: "Tracing | None") -> None:
        """Make OpenTelemetry's spans from now on; see `client.Connection.trace`."""
        self._connection.trace(tracing)


class Queue(QueueCalls):
    """A queue of a connection."""

    def __init__(self, queue: AsyncQueue, thread: LoopThread) -> None:
        super().__init__(queue, thread)
        self.name = queue.name

    def send_many(
        self,
        messages: Iterable[Message],
        *,
        timeout_s: float | None = None,
        transaction: "Transaction | None" = None,
    ) -> int:
        """Send all, pipelined, and wait for every confirmation; see `client.Queue.send_many`."""
        sender = Sender(self._thread.run(self._queue.opened_sender(timeout_s)), self._thread)
        return sender.send_many(messages, timeout_s=timeout_s, transaction=transaction)

    def sender(
        self,
        *,
        max_outstanding: int = DEFAULT_MAX_OUTSTANDING,
        settled: bool = False,
        once: bool | None = None,
        producer: str | None = None,
        reject_unroutable: bool = False,
    ) -> "Sender":
        """A sender for long use; see `client.Queue.sender`."""
        sender = self._queue.sender(
            max_outstanding=max_outstanding,
            settled=settled,
            once=once,
            producer=producer,
            reject_unroutable=reject_unroutable,
        )
        return Sender(sender, self._thread)

    def browse(
        self,
        *,
        follow: bool = False,
        prefetch: int = DEFAULT_AHEAD,
        limit: int | None = None,
        timeout_s: float | None = None,
        wanted: Wanted = EVERYTHING,
    ) -> "Browser":
        """The messages in their order; they stay on the queue; see `client.Queue.browse`."""
        browser = self._queue.browse(
            follow=follow, prefetch=prefetch, limit=limit, timeout_s=timeout_s, wanted=wanted
        )
        return Browser(browser, self._thread, prefetch)

    def receive(
        self,
        *,
        credit: int = DEFAULT_AHEAD,
        limit: int | None = None,
        timeout_s: float | None = None,
        wanted: Wanted = EVERYTHING,
    ) -> Receiver:
        """Acquire messages as deliveries, which the application settles; see `client.Queue.receive`."""
        receiver = self._queue.receive(credit=credit, limit=limit, timeout_s=timeout_s, wanted=wanted)
        return Receiver(receiver, self._thread, credit)


class Sender(SenderCalls):
    """Sends to one queue; open it, or use it as a context manager, which flushes at its end."""

    def __init__(self, sender: AsyncSender, thread: LoopThread) -> None:
        super().__init__(sender, thread)
        self.queue = sender.queue
        self._posted = SendOutcomes()
        self._waiting: deque[tuple[bytes, AsyncTransaction | None]] = deque()
        self._handing_over = False
        self._order = asyncio.Lock()

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self.flush()
        finally:
            self.close()

    def send_many(
        self,
        messages: Iterable[Message],
        *,
        timeout_s: float | None = None,
        transaction: "Transaction | None" = None,
    ) -> int:
        """Send all, pipelined, and wait for every confirmation; see `client.Sender.send_many`.

        The caller's thread reads the iterable and encodes its messages.
        `timeout_s` bounds each wait for room, and the wait for the confirmations at the end.
        """
        outcomes = SendOutcomes()
        self._send(self._encoded(messages, transaction), outcomes, timeout_s, transaction)
        return outcomes.sent

    def send_each(
        self,
        messages: Iterable[Message],
        *,
        timeout_s: float | None = None,
        transaction: "Transaction | None" = None,
    ) -> list[Refusal]:
        """Send all messages; returns those that the broker refused; see `client.Sender.send_each`."""
        payloads = self._encoded(messages, transaction)
        return self.send_encoded(payloads, timeout_s=timeout_s, transaction=transaction)

    def send_encoded(
        self,
        payloads: Iterable[bytes],
        *,
        timeout_s: float | None = None,
        transaction: "Transaction | None" = None,
    ) -> list[Refusal]:
        """Send encoded messages; returns those that the broker refused."""
        outcomes = SendOutcomes(each=True)
        self._send(payloads, outcomes, timeout_s, transaction)
        return outcomes.refusals

    def _encoded(self, messages: Iterable[Message], transaction: "Transaction | None") -> Iterator[bytes]:
        return map(partial(self._sender.outbox.encoded, transaction=inner_transaction(transaction)), messages)

    def _send(
        self,
        payloads: Iterable[bytes],
        outcomes: SendOutcomes,
        timeout_s: float | None,
        transaction: "Transaction | None",
    ) -> None:
        left = iter(payloads)
        try:
            while chunk := list(islice(left, CHUNK)):
                self._thread.run(self._put(chunk, outcomes, timeout_s, inner_transaction(transaction)))
            self._thread.run(self._settled(outcomes, timeout_s))
        except BaseException:
            outcomes.abandoned = True
            raise

    def post(self, message: Message, *, transaction: "Transaction | None" = None) -> None:
        """Send a message without waiting for its confirmation; waits while `max_outstanding` are unconfirmed.

        `flush` waits for the confirmation and raises if the broker refused the message.

        Raises:
            InvalidMessageError: the message cannot be encoded.
        """
        inner = inner_transaction(transaction)
        self._waiting.append((self._sender.outbox.encoded(message, inner), inner))
        if len(self._waiting) >= CHUNK:
            self._thread.run(self._hand_over())
        elif not self._handing_over:
            self._handing_over = True
            self._thread.start(self._hand_over())

    def flush(self, *, timeout_s: float | None = None) -> None:
        """Wait until every message posted since the last flush is confirmed; see `client.Sender.flush`."""
        self._thread.run(self._hand_over())
        posted, self._posted = self._posted, SendOutcomes()
        self._thread.run(self._settled(posted, timeout_s))

    def close(self) -> None:
        """Detach; messages that have not left are dropped, so `flush` before. Closing twice does nothing."""
        if self._thread.is_running:
            self._thread.call(self._sender.close)

    async def _hand_over(self) -> None:
        self._handing_over = False
        async with self._order:
            while self._waiting:
                # The message stays here until the outbox has it, so that `flush` raises the same error.
                payload, transaction = self._waiting[0]
                await self._sender.outbox.put(payload, self._posted, transaction)
                self._waiting.popleft()

    async def _put(
        self,
        payloads: list[bytes],
        outcomes: SendOutcomes,
        timeout_s: float | None,
        transaction: AsyncTransaction | None,
    ) -> None:
        async with within_timeout(timeout_s, f"sending to {self.queue!r}"):
            await self._sender.outbox.put_many(payloads, outcomes, transaction)

    async def _settled(self, outcomes: SendOutcomes, timeout_s: float | None) -> None:
        async with within_timeout(timeout_s, f"the confirmation of what was sent to {self.queue!r}"):
            await self._sender.outbox.until_settled(outcomes)
