"""`lastvalue clock show` and `advance`: the time of a broker that was started with `--clock manual`."""

import asyncio
import re
from typing import Annotated, Final

import typer

from lastvalue.cli.exits import UsageError
from lastvalue.cli.options import DEFAULT_URL, OutputOption, Url
from lastvalue.cli.output import Output, print_record
from lastvalue.client import connect

clock_app = typer.Typer(no_args_is_help=True, help="Look at the broker's time, and move a manual one.")

_UNITS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "": 1000}
_DURATION: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d|)")


def show(*, url: Url = DEFAULT_URL, output: OutputOption = Output.TABLE) -> None:
    """Print the broker's time, in milliseconds since the epoch."""
    print_record({"now_ms": asyncio.run(_show(url))}, output)


def advance(
    by: Annotated[str, typer.Argument(metavar="DURATION", help="How far: 500ms, 10s, 5m, 1h or 1d.")],
    *,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Move the broker's time; what falls due on the way does so at its time."""
    print_record({"now_ms": asyncio.run(_advance(url, parsed_duration_ms(by)))}, output)


def parsed_duration_ms(text: str) -> int:
    """Milliseconds from a number with a unit; without one it is seconds.

    Raises:
        UsageError: it has another form.
    """
    found = _DURATION.fullmatch(text)
    if found is None:
        raise UsageError(f"{text!r} is no duration; write it as 500ms, 10s, 5m, 1h or 1d")
    return round(float(found[1]) * _UNITS[found[2]])


async def _show(url: str) -> int:
    async with connect(url) as connection:
        return await connection.clock_ms()


async def _advance(url: str, by_ms: int) -> int:
    async with connect(url) as connection:
        return await connection.advance_clock(by_ms)


clock_app.command("show", epilog="Example: lastvalue clock show")(show)
clock_app.command("advance", epilog="Example: lastvalue clock advance 10s")(advance)
