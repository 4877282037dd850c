"""Reading a queue whose keys several brokers have, as one batch and as one stream."""

import pickle
from collections.abc import Iterator

import pyarrow as pa
import pytest
from divided_brokers import DividedBrokers

pytest.importorskip("pyspark")

from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxRows

from lastvalue.client import Message, blocking
from lastvalue.pipeline.source.divided_reader import DividedStreamReader
from lastvalue.pipeline.source.options import InvalidSourceError, SourceOptions
from lastvalue.pipeline.source.readers import BatchReader, Offset

KEYS = [f"k{number}" for number in range(20)]


@pytest.fixture(scope="module")
def brokers() -> Iterator[DividedBrokers]:
    with DividedBrokers() as brokers:
        yield brokers


def publish(brokers: DividedBrokers, queue: str, body: str) -> dict[object, object]:
    """A value of each key, at the broker that has it; all of them."""
    bodies: dict[object, object] = {key: f"{body} {key}" for key in KEYS}
    for url, part in zip(brokers.urls, brokers.expected(bodies), strict=True):
        with blocking.connect(url) as connection:
            connection.queue(queue).send_many(Message(part[key], {"k": key}) for key in part)
    return bodies


def values(batches: Iterator[pa.RecordBatch]) -> dict[object, object]:
    return {row["key"]: row["body"].decode() for batch in batches for row in batch.to_pylist()}


def stream(brokers: DividedBrokers, queue: str) -> DividedStreamReader:
    return DividedStreamReader(SourceOptions(queue, brokers.urls[1]))


def read(reader: DividedStreamReader, start: Offset, end: Offset) -> dict[object, object]:
    """What the tasks read, each with a copy of the reader, as Spark has it."""
    copy: DividedStreamReader = pickle.loads(pickle.dumps(reader))
    parts = reader.partitions(start, end)
    return values(batch for part in parts for batch in copy.read(part))


def test_a_batch_has_the_values_of_all_brokers(brokers: DividedBrokers) -> None:
    name = brokers.declare("divided.batch", lvq_key="k")
    bodies = publish(brokers, name, "one")
    reader = BatchReader(SourceOptions(name, brokers.urls[1], partitions=2))
    parts = reader.partitions()
    assert len(parts) == 4
    assert values(batch for part in parts for batch in reader.read(part)) == bodies


def test_a_stream_goes_on_at_each_broker_where_it_was(brokers: DividedBrokers) -> None:
    name = brokers.declare("divided.stream", lvq_key="k")
    first = publish(brokers, name, "one")
    reader = stream(brokers, name)
    start = reader.initialOffset()
    middle = reader.latestOffset(start, ReadAllAvailable())
    assert read(reader, start, middle) == first
    second = publish(brokers, name, "two")
    reader.stop()
    reader = stream(brokers, name)
    end = reader.latestOffset(middle, ReadAllAvailable())
    assert read(reader, middle, end) == second
    assert reader.latestOffset(end, ReadAllAvailable()) == end
    last = reader.reportLatestOffset()
    assert last is not None
    assert sum(last.values()) == 2 * len(KEYS)
    reader.stop()


def test_the_limit_of_a_micro_batch_is_of_all_brokers(brokers: DividedBrokers) -> None:
    name = brokers.declare("divided.limit", lvq_key="k")
    publish(brokers, name, "one")
    reader = stream(brokers, name)
    start = reader.initialOffset()
    assert len(read(reader, start, reader.latestOffset(start, ReadMaxRows(6)))) == 6
    reader.prepareForTriggerAvailableNow()
    publish(brokers, name, "two")
    assert reader.latestOffset(start, ReadAllAvailable()) == {
        "0.sequence": len(brokers.expected(dict.fromkeys(KEYS))[0]), "0.gone": 0, "0.since_ms": 0,
        "1.sequence": len(brokers.expected(dict.fromkeys(KEYS))[1]), "1.gone": 0, "1.since_ms": 0,
    }  # fmt: skip
    reader.stop()


@pytest.mark.parametrize(
    "start", [{"sequence": 1}, {"0.sequence": 1}, {f"{n}.sequence": 1 for n in range(3)}]
)
def test_a_checkpoint_of_another_number_of_brokers_is_refused(brokers: DividedBrokers, start: Offset) -> None:
    reader = stream(brokers, brokers.declare("divided.moved", lvq_key="k"))
    with pytest.raises(InvalidSourceError, match=r"another number of brokers than 2.*begin with a new"):
        reader.partitions(start, start)


def test_the_checkpoint_of_a_queue_of_one_broker_has_no_numbers(brokers: DividedBrokers) -> None:
    with blocking.connect(brokers.urls[0]) as connection:
        connection.declare("plain").send(Message("x"))
    reader = DividedStreamReader(SourceOptions("plain", brokers.urls[0]))
    start = reader.initialOffset()
    end = reader.latestOffset(start, reader.getDefaultReadLimit())
    assert end == {"sequence": 1, "gone": 0, "since_ms": 0}
    assert list(read(reader, start, end).values()) == ["x"]
    reader.stop()
