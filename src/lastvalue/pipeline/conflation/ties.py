"""Breaks ties: of rows that share key and rank, the one that is newest by further columns."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lastvalue.pipeline.conflation.candidates import LEAST, Candidates, newest, ranks_of
from lastvalue.pipeline.conflation.key_groups import Numbers, key_groups

RanksAt = Callable[[Numbers], Numbers]
"""The ranks of rows at some places by a column."""


def newest_of_tied(rows: Candidates, further: Iterable[RanksAt]) -> Candidates:
    """One row of each key, of rows that share key and rank; no key is null.

    The first of the further columns that tells rows apart decides. A column is asked for only while rows are
    tied, and only about these. Of rows that are alike in all columns any one stays.
    """
    tied = Candidates(pa.array(key_groups(rows.keys)), rows.ranks, np.arange(len(rows)))
    found = []
    for ranks_at in further:
        ranks = ranks_at(rows.places[tied.places])
        best, is_tied = newest(Candidates(tied.keys, ranks, tied.places), ())
        found.append(best.places[~is_tied])
        tied = best.take(np.flatnonzero(is_tied))
        if not len(tied):
            break
    alike = np.unique(key_groups(tied.keys))
    return rows.take(np.concatenate([*found, tied.places[alike]]))


def dense_ranks(parts: Sequence[Any]) -> Numbers:
    """Numbers in the order of the values of some arrays, as Spark orders them; equal for equal values alone.

    A null is the least.
    """
    values = pa.chunked_array([_plain(part) for part in parts]).combine_chunks()
    if pa.types.is_floating(values.type):
        return ranks_of(values)
    ranks = pc.rank(values, "ascending", tiebreaker="dense").to_numpy().astype(np.int64)
    return np.where(values.is_null().to_numpy(zero_copy_only=False), LEAST, ranks)


def _plain(values: Any) -> Any:
    """Texts and bytes in one form, in which an array may have more than 2 GiB of them."""
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return values.cast(pa.large_string())
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return values.cast(pa.large_binary())
    return values.cast(kind)
