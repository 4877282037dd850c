"""Which rows are the newest of their keys, found in arrays: no row is looked at by itself.

A row is known by its place alone, so that what it holds besides is read when it has won.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

LEAST: Final = -(2**63)
"""The rank of a row without an order value; also that of the least value."""
GREATEST: Final = 2**63 - 1

_HASH_ROWS: Final = 16_384
"""So many rows are hashed at once that what is made of them stays in the processor's cache."""
_HASHED_WORDS: Final = 32
_WORD: Final = 8
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_HALF: Final = np.uint64(32)
_FIRST_BYTES: Final = np.array([2 ** (8 * count) - 1 for count in range(_WORD + 1)], np.uint64)
_BINARY: Final = 2
"""A binary array has three buffers; the last holds the bytes."""


class Total(Enum):
    """How a number of many rows becomes one."""

    SUM = auto()
    MIN = auto()
    MAX = auto()


_TOGETHER: Final = {Total.SUM: np.add, Total.MIN: np.minimum, Total.MAX: np.maximum}
_NEUTRAL: Final = {Total.SUM: 0, Total.MIN: GREATEST, Total.MAX: LEAST}


@dataclass(frozen=True, slots=True)
class Candidates:
    """Rows that may be the newest of their keys.

    Attributes:
        keys: an array of strings, bytes or whole numbers, maybe encoded by a dictionary; null: the row has no
            key, and stays.
        ranks: the greater is newer.
        places: where each row stands, a number that no other row has.
        totals: numbers that are added up for each key, for each kind of total.
    """

    keys: Any
    ranks: Numbers
    places: Numbers
    totals: tuple[Numbers, ...] = ()

    def __len__(self) -> int:
        return len(self.ranks)

    def chosen(self, which: Any) -> "Candidates":
        """Those at some positions, or of a slice."""
        keys = self.keys[which] if isinstance(which, slice) else self.keys.take(pa.array(which))
        totals = tuple(each[which] for each in self.totals)
        return Candidates(keys, self.ranks[which], self.places[which], totals)

    def packed(self) -> bytes:
        """As bytes, which `unpacked` reads."""
        return packed(plain(self.keys), self.ranks, self.places, *self.totals)

    @classmethod
    def unpacked(cls, octets: Any) -> "Candidates":
        """What `packed` made bytes of."""
        keys, *numbers = unpacked(octets)
        ranks, places, *totals = (each.to_numpy() for each in numbers)
        return cls(keys, ranks, places, tuple(totals))


def packed(*columns: Any) -> bytes:
    """Arrays of one length, of Arrow or numpy, as bytes, which `unpacked` reads."""
    batch = pa.record_batch([pa.array(each) for each in columns], [*map(str, range(len(columns)))])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    return bytes(memoryview(sink.getvalue()))


def unpacked(octets: Any) -> list[Any]:
    """The Arrow arrays that `packed` made bytes of."""
    return list(pa.ipc.open_stream(octets).read_next_batch().columns)


def together(parts: Sequence[Candidates]) -> Candidates:
    """All of them; there is at least one."""
    if len(parts) == 1:
        return parts[0]
    keys = pa.concat_arrays([plain(part.keys) for part in parts])
    numbers = zip(*((part.ranks, part.places, *part.totals) for part in parts), strict=True)
    ranks, places, *totals = map(np.concatenate, numbers)
    return Candidates(keys, ranks, places, tuple(totals))


def newest(rows: Candidates, kinds: Sequence[Total]) -> tuple[Candidates, Flags]:
    """The rows of the greatest rank of each key, with the key's totals; and which of them share key and rank.

    Of rows that share both, each has the totals.
    """
    if rows.keys.null_count:
        return _beside_those_without_a_key(rows, kinds)
    codes, count = _coded(rows.keys)
    best = np.full(count, LEAST, np.int64)
    np.maximum.at(best, codes, rows.ranks)
    positions = np.flatnonzero(rows.ranks == best[codes])
    winning = codes[positions]
    totals = []
    for kind, own in zip(kinds, rows.totals, strict=True):
        total = np.full(count, _NEUTRAL[kind], np.int64)
        _TOGETHER[kind].at(total, codes, own)
        totals.append(total[winning])
    found = rows.chosen(positions)
    if len(positions) == count:
        tied = np.zeros(count, np.bool_)
    else:
        tied = np.bincount(winning, minlength=count)[winning] > 1
    return Candidates(found.keys, found.ranks, found.places, tuple(totals)), tied


def combined(parts: Iterable[Candidates], kinds: Sequence[Total], most: int) -> Iterator[Candidates]:
    """What may still be the newest when other rows come, with totals that may be totalled again.

    Holds about `most` rows at once, and gives out those of which no fewer are left.
    """
    held: list[Candidates] = []
    for part in parts:
        held.append(_still_open(part, kinds))
        if sum(map(len, held)) > most:
            left = _still_open(together(held), kinds)
            held = [left]
            if len(left) > most // 2:
                yield left
                held = []
    if held:
        yield _still_open(together(held), kinds) if len(held) > 1 else held[0]


def scattered(rows: Candidates, buckets: int) -> Iterator[tuple[int, Candidates]]:
    """The rows by bucket, which their key alone decides."""
    if buckets == 1:
        yield 0, rows
        return
    numbers = hashes(plain(rows.keys)) % np.uint64(buckets)
    if rows.keys.null_count:
        numbers = np.where(_is_null(rows.keys), rows.places.view(np.uint64) % np.uint64(buckets), numbers)
    # numpy counts small numbers, where it is to keep their order, instead of comparing them.
    numbers = numbers.astype(np.uint16 if buckets <= np.iinfo(np.uint16).max else np.uint32)
    ordered = rows.chosen(np.argsort(numbers, kind="stable"))
    ends = np.cumsum(np.bincount(numbers, minlength=buckets))
    start = 0
    for bucket, end in enumerate(ends.tolist()):
        if end > start:
            yield bucket, ordered.chosen(slice(start, end))
        start = end


def hashes(keys: Any) -> npt.NDArray[np.uint64]:
    """A hash of each key; of a long one its first 256 bytes and its length count."""
    if len(keys.buffers()) == _BINARY:
        return _mixed(pc.fill_null(keys.cast(pa.int64()), 0).to_numpy().view(np.uint64))
    _, offsets, octets = keys.buffers()
    wide = pa.types.is_large_string(keys.type) or pa.types.is_large_binary(keys.type)
    ends = np.frombuffer(offsets, np.int64 if wide else np.int32)[keys.offset : keys.offset + len(keys) + 1]
    first, last = (int(ends[0]), int(ends[-1])) if len(ends) else (0, 0)
    padded = np.zeros(last - first + _WORD, np.uint8)
    if last > first:
        padded[: last - first] = np.frombuffer(octets, np.uint8)[first:last]
    # The word that begins at each byte.
    words: npt.NDArray[np.uint64] = np.ndarray((last - first + 1,), np.uint64, padded, 0, (1,))
    found = np.empty(len(keys), np.uint64)
    for start in range(0, len(keys), _HASH_ROWS):
        own = ends[start : start + _HASH_ROWS + 1] - first
        found[start : start + _HASH_ROWS] = _hashes_of_bytes(words, own[:-1], np.diff(own))
    return found


def plain(keys: Any) -> Any:
    """The keys without a dictionary."""
    return keys.dictionary.take(keys.indices) if pa.types.is_dictionary(keys.type) else keys


def ranks_of(order: Any) -> Numbers:
    """Order values as whole numbers in the same order; a null is the least.

    The array is of whole numbers, floats, timestamps or dates.
    """
    kind = order.type
    if not pa.types.is_floating(kind):
        whole = order.cast(pa.int32()) if pa.types.is_date32(kind) else order
        return np.asarray(pc.fill_null(whole.cast(pa.int64()), LEAST).to_numpy())
    numbers = pc.fill_null(order.cast(pa.float64()), 0.0).to_numpy(zero_copy_only=False)
    # Of equal zeros one has the sign bit, and of NaN there are many; to Spark it is greater than any other.
    bits = np.where(np.isnan(numbers), np.nan, numbers + 0.0).view(np.int64)
    ranks = np.where(bits < 0, bits ^ np.int64(GREATEST), bits)
    return np.where(_is_null(order), np.int64(LEAST), ranks)


def _beside_those_without_a_key(rows: Candidates, kinds: Sequence[Total]) -> tuple[Candidates, Flags]:
    keyless = _is_null(rows.keys)
    found, tied = newest(rows.chosen(np.flatnonzero(~keyless)), kinds)
    lone = rows.chosen(np.flatnonzero(keyless))
    return together([found, lone]), np.concatenate([tied, np.zeros(len(lone), np.bool_)])


def _is_null(keys: Any) -> Flags:
    return np.asarray(keys.is_null().to_numpy(zero_copy_only=False))


def _still_open(rows: Candidates, kinds: Sequence[Total]) -> Candidates:
    """The newest, of which only one has the totals that would else count twice."""
    found, tied = newest(rows, kinds)
    if not tied.any() or Total.SUM not in kinds:
        return found
    shared = np.flatnonzero(tied)
    codes, _ = _coded(found.keys.take(pa.array(shared)))
    again = tied.copy()
    again[shared[np.unique(codes, return_index=True)[1]]] = False
    totals = tuple(
        np.where(again, 0, own) if kind is Total.SUM else own
        for kind, own in zip(kinds, found.totals, strict=True)
    )
    return Candidates(found.keys, found.ranks, found.places, totals)


def _coded(keys: Any) -> tuple[npt.NDArray[np.integer[Any]], int]:
    """A number for each key from 0 on, and how many there are."""
    encoded = keys if pa.types.is_dictionary(keys.type) else keys.dictionary_encode()
    codes = encoded.indices.to_numpy()
    own = encoded.dictionary
    if encoded is keys:
        # A file's dictionary may have a value twice.
        own = keys.dictionary.dictionary_encode()
        if len(own.dictionary) < len(keys.dictionary):
            codes = own.indices.to_numpy()[codes]
        own = own.dictionary
    return codes, len(own)


def _hashes_of_bytes(
    words: npt.NDArray[np.uint64], starts: npt.NDArray[Any], lengths: npt.NDArray[Any]
) -> npt.NDArray[np.uint64]:
    found = _mixed(lengths.astype(np.uint64))
    longest = min(int(lengths.max(initial=0)), _HASHED_WORDS * _WORD)
    for done in range(0, longest, _WORD):
        there = _FIRST_BYTES[np.clip(lengths - done, 0, _WORD)]
        own = words[np.minimum(starts + done, len(words) - 1)] & there
        found = np.where(there == 0, found, _mixed(found ^ own))
    return found


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    product = numbers * _FACTOR
    return product ^ (product >> _HALF)
