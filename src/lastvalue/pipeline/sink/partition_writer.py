"""What a task of the sink does: it writes the rows of its partition to the queue."""

import os
import time
from collections.abc import Iterable
from typing import Final

import pyarrow as pa

from lastvalue.client import TransactionRolledBackError, blocking
from lastvalue.client.errors import (
    AuthenticationError,
    ConnectFailedError,
    ConnectionLostError,
    NotOpenError,
    UntrustedBrokerError,
)
from lastvalue.pipeline.broker_access import with_leader
from lastvalue.pipeline.sink.encoded_rows import RowBlock
from lastvalue.pipeline.sink.options import Delivery, SinkOptions
from lastvalue.pipeline.sink.result import WriteResult
from lastvalue.pipeline.sink.row_batches import RowBatch, row_batches, with_duplicate_id

RETRY_S: Final = 0.25
"""The interval at which a lost broker is tried again."""


class PartitionWriter:
    """Writes the rows of one task, over a connection that all tasks of this process share.

    When the connection is lost, the writer waits for the broker and sends unconfirmed rows again. Spark may
    also run the whole task again.

    Args:
        options: the sink's.
        write_id: identifies the task's write: the same when the task runs again, and different for all
            others.
    """

    def __init__(self, options: SinkOptions, write_id: str) -> None:
        self._options = options
        self._write_id = write_id
        self._links: _Links | None = None

    def write(self, batches: Iterable[pa.RecordBatch]) -> WriteResult:
        """Write all rows.

        Raises:
            RejectedRowError: a row cannot be sent, and there is no dead-letter queue.
            ClientError: the broker cannot be reached, or did not take a row.
        """
        try:
            return WriteResult.sum(
                self._send_with_retry(rows, f"{self._write_id}/{number}")
                for number, rows in enumerate(row_batches(batches, self._options))
            )
        finally:
            if self._links is not None:
                self._links.close()

    def _send_with_retry(self, rows: RowBatch, duplicate_id: str) -> WriteResult:
        """Send a batch; if the broker, which the driver has reached, is lost, wait for it to come back."""
        deadline = time.monotonic() + self._options.timeout_s
        while True:
            try:
                if self._links is None:
                    self._links = _Links(self._options)
                return self._send(rows, duplicate_id, self._links)
            except (ConnectionLostError, ConnectFailedError, NotOpenError) as error:
                if self._links is not None:
                    self._links.drop()
                    self._links = None
                if (
                    isinstance(error, AuthenticationError | UntrustedBrokerError)
                    or time.monotonic() >= deadline
                ):
                    raise
                time.sleep(RETRY_S)

    def _send(self, rows: RowBatch, duplicate_id: str, links: "_Links") -> WriteResult:
        if self._options.delivery is Delivery.AT_LEAST_ONCE:
            return self._send_rows(rows, None, links, None)
        try:
            with links.connection.transaction(timeout_s=self._options.timeout_s) as transaction:
                return self._send_rows(rows, duplicate_id, links, transaction)
        except TransactionRolledBackError as error:
            if error.duplicate_id != duplicate_id:
                raise
            # The broker has confirmed an earlier run of this task.
            return WriteResult(len(rows), repeated=len(rows))

    def _send_rows(
        self,
        rows: RowBatch,
        duplicate_id: str | None,
        links: "_Links",
        transaction: blocking.Transaction | None,
    ) -> WriteResult:
        timeout_s = self._options.timeout_s
        if links.dead_letters is None:
            sent = 0
            for block in rows.blocks(duplicate_id):
                if isinstance(block, RowBlock):
                    sent += links.rows.send_block(block, timeout_s=timeout_s, transaction=transaction)
                else:
                    sent += links.rows.send_many(block, timeout_s=timeout_s, transaction=transaction)
            return WriteResult(sent)
        payloads = rows.payloads(duplicate_id)
        refusals = links.rows.send_encoded(payloads, timeout_s=timeout_s, transaction=transaction)
        letters = rows.dead_letters(refusals)
        if letters:
            if duplicate_id is not None:
                # The row that carried the id may be among these, or all rows are.
                letters[0] = with_duplicate_id(letters[0], duplicate_id)
            links.dead_letters.send_many(letters, timeout_s=timeout_s, transaction=transaction)
        return WriteResult(len(rows) - len(letters), rejected=len(letters))


_BrokerKey = tuple[int, str, str | None]
"""A process, a URL and the file of trusted authorities."""

_connections: dict[_BrokerKey, blocking.Connection] = {}
"""One connection for each key: Spark's Python workers serve many tasks. A forked process opens its own."""


def _broker_key(options: SinkOptions) -> _BrokerKey:
    return os.getpid(), options.url, options.ca_file


class _Links:
    """The connection of this process, and a task's links."""

    def __init__(self, options: SinkOptions) -> None:
        self._key = _broker_key(options)
        self._options = options
        self.dead_letters: blocking.Sender | None = None
        cached = _connections.pop(self._key, None)
        if cached is not None:
            try:
                # Attaching is a round trip, so it shows whether the connection is alive.
                self._attach(cached)
            except (ConnectionLostError, NotOpenError):
                cached.close()
            else:
                return
        with_leader(options.url, options.ca_file, self._attach)

    def _attach(self, connection: blocking.Connection) -> None:
        options = self._options
        once = options.delivery is Delivery.EXACTLY_ONCE
        self.connection = connection
        # A row that the broker refuses makes the transaction fail, so single rows need no confirmation.
        settled = once and options.dead_letters is None
        self.rows = connection.queue(options.queue).sender(once=once, settled=settled)
        self.rows.open()
        if options.dead_letters is not None:
            self.dead_letters = connection.queue(options.dead_letters).sender(once=once)
            self.dead_letters.open()
        _connections[self._key] = connection

    def close(self) -> None:
        """Close the links and leave the connection open."""
        self.rows.close()
        if self.dead_letters is not None:
            self.dead_letters.close()

    def drop(self) -> None:
        """Close the connection, which is lost."""
        _connections.pop(self._key, None)
        self.connection.close()
