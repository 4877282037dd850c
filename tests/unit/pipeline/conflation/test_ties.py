"""Ties of rows in arrays, against what a loop over the rows finds."""

from collections import defaultdict
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.pipeline.conflation.candidates import Candidates
from lastvalue.pipeline.conflation.key_groups import Numbers
from lastvalue.pipeline.conflation.ties import dense_ranks, newest_of_tied

Row = tuple[str, int, int]


def tied(keys: list[str]) -> Candidates:
    """Rows that share a rank, in no order; the place of a row is twice its number."""
    places = np.arange(len(keys), dtype=np.int64) * 2
    return Candidates(pa.array(keys), np.zeros(len(keys), np.int64), places, (places + 1,))


def ranks_in(column: list[int]) -> Callable[[Numbers], Numbers]:
    return lambda places: np.array(column, np.int64)[places // 2]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 2), st.integers(0, 2)), min_size=1))
def test_the_first_column_that_tells_rows_apart_decides(rows: list[Row]) -> None:
    columns = [ranks_in([row[1] for row in rows]), ranks_in([row[2] for row in rows])]
    found = newest_of_tied(tied([row[0] for row in rows]), columns)
    expected: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        expected[row[0]].append(row)
    numbers = (found.places // 2).tolist()
    assert sorted(rows[number] for number in numbers) == sorted(map(max, expected.values()))
    assert found.totals[0].tolist() == (found.places + 1).tolist()


def test_a_column_is_read_only_for_rows_that_are_still_tied() -> None:
    asked: list[list[int]] = []

    def ranks_at(column: list[int], places: Numbers) -> Numbers:
        asked.append(places.tolist())
        return ranks_in(column)(places)

    columns = [[1, 2, 1, 1], [0, 0, 3, 4], [0, 0, 0, 0]]
    found = newest_of_tied(tied(["a", "a", "b", "b"]), [partial(ranks_at, each) for each in columns])
    assert sorted(found.places.tolist()) == [2, 6]
    assert asked == [[0, 2, 4, 6], [4, 6]]


@pytest.mark.parametrize(
    "ascending",
    [
        pa.array([None, -(2**63), 2**63 - 1], pa.int64()),
        pa.array([None, float("-inf"), -1.5, 0.0, float("inf"), float("nan")], pa.float32()),
        pa.array([None, "", "a", "ab", "b", "ü"]),
        pa.array([None, b"", b"\x7f", b"\x80"]),
        pa.array([None, False, True]),
        pa.array([None, Decimal("-1.50"), Decimal("0.00"), Decimal("9.25")], pa.decimal128(30, 2)),
        pa.array([None, -1, 1], pa.timestamp("us", "UTC")),
        pa.array([None, -1, 1], pa.date32()),
    ],
    ids=lambda values: str(values.type),
)
def test_ranks_are_dense_in_the_order_of_the_values_and_a_null_is_the_least(ascending: Any) -> None:
    ranks = dense_ranks([ascending, ascending[::-1]]).tolist()
    count = len(ascending)
    assert ranks[:count] == sorted(set(ranks))
    assert ranks[count:] == ranks[:count][::-1]


def test_texts_of_files_that_store_them_differently_have_one_rank() -> None:
    parts = [pa.array(["b", "a"]), pa.array(["a"], pa.large_string()), pa.array(["b"]).dictionary_encode()]
    assert dense_ranks(parts).tolist() == [2, 1, 1, 2]


def test_both_zeros_and_all_nans_have_one_rank() -> None:
    zeros, nans = dense_ranks([pa.array([0.0, -0.0, float("nan"), -float("nan")])]).reshape(2, 2).tolist()
    assert zeros[0] == zeros[1] < nans[0] == nans[1]
