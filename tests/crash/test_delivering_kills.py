"""A broker is killed again and again while a task of the Spark sink delivers; every row arrives once."""

import os
import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest
from served_broker import ServedBroker
from waiting import wait_until

from lastvalue.client import blocking
from lastvalue.pipeline.sink.options import SinkOptions
from lastvalue.pipeline.sink.partition_writer import PartitionWriter

KILLS = int(os.environ.get("LASTVALUE_KILLS", "4"))
ROWS_A_KILL = 10_000
DELIVERED_S = 600.0
"""So long may the rows of a kill take, where other processes have the processors."""


def has_rows(queue: blocking.Queue, count: int) -> bool:
    return queue.info().depth >= count


@pytest.mark.interop
@pytest.mark.timeout(1200 + 120 * KILLS)
def test_each_row_arrives_once_however_often_the_broker_is_killed(tmp_path: Path) -> None:
    chance = random.Random(os.environ.get("LASTVALUE_SEED", "1"))
    count = ROWS_A_KILL * (KILLS + 1)
    rows = pa.RecordBatch.from_pydict({"body": [str(number) for number in range(count)]})
    arguments = ["--store", str(tmp_path / "store"), "--port", "0"]
    with ThreadPoolExecutor(1) as thread:
        delivering = None
        for kill in range(KILLS + 1):
            with ServedBroker(*arguments) as broker:
                arguments[-1] = str(broker.port)
                with blocking.connect(broker.url) as connection:
                    queue = connection.declare("survivor", durable=True, duplicate_window=1000)
                    if delivering is None:
                        options = SinkOptions("survivor", broker.url, transaction_rows=500)
                        delivering = thread.submit(PartitionWriter(options, "task").write, [rows])
                    if kill == KILLS:
                        assert delivering.result(DELIVERED_S).rows == count
                        break
                    wanted = kill * ROWS_A_KILL + chance.randrange(500, ROWS_A_KILL)
                    came = partial(has_rows, queue, wanted)
                    wait_until(came, limit_s=DELIVERED_S)
                    broker.process.kill()
        with ServedBroker(*arguments) as broker, blocking.connect(broker.url) as connection:
            browser = connection.queue("survivor").browse(prefetch=5000)
            assert [int(str(message.body)) for message in browser] == list(range(count))
