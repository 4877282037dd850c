"""Finds the newest, or the oldest, row of each key in Parquet files by column.

It has three stages, between which Spark moves arrays and not rows:

1. Each task reads the keys and order values of some row groups, and outputs the places of candidates.
2. One task receives all candidates of a key, and outputs the places of the newest.
3. Each task reads the rows at these places, and skips row groups without any.

With few keys in few splits every task of the third stage receives all candidates, and there is no second one;
with one split one task does everything.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from inspect import signature
from itertools import pairwise
from math import ceil
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import (
    BinaryType,
    DataType,
    DateType,
    DoubleType,
    FloatType,
    IntegralType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from lastvalue.model.message import MOST_UPDATES
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
from lastvalue.pipeline.conflation.errors import InvalidConflationError
from lastvalue.pipeline.conflation.key_groups import Numbers, fixed_width
from lastvalue.pipeline.conflation.parquet_scan import ParquetScan, Split, open_file
from lastvalue.pipeline.conflation.table_files import UnreadableTableError
from lastvalue.pipeline.conflation.terms import FIRST_TIME, LAST_TIME, UPDATES, Terms
from lastvalue.pipeline.conflation.ties import dense_ranks, newest_of_tied
from lastvalue.pipeline.freed_memory import keep_freed_memory
from lastvalue.pipeline.gc_freeze import freeze_gc
from lastvalue.queues.policy import First, RowPolicy

_KEYS: Final = (StringType, BinaryType, IntegralType)
_ORDERS: Final = (IntegralType, FloatType, DoubleType, DateType, TimestampType, TimestampNTZType)

_SPLIT_ROWS: Final = (1 << 20, 1 << 23)
"""The least and the largest number of rows for a task of the first or last stage, as row groups allow it."""
_CHOICE_ROWS: Final = 1 << 22
"""The approximate limit of rows for a task of the second stage."""
_BUCKET_ROWS: Final = 1 << 17
"""The rows of a bucket; its keys fit into the processor's cache."""
_READ_ROWS: Final = 1 << 20
_READ_BYTES: Final = 1 << 23
_OUTPUT_ROWS: Final = 1 << 16

_SAMPLE_ROWS: Final = 1 << 16
_FEW_KEYS: Final = 0.2
"""If a sample has fewer keys per row than this, keys are read dictionary-encoded.

With more of them the dictionary does not fit into the processor's cache.
"""
_MANY_KEYS: Final = 0.87
"""If a sample has more keys per row than this, rows are not compared before the shuffle."""

_FEW_SPLITS: Final = 8
_SHARED_CANDIDATES: Final = 0.125
"""How many candidates for each row of the table all tasks that read may choose among, together."""

_ROW_BITS: Final = 40
"""A place is the number of a split and, in these bits, the number of a row in it."""
_ROW: Final = (1 << _ROW_BITS) - 1

_CANDIDATES: Final = pa.schema({"bucket": pa.int32(), "rows": pa.binary()})
_CHOSEN: Final = pa.schema({"split": pa.int32(), "rows": pa.binary()})
_KINDS: Final = {UPDATES: Total.SUM, FIRST_TIME: Total.MIN, LAST_TIME: Total.MAX}
_IN_UTC: Final[dict[str, Any]] = (
    {"timezone": "UTC"} if "timezone" in signature(to_arrow_schema).parameters else {}
)
"""Before PySpark 4.2 times are in UTC without a word."""
_ABSENT: Final = {Total.SUM: 1, Total.MIN: GREATEST, Total.MAX: LEAST}

Batches = Iterable[Any]


@dataclass(frozen=True, slots=True)
class NewestInFiles:
    """A conflation that chooses a row of each key in Parquet files.

    Attributes:
        choices: the number of tasks of the second stage; 0: every task that reads chooses by itself.
        buckets: the number of buckets of keys, a multiple of `choices`.
        unique: no two rows of a key share the first order value, and none lacks it.
        schema: of the result.
    """

    splits: tuple[Split, ...]
    choices: int
    buckets: int
    terms: Terms
    policy: RowPolicy
    unique: bool
    schema: StructType

    @classmethod
    def of(cls, df: DataFrame, terms: Terms, policy: RowPolicy, *, unique: bool) -> "NewestInFiles | None":
        """The plan; None if it does not support the DataFrame or the terms, or Spark cannot carry it out."""
        if not hasattr(DataFrame, "repartitionById"):
            # Before PySpark 4.1.
            return None
        key, order = terms.types[terms.key], terms.types[terms.order[0]]
        if terms.every_us is not None or not isinstance(key, _KEYS) or not isinstance(order, _ORDERS):
            return None
        scan = ParquetScan.of(df)
        if scan is None or not scan.rows:
            return None
        least, most = _SPLIT_ROWS
        rows = ceil(scan.rows / df.sparkSession.sparkContext.defaultParallelism)
        splits = scan.splits(min(max(rows, least), most))
        try:
            few = _has_few_candidates(splits, terms.key)
        except (OSError, pa.ArrowException):
            # Spark reports what is wrong with the file when it reads it.
            return None
        choices = 0 if few else ceil(scan.rows / _CHOICE_ROWS)
        buckets = choices * ceil(scan.rows / max(choices, 1) / _BUCKET_ROWS)
        return cls(splits, choices, buckets, terms, policy, unique, _result(terms))

    def rows(self, spark: SparkSession) -> DataFrame:
        """The newest row of each key, with the totals of the key, and the rows that have no key."""
        count = len(self.splits)
        splits = spark.range(0, count, 1, count)
        if count == 1 and not self.choices:
            return splits.mapInArrow(self.find_and_read, self.schema)
        candidates = splits.mapInArrow(self.find_candidates, from_arrow_schema(_CANDIDATES))
        if not self.choices:
            return candidates.repartitionById(count, "bucket").mapInArrow(self.choose_and_read, self.schema)
        chosen = candidates.repartitionById(self.choices, "bucket").mapInArrow(
            self.choose_newest, from_arrow_schema(_CHOSEN)
        )
        return chosen.repartitionById(count, "split").mapInArrow(self.read_chosen, self.schema)

    def find_and_read(self, batches: Batches) -> Iterator[Any]:
        """The newest rows of the only split."""
        return self.choose_and_read(self.find_candidates(batches))

    def find_candidates(self, batches: Batches) -> Iterator[Any]:
        """The candidates in the splits of these numbers: few by the task that chooses, others by bucket.

        Without a task that only chooses, each task that reads gets all of them.
        """
        _prepare_worker()
        for (number,) in _values(batches):
            with _file_named(self.splits[number].path):
                for buckets, rows in self._candidates(number):
                    octets = rows.pack()
                    for bucket in buckets:
                        yield _record(_CANDIDATES, bucket, octets)

    def choose_newest(self, batches: Batches) -> Iterator[Any]:
        """The places of the newest rows, by split."""
        _prepare_worker()
        buckets = self._by_bucket((number, Candidates.unpack(octets)) for number, octets in _values(batches))
        if not buckets:
            return
        places, *totals = self._chosen(concatenate(buckets.popitem()[1]) for _ in range(len(buckets)))
        # numpy's stable sort counts small numbers instead of comparing them.
        numbers = (places >> _ROW_BITS).astype(np.min_scalar_type(len(self.splits)))
        order = np.argsort(numbers, kind="stable")
        for number, start, end in _runs(numbers[order]):
            own = order[start:end]
            rows = pack(places[own] & _ROW, *(total[own] for total in totals))
            yield _record(_CHOSEN, number, rows)

    def read_chosen(self, batches: Batches) -> Iterator[Any]:
        """The rows at the places that were chosen."""
        _prepare_worker()
        splits = defaultdict(list)
        for number, octets in _values(batches):
            splits[number].append(unpack(octets))
        for number, parts in splits.items():
            rows, *totals = (np.concatenate(each) for each in zip(*parts, strict=True))
            yield from self._result_rows(number, rows, totals)

    def choose_and_read(self, batches: Batches) -> Iterator[Any]:
        """The newest rows of a split, given the candidates of all splits."""
        _prepare_worker()
        splits = defaultdict(list)
        for number, octets in _values(batches):
            splits[number].append(Candidates.unpack(octets))
        for number, parts in splits.items():
            chosen = self._chosen([concatenate(parts)])
            is_own = chosen[0] >> _ROW_BITS == number
            places, *totals = (each[is_own] for each in chosen)
            yield from self._result_rows(number, places & _ROW, totals)

    def _chosen(self, buckets: Iterable[Candidates]) -> list[Numbers]:
        """The places of the rows that stay, and their totals; there is at least one bucket."""
        chosen: list[tuple[Numbers, ...]] = []
        tied: list[Candidates] = []
        for candidates in buckets:
            rows, is_tied = newest(candidates, self._kinds())
            numbers = (rows.places, *rows.totals)
            if not self.unique and is_tied.any():
                tied.append(rows.take(np.flatnonzero(is_tied)))
                numbers = tuple(each[~is_tied] for each in numbers)
            chosen.append(numbers)
        if tied:
            rows = self._newest_of_tied(concatenate(tied))
            chosen.append((rows.places, *rows.totals))
        return [np.concatenate(each) for each in zip(*chosen, strict=True)]

    def _without_ties(self, candidates: Candidates) -> Candidates:
        """The newest row of each key, and the rows that have no key."""
        rows, is_tied = newest(candidates, self._kinds())
        if not is_tied.any():
            return rows
        tied = self._newest_of_tied(rows.take(np.flatnonzero(is_tied)))
        return concatenate([rows.take(np.flatnonzero(~is_tied)), tied])

    def _newest_of_tied(self, rows: Candidates) -> Candidates:
        terms = self.terms
        others = [name for name in terms.row_columns if name not in (terms.key, *terms.order)]
        return newest_of_tied(rows, [partial(self._ranks_at, name) for name in (*terms.order, *others)])

    def _ranks_at(self, name: str, places: Numbers) -> Numbers:
        """The ranks of rows by a column that is read for them."""
        order = np.argsort(places)
        ordered = places[order]
        parts: list[Any] = []
        for number, start, end in _runs(ordered >> _ROW_BITS):
            with _file_named(self.splits[number].path):
                rows = _read_rows(self.splits[number], ordered[start:end] & _ROW, [name])
                parts.extend(batch.column(0) for _, batch in rows)
        own = dense_ranks(parts)
        ranks = np.empty(len(places), np.int64)
        ranks[order] = ~own if isinstance(self.policy, First) else own
        return ranks

    def _kinds(self) -> list[Total]:
        return [_KINDS[inner] for inner in self.terms.added_columns]

    def _candidates(self, number: int) -> Iterator[tuple[Sequence[int], Candidates]]:
        """Candidates of a split, with the buckets that get them."""
        split, key = self.splits[number], self.terms.key
        share, _ = _share_of_keys(split, key)
        few = share < _FEW_KEYS
        parts = self._read_candidates(number, open_file(split.path, [key] if few else []))
        for part in parts if share > _MANY_KEYS else combine(parts, self._kinds(), _CHOICE_ROWS):
            if not self.choices:
                # All tasks get them, so there may not be many even where most rows are tied.
                yield range(len(self.splits)), part if self.unique else self._without_ties(part)
            elif len(part) <= _BUCKET_ROWS:
                yield from (([bucket], rows) for bucket, rows in by_bucket(part, self.choices))
            else:
                for bucket, rows in by_bucket(part, self.buckets):
                    yield [self.choices + bucket], rows

    def _by_bucket(self, parts: Iterable[tuple[int, Candidates]]) -> dict[int, list[Candidates]]:
        """The candidates that a task of the second stage receives; all in one bucket if each task had few."""
        whole, buckets = [], defaultdict(list)
        for number, rows in parts:
            if number < self.choices:
                whole.append(rows)
            else:
                buckets[number - self.choices].append(rows)
        if whole and not buckets:
            return {0: whole}
        for rows in whole:
            for bucket, own in by_bucket(rows, self.buckets):
                buckets[bucket].append(own)
        return buckets

    def _read_candidates(self, number: int, file: Any) -> Iterator[Candidates]:
        """Keys, ranks, places and totals of the rows; reads no other columns."""
        terms, place = self.terms, number << _ROW_BITS
        moments = terms.moment_columns().values()
        updates = [terms.updates] if terms.updates in terms.types else []
        names = {terms.key, terms.order[0], *updates, *(name for names in moments for name in names)}
        batches = file.iter_batches(
            _READ_ROWS, row_groups=self.splits[number].groups, columns=sorted(names), use_threads=False
        )
        for batch in batches:
            keys, order = fixed_width(batch[terms.key]), batch[terms.order[0]]
            if self.unique and order.null_count and pc.any(pc.and_(keys.is_valid(), order.is_null())).as_py():
                raise InvalidConflationError("conflate(unique=True): a row with a key has no order value")
            ranks = ranks_of(order)
            if isinstance(self.policy, First):
                ranks = ~ranks
            yield Candidates(keys, ranks, np.arange(place, place + len(batch)), self._totals(batch))
            place += len(batch)

    def _totals(self, batch: Any) -> tuple[Numbers, ...]:
        """The numbers that each row adds to its key's totals."""
        moments = self.terms.moment_columns()
        totals = []
        for inner, name in self.terms.added_columns.items():
            columns = [batch[each] for each in moments.get(inner, (name,)) if each in batch.schema.names]
            absent = _ABSENT[_KINDS[inner]]
            if columns:
                own = pc.fill_null(pc.coalesce(*columns).cast(pa.int64()), absent).to_numpy()
                totals.append(_counts(own) if inner == UPDATES else own)
            else:
                totals.append(np.full(len(batch), absent, np.int64))
        return tuple(totals)

    def _result_rows(self, number: int, rows: Numbers, totals: Sequence[Numbers]) -> Iterator[Any]:
        """The rows of these numbers in a split, with all columns of the result."""
        schema = to_arrow_schema(self.schema, **_IN_UTC)
        split = self.splits[number]
        ascending, *ordered = _ascending(rows, totals, split.starts[-1])
        with _file_named(split.path):
            if UPDATES in self.terms.added_columns:
                at = list(self.terms.added_columns).index(UPDATES)
                ordered[at] = _counts(ordered[at])
            for first, batch in _read_rows(split, ascending, self.terms.row_columns):
                added = [_nullable(each[first : first + len(batch)]) for each in ordered]
                columns = [
                    each.cast(field.type)
                    for each, field in zip([*batch.columns, *added], schema, strict=True)
                ]
                output = pa.RecordBatch.from_arrays(columns, schema=schema)
                for start in range(0, len(output), _OUTPUT_ROWS):
                    yield output[start : start + _OUTPUT_ROWS]


def _counts(updates: Numbers) -> Numbers:
    """Numbers of updates as queues count them; see `capped`."""
    return np.minimum(updates, MOST_UPDATES)


def _result(terms: Terms) -> StructType:
    kinds: dict[str, DataType] = {UPDATES: LongType()}
    if terms.time is not None:
        kinds |= dict.fromkeys((FIRST_TIME, LAST_TIME), terms.types[terms.time])
    added = [StructField(name, kinds[inner]) for inner, name in terms.added_columns.items()]
    return StructType([*(StructField(name, terms.types[name]) for name in terms.row_columns), *added])


def _has_few_candidates(splits: Sequence[Split], key: str) -> bool:
    """Whether each task that reads may receive the candidates of all splits."""
    if len(splits) == 1:
        return True
    if len(splits) > _FEW_SPLITS:
        return False
    rows = [split.starts[-1] for split in splits]
    candidates = sum(map(min, rows, (_most_keys(split, key) for split in splits)))
    return len(splits) * candidates <= max(sum(rows) * _SHARED_CANDIDATES, _BUCKET_ROWS)


def _most_keys(split: Split, key: str) -> float:
    """Once to twice the number of keys in the split, where all of them are equally frequent."""
    share, rows = _share_of_keys(split, key)
    return rows * share / (1 - share) if share < 1 else split.starts[-1]


def _share_of_keys(split: Split, key: str) -> tuple[float, int]:
    """The number of keys per row, in the first rows of the split; and how many these are."""
    file = open_file(split.path, [key])
    column = next(file.iter_batches(_SAMPLE_ROWS, row_groups=split.groups[:1], columns=[key]))[key]
    own = column.indices if pa.types.is_dictionary(column.type) else column
    return (pc.count_distinct(own).as_py() + own.null_count) / len(own), len(own)


def _prepare_worker() -> None:
    freeze_gc()
    keep_freed_memory()


def _ascending(rows: Numbers, totals: Sequence[Numbers], count: int) -> Iterator[Numbers]:
    """Different numbers below `count` in ascending order, and their totals: by a table, without comparing."""
    is_in = np.zeros(count, np.bool_)
    is_in[rows] = True
    ascending = np.flatnonzero(is_in)
    yield ascending
    for total in totals:
        table = np.empty(count, np.int64)
        table[rows] = total
        yield table[ascending]


def _read_rows(split: Split, rows: Numbers, names: Sequence[str]) -> Iterator[tuple[int, Any]]:
    """Batches of the rows with these ascending numbers, each with the position of its first row in `rows`."""
    starts = np.array(split.starts)
    counts = np.diff(np.searchsorted(rows, starts))
    needed = np.flatnonzero(counts)
    sizes = np.diff(starts)[needed]
    # The first row of each needed group, among the rows that are read.
    begins = np.cumsum(sizes) - sizes
    positions = rows + np.repeat(begins - starts[needed], counts[needed])
    batches = open_file(split.path).iter_batches(
        max(min(_READ_ROWS, _READ_BYTES // split.row_bytes), 1),
        row_groups=[split.groups[each] for each in needed],
        columns=list(names),
        use_threads=False,
    )
    passed = first = 0
    for batch in batches:
        end = int(np.searchsorted(positions, passed + len(batch)))
        if end > first:
            own = batch.take(pa.array(positions[first:end] - passed)) if end - first < len(batch) else batch
            yield first, own.select(list(names))
        passed += len(batch)
        first = end


def _runs(numbers: Numbers) -> Iterator[tuple[int, int, int]]:
    """Each of the ascending numbers, with the positions of its first row and behind its last."""
    starts = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)]
    return ((int(numbers[start]), start, end) for start, end in pairwise(starts))


def _nullable(numbers: Numbers) -> Any:
    """Totals as a column; the neutral value of a minimum or maximum is null."""
    return pa.array(numbers, mask=(numbers == GREATEST) | (numbers == LEAST))


@contextmanager
def _file_named(path: str) -> Iterator[None]:
    """Add the file's name to errors of reading."""
    try:
        yield
    except (OSError, pa.ArrowException) as fault:
        raise UnreadableTableError(f"cannot read {path}: {fault}") from fault


def _values(batches: Batches) -> Iterator[tuple[Any, ...]]:
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _record(schema: Any, *values: object) -> Any:
    """A batch of one row."""
    columns = [pa.array([value], field.type) for value, field in zip(values, schema, strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
