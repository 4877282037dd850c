"""The values of a queue as an Arrow IPC stream, with the columns of the Spark source; needs pyarrow."""

import io
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

import pyarrow as pa

from lastvalue.client import Queue, Wanted
from lastvalue.client.arrow.queue_table import chosen_schema, queue_batches
from lastvalue.client.arrow.record_batches import schema_of


def column_names() -> list[str]:
    """The columns there are."""
    return list(schema_of().names)


async def arrow_stream(
    queues: Sequence[Queue], columns: Sequence[str], wanted: Wanted
) -> AsyncGenerator[bytes]:
    """The bytes of a stream with a record batch for some thousand values; its schema comes first.

    A queue whose keys several brokers have is there more than once.

    Without `columns` it has all.

    Raises:
        QueueNotFoundError: the queue does not exist.
        RefusedError: the caller may not browse it, or the selector is not valid.
    """
    buffer = io.BytesIO()
    async with aclosing(_batches(queues, columns, wanted)) as batches:
        # Before anything is sent the errors are those of the request.
        batch = await anext(batches, None)
        with pa.ipc.new_stream(buffer, chosen_schema(columns)) as writer:
            while batch is not None:
                writer.write_batch(batch)
                yield _taken(buffer)
                batch = await anext(batches, None)
    yield _taken(buffer)


async def _batches(
    queues: Sequence[Queue], columns: Sequence[str], wanted: Wanted
) -> AsyncGenerator[pa.RecordBatch]:
    for queue in queues:
        async with aclosing(queue_batches(queue, columns, wanted)) as batches:
            async for batch in batches:
                yield batch


def _taken(buffer: io.BytesIO) -> bytes:
    """What has been written since the last call."""
    taken = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return taken
