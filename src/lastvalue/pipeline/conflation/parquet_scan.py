"""The files, row groups and columns that a DataFrame reads, if it reads only Parquet files on disk."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame
from pyspark.sql.types import (
    BinaryType,
    BooleanType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

_RELATION: Final = "org.apache.spark.sql.execution.datasources.HadoopFsRelation"
_PARQUET: Final = "org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat"
_PLAIN_OPTIONS: Final = frozenset({"path", "recursivefilelookup"})
_TOLERANT: Final = ("spark.sql.files.ignoreCorruptFiles", "spark.sql.files.ignoreMissingFiles")
# Files of Spark before 3.0 or in legacy mode, in which dates before 1582 follow another calendar.
_LEGACY: Final = (b"org.apache.spark.legacyDateTime", b"org.apache.spark.legacyINT96")
_MOST_FILES: Final = 2_000
"""The driver reads the footer of every file; with more files that would take longer than it saves."""

_BUFFER_BYTES: Final = 1 << 20
"""The buffer through which columns are read; reused memory is cheaper than that of a whole column."""

READ_ROWS: Final = 1 << 20
"""The most rows of a batch."""
_READ_BYTES: Final = 1 << 23

_SAME: Final[Mapping[DataType, tuple[Any, ...]]] = {
    StringType(): (pa.string(), pa.large_string()),
    BinaryType(): (pa.binary(), pa.large_binary()),
    BooleanType(): (pa.bool_(),),
    ByteType(): (pa.int8(),),
    ShortType(): (pa.int16(),),
    IntegerType(): (pa.int32(),),
    LongType(): (pa.int64(),),
    FloatType(): (pa.float32(),),
    DoubleType(): (pa.float64(),),
    DateType(): (pa.date32(),),
    TimestampNTZType(): (pa.timestamp("us"),),
}


@dataclass(frozen=True, slots=True)
class Split:
    """Some row groups of a file, which a task reads.

    Attributes:
        groups: their numbers; none is empty.
        starts: the number of each group's first row, counted from the start of the split; and at the end the
            number of all rows.
        row_bytes: the average size of a row.
    """

    path: str
    groups: tuple[int, ...]
    starts: tuple[int, ...]
    row_bytes: int


@dataclass(frozen=True, slots=True)
class ParquetScan:
    """Parquet files that all have the columns of a schema, in types that Arrow and Spark read alike.

    Attributes:
        schema: of the rows.
        footers: of each file, by its path.
        uris: how Spark names each file, by its path.
    """

    schema: StructType
    footers: tuple[tuple[str, Any], ...]
    uris: Mapping[str, str]

    @classmethod
    def of(cls, df: DataFrame) -> "ParquetScan | None":
        """The scan of the DataFrame; None if it does more than read such files.

        It reads the footers of the files.
        """
        relation = _relation(df)
        if relation is None:
            return None
        uris = [str(uri) for uri in relation.location().inputFiles()]
        if not 0 < len(uris) <= _MOST_FILES or any(urlsplit(uri).scheme != "file" for uri in uris):
            return None
        named = {unquote(urlsplit(uri).path): uri for uri in uris}
        footers = []
        for path in sorted(named):
            try:
                footer = pq.read_metadata(path)
            except (OSError, pa.ArrowException):
                # Spark reports what is wrong with the file when it reads it.
                return None
            if not _reads_alike(footer, df.schema):
                return None
            footers.append((path, footer))
        return cls(df.schema, tuple(footers), named)

    @property
    def rows(self) -> int:
        """The number of rows in all files."""
        return sum(footer.num_rows for _, footer in self.footers)

    def splits(self, rows: int) -> tuple[Split, ...]:
        """All row groups, in splits of about that many rows."""
        return tuple(split for path, footer in self.footers for split in _splits(path, footer, rows))


def open_file(path: str, dictionaries: Sequence[str] = ()) -> Any:
    """The file, for reading in this thread; `dictionaries`: columns to read dictionary-encoded."""
    return pq.ParquetFile(
        path,
        read_dictionary=list(dictionaries),
        coerce_int96_timestamp_unit="us",
        pre_buffer=False,
        buffer_size=_BUFFER_BYTES,
    )


def read_rows(split: Split, rows: npt.NDArray[np.int64], names: Sequence[str]) -> Iterator[tuple[int, Any]]:
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
        max(min(READ_ROWS, _READ_BYTES // split.row_bytes), 1),
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


def _relation(df: DataFrame) -> Any:
    """Spark's relation of Parquet files, if `df` only selects columns of it; None for any other plan."""
    # Spark Connect has no plan here.
    frame: Any = getattr(df, "_jdf", None)
    if frame is None or df.isStreaming or len(set(df.columns)) < len(df.columns):
        return None
    plan = frame.queryExecution().analyzed()
    while plan.nodeName() in ("Project", "SubqueryAlias"):
        if plan.nodeName() == "Project" and not _only_columns(plan):
            return None
        plan = plan.children().apply(0)
    if plan.nodeName() != "LogicalRelation":
        return None
    relation = plan.relation()
    plain = (
        relation.getClass().getName() == _RELATION
        and relation.fileFormat().getClass().getName() == _PARQUET
        and not relation.partitionSchema().size()
        and _PLAIN_OPTIONS.issuperset(_names(relation.options()))
        and all(df.sparkSession.conf.get(name) == "false" for name in _TOLERANT)
    )
    return relation if plain else None


def _only_columns(project: Any) -> bool:
    projections = project.projectList()
    each = (projections.apply(number) for number in range(projections.size()))
    return all(one.getClass().getSimpleName() == "AttributeReference" for one in each)


def _names(options: Any) -> Iterator[str]:
    keys = options.keysIterator()
    while keys.hasNext():
        yield str(keys.next()).lower()


def _reads_alike(footer: Any, schema: StructType) -> bool:
    if any(name in (footer.metadata or {}) for name in _LEGACY):
        return False
    own = footer.schema.to_arrow_schema()
    return all(
        own.get_all_field_indices(field.name)[1:] == []
        and field.name in own.names
        and _is_same(own.field(field.name).type, field.dataType, _physical(footer, field.name))
        for field in schema.fields
    )


def _is_same(arrow: Any, spark: DataType, physical: str) -> bool:
    if pa.types.is_dictionary(arrow) and isinstance(spark, StringType | BinaryType):
        arrow = arrow.value_type
    match spark:
        case DecimalType():
            return bool(pa.types.is_decimal128(arrow)) and (arrow.precision, arrow.scale) == (
                spark.precision,
                spark.scale,
            )
        case TimestampType():
            in_utc = pa.types.is_timestamp(arrow) and arrow.unit == "us" and arrow.tz is not None
            return bool(in_utc) or physical == "INT96"
        case _:
            return physical != "INT96" and arrow in _SAME.get(spark, ())


def _physical(footer: Any, name: str) -> str:
    columns = (footer.schema.column(number) for number in range(footer.num_columns))
    return next((str(each.physical_type) for each in columns if each.path == name), "")


def _splits(path: str, footer: Any, rows: int) -> Iterator[Split]:
    groups = [footer.row_group(number) for number in range(footer.num_row_groups)]
    row_bytes = sum(group.total_byte_size for group in groups) // max(footer.num_rows, 1) + 1
    filled = [number for number, group in enumerate(groups) if group.num_rows]
    own: list[int] = []
    starts = [0]
    for number in filled:
        own.append(number)
        starts.append(starts[-1] + groups[number].num_rows)
        if starts[-1] >= rows or number == filled[-1]:
            yield Split(path, tuple(own), tuple(starts), row_bytes)
            own, starts = [], [0]
