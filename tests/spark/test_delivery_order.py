"""`in_delivery_order` on a real Spark against what a browser of a live queue sees."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

from lastvalue.client.message import Message
from lastvalue.client.message_codec import encode_message
from lastvalue.codec.amqp10.message import read_message
from lastvalue.pipeline.retention.delivery_order import in_delivery_order
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Subscriber

pytestmark = [pytest.mark.spark, pytest.mark.timeout(300)]

TIME = datetime(2026, 3, 1, tzinfo=UTC)
TEXTS: Sequence[object] = ("b", None, "a", "B", "", "é", "\U0001f600", "\uffee", "10", "9", "a", None)


class Reader(Subscriber):
    def wake(self) -> None:
        """There is nobody to wake."""


def browsed(declaration: Mapping[str, object], messages: Sequence[Message]) -> list[int]:
    """The numbers of the messages, from 1, as a browser sees them."""
    queue = Queue(spec_from_arguments("q", declaration))
    for message in messages:
        assert queue.enqueue(read_message(encode_message(message)), 1_000)
    browser = queue.subscribe(Mode.BROWSE, Reader(), ANY, 1_000)
    seen = []
    while (entry := queue.next(browser, 1_000)) is not None:
        seen.append(int(entry.sequence))
    return seen


@pytest.mark.parametrize(
    "declaration",
    [{}, {"priorities": 10}, {"priorities": 3, "fairshare": 1}, {"priorities": 1000}],
    ids=["standard", "ten levels", "three levels", "a thousand levels"],
)
def test_priorities_stand_as_on_a_live_queue(spark: SparkSession, declaration: dict[str, Any]) -> None:
    priorities = [4, None, 0, 9, 5, 255, 3, 6, 4, 10, 0]
    rows = [(number, TIME, priority) for number, priority in enumerate(priorities, 1)]
    frame = spark.createDataFrame(rows, "sequence long, arrival_time timestamp, priority int").repartition(3)
    found = in_delivery_order(frame, declaration).collect()
    messages = [Message(b"", priority=4 if priority is None else priority) for priority in priorities]
    assert [row["sequence"] for row in found] == browsed(declaration, messages)
    assert [row["position"] for row in found] == list(range(1, len(rows) + 1))


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("string", TEXTS),
        ("bigint", (9, 10, None, -1, -10, 2**63 - 1, 0)),
        ("boolean", (True, False, None, True)),
        ("double", (2.0, 1.0, None, 3.0, 1e22, 0.5, float("nan"), -0.0, 123456789012345680.0, 1e-7)),
        ("float", (2.5, 1.25, None, 10.0)),
        ("binary", (b"b", b"a", None)),
    ],
)
def test_texts_sort_as_on_a_live_queue(spark: SparkSession, kind: str, values: Sequence[object]) -> None:
    declaration = {"sort_key": "s"}
    rows = [(number, TIME, {"s": value}) for number, value in enumerate(values, 1)]
    schema = f"sequence long, arrival_time timestamp, properties map<string, {kind}>"
    found = in_delivery_order(spark.createDataFrame(rows, schema).repartition(3), declaration).collect()
    messages = [Message(b"", {} if value is None else {"s": value}) for value in values]
    assert [row["sequence"] for row in found] == browsed(declaration, messages)


def test_the_first_place_that_has_the_property_counts_even_where_it_has_no_text(spark: SparkSession) -> None:
    rows = [(1, TIME, None, "m", "z"), (2, TIME, None, None, "a"), (3, TIME, b"z", "b", "b")]
    frame = spark.createDataFrame(
        rows, "sequence long, arrival_time timestamp, own binary, note string, subject string"
    ).select(
        "sequence",
        "arrival_time",
        sf.struct(sf.col("own").alias("subject")).alias("properties"),
        sf.create_map(sf.lit("subject"), "note").alias("annotations"),
        "subject",
    )
    found = in_delivery_order(frame, {"sort_key": "subject"}).collect()
    assert [row["sequence"] for row in found] == [3, 2, 1]


def test_each_queue_is_counted_by_itself_and_what_is_not_available_comes_last(spark: SparkSession) -> None:
    rows = [
        (1, TIME, "b", 4, "held_back"),
        (2, TIME, "b", 9, "acquired"),
        (3, TIME, "a", 0, "available"),
        (4, TIME, "b", 1, "available"),
        (5, TIME, "a", 9, None),
        (6, TIME, "b", 2, "available"),
    ]
    frame = spark.createDataFrame(
        rows, "sequence long, arrival_time timestamp, queue string, priority int, state string"
    )
    found = in_delivery_order(frame, {"priorities": 10}).collect()
    assert [(row["queue"], row["sequence"], row["position"]) for row in found] == [
        ("a", 5, 1),
        ("a", 3, 2),
        ("b", 6, 1),
        ("b", 4, 2),
        ("b", 1, None),
        ("b", 2, None),
    ]


def test_on_a_queue_that_replaces_in_place_the_place_counts(spark: SparkSession) -> None:
    rows = [(3, TIME, "x", None), (4, TIME, "y", 1), (5, TIME, "z", 2)]
    frame = spark.createDataFrame(rows, "sequence long, arrival_time timestamp, key string, place long")
    found = in_delivery_order(frame, {"qpid.last_value_queue": 1}).collect()
    assert [row["sequence"] for row in found] == [4, 5, 3]


def test_ranks_that_a_history_tells_are_taken_as_they_are(spark: SparkSession) -> None:
    rows = [(3, b"\x00\x02"), (4, b"\x00\x01"), (5, b"\xff"), (6, None), (7, b"\x00\x01")]
    frame = spark.createDataFrame(rows, "sequence long, rank binary")
    found = in_delivery_order(frame, {"priorities": 10}).collect()
    assert [row["sequence"] for row in found] == [6, 4, 7, 3, 5]


def test_a_priority_that_no_message_has_fails_the_query(spark: SparkSession) -> None:
    rows = [(1, TIME, 256), (2, TIME, 3)]
    frame = spark.createDataFrame(rows, "sequence long, arrival_time timestamp, priority int")
    with pytest.raises(PySparkException, match="priority is 0 to 255, not 256"):
        in_delivery_order(frame, {"priorities": 10}).collect()
