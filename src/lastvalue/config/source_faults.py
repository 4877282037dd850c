"""Faults of a feed's source that show without Spark: types, columns and options that are nearly right."""

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import Final

from lastvalue.config.errors import Fault
from lastvalue.config.pipeline_settings import FILE_FORMATS, FeedSettings

TYPES: Final = (
    "ARRAY", "BIGINT", "BINARY", "BOOLEAN", "BYTE", "CHAR", "CHARACTER", "DATE", "DEC", "DECIMAL", "DOUBLE",
    "FLOAT", "INT", "INTEGER", "INTERVAL", "LONG", "MAP", "NUMERIC", "REAL", "SHORT", "SMALLINT", "STRING",
    "STRUCT", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ", "TINYINT", "VARCHAR", "VARIANT", "VOID",
)  # fmt: skip
"""The types of columns that Spark knows."""

_OF_FILES: Final = (
    "cleanSource", "fileNameOnly", "ignoreCorruptFiles", "ignoreMissingFiles", "latestFirst", "maxFileAge",
    "maxBytesPerTrigger", "maxCachedFiles", "maxFilesPerTrigger", "modifiedAfter", "modifiedBefore",
    "pathGlobFilter", "recursiveFileLookup", "sourceArchiveDir",
)  # fmt: skip
_OF_TEXTS: Final = ("compression", "encoding", "lineSep", "locale", "mode", "timeZone")
_OF_VALUES: Final = (
    "columnNameOfCorruptRecord", "dateFormat", "enableDateTimeParsingFallback", "multiLine", "preferDate",
    "samplingRatio", "timestampFormat", "timestampNTZFormat",
)  # fmt: skip
OPTIONS: Final = {
    "csv": (
        *_OF_FILES, *_OF_TEXTS, *_OF_VALUES, "charToEscapeQuoteEscaping", "comment", "delimiter",
        "emptyValue", "enforceSchema", "escape", "header", "ignoreLeadingWhiteSpace",
        "ignoreTrailingWhiteSpace", "inferSchema", "maxCharsPerColumn", "maxColumns", "nanValue",
        "negativeInf", "nullValue", "positiveInf", "quote", "sep", "unescapedQuoteHandling",
    ),
    "json": (
        *_OF_FILES, *_OF_TEXTS, *_OF_VALUES, "allowBackslashEscapingAnyCharacter", "allowComments",
        "allowNonNumericNumbers", "allowNumericLeadingZeros", "allowSingleQuotes",
        "allowUnquotedControlChars", "allowUnquotedFieldNames", "dropFieldIfAllNull", "prefersDecimal",
        "primitivesAsString",
    ),
    "orc": (*_OF_FILES, "mergeSchema"),
    "parquet": (*_OF_FILES, "datetimeRebaseMode", "int96RebaseMode", "mergeSchema"),
    "text": (*_OF_FILES, *_OF_TEXTS, "wholetext"),
}  # fmt: skip
"""The options of Spark's readers of files, by format."""

_COLUMN: Final = re.compile(r"\s*(?:`([^`]+)`|(\w+))\s*:?\s*(\w*)")
_ALIAS: Final = re.compile(r"(?:.*\bas\s+)?`?(\w+)`?\s*", re.IGNORECASE | re.DOTALL)
_NEAR: Final = 0.75


def source_faults(feed: FeedSettings, place: tuple[str | int, ...]) -> Iterator[Fault]:
    """What is wrong with a feed's `schema`, `options` and names of columns, as far as that shows here.

    Spark ignores an option that it does not know, and files may have columns by the names of their
    directories: of both only what nearly has a known name is a fault.
    """
    columns = list(_columns(feed.schema or ""))
    for name, kind in columns:
        if not kind:
            yield Fault((*place, "schema"), f"column {name!r} has no type", feed.schema)
        elif kind.upper() not in TYPES:
            reason = f"Spark has no type {kind!r}, that of column {name!r}"
            yield Fault((*place, "schema"), f"{reason}{_near(kind.upper(), TYPES)}", feed.schema)
    known = OPTIONS.get(feed.format.lower(), ())
    for option in feed.options:
        near = "" if option.lower() in {each.lower() for each in known} else _near(option, known)
        if near:
            reason = f"{feed.format} files have no such option{near}"
            yield Fault((*place, "options", option), reason, feed.options[option])
    if columns and feed.format.lower() in FILE_FORMATS:
        yield from _column_faults(feed, [name for name, _ in columns], place)


def _column_faults(feed: FeedSettings, names: list[str], place: tuple[str | int, ...]) -> Iterator[Fault]:
    selected = names if not feed.select else _selected(feed.select)
    if selected is None:
        return
    asked = {"value": feed.value, "volume": feed.volume, "time": feed.time}
    lists = {"key": feed.key, "order_by": feed.order_by}
    listed = [(key, each) for key, names_asked in lists.items() for each in names_asked]
    for key, name in [*asked.items(), *listed]:
        if name is None or name.lower() in {each.lower() for each in selected}:
            continue
        near = _near(name, selected)
        if near:
            reason = f"there is no column {name!r}; there are {', '.join(selected)}{near}"
            yield Fault((*place, key), reason, name)


def _columns(schema: str) -> Iterator[tuple[str, str]]:
    """The columns of a schema as Spark's DDL writes it, each with the name of its type."""
    depth, start = 0, 0
    for at, sign in enumerate(f"{schema},"):
        depth += (sign in "<(") - (sign in ">)")
        if sign == "," and depth == 0:
            column = _COLUMN.match(schema[start:at])
            if column is not None:
                yield column[1] or column[2], column[3]
            start = at + 1


def _selected(expressions: Iterable[str]) -> list[str] | None:
    """The names of the columns that SQL expressions make; None if one does not show its name."""
    found = [_ALIAS.fullmatch(each.strip()) for each in expressions]
    return None if None in found else [each[1] for each in found if each is not None]


def _near(name: str, known: Iterable[str]) -> str:
    """What a name probably means, as the end of a reason; "" if it resembles none."""
    by_lower = {each.lower(): each for each in known}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=_NEAR)
    return f"; is it {by_lower[near[0]]!r}?" if near else ""
