"""The record of a file that does not fit the schema of a feed: its line, column and value."""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_CORRUPT: Final = "_lastvalue_record"
_MOST: Final = 80
_WITHOUT_LINES: Final = ("multiline", "encoding", "charset", "linesep")
"""Options with which a record is not a line of UTF-8 text."""
_OF_FILES: Final = ("mode", "columnnameofcorruptrecord", "header")


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that does not fit.

    Attributes:
        file: the file's path.
        line: the number of its line, from 1.
        reason: which value does not fit, and what is expected.
    """

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file} line {self.line}: {self.reason}"


def find_bad_record(
    spark: "SparkSession", file: str, kind: str, schema: str, options: Mapping[str, str]
) -> BadRecord | None:
    """The first record of a file that Spark cannot read; None if each fits, or if records are not lines.

    Args:
        spark: the session, which parses the lines as the feed does.
        file: the path or URL of a CSV or JSON file.
        kind: `csv` or `json`.
        schema: of the feed, as DDL.
        options: of the feed's source.
    """
    own = {name.lower(): value for name, value in options.items()}
    if any(own.get(name, "false").lower() != "false" for name in _WITHOUT_LINES):
        return None
    columns = spark.createDataFrame([], schema).schema
    parse = F.from_csv if kind == "csv" else F.from_json
    given = {name: value for name, value in options.items() if name.lower() not in _OF_FILES}
    parsing = {**given, "mode": "PERMISSIVE", "columnNameOfCorruptRecord": _CORRUPT}
    # With one partition the id is the number of the line.
    lines = spark.read.text(file).coalesce(1).withColumn("line", 1 + F.monotonically_increasing_id())
    if own.get("header", "false").lower() == "true":
        lines = lines.where("line > 1")
    if kind == "csv" and own.get("comment"):
        lines = lines.where(~F.col("value").startswith(own["comment"]))
    record = parse("value", f"{schema}, {_CORRUPT} STRING", parsing)
    parsed = lines.select("line", "value", record.alias("record")).where(f"record.{_CORRUPT} IS NOT NULL")
    missing = F.array(*(F.col("record")[name].isNull() for name in columns.names))
    first = parsed.select("line", "value", missing.alias("missing")).first()
    if first is None:
        return None
    types = {each.name: each.dataType.simpleString().upper() for each in columns.fields}
    absent = dict(zip(types, first["missing"], strict=True))
    reason = (
        csv_record_fault(first["value"], types, absent, own)
        if kind == "csv"
        else json_record_fault(first["value"], types, absent)
    )
    return BadRecord(file, first["line"], reason)


def csv_record_fault(
    line: str, types: Mapping[str, str], missing: Mapping[str, bool], options: Mapping[str, str]
) -> str:
    """Why Spark cannot read a line of CSV: the first column with a text for which Spark has no value.

    Args:
        line: the line.
        types: by column.
        missing: by column, whether Spark has no value.
        options: of the source, with names in lower case.
    """
    separator = options.get("sep", options.get("delimiter", ","))
    values = next(csv.reader([line], delimiter=separator, quotechar=options.get("quote") or '"'))
    if len(values) != len(types):
        return f"it has {len(values)} values; expected {len(types)}: {', '.join(types)}"
    named = zip(types, values, strict=True)
    return _first_unfit(((name, value) for name, value in named if value and missing[name]), types, line)


def json_record_fault(line: str, types: Mapping[str, str], missing: Mapping[str, bool]) -> str:
    """Why Spark cannot read a line of JSON; the arguments are those of `csv_record_fault`."""
    try:
        values = json.loads(line)
    except ValueError as error:
        return f"it is not JSON: {error}"
    if not isinstance(values, dict):
        return f"{_shown(line)} is not an object"
    unfit = ((name, values[name]) for name in types if missing[name] and values.get(name) is not None)
    return _first_unfit(unfit, types, line)


def _first_unfit(unfit: Iterator[tuple[str, object]], types: Mapping[str, str], line: str) -> str:
    for name, value in unfit:
        text = value if isinstance(value, str) else json.dumps(value)
        return f"column {name}: {_shown(text)} is not a {types[name]}"
    return f"{_shown(line)} does not fit the schema"


def _shown(text: str) -> str:
    return repr(text if len(text) <= _MOST else f"{text[:_MOST]}…")
