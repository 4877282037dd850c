"""lastvalue.pipeline.source.source_schema."""

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline.source.options import InvalidSourceError
from lastvalue.pipeline.source.source_schema import source_schema


def test_named_columns_come_in_their_order() -> None:
    assert source_schema(columns=("sequence", "properties")).simpleString() == (
        "struct<sequence:bigint,properties:map<string,string>>"
    )


def test_a_column_that_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidSourceError, match="colour"):
        source_schema(columns=("colour",))
