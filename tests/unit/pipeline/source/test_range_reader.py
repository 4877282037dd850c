"""Gaps in the sequences of a range."""

import numpy as np
import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline.source.range_reader import first_gap


@pytest.mark.parametrize(
    ("before", "sequences", "gap"),
    [(0, [1, 2, 3], None), (0, [2, 3], 1), (4, [5, 7], 6), (4, [5, 6, 7, 9], 8)],
)
def test_a_gap_is_the_first_sequence_that_is_missing(
    before: int, sequences: list[int], gap: int | None
) -> None:
    assert first_gap(before, np.array(sequences)) == gap
