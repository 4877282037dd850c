"""Finds the newest row of each key in arrays, without a loop over rows.

A candidate is the place of a row, with its key and rank. The row's other columns are read when it is chosen.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lastvalue.pipeline.conflation.key_groups import (
    Numbers,
    hashes,
    key_groups,
    last_rows,
    without_dictionary,
)

Flags = npt.NDArray[np.bool_]

LEAST: Final = -(2**63)
"""The rank of a row without an order value, and of the least value."""
GREATEST: Final = 2**63 - 1

_WORD_VALUES: Final = 2**64
_LEAST: Final = b"least"


class Total(Enum):
    """How the numbers of many rows become one."""

    SUM = auto()
    MIN = auto()
    MAX = auto()


_UFUNCS: Final = {Total.SUM: np.add, Total.MIN: np.minimum, Total.MAX: np.maximum}
_NEUTRAL: Final = {Total.SUM: 0, Total.MIN: GREATEST, Total.MAX: LEAST}


@dataclass(frozen=True, slots=True)
class Candidates:
    """Rows that may be the newest of their keys.

    Attributes:
        keys: an array of strings, bytes or whole numbers, maybe dictionary-encoded or of `fixed_width`; null:
            the row has no key, and stays.
        ranks: a greater rank is newer.
        places: a unique number for each row.
        totals: for each kind of total, the numbers of the rows.
    """

    keys: Any
    ranks: Numbers
    places: Numbers
    totals: tuple[Numbers, ...] = ()

    def __len__(self) -> int:
        return len(self.ranks)

    def take(self, which: Any) -> "Candidates":
        """The candidates at some positions, or of a slice."""
        keys = self.keys[which] if isinstance(which, slice) else self.keys.take(pa.array(which))
        totals = tuple(each[which] for each in self.totals)
        return Candidates(keys, self.ranks[which], self.places[which], totals)

    def pack(self) -> bytes:
        """The candidates as bytes for `unpack`."""
        return pack(without_dictionary(self.keys), self.ranks, self.places, *self.totals)

    @classmethod
    def unpack(cls, octets: Any) -> "Candidates":
        """The candidates in bytes of `pack`."""
        keys, ranks, places, *totals = unpack(octets)
        return cls(keys, ranks, places, tuple(totals))


def pack(*columns: Any) -> bytes:
    """Arrays of one length, of Arrow or numpy, as bytes for `unpack`.

    Numpy's numbers take as few bytes as their range needs, because a shuffle costs what it moves.
    """
    packed = [_narrow(each) if isinstance(each, np.ndarray) else (each, None) for each in columns]
    schema = pa.schema(
        [pa.field(str(at), each.type, metadata=kept) for at, (each, kept) in enumerate(packed)]
    )
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as stream:
        stream.write_batch(pa.RecordBatch.from_arrays([each for each, _ in packed], schema=schema))
    return bytes(memoryview(sink.getvalue()))


def unpack(octets: Any) -> list[Any]:
    """The arrays in bytes of `pack`."""
    batch = pa.ipc.open_stream(octets).read_next_batch()
    return [
        _widened(column, field.metadata[_LEAST]) if field.metadata else column
        for column, field in zip(batch.columns, batch.schema, strict=True)
    ]


def concatenate(parts: Sequence[Candidates]) -> Candidates:
    """All candidates of the parts, of which there is at least one."""
    if len(parts) == 1:
        return parts[0]
    arrays = [without_dictionary(part.keys) for part in parts]
    if len({each.type for each in arrays}) > 1:
        arrays = [each.cast(pa.large_binary()) for each in arrays]
    keys = pa.concat_arrays(arrays)
    numbers = zip(*((part.ranks, part.places, *part.totals) for part in parts), strict=True)
    ranks, places, *totals = map(np.concatenate, numbers)
    return Candidates(keys, ranks, places, tuple(totals))


def newest(rows: Candidates, kinds: Sequence[Total]) -> tuple[Candidates, Flags]:
    """The rows with the greatest rank of each key, and whether each shares key and rank with another row.

    Each of them has the totals of its key.
    """
    if rows.keys.null_count:
        return _newest_and_keyless(rows, kinds)
    best = rows.ranks
    if not kinds and (best[1:] > best[:-1]).all():
        positions = last_rows(rows.keys)
        return rows.take(positions), np.zeros(len(positions), np.bool_)
    groups = key_groups(rows.keys)
    if (best[1:] < best[:-1]).any():
        best = np.full(len(rows), LEAST, np.int64)
        np.maximum.at(best, groups, rows.ranks)
    positions = np.flatnonzero(rows.ranks == best[groups])
    winning = groups[positions]
    totals = []
    for kind, own in zip(kinds, rows.totals, strict=True):
        total = np.full(len(rows), _NEUTRAL[kind], np.int64)
        _UFUNCS[kind].at(total, groups, own)
        totals.append(total[winning])
    best_rows = rows.take(positions)
    tied = np.bincount(winning, minlength=1)[winning] > 1
    return Candidates(best_rows.keys, best_rows.ranks, best_rows.places, tuple(totals)), tied


def combine(parts: Iterable[Candidates], kinds: Sequence[Total], most: int) -> Iterator[Candidates]:
    """The rows that may be the newest among all parts, with totals that can be combined again.

    Holds about `most` rows at once. When more than half of them remain after a combination, it yields them.
    """
    pending: list[Candidates] = []
    for part in parts:
        pending.append(_open_candidates(part, kinds))
        if sum(map(len, pending)) > most:
            rest = _open_candidates(concatenate(pending), kinds)
            pending = [rest]
            if len(rest) > most // 2:
                yield rest
                pending = []
    if pending:
        yield _open_candidates(concatenate(pending), kinds) if len(pending) > 1 else pending[0]


def by_bucket(rows: Candidates, buckets: int) -> Iterator[tuple[int, Candidates]]:
    """The rows by bucket; the key alone decides the bucket."""
    if buckets == 1:
        yield 0, rows
        return
    numbers = hashes(without_dictionary(rows.keys)) % np.uint64(buckets)
    if rows.keys.null_count:
        numbers = np.where(_is_null(rows.keys), rows.places.view(np.uint64) % np.uint64(buckets), numbers)
    # numpy's stable sort counts small numbers instead of comparing them.
    numbers = numbers.astype(np.uint16 if buckets <= np.iinfo(np.uint16).max else np.uint32)
    ordered = rows.take(np.argsort(numbers, kind="stable"))
    ends = np.cumsum(np.bincount(numbers, minlength=buckets))
    start = 0
    for bucket, end in enumerate(ends.tolist()):
        if end > start:
            yield bucket, ordered.take(slice(start, end))
        start = end


def ranks_of(order: Any) -> Numbers:
    """Order values as whole numbers in the same order; a null is the least.

    The array is of whole numbers, floats, timestamps or dates.
    """
    kind = order.type
    if not pa.types.is_floating(kind):
        whole = order.cast(pa.int32()) if pa.types.is_date32(kind) else order
        return np.asarray(pc.fill_null(whole.cast(pa.int64()), LEAST).to_numpy())
    numbers = pc.fill_null(order.cast(pa.float64()), 0.0).to_numpy(zero_copy_only=False)
    # One of the two zeros has the sign bit, and there are many NaN. To Spark, NaN is greater than any number.
    bits = np.where(np.isnan(numbers), np.nan, numbers + 0.0).view(np.int64)
    ranks = np.where(bits < 0, bits ^ np.int64(GREATEST), bits)
    return np.where(_is_null(order), np.int64(LEAST), ranks)


def _newest_and_keyless(rows: Candidates, kinds: Sequence[Total]) -> tuple[Candidates, Flags]:
    is_keyless = _is_null(rows.keys)
    best, tied = newest(rows.take(np.flatnonzero(~is_keyless)), kinds)
    keyless = rows.take(np.flatnonzero(is_keyless))
    return concatenate([best, keyless]), np.concatenate([tied, np.zeros(len(keyless), np.bool_)])


def _is_null(keys: Any) -> Flags:
    return np.asarray(keys.is_null().to_numpy(zero_copy_only=False))


def _open_candidates(rows: Candidates, kinds: Sequence[Total]) -> Candidates:
    """The newest rows; of rows that share key and rank only one has the sums, so that they count once."""
    best, tied = newest(rows, kinds)
    if not tied.any() or Total.SUM not in kinds:
        return best
    shared = np.flatnonzero(tied)
    groups = key_groups(best.keys.take(pa.array(shared)))
    again = tied.copy()
    again[shared[np.unique(groups)]] = False
    totals = tuple(
        np.where(again, 0, own) if kind is Total.SUM else own
        for kind, own in zip(kinds, best.totals, strict=True)
    )
    return Candidates(best.keys, best.ranks, best.places, totals)


def _narrow(numbers: Numbers) -> tuple[Any, dict[bytes, bytes]]:
    """The numbers above their least one, and that."""
    least, most = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    # As unsigned numbers, differences do not overflow.
    above = numbers.view(np.uint64) - np.uint64(least % _WORD_VALUES)
    return pa.array(above.astype(np.min_scalar_type(most - least))), {_LEAST: b"%d" % least}


def _widened(numbers: Any, least: bytes) -> Numbers:
    above: npt.NDArray[np.uint64] = numbers.to_numpy().astype(np.uint64)
    return (above + np.uint64(int(least) % _WORD_VALUES)).view(np.int64)
