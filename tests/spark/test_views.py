"""Queues as views of a real Spark session against a real broker; the same queries as `lastvalue sql`."""

import json
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark")

from waiting import wait_until

from lastvalue.client import Message, blocking
from lastvalue.history.times import print_time
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.pipeline import register_views

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def send(url: str, queue: str, key: str, body: object, **properties: object) -> None:
    with blocking.connect(url) as broker:
        text = body if isinstance(body, bytes) else json.dumps(body)
        broker.queue(queue).send(Message(text, {"symbol": key, **properties}))


def test_queues_are_joined_by_their_names(spark: "SparkSession", broker_url: str) -> None:
    with blocking.connect(broker_url) as broker:
        broker.declare("view.prices", lvq_key="symbol")
        broker.declare("view_positions", lvq_key="symbol")
    send(broker_url, "view.prices", "AAPL", {"price": 101.5, "more": {"venue": "X"}, "Key": 1}, desk="a")
    send(broker_url, "view.prices", "MSFT", {"price": 7, "tags": ["x"]})
    send(broker_url, "view_positions", "AAPL", {"amount": 40})
    register_views(spark, broker_url, "view.prices", "view_positions")
    rows = spark.sql(
        "select symbol, price * amount as worth, desk, more.venue from `view.prices` "
        "join view_positions using (symbol)"
    ).collect()
    assert [tuple(row) for row in rows] == [("AAPL", 4060.0, "a", "X")]
    columns = spark.table("`view.prices`").columns
    assert (columns.count("key"), "Key" in columns, columns[:3]) == (1, False, ["queue", "key", "body"])
    send(broker_url, "view.prices", "AAPL", {"price": 1.0})
    register_views(spark, broker_url, "view.prices")
    assert spark.sql("select price from `view.prices` where symbol = 'AAPL'").collect()[0][0] == 1.0


def test_a_queue_of_bytes_and_an_empty_one_are_views_without_fields(
    spark: "SparkSession", broker_url: str
) -> None:
    with blocking.connect(broker_url) as broker:
        broker.declare("view_bytes", lvq_key="symbol")
        broker.declare("view_empty")
    send(broker_url, "view_bytes", "A", b"\xff")
    send(broker_url, "view_bytes", "B", {"price": 1})
    register_views(spark, broker_url, "view_bytes", "view_empty")
    assert [
        bytes(row[0]) for row in spark.sql("select body from view_bytes where symbol = 'A'").collect()
    ] == [b"\xff"]
    assert spark.sql("select * from view_empty").count() == 0


def test_a_queue_is_a_view_as_it_was(spark: "SparkSession", broker_url: str) -> None:
    with blocking.connect(broker_url) as broker:
        broker.declare("view_past", lvq_key="symbol", history="view_past.history")
        send(broker_url, "view_past", "A", {"price": 1.5})
        before_ms = broker.clock_ms()
        wait_until(lambda: broker.clock_ms() > before_ms)
        send(broker_url, "view_past", "A", {"price": 2.5})
    register_views(
        spark, broker_url, "view_past", at=print_time(before_ms), names={"view_past": "view_before"}
    )
    register_views(spark, broker_url, "view_past")
    moved = spark.sql(
        "select symbol, now.price - old.price from view_past now join view_before old using (symbol)"
    ).collect()
    assert [tuple(row) for row in moved] == [("A", 1.0)]


def test_a_queue_that_does_not_exist_is_no_view(spark: "SparkSession", broker_url: str) -> None:
    with pytest.raises(QueueNotFoundError, match="view_nowhere"):
        register_views(spark, broker_url, "view_nowhere")
