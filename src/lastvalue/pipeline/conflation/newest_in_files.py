"""Finds the newest, or the oldest, row of each key in Parquet files by column.

It has three stages, between which Spark moves arrays and not rows:

1. Each task reads the keys and order values of some row groups, and outputs the places of candidates.
2. One task receives all candidates of a key, and outputs the places of the newest.
3. Each task reads the rows at these places, and skips row groups without any.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import signature
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

_SAMPLE_ROWS: Final = 1 << 18
_FEW_KEYS: Final = 0.05
"""If a sample has fewer keys per row than this, keys are read dictionary-encoded.

With more of them the dictionary does not fit into the processor's cache.
"""
_MANY_KEYS: Final = 0.6
"""If a sample has more keys per row than this, rows are not compared before the shuffle."""

_ROW_BITS: Final = 40
"""A place is the number of a split and, in these bits, the number of a row in it."""

_CANDIDATES: Final = pa.schema({"bucket": pa.int32(), "rows": pa.binary()})
_CHOSEN: Final = pa.schema({"split": pa.int32(), "tied": pa.bool_(), "rows": pa.binary()})
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
        choices: the number of tasks of the second stage.
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
        choices = ceil(scan.rows / _CHOICE_ROWS)
        buckets = choices * ceil(scan.rows / choices / _BUCKET_ROWS)
        return cls(splits, choices, buckets, terms, policy, unique, _result(terms))

    def rows(self, spark: SparkSession) -> tuple[DataFrame, DataFrame | None]:
        """The rows that are newest alone or have no key; and those that share the greatest rank, or None.

        In both, each row has the totals of its key. None: the order is unique.
        """
        count = len(self.splits)
        candidates = spark.range(0, count, 1, count).mapInArrow(
            self.find_candidates, from_arrow_schema(_CANDIDATES)
        )
        chosen = candidates.repartitionById(self.choices, "bucket").mapInArrow(
            self.choose_newest, from_arrow_schema(_CHOSEN)
        )
        # Spark runs the stages up to here once, although both results need them.
        places = chosen.repartitionById(count, "split")
        untied = places.mapInArrow(self.read_untied, self.schema)
        return untied, None if self.unique else places.mapInArrow(self.read_tied, self.schema)

    def find_candidates(self, batches: Batches) -> Iterator[Any]:
        """The candidates in the splits of these numbers: few by the task that chooses, others by bucket."""
        freeze_gc()
        for (number,) in _values(batches):
            with _file_named(self.splits[number].path):
                for bucket, rows in self._candidates(number):
                    yield _record(_CANDIDATES, bucket, rows.pack())

    def choose_newest(self, batches: Batches) -> Iterator[Any]:
        """The places of the newest rows, by split."""
        freeze_gc()
        buckets = self._by_bucket((number, Candidates.unpack(octets)) for number, octets in _values(batches))
        places, ties, totals = [], [], []
        while buckets:
            rows, tied = newest(concatenate(buckets.popitem()[1]), self._kinds())
            places.append(rows.places)
            ties.append(tied)
            totals.append(rows.totals)
        if places:
            numbers = [np.concatenate(each) for each in zip(*totals, strict=True)]
            yield from _by_split(np.concatenate(places), np.concatenate(ties), numbers)

    def read_untied(self, batches: Batches) -> Iterator[Any]:
        """The rows at the places that are marked as not tied."""
        return self._read(batches, tied=False)

    def read_tied(self, batches: Batches) -> Iterator[Any]:
        """The rows at the places that are marked as tied."""
        return self._read(batches, tied=True)

    def _kinds(self) -> list[Total]:
        return [_KINDS[inner] for inner in self.terms.added_columns]

    def _candidates(self, number: int) -> Iterator[tuple[int, Candidates]]:
        split, key = self.splits[number], self.terms.key
        share = _share_of_keys(split, key)
        few = share < _FEW_KEYS
        parts = self._read_candidates(number, open_file(split.path, [key] if few else []))
        for part in parts if share > _MANY_KEYS else combine(parts, self._kinds(), _CHOICE_ROWS):
            if len(part) <= _BUCKET_ROWS:
                yield from by_bucket(part, self.choices)
            else:
                for bucket, rows in by_bucket(part, self.buckets):
                    yield self.choices + bucket, rows

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
                totals.append(pc.fill_null(pc.coalesce(*columns).cast(pa.int64()), absent).to_numpy())
            else:
                totals.append(np.full(len(batch), absent, np.int64))
        return tuple(totals)

    def _read(self, batches: Batches, *, tied: bool) -> Iterator[Any]:
        freeze_gc()
        splits = defaultdict(list)
        for number, shared, octets in _values(batches):
            if (shared and not self.unique) == tied:
                splits[number].append(unpack(octets))
        schema = to_arrow_schema(self.schema, **_IN_UTC)
        for number, parts in splits.items():
            rows, *totals = (np.concatenate(each) for each in zip(*parts, strict=True))
            with _file_named(self.splits[number].path):
                yield from self._result_rows(self.splits[number], rows, totals, schema)

    def _result_rows(
        self, split: Split, rows: Numbers, totals: Sequence[Numbers], schema: Any
    ) -> Iterator[Any]:
        """The rows of these numbers, with all columns of the result."""
        order = np.argsort(rows)
        ordered = [each[order] for each in totals]
        for first, batch in _read_rows(split, rows[order], self.terms.row_columns):
            added = [_nullable(each[first : first + len(batch)]) for each in ordered]
            columns = [
                each.cast(field.type) for each, field in zip([*batch.columns, *added], schema, strict=True)
            ]
            output = pa.RecordBatch.from_arrays(columns, schema=schema)
            for start in range(0, len(output), _OUTPUT_ROWS):
                yield output[start : start + _OUTPUT_ROWS]


def _result(terms: Terms) -> StructType:
    kinds: dict[str, DataType] = {UPDATES: LongType()}
    if terms.time is not None:
        kinds |= dict.fromkeys((FIRST_TIME, LAST_TIME), terms.types[terms.time])
    added = [StructField(name, kinds[inner]) for inner, name in terms.added_columns.items()]
    return StructType([*(StructField(name, terms.types[name]) for name in terms.row_columns), *added])


def _share_of_keys(split: Split, key: str) -> float:
    """The number of keys per row, in the first rows of the split."""
    file = open_file(split.path, [key])
    column = next(file.iter_batches(_SAMPLE_ROWS, row_groups=split.groups[:1], columns=[key]))[key]
    own = column.indices if pa.types.is_dictionary(column.type) else column
    return float(pc.count_distinct(own).as_py() / max(len(own), 1))


def _read_rows(split: Split, rows: Numbers, names: Sequence[str]) -> Iterator[tuple[int, Any]]:
    """Batches of the rows with these ascending numbers, each with the position of its first row in `rows`."""
    starts = np.array(split.starts)
    groups = np.searchsorted(starts, rows, "right") - 1
    needed = np.unique(groups)
    sizes = np.diff(starts)[needed]
    # The first row of each needed group, among the rows that are read.
    begins = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=begins[1:])
    positions = rows - starts[groups] + begins[np.searchsorted(needed, groups)]
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


def _by_split(places: Numbers, tied: Any, totals: Sequence[Numbers]) -> Iterator[Any]:
    """The places of each split, tied and untied ones in records of their own."""
    numbers = (places >> _ROW_BITS) * 2 + tied
    order = np.argsort(numbers, kind="stable")
    ends = [*(np.flatnonzero(np.diff(numbers[order])) + 1).tolist(), len(order)]
    start = 0
    for end in ends:
        own = order[start:end]
        number, shared = divmod(int(numbers[own[0]]), 2)
        rows = places[own] & ((1 << _ROW_BITS) - 1)
        yield _record(_CHOSEN, number, bool(shared), pack(rows, *(total[own] for total in totals)))
        start = end


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
