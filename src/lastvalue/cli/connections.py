"""The commands about peers: `lastvalue connection`, `session`, `consumer` and `producer`."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, TypeAlias

import typer

from lastvalue.cli.exits import CommandFailedError, confirm
from lastvalue.cli.options import DEFAULT_URL, Columns, OutputOption, Url
from lastvalue.cli.output import Output, print_record, print_records
from lastvalue.client import connect

connection_app = typer.Typer(no_args_is_help=True, help="List, show and close connections of all protocols.")
session_app = typer.Typer(no_args_is_help=True, help="List sessions and channels.")
consumer_app = typer.Typer(no_args_is_help=True, help="List consumers, and what each waits for; close one.")
producer_app = typer.Typer(no_args_is_help=True, help="List producers, and what each waits for.")

CONNECTION_COLUMNS = (
    "name", "protocol", "user", "peer", "program", "since_ms", "received", "delivered", "last_ms",
)  # fmt: skip
SESSION_COLUMNS = ("connection", "name", "channel", "links", "unsettled")
CONSUMER_COLUMNS = (
    "connection", "user", "node", "name", "browses", "delivered", "unsettled", "credit", "waits_for",
    "waits_since_ms",
)  # fmt: skip
PRODUCER_COLUMNS = (
    "connection", "user", "node", "name", "received", "refused", "waits_for", "waits_since_ms",
)  # fmt: skip

Name: TypeAlias = Annotated[
    str, typer.Argument(metavar="CONNECTION", help="Name of the connection, as `connection list` prints it.")
]
Node: TypeAlias = Annotated[
    str | None,
    typer.Option("--queue", metavar="NAME", help="Only those of this queue, exchange or address."),
]


@connection_app.command("list", epilog="Example: lastvalue connection list --columns name,user,bytes_in")
def list_connections(
    *, columns: Columns = None, url: Url = DEFAULT_URL, output: OutputOption = Output.TABLE
) -> None:
    """Print the connections that you may see: your own, or all."""
    print_records(asyncio.run(_statistics(url, "connection")), CONNECTION_COLUMNS, output, columns)


@connection_app.command("show", epilog="Example: lastvalue connection show amqp-1.0:3")
def show(connection: Name, *, url: Url = DEFAULT_URL, output: OutputOption = Output.TABLE) -> None:
    """Print a connection's statistics, and those of its consumers and producers."""
    found, links = asyncio.run(_show(url, connection))
    if output is not Output.TABLE:
        print_record({**found, "links": links}, output)
        return
    print_record(found, output)
    if links:
        print()
        shown = ("role", *(name for name in CONSUMER_COLUMNS if name not in ("connection", "user")))
        print_records(links, shown, output)


@connection_app.command("close", epilog="Example: lastvalue connection close amqp-1.0:3")
def close(connection: Name, *, url: Url = DEFAULT_URL) -> None:
    """Close a connection; what its consumers held returns to the queues."""
    asyncio.run(_close(url, connection))
    confirm(f"closed connection {connection}")


@session_app.command("list", epilog="Example: lastvalue session list")
def list_sessions(
    *, columns: Columns = None, url: Url = DEFAULT_URL, output: OutputOption = Output.TABLE
) -> None:
    """Print the sessions (AMQP 1.0, 0-10) and channels (AMQP 0-9-1) of connections."""
    print_records(asyncio.run(_statistics(url, "session")), SESSION_COLUMNS, output, columns)


@consumer_app.command("list", epilog="Example: lastvalue consumer list --queue orders")
def list_consumers(
    *,
    queue: Node = None,
    columns: Columns = None,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print consumers and browsers, what each waits for, and since when."""
    _print_links("consumer", queue, CONSUMER_COLUMNS, columns, url, output)


@consumer_app.command(
    "close", epilog="Example: lastvalue consumer close prices --connection amqp-1.0:3 --session 0"
)
def close_consumer(
    consumer: Annotated[
        str, typer.Argument(metavar="CONSUMER", help="Name of the consumer, as `consumer list` prints it.")
    ],
    *,
    connection: Annotated[str, typer.Option(metavar="NAME", help="Name of its connection, which stays.")],
    session: Annotated[str, typer.Option(metavar="NAME", help="Name of its session.")],
    url: Url = DEFAULT_URL,
) -> None:
    """Close a consumer; what it held returns to the queue."""
    asyncio.run(_close_consumer(url, consumer, session, connection))
    confirm(f"closed consumer {consumer}")


@producer_app.command("list", epilog="Example: lastvalue producer list --queue orders")
def list_producers(
    *,
    queue: Node = None,
    columns: Columns = None,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print producers, what each waits for, and since when."""
    _print_links("producer", queue, PRODUCER_COLUMNS, columns, url, output)


def _print_links(
    role: str, node: str | None, usual: Sequence[str], columns: str | None, url: str, output: Output
) -> None:
    links = asyncio.run(_statistics(url, role))
    print_records([each for each in links if node in (None, each["node"])], usual, output, columns)


async def _statistics(url: str, kind: str) -> list[dict[str, object]]:
    async with connect(url, reconnect=False) as connection:
        return await connection.statistics(kind)


async def _show(url: str, name: str) -> tuple[dict[str, object], list[dict[str, object]]]:
    async with connect(url, reconnect=False) as connection:
        for each in await connection.statistics("connection"):
            if each["name"] == name:
                links = await connection.statistics("link")
                return each, [link for link in links if link["connection"] == name]
    raise CommandFailedError(f"there is no connection named {name!r}; `lastvalue connection list` lists them")


async def _close(url: str, name: str) -> None:
    async with connect(url, reconnect=False) as connection:
        await connection.close_connection(name)


async def _close_consumer(url: str, name: str, session: str, of: str) -> None:
    async with connect(url, reconnect=False) as connection:
        await connection.close_consumer(name, session=session, connection=of)
