"""The columns of a history, checked without Spark."""

import pytest
from pyspark.sql.types import (
    DataType,
    DecimalType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from lastvalue.pipeline.retention.arrivals import Arrivals, InvalidHistoryError, PropertyColumn

PROPERTIES = StructType([StructField("price", LongType())])
ANNOTATIONS = MapType(StringType(), StringType())


def history(**types: DataType) -> StructType:
    fields: dict[str, DataType] = {"sequence": LongType(), "arrival_time": TimestampType(), **types}
    return StructType([StructField(name, kind) for name, kind in fields.items()])


def test_a_property_is_looked_for_in_the_order_of_a_queue() -> None:
    arrivals = Arrivals.of(
        history(subject=StringType(), annotations=ANNOTATIONS, properties=PROPERTIES, key=StringType()),
        "price",
    )
    assert arrivals.property_columns("price") == [
        PropertyColumn("key", None, StringType()),
        PropertyColumn("properties", "price", LongType()),
        PropertyColumn("annotations", "price", StringType()),
    ]
    assert arrivals.property_columns("subject")[-1] == PropertyColumn("subject", None, StringType())
    assert arrivals.property_columns("other") == [PropertyColumn("annotations", "other", StringType())]


def test_columns_that_are_missing_are_named() -> None:
    arrivals = Arrivals.of(history(), "key")
    with pytest.raises(
        InvalidHistoryError, match="there is no column 'queue', why; there are sequence, arrival"
    ):
        arrivals.require("queue", "why")
    with pytest.raises(InvalidHistoryError, match="no column holds the property 'price', why"):
        arrivals.require_property("price", "why")


@pytest.mark.parametrize(
    ("types", "fault"),
    [
        ({"sequence": StringType()}, "column 'sequence' is string; a history has it as"),
        ({"properties": MapType(LongType(), LongType())}, "its keys have to be string"),
        ({"properties": MapType(StringType(), DecimalType(3, 1))}, "'properties.value' is decimal"),
    ],
)
def test_columns_of_a_wrong_type_are_named(types: dict[str, DataType], fault: str) -> None:
    with pytest.raises(InvalidHistoryError, match=fault):
        Arrivals.of(history(**types), "key")


def test_a_body_may_have_any_type() -> None:
    assert "body" in Arrivals.of(history(body=DecimalType(3, 1)), "key").types
