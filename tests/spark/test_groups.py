"""`in_groups` on a real Spark."""

from collections import defaultdict
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from lastvalue.pipeline.groups import InvalidGroupsError, in_groups

pytestmark = pytest.mark.spark

SCHEMA = "account string, sequence bigint, amount bigint"
BALANCES = "account string, sequence bigint, balance bigint, place bigint"


def balances(rows: pa.Table) -> pa.Table:
    """Each row's account after it, and how many rows were before: right only in order and all together."""
    results = []
    balance = 0
    for place, row in enumerate(rows.to_pylist()):
        # An account is emptied where it would be overdrawn, so that the order matters.
        balance = max(0, balance + row["amount"])
        results.append((row["account"], row["sequence"], balance, place))
    columns = [list(values) for values in zip(*results, strict=True)]
    return pa.table(
        dict(zip(["account", "sequence", "balance", "place"], columns, strict=True)), BALANCE_TYPES
    )


BALANCE_TYPES = pa.schema(
    {"account": pa.string(), "sequence": pa.int64(), "balance": pa.int64(), "place": pa.int64()}
)


def rows_of(count: int) -> list[tuple[Any, ...]]:
    return [
        (None if number % 11 == 0 else f"A{number % 7}", number * 7919 % 1000, number % 13 - 6)
        for number in range(count)
    ]


def expected(rows: list[tuple[Any, ...]], together: bool) -> list[tuple[Any, ...]]:
    groups: dict[Any, list[tuple[Any, ...]]] = defaultdict(list)
    for number, row in enumerate(rows):
        groups[row[0] or ("none" if together else number)].append(row)
    results = []
    for group in groups.values():
        balance = 0
        for place, (account, sequence, amount) in enumerate(sorted(group, key=lambda row: row[1])):
            balance = max(0, balance + amount)
            results.append((account, sequence, balance, place))
    return sorted(results, key=repr)


@pytest.mark.parametrize("default_group", [None, "none"])
def test_the_rows_of_a_group_come_together_and_in_order(
    spark: SparkSession, default_group: str | None
) -> None:
    rows = rows_of(500)
    frame = spark.createDataFrame(rows, SCHEMA).repartition(4)
    found = in_groups(frame, "account", balances, "sequence", BALANCES, default_group=default_group).collect()
    assert sorted(map(tuple, found), key=repr) == expected(rows, together=default_group is not None)


def test_a_null_comes_first_and_further_columns_decide_among_equals(spark: SparkSession) -> None:
    rows = [("a", 2, 5), ("a", None, 1), ("a", 2, 3), ("a", 1, 9)]
    frame = spark.createDataFrame(rows, SCHEMA)
    found = in_groups(frame, "account", lambda group: group, ["sequence", "amount"], SCHEMA).collect()
    assert [tuple(row)[1:] for row in found] == [(None, 1), (1, 9), (2, 3), (2, 5)]


@pytest.mark.parametrize(
    ("group", "order", "default", "complaint"),
    [
        ("acount", "sequence", None, "there is no column 'acount'; .* is it 'account'"),
        ("account", [], None, "order_by names no column"),
        ("account", "tags", None, "column 'tags' cannot be grouped or ordered by: it is map<string,int>"),
        ("account", "parts", None, "column 'parts' cannot be ordered by: it is array<int>"),
        ("sequence", "sequence", "x", "a default group is a text, and column 'sequence' is bigint"),
    ],
)
def test_columns_that_do_not_do_are_refused(
    spark: SparkSession, group: str, order: Any, default: str | None, complaint: str
) -> None:
    frame = spark.createDataFrame([], f"{SCHEMA}, tags map<string, int>, parts array<int>")
    with pytest.raises(InvalidGroupsError, match=complaint):
        in_groups(frame, group, balances, order, BALANCES, default_group=default)


def test_a_stream_is_refused(spark: SparkSession) -> None:
    stream = spark.readStream.format("rate").load()
    with pytest.raises(InvalidGroupsError, match="call in_groups in foreachBatch"):
        in_groups(stream, "value", balances, "timestamp", BALANCES)
