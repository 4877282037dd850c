"""What a task of the sink does: its partition's rows into the queue, once if that is asked for."""

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from lastvalue.client import TransactionRolledBackError, blocking
from lastvalue.client.errors import ConnectFailedError, ConnectionLostError, NotOpenError
from lastvalue.pipeline.broker_access import connect
from lastvalue.pipeline.sink.encoded_rows import RowBlock
from lastvalue.pipeline.sink.options import Delivery, SinkOptions
from lastvalue.pipeline.sink.row_batches import Parcel, marked, parcels

RETRY_S: Final = 0.25
"""How often a broker that went away is tried."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """What became of rows.

    Attributes:
        rows: that the queue has.
        repeated: of them, those that it had before, from a task that was run again.
        rejected: that went to the queue for dead letters.
    """

    rows: int = 0
    repeated: int = 0
    rejected: int = 0

    def plus(self, other: "Delivered") -> "Delivered":
        """Both together."""
        return Delivered(
            self.rows + other.rows, self.repeated + other.repeated, self.rejected + other.rejected
        )


class Courier:
    """Delivers the parcels of one task over this process's connection to the broker.

    A broker that goes away is waited for, and what is unconfirmed is sent again; so may a task be that fails.

    Args:
        options: the sink's.
        identity: of the task: the same when it is run again, and no other's.
    """

    def __init__(self, options: SinkOptions, identity: str) -> None:
        self._options = options
        self._identity = identity
        self._links: _Links | None = None

    def deliver(self, batches: Iterable[pa.RecordBatch]) -> Delivered:
        """Deliver all rows.

        Raises:
            RejectedRowError: one cannot be sent, and there is no queue for dead letters.
            ClientError: the broker cannot be reached, or did not take a row.
        """
        delivered = Delivered()
        try:
            for number, parcel in enumerate(parcels(batches, self._options)):
                delivered = delivered.plus(self._insist(parcel, f"{self._identity}/{number}"))
        finally:
            if self._links is not None:
                self._links.close()
        return delivered

    def _insist(self, parcel: Parcel, duplicate_id: str) -> Delivered:
        """Deliver a parcel; a broker that was there and is not any more is waited for."""
        deadline = time.monotonic() + self._options.timeout_s
        while True:
            met = self._links is not None or _place(self._options) in _known
            try:
                if self._links is None:
                    self._links = _Links(self._options)
                return self._send(parcel, duplicate_id, self._links)
            except (ConnectionLostError, ConnectFailedError, NotOpenError):
                if self._links is not None:
                    self._links.drop()
                    self._links = None
                if not met or time.monotonic() >= deadline:
                    raise
                time.sleep(RETRY_S)

    def _send(self, parcel: Parcel, duplicate_id: str, links: "_Links") -> Delivered:
        if self._options.delivery is Delivery.AT_LEAST_ONCE:
            return self._hand_over(parcel, None, links, None)
        try:
            with links.connection.transaction(timeout_s=self._options.timeout_s) as transaction:
                return self._hand_over(parcel, duplicate_id, links, transaction)
        except TransactionRolledBackError as error:
            if error.duplicate_id != duplicate_id:
                raise
            # An earlier run of this task was confirmed.
            return Delivered(len(parcel), repeated=len(parcel))

    def _hand_over(
        self,
        parcel: Parcel,
        duplicate_id: str | None,
        links: "_Links",
        transaction: blocking.Transaction | None,
    ) -> Delivered:
        timeout_s = self._options.timeout_s
        if links.dead_letters is None:
            sent = 0
            for block in parcel.blocks(duplicate_id):
                if isinstance(block, RowBlock):
                    sent += links.rows.send_block(block, timeout_s=timeout_s, transaction=transaction)
                else:
                    sent += links.rows.send_many(block, timeout_s=timeout_s, transaction=transaction)
            return Delivered(sent)
        payloads = parcel.payloads(duplicate_id)
        refusals = links.rows.send_encoded(payloads, timeout_s=timeout_s, transaction=transaction)
        letters = parcel.dead_letters(refusals)
        if letters:
            if duplicate_id is not None:
                # Its row may be among these, or all rows are.
                letters[0] = marked(letters[0], duplicate_id)
            links.dead_letters.send_many(letters, timeout_s=timeout_s, transaction=transaction)
        return Delivered(len(parcel) - len(letters), rejected=len(letters))


_Place = tuple[int, str, str | None]
"""A process, a URL and whom to believe there."""

_connections: dict[_Place, blocking.Connection] = {}
"""One connection a place, because Spark's Python workers serve many tasks. A fork starts anew."""

_known: set[_Place] = set()
"""Where this process was connected before."""


def _place(options: SinkOptions) -> _Place:
    return os.getpid(), options.url, options.ca_file


class _Links:
    """The connection of this process, and a task's links."""

    def __init__(self, options: SinkOptions) -> None:
        self._place = _place(options)
        self._options = options
        self.dead_letters: blocking.Sender | None = None
        kept = _connections.pop(self._place, None)
        if kept is not None:
            try:
                # Attaching is a round trip, so it tells whether the connection lives.
                self._attach(kept)
            except (ConnectionLostError, NotOpenError):
                kept.close()
            else:
                return
        self._attach(connect(options.url, options.ca_file))

    def _attach(self, connection: blocking.Connection) -> None:
        options = self._options
        once = options.delivery is Delivery.EXACTLY_ONCE
        self.connection = connection
        # What a transaction does not take makes it fail, so that nobody need confirm each row.
        settled = once and options.dead_letters is None
        self.rows = connection.queue(options.queue).sender(once=once, settled=settled)
        self.rows.open()
        if options.dead_letters is not None:
            self.dead_letters = connection.queue(options.dead_letters).sender(once=once)
            self.dead_letters.open()
        _connections[self._place] = connection
        _known.add(self._place)

    def close(self) -> None:
        """End the links; the connection stays."""
        self.rows.close()
        if self.dead_letters is not None:
            self.dead_letters.close()

    def drop(self) -> None:
        """Forget the connection, which is dead."""
        _connections.pop(self._place, None)
        self.connection.close()
