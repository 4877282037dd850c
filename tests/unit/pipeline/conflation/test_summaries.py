"""Values that a policy cannot use, refused before Spark has any work."""

import pytest
from pyspark.sql.types import (
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from lastvalue.pipeline.conflation.errors import InvalidConflationError
from lastvalue.pipeline.conflation.summaries import Summaries
from lastvalue.pipeline.conflation.terms import Terms
from lastvalue.queues.policy import Max, Merge, Min, Ohlc, Sum, ValuePolicy, Vwap

SCHEMA = StructType(
    [
        StructField("symbol", StringType()),
        StructField("time", TimestampType()),
        StructField("sequence", LongType()),
        StructField("tags", MapType(StringType(), IntegerType())),
    ]
)


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
