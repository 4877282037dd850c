"""Writing the rows of a task to the brokers that have their keys."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from divided_brokers import DividedBrokers
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.client import blocking
from lastvalue.client.errors import ConnectFailedError, RefusedError
from lastvalue.model.key_partition import key_octets, key_partition
from lastvalue.pipeline.sink.divided_writer import DividedWriter, divided_rows, write_rows
from lastvalue.pipeline.sink.options import Delivery, SinkOptions
from lastvalue.pipeline.sink.result import WriteResult
from lastvalue.pipeline.sink.target import ask_target, with_key_property

KEYS = [f"k{number}" for number in range(20)]


@pytest.fixture(scope="module")
def brokers() -> Iterator[DividedBrokers]:
    with DividedBrokers(3) as brokers:
        yield brokers


def checked(brokers: DividedBrokers, queue: str, **more: Any) -> SinkOptions:
    """The options as the driver hands them to tasks; it has asked the second broker."""
    options = replace(SinkOptions(queue, brokers.urls[1]), **more)
    return with_key_property(options, ["key", "body"], ask_target(options))


def rows(body: str, keys: list[str] = KEYS) -> list[pa.RecordBatch]:
    half = len(keys) // 2
    return [
        pa.RecordBatch.from_pydict({"key": part, "body": [f"{body} {key}" for key in part]})
        for part in (keys[:half], keys[half:])
    ]


@pytest.mark.parametrize("transaction_rows", [0, 1, 3])
@pytest.mark.parametrize("delivery", list(Delivery))
def test_each_row_is_where_its_key_is_and_a_repeated_task_changes_nothing(
    brokers: DividedBrokers, transaction_rows: int, delivery: Delivery
) -> None:
    name = brokers.declare(f"divided.{delivery.value}-{transaction_rows}", lvq_key="k")
    options = checked(brokers, name, transaction_rows=transaction_rows, delivery=delivery)
    assert options.leaders == tuple(brokers.urls)
    assert write_rows(options, "w/0", rows("one")) == WriteResult(20)
    assert brokers.held(name) == brokers.expected({key: f"one {key}" for key in KEYS})
    again = write_rows(options, "w/0", rows("two"))
    once = delivery is Delivery.EXACTLY_ONCE
    assert again == WriteResult(20, repeated=20 if once else 0)
    assert brokers.held(name) == brokers.expected({key: f"{'one' if once else 'two'} {key}" for key in KEYS})


def test_keys_in_properties_are_divided_alike(brokers: DividedBrokers) -> None:
    name = brokers.declare("divided.properties", lvq_key="k")
    properties = pa.array([{"k": key} for key in KEYS], pa.struct([("k", pa.string())]))
    batch = pa.RecordBatch.from_pydict({"body": KEYS, "properties": properties})
    assert write_rows(checked(brokers, name), "w/0", [batch]) == WriteResult(20)
    assert brokers.held(name) == brokers.expected({key: key for key in KEYS})


def test_rows_without_a_key_become_dead_letters(brokers: DividedBrokers) -> None:
    name = brokers.declare("divided.keyless", lvq_key="k")
    brokers.declare("dead")
    batch = pa.RecordBatch.from_pydict({"key": pa.array([None, "a"], pa.string()), "body": ["x", "y"]})
    options = checked(brokers, name, dead_letters="dead")
    assert write_rows(options, "w/0", [batch]) == WriteResult(1, rejected=1)
    assert brokers.held(name) == brokers.expected({"a": "y"})


def test_a_task_that_fails_before_its_end_leaves_no_half_batch_that_counts_as_whole(
    brokers: DividedBrokers,
) -> None:
    name = brokers.declare("divided.failing", lvq_key="k")
    options = checked(brokers, name)

    def failing() -> Iterator[pa.RecordBatch]:
        yield rows("one")[0]
        raise RuntimeError("the task dies")

    with pytest.raises(RuntimeError, match="dies"):
        DividedWriter(options, "w/0").write(failing())
    assert write_rows(options, "w/0", rows("two")) == WriteResult(20)
    assert brokers.held(name) == brokers.expected({key: f"two {key}" for key in KEYS})


def test_a_broker_that_is_gone_fails_the_task_and_the_others_take_the_rows_again() -> None:
    with DividedBrokers() as brokers:
        name = brokers.declare("divided.lost", lvq_key="k")
        options = checked(brokers, name, timeout_s=0.5)
        brokers.stop(1)
        with pytest.raises(ConnectFailedError):
            write_rows(options, "w/0", rows("one"))


def test_a_writer_that_does_not_know_of_the_others_is_refused(brokers: DividedBrokers) -> None:
    name = brokers.declare("divided.plain", lvq_key="k")
    options = SinkOptions(name, brokers.urls[0], key_property="k")
    with pytest.raises(RefusedError, match=r"this key of queue 'divided\.plain' is not at this broker: ask"):
        write_rows(options, "w/0", rows("one"))
    with blocking.connect(brokers.urls[0]) as connection:
        assert list(connection.queue(name).browse()) == []


@given(st.lists(st.text(), max_size=20), st.integers(1, 5))
def test_every_row_goes_where_every_other_program_looks_for_it(keys: list[str], count: int) -> None:
    batch = pa.RecordBatch.from_pydict({"key": pa.array(keys, pa.string()), "n": range(len(keys))})
    found = {row["n"]: number for number, part in divided_rows(batch, "k", count) for row in part.to_pylist()}
    assert found == {row: key_partition(key_octets(key) or b"", count) for row, key in enumerate(keys)}
