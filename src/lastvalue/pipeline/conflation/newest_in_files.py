"""The newest, or the oldest, row of each key in Parquet files, found by columns instead of by rows.

Three stages, between which Spark moves arrays and no rows:

1. Each task reads keys and order values of some row groups, and tells the places of what may be newest.
2. Those of a key meet in one task, which tells the places of the newest.
3. Each task reads the rows at such places, and passes over row groups without one.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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

from lastvalue.pipeline.columns import InvalidConflationError
from lastvalue.pipeline.conflation.candidates import (
    GREATEST,
    LEAST,
    Candidates,
    Numbers,
    Total,
    combined,
    newest,
    packed,
    ranks_of,
    scattered,
    together,
    unpacked,
)
from lastvalue.pipeline.conflation.parquet_scan import ParquetScan, Split, open_file
from lastvalue.pipeline.conflation.policy import First, RowPolicy
from lastvalue.pipeline.conflation.table_files import UnreadableTableError
from lastvalue.pipeline.conflation.terms import FIRST_TIME, LAST_TIME, UPDATES, Terms
from lastvalue.pipeline.gc_freeze import freeze_gc

_KEYS: Final = (StringType, BinaryType, IntegralType)
_ORDERS: Final = (IntegralType, FloatType, DoubleType, DateType, TimestampType, TimestampNTZType)

_SPLIT_ROWS: Final = (1 << 20, 1 << 23)
"""A task of the first and of the last stage reads no fewer and no more, as far as row groups allow it."""
_CHOICE_ROWS: Final = 1 << 22
"""A task of the second stage has at most about so many."""
_BUCKET_ROWS: Final = 1 << 17
"""They are compared in buckets whose keys fit into the processor's cache."""
_READ_ROWS: Final = 1 << 20
_READ_BYTES: Final = 1 << 23
_GIVEN_ROWS: Final = 1 << 16

_SAMPLE_ROWS: Final = 1 << 18
_FEW_KEYS: Final = 0.05
"""Where fewer of a sample's rows have a key of their own, keys are read as numbers."""
_MANY_KEYS: Final = 0.6
"""Where more have, rows are not compared before they move."""

_ROW_BITS: Final = 40
"""A place is the number of a split and, in these bits, that of a row in it."""

_FOUND: Final = pa.schema({"bucket": pa.int32(), "rows": pa.binary()})
_CHOSEN: Final = pa.schema({"split": pa.int32(), "tied": pa.bool_(), "rows": pa.binary()})
_KINDS: Final = {UPDATES: Total.SUM, FIRST_TIME: Total.MIN, LAST_TIME: Total.MAX}
_ABSENT: Final = {Total.SUM: 1, Total.MIN: GREATEST, Total.MAX: LEAST}

Batches = Iterable[Any]


@dataclass(frozen=True, slots=True)
class NewestInFiles:
    """A conflation that chooses a row of each key in Parquet files.

    Attributes:
        buckets: how many there are of keys.
        unique: no two rows of a key share the first order value, and none lacks it.
        schema: of the result.
    """

    splits: tuple[Split, ...]
    buckets: int
    terms: Terms
    policy: RowPolicy
    unique: bool
    schema: StructType

    @classmethod
    def of(cls, df: DataFrame, terms: Terms, policy: RowPolicy, *, unique: bool) -> "NewestInFiles | None":
        """The plan; None where the DataFrame, or by what it is to be conflated, is not for it."""
        key, order = terms.types[terms.key], terms.types[terms.order[0]]
        if terms.every_us is not None or not isinstance(key, _KEYS) or not isinstance(order, _ORDERS):
            return None
        scan = ParquetScan.of(df)
        if scan is None or not scan.rows:
            return None
        least, most = _SPLIT_ROWS
        rows = ceil(scan.rows / df.sparkSession.sparkContext.defaultParallelism)
        splits = scan.splits(min(max(rows, least), most))
        return cls(splits, ceil(scan.rows / _BUCKET_ROWS), terms, policy, unique, _result(terms))

    def rows(self, spark: SparkSession) -> tuple[DataFrame, DataFrame | None]:
        """Rows that alone are newest, or have no key; and those that share being newest, where that can be.

        In both, each row has the totals of its key.
        """
        count = len(self.splits)
        choices = ceil(self.buckets * _BUCKET_ROWS / _CHOICE_ROWS)
        found = spark.range(0, count, 1, count).mapInArrow(self.found, from_arrow_schema(_FOUND))
        chosen = found.repartitionById(choices, "bucket").mapInArrow(self.chosen, from_arrow_schema(_CHOSEN))
        # Spark runs what is before this once, though both results need it.
        placed = chosen.repartitionById(count, "split")
        lone = placed.mapInArrow(self.lone, self.schema)
        return lone, None if self.unique else placed.mapInArrow(self.tied, self.schema)

    def found(self, batches: Batches) -> Iterator[Any]:
        """What may be newest in the splits of these numbers, by bucket."""
        freeze_gc()
        for (number,) in _values(batches):
            with _named(self.splits[number].path):
                for part in self._candidates(number):
                    for bucket, rows in scattered(part, self.buckets):
                        yield _record(_FOUND, bucket, rows.packed())

    def chosen(self, batches: Batches) -> Iterator[Any]:
        """The places of the newest, by split."""
        freeze_gc()
        buckets = defaultdict(list)
        for bucket, octets in _values(batches):
            buckets[bucket].append(Candidates.unpacked(octets))
        places, ties, totals = [], [], []
        while buckets:
            rows, tied = newest(together(buckets.popitem()[1]), self._kinds())
            places.append(rows.places)
            ties.append(tied)
            totals.append(rows.totals)
        if places:
            numbers = [np.concatenate(each) for each in zip(*totals, strict=True)]
            yield from _by_split(np.concatenate(places), np.concatenate(ties), numbers)

    def lone(self, batches: Batches) -> Iterator[Any]:
        """The rows at the places that are told as not tied."""
        return self._read(batches, tied=False)

    def tied(self, batches: Batches) -> Iterator[Any]:
        """The rows at the places that are told as tied."""
        return self._read(batches, tied=True)

    def _kinds(self) -> list[Total]:
        return [_KINDS[inner] for inner in self.terms.added]

    def _candidates(self, number: int) -> Iterator[Candidates]:
        split, key = self.splits[number], self.terms.key
        share = _share_of_keys(split, key)
        parts = self._narrow(number, open_file(split.path, [key] if share < _FEW_KEYS else []))
        return parts if share > _MANY_KEYS else combined(parts, self._kinds(), _CHOICE_ROWS)

    def _narrow(self, number: int, file: Any) -> Iterator[Candidates]:
        """Keys, ranks, places and totals, and nothing else of the rows."""
        terms, place = self.terms, number << _ROW_BITS
        moments = terms.moment_columns().values()
        updates = [terms.updates] if terms.updates in terms.types else []
        names = {terms.key, terms.order[0], *updates, *(name for names in moments for name in names)}
        batches = file.iter_batches(
            _READ_ROWS, row_groups=self.splits[number].groups, columns=sorted(names), use_threads=False
        )
        for batch in batches:
            keys, order = batch[terms.key], batch[terms.order[0]]
            if self.unique and order.null_count and pc.any(pc.and_(keys.is_valid(), order.is_null())).as_py():
                raise InvalidConflationError("conflate(unique=True): a row with a key has no order value")
            ranks = ranks_of(order)
            if isinstance(self.policy, First):
                ranks = ~ranks
            yield Candidates(keys, ranks, np.arange(place, place + len(batch)), self._totals(batch))
            place += len(batch)

    def _totals(self, batch: Any) -> tuple[Numbers, ...]:
        """What each row adds to its key's totals."""
        moments = self.terms.moment_columns()
        totals = []
        for inner, name in self.terms.added.items():
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
                splits[number].append([each.to_numpy() for each in unpacked(octets)])
        schema = to_arrow_schema(self.schema, timezone="UTC")
        for number, parts in splits.items():
            rows, *totals = (np.concatenate(each) for each in zip(*parts, strict=True))
            with _named(self.splits[number].path):
                yield from self._whole(self.splits[number], rows, totals, schema)

    def _whole(self, split: Split, rows: Numbers, totals: Sequence[Numbers], schema: Any) -> Iterator[Any]:
        """The rows of these numbers, with all columns of the result."""
        order = np.argsort(rows)
        ordered = [each[order] for each in totals]
        for first, taken in _taken(split, rows[order], self.terms.kept):
            added = [_nullable(each[first : first + len(taken)]) for each in ordered]
            columns = [
                each.cast(field.type) for each, field in zip([*taken.columns, *added], schema, strict=True)
            ]
            given = pa.RecordBatch.from_arrays(columns, schema=schema)
            for start in range(0, len(given), _GIVEN_ROWS):
                yield given[start : start + _GIVEN_ROWS]


def _result(terms: Terms) -> StructType:
    kinds: dict[str, DataType] = {UPDATES: LongType()}
    if terms.time is not None:
        kinds |= dict.fromkeys((FIRST_TIME, LAST_TIME), terms.types[terms.time])
    added = [StructField(name, kinds[inner]) for inner, name in terms.added.items()]
    return StructType([*(StructField(name, terms.types[name]) for name in terms.kept), *added])


def _share_of_keys(split: Split, key: str) -> float:
    """How many keys there are for a row, in the first rows of the split."""
    file = open_file(split.path, [key])
    column = next(file.iter_batches(_SAMPLE_ROWS, row_groups=split.groups[:1], columns=[key]))[key]
    own = column.indices if pa.types.is_dictionary(column.type) else column
    return float(pc.count_distinct(own).as_py() / max(len(own), 1))


def _taken(split: Split, rows: Numbers, names: Sequence[str]) -> Iterator[tuple[int, Any]]:
    """Batches of the rows of these numbers, which ascend; each with the position of its first among them."""
    starts = np.array(split.starts)
    groups = np.searchsorted(starts, rows, "right") - 1
    needed = np.unique(groups)
    sizes = np.diff(starts)[needed]
    # Where each needed group begins among those that are read.
    begins = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=begins[1:])
    wanted = rows - starts[groups] + begins[np.searchsorted(needed, groups)]
    batches = open_file(split.path).iter_batches(
        max(min(_READ_ROWS, _READ_BYTES // split.row_bytes), 1),
        row_groups=[split.groups[each] for each in needed],
        columns=list(names),
        use_threads=False,
    )
    passed = first = 0
    for batch in batches:
        end = int(np.searchsorted(wanted, passed + len(batch)))
        if end > first:
            own = batch.take(pa.array(wanted[first:end] - passed)) if end - first < len(batch) else batch
            yield first, own.select(list(names))
        passed += len(batch)
        first = end


def _by_split(places: Numbers, tied: Any, totals: Sequence[Numbers]) -> Iterator[Any]:
    """A record for each split, and for those tied and those not."""
    numbers = (places >> _ROW_BITS) * 2 + tied
    order = np.argsort(numbers, kind="stable")
    ends = [*(np.flatnonzero(np.diff(numbers[order])) + 1).tolist(), len(order)]
    start = 0
    for end in ends:
        own = order[start:end]
        number, shared = divmod(int(numbers[own[0]]), 2)
        rows = places[own] & ((1 << _ROW_BITS) - 1)
        yield _record(_CHOSEN, number, bool(shared), packed(rows, *(total[own] for total in totals)))
        start = end


def _nullable(numbers: Numbers) -> Any:
    """Totals as a column; of no time there is neither a least nor a greatest."""
    return pa.array(numbers, mask=(numbers == GREATEST) | (numbers == LEAST))


@contextmanager
def _named(path: str) -> Iterator[None]:
    """A fault of reading that names the file."""
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
