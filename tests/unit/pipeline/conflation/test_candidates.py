"""The newest of rows in arrays, against what a loop over the rows finds."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.pipeline.conflation.candidates import (
    GREATEST,
    LEAST,
    Candidates,
    Total,
    by_bucket,
    combine,
    concatenate,
    newest,
    pack,
    ranks_of,
    unpack,
)
from lastvalue.pipeline.conflation.key_groups import fixed_width, hashes, without_dictionary

KINDS = (Total.SUM, Total.MIN, Total.MAX)

Row = tuple[Any, int, int, tuple[int, ...]]

rows = st.lists(
    st.tuples(
        st.sampled_from(
            [None, "", "a", "b", "ü", "a key that is longer than a few words of a processor are"]
        ),
        st.sampled_from([LEAST, -1, 0, 1, GREATEST]),
        st.tuples(st.integers(1, 3), st.integers(-9, 9), st.integers(-9, 9)),
    ),
    max_size=40,
).map(lambda drawn: [(key, rank, place, totals) for place, (key, rank, totals) in enumerate(drawn)])


def candidates(rows: Sequence[Row], *, as_numbers: bool = False) -> Candidates:
    keys = pa.array([row[0] for row in rows], pa.string())
    ranks, places = (np.array([row[at] for row in rows], np.int64) for at in (1, 2))
    totals = [np.array([row[3][at] for row in rows], np.int64) for at in range(len(KINDS))]
    keys = keys.dictionary_encode() if as_numbers else fixed_width(keys)
    return Candidates(keys, ranks, places, tuple(totals))


def listed(found: Candidates) -> list[Row]:
    totals = zip(*(each.tolist() for each in found.totals), strict=True)
    own = without_dictionary(found.keys)
    keys = (own if own.type == pa.string() else own.cast(pa.binary()).cast(pa.string())).to_pylist()
    return sorted(
        zip(keys, found.ranks.tolist(), found.places.tolist(), totals, strict=True), key=lambda row: row[2]
    )


def newest_of(rows: Sequence[Row]) -> list[Row]:
    """What `newest` means, row by row."""
    groups: dict[object, list[Row]] = defaultdict(list)
    for row in rows:
        groups[("lone", row[2]) if row[0] is None else row[0]].append(row)
    found = []
    for group in groups.values():
        best = max(rank for _, rank, _, _ in group)
        sums, mins, maxs = zip(*(totals for *_, totals in group), strict=True)
        totals = sum(sums), min(mins), max(maxs)
        found += [(key, rank, place, totals) for key, rank, place, _ in group if rank == best]
    return sorted(found, key=lambda row: row[2])


@given(rows, st.booleans())
def test_the_newest_are_those_that_a_loop_finds_with_the_totals_of_their_key(
    drawn: list[Row], as_numbers: bool
) -> None:
    found, tied = newest(candidates(drawn, as_numbers=as_numbers), KINDS)
    assert listed(found) == newest_of(drawn)
    shared = Counter(row[0] for row in newest_of(drawn) if row[0] is not None)
    places = set(found.places[tied].tolist())
    assert places == {row[2] for row in newest_of(drawn) if shared[row[0]] > 1}


@given(
    st.lists(st.sampled_from([None, "a", "b", "c", "d"]), max_size=40),
    st.sampled_from([1, -1]),
    st.booleans(),
)
def test_where_ranks_ascend_or_descend_the_newest_are_the_last_or_the_first(
    keys: list[str | None], step: int, as_numbers: bool
) -> None:
    drawn = [(key, step * place, place, (1, 0, 0)) for place, key in enumerate(keys)]
    rows = replace(candidates(drawn, as_numbers=as_numbers), totals=())
    found, tied = newest(rows, ())
    assert sorted(found.places.tolist()) == [row[2] for row in newest_of(drawn)]
    assert not tied.any()


@given(
    st.lists(rows, min_size=1, max_size=5),
    st.integers(0, 30),
    st.integers(1, 7),
    st.booleans(),
)
def test_combined_and_scattered_they_are_the_same(
    drawn: list[list[Row]], most: int, buckets: int, as_numbers: bool
) -> None:
    every = [row for part in drawn for row in part]
    every = [(key, rank, place, totals) for place, (key, rank, _, totals) in enumerate(every)]
    ends = np.cumsum([0, *map(len, drawn)]).tolist()
    parts = [candidates(every[start:end], as_numbers=as_numbers) for start, end in pairwise(ends)]
    met: dict[int, list[Candidates]] = defaultdict(list)
    combined = (each for part in combine(parts, KINDS, most) for each in by_bucket(part, buckets))
    for bucket, own in combined:
        met[bucket].append(Candidates.unpack(own.pack()))
    found = [row for own in met.values() for row in listed(newest(concatenate(own), KINDS)[0])]
    assert sorted(found, key=lambda row: row[2]) == newest_of(every)


def test_what_cannot_be_newest_any_more_is_given_out_once_in_a_while() -> None:
    parts = [candidates([(f"k{part}", 1, part, (1, 0, 0))]) for part in range(9)]
    assert [len(each) for each in combine(parts, KINDS, 3)] == [4, 4, 1]


def test_whole_numbers_have_one_hash_in_every_width_and_many_keys_fill_all_buckets_alike() -> None:
    numbers = [0, 1, -1, 100]
    assert hashes(pa.array(numbers, pa.int8())).tolist() == hashes(pa.array(numbers, pa.int64())).tolist()
    every = np.arange(64_000)
    for keys in (pa.array(every), pa.array([f"K{number:09}" for number in every.tolist()])):
        sizes = [len(own) for _, own in by_bucket(Candidates(keys, every, every), 64)]
        assert len(sizes) == 64
        assert max(sizes) < 1_200


def test_rows_without_a_key_are_spread_over_the_buckets() -> None:
    numbers = np.arange(100)
    found = dict(by_bucket(Candidates(pa.nulls(100, pa.string()), numbers, numbers), 4))
    assert {bucket: len(rows) for bucket, rows in found.items()} == {0: 25, 1: 25, 2: 25, 3: 25}


def test_a_dictionary_that_has_a_key_twice_means_one_key() -> None:
    keys = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["a", "b", "a"]))
    numbers = np.array([1, 2, 3])
    found, _ = newest(Candidates(keys, numbers, numbers), ())
    assert without_dictionary(found.keys).to_pylist() == ["b", "a"]


def test_a_dictionary_with_keys_that_no_row_has_hides_no_tie() -> None:
    keys = pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array(["a", "of no row"]))
    number = np.ones(2, np.int64)
    _, tied = newest(Candidates(keys, number, np.arange(2)), ())
    assert tied.tolist() == [True, True]


@pytest.mark.parametrize(
    "ascending",
    [
        pa.array([None, -128, -1, 0, 127], pa.int8()),
        pa.array([None, -(2**63) + 1, 0, 2**63 - 1], pa.int64()),
        pa.array([None, -np.inf, -1e300, -1e-300, 0.0, 1e-300, 1.5, np.inf, np.nan], pa.float64()),
        pa.array([None, -1.5, 0.0, 1.5], pa.float32()),
        pa.array([None, -1, 0, 20_000], pa.int32()).cast(pa.date32()),
        pa.array([None, -1, 0, 1], pa.timestamp("us", "UTC")),
        pa.array([-2, -1, 0], pa.timestamp("us")),
    ],
)
def test_ranks_are_ordered_as_the_values(ascending: Any) -> None:
    ranks = ranks_of(ascending).tolist()
    assert ranks == sorted(set(ranks))
    assert (ranks[0] == LEAST) == (ascending[0].as_py() is None)


def test_both_zeros_and_all_nans_have_one_rank() -> None:
    other_nan = np.array([0xFFF8_0000_0000_0001], np.uint64).view(np.float64)[0]
    zero, negative, nan, other = ranks_of(pa.array([0.0, -0.0, np.nan, other_nan])).tolist()
    assert zero == negative
    assert nan == other


def test_parts_whose_keys_have_different_forms_are_one() -> None:
    texts = pa.array(["a", "b", "long"])
    one = np.ones(1, np.int64)
    parts = [Candidates(fixed_width(texts[at : at + 1]), one, one * at) for at in range(3)]
    parts.append(Candidates(texts[:1].dictionary_encode(), one * 2, one * 3))
    parts.append(Candidates(texts[1:2], one * 2, one * 4))
    found, _ = newest(concatenate(parts), ())
    assert dict(zip(found.keys.to_pylist(), found.places.tolist(), strict=True)) == {
        b"a": 3,
        b"b": 4,
        b"long": 2,
    }


@given(st.lists(st.integers(LEAST, GREATEST)))
def test_packed_numbers_are_the_same_again(drawn: list[int]) -> None:
    numbers = np.array(drawn, np.int64)
    (found,) = unpack(pack(numbers))
    assert found.dtype == np.int64
    assert found.tolist() == drawn


def test_numbers_that_are_close_together_take_a_byte_each() -> None:
    close = np.arange(GREATEST - 255, GREATEST, dtype=np.int64).repeat(100)
    assert len(pack(close)) < len(close) + 1_000
