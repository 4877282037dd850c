"""Creates the archive of Java classes that later sessions start from, for example in a container image.

`python -m lastvalue.pipeline.first_start` prints the path of the archive for pipelines; it exits with 1 if
Java creates none. With `--mllib` the archive is for other sessions, which have Spark's MLlib.
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
from lastvalue.pipeline.spark.class_archive import class_archive_options
from lastvalue.pipeline.spark.session import SessionOptions, create_session, spark_home

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ARCHIVE_OPTION: Final = "-XX:SharedArchiveFile="


def run_first_start(*, mllib: bool) -> Path | None:
    """Start Spark once; returns the archive, or None where Java creates none."""
    spark = create_session(SessionOptions("first start", "local[1]", low_latency=True, mllib=mllib))
    gateway: Any = spark.sparkContext._gateway  # noqa: SLF001 - no other way to see Java end
    _load_classes(spark)
    spark.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()
    options = class_archive_options(find_java(), spark_home(), cache_directory(), mllib=mllib)
    paths = (
        Path(option.removeprefix(_ARCHIVE_OPTION)) for option in options if option.startswith(_ARCHIVE_OPTION)
    )
    return next(paths, None)


def _load_classes(spark: "SparkSession") -> None:
    """Let Spark do what a feed does, so that it loads the same classes."""

    def identity(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return batches

    def write_newest(batch: "DataFrame", number: int) -> None:  # noqa: ARG001 - Spark's signature
        newest = micro_batch_conflation(batch.schema, "key", "sequence", updates="updates")(batch)
        newest.mapInArrow(identity, newest.schema).write.format("noop").mode("append").save()

    with TemporaryDirectory() as directory:
        source = str(Path(directory) / "rows")
        spark.range(100).selectExpr("CAST(id % 10 AS STRING) AS key", "id AS sequence").write.json(source)
        rows = spark.readStream.schema("key STRING, sequence BIGINT").json(source)
        writer = rows.writeStream.foreachBatch(write_newest).option(
            "checkpointLocation", f"{directory}/checkpoint"
        )
        writer.trigger(availableNow=True).start().awaitTermination()


def main() -> int:
    """Create the archive and print its path."""
    archive = run_first_start(mllib="--mllib" in sys.argv[1:])
    if archive is None:
        print(f"lastvalue: Java creates no archive of classes in {cache_directory()}", file=sys.stderr)
        return 1
    print(archive)
    return 0


if __name__ == "__main__":
    sys.exit(main())
