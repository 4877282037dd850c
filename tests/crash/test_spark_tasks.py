"""Tasks of Spark at brokers that follow another one, each a process of its own."""

import asyncio
import signal

import pyarrow as pa
from test_followers import leader_and_follower, until_depth

from lastvalue.client import connect
from lastvalue.pipeline.sink.options import parse_sink_options
from lastvalue.pipeline.sink.partition_writer import PartitionWriter
from lastvalue.pipeline.source.options import parse_source_options
from lastvalue.pipeline.source.readers import BatchReader


def write(url: str, number: int) -> None:
    rows = pa.RecordBatch.from_pydict({"key": [f"k{number}"], "body": [str(number)]})
    PartitionWriter(parse_sink_options({"queue": "values", "url": url}), f"task {number}").write([rows])


def read(url: str) -> set[str]:
    reader = BatchReader(parse_source_options({"queue": "values", "url": url}))
    batches = [batch for part in reader.partitions() for batch in reader.read(part)]
    return {body.decode() for batch in batches for body in batch.column("body").to_pylist()}


async def test_a_task_that_meets_a_follower_writes_at_the_leader_and_reads_where_it_is(
    log_address: str,
) -> None:
    async with leader_and_follower(log_address) as (leader, follower):
        async with connect(leader.url) as writing:
            await writing.declare("values", durable=True, lvq_key="key")
        async with connect(follower.url, reconnect=False) as reading:
            await until_depth(reading, "values", 0)
            await asyncio.to_thread(write, follower.url, 1)
            await until_depth(reading, "values", 1)
        assert await asyncio.to_thread(read, follower.url) == {"1"}
        leader.signal(signal.SIGKILL)
        # It is sent to the dead leader until the follower leads, and tries again.
        await asyncio.to_thread(write, f"{leader.url},{follower.url}", 2)
        assert await asyncio.to_thread(read, follower.url) == {"1", "2"}
