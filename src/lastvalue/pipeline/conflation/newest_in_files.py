"""Finds the newest, or the oldest, row of each key in Parquet files by column.

It has three stages, between which Spark moves arrays and not rows:

1. Each task reads the keys and order values of some row groups, and outputs the places of candidates.
2. One task receives all candidates of a key, and outputs the places of the newest.
3. Each task reads the rows at these places, and skips row groups without any.

With many keys, most row groups have rows of the result. Then Spark reads the files in the third stage, and
takes the rows that have a mark (`conflation.row_marks`): it reads rows quicker than it gets them from Python.
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
from pyspark.sql import DataFrame
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
from lastvalue.pipeline.conflation.key_shares import share_of_keys, share_of_result
from lastvalue.pipeline.conflation.parquet_scan import READ_ROWS, ParquetScan, Split, open_file, read_rows
from lastvalue.pipeline.conflation.row_marks import (
    BLOCK,
    MARKS,
    file_numbers,
    has_row_numbers,
    marked_rows,
    row_marks,
)
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
_OUTPUT_ROWS: Final = 1 << 16

_FEW_KEYS: Final = 0.05
"""If a sample has fewer keys per row than this, keys are read dictionary-encoded.

With more of them the dictionary does not fit into the processor's cache.
"""
_MANY_KEYS: Final = 0.6
"""If a sample has more keys per row than this, rows are not compared before the shuffle."""

_MARKED_ROWS: Final = (1 << 20, 1 << 27)
"""The least and the largest number of rows that get marks; these are broadcast, 60 MB of the largest."""
_MARKED_SHARE: Final = 0.2
"""If fewer of the rows are in the result, Python reads them quicker."""

_ROW_BITS: Final = 40
"""A place is the number of a target and, in these bits, the number of a row in it."""

_CANDIDATES: Final = pa.schema({"bucket": pa.int32(), "rows": pa.binary()})
_CHOSEN: Final = pa.schema({"split": pa.int32(), "tied": pa.bool_(), "rows": pa.binary()})
_MARKED: Final = pa.schema({BLOCK: pa.int64(), MARKS: pa.int64()})
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
        splits: what a task of the first stage reads.
        targets: what a task of the third stage reads.
        origins: the place of each split's first row.
        choices: the number of tasks of the second stage.
        buckets: the number of buckets of keys, a multiple of `choices`.
        unique: no two rows of a key share the first order value, and none lacks it.
        schema: of the result.
        files: a number for each target, which is a whole file, if its rows get marks; otherwise none.
    """

    splits: tuple[Split, ...]
    targets: tuple[Split, ...]
    origins: tuple[int, ...]
    choices: int
    buckets: int
    terms: Terms
    policy: RowPolicy
    unique: bool
    schema: StructType
    files: tuple[int, ...] = ()

    @classmethod
    def of(
        cls, df: DataFrame, terms: Terms, policy: RowPolicy, *, unique: bool, broadcast: bool
    ) -> "NewestInFiles | None":
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
        targets, files = splits, None
        if broadcast and not terms.added_columns and _gets_marks(df, scan, terms.key):
            whole = scan.splits(scan.rows)
            files = file_numbers([scan.uris[each.path] for each in whole])
            targets = splits if files is None else whole
        choices = ceil(scan.rows / _CHOICE_ROWS)
        buckets = choices * ceil(scan.rows / choices / _BUCKET_ROWS)
        origins = _origins(splits, targets)
        return cls(
            splits, targets, origins, choices, buckets, terms, policy, unique, _result(terms), files or ()
        )

    def rows(self, df: DataFrame) -> tuple[DataFrame, DataFrame | None]:
        """The rows that are newest alone or have no key; and those that share the greatest rank, or None.

        In both, each row has the totals of its key. None: the order is unique.
        """
        spark, count = df.sparkSession, len(self.splits)
        candidates = spark.range(0, count, 1, count).mapInArrow(
            self.find_candidates, from_arrow_schema(_CANDIDATES)
        )
        chosen = candidates.repartitionById(self.choices, "bucket").mapInArrow(
            self.choose_newest, from_arrow_schema(_CHOSEN)
        )
        # Spark runs the stages up to here once, although both results need them.
        places = chosen.repartitionById(len(self.targets), "split")
        if self.files:
            marks = places.mapInArrow(self.mark_untied, from_arrow_schema(_MARKED))
            untied = marked_rows(df, marks, self.terms.row_columns)
        else:
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
        for number in range(len(self.files)):
            # So that a file without any place has marks too.
            yield _record(_CHOSEN, number, False, pack(np.empty(0, np.int64)))  # noqa: FBT003 - a column

    def read_untied(self, batches: Batches) -> Iterator[Any]:
        """The rows at the places that are marked as not tied."""
        return self._read(batches, tied=False)

    def read_tied(self, batches: Batches) -> Iterator[Any]:
        """The rows at the places that are marked as tied."""
        return self._read(batches, tied=True)

    def mark_untied(self, batches: Batches) -> Iterator[Any]:
        """The marks of the rows at the places that are marked as not tied, of whole files."""
        for number, rows, _ in self._places(batches, tied=False):
            marks = row_marks(rows, self.targets[number].starts[-1], self.files[number])
            output = pa.RecordBatch.from_arrays([*map(pa.array, marks)], schema=_MARKED)
            for start in range(0, len(output), _OUTPUT_ROWS):
                yield output[start : start + _OUTPUT_ROWS]

    def _kinds(self) -> list[Total]:
        return [_KINDS[inner] for inner in self.terms.added_columns]

    def _candidates(self, number: int) -> Iterator[tuple[int, Candidates]]:
        split, key = self.splits[number], self.terms.key
        share = share_of_keys(split, key)
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
        terms, place = self.terms, self.origins[number]
        moments = terms.moment_columns().values()
        updates = [terms.updates] if terms.updates in terms.types else []
        names = {terms.key, terms.order[0], *updates, *(name for names in moments for name in names)}
        batches = file.iter_batches(
            READ_ROWS, row_groups=self.splits[number].groups, columns=sorted(names), use_threads=False
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

    def _places(self, batches: Batches, *, tied: bool) -> Iterator[tuple[int, Numbers, list[Numbers]]]:
        """The rows and totals at tied or other places, by target."""
        freeze_gc()
        targets = defaultdict(list)
        for number, shared, octets in _values(batches):
            if (shared and not self.unique) == tied:
                targets[number].append(unpack(octets))
        for number, parts in targets.items():
            rows, *totals = (np.concatenate(each) for each in zip(*parts, strict=True))
            yield number, rows, totals

    def _read(self, batches: Batches, *, tied: bool) -> Iterator[Any]:
        schema = to_arrow_schema(self.schema, **_IN_UTC)
        for number, rows, totals in self._places(batches, tied=tied):
            with _file_named(self.targets[number].path):
                yield from self._result_rows(self.targets[number], rows, totals, schema)

    def _result_rows(
        self, split: Split, rows: Numbers, totals: Sequence[Numbers], schema: Any
    ) -> Iterator[Any]:
        """The rows of these numbers, with all columns of the result."""
        order = np.argsort(rows)
        ordered = [each[order] for each in totals]
        for first, batch in read_rows(split, rows[order], self.terms.row_columns):
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


def _origins(splits: Sequence[Split], targets: Sequence[Split]) -> tuple[int, ...]:
    """The place of the first row of each split, in targets that begin with one of them each."""
    origins: list[int] = []
    target, row = -1, 0
    for split in splits:
        if target < 0 or row == targets[target].starts[-1]:
            target, row = target + 1, 0
        origins.append((target << _ROW_BITS) | row)
        row += split.starts[-1]
    return tuple(origins)


def _gets_marks(df: DataFrame, scan: ParquetScan, key: str) -> bool:
    """Whether so many rows are in the result that Spark reads them quicker than Python."""
    least, most = _MARKED_ROWS
    if not least <= scan.rows <= most or not has_row_numbers(df):
        return False
    try:
        return share_of_result(scan.splits(1), scan.rows, key) >= _MARKED_SHARE
    except (OSError, pa.ArrowException):
        # The task that reads the file says what is wrong with it.
        return False


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
