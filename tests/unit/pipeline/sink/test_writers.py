"""What the sink refuses, and the ids of its writes."""

import pytest

pytest.importorskip("pyspark")

from pyspark.sql.types import StringType, StructType

from lastvalue.pipeline.sink.options import InvalidSinkError, SinkOptions
from lastvalue.pipeline.sink.writers import BatchWriter, LastvalueSink


def test_a_queue_cannot_be_overwritten() -> None:
    with pytest.raises(InvalidSinkError, match=r"use mode\('append'\)"):
        LastvalueSink({"queue": "q"}).writer(StructType().add("body", StringType()), overwrite=True)


def test_two_writes_are_known_apart() -> None:
    one, other = (BatchWriter(SinkOptions("q")) for _ in range(2))
    assert one._write_id != other._write_id
    assert BatchWriter(SinkOptions("q", write_id="mine"))._write_id == "mine"
