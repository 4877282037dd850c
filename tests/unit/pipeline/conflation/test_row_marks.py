"""A bit for each row, and numbers of files."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.pipeline.conflation.row_marks import file_numbers, row_marks


@given(
    st.integers(1, 300).flatmap(lambda count: st.tuples(st.just(count), st.sets(st.integers(0, count - 1))))
)
def test_each_row_has_its_bit_in_the_block_of_its_number(drawn: tuple[int, set[int]]) -> None:
    count, rows = drawn
    blocks, marks = row_marks(np.array(sorted(rows), np.int64), count, file=3)
    assert blocks.tolist() == [3 * 2**31 + number for number in range(-(-count // 64))]
    words = dict(enumerate(marks.view(np.uint64).tolist()))
    assert {number for number in range(count) if words[number // 64] >> number % 64 & 1} == rows


def test_files_have_numbers_of_their_names_as_spark_writes_them() -> None:
    # The check value that every description of this CRC names.
    assert file_numbers(["123456789"]) == (0xCBF43926,)
    assert file_numbers(["file:///a/b", "file:/a/c"]) == file_numbers(["file:/a/b", "file:///a/c"])


def test_files_whose_numbers_are_the_same_have_none() -> None:
    assert file_numbers(["plumless", "buckeroo"]) is None
