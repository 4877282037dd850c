"""Every block of the docs that works on DataFrames runs: those of a page in one program."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

pytest.importorskip("pyspark")

from page_commands import PAGES, name_of
from python_blocks import blocks_to_run, local

from lastvalue.testing.broker_thread import BrokerThread

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
NAMES: Final = [name_of(page) for page in PAGES if any(blocks_to_run(name_of(page), spark=True))]
_HISTORY: Final = """
import asyncio
from lastvalue.client import Message
from lastvalue.history.landing import LandingOptions, land_history
from lastvalue.history.times import print_time
prices = connection.declare("prices", lvq_key="symbol", history="prices.history")
prices.send_many([Message(price, {"symbol": "AAPL"}) for price in (1.5, 2.5)])
tables = folder / "var/lib/lastvalue/history"
asyncio.run(land_history(url, tables, ["prices"], LandingOptions(until_now=True)))
moment = print_time(prices.info().statistics["last_in_ms"])
"""
_UPDATES: Final = """
from pyspark.sql import Observation, functions as sf
updates = spark.sql("SELECT 'A' AS symbol, id AS sequence, timestamp_seconds(id) AS time FROM range(4)")
ticks = updates.selectExpr("symbol", "time", "1.5D AS price", "2L AS size")
"""
GIVEN: Final = {
    "docs/pipeline/as-of.md": _HISTORY,
    "docs/pipeline/conflation.md": _UPDATES,
    "docs/pipeline/feeds.md": """
import pyarrow as pa, pyarrow.parquet as pq
pq.write_table(pa.table({"received": pa.array([1, 2], pa.timestamp("us", "UTC"))}), folder / "ticks.parquet")
""",
    "docs/pipeline/history.md": _HISTORY,
    "docs/pipeline/operators.md": """
import pyarrow as pa
trades = spark.sql("SELECT 'A' AS symbol, 200L AS size, 101.5D AS price")
orders = spark.sql("SELECT 'a' AS account, 1L AS sequence, 5.5D AS amount")
""",
    "docs/pipeline/retained.md": _UPDATES
    + """
declaration = {"lvq_key": "key", "order_by": "rev"}
arrivals = spark.sql(
    "SELECT 1L AS sequence, timestamp_millis(1) AS arrival_time, 'b' AS body, "
    "'A' AS key, named_struct('symbol', 'A', 'rev', 1L) AS properties"
)
messages = spark.sql("SELECT 'a' AS body, 1 AS priority, 1L AS sequence")
""",
    "docs/pipeline/sink.md": """
connection.declare("prices")
rows = spark.sql("SELECT 'a' AS body")
updates = spark.readStream.schema("body STRING").text(f"{folder}")
""",
    "docs/pipeline/source.md": "connection.declare('prices')",
}
"""What the blocks of a page take for granted."""


def changes(url: str, folder: Path) -> dict[str, str]:
    """What is different here: the broker, its folders, and the moments of which there is a history."""
    return {
        '.format("lastvalue")': f'.format("lastvalue").option("url", "{url}")',
        'publish(rows, "prices"': f'publish(rows, "prices", url="{url}"',
        'publish_stream(updates, "prices"': f'publish_stream(updates, "prices", url="{url}"',
        '"2026-03-01T12:00:00Z"': "moment",
        '"-1d"': "moment",
        'parquet("newest")': f'parquet("file:{folder}/newest")',
        '"ticks.parquet"': f'"{folder}/ticks.parquet"',
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_spark_of_a_page_runs(name: str, spark: "SparkSession", tmp_path: Path) -> None:
    with BrokerThread() as broker:
        names: dict[str, Any] = {
            "spark": spark,
            "url": broker.url,
            "connection": broker.connection,
            "folder": tmp_path,
        }
        exec(GIVEN[name], names)
        for block in blocks_to_run(name, spark=True):
            exec(local(block, broker.url, tmp_path, changes(broker.url, tmp_path)), names)
        if "query" in names:
            names["query"].processAllAvailable()
            names["query"].stop()
            assert broker.connection.queue("prices").info().published == 2
