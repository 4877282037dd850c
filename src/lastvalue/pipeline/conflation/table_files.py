"""Tables in files: Parquet, CSV and JSON, read as they are and written whole or not at all."""

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
    """How a table is written down."""

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
# What cannot be parsed is a fault rather than a null.
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
"""What Spark raises: the former where PySpark knows the fault, the latter where only the JVM does."""


class UnreadableTableError(LastvalueError):
    """There is no table there, or none that can be read."""

    condition = Condition.INVALID_FIELD


class OutputExistsError(LastvalueError):
    """Something is there already where the result is to be written."""

    condition = Condition.RESOURCE_LOCKED


def format_of(path: Path) -> Format:
    """The format that the name of a file, or of the files in a directory, tells.

    Raises:
        UnreadableTableError: there is nothing, no format is told, or several are.
    """
    if not path.exists():
        raise UnreadableTableError(f"there is no {path}")
    found = {_suffix_format(file) for file in table_files(path)} - {None}
    if len(found) == 1:
        return found.pop() or Format.PARQUET
    if found:
        formats = " and ".join(sorted(name for name in found if name))
        raise UnreadableTableError(f"{path} has {formats} files: name one format")
    raise UnreadableTableError(
        f"{path} has no name that tells a format, such as {', '.join(_SUFFIXES)}: name the format"
    )


def table_files(path: Path) -> list[Path]:
    """The file, or those within the directory that Spark reads."""
    if path.is_file():
        return [path]
    return sorted(
        file for file in path.rglob("*") if file.is_file() and not _is_hidden(file.relative_to(path))
    )


def _is_hidden(path: Path) -> bool:
    """Whether Spark passes it over."""
    return any(part.startswith(("_", ".")) for part in path.parts)


def read_table(spark: SparkSession, path: Path, kind: Format) -> DataFrame:
    """The table in a file or in the files of a directory; the types of CSV and JSON are told by the values.

    Raises:
        UnreadableTableError: there is nothing, or it cannot be read so.
    """
    if not path.exists() or not table_files(path):
        raise UnreadableTableError(f"there is no {path}" if not path.exists() else f"{path} has no files")
    try:
        return spark.read.options(**_READING[kind]).format(kind.value).load(str(path.resolve()))
    except SPARK_FAULTS as fault:
        raise UnreadableTableError(f"cannot read {path} as {kind}: {reason(fault)}") from fault


def check_output(path: Path, *, overwrite: bool) -> None:
    """Raise OutputExistsError where something is there that is not to be overwritten."""
    if path.exists() and not overwrite:
        raise OutputExistsError(f"{path} exists already: name another output, or overwrite it")


def write_table(df: DataFrame, path: Path, kind: Format) -> None:
    """Write the rows as a directory of files; what was there before goes when all are written.

    Raises:
        UnreadableTableError: a row cannot be read, or not be written in this format.
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
    """What Spark says, in one line without its class of errors."""
    text = str(fault.java_exception.getMessage() if isinstance(fault, Py4JJavaError) else fault)
    line = next((line for line in text.splitlines() if line.strip()), "Spark gave no reason")
    return (line.partition("] ")[2] or line).partition(" SQLSTATE")[0]


def _suffix_format(path: Path) -> Format | None:
    name = path.name.lower()
    for compression in _COMPRESSIONS:
        name = name.removesuffix(compression)
    return _SUFFIXES.get(Path(name).suffix)
