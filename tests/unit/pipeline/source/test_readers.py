"""The source's readers without Spark: what is planned, and what is read, from a real broker."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pytest

pytest.importorskip("pyspark")

from pyspark.sql.datasource import InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxRows
from pyspark.sql.types import StructType

from lastvalue.client import Message, blocking
from lastvalue.client.errors import ConnectFailedError
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.pipeline.source.broker_queries import DataLossError
from lastvalue.pipeline.source.divided_reader import DividedStreamReader
from lastvalue.pipeline.source.options import InvalidSourceError, SourceOptions, parse_source_options
from lastvalue.pipeline.source.range_reader import Range, read_range
from lastvalue.pipeline.source.readers import BatchReader, Offset
from lastvalue.pipeline.source.source_schema import source_schema
from lastvalue.pipeline.source.stream_reader import StreamReader
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.open_store import StoreSettings
from pyspark_lastvalue import DefaultSource

T = TypeVar("T")
RING = {"max_messages": 5, "when_full": "drop-oldest"}


class Served:
    """A broker in a thread, with a store, that can be stopped and started again."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server: BrokerServer | None = None
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"amqp://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._server = BrokerServer(ServerOptions(port=self.port), store=StoreSettings(self._store))
        self._run(self._server.start())
        self.port = self._server.port

    def stop(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            self._run(server.stop())

    def end(self) -> None:
        self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)
        self._loop.close()

    def _run(self, task: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(task, self._loop).result(120)

    def send(self, numbers: range, **options: Any) -> None:
        with blocking.connect(self.url) as connection:
            connection.declare("q", durable=True, **options).send_many(
                Message(str(n), {"k": f"k{n % 3}", "n": n}, durable=True) for n in numbers
            )

    def options(self, **options: str) -> SourceOptions:
        return parse_source_options({"queue": "q", "url": self.url, "timeoutSeconds": "20", **options})


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path / "store")
    yield served
    served.end()


def rows(batches: Iterator[pa.RecordBatch]) -> list[int]:
    return [int(body) for batch in batches for body in batch.column("body").to_pylist()]


def batch(options: SourceOptions) -> list[list[int]]:
    """The bodies that each task reads."""
    reader = BatchReader(options)
    return [rows(reader.read(part)) for part in reader.partitions()]


def step(reader: StreamReader, start: Offset) -> tuple[list[int], Offset]:
    """A micro-batch: what it holds, and where it ends."""
    end = reader.latestOffset(start, reader.getDefaultReadLimit())
    return [number for part in reader.partitions(start, end) for number in rows(reader.read(part))], end


@pytest.fixture
def stream(served: Served) -> Iterator[Callable[..., StreamReader]]:
    made = []

    def make(**options: str) -> StreamReader:
        made.append(StreamReader(served.options(**options)))
        return made[-1]

    yield make
    for reader in made:
        reader.stop()


def test_the_rows_have_the_columns_of_the_schema(served: Served) -> None:
    served.send(range(2))
    (part,) = BatchReader(served.options()).partitions()
    assert isinstance(part, Range)
    (made,) = read_range(served.options(), part)
    assert from_arrow_schema(made.schema).simpleString() == source_schema().simpleString()
    assert made.column("key").to_pylist() == [None, None]
    assert made.column("properties").to_pylist()[0] == [("k", "k0"), ("n", "0")]


@pytest.mark.parametrize("body", [b"x", 5])
def test_the_rows_have_the_columns_that_are_chosen(served: Served, body: Any) -> None:
    """Those with a number as their body are taken apart one by one."""
    with blocking.connect(served.url) as connection:
        connection.declare("q").send(Message(body, {"n": 1}))
    options = served.options(columns="properties, body,expiry_time")
    (part,) = BatchReader(options).partitions()
    assert isinstance(part, Range)
    (made,) = read_range(options, part)
    assert made.schema.names == ["properties", "body", "expiry_time"]
    assert made.column("properties").to_pylist() == [[("n", "1")]]
    assert made.column("body").to_pylist() == [b"5" if body == 5 else body]


def test_the_key_is_the_queues_own_unless_it_is_named(served: Served) -> None:
    served.send(range(1), lvq_key="k")
    for options, expected in [({}, "k0"), ({"keyProperty": "n"}, "0")]:
        (part,) = BatchReader(served.options(**options)).partitions()
        assert isinstance(part, Range)
        (made,) = read_range(served.options(), part)
        assert made.column("key").to_pylist() == [expected]


@pytest.mark.parametrize("options", [{}, {"type": "priority"}, {"lvq_key": "n", "lvq_placement": "in-place"}])
def test_tasks_share_a_batch_without_a_gap(served: Served, options: dict[str, Any]) -> None:
    served.send(range(10), **options)
    tasks = batch(served.options(numPartitions="3"))
    assert tasks == [[0, 1, 2], [3, 4, 5], [6, 7, 8, 9]]
    assert len(batch(served.options(numPartitions="30"))) == 10


def test_an_empty_queue_is_no_task(served: Served) -> None:
    served.send(range(0))
    assert batch(served.options()) == []
    # Spark makes an empty partition then, and has it read.
    assert list(BatchReader(served.options()).read(InputPartition(None))) == []


def test_a_snapshot_begins_where_messages_are(served: Served) -> None:
    served.send(range(3000), lvq_key="k")
    assert batch(served.options(numPartitions="3")) == [[2997], [2998], [2999]]


def test_a_stream_goes_on_behind_what_it_read(served: Served, stream: Callable[..., StreamReader]) -> None:
    served.send(range(5))
    reader = stream()
    first, reached = step(reader, reader.initialOffset())
    assert step(reader, reached) == ([], reached)
    served.send(range(5, 7))
    # Another reader, as after a restart, needs nothing but the offset.
    assert (first, step(stream(), reached)[0]) == ([0, 1, 2, 3, 4], [5, 6])


def test_a_batch_takes_as_many_messages_as_it_may(
    served: Served, stream: Callable[..., StreamReader]
) -> None:
    served.send(range(9), lvq_key="k")
    reader = stream(maxRecordsPerBatch="2")
    assert reader.getDefaultReadLimit() == ReadMaxRows(2)
    assert stream().getDefaultReadLimit() == ReadAllAvailable()
    first, reached = step(reader, reader.initialOffset())
    second, reached = step(reader, reached)
    assert (first, second, step(reader, reached)[0]) == ([6, 7], [8], [])


def test_what_is_available_now_is_all_that_a_query_reads(
    served: Served, stream: Callable[..., StreamReader]
) -> None:
    served.send(range(3))
    reader = stream()
    reader.prepareForTriggerAvailableNow()
    served.send(range(3, 6))
    taken, reached = step(reader, reader.initialOffset())
    assert (taken, step(reader, reached)) == ([0, 1, 2], ([], reached))
    assert reader.reportLatestOffset() == {"sequence": 6}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"startingOffsets": "latest"}, []),
        ({"startingOffsets": "sequence:4"}, [3, 4]),
        ({"startingOffsets": "sequence:0"}, [0, 1, 2, 3, 4]),
        ({"startingOffsets": "timestamp:1000"}, [0, 1, 2, 3, 4]),
        ({"startingOffsets": "timestamp:2999-01-01T00:00Z"}, []),
        ({"replayPeriod": "3600"}, [0, 1, 2, 3, 4]),
        ({"selector": "n IN (1, 3)"}, [1, 3]),
    ],
)
def test_a_stream_begins_where_it_is_told(
    served: Served, stream: Callable[..., StreamReader], options: dict[str, str], expected: list[int]
) -> None:
    served.send(range(5))
    reader = stream(**options)
    assert step(reader, reader.initialOffset())[0] == expected


def test_a_start_that_is_not_there_is_told(served: Served, stream: Callable[..., StreamReader]) -> None:
    served.send(range(9), **RING)
    with pytest.raises(DataLossError, match="sequence:12, and queue 'q' has assigned sequences up to 9"):
        stream(startingOffsets="sequence:12").initialOffset()
    reader = stream(startingOffsets="sequence:2")
    with pytest.raises(DataLossError, match="it has read up to sequence 1, and 4 is gone"):
        step(reader, reader.initialOffset())


def test_what_a_ring_dropped_unread_is_told_or_passed_over(
    served: Served, stream: Callable[..., StreamReader]
) -> None:
    served.send(range(9), **RING)
    reader = stream()
    first, reached = step(reader, reader.initialOffset())
    assert first == [4, 5, 6, 7, 8]
    served.send(range(9, 16), **RING)
    with pytest.raises(DataLossError, match="read up to sequence 9, and 11 is gone; begin with a new"):
        step(reader, reached)
    with pytest.raises(DataLossError):
        reader.partitions(reached, {**reached, "sequence": 16})
    assert step(stream(failOnDataLoss="false"), reached)[0] == [11, 12, 13, 14, 15]


def test_what_a_ring_drops_between_the_plan_and_the_reading_is_told(
    served: Served, stream: Callable[..., StreamReader]
) -> None:
    served.send(range(5), **RING)
    reader = stream()
    start = reader.initialOffset()
    (part,) = reader.partitions(start, reader.latestOffset(start, ReadAllAvailable()))
    served.send(range(5, 7), **RING)
    with pytest.raises(DataLossError, match="left while the query read them: 1 is missing, and all up to 2"):
        rows(reader.read(part))


def test_a_repeated_message_is_no_loss(served: Served, stream: Callable[..., StreamReader]) -> None:
    with blocking.connect(served.url) as connection:
        queue = connection.declare("q", duplicate_window=10)
        for body in ("1", "1", "2"):
            queue.send(Message(body, {"_AMQ_DUPL_ID": body}))
    reader = stream()
    assert step(reader, reader.initialOffset())[0] == [1, 2]


def test_values_that_newer_ones_replaced_are_no_loss(
    served: Served, stream: Callable[..., StreamReader]
) -> None:
    served.send(range(3), lvq_key="k")
    reader = stream()
    start = reader.initialOffset()
    planned = reader.latestOffset(start, ReadAllAvailable())
    served.send(range(3, 5), lvq_key="k")
    parts = reader.partitions(start, planned)
    assert [number for part in parts for number in rows(reader.read(part))] == [2]
    assert step(reader, planned)[0] == [3, 4]


def test_a_query_outlives_a_broker_that_restarts(served: Served, stream: Callable[..., StreamReader]) -> None:
    served.send(range(5))
    reader = stream()
    start = reader.initialOffset()
    (part,) = reader.partitions(start, reader.latestOffset(start, ReadAllAvailable()))
    served.stop()
    restart = threading.Timer(0.5, served.start)
    restart.start()
    assert rows(reader.read(part)) == [0, 1, 2, 3, 4]
    restart.join()
    served.send(range(5, 6))
    assert step(reader, {**start, "sequence": 5})[0] == [5]


def test_a_queue_that_was_made_anew_is_told_or_read_from_its_beginning(
    served: Served, stream: Callable[..., StreamReader]
) -> None:
    served.send(range(5))
    reader = stream()
    _, reached = step(reader, reader.initialOffset())
    with blocking.connect(served.url) as connection:
        connection.delete("q")
    served.send(range(2))
    with pytest.raises(DataLossError, match="created again: it has assigned sequences up to 2"):
        step(reader, reached)
    lenient = stream(failOnDataLoss="false")
    nothing, begun = step(lenient, reached)
    assert (nothing, step(lenient, begun)[0]) == ([], [0, 1])


def test_what_cannot_be_read_is_told_when_the_query_is_planned(served: Served) -> None:
    with pytest.raises(QueueNotFoundError, match="'q'"):
        BatchReader(served.options()).partitions()
    with pytest.raises(ConnectFailedError):
        BatchReader(served.options(url="amqp://127.0.0.1:1")).partitions()
    served.send(range(1))
    with pytest.raises(InvalidSourceError, match=r"lastvalue queue set q --history q\.history"):
        BatchReader(served.options(read="effects")).partitions()


def test_the_format_gives_readers_of_its_own_columns_only() -> None:
    source = DefaultSource({"queue": "q"})
    assert isinstance(source.reader(source.schema()), BatchReader)
    assert isinstance(source.streamReader(source.schema()), DividedStreamReader)
    with pytest.raises(InvalidSourceError, match="call load\\(\\) without schema"):
        source.reader(StructType())
    with pytest.raises(InvalidSourceError, match="columns has 'price'; there are queue, key"):
        DefaultSource({"queue": "q", "columns": "key,price"}).schema()
    assert DefaultSource({"queue": "q", "columns": "body,key"}).schema().names == ["body", "key"]
    effects = DefaultSource({"queue": "q", "read": "effects"}).schema()
    assert effects.names[-4:] == ["effect", "reason", "effect_time", "of_sequence"]
