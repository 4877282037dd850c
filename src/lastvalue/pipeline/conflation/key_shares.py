"""Estimates from samples how many keys the rows of Parquet files have."""

from collections.abc import Sequence
from math import exp
from typing import Any, Final

import pyarrow.compute as pc

from lastvalue.pipeline.conflation.key_groups import without_dictionary
from lastvalue.pipeline.conflation.parquet_scan import Split, open_file

_SPLIT_SAMPLE_ROWS: Final = 1 << 18
_RESULT_SAMPLE_ROWS: Final = 1 << 16


def share_of_keys(split: Split, key: str) -> float:
    """The number of keys per row, in the first rows of the split."""
    own = _sampled(split, key, _SPLIT_SAMPLE_ROWS)
    return float(pc.count_distinct(own).as_py() / max(len(own), 1))


def share_of_result(groups: Sequence[Split], rows: int, key: str) -> float:
    """The approximate number of keys per row, in all `rows` rows of all row groups.

    The fewer of the keys in the first rows are in the last ones too, the more keys there are.
    """
    first, last = (_sampled(group, key, _RESULT_SAMPLE_ROWS) for group in (groups[0], groups[-1]))
    keys = [pc.unique(each.drop_null()) for each in (first, last)]
    both = pc.sum(pc.is_in(keys[0], keys[1])).as_py()
    if not both:
        return len(keys[0]) / max(len(first), 1)
    count = len(keys[0]) * len(keys[1]) / both
    return float(count * (1 - exp(-rows / count)) / rows)


def _sampled(split: Split, key: str, rows: int) -> Any:
    batches = open_file(split.path).iter_batches(rows, row_groups=split.groups[:1], columns=[key])
    return without_dictionary(next(batches)[key])
