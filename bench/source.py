"""Rows a second and core that a task of the Spark source makes of messages, step by step, without Spark.

python bench/source.py [messages]
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pyarrow as pa

from lastvalue.client import Message, blocking
from lastvalue.client.arrow.record_batches import record_batch
from lastvalue.client.bulk import Messages, browse_in_bulk
from lastvalue.codec.amqp10.columns import Columns
from lastvalue.pipeline.source.options import SourceOptions
from lastvalue.pipeline.source.range_reader import Range, RowBuffer, read_range

# Without the broker's CPU: it is a process of its own.
MESSAGES = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
BODY = b"x" * 100
CHUNK = 50_000
READINGS = 100


@contextmanager
def served() -> Iterator[str]:
    """A broker in a process of its own."""
    command = [sys.executable, "-c", _SERVE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True) as broker:
        assert broker.stdout is not None
        yield f"amqp://127.0.0.1:{broker.stdout.readline().strip()}"
        broker.terminate()


_SERVE = """
import asyncio
from lastvalue.server.broker_server import BrokerServer, ServerOptions
async def main():
    async with BrokerServer(ServerOptions(port=0)) as server:
        print(server.port, flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""


def measured(name: str, rows: int, work: Callable[[], object]) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{name:44} {rows / cpu:12,.0f} rows/s/core  {rows / wall:12,.0f} rows/s")


def fill(url: str) -> None:
    with blocking.connect(url) as connection:
        queue = connection.declare("q")
        queue.send_many(Message(BODY, {"key": f"k{n % 1000}", "n": n}) for n in range(MESSAGES))


def received(url: str) -> list[Messages]:
    with browse_in_bulk(url, "q") as browser:
        return list(browser)


def taken_apart(payloads: list[bytes]) -> list[Columns]:
    found = []
    for first in range(0, len(payloads), CHUNK):
        columns = Columns("key")
        columns.take_all(payloads[first : first + CHUNK])
        found.append(columns)
    return found


def in_batches(columns: list[Columns]) -> list[pa.RecordBatch]:
    return [record_batch(each, "q") for each in columns]


def in_step(arrived: list[Messages]) -> list[pa.RecordBatch]:
    part = Range("q", "key", 0, MESSAGES, 0, in_order=True, gapless=True, url="")
    found = []
    for first in range(0, len(arrived), READINGS):
        buffer = RowBuffer(SourceOptions("q", ""), part)
        for messages in arrived[first : first + READINGS]:
            buffer.add(messages)
        found.append(buffer.batch())
    return found


def plain(url: str) -> int:
    with blocking.connect(url) as connection:
        return sum(1 for _ in connection.queue("q").browse(limit=MESSAGES // 10, prefetch=1000))


def main() -> None:
    with served() as url:
        fill(url)
        options = SourceOptions("q", url)
        part = Range("q", "key", 0, MESSAGES, 0, in_order=True, gapless=True, url=url)
        arrived = received(url)
        payloads = [payload for messages in arrived for payload in messages.payloads()]
        columns = taken_apart(payloads)
        # pyarrow imports pandas with its first array.
        list(read_range(options, part))
        measured("plain client, browse", MESSAGES // 10, lambda: plain(url))
        measured("receive in bulk", MESSAGES, lambda: received(url))
        measured("take apart in step, to Arrow", MESSAGES, lambda: in_step(arrived))
        measured("take apart one by one", MESSAGES, lambda: taken_apart(payloads))
        measured("what was taken apart one by one to Arrow", MESSAGES, lambda: in_batches(columns))
        measured("a task of the source, all of it", MESSAGES, lambda: list(read_range(options, part)))


if __name__ == "__main__":
    main()
