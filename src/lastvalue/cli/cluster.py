"""`lastvalue cluster`: the brokers that share a log, and handing over."""

import asyncio
from typing import Annotated, Any

import typer

from lastvalue.cli.options import DEFAULT_URL, OutputOption, Url
from lastvalue.cli.output import Output, print_record, print_records
from lastvalue.client import connect

cluster_app = typer.Typer(no_args_is_help=True, help="Show who leads and who follows, and hand over.")


def status(*, url: Url = DEFAULT_URL, output: OutputOption = Output.TABLE) -> None:
    """Print the role of a broker, who leads, and who follows how far behind."""
    state = asyncio.run(_ask(url, "READ", {}))
    if output is not Output.TABLE:
        print_record(state, output)
        return
    followers, servers = state.pop("followers", []), state.pop("servers", [])
    print_record({**state, "missing": ", ".join(state.get("missing", []))}, output)
    if followers:
        print()
        print_records(followers, ("address", "process", "records_unsent"), output)
    if servers:
        print()
        print_records(servers, ("server", "role", "current", "records_behind"), output)


def step_down(
    *,
    url: Url = DEFAULT_URL,
    alone: Annotated[bool, typer.Option("--alone", help="Also if no broker follows this one.")] = False,
) -> None:
    """Let the leader hand over to a follower at once, and end.

    Its service manager starts it again; with --follow it is a follower then.
    """
    asyncio.run(_ask(url, "STEP_DOWN", {"alone": alone}))
    print("the broker hands over and ends")


async def _ask(url: str, operation: str, body: dict[str, Any]) -> dict[str, Any]:
    async with connect(url, reconnect=False) as connection:
        answer = await connection.manage(operation, "", body, kind="cluster")
    return answer if isinstance(answer, dict) else {}


cluster_app.command("status", epilog="Example: lastvalue cluster status --url amqp://broker")(status)
cluster_app.command("step-down", epilog="Example: lastvalue cluster step-down --url amqp://broker")(step_down)
