"""Tables in files of Parquet, CSV and JSON; a table is written completely or not at all."""

import os
import shutil
from enum import StrEnum
from pathlib import Path
from typing import Final

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError


class Format(StrEnum):
    """A file format of tables."""

    PARQUET = "parquet"
    CSV = "csv"
    JSON = "json"


_SUFFIXES: Final = {
    ".parquet": Format.PARQUET,
    ".csv": Format.CSV,
    ".json": Format.JSON,
    ".jsonl": Format.JSON,
    ".ndjson": Format.JSON,
}
_COMPRESSIONS: Final = (".gz", ".bz2", ".zst", ".snappy", ".lz4")
# A value that cannot be parsed is an error, not a null.
_READING: Final = {
    Format.PARQUET: {"recursiveFileLookup": "true"},
    Format.CSV: {
        "header": "true",
        "inferSchema": "true",
        "enforceSchema": "false",
        "mode": "FAILFAST",
        "recursiveFileLookup": "true",
    },
    Format.JSON: {"mode": "FAILFAST", "inferTimestamp": "true", "recursiveFileLookup": "true"},
}

SPARK_FAULTS: Final = (PySparkException, Py4JJavaError)
"""The errors of Spark: the first if PySpark knows the error, the second if only the JVM does."""


class UnreadableTableError(LastvalueError):
    """A table does not exist, or cannot be read."""

    condition = Condition.INVALID_FIELD


class OutputExistsError(LastvalueError):
    """The output exists already."""

    condition = Condition.RESOURCE_LOCKED


def format_of(path: Path) -> Format:
    """The format by the name of the file, or of the files in the directory.

    Raises:
        UnreadableTableError: the path does not exist, or its names stand for no format or for several.
    """
    if not path.exists():
        raise UnreadableTableError(f"there is no {path}")
    formats = {_suffix_format(file) for file in table_files(path)} - {None}
    if len(formats) == 1:
        return formats.pop() or Format.PARQUET
    if formats:
        names = " and ".join(sorted(name for name in formats if name))
        raise UnreadableTableError(f"{path} has {names} files: name one format")
    raise UnreadableTableError(
        f"{path} has no name with the suffix of a format, such as {', '.join(_SUFFIXES)}: name the format"
    )


def table_files(path: Path) -> list[Path]:
    """The file, or the files in the directory that Spark reads."""
    if path.is_file():
        return [path]
    return sorted(
        file for file in path.rglob("*") if file.is_file() and not _is_hidden(file.relative_to(path))
    )


def _is_hidden(path: Path) -> bool:
    """Whether Spark ignores the file."""
    return any(part.startswith(("_", ".")) for part in path.parts)


def read_table(spark: SparkSession, path: Path, kind: Format) -> DataFrame:
    """The table in a file or in the files of a directory; the types of CSV and JSON are inferred.

    Raises:
        UnreadableTableError: the path does not exist, or cannot be read in this format.
    """
    if not path.exists() or not table_files(path):
        raise UnreadableTableError(f"there is no {path}" if not path.exists() else f"{path} has no files")
    try:
        return spark.read.options(**_READING[kind]).format(kind.value).load(str(path.resolve()))
    except SPARK_FAULTS as fault:
        raise UnreadableTableError(f"cannot read {path} as {kind}: {reason(fault)}") from fault


def check_output(path: Path, *, overwrite: bool) -> None:
    """Raise OutputExistsError if the output exists and must not be overwritten."""
    if path.exists() and not overwrite:
        raise OutputExistsError(f"{path} exists already: name another output, or overwrite it")


def write_table(df: DataFrame, path: Path, kind: Format) -> None:
    """Write the rows as a directory of files; a previous one is deleted when all files are written.

    Raises:
        UnreadableTableError: a row cannot be read, or cannot be written in this format.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        df.write.format(kind.value).option("header", "true").save(str(draft.resolve()))
        if path.is_dir():
            shutil.rmtree(path)
        draft.replace(path)
    except SPARK_FAULTS as fault:
        raise UnreadableTableError(f"cannot write {path} as {kind}: {reason(fault)}") from fault
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def reason(fault: Exception) -> str:
    """Spark's message in one line, without the error class."""
    text = str(fault.java_exception.getMessage() if isinstance(fault, Py4JJavaError) else fault)
    line = next((line for line in text.splitlines() if line.strip()), "Spark gave no reason")
    return (line.partition("] ")[2] or line).partition(" SQLSTATE")[0]


def _suffix_format(path: Path) -> Format | None:
    name = path.name.lower()
    for compression in _COMPRESSIONS:
        name = name.removesuffix(compression)
    return _SUFFIXES.get(Path(name).suffix)
