"""What the sink refuses, and what its tasks are known by."""

import pytest

pytest.importorskip("pyspark")

from pyspark.sql.types import StringType, StructType

from lastvalue.pipeline.sink.options import Delivery, InvalidSinkError, SinkOptions
from lastvalue.pipeline.sink.write_ids import BATCH_ID, QUERY_ID, partition_write_id
from lastvalue.pipeline.sink.writers import BatchWriter, LastvalueSink


def test_a_queue_cannot_be_overwritten() -> None:
    with pytest.raises(InvalidSinkError, match=r"use mode\('append'\)"):
        LastvalueSink({"queue": "q"}).writer(StructType().add("body", StringType()), overwrite=True)


def test_a_partition_of_a_micro_batch_is_known_by_query_batch_and_number() -> None:
    told = {QUERY_ID: "q-1", BATCH_ID: "7"}
    assert partition_write_id(SinkOptions("q"), told, 3) == "q-1/7/3"


def test_a_name_takes_the_place_of_the_query() -> None:
    told = {QUERY_ID: "q-1", BATCH_ID: "7"}
    assert partition_write_id(SinkOptions("q", write_id="mine"), told, 3) == "mine/7/3"


@pytest.mark.parametrize(
    ("told", "missing"),
    [({QUERY_ID: "q"}, BATCH_ID), ({BATCH_ID: "7"}, QUERY_ID), ({QUERY_ID: None}, BATCH_ID)],
)
def test_a_task_that_cannot_be_known_again_is_refused(told: dict[str, str | None], missing: str) -> None:
    with pytest.raises(InvalidSinkError, match=f"gives this task no {missing}"):
        partition_write_id(SinkOptions("q"), told, 0)


def test_at_least_once_needs_nothing_to_be_known_by() -> None:
    assert partition_write_id(SinkOptions("q", delivery=Delivery.AT_LEAST_ONCE), {}, 0) == ""


def test_two_writes_are_known_apart() -> None:
    one, other = (BatchWriter(SinkOptions("q")) for _ in range(2))
    assert one._write_id != other._write_id
    assert BatchWriter(SinkOptions("q", write_id="mine"))._write_id == "mine"
