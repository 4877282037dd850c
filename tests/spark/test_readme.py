"""The snippet of Spark in the README does what it shows."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark")

from lastvalue.client import blocking

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

README = Path(__file__).parents[2] / "README.md"


def test_the_newest_rows_are_published_with_the_number_of_updates_and_read_back(
    spark: "SparkSession", broker_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [("A", 1, 1.5), ("A", 3, 3.5), ("A", 2, 2.5), ("B", 4, 4.5)]
    schema = "symbol STRING, sequence BIGINT, price DOUBLE"
    spark.createDataFrame(rows, schema).write.parquet(f"file:{tmp_path}/updates.parquet")
    snippet = README.read_text().partition("From Spark:\n\n```python\n")[2].partition("```")[0]
    snippet = snippet.replace('read.parquet("', f'read.parquet("file:{tmp_path}/')
    snippet = snippet.replace('publish(rows, "prices"', f'publish(rows, "prices", url="{broker_url}"')
    snippet = snippet.replace('"lastvalue").option(', f'"lastvalue").option("url", "{broker_url}").option(')
    names: dict[str, Any] = {}
    with blocking.connect(broker_url) as connection:
        prices = connection.declare("prices", lvq_key="symbol", order_by="sequence")
        exec(compile(snippet, "README.md", "exec"), names)
        messages = {message.properties["symbol"]: message for message in prices.browse()}
    assert {key: message.updates for key, message in messages.items()} == {"A": 3, "B": 1}
    assert {key: message.properties["sequence"] for key, message in messages.items()} == {"A": 3, "B": 4}
    assert json.loads(str(messages["A"].body)) == {"symbol": "A", "sequence": 3, "price": 3.5}
    read = {row["key"]: row["updates"] for row in names["current"].collect()}
    assert read == {"A": 3, "B": 1}
    with blocking.connect(broker_url) as connection:
        connection.delete("prices")
