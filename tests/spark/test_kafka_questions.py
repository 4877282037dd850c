"""What a user of Spark's Kafka source asks, and what he asks here, have the same answers.

The questions are the table of the page for those who come from Kafka. Kafka's column runs on a table with the
columns of Spark's Kafka source, which itself needs packages from Maven.
"""

import contextlib
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark")

from pyspark.sql import functions
from waiting import wait_until

from lastvalue.client import Message, QueueNotFoundError, blocking
from lastvalue.pipeline import as_of, conflate, parsed
from lastvalue.pipeline.spark.register import register

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

PAGE = Path(__file__).parents[2] / "docs/migrate/from-kafka-compaction.md"
ROWS = re.findall(r"(?m)^\| ([^|`]+) \| `([^|]+)` \| `([^|]+)` \|$", PAGE.read_text())
QUESTIONS = {asked: (kafka, here) for asked, kafka, here in ROWS if kafka.startswith("topic.")}
WRITES = {asked: (kafka, here) for asked, kafka, here in ROWS if kafka.startswith("rows.")}
UPDATES: Sequence[tuple[str, float | None]] = [
    ("A", 1.5), ("B", 2.5), ("A", 3.5), ("C", 4.5), ("B", None), ("A", 5.5), ("C", 6.5),
]  # fmt: skip
_COLUMNS = "key STRING, value STRING, offset LONG, timestamp TIMESTAMP"


@pytest.fixture(scope="module")
def names(spark: "SparkSession", broker_url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the page's expressions name, of the same updates at the same times on both sides."""
    register(spark)
    with blocking.connect(broker_url) as connection:
        queue = connection.declare("questions", lvq_key="symbol", order_by="n", history="questions.history")
        for number, (symbol, price) in enumerate(UPDATES):
            wait_for_the_next_time(connection)
            if price is None:
                queue.delete(symbol)
            else:
                queue.send(Message(value(number, price), {"symbol": symbol, "n": number}))
    source = spark.read.format("lastvalue").options(url=broker_url, queue="questions")
    updates = source.option("read", "effects").load()
    happened = updates.where("effect = 'added' OR (effect = 'removed' AND reason <> 'replaced')").orderBy(
        "sequence"
    )
    times = [row.effect_time for row in happened.select("effect_time").collect()]
    assert len(times) == len(UPDATES)
    records = [
        (symbol, value(number, price), number, time)
        for (number, (symbol, price)), time in zip(enumerate(UPDATES), times, strict=True)
    ]
    folder = str(tmp_path_factory.mktemp("topic"))
    texts = spark.createDataFrame(records, _COLUMNS)
    binary = {name: functions.col(name).cast("binary") for name in ("key", "value")}
    texts.withColumns(
        {**binary, "topic": functions.lit("questions"), "partition": functions.lit(0)}
    ).write.parquet(f"{folder}/t")
    return {
        "F": functions,
        "spark": spark,
        "topic": spark.read.parquet(f"{folder}/t"),
        "queue": spark.read.format("lastvalue").options(url=broker_url, queue="questions").load(),
        "updates": updates,
        "tables": f"{folder}/none",
        "moment": times[4],
        "as_of": partial(at_the_broker, broker_url),
        "conflate": conflate,
        "parsed": parsed,
    }


def wait_for_the_next_time(connection: blocking.Connection) -> None:
    before_ms = connection.clock_ms()
    wait_until(lambda: connection.clock_ms() > before_ms)


def value(number: int, price: float | None) -> str | None:
    return None if price is None else json.dumps({"n": number, "price": price})


def at_the_broker(url: str, spark: "SparkSession", tables: str, _queue: str, moment: datetime) -> "DataFrame":
    """The page's `as_of`, of this test's queue, by its broker."""
    return as_of(spark, tables, "questions", moment.astimezone(UTC).isoformat(), url=url)


def answer(code: str, names: dict[str, Any]) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in eval(code, names).collect())


@pytest.mark.parametrize("asked", QUESTIONS)
def test_both_sides_have_the_same_answer(names: dict[str, Any], asked: str) -> None:
    kafka, here = QUESTIONS[asked]
    found = answer(here, names)
    assert found
    assert found == answer(kafka, names)


def test_the_questions_tell_the_updates_apart(names: dict[str, Any]) -> None:
    """A deletion, an update that is replaced, and a moment before the end make a difference."""
    newest, then = (
        answer(QUESTIONS[asked][1], names)
        for asked in (
            "the newest value of each key, deleted keys left out",
            "what was valid at a moment",
        )
    )
    assert [key for key, _ in newest] == ["A", "C"]
    assert [key for key, _ in then] == ["A", "C"]
    assert newest != then
    assert len(QUESTIONS) >= 7


def test_both_sides_write_the_same_records(names: dict[str, Any], broker_url: str, tmp_path: Path) -> None:
    (kafka, here), *_ = WRITES.values()
    spark: SparkSession = names["spark"]
    rows = spark.createDataFrame([("A", 1, 1.5), ("B", 2, 2.5)], "symbol STRING, n LONG, price DOUBLE")
    with blocking.connect(broker_url) as connection:
        # The page's name of the queue is also that of others, whose tests have the same broker.
        with contextlib.suppress(QueueNotFoundError):
            connection.delete("prices")
        queue = connection.declare("prices", lvq_key="symbol", order_by="n")
        to_broker = here.replace('format("lastvalue")', f'format("lastvalue").option("url", "{broker_url}")')
        eval(to_broker, {"rows": rows})
        sent = sorted((each.properties["symbol"], each.body) for each in queue.browse())
        connection.delete("prices")
    to_files = kafka.replace(
        'format("kafka").option("topic", "prices").save()', f'parquet("{tmp_path}/topic")'
    )
    eval(to_files, {"rows": rows})
    records = spark.read.parquet(f"{tmp_path}/topic").selectExpr("STRING(key)", "STRING(value)").collect()
    assert sent == sorted((row[0], row[1]) for row in records)
    assert len(sent) == 2
