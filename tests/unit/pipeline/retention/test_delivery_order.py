"""Histories that are refused before Spark has any work; the order is in tests/spark."""

from collections.abc import Mapping
from typing import Any, cast

import pytest
from pyspark.sql import DataFrame
from pyspark.sql.types import (
    ArrayType,
    DataType,
    DecimalType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from lastvalue.model.errors import InvalidSpecError
from lastvalue.pipeline.retention.arrivals import InvalidHistoryError
from lastvalue.pipeline.retention.delivery_order import in_delivery_order


class Frame:
    """A DataFrame as far as it is looked at: its schema."""

    def __init__(self, columns: Mapping[str, DataType]) -> None:
        self.schema = StructType([StructField(name, kind) for name, kind in columns.items()])


def refusal(declaration: Mapping[str, object], columns: Mapping[str, DataType]) -> str:
    with pytest.raises(InvalidHistoryError) as refused:
        in_delivery_order(cast("DataFrame", Frame(columns)), declaration)
    return str(refused.value)


PROPERTIES = StructType([StructField("price", IntegerType())])
PLAIN: Mapping[str, DataType] = {"sequence": LongType(), "properties": PROPERTIES}


@pytest.mark.parametrize(
    ("declaration", "complaint"),
    [
        (
            {"priorities": 10},
            "there is no column 'priority', by which the queue orders deliveries (priorities); ",
        ),
        ({"lvq_key": "price", "priorities": 3}, "there is no column 'priority'"),
        ({"sort_key": "time"}, "no column holds the property 'time', by which the queue sorts (sort_key)"),
        ({"qpid.last_value_queue": 1}, "there is no column 'place': on a queue that replaces in place"),
    ],
)
def test_a_column_that_the_order_needs_is_named(declaration: dict[str, Any], complaint: str) -> None:
    assert refusal(declaration, PLAIN).startswith(complaint)


def test_a_history_needs_the_order_of_arrival() -> None:
    assert refusal({}, {"body": StringType()}) == (
        "there is no column 'sequence', the order of arrival; there are body"
    )


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        (
            {"sequence": StringType()},
            "column 'sequence' is string; a history has it as tinyint or smallint or int or bigint",
        ),
        ({"arrival_time": LongType()}, "column 'arrival_time' is bigint; a history has it as timestamp"),
        ({"ttl_ms": TimestampType()}, "column 'ttl_ms' is timestamp; a history has it as tinyint"),
        (
            {"properties": ArrayType(StringType())},
            "column 'properties' is array<string>; a history has it as map or struct",
        ),
        (
            {"properties": MapType(IntegerType(), StringType())},
            "column 'properties' is map<int,string>; its keys have to be string",
        ),
        (
            {"properties": StructType([StructField("price", DecimalType(10, 2))])},
            "column 'properties.price' is decimal(10,2); a message has text, numbers other than decimals",
        ),
        (
            {"annotations": MapType(StringType(), TimestampType())},
            "column 'annotations.value' is timestamp; ",
        ),
    ],
)
def test_a_column_of_a_wrong_type_is_named(columns: dict[str, DataType], complaint: str) -> None:
    assert refusal({}, {"sequence": LongType(), **columns}).startswith(complaint)


def test_arguments_that_make_no_declaration_are_refused() -> None:
    with pytest.raises(InvalidSpecError, match="unknown queue option 'lvq_kee'"):
        in_delivery_order(cast("DataFrame", Frame(PLAIN)), {"lvq_kee": "price"})
