"""`lastvalue clock show` and `advance`: the time of a broker that was started with `--clock manual`."""

import asyncio
from typing import Annotated

import typer

from lastvalue.cli.options import DEFAULT_URL, OutputOption, Url, parsed_duration_ms
from lastvalue.cli.output import Output, print_record
from lastvalue.client import connect

clock_app = typer.Typer(no_args_is_help=True, help="Show the broker's time, and advance a manual clock.")


def show(*, url: Url = DEFAULT_URL, output: OutputOption = Output.TABLE) -> None:
    """Print the broker's time, in milliseconds since the epoch."""
    print_record({"now_ms": asyncio.run(_show(url))}, output)


def advance(
    by: Annotated[str, typer.Argument(metavar="DURATION", help="By how much: 500ms, 10s, 5m, 1h or 1d.")],
    *,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Advance the broker's manual clock; every deadline on the way is due at its own time."""
    print_record({"now_ms": asyncio.run(_advance(url, parsed_duration_ms(by)))}, output)


async def _show(url: str) -> int:
    async with connect(url, reconnect=False) as connection:
        return await connection.clock_ms()


async def _advance(url: str, by_ms: int) -> int:
    async with connect(url, reconnect=False) as connection:
        return await connection.advance_clock(by_ms)


clock_app.command("show", epilog="Example: lastvalue clock show")(show)
clock_app.command("advance", epilog="Example: lastvalue clock advance 10s")(advance)
