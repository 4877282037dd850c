"""What commands print: aligned columns for people, JSON for programs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, assert_never

from lastvalue.cli.exits import UsageError
from lastvalue.client.message import Message
from lastvalue.client.message_records import jsonable, message_record


class Output(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"


def print_records(
    records: Iterable[Mapping[str, object]],
    columns: Sequence[str],
    output: Output,
    chosen: str | None = None,
) -> None:
    """Print records: as aligned columns, as one JSON array, or as one JSON object per line.

    Args:
        records: what to print.
        columns: of the table.
        output: the form.
        chosen: columns of the table in place of these, with commas between them.

    Raises:
        UsageError: no record has a column of that name.
    """
    match output:
        case Output.TABLE:
            listed = list(records)
            shown = columns if chosen is None else _chosen(chosen, columns, listed)
            print_table(shown, [[cell(name, record.get(name)) for name in shown] for record in listed])
        case Output.JSON:
            print(json.dumps(list(records), indent=2, ensure_ascii=False))
        case Output.JSONL:
            for record in records:
                print(json.dumps(record, ensure_ascii=False))
        case _:
            assert_never(output)


def _chosen(names: str, columns: Sequence[str], records: Sequence[Mapping[str, object]]) -> list[str]:
    known = list(dict.fromkeys([*columns, *(name for record in records for name in record)]))
    chosen = [name.strip() for name in names.split(",")]
    for name in chosen:
        if name not in known:
            raise UsageError(f"there is no column {name!r}; there are {', '.join(known)}")
    return chosen


def print_record(record: Mapping[str, object], output: Output) -> None:
    """Print one record: a line per field, or JSON."""
    match output:
        case Output.TABLE:
            width = max(map(len, record))
            for name, value in record.items():
                print(f"{name.ljust(width)}  {cell(name, value)}".rstrip())
        case Output.JSON:
            print(json.dumps(record, indent=2, ensure_ascii=False))
        case Output.JSONL:
            print(json.dumps(record, ensure_ascii=False))
        case _:
            assert_never(output)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under a heading, each column as wide as it needs."""
    table = [[heading(column) for column in columns], *rows]
    widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def heading(column: str) -> str:
    """The heading of a column, in capitals; a moment's does not name its unit."""
    name = column.removesuffix("_ms") if column in _MOMENTS else column
    return name.replace("_", " ").upper()


class MessagePrinter:
    """Prints messages as they come, each at once; `end` completes a JSON array."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._printed = 0

    def print(self, message: Message) -> None:
        """Print one message."""
        match self._output:
            case Output.TABLE:
                if not self._printed:
                    print(_MESSAGE_LINE.format("SEQUENCE", "UPDATES", "BODY") + "PROPERTIES", flush=True)
                print(message_line(message), flush=True)
            case Output.JSON:
                lead = "[\n  " if not self._printed else ",\n  "
                print(lead + json.dumps(message_record(message), ensure_ascii=False), end="", flush=True)
            case Output.JSONL:
                print(json.dumps(message_record(message), ensure_ascii=False), flush=True)
            case _:
                assert_never(self._output)
        self._printed += 1

    def end(self) -> None:
        """Complete the output after the last message."""
        if self._output is Output.JSON:
            print("\n]" if self._printed else "[]", flush=True)


_MOMENTS: Final = frozenset(
    {
        "enqueued_time_ms",
        "last_in_ms",
        "last_ms",
        "last_out_ms",
        "oldest_ms",
        "since_ms",
        "taken_ms",
        "waits_since_ms",
    }
)
"""What tables show as a time; other names that end in _ms are durations."""

_MESSAGE_LINE = "{:<10}{:<9}{:<24}"


def message_line(message: Message) -> str:
    """A message on one line, for people."""
    properties = " ".join(f"{name}={_cell(value)}" for name, value in message.properties.items())
    sequence = "" if message.sequence is None else message.sequence
    return (_MESSAGE_LINE.format(sequence, message.updates, _cell(message.body) + " ") + properties).rstrip()


def cell(name: str, value: object) -> str:
    """A value of a table: a moment as its time in UTC, another value as it is."""
    if name in _MOMENTS and type(value) is int:
        return moment(value)
    return _cell(value)


def moment(time_ms: int) -> str:
    """A time in UTC, to the second; 0 is none."""
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ") if time_ms else ""


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            text = value
        case bytes():
            text = value.decode(errors="backslashreplace")
        case _:
            text = json.dumps(jsonable(value), ensure_ascii=False)
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )
