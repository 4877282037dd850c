"""A feed on a real Spark: a recording through the sink into a real broker."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark")

from lastvalue.client import blocking
from lastvalue.pipeline.feed import FeedSpec, start_feed
from lastvalue.pipeline.feeds.recording import newest_rows
from lastvalue.pipeline.feeds.ticks import TickSpec, ticks_recording

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.pyspark(since="4.2")]

TICKS = TickSpec(ticks=3000, symbols=20, duration_s=2, late=0.1, duplicate=0.1, corrected=0.1, late_by_s=1)


def test_a_feed_leaves_the_newest_row_of_each_key_on_the_queue(
    broker_url: str, spark: "SparkSession", tmp_path: Path
) -> None:
    recording = ticks_recording(TICKS, tmp_path)
    spec = FeedSpec(
        path=str(recording.path),
        key=recording.key,
        order_by=recording.order_by,
        time_column=recording.time_column,
        queue="ticks",
        url=broker_url,
    )
    with blocking.connect(broker_url) as connection:
        queue = connection.declare("ticks", lvq_key="symbol", order_by="version")
        reports = list(start_feed(spark, spec, tmp_path / "checkpoint").progress())
        messages = {message.properties["symbol"]: message for message in queue.browse()}
        published = queue.info().published
    assert reports[-1].updates == recording.rows
    assert published < recording.rows
    expected = newest_rows(recording, recording.rows)
    assert {key: message.properties["version"] for key, message in messages.items()} == {
        key: order for key, (order, _) in expected.items()
    }
    bodies = {key: json.loads(str(message.body)) for key, message in messages.items()}
    assert {key: body["bid"] for key, body in bodies.items()} == {
        key: row["bid"] for key, (_, row) in expected.items()
    }


def test_a_replay_gives_every_row_once_and_in_order(spark: "SparkSession", tmp_path: Path) -> None:
    recording = ticks_recording(TICKS, tmp_path)
    rows = (
        spark.readStream.format("lastvalue_replay")
        .options(path=str(recording.path), timeColumn="received", speed="1000", maxRowsPerBatch="1000")
        .load()
    )
    seen: list[int] = []
    query = (
        rows.writeStream.foreachBatch(
            lambda batch, _: seen.extend(row.version for row in batch.select("version").collect())
        )
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .start()
    )
    query.processAllAvailable()
    query.stop()
    assert seen == spark.read.parquet(str(recording.path)).toArrow()["version"].to_pylist()
