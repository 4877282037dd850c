"""Conflation of whole tables in files, with a report."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.types import IntegralType

from lastvalue.pipeline.columns import column, missing_column
from lastvalue.pipeline.conflation.conflate import conflate
from lastvalue.pipeline.conflation.errors import InvalidConflationError
from lastvalue.pipeline.conflation.interval import interval_us
from lastvalue.pipeline.conflation.named_columns import NamedColumns
from lastvalue.pipeline.conflation.row_counts import count_rows
from lastvalue.pipeline.conflation.table_files import (
    SPARK_FAULTS,
    Format,
    UnreadableTableError,
    read_table,
    reason,
    write_table,
)
from lastvalue.pipeline.conflation.terms import Terms
from lastvalue.pipeline.conflation.tombstones import Tombstones
from lastvalue.queues.policy import Policy

# A generous estimate of the memory for a winner in a broadcast, which may take a quarter of the heap.
_WINNER_BYTES: Final = 200
_BUCKETS: Final = 120
_ARRIVAL: Final = "__lastvalue_stands"


@dataclass(frozen=True, slots=True)
class BulkConflation:
    """A conflation of files.

    Attributes:
        source: a file, or a directory of files.
        target: the directory to write.
        keys: the columns that are the key together.
        order_by: the columns that decide which of two rows is newer.
        every: the interval; None: one row per key.
        time: the column with the time of an update; by default the first timestamp of order_by.
        sequence: a column of whole numbers whose gaps are counted.
        thorough: count late, equal and duplicate rows, which costs a sort.
        over_time: count rows and results over time.
    """

    source: Path
    source_format: Format
    target: Path
    target_format: Format
    keys: tuple[str, ...]
    order_by: tuple[str, ...]
    policy: Policy
    every: str | None = None
    time: str | None = None
    tombstones: Tombstones | None = None
    sequence: str | None = None
    thorough: bool = True
    over_time: bool = False


@dataclass(frozen=True, slots=True)
class Gaps:
    """The numbers that a sequence lacks between its first and its last one."""

    first: int
    last: int
    missing: int
    gaps: int


@dataclass(frozen=True, slots=True)
class Bucket:
    """Rows and results of a period that begins at start_s, in seconds since the epoch."""

    start_s: float
    rows: int
    results: int


@dataclass(frozen=True, slots=True)
class Report:
    """The counts of a conflation; see `conflation.row_counts`. None: not counted."""

    rows: int
    keyless: int
    keys: int
    results: int
    late: int | None
    equal: int | None
    duplicates: int | None
    sequence: Gaps | None
    seconds: float
    bucket_s: float
    over_time: tuple[Bucket, ...]

    @property
    def ratio(self) -> float | None:
        """Rows over results."""
        return self.rows / self.results if self.results else None

    def record(self) -> dict[str, Any]:
        """The report as a JSON object."""
        return {**asdict(self), "ratio": self.ratio}


Phase = Callable[[str], None]


def conflate_files(spark: SparkSession, job: BulkConflation, enter: Phase) -> Report:
    """Conflate and report; calls `enter` at the start of each phase.

    Raises:
        UnreadableTableError: the source cannot be read, or the target cannot be written.
        InvalidConflationError: a column is missing or of a wrong type.
    """
    started = time.perf_counter()
    enter("reading")
    rows = read_table(spark, job.source, job.source_format)
    named = NamedColumns.of(rows, job.keys, job.order_by)
    terms = _check_terms(named, job)
    try:
        return _conflate(spark, named, terms, job, enter, started)
    except SPARK_FAULTS as fault:
        raise UnreadableTableError(f"cannot read {job.source}: {reason(fault)}") from fault


def _check_terms(named: NamedColumns, job: BulkConflation) -> Terms:
    every_us = None if job.every is None else interval_us(job.every)
    terms = Terms.of(
        named.rows.schema, named.key, named.order, time=job.time, every_us=every_us, updates="updates"
    )
    if job.over_time and terms.time is None:
        raise InvalidConflationError("a picture needs a time: name a timestamp column, or order by one")
    if job.sequence is not None:
        if job.sequence not in terms.types:
            raise InvalidConflationError(missing_column(job.sequence, terms.types))
        if not isinstance(terms.types[job.sequence], IntegralType):
            kind = terms.types[job.sequence].simpleString()
            raise InvalidConflationError(
                f"column {job.sequence!r} is not a sequence of numbers: it is {kind}"
            )
    return terms


def _conflate(
    spark: SparkSession, named: NamedColumns, terms: Terms, job: BulkConflation, enter: Phase, started: float
) -> Report:
    rows = named.rows
    size = _size(rows, terms)
    enter("conflating and writing")
    observation = Observation()
    result = conflate(
        rows,
        named.key,
        named.order,
        every=job.every,
        policy=job.policy,
        time=job.time,
        tombstones=job.tombstones,
        broadcast=size["groups"] * _WINNER_BYTES < _heap_bytes(spark) / 4,
    )
    result = named.without_made(result)
    observed = result.observe(observation, sf.count(sf.lit(1)).alias("results"))
    write_table(observed, job.target, job.target_format)
    enter("counting")
    counts = _counts(rows, terms, thorough=job.thorough)
    buckets, bucket_s = _over_time(spark, rows, result, terms, job) if job.over_time else ((), 0.0)
    return Report(
        rows=size["rows"],
        keyless=size["keyless"],
        keys=counts["keys"],
        late=counts.get("late"),
        equal=counts.get("equal"),
        duplicates=counts.get("duplicates"),
        results=observation.get["results"],
        sequence=None if job.sequence is None else _gaps(rows, job.sequence),
        seconds=time.perf_counter() - started,
        bucket_s=bucket_s,
        over_time=buckets,
    )


def _size(rows: DataFrame, terms: Terms) -> dict[str, int]:
    groups = column(terms.key)
    if terms.every_us is not None:
        groups = sf.struct(groups, terms.interval())
    counts = rows.agg(
        sf.count(sf.lit(1)).alias("rows"),
        sf.count_if(column(terms.key).isNull()).alias("keyless"),
        sf.approx_count_distinct(groups).alias("groups"),
    )
    return counts.collect()[0].asDict()


def _heap_bytes(spark: SparkSession) -> int:
    runtime: Any = spark.sparkContext._jvm.java.lang.Runtime.getRuntime()  # type: ignore[union-attr] # noqa: SLF001 - there is no other way
    return int(runtime.maxMemory())


def _counts(rows: DataFrame, terms: Terms, *, thorough: bool) -> dict[str, int]:
    """The `row_counts.COUNTS`; without `thorough` only the keys."""
    if thorough:
        return count_rows(_with_arrival(rows), terms, sf.col(_ARRIVAL)).collect()[0].asDict()
    keys = rows.select(column(terms.key)).where(column(terms.key).isNotNull()).distinct().count()
    return {"keys": keys}


def _with_arrival(rows: DataFrame) -> DataFrame:
    """The rows with their arrival: files in the order of their names, and the rows of a file in its order."""
    file, block = sf.col("_metadata.file_path"), sf.col("_metadata.file_block_start")
    place = sf.monotonically_increasing_id().alias("place")
    return rows.withColumn(_ARRIVAL, sf.struct(file, block, place))


def _gaps(rows: DataFrame, name: str) -> Gaps | None:
    """The gaps, in one aggregation: each number marks itself with bit 1, and its successor with bit 2."""
    own = column(name).cast("decimal(20,0)")
    marks = rows.where(own.isNotNull()).select(
        sf.explode(
            sf.array(
                sf.struct(own.alias("number"), sf.lit(1).alias("bit")),
                sf.struct((own + 1).cast("decimal(20,0)").alias("number"), sf.lit(2).alias("bit")),
            )
        ).alias("mark")
    )
    present = marks.groupBy("mark.number").agg(sf.bit_or("mark.bit").alias("bits")).where("bits != 2")
    ends = present.agg(
        sf.min("number").alias("first"),
        sf.max("number").alias("last"),
        sf.count(sf.lit(1)).alias("numbers"),
        sf.count_if(sf.col("bits") == 1).alias("runs"),
    ).collect()[0]
    if not ends.numbers:
        return None
    first, last = int(ends["first"]), int(ends["last"])
    return Gaps(first, last, last - first + 1 - ends.numbers, ends.runs - 1)


def _over_time(
    spark: SparkSession, rows: DataFrame, result: DataFrame, terms: Terms, job: BulkConflation
) -> tuple[tuple[Bucket, ...], float]:
    """Counts of rows by their time, and of the results, read again, by the time of their last update."""
    assert terms.time is not None  # noqa: S101 - checked before
    seconds = _seconds(column(terms.time))
    ends = rows.agg(sf.min(seconds).alias("first"), sf.max(seconds).alias("last")).collect()[0]
    if ends["first"] is None:
        return (), 0.0
    width = (ends["last"] - ends["first"]) / _BUCKETS or 1.0
    options = {"header": "true"} if job.target_format is Format.CSV else {}
    written = spark.read.schema(result.schema).options(**options).format(job.target_format.value)
    results = written.load(str(job.target.resolve()))
    before = _by_bucket(rows, seconds, ends["first"], width)
    after = _by_bucket(results, _seconds(sf.col("last_time")), ends["first"], width)
    numbers = range(max([*before, *after], default=0) + 1)
    return (
        tuple(
            Bucket(ends["first"] + number * width, before.get(number, 0), after.get(number, 0))
            for number in numbers
        ),
        width,
    )


def _by_bucket(rows: DataFrame, seconds: Column, first: float, width: float) -> dict[int, int]:
    number = sf.least(sf.floor((seconds - first) / width), sf.lit(_BUCKETS - 1)).cast("int").alias("number")
    counts = rows.select(number).where("number IS NOT NULL").groupBy("number").count().collect()
    return {row["number"]: row["count"] for row in counts}


def _seconds(moment: Column) -> Column:
    return sf.unix_micros(moment.cast("timestamp")) / 1_000_000
