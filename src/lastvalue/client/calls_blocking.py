"""Calls of the blocking client to the asyncio client; written by packaging/blocking_calls.py."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lastvalue.client.choice import Choice, HandledMessages
from lastvalue.client.connection import DEFAULT_TIMEOUT_S
from lastvalue.client.connection import Connection as AsyncConnection
from lastvalue.client.delivery_blocking import Transaction, inner_transaction
from lastvalue.client.exchange_info import ExchangeInfo
from lastvalue.client.explanation import Explanations
from lastvalue.client.key_facts import KeyFacts, KeyOrder
from lastvalue.client.leaders import Leaders
from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.management import QUEUE
from lastvalue.client.message import Message
from lastvalue.client.outbox import Block
from lastvalue.client.page import EVERY_NAME, Page
from lastvalue.client.partitioned_queue import PartitionedQueue as AsyncPartitionedQueue
from lastvalue.client.queue import DEFAULT_SEND_TIMEOUT_S
from lastvalue.client.queue import Queue as AsyncQueue
from lastvalue.client.queue_info import HistoryExtent, QueueInfo, Sequences
from lastvalue.client.sender import Sender as AsyncSender
from lastvalue.client.values import ChangeResult, DeleteResult, Key, KeySequences, KeyValues, PutResult
from lastvalue.client.watcher import Watcher as AsyncWatcher


class ConnectionCalls:
    """What `blocking.Connection` lets `client.Connection` do."""

    def __init__(self, connection: AsyncConnection, thread: LoopThread) -> None:
        self._connection = connection
        self._thread = thread

    @property
    def is_open(self) -> bool:
        """Whether it is connected; not so while a lost connection is made again."""
        return self._connection.is_open

    def leaders(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> Leaders:
        """The brokers that have the queue of that name, or some of its keys, by their configuration.

        See `client.Connection.leaders`.
        """
        return self._thread.run(self._connection.leaders(name, timeout_s=timeout_s))

    def delete(
        self,
        name: str,
        *,
        if_unused: bool = False,
        if_empty: bool = False,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> None:
        """Delete a queue and its messages; see `client.Connection.delete`."""
        self._thread.run(
            self._connection.delete(name, if_unused=if_unused, if_empty=if_empty, timeout_s=timeout_s)
        )

    def purge(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> int:
        """Remove the available messages of a queue; returns how many; see `client.Connection.purge`."""
        return self._thread.run(self._connection.purge(name, timeout_s=timeout_s))

    def queues(self, *, page: Page = EVERY_NAME, timeout_s: float = DEFAULT_TIMEOUT_S) -> list[QueueInfo]:
        """The queues of the broker that the user may see, in order of their names; all, or a page of them.

        See `client.Connection.queues`.
        """
        return self._thread.run(self._connection.queues(page=page, timeout_s=timeout_s))

    def queue_sums(
        self, names: Iterable[str], *, page: Page = EVERY_NAME, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> dict[str, int]:
        """How many queues the user may see, as `queues`, and the sums of these statistics of theirs.

        See `client.Connection.queue_sums`.
        """
        return self._thread.run(self._connection.queue_sums(names, page=page, timeout_s=timeout_s))

    def statistics(self, kind: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> list[dict[str, object]]:
        """The statistics of each connection, session, link, consumer or producer that the user may see.

        See `client.Connection.statistics`.
        """
        return self._thread.run(self._connection.statistics(kind, timeout_s=timeout_s))

    def broker_statistics(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> dict[str, object]:
        """The statistics of the broker and of its process, by name.

        See `client.Connection.broker_statistics`.
        """
        return self._thread.run(self._connection.broker_statistics(timeout_s=timeout_s))

    def close_connection(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        """Let the broker close a connection, by the name that its statistics have.

        See `client.Connection.close_connection`.
        """
        self._thread.run(self._connection.close_connection(name, timeout_s=timeout_s))

    def close_consumer(
        self, name: str, *, session: str, connection: str, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> None:
        """Let the broker end a consumer, by the names that its statistics have; its connection stays.

        See `client.Connection.close_consumer`.
        """
        self._thread.run(
            self._connection.close_consumer(name, session=session, connection=connection, timeout_s=timeout_s)
        )

    def clock_ms(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> int:
        """The broker's time, milliseconds since the epoch."""
        return self._thread.run(self._connection.clock_ms(timeout_s=timeout_s))

    def advance_clock(self, by_ms: int, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> int:
        """Advance a broker's manual clock; returns the new time, milliseconds since the epoch.

        See `client.Connection.advance_clock`.
        """
        return self._thread.run(self._connection.advance_clock(by_ms, timeout_s=timeout_s))

    def snapshot(
        self,
        directory: str,
        *,
        progress: Callable[[int, int], None] | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> int:
        """Let the broker write a snapshot of its store while it runs; returns the snapshot's size in bytes.

        See `client.Connection.snapshot`.
        """
        return self._thread.run(self._connection.snapshot(directory, progress=progress, timeout_s=timeout_s))

    def declare_exchange(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, **options: object) -> None:
        """Declare an exchange, unless it exists with the same options, such as type="topic".

        See `client.Connection.declare_exchange`.
        """
        self._thread.run(self._connection.declare_exchange(name, timeout_s=timeout_s, **options))

    def delete_exchange(
        self, name: str, *, if_unused: bool = False, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> None:
        """Delete an exchange and its bindings; the queues stay; see `client.Connection.delete_exchange`."""
        self._thread.run(self._connection.delete_exchange(name, if_unused=if_unused, timeout_s=timeout_s))

    def exchanges(
        self, *, page: Page = EVERY_NAME, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> list[ExchangeInfo]:
        """The exchanges that the user may see, with their bindings, in order of their names; or a page."""
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
        """Bind a queue or an exchange to an exchange; replaces a binding of the same destination and key.

        See `client.Connection.bind`.
        """
        self._thread.run(self._connection.bind(exchange, destination, key, arguments, timeout_s=timeout_s))

    def unbind(
        self, exchange: str, destination: str, key: str = "", *, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> None:
        """Remove a binding; see `client.Connection.unbind`."""
        self._thread.run(self._connection.unbind(exchange, destination, key, timeout_s=timeout_s))

    def manage(
        self,
        operation: str,
        name: str = "",
        body: Mapping[str, object] | None = None,
        *,
        kind: str = QUEUE,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> object:
        """Send any request to the management node, such as UPDATE of an exchange; returns the answer's body.

        See `client.Connection.manage`.
        """
        return self._thread.run(
            self._connection.manage(operation, name, body, kind=kind, timeout_s=timeout_s)
        )


class QueueCalls:
    """What `blocking.Queue` lets `client.Queue` do."""

    def __init__(self, queue: AsyncQueue, thread: LoopThread) -> None:
        self._queue = queue
        self._thread = thread

    def info(self, *, timeout_s: float = 10.0) -> QueueInfo:
        """The queue's declaration and counts; see `client.Queue.info`."""
        return self._thread.run(self._queue.info(timeout_s=timeout_s))

    def update(self, *, timeout_s: float = 10.0, **options: object) -> QueueInfo:
        """Change these options of the queue; its messages stay; see `client.Queue.update`."""
        return self._thread.run(self._queue.update(timeout_s=timeout_s, **options))

    def move_messages(self, destination: str, choice: Choice, *, timeout_s: float = 10.0) -> HandledMessages:
        """Move messages to another queue, those excepted that it does not take.

        See `client.Queue.move_messages`.
        """
        return self._thread.run(self._queue.move_messages(destination, choice, timeout_s=timeout_s))

    def copy_messages(self, destination: str, choice: Choice, *, timeout_s: float = 10.0) -> HandledMessages:
        """Copy messages to another queue; raises as `move_messages` does."""
        return self._thread.run(self._queue.copy_messages(destination, choice, timeout_s=timeout_s))

    def retry_messages(self, choice: Choice, *, timeout_s: float = 10.0) -> HandledMessages:
        """Move dead letters back to the queues that they left; raises as `move_messages` does."""
        return self._thread.run(self._queue.retry_messages(choice, timeout_s=timeout_s))

    def delete_messages(self, choice: Choice, *, timeout_s: float = 10.0) -> HandledMessages:
        """Remove messages; they do not go to the alternate; raises as `move_messages` does."""
        return self._thread.run(self._queue.delete_messages(choice, timeout_s=timeout_s))

    def change_priority(self, priority: int, choice: Choice, *, timeout_s: float = 10.0) -> HandledMessages:
        """Enqueue messages again with another priority, 0 to 255; raises as `move_messages` does."""
        return self._thread.run(self._queue.change_priority(priority, choice, timeout_s=timeout_s))

    def sequences(self, *, after: int = 0, messages: int | None = None, timeout_s: float = 10.0) -> Sequences:
        """The bounds of the next batch after a sequence, for a reader that reads the queue in batches.

        See `client.Queue.sequences`.
        """
        return self._thread.run(self._queue.sequences(after=after, messages=messages, timeout_s=timeout_s))

    def history_extent(self, *, timeout_s: float = 10.0) -> HistoryExtent | None:
        """What the queue's history has, at the same cost whatever that is; None if it has no history.

        See `client.Queue.history_extent`.
        """
        return self._thread.run(self._queue.history_extent(timeout_s=timeout_s))

    def why(
        self,
        *,
        key: Key | None = None,
        sequence: int | None = None,
        message_id: str | None = None,
        timeout_s: float = 10.0,
    ) -> Explanations:
        """What became of the messages with this key, this sequence or this message id: one of the three.

        See `client.Queue.why`.
        """
        return self._thread.run(
            self._queue.why(key=key, sequence=sequence, message_id=message_id, timeout_s=timeout_s)
        )

    def list_keys(
        self, *, by: KeyOrder = KeyOrder.AGE, limit: int = 100, timeout_s: float = 10.0
    ) -> list[KeyFacts]:
        """Keys of a last-value queue: those with the oldest values first, or those updated most.

        See `client.Queue.list_keys`.
        """
        return self._thread.run(self._queue.list_keys(by=by, limit=limit, timeout_s=timeout_s))

    def get(self, key: Key, *, timeout_s: float = 10.0) -> Message | None:
        """The value of a key of a last-value queue; None if a browser would see none.

        See `client.Queue.get`.
        """
        return self._thread.run(self._queue.get(key, timeout_s=timeout_s))

    def get_many(self, keys: Iterable[Key], *, timeout_s: float = 10.0) -> dict[Key, Message]:
        """The values of these keys of a last-value queue, without the keys that have none.

        See `client.Queue.get_many`.
        """
        return self._thread.run(self._queue.get_many(keys, timeout_s=timeout_s))

    def put(
        self, key: Key, value: object, *, if_sequence: int | None = None, timeout_s: float = 10.0
    ) -> PutResult:
        """Put the value of a key into a last-value queue and wait for its confirmation.

        See `client.Queue.put`.
        """
        return self._thread.run(self._queue.put(key, value, if_sequence=if_sequence, timeout_s=timeout_s))

    def put_many(
        self,
        values: KeyValues,
        *,
        delete: Iterable[Key] = (),
        if_sequences: KeySequences | None = None,
        timeout_s: float = 10.0,
    ) -> ChangeResult:
        """Put values of several keys, and delete others, all at once or not at all; at most 1000 of each.

        See `client.Queue.put_many`.
        """
        return self._thread.run(
            self._queue.put_many(values, delete=delete, if_sequences=if_sequences, timeout_s=timeout_s)
        )

    def delete(self, key: Key, *, if_sequence: int | None = None, timeout_s: float = 10.0) -> DeleteResult:
        """Delete the value of a key of a last-value queue and wait for the confirmation.

        See `client.Queue.delete`.
        """
        return self._thread.run(self._queue.delete(key, if_sequence=if_sequence, timeout_s=timeout_s))

    def send(
        self,
        message: Message,
        *,
        timeout_s: float | None = DEFAULT_SEND_TIMEOUT_S,
        transaction: Transaction | None = None,
    ) -> None:
        """Send one message and wait for its confirmation; in a transaction it is enqueued at the commit.

        See `client.Queue.send`.
        """
        self._thread.run(
            self._queue.send(message, timeout_s=timeout_s, transaction=inner_transaction(transaction))
        )


class SenderCalls:
    """What `blocking.Sender` lets `client.Sender` do."""

    def __init__(self, sender: AsyncSender, thread: LoopThread) -> None:
        self._sender = sender
        self._thread = thread

    @property
    def is_open(self) -> bool:
        """Whether messages may be sent."""
        return self._sender.is_open

    @property
    def max_message_bytes(self) -> int | None:
        """The size of the largest message that the broker takes, once it is open; None: any."""
        return self._sender.max_message_bytes

    def open(self, *, timeout_s: float | None = 10.0) -> None:
        """Attach to the queue; opening again does nothing; see `client.Sender.open`."""
        self._thread.run(self._sender.open(timeout_s=timeout_s))

    def send(
        self, message: Message, *, timeout_s: float | None = 30.0, transaction: Transaction | None = None
    ) -> None:
        """Send one message and wait for its confirmation; a transaction sends it at its commit.

        See `client.Sender.send`.
        """
        self._thread.run(
            self._sender.send(message, timeout_s=timeout_s, transaction=inner_transaction(transaction))
        )

    def send_block(
        self, block: Block, *, timeout_s: float | None = None, transaction: Transaction | None = None
    ) -> int:
        """Send many encoded messages and wait for every confirmation; returns how many it sent.

        See `client.Sender.send_block`.
        """
        return self._thread.run(
            self._sender.send_block(block, timeout_s=timeout_s, transaction=inner_transaction(transaction))
        )


class PartitionedQueueCalls:
    """What `partitioned_queue_blocking.PartitionedQueue` lets `client.PartitionedQueue` do."""

    def __init__(self, queue: AsyncPartitionedQueue, thread: LoopThread) -> None:
        self._queue = queue
        self._thread = thread

    def send(self, message: Message, *, timeout_s: float | None = DEFAULT_SEND_TIMEOUT_S) -> None:
        """Send one message and wait for its confirmation; raises as `Queue.send` and `taker_of` do."""
        self._thread.run(self._queue.send(message, timeout_s=timeout_s))

    def send_many(self, messages: Iterable[Message], *, timeout_s: float | None = None) -> int:
        """Send all messages, at all brokers at once, and wait for every confirmation.

        See `client.PartitionedQueue.send_many`.
        """
        return self._thread.run(self._queue.send_many(messages, timeout_s=timeout_s))

    def put(
        self, key: Key, value: object, *, if_sequence: int | None = None, timeout_s: float = 10.0
    ) -> PutResult:
        """Put the value of a key and wait for its confirmation; raises as `Queue.put`, `partition_of` do."""
        return self._thread.run(self._queue.put(key, value, if_sequence=if_sequence, timeout_s=timeout_s))

    def get(self, key: Key, *, timeout_s: float = 10.0) -> Message | None:
        """The value of a key, or None; raises as `Queue.get` and `partition_of` do."""
        return self._thread.run(self._queue.get(key, timeout_s=timeout_s))

    def get_many(self, keys: Iterable[Key], *, timeout_s: float = 10.0) -> dict[Key, Message]:
        """The values of these keys, without the keys that have none; they are not of one moment."""
        return self._thread.run(self._queue.get_many(keys, timeout_s=timeout_s))

    def delete(self, key: Key, *, if_sequence: int | None = None, timeout_s: float = 10.0) -> DeleteResult:
        """Delete the value of a key; raises as `Queue.delete` and `partition_of` do."""
        return self._thread.run(self._queue.delete(key, if_sequence=if_sequence, timeout_s=timeout_s))

    def info(self, *, timeout_s: float = 10.0) -> list[QueueInfo]:
        """The declaration and counts at each broker, in their order."""
        return self._thread.run(self._queue.info(timeout_s=timeout_s))


class WatcherCalls:
    """What `watcher_blocking.Watcher` lets `client.Watcher` do."""

    def __init__(self, watcher: AsyncWatcher, thread: LoopThread) -> None:
        self._watcher = watcher
        self._thread = thread

    def to_arrow(self) -> Any:
        """The values now as a `pyarrow.Table`, a row for each key; see `watched_tables`.

        See `client.Watcher.to_arrow`.
        """
        return self._thread.run_function(self._watcher.to_arrow)

    def to_pandas(self) -> Any:
        """The values now as a `pandas.DataFrame`, with the columns of `to_arrow`.

        See `client.Watcher.to_pandas`.
        """
        return self._thread.run_function(self._watcher.to_pandas)

    def to_polars(self) -> Any:
        """The values now as a `polars.DataFrame`, with the columns of `to_arrow`.

        See `client.Watcher.to_polars`.
        """
        return self._thread.run_function(self._watcher.to_polars)

    @property
    def stale_for_s(self) -> float | None:
        """For how many seconds the values may be out of date; None while the broker tells each change."""
        return self._watcher.stale_for_s

    def complete(self, timeout_s: float | None = 10.0) -> None:
        """Wait until all values are there, or again all that has changed since the connection was lost.

        See `client.Watcher.complete`.
        """
        self._thread.run(self._watcher.complete(timeout_s))
