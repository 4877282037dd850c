"""What commands print: aligned columns for people, JSON for programs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import assert_never

from lastvalue.client.message import Message
from lastvalue.client.message_records import jsonable, message_record


class Output(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"


def print_records(records: Iterable[Mapping[str, object]], columns: Sequence[str], output: Output) -> None:
    """Print records: as aligned columns, as one JSON array, or as one JSON object per line."""
    match output:
        case Output.TABLE:
            rows = [[_cell(record.get(column)) for column in columns] for record in records]
            print_table(columns, rows)
        case Output.JSON:
            print(json.dumps(list(records), indent=2, ensure_ascii=False))
        case Output.JSONL:
            for record in records:
                print(json.dumps(record, ensure_ascii=False))
        case _:
            assert_never(output)


def print_record(record: Mapping[str, object], output: Output) -> None:
    """Print one record: a line per field, or JSON."""
    match output:
        case Output.TABLE:
            width = max(map(len, record))
            for name, value in record.items():
                print(f"{name.ljust(width)}  {_cell(value)}".rstrip())
        case Output.JSON:
            print(json.dumps(record, indent=2, ensure_ascii=False))
        case Output.JSONL:
            print(json.dumps(record, ensure_ascii=False))
        case _:
            assert_never(output)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under a heading, each column as wide as it needs."""
    table = [[column.replace("_", " ").upper() for column in columns], *rows]
    widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


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


_MESSAGE_LINE = "{:<10}{:<9}{:<24}"


def message_line(message: Message) -> str:
    """A message on one line, for people."""
    properties = " ".join(f"{name}={_cell(value)}" for name, value in message.properties.items())
    sequence = "" if message.sequence is None else message.sequence
    return (_MESSAGE_LINE.format(sequence, message.updates, _cell(message.body) + " ") + properties).rstrip()


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
