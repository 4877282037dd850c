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
