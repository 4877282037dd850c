"""The terms of a conflation, checked against a schema without Spark."""

import pytest
from pyspark.sql.types import LongType, StringType, StructField, StructType, TimestampType

from lastvalue.pipeline.conflation.errors import InvalidConflationError
from lastvalue.pipeline.conflation.terms import FIRST_TIME, INTERVAL, LAST_TIME, UPDATES, Terms

SCHEMA = StructType(
    [
        StructField("symbol", StringType()),
        StructField("time", TimestampType()),
        StructField("sequence", LongType()),
        StructField("first_time", TimestampType()),
    ]
)


def test_the_time_is_the_first_timestamp_of_the_order() -> None:
    assert Terms.of(SCHEMA, "symbol", ("sequence", "time")).time == "time"
    assert Terms.of(SCHEMA, "symbol", "sequence").time is None


def test_columns_that_the_conflation_adds_are_not_columns_of_the_row() -> None:
    terms = Terms.of(SCHEMA, "symbol", "time", every_us=1, updates="updates")
    assert terms.row_columns == ("symbol", "time", "sequence")
    assert list(terms.added_columns) == [INTERVAL, UPDATES, FIRST_TIME, LAST_TIME]


def test_a_first_time_of_the_input_counts_before_the_time() -> None:
    columns = Terms.of(SCHEMA, "symbol", "time").moment_columns()
    assert columns == {FIRST_TIME: ("first_time", "time"), LAST_TIME: ("time",)}


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
