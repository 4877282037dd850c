"""What a PySpark has not is refused by name, or the same is found by another plan."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark")

from rows_to_conflate import SCHEMA, collected, explained, newest_rows, random_rows

from lastvalue.client import Message, blocking
from lastvalue.pipeline.conflation.conflate import conflate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.mark.pyspark(before="4.2")
def test_a_stream_out_of_a_queue_needs_4_2(broker_url: str, spark: "SparkSession", tmp_path: Path) -> None:
    with blocking.connect(broker_url) as connection:
        connection.declare("unread").send(Message("a"))
    rows = spark.readStream.format("lastvalue").options(url=broker_url, queue="unread").load()
    writer = rows.writeStream.format("noop").option("checkpointLocation", str(tmp_path))
    with pytest.raises(Exception, match=r"streams need PySpark 4.2 or newer, and this is 4\.[01]"):
        writer.trigger(availableNow=True).start().awaitTermination(60)


@pytest.mark.pyspark(before="4.1")
def test_a_stream_into_a_queue_by_its_format_needs_4_1(spark: "SparkSession", tmp_path: Path) -> None:
    rows = spark.readStream.format("rate").load().selectExpr("string(value) AS body")
    writer = rows.writeStream.format("lastvalue").option("queue", "unwritten")
    with pytest.raises(Exception, match=r"needs PySpark 4.1 or newer, and this is 4\.0.*publish_stream"):
        writer.option("checkpointLocation", str(tmp_path)).start().awaitTermination(60)


@pytest.mark.pyspark(before="4.1")
def test_parquet_files_are_conflated_by_rows(spark: "SparkSession", tmp_path: Path) -> None:
    rows = spark.createDataFrame(random_rows(5), SCHEMA)
    rows.repartition(3).write.parquet(str(tmp_path / "rows"))
    newest = conflate(spark.read.parquet(str(tmp_path / "rows")), "key", ["time", "part"], updates="updates")
    assert "MapInArrow" not in explained(newest)
    assert collected(newest) == newest_rows(random_rows(5))
