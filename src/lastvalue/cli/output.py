"""What commands print: aligned columns for people, JSON for programs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import assert_never

from lastvalue.cli.cells import cell, heading, label
from lastvalue.cli.exits import UsageError


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
            width = max(len(label(name)) for name in record)
            for name, value in record.items():
                print(f"{label(name).ljust(width)}  {cell(name, value)}".rstrip())
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
