"""Selectors compiled for Spark against the ones that the broker uses."""

import math
import os
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from canned_message import CannedMessage
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql.types import DoubleType, StringType, StructType
from test_selectors import CLOSE, trees

from lastvalue.pipeline.selection.conditions import MAX_SPARK_DEPTH, condition, select
from lastvalue.pipeline.selection.fields import UnknownFieldError
from lastvalue.selectors import InvalidSelectorError
from lastvalue.selectors.expressions import Expression, depth
from lastvalue.selectors.predicate import predicate_of
from lastvalue.selectors.selector_text import selector_text

pytestmark = [pytest.mark.spark, pytest.mark.timeout(300)]

JOBS = int(os.environ.get("LASTVALUE_EXAMPLES", "300")) // 60
SCHEMA = "b boolean, w bigint, v int, d double, f double, t string, u string, y binary"

EDGES = [-(2**63), -(2**53) - 1, 2**53, 2**53 + 1, 2**62, 2**63 - 1]
whole = st.sampled_from([0, 1, 2, -3, *EDGES])
floating = st.sampled_from(
    [0.0, -0.0, 1.0, -0.5, 2.5, math.nan, math.inf, -math.inf, 2.0**53, 2.0**63, -(2.0**63), 1e300]
)
text = st.sampled_from(["", "a", "ab", "b%", "1", "a\nb", "\U0001f600", "\uffff", "é", "a" * 40])
rows = st.tuples(
    st.none() | st.booleans(),
    st.none() | whole,
    st.none() | st.integers(-3, 3),
    st.none() | floating,
    st.none() | floating,
    st.none() | text,
    st.none() | text,
    st.none() | st.sampled_from([b"", b"a"]),
)
names = st.sampled_from([field.split(" ")[0] for field in SCHEMA.split(", ")])
conditions = trees(names, CLOSE | whole | floating.filter(math.isfinite) | text).filter(
    lambda tree: depth(tree) <= MAX_SPARK_DEPTH
)


def spoken(truths: list[Any]) -> str:
    return "".join({True: "t", False: "f", None: "?"}[truth] for truth in truths)


@settings(
    max_examples=JOBS,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(conditions, min_size=40, max_size=60, unique_by=selector_text),
    st.lists(rows, min_size=12, max_size=30),
)
def test_a_selector_means_on_rows_what_it_means_on_messages(
    spark: SparkSession, selectors: list[Expression], rows: list[tuple[Any, ...]]
) -> None:
    frame = spark.createDataFrame(rows, SCHEMA).coalesce(1)
    compiled = [
        condition(frame.schema, selector_text(tree)).alias(f"c{number}")
        for number, tree in enumerate(selectors)
    ]
    found = [tuple(row) for row in frame.select(*compiled).collect()]
    messages = [CannedMessage(dict(zip(frame.columns, row, strict=True))) for row in rows]
    different = {
        selector_text(tree): (spoken([row[number] for row in found]), spoken(expected))
        for number, tree in enumerate(selectors)
        if [row[number] for row in found]
        != (expected := [predicate_of(tree)(message) for message in messages])
    }
    assert different == {}


def selected(spark: SparkSession, select_from: str, selector: str) -> bool | None:
    """What the selector is of the one row that the SQL makes."""
    frame = spark.sql(select_from)
    row = frame.select(condition(frame.schema, selector).alias("truth")).collect()[0]
    truth: bool | None = row.truth
    return truth


MESSAGE = """SELECT map('price', 5D, 'both', 1D) AS properties,
    map('both', 'text', 'origin', 'north') AS annotations, 'AAPL' AS key, 'alert' AS subject,
    12L AS message_id, cast(null AS tinyint) AS priority, true AS durable,
    timestamp_millis(1500) AS creation_time, 'body' AS body, 7L AS sequence"""


@pytest.mark.parametrize(
    ("selector", "truth"),
    [
        ("price = 5 AND price > 4.5", True),
        ("key = 'AAPL'", True),
        ("both = 1", True),
        ("both = 'text'", False),
        ("origin = 'north'", True),
        ("absent = 1", None),
        ("absent IS NULL", True),
        ("sequence = 7", None),
        ("body IS NULL", True),
        ("JMSType = 'alert' AND subject = 'alert' AND amqp.subject = 'alert'", True),
        ("properties.subject LIKE 'al%'", True),
        ("JMSMessageID = '12'", True),
        ("JMSMessageID = 12", False),
        ("JMSPriority = 4", True),
        ("header.priority >= 5", False),
        ("JMSDeliveryMode = 'PERSISTENT' AND amqp.durable", True),
        ("JMSTimestamp = 1500", True),
        ("JMSXGroupID = 'a'", None),
    ],
)
def test_names_are_what_they_are_on_a_queue_where_rows_are_messages(
    spark: SparkSession, selector: str, truth: bool | None
) -> None:
    assert selected(spark, MESSAGE, selector) is truth


@pytest.mark.parametrize(
    ("value", "selector", "truth"),
    [
        (Decimal("1.50"), "v = 1.5", True),
        (1.5, "v BETWEEN 1 AND 2", True),
        (date(1970, 1, 2), "v = 86400000", True),
        (datetime(1970, 1, 1, 0, 0, 1, 5999, tzinfo=UTC), "v = 1005", True),
        ([1, 2], "v IS NOT NULL", True),
        ([1, 2], "v = v", False),
        (9007199254740993, "v = 9007199254740992.0", False),
        (9007199254740993, "v > 9007199254740992.0", True),
        (9223372036854775807, "v + 1 > 9223372036854775807", True),
        (9223372036854775807, "v * 3 IS NULL", True),
        (-17, "v / 4 = -4 AND v % 4 = -1", True),
        ("a.b", "v LIKE 'a.b' AND NOT v LIKE 'a_' AND v LIKE '%.%'", True),
        ("100%", "v LIKE '100!%' ESCAPE '!'", True),
    ],
)
def test_values_of_further_types_are_of_the_kinds_of_messages(
    spark: SparkSession, value: Any, selector: str, truth: bool | None
) -> None:
    frame = spark.createDataFrame([(value,)], ["v"])
    row = frame.select(condition(frame.schema, selector).alias("truth")).collect()[0]
    assert row.truth is truth


def test_rows_are_selected_for_which_it_is_true(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("a", 1), ("b", None), ("c", 3)], "name string, `a price` int")
    found = select(frame, "\"a price\" > 0 AND name IN ('a', 'b')").collect()
    assert [tuple(row) for row in found] == [("a", 1)]
    assert select(frame, "").count() == 3


def test_a_stream_is_selected_from(spark: SparkSession) -> None:
    stream = spark.readStream.format("rate").load()
    assert select(stream, "value % 2 = 0").isStreaming


@pytest.mark.parametrize(
    ("selector", "complaint"),
    [
        ("prise > 1", "there is no column 'prise'; there are price, name; is it 'price'?"),
        ("JMSPriority > 1", "JMSPriority is the column 'priority': there is no column 'priority'"),
    ],
)
def test_a_name_that_no_column_has_is_refused(selector: str, complaint: str) -> None:
    schema = StructType().add("price", DoubleType()).add("name", StringType())
    with pytest.raises(UnknownFieldError) as refused:
        condition(schema, selector)
    assert complaint in str(refused.value)


def test_what_is_no_selector_is_refused() -> None:
    with pytest.raises(InvalidSelectorError, match="expected a text in single quotes"):
        condition(StructType().add("a", StringType()), "a LIKE 5")


@pytest.mark.parametrize(
    ("selector", "truth"),
    [("v > 9223372036854775807", True), ("-v < 0", None), ("v / 3 = 4115226300411522630", True)],
)
def test_whole_decimals_are_whole_numbers(spark: SparkSession, selector: str, truth: bool | None) -> None:
    assert selected(spark, "SELECT 12345678901234567890BD AS v", selector) is truth


def test_a_selector_as_deep_as_allowed_is_compiled_and_a_deeper_one_refused(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1,), (0,)], "w bigint")
    deepest = MAX_SPARK_DEPTH - 2
    assert select(frame, "w" + " + 1" * deepest + f" > {deepest}").count() == 1
    assert select(frame, "w" + " / 1" * deepest + " = 1").count() == 1
    assert select(frame, "w" + " * 1.5" * deepest + " > 1").count() == 1
    assert select(frame, "NOT " * deepest + "(w = 1)").count() == 1
    with pytest.raises(InvalidSelectorError, match=f"nested deeper than {MAX_SPARK_DEPTH} levels"):
        select(frame, "w" + " + 1" * (deepest + 1) + " > 90")
