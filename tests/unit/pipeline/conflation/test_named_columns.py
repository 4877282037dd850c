"""Keys and orders that are names already; what needs a running Spark is in tests/spark/test_conflation.py."""

from typing import Any

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline.conflation.errors import InvalidConflationError
from lastvalue.pipeline.conflation.named_columns import NamedColumns

ROWS: Any = object()


def test_names_are_taken_as_they_are() -> None:
    for key in ("symbol", ["symbol"]):
        named = NamedColumns.of(ROWS, key, ["time", "part"])
        assert (named.rows, named.key, named.order, named.parts) == (ROWS, "symbol", ("time", "part"), ())


def test_a_key_of_no_column_is_refused() -> None:
    with pytest.raises(InvalidConflationError, match="the key names no column"):
        NamedColumns.of(ROWS, [], "time")
