"""Every block of the docs that works on DataFrames runs: those of a page in one program.

So do the commands that start Spark, of the page of pipelines and after them those of the command line's.
"""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

pytest.importorskip("pyspark")

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
from page_commands import PAGES, ROOT, commands_of, configurations_of, name_of
from python_blocks import blocks_to_run, local
from terminal import Terminal

from lastvalue.testing.broker_thread import BrokerThread

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
NAMES: Final = [name_of(page) for page in PAGES if any(blocks_to_run(name_of(page), spark=True))]
LONGER: Final = (
    "docs/pipeline/as-of.md",
    "docs/pipeline/conflation.md",
    "docs/pipeline/retained.md",
    "docs/pipeline/sink.md",
)
"""Pages whose queries take long: `make test` runs the others."""
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


@pytest.mark.parametrize("name", [name for name in NAMES if name not in LONGER])
def test_the_spark_of_a_page_runs(name: str, spark: "SparkSession", tmp_path: Path) -> None:
    run_page(name, spark, tmp_path)


@pytest.mark.parametrize("name", LONGER)
def test_the_spark_of_a_longer_page_runs(name: str, spark: "SparkSession", tmp_path: Path) -> None:
    run_page(name, spark, tmp_path)


def run_page(name: str, spark: "SparkSession", folder: Path) -> None:
    """Run its blocks, one after the other, with a broker of their own."""
    with BrokerThread() as broker:
        names: dict[str, Any] = {
            "spark": spark,
            "url": broker.url,
            "connection": broker.connection,
            "folder": folder,
        }
        exec(GIVEN[name], names)
        for block in blocks_to_run(name, spark=True):
            exec(local(block, broker.url, folder, changes(broker.url, folder)), names)
        if "query" in names:
            names["query"].processAllAvailable()
            names["query"].stop()
            assert broker.connection.queue("prices").info().published == 2


PIPELINES, COMMAND_LINE = ROOT / "docs/pipeline/pipelines.md", ROOT / "docs/operate/cli-stores.md"
STARTS_SPARK: Final = (
    "lastvalue conflate",
    "lastvalue pipeline run",
    "lastvalue pipeline status",
    "lastvalue pipeline validate",
)


def write_files(folder: Path) -> None:
    """What the commands of the two pages read."""
    (folder / "ticks").mkdir()
    now = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
    rows = f"AAPL,1,10.5,{now}\nMSFT,2,20.5,{now}\nAAPL,3,10.7,{now}\n"
    (folder / "ticks" / "a.csv").write_text(rows)
    ticks = pa.table({"symbol": ["AAPL", "MSFT"], "time": pa.array([1, 2], pa.timestamp("us", "UTC"))})
    ticks = ticks.append_column("price", pa.array([10.5, 20.5])).append_column("size", pa.array([1, 2]))
    pq.write_table(ticks, folder / "ticks.parquet")
    pc.write_csv(pa.table({"id": ["a", "a"], "sequence": [1, 2]}), folder / "updates.csv")


@pytest.mark.long
@pytest.mark.timeout(2000)
def test_the_commands_that_start_spark_do_what_their_pages_say(tmp_path: Path) -> None:
    write_files(tmp_path)
    with Terminal(tmp_path) as terminal:
        terminal.serve(["serve"])
        configuration = terminal.local(configurations_of(PIPELINES)[0])
        url = terminal.variables["LASTVALUE_URL"]
        (tmp_path / "lastvalue.toml").write_text(configuration.replace("amqp://127.0.0.1:5672", url))
        of_command_line = [each for each in commands_of(COMMAND_LINE) if each.text.startswith(STARTS_SPARK)]
        for command in [*commands_of(PIPELINES), *of_command_line]:
            if command.text.startswith("lastvalue conflate ticks/"):
                (tmp_path / "ticks" / "a.csv").unlink()
                (tmp_path / "ticks" / "a.parquet").hardlink_to(tmp_path / "ticks.parquet")
            done = terminal.run(command.text)
            assert done.code in (0, 130), f"{command.text}\n{done}"
        assert terminal.run("lastvalue queue show prices -o json").output.count('"depth": 2,') == 1
