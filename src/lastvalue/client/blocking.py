"""The client's blocking form: the same names without await.

    with connect("amqp://127.0.0.1:5672") as connection:
        prices = connection.declare("prices", lvq_key="symbol")
        prices.send(Message(101.5, {"symbol": "AAPL"}))
        for message in prices.browse():
            print(message.body)

A connection runs its event loop in a daemon thread of its own and may be used from any thread.
It does not cross a fork: a new process needs its own connection.
"""

import asyncio
import ssl
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from lastvalue.client import connection as asynchronous
from lastvalue.client.browser_blocking import Browser
from lastvalue.client.choice import Choice, HandledMessages
from lastvalue.client.connection import DEFAULT_TIMEOUT_S
from lastvalue.client.delivery_blocking import Delivery, Receiver, Transaction, inner_transaction
from lastvalue.client.exchange_info import ExchangeInfo
from lastvalue.client.explanation import Explanations
from lastvalue.client.key_facts import KeyFacts, KeyOrder
from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.message import Message
from lastvalue.client.outbox import Block, Refusal, SendOutcomes
from lastvalue.client.page import EVERY_NAME, Page
from lastvalue.client.partitioned_queue_blocking import PartitionedQueue
from lastvalue.client.queue import DEFAULT_SEND_TIMEOUT_S
from lastvalue.client.queue import Queue as AsyncQueue
from lastvalue.client.queue_info import HistoryExtent, QueueInfo, Sequences
from lastvalue.client.receiver import DEFAULT_AHEAD
from lastvalue.client.reconnection import Reconnection
from lastvalue.client.sender import DEFAULT_MAX_OUTSTANDING
from lastvalue.client.sender import Sender as AsyncSender
from lastvalue.client.timeouts import within_timeout
from lastvalue.client.transaction import DEFAULT_TRANSACTION_TIMEOUT_S
from lastvalue.client.transaction import Transaction as AsyncTransaction
from lastvalue.client.url import DEFAULT_URL
from lastvalue.client.values import ChangeResult, DeleteResult, Key, KeySequences, KeyValues, PutResult
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


class Connection:
    """An open connection to a broker."""

    def __init__(self, connection: asynchronous.Connection, thread: LoopThread) -> None:
        self._connection = connection
        self._thread = thread

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

    def delete(
        self,
        name: str,
        *,
        if_unused: bool = False,
        if_empty: bool = False,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> None:
        """Delete a queue and what it holds; see `client.Connection.delete`."""
        deletion = self._connection.delete(name, if_unused=if_unused, if_empty=if_empty, timeout_s=timeout_s)
        self._thread.run(deletion)

    def purge(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> int:
        """Remove the available messages of a queue; returns how many; see `client.Connection.purge`."""
        return self._thread.run(self._connection.purge(name, timeout_s=timeout_s))

    def queues(self, *, page: Page = EVERY_NAME, timeout_s: float = DEFAULT_TIMEOUT_S) -> list[QueueInfo]:
        """The queues that the user may see, in order of their names; see `client.Connection.queues`."""
        return self._thread.run(self._connection.queues(page=page, timeout_s=timeout_s))

    def queue_sums(
        self, names: Iterable[str], *, page: Page = EVERY_NAME, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> dict[str, int]:
        """The sums of statistics of queues; see `client.Connection.queue_sums`."""
        return self._thread.run(self._connection.queue_sums(names, page=page, timeout_s=timeout_s))

    def statistics(self, kind: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> list[dict[str, object]]:
        """The statistics of connections, sessions or links; see `client.Connection.statistics`."""
        return self._thread.run(self._connection.statistics(kind, timeout_s=timeout_s))

    def close_connection(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        """Let the broker close a connection; see `client.Connection.close_connection`."""
        self._thread.run(self._connection.close_connection(name, timeout_s=timeout_s))

    def close_consumer(
        self, name: str, *, session: str, connection: str, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> None:
        """Let the broker end a consumer; see `client.Connection.close_consumer`."""
        closing = self._connection.close_consumer(
            name, session=session, connection=connection, timeout_s=timeout_s
        )
        self._thread.run(closing)

    def manage(
        self,
        operation: str,
        name: str = "",
        body: Mapping[str, object] | None = None,
        *,
        kind: str = "queue",
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> object:
        """Send any request to the management node; see `client.Connection.manage`."""
        asked = self._connection.manage(operation, name, body, kind=kind, timeout_s=timeout_s)
        return self._thread.run(asked)

    def clock_ms(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> int:
        """The broker's time, milliseconds since the epoch."""
        return self._thread.run(self._connection.clock_ms(timeout_s=timeout_s))

    def snapshot(
        self,
        directory: str,
        *,
        progress: Callable[[int, int], None] | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> int:
        """Let the broker write a snapshot of its store; see `client.Connection.snapshot`."""
        return self._thread.run(self._connection.snapshot(directory, progress=progress, timeout_s=timeout_s))

    @property
    def is_open(self) -> bool:
        """Whether it has not ended."""
        return self._connection.is_open

    def broker_statistics(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> dict[str, object]:
        """The statistics of the broker and of its process; see `client.Connection.broker_statistics`."""
        return self._thread.run(self._connection.broker_statistics(timeout_s=timeout_s))

    def advance_clock(self, by_ms: int, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> int:
        """Move a manual clock; see `client.Connection.advance_clock`."""
        return self._thread.run(self._connection.advance_clock(by_ms, timeout_s=timeout_s))

    def declare_exchange(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, **options: object) -> None:
        """Declare an exchange, unless it exists with the same options; see `client.Connection`."""
        self._thread.run(self._connection.declare_exchange(name, timeout_s=timeout_s, **options))

    def delete_exchange(
        self, name: str, *, if_unused: bool = False, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> None:
        """Delete an exchange and its bindings; see `client.Connection.delete_exchange`."""
        self._thread.run(self._connection.delete_exchange(name, if_unused=if_unused, timeout_s=timeout_s))

    def exchanges(
        self, *, page: Page = EVERY_NAME, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> list[ExchangeInfo]:
        """The exchanges that the user may see, with their bindings; see `client.Connection.exchanges`."""
        return self._thread.run(self._connection.exchanges(page=page, timeout_s=timeout_s))

    def bind(
        self,
        exchange: str,
        destination: str,
        key: str = "",
        arguments: Mapping[str, object] | None = None,
        *,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> None:
        """Bind a queue or an exchange to an exchange; see `client.Connection.bind`."""
        self._thread.run(self._connection.bind(exchange, destination, key, arguments, timeout_s=timeout_s))

    def unbind(
        self, exchange: str, destination: str, key: str = "", *, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> None:
        """Remove a binding; see `client.Connection.unbind`."""
        self._thread.run(self._connection.unbind(exchange, destination, key, timeout_s=timeout_s))


class Queue:
    """A queue of a connection."""

    def __init__(self, queue: AsyncQueue, thread: LoopThread) -> None:
        self.name = queue.name
        self._queue = queue
        self._thread = thread

    def info(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> QueueInfo:
        """The queue's declaration and counts; see `client.Queue.info`."""
        return self._thread.run(self._queue.info(timeout_s=timeout_s))

    def update(self, *, timeout_s: float = DEFAULT_TIMEOUT_S, **options: object) -> QueueInfo:
        """Change these options of the queue; see `client.Queue.update`."""
        return self._thread.run(self._queue.update(timeout_s=timeout_s, **options))

    def move_messages(self, destination: str, choice: Choice, *, timeout_s: float = 10.0) -> HandledMessages:
        """Move messages to another queue; see `client.Queue.move_messages`."""
        return self._thread.run(self._queue.move_messages(destination, choice, timeout_s=timeout_s))

    def copy_messages(self, destination: str, choice: Choice, *, timeout_s: float = 10.0) -> HandledMessages:
        """Copy messages to another queue; see `client.Queue.copy_messages`."""
        return self._thread.run(self._queue.copy_messages(destination, choice, timeout_s=timeout_s))

    def retry_messages(self, choice: Choice, *, timeout_s: float = 10.0) -> HandledMessages:
        """Move dead letters back to where they came from; see `client.Queue.retry_messages`."""
        return self._thread.run(self._queue.retry_messages(choice, timeout_s=timeout_s))

    def delete_messages(self, choice: Choice, *, timeout_s: float = 10.0) -> HandledMessages:
        """Remove messages; see `client.Queue.delete_messages`."""
        return self._thread.run(self._queue.delete_messages(choice, timeout_s=timeout_s))

    def change_priority(self, priority: int, choice: Choice, *, timeout_s: float = 10.0) -> HandledMessages:
        """Enqueue messages again with another priority; see `client.Queue.change_priority`."""
        return self._thread.run(self._queue.change_priority(priority, choice, timeout_s=timeout_s))

    def sequences(
        self, *, after: int = 0, messages: int | None = None, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> Sequences:
        """The bounds of the next batch of messages; see `client.Queue.sequences`."""
        return self._thread.run(self._queue.sequences(after=after, messages=messages, timeout_s=timeout_s))

    def history_extent(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> HistoryExtent | None:
        """What the queue's history has; see `client.Queue.history_extent`."""
        return self._thread.run(self._queue.history_extent(timeout_s=timeout_s))

    def why(
        self,
        *,
        key: Key | None = None,
        sequence: int | None = None,
        message_id: str | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> Explanations:
        """What became of messages; see `client.Queue.why`."""
        asked = self._queue.why(key=key, sequence=sequence, message_id=message_id, timeout_s=timeout_s)
        return self._thread.run(asked)

    def list_keys(
        self, *, by: KeyOrder = KeyOrder.AGE, limit: int = 100, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> list[KeyFacts]:
        """Keys of the queue; see `client.Queue.list_keys`."""
        return self._thread.run(self._queue.list_keys(by=by, limit=limit, timeout_s=timeout_s))

    def get(self, key: Key, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> Message | None:
        """The value of a key; see `client.Queue.get`."""
        return self._thread.run(self._queue.get(key, timeout_s=timeout_s))

    def get_many(self, keys: Iterable[Key], *, timeout_s: float = DEFAULT_TIMEOUT_S) -> dict[Key, Message]:
        """The values of these keys; see `client.Queue.get_many`."""
        return self._thread.run(self._queue.get_many(keys, timeout_s=timeout_s))

    def put(
        self, key: Key, value: object, *, if_sequence: int | None = None, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> PutResult:
        """Put a key's value and wait for its confirmation; see `client.Queue.put`."""
        return self._thread.run(self._queue.put(key, value, if_sequence=if_sequence, timeout_s=timeout_s))

    def put_many(
        self,
        values: KeyValues,
        *,
        delete: Iterable[Key] = (),
        if_sequences: KeySequences | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> ChangeResult:
        """Put values of several keys, and delete others, all or none; see `client.Queue.put_many`."""
        changing = self._queue.put_many(values, delete=delete, if_sequences=if_sequences, timeout_s=timeout_s)
        return self._thread.run(changing)

    def delete(
        self, key: Key, *, if_sequence: int | None = None, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> DeleteResult:
        """Delete the value of a key and wait for the confirmation; see `client.Queue.delete`."""
        return self._thread.run(self._queue.delete(key, if_sequence=if_sequence, timeout_s=timeout_s))

    def send(
        self,
        message: Message,
        *,
        timeout_s: float | None = DEFAULT_SEND_TIMEOUT_S,
        transaction: "Transaction | None" = None,
    ) -> None:
        """Send one message and wait for its confirmation; see `client.Queue.send`."""
        inner = inner_transaction(transaction)
        self._thread.run(self._queue.send(message, timeout_s=timeout_s, transaction=inner))

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


class Sender:
    """Sends to one queue; open it, or use it as a context manager, which flushes at its end."""

    def __init__(self, sender: AsyncSender, thread: LoopThread) -> None:
        self.queue = sender.queue
        self._sender = sender
        self._thread = thread
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

    @property
    def max_message_bytes(self) -> int | None:
        """The size of the largest message that the broker takes; see `client.Sender.max_message_bytes`."""
        return self._sender.max_message_bytes

    def open(self, *, timeout_s: float | None = DEFAULT_TIMEOUT_S) -> None:
        """Attach to the queue; see `client.Sender.open`."""
        self._thread.run(self._sender.open(timeout_s=timeout_s))

    def send(
        self,
        message: Message,
        *,
        timeout_s: float | None = DEFAULT_SEND_TIMEOUT_S,
        transaction: "Transaction | None" = None,
    ) -> None:
        """Send one message and wait for its confirmation; see `client.Sender.send`."""
        inner = inner_transaction(transaction)
        self._thread.run(self._sender.send(message, timeout_s=timeout_s, transaction=inner))

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

    def send_block(
        self, block: Block, *, timeout_s: float | None = None, transaction: "Transaction | None" = None
    ) -> int:
        """Send many encoded messages; see `client.Sender.send_block`."""
        inner = inner_transaction(transaction)
        return self._thread.run(self._sender.send_block(block, timeout_s=timeout_s, transaction=inner))

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
            for payload in payloads:
                await self._sender.outbox.put(payload, outcomes, transaction)

    async def _settled(self, outcomes: SendOutcomes, timeout_s: float | None) -> None:
        async with within_timeout(timeout_s, f"the confirmation of what was sent to {self.queue!r}"):
            await self._sender.outbox.until_settled(outcomes)
