"""Chooses rows by their numbers, with a bit for each row; Spark joins 64 of them to its rows at once."""

from collections.abc import Sequence
from typing import Any, Final
from zlib import crc32

import numpy as np
import numpy.typing as npt
from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from lastvalue.pipeline.columns import column

BLOCK: Final = "__lastvalue_block"
MARKS: Final = "__lastvalue_marks"
_BLOCK_BITS: Final = 6
"""A block of row numbers has a bit in a long for each."""
_FILE_SHIFT: Final = 31
_FILE: Final = "__lastvalue_file"
_ROW: Final = "__lastvalue_row"

Numbers = npt.NDArray[np.int64]


def row_marks(rows: Numbers, count: int, file: int = 0) -> tuple[Numbers, Numbers]:
    """The blocks of all `count` rows of a file, and their marks, with a bit for each of these rows."""
    bits = np.zeros(-(-count >> _BLOCK_BITS) << _BLOCK_BITS, np.bool_)
    bits[rows] = True
    marks: Numbers = np.packbits(bits, bitorder="little").view(np.int64)
    return np.arange(len(marks)) | (file << _FILE_SHIFT), marks


def collected_marks(numbers: DataFrame, name: str) -> DataFrame:
    """Blocks and marks of the numbers in a column."""
    own = column(name).cast("long")
    bit = sf.call_function("shiftleft", sf.lit(1).cast("long"), _place_in_block(own))
    return numbers.groupBy(block_of(own).alias(BLOCK)).agg(sf.bit_or(bit).alias(MARKS))


def block_of(number: Column) -> Column:
    """The block of a row number."""
    return sf.shiftright(number, _BLOCK_BITS)


def with_marks(rows: DataFrame, marks: DataFrame, block: Column) -> DataFrame:
    """The rows with the marks of their blocks; null without any."""
    return rows.join(sf.broadcast(marks), block == sf.col(BLOCK), "left_outer")


def is_marked(marks: Column, number: Column) -> Column:
    """Whether the row of that number has a mark."""
    return sf.call_function("shiftright", marks, _place_in_block(number)).bitwiseAND(1) == 1


def file_numbers(uris: Sequence[str]) -> tuple[int, ...] | None:
    """A number for each file, which Spark computes of its name too; None if two files have the same."""
    # Spark names files by `Path.toString`, which leaves out an empty host.
    numbers = tuple(crc32(uri.replace("file:///", "file:/", 1).encode()) for uri in uris)
    return numbers if len({*numbers}) == len(uris) else None


def marked_rows(df: DataFrame, marks: DataFrame, names: Sequence[str]) -> DataFrame:
    """The marked rows of files that `df` reads; `marks` has all their blocks."""
    numbered = _numbered(df)
    assert numbered is not None  # noqa: S101 - `has_row_numbers` said so
    own = sf.col(_ROW)
    block = sf.shiftleft(sf.crc32(sf.col(_FILE)), _FILE_SHIFT).bitwiseOR(block_of(own))
    fault = "conflate: Spark reads a row that was not in the Parquet files when they were looked at"
    known = sf.coalesce(sf.col(MARKS), sf.raise_error(sf.lit(fault)))
    marked = with_marks(numbered, marks, block).where(is_marked(known, own))
    return marked.select(*map(column, names))


def has_row_numbers(df: DataFrame) -> bool:
    """Whether Spark tells the file and number of each row of `df`."""
    return _numbered(df) is not None


def _numbered(df: DataFrame) -> DataFrame | None:
    try:
        source: Any = df.metadataColumn("_metadata")
        return df.select("*", source["file_path"].alias(_FILE), source["row_index"].alias(_ROW))
    except AnalysisException:
        # For example, the rows have an alias.
        return None


def _place_in_block(number: Column) -> Column:
    return number.bitwiseAND(2**_BLOCK_BITS - 1).cast("int")
