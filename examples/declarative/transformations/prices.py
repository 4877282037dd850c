"""Ticks from one queue, their newest price of each symbol to another.

lastvalue queue add ticks --non-destructive
lastvalue queue add prices --lvq-key symbol --order-by sequence
"""

from pyspark import pipelines as dp
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

spark = SparkSession.active()
url = spark.conf.get("lastvalue.url") or ""

dp.create_sink("prices", "lastvalue", {"url": url, "queue": "prices"})


@dp.temporary_view
def ticks() -> DataFrame:
    """What stands on the queue and was not read by an earlier run, with the columns of its JSON."""
    rows = spark.readStream.format("lastvalue").options(url=url, queue="ticks", maxRecordsPerBatch=100_000)
    tick = F.from_json(F.col("body").cast("string"), "symbol STRING, price DOUBLE")
    return rows.load().select("sequence", tick.alias("tick")).select("sequence", "tick.*")


@dp.append_flow(target="prices")
def newest_prices() -> DataFrame:
    """Every tick with the number that the queue `prices` orders by: it keeps the newest."""
    return spark.readStream.table("ticks").select(
        F.col("symbol").alias("key"),
        F.to_json(F.struct("price")).alias("body"),
        F.struct("sequence").alias("properties"),
    )
