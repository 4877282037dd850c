"""`lastvalue sql`: queries over queues."""

import asyncio
import datetime as dt
import decimal
from typing import Annotated

import typer

from lastvalue.cli.exits import CommandFailedError
from lastvalue.cli.options import DEFAULT_URL, OutputOption, Tables, Url
from lastvalue.cli.output import Output, print_records
from lastvalue.client import connect


def sql(
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="One SELECT, in which queues are tables by their names.")
    ],
    *,
    tables: Tables = None,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print the result of a query over queues, as they are now or as they were.

    NAME as of 'TIME' is a queue at that time, from its history.
    """
    try:
        # Imported here, because other commands do not need these packages.
        from lastvalue.sql.sql_query import sql_query
    except ModuleNotFoundError as missing:
        raise CommandFailedError(f"this needs {missing.name}; pip install 'lastvalue[sql]'") from None

    async def asked() -> list[dict[str, object]]:
        async with connect(url, reconnect=False) as connection:
            result = await sql_query(connection, query, tables)
            names[:] = result.column_names
            return [{name: _printable(value) for name, value in row.items()} for row in result.to_pylist()]

    names: list[str] = []
    records = asyncio.run(asked())
    print_records(records, names, output)


def _printable(value: object) -> object:
    """A value of the result as JSON can say it."""
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, decimal.Decimal | dt.timedelta):
        return str(value)
    if isinstance(value, dict):
        return {str(name): _printable(each) for name, each in value.items()}
    return [_printable(each) for each in value] if isinstance(value, list | tuple) else value
