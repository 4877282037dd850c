"""The messages of a queue as Arrow tables; needs pyarrow and numpy."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from lastvalue.client.arrow.byte_columns import PADDING
from lastvalue.client.arrow.record_batches import columnar_record_batch, record_batch, schema_of
from lastvalue.client.queue import Queue
from lastvalue.client.wanted import EVERYTHING, Wanted
from lastvalue.codec.amqp10.columns import Columns

BATCH: Final = 8192
"""How many messages are read at a time."""


async def queue_batches(
    queue: Queue, columns: Sequence[str] = (), wanted: Wanted = EVERYTHING
) -> AsyncGenerator[pa.RecordBatch]:
    """The messages that a queue has now, a record batch for some thousand of them; without `columns` all.

    Raises:
        QueueNotFoundError: the queue does not exist.
        RefusedError: the caller may not browse it, or the selector is not valid.
    """
    key_property = await key_property_of(queue)
    async with queue.browse(wanted=wanted, prefetch=BATCH) as browser:
        while payloads := await browser.payloads(BATCH):
            # It takes longer than other work of the loop should wait.
            yield await asyncio.to_thread(_rows, payloads, queue.name, key_property, columns)


async def queue_table(queue: Queue, columns: Sequence[str] = (), wanted: Wanted = EVERYTHING) -> pa.Table:
    """The messages that a queue has now; errors are those of `queue_batches`."""
    batches = [batch async for batch in queue_batches(queue, columns, wanted)]
    return pa.Table.from_batches(batches, chosen_schema(columns))


async def key_property_of(queue: Queue) -> str:
    """The property that is the key of a last-value queue; empty for another queue."""
    key = (await queue.info()).options.get("lvq_key")
    return key if isinstance(key, str) else ""


def chosen_schema(columns: Sequence[str]) -> pa.Schema:
    """The schema of these columns; without any of all."""
    schema = schema_of()
    return pa.schema([schema.field(each) for each in columns]) if columns else schema


def _rows(payloads: list[bytes], queue: str, key_property: str, names: Sequence[str]) -> pa.RecordBatch:
    sizes = np.cumsum([0, *map(len, payloads)])
    bounds = np.stack([sizes[:-1], sizes[1:]], axis=1)
    data = b"".join([*payloads, PADDING])
    rows = columnar_record_batch(data, bounds, queue, key_property, names=names)
    if rows is not None:
        return rows
    columns = Columns(key_property)
    columns.take_all(payloads)
    rows = record_batch(columns, queue)
    return rows.select(list(names)) if names else rows
