"""Makes the archive of classes that later sessions start from, as for the image of a container.

`python -m lastvalue.pipeline.first_start` prints where it is; the exit code is 1 where there can be none.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from lastvalue.pipeline.cache import cache_directory
from lastvalue.pipeline.conflation.conflate import micro_batch_conflation
from lastvalue.pipeline.java import find_java
from lastvalue.pipeline.spark.class_archive import archive_options
from lastvalue.pipeline.spark.session import SessionOptions, create_session, spark_home

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_USED: Final = "-XX:SharedArchiveFile="


def make_archive() -> Path | None:
    """The archive, made if there is none; None where Java leaves none."""
    spark = create_session(SessionOptions(name="first start", master="local[1]", low_latency=True))
    gateway: Any = spark.sparkContext._gateway  # noqa: SLF001 - no other way to see Java end
    _load_classes(spark)
    spark.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()
    options = archive_options(find_java(), spark_home(), cache_directory())
    return next((Path(each.removeprefix(_USED)) for each in options if each.startswith(_USED)), None)


def _load_classes(spark: "SparkSession") -> None:
    """Have Spark do what a feed does."""

    def passed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return batches

    def taken(batch: "DataFrame", number: int) -> None:  # noqa: ARG001 - Spark's signature
        newest = micro_batch_conflation(batch.schema, "key", "sequence", updates="updates")(batch)
        newest.mapInArrow(passed, newest.schema).write.format("noop").mode("append").save()

    with TemporaryDirectory() as directory:
        source = str(Path(directory) / "rows")
        spark.range(100).selectExpr("CAST(id % 10 AS STRING) AS key", "id AS sequence").write.json(source)
        rows = spark.readStream.schema("key STRING, sequence BIGINT").json(source)
        writer = rows.writeStream.foreachBatch(taken).option("checkpointLocation", f"{directory}/checkpoint")
        writer.trigger(availableNow=True).start().awaitTermination()


def main() -> int:
    """Make the archive and print where it is."""
    archive = make_archive()
    if archive is None:
        print(f"lastvalue: Java leaves no archive of classes in {cache_directory()}", file=sys.stderr)
        return 1
    print(archive)
    return 0


if __name__ == "__main__":
    sys.exit(main())
