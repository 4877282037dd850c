"""Counts of the rows and keys of a conflation, and of late, equal and duplicate rows.

| count | of |
| --- | --- |
| rows | rows read |
| keyless | rows without a key |
| keys | keys |
| results | rows of the result; rows over results is the ratio |
| late | rows that come after a row of their key with a greater order value |
| duplicates | rows that equal another row in all columns, except for the first of them |
| equal | different rows with the same key and order value, except for the first of them |
"""

from typing import TYPE_CHECKING, Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf

from lastvalue.pipeline.columns import column, comparable
from lastvalue.pipeline.conflation.terms import KEY, Terms

if TYPE_CHECKING:
    from pyspark.sql import Observation

_ARRIVAL: Final = "__lastvalue_arrival"
_HASH: Final = "__lastvalue_hash"
_LATE: Final = "__lastvalue_late"
_ORDER: Final = "__lastvalue_order"

COUNTS: Final = ("rows", "keyless", "keys", "late", "equal", "duplicates")


def count_rows(df: DataFrame, terms: Terms, arrival: Column | None = None) -> DataFrame:
    """One row with the columns COUNTS of a batch.

    It reads keys, order values and a hash of every row, and sorts them once, which costs more than
    conflation. `arrival` is the order in which the rows came; by default the order in which Spark reads them.
    """
    arrival = sf.monotonically_increasing_id() if arrival is None else arrival
    order = sf.struct(*map(column, terms.order))
    narrow = df.select(
        column(terms.key).alias(KEY),
        order.alias(_ORDER),
        sf.xxhash64(*(comparable(name, kind) for name, kind in terms.types.items())).alias(_HASH),
        arrival.alias(_ARRIVAL),
    )
    before = Window.partitionBy(KEY).orderBy(_ARRIVAL).rowsBetween(Window.unboundedPreceding, -1)
    # One hash partition holds all of a key's rows, so that the aggregates need no further shuffle.
    late = sf.coalesce(sf.col(_ORDER) < sf.max(_ORDER).over(before), sf.lit(col=False))
    keyed = narrow.where(sf.col(KEY).isNotNull()).withColumn(_LATE, late)
    of_rows = keyed.groupBy(KEY, _ORDER, _HASH).agg(
        sf.count("*").alias("rows"), sf.count_if(_LATE).alias("late")
    )
    of_orders = of_rows.groupBy(KEY, _ORDER).agg(
        sf.sum("rows").alias("rows"), sf.sum("late").alias("late"), sf.count("*").alias("variants")
    )
    of_keys = of_orders.groupBy(KEY).agg(
        sf.sum("rows").alias("rows"),
        sf.sum("late").alias("late"),
        sf.sum(sf.col("variants") - 1).alias("equal"),
        sf.sum(sf.col("rows") - sf.col("variants")).alias("duplicates"),
    )
    keyless = narrow.where(sf.col(KEY).isNull()).agg(sf.count("*").alias("keyless"))
    sums = {name: sf.coalesce(sf.sum(name), sf.lit(0)) for name in ("rows", "late", "equal", "duplicates")}
    totals = of_keys.agg(sf.count("*").alias("keys"), *(total.alias(name) for name, total in sums.items()))
    counts = totals.crossJoin(sf.broadcast(keyless)).withColumn("rows", sf.col("rows") + sf.col("keyless"))
    return counts.select(*COUNTS)


def observe_batch(
    result: DataFrame, df: DataFrame, terms: Terms, observation: "Observation | str"
) -> DataFrame:
    """The result of a batch, with an observation of COUNTS, `results` and `ratio`."""
    counts = count_rows(df, terms).select(*(sf.col(name).alias(_hidden(name)) for name in COUNTS))
    totals = [sf.coalesce(sf.max(_hidden(name)), sf.lit(0)).alias(name) for name in COUNTS]
    ratio = sf.max(_hidden("rows")) / sf.count(sf.lit(1))
    metrics = [*totals, sf.count(sf.lit(1)).alias("results"), ratio.alias("ratio")]
    watched = result.crossJoin(sf.broadcast(counts)).observe(observation, *metrics)
    return watched.drop(*map(_hidden, COUNTS))


def observe_stream(df: DataFrame, terms: Terms, observation: "Observation | str") -> DataFrame:
    """The rows of a stream, with an observation of `rows`, `keyless` and the approximate number of `keys`.

    Spark itself counts the rows behind the watermark, as `numRowsDroppedByWatermark` of its progress.
    """
    key = column(terms.key)
    return df.observe(
        observation,
        sf.count(sf.lit(1)).alias("rows"),
        sf.count_if(key.isNull()).alias("keyless"),
        sf.approx_count_distinct(key).alias("keys"),
    )


def _hidden(name: str) -> str:
    return f"__lastvalue_{name}_counted"
