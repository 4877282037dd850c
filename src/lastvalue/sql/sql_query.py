"""Queries over queues."""

import asyncio
import time
from pathlib import Path

import duckdb
import pyarrow as pa

from lastvalue.client import Connection
from lastvalue.client.arrow.queue_table import key_property_of, queue_table
from lastvalue.client.arrow.record_batches import record_batch
from lastvalue.codec.amqp10.columns import Columns
from lastvalue.history.moment import QueuedMessage
from lastvalue.history.recorded_history import read_history
from lastvalue.history.times import read_time
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.queues.spec import LastValue
from lastvalue.sql.query_text import QueryError, QueueReference, read_query
from lastvalue.sql.queue_view import make_queue_view


async def sql_query(broker: Connection, text: str, tables: Path | str | None = None) -> pa.Table:
    """The result of one SELECT over queues, by their names as tables.

    Every queue is read whole, once for each moment at which the query reads it.

    Args:
        broker: an open connection; its user browses the queues.
        text: the query; `NAME as of 'TIME'` is a queue as it was then, from its history.
        tables: a directory with histories, for records that the broker no longer has.

    Raises:
        QueryError: the query is wrong, or names what is no queue.
        RefusedError: the user may not browse a queue.
        InvalidTimeError, HistoryUnavailableError: a time is none, or the history does not reach it.
    """
    query = read_query(text)
    with duckdb.connect() as database:
        for reference in query.references:
            try:
                rows, key_property = await _rows(broker, reference, tables)
            except QueueNotFoundError as error:
                raise QueryError(f"the query reads {reference.queue!r}: {error}") from None
            await asyncio.to_thread(make_queue_view, database, reference.table, rows, key_property)
        try:
            return await asyncio.to_thread(lambda: database.execute(query.text).to_arrow_table())
        except duckdb.Error as error:
            raise QueryError(str(error)) from None


async def _rows(
    broker: Connection, reference: QueueReference, tables: Path | str | None
) -> tuple[pa.Table, str]:
    if reference.time is None:
        queue = broker.queue(reference.queue)
        return await queue_table(queue), await key_property_of(queue)
    time_ms = read_time(reference.time, time.time_ns() // 1_000_000)
    history = await read_history(
        reference.queue, url=broker, tables=tables, until_ms=time_ms, since_ms=time_ms
    )
    moment = history.as_of(time_ms)
    ordering = None if moment.spec is None else moment.spec.ordering
    key_property = ordering.key if isinstance(ordering, LastValue) else ""
    return _past_rows(moment.in_order(time_ms), reference.queue, key_property), key_property


def _past_rows(messages: list[QueuedMessage], queue: str, key_property: str) -> pa.Table:
    columns = Columns(key_property)
    columns.take_all([each.record.message for each in messages])
    # A record has the message as it came, without what the queue says of it.
    columns.sequences = [each.record.sequence or 0 for each in messages]
    columns.arrivals_ms = [each.record.arrival_ms or 0 for each in messages]
    columns.updates = [each.updates for each in messages]
    return pa.Table.from_batches([record_batch(columns, queue)])
