"""Conflations that are refused before Spark has any work; the rest is in tests/spark."""

import pytest
from pyspark.sql.types import (
    ArrayType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from lastvalue.pipeline.conflation.conflate import micro_batch_conflation
from lastvalue.pipeline.conflation.errors import InvalidConflationError
from lastvalue.pipeline.conflation.policy import Max, Merge, Min, Ohlc, Sum, ValuePolicy, Vwap, interval_us
from lastvalue.pipeline.conflation.summaries import Summaries
from lastvalue.pipeline.conflation.terms import Terms

SCHEMA = StructType(
    [
        StructField("symbol", StringType()),
        StructField("time", TimestampType()),
        StructField("sequence", LongType()),
        StructField("tags", MapType(StringType(), IntegerType())),
        StructField("nested", ArrayType(MapType(StringType(), IntegerType()))),
    ]
)


@pytest.mark.parametrize(
    ("key", "order_by", "updates", "complaint"),
    [
        (
            "ticker",
            "time",
            None,
            "there is no column 'ticker'; there are symbol, time, sequence, tags, nested",
        ),
        ("symbol", "moment", None, "there is no column 'moment'"),
        ("symbol", [], None, "order_by names no column"),
        ("symbol", "symbol", None, "column 'symbol' cannot order rows: it is string; cast it"),
        ("symbol", ["time", "tags"], None, "column 'tags' cannot order rows"),
        ("tags", "time", None, "column 'tags' cannot be a key: it is map<string,int>"),
        ("nested", "time", None, "column 'nested' cannot be a key"),
        ("symbol", "sequence", "sequence", "'sequence' is key or order already"),
        ("symbol", "sequence", "time", "column 'time' does not hold counts: it is timestamp"),
    ],
)
def test_columns_that_cannot_be_conflated_by_are_refused(
    key: str, order_by: str | list[str], updates: str | None, complaint: str
) -> None:
    with pytest.raises(InvalidConflationError) as refused:
        micro_batch_conflation(SCHEMA, key, order_by, updates=updates)
    assert complaint in str(refused.value)


def test_a_column_with_a_name_near_the_one_given_is_told() -> None:
    with pytest.raises(InvalidConflationError) as refused:
        micro_batch_conflation(SCHEMA, "symbl", "time")
    assert str(refused.value).endswith("; is it 'symbol'?")


@pytest.mark.parametrize(
    ("time", "every_us", "complaint"),
    [
        (None, 5_000_000, "an interval needs a time: name a timestamp column as `time`, or order by one"),
        ("sequence", None, "column 'sequence' is not a time: it is bigint; cast it to a timestamp"),
        ("moment", None, "there is no column 'moment'"),
    ],
)
def test_an_interval_needs_a_time(time: str | None, every_us: int | None, complaint: str) -> None:
    with pytest.raises(InvalidConflationError) as refused:
        Terms.of(SCHEMA, "symbol", "sequence", time=time, every_us=every_us)
    assert complaint in str(refused.value)


@pytest.mark.parametrize(
    ("policy", "complaint"),
    [
        (Sum("time"), "column 'time' is not a value to add up: it is timestamp; cast it to a number"),
        (Max("tags"), "column 'tags' has no greatest value: it is map<string,int>"),
        (Min("price"), "there is no column 'price'"),
        (Ohlc("sequence", volume="size"), "there is no column 'size'"),
        (Vwap("sequence", "symbol"), "column 'symbol' is not a volume: it is string"),
        (Merge("symbol"), "column 'symbol' is not a map of values that can be compared: it is string"),
    ],
)
def test_values_that_a_policy_cannot_use_are_refused(policy: ValuePolicy, complaint: str) -> None:
    with pytest.raises(InvalidConflationError) as refused:
        Summaries.of(Terms.of(SCHEMA, "symbol", "sequence"), policy, None)
    assert complaint in str(refused.value)


def test_a_key_with_the_name_of_a_result_is_refused() -> None:
    schema = StructType([StructField("close", StringType()), StructField("sequence", LongType())])
    with pytest.raises(InvalidConflationError, match="the key 'close' has the name of another column"):
        Summaries.of(Terms.of(schema, "close", "sequence"), Ohlc("sequence"), None)


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [("5s", 5_000_000), ("250ms", 250_000), ("10us", 10), ("1m", 60_000_000), ("2 h", 7_200_000_000)],
)
def test_an_interval_is_a_number_with_a_unit(text: str, microseconds: int) -> None:
    assert interval_us(text) == microseconds


@pytest.mark.parametrize("text", ["", "5", "s", "0s", "-1s", "1.5s", "5 minutes"])
def test_what_is_no_interval_is_refused(text: str) -> None:
    with pytest.raises(
        InvalidConflationError, match="is not an interval; write it as 500ms, 5s, 1m, 1h or 1d"
    ):
        interval_us(text)
