"""Types that Spark can compare, and errors about columns that do not exist."""

import pytest
from pyspark.sql.types import ArrayType, DataType, LongType, MapType, StringType, StructField, StructType

from lastvalue.pipeline.columns import is_comparable, missing_column

MAP = MapType(StringType(), LongType())


@pytest.mark.parametrize(
    ("kind", "comparable"),
    [
        (LongType(), True),
        (MAP, False),
        (ArrayType(LongType()), True),
        (ArrayType(MAP), False),
        (StructType([StructField("a", LongType())]), True),
        (StructType([StructField("a", LongType()), StructField("b", MAP)]), False),
    ],
)
def test_a_type_with_a_map_in_it_cannot_be_compared(kind: DataType, comparable: bool) -> None:
    assert is_comparable(kind) is comparable


def test_an_error_names_the_columns_and_the_nearest_one() -> None:
    names = ["symbol", "price"]
    assert missing_column("symbl", names).endswith("there are symbol, price; is it 'symbol'?")
    assert missing_column("x", names) == "there is no column 'x'; there are symbol, price"
