"""Delivering the rows of a task to a real broker."""

from collections.abc import Iterator

import pyarrow as pa
import pytest

from lastvalue.client import ConnectFailedError, QueueNotFoundError, TransactionRolledBackError, blocking
from lastvalue.pipeline.sink.options import Delivery, SinkOptions
from lastvalue.pipeline.sink.partition_writer import PartitionWriter
from lastvalue.pipeline.sink.result import WriteResult
from lastvalue.pipeline.sink.row_batches import RejectedRowError
from lastvalue.testing.broker_thread import BrokerThread


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with BrokerThread() as broker:
        yield broker.url


@pytest.fixture
def connection(url: str) -> Iterator[blocking.Connection]:
    with blocking.connect(url) as connection:
        yield connection


def rows(*bodies: str | None) -> list[pa.RecordBatch]:
    return [pa.RecordBatch.from_pydict({"body": pa.array(bodies, "string")})]


def bodies(connection: blocking.Connection, queue: str) -> list[object]:
    return [message.body for message in connection.queue(queue).browse()]


@pytest.mark.parametrize("transaction_rows", [0, 1, 2])
def test_a_task_that_is_run_again_changes_nothing(
    url: str, connection: blocking.Connection, transaction_rows: int
) -> None:
    name = f"again-{transaction_rows}"
    connection.declare(name)
    options = SinkOptions(name, url, transaction_rows=transaction_rows)
    assert PartitionWriter(options, "w/0").write(rows("1", "2", "3")) == WriteResult(3)
    assert PartitionWriter(options, "w/0").write(rows("1", "2", "3")) == WriteResult(3, repeated=3)
    assert PartitionWriter(options, "w/1").write(rows("4")) == WriteResult(1)
    assert bodies(connection, name) == ["1", "2", "3", "4"]


def test_a_task_that_failed_between_transactions_goes_on_behind_them(
    url: str, connection: blocking.Connection
) -> None:
    connection.declare("half")
    options = SinkOptions("half", url, transaction_rows=2)

    def failing() -> Iterator[pa.RecordBatch]:
        yield from rows("1", "2", "3")
        raise RuntimeError("the task dies")

    with pytest.raises(RuntimeError, match="dies"):
        PartitionWriter(options, "w/0").write(failing())
    assert bodies(connection, "half") == ["1", "2"]
    assert PartitionWriter(options, "w/0").write(rows("1", "2", "3", "4")) == WriteResult(4, repeated=2)
    assert bodies(connection, "half") == ["1", "2", "3", "4"]


def test_at_least_once_sends_again(url: str, connection: blocking.Connection) -> None:
    connection.declare("twice")
    options = SinkOptions("twice", url, delivery=Delivery.AT_LEAST_ONCE)
    for _ in range(2):
        PartitionWriter(options, "").write(rows("1"))
    assert bodies(connection, "twice") == ["1", "1"]


def test_an_id_stays_known_when_the_first_row_replaces_or_leaves(
    url: str, connection: blocking.Connection
) -> None:
    queue = connection.declare("values", lvq_key="none", filter="priority > 5")
    for _ in range(2):
        PartitionWriter(SinkOptions("values", url), "w/0").write(rows("1", "2"))
    assert queue.info().removed == {"filtered": 2}


@pytest.mark.parametrize("delivery", Delivery)
@pytest.mark.parametrize("largest", [100, 200_000])
def test_more_rows_than_there_is_credit_arrive_in_their_order(
    url: str, connection: blocking.Connection, delivery: Delivery, largest: int
) -> None:
    name = f"many-{delivery.value}-{largest}"
    connection.declare(name)
    texts = [str(number) for number in range(5000)]
    texts[3000] = "x" * largest
    batches = [pa.RecordBatch.from_pydict({"body": texts})]
    options = SinkOptions(name, url, delivery=delivery)
    for _ in range(2):
        PartitionWriter(options, "w/0").write(batches)
    times = 1 if delivery is Delivery.EXACTLY_ONCE else 2
    assert bodies(connection, name) == texts * times


def test_usual_rows_and_others_arrive_in_their_order(url: str, connection: blocking.Connection) -> None:
    connection.declare("mixed")
    unusual = pa.array([{"nested": b"x"}, {"nested": None}], pa.struct([("nested", pa.binary(1))]))
    batches = [
        *rows("1", "2"),
        pa.RecordBatch.from_pydict({"body": ["3", "4"], "properties": unusual}),
        *rows("5"),
    ]
    assert PartitionWriter(SinkOptions("mixed", url), "w/0").write(batches) == WriteResult(5)
    assert bodies(connection, "mixed") == ["1", "2", "3", "4", "5"]


def test_rows_without_room_are_not_taken_at_all(url: str, connection: blocking.Connection) -> None:
    connection.declare("small", max_messages=2)
    with pytest.raises(TransactionRolledBackError, match="no room"):
        PartitionWriter(SinkOptions("small", url), "w/0").write(rows("1", "2", "3"))
    assert bodies(connection, "small") == []


@pytest.mark.parametrize("delivery", Delivery)
def test_a_row_that_is_no_message_fails_the_task(
    url: str, connection: blocking.Connection, delivery: Delivery
) -> None:
    connection.declare(f"bad-{delivery.value}")
    with pytest.raises(RejectedRowError, match="body is null"):
        PartitionWriter(SinkOptions(f"bad-{delivery.value}", url, delivery=delivery), "w/0").write(rows(None))


def later(*bodies: str | None) -> list[pa.RecordBatch]:
    """Rows of which those whose body is `later` ask for a delay, and None are no messages."""
    notes = [{"x-opt-delivery-delay": 60_000 if body == "later" else None} for body in bodies]
    return [pa.RecordBatch.from_pydict({"body": pa.array(bodies, "string"), "annotations": pa.array(notes)})]


@pytest.mark.parametrize("delivery", Delivery)
def test_rows_that_the_broker_refuses_go_to_the_dead_letters(
    url: str, connection: blocking.Connection, delivery: Delivery
) -> None:
    name = f"prompt-{delivery.value}"
    connection.declare(name, delayed_delivery="refuse")
    connection.declare(f"{name}-bad")
    options = SinkOptions(name, url, delivery=delivery, dead_letters=f"{name}-bad")
    delivered = PartitionWriter(options, "w/0").write(later("1", "later", None, "2"))
    assert delivered == WriteResult(2, rejected=2)
    assert bodies(connection, name) == ["1", "2"]
    refused, unusable = connection.queue(f"{name}-bad").browse()
    assert refused.body == "later"
    assert "delay" in str(refused.annotations["x-opt-reason"])
    assert "body is null" in str(unusable.annotations["x-opt-reason"])


@pytest.mark.parametrize("batches", [later("later", "1"), later("later", None), later(None, "1", "later")])
def test_a_task_with_dead_letters_that_is_run_again_changes_nothing(
    url: str, connection: blocking.Connection, batches: list[pa.RecordBatch]
) -> None:
    name = f"dead-{id(batches)}"
    connection.declare(name, delayed_delivery="refuse")
    connection.declare(f"{name}-bad")
    options = SinkOptions(name, url, dead_letters=f"{name}-bad")
    PartitionWriter(options, "w/0").write(batches)
    before = bodies(connection, name), bodies(connection, f"{name}-bad")
    assert PartitionWriter(options, "w/0").write(batches).repeated == batches[0].num_rows
    assert (bodies(connection, name), bodies(connection, f"{name}-bad")) == before


def test_a_refusal_without_dead_letters_tells_the_broker_s_reason(
    url: str, connection: blocking.Connection
) -> None:
    connection.declare("prompt", delayed_delivery="refuse")
    with pytest.raises(TransactionRolledBackError, match="delay"):
        PartitionWriter(SinkOptions("prompt", url), "w/0").write(later("1", "later"))
    assert bodies(connection, "prompt") == []


def test_a_queue_that_does_not_exist_is_named(url: str) -> None:
    with pytest.raises(QueueNotFoundError, match="absent"):
        PartitionWriter(SinkOptions("absent", url), "w/0").write(rows("1"))


def test_a_broker_that_does_not_come_back_in_time_fails_the_task() -> None:
    with pytest.raises(ConnectFailedError):
        PartitionWriter(SinkOptions("q", "amqp://127.0.0.1:1", timeout_s=0.01), "w/0").write(rows("1"))
