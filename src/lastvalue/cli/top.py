"""`lastvalue top`: the queues and connections of a broker, live."""

import asyncio
import contextlib
import dataclasses
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Final

import typer

from lastvalue.cli.cells import cell, heading
from lastvalue.cli.exits import UsageError
from lastvalue.cli.options import DEFAULT_URL, Url, duration_option
from lastvalue.cli.output import print_table
from lastvalue.client import Connection, connect

_COLUMNS: Final = {
    "queue": (
        "name", "depth", "keys", "unsettled", "in_per_s", "out_per_s", "refused", "subscriptions",
        "oldest_ms",
    ),
    "connection": (
        "name", "user", "peer", "program", "in_per_s", "out_per_s", "bytes_in", "bytes_out", "waits_for",
        "last_ms",
    ),
}  # fmt: skip
_RATES: Final = {
    "queue": {"in_per_s": "published", "out_per_s": "left"},
    "connection": {"in_per_s": "received", "out_per_s": "delivered"},
}
"""Of which counts the rates are."""
_SORT: Final = "in_per_s"
_CHROME_LINES: Final = 5
"""Lines of the screen that are headings and space."""

Records = Sequence[Mapping[str, object]]


def top(
    *,
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            metavar="COLUMN",
            help="The column to sort by, the greatest first; a table that lacks it is sorted by in_per_s.",
        ),
    ] = _SORT,
    every: Annotated[
        float,
        duration_option(
            "How often the broker is asked: 500ms, 5s; a number is in seconds.", "--every", least_ms=100
        ),
    ] = 2.0,
    count: Annotated[
        int | None, typer.Option("--count", "-n", min=1, help="Stop after this many looks.")
    ] = None,
    url: Url = DEFAULT_URL,
) -> None:
    """Show queues and connections live, the busiest first, until Ctrl-C.

    Where standard output is no terminal, each look is printed below the last one.
    """
    known = list(dict.fromkeys(name for columns in _COLUMNS.values() for name in columns))
    if sort not in known:
        raise UsageError(f"there is no column {sort!r}; there are {', '.join(known)}")
    asyncio.run(_watch(url, sort, every, count))


def ranked(
    kind: str, records: Records, earlier: Mapping[str, Mapping[str, object]], seconds: float, sort: str
) -> list[dict[str, object]]:
    """Records with their rates, sorted by a column, the greatest first, equal ones by name.

    Args:
        kind: queue or connection.
        records: what there is now.
        earlier: what there was before, by name; what is new has no rates.
        seconds: since then.
        sort: the column; a kind that does not have it is sorted by its rate in.
    """

    def rate(record: Mapping[str, object], count: str) -> object:
        before = earlier.get(str(record["name"]))
        return None if before is None else round((_number(record[count]) - _number(before[count])) / seconds)

    by = sort if sort in _COLUMNS[kind] else _SORT
    rows = [
        {**record, **{name: rate(record, count) for name, count in _RATES[kind].items()}}
        for record in records
    ]
    rows.sort(key=lambda row: str(row["name"]))
    if by != "name":
        rows.sort(key=lambda row: (_number(row[by]), str(row[by])), reverse=True)
    return rows


async def _watch(url: str, sort: str, every_s: float, count: int | None) -> None:
    earlier: dict[str, dict[str, Mapping[str, object]]] = {kind: {} for kind in _COLUMNS}
    earlier_s, looks = 0.0, 0
    async with connect(url, reconnect=False) as connection:
        with _screen() as show:
            while True:
                found, now_s = await _look(connection), time.monotonic()
                seconds = now_s - earlier_s
                show({kind: ranked(kind, found[kind], earlier[kind], seconds, sort) for kind in found})
                earlier = {kind: {str(each["name"]): each for each in found[kind]} for kind in found}
                earlier_s, looks = now_s, looks + 1
                if looks == count:
                    return
                await asyncio.sleep(every_s)


async def _look(connection: Connection) -> dict[str, Records]:
    queues = [{**dataclasses.asdict(each), **each.statistics} for each in await connection.queues()]
    waiting: dict[object, list[str]] = {}
    for link in await connection.statistics("link"):
        if link["waits_for"]:
            waiting.setdefault(link["connection"], []).append(str(link["waits_for"]))
    connections = [
        {**each, "waits_for": " ".join(sorted(set(waiting.get(each["name"], ()))))}
        for each in await connection.statistics("connection")
    ]
    return {"queue": queues, "connection": connections}


@contextlib.contextmanager
def _screen() -> Iterator[Callable[[Mapping[str, Records]], None]]:
    """Shows tables: on the whole terminal, or one below the other where there is none."""
    if not sys.stdout.isatty():
        yield _print
        return
    # Imported here, so that other commands do not wait for it.
    from rich.console import Group
    from rich.live import Live
    from rich.table import Table
    from rich.text import Text

    def show(tables: Mapping[str, Records]) -> None:
        most = max(1, (shutil.get_terminal_size().lines - _CHROME_LINES) // len(tables))
        drawn = []
        for kind, records in tables.items():
            table = Table(box=None, pad_edge=False, title_justify="left")
            for name in _COLUMNS[kind]:
                table.add_column(heading(name), justify="left" if name in _TEXTS else "right", no_wrap=True)
            for record in records[:most]:
                table.add_row(*(Text(cell(name, record.get(name))) for name in _COLUMNS[kind]))
            hidden = len(records) - most
            table.caption = f"{hidden} more, sorted lower" if hidden > 0 else None
            drawn.append(table)
        live.update(Group(*drawn), refresh=True)

    with Live(screen=True, auto_refresh=False) as live:
        yield show


_TEXTS: Final = frozenset({"name", "user", "peer", "program", "waits_for"})


def _print(tables: Mapping[str, Records]) -> None:
    for kind, records in tables.items():
        columns = _COLUMNS[kind]
        print_table(columns, [[cell(name, record.get(name)) for name in columns] for record in records])
        print(flush=True)


def _number(value: object) -> float:
    return value if isinstance(value, int | float) else -1
