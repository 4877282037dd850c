"""What `retained` gives out of its rows, which it refuses, and what a live broker shows."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from lastvalue.client import blocking
from lastvalue.client.message import Message
from lastvalue.pipeline import retained
from lastvalue.pipeline.retention.retained import Plan

pytestmark = pytest.mark.spark

START = datetime(2026, 3, 1, tzinfo=UTC)
LATER = START + timedelta(hours=1)
LVQ = {"lvq_key": "key"}
BOUNDED = {**LVQ, "max_messages": 2, "when_full": "drop-oldest"}


def after(milliseconds: int) -> datetime:
    return START + timedelta(milliseconds=milliseconds)


def history(spark: SparkSession) -> DataFrame:
    rows = [
        (1, after(0), "a", {"rev": 1}, [1], 1, "x"),
        (2, after(1), "b", {"rev": 1}, [2], 2, "x"),
        (3, after(2), "a", {"rev": 2}, [3], 3, "x"),
        (4, after(3), None, {"rev": 3}, [4], 4, "x"),
    ]
    schema = (
        "sequence int, arrival_time timestamp, key string, properties map<string,int>, extra array<int>, "
        "position int, `odd.name` string"
    )
    return spark.createDataFrame(rows, schema).repartition(2)


@pytest.mark.parametrize("broadcast", [True, False])
@pytest.mark.parametrize("declaration", [LVQ, {}, BOUNDED], ids=["last value", "standard", "bounded"])
def test_rows_keep_their_columns(spark: SparkSession, declaration: dict[str, Any], broadcast: bool) -> None:
    found = retained(history(spark), declaration, LATER, broadcast=broadcast)
    assert found.columns == [
        "sequence",
        "arrival_time",
        "key",
        "properties",
        "extra",
        "odd.name",
        "position",
        "updates",
        "state",
        "expires_time",
    ]
    rows = found.collect()
    assert [row["position"] for row in rows] == list(range(1, len(rows) + 1))
    last = rows[-1].asDict()
    assert (last["sequence"], last["key"], last["properties"], last["extra"], last["odd.name"]) == (
        4,
        None,
        {"rev": 3},
        [4],
        "x",
    )


@pytest.mark.parametrize("plan", [Plan.COLUMNS, Plan.BY_KEY, Plan.BY_QUEUE])
def test_only_what_had_arrived_counts(spark: SparkSession, plan: Plan) -> None:
    before = retained(history(spark), LVQ, after(1), plan=plan).collect()
    assert [(row["sequence"], row["updates"]) for row in before] == [(1, 1), (2, 1)]
    then = retained(history(spark), LVQ, after(2), plan=plan).collect()
    assert [(row["sequence"], row["updates"]) for row in then] == [(2, 1), (3, 2)]
    assert retained(history(spark), LVQ, after(-1), plan=plan).collect() == []


def test_the_moment_may_be_in_any_time_zone(spark: SparkSession) -> None:
    local = datetime.fromisoformat("2026-03-01T05:30:00.001+05:30")
    assert [row["sequence"] for row in retained(history(spark), LVQ, local).collect()] == [1, 2]


def test_the_key_column_may_stand_for_a_property_of_another_name(spark: SparkSession) -> None:
    found = retained(history(spark), {"lvq_key": "symbol"}, LATER, key_property="symbol")
    assert [row["sequence"] for row in found.collect()] == [2, 3, 4]


def test_what_is_held_back_comes_last_without_a_position(spark: SparkSession) -> None:
    delays = sf.struct(sf.when(sf.col("sequence") == 1, 10).alias("x-opt-delivery-delay"))
    frame = history(spark).withColumn("annotations", delays)
    found = retained(frame, {}, after(5)).collect()
    assert [(row["sequence"], row["position"], row["state"]) for row in found] == [
        (2, 1, "available"),
        (3, 2, "available"),
        (4, 3, "available"),
        (1, None, "held_back"),
    ]
    assert [row["sequence"] for row in retained(frame, {}, after(10)).collect()] == [1, 2, 3, 4]


def test_when_it_expires_is_told_as_the_queue_has_it(spark: SparkSession) -> None:
    frame = history(spark).withColumn("ttl_ms", sf.lit(50))
    found = retained(frame, {"minimum_ttl_ms": 100}, after(101)).collect()
    assert [(row["sequence"], row["expires_time"].astimezone(UTC)) for row in found] == [
        (3, after(102)),
        (4, after(103)),
    ]


@pytest.mark.parametrize(
    ("column", "value", "declaration", "complaint"),
    [
        (
            "arrival_time",
            "if(sequence = 2, null, arrival_time)",
            {},
            "column 'arrival_time' is null in a row",
        ),
        ("sequence", "if(sequence = 2, null, sequence)", LVQ, "column 'sequence' is null in a row"),
        ("ttl_ms", "0", {}, "ttl_ms is 1 to 4294967295, not 0"),
        ("ttl_ms", "0", BOUNDED, "ttl_ms is 1 to 4294967295, or None for ever; not 0"),
        ("updates", "0", LVQ, "updates is 1 or more, not 0"),
        ("updates", "0", BOUNDED, "updates is 1 or more, not 0"),
        ("sequence", "7", BOUNDED, "two messages of one queue have the sequence 7"),
    ],
)
def test_a_row_that_is_no_message_of_a_history_fails_the_query(
    spark: SparkSession, column: str, value: str, declaration: dict[str, Any], complaint: str
) -> None:
    frame = history(spark).withColumn(column, sf.expr(value))
    with pytest.raises(PySparkException) as failed:
        retained(frame, declaration, LATER).collect()
    assert complaint in str(failed.value)


def test_a_broker_shows_what_is_retained_of_what_was_sent_to_it(spark: SparkSession, broker_url: str) -> None:
    declaration: dict[str, Any] = {**LVQ, "order_by": "rev", "max_messages": 4, "when_full": "drop-oldest"}
    keys = "abcabdeafbgacbb"
    revisions = [5, 1, 2, 4, 1, 3, 1, 6, 1, 0, 2, 6, 3, 1, 2]
    sent = [
        Message(f"{number}", {"key": key, "rev": revision}, updates=number % 3 + 1)
        for number, (key, revision) in enumerate(zip(keys, revisions, strict=True))
    ]
    rows = [
        (
            number,
            START,
            message.body,
            message.properties["key"],
            (message.properties["rev"],),
            message.updates,
        )
        for number, message in enumerate(sent)
    ]
    schema = (
        "sequence int, arrival_time timestamp, body string, key string, properties struct<rev: int>, "
        "updates int"
    )
    with blocking.connect(broker_url) as connection:
        queue = connection.declare("retained", **declaration)
        for message in sent:
            queue.send(message)
        shown = [(message.body, message.updates) for message in queue.browse()]
    found = retained(spark.createDataFrame(rows, schema), declaration, START).collect()
    assert [(row["body"], row["updates"]) for row in found] == shown
    assert len(shown) == 4
