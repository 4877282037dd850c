"""The `lastvalue` command with its subcommands, and how it reports their errors."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Final

import typer

from lastvalue import __version__
from lastvalue.cli.bench import bench
from lastvalue.cli.clock import clock_app
from lastvalue.cli.cluster import cluster_app
from lastvalue.cli.commands import TimeCommand
from lastvalue.cli.configuration import config_app
from lastvalue.cli.conflate import conflate
from lastvalue.cli.connections import connection_app, consumer_app, producer_app, session_app
from lastvalue.cli.context_commands import context_app
from lastvalue.cli.demo import demo
from lastvalue.cli.doctor import doctor
from lastvalue.cli.drift import add_drift_commands
from lastvalue.cli.exchanges import exchange_app
from lastvalue.cli.exits import CommandFailedError, ExitCode, UsageError, complain, fail
from lastvalue.cli.health import health
from lastvalue.cli.history import as_of, diff, pipeline_app, replay_, timeline
from lastvalue.cli.http import http
from lastvalue.cli.lvqtest import lvqtest
from lastvalue.cli.messages import browse, receive
from lastvalue.cli.pipelines import add_pipeline_commands as add_pipelines
from lastvalue.cli.queues import queue_app
from lastvalue.cli.send import send
from lastvalue.cli.serve import serve
from lastvalue.cli.shared_options import add_shared_options
from lastvalue.cli.snapshots import snapshot_app
from lastvalue.cli.sql import sql
from lastvalue.cli.store import store_app
from lastvalue.cli.top import top
from lastvalue.cli.users import user_app
from lastvalue.cli.value_commands import add_value_commands
from lastvalue.model.errors import LastvalueError

_SETTINGS = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    name="lastvalue",
    help="A message broker for current state.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=_SETTINGS,
)


def _print_version(asked: bool) -> None:  # noqa: FBT001 - typer calls it so
    if asked:
        print(f"lastvalue {__version__}")
        raise typer.Exit


@app.callback()
def options(
    *,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    """A message broker for current state: last-value queues over AMQP 1.0, with a data pipeline on Spark."""


app.command(
    epilog="Example: lastvalue serve --port 5672 --user alice:secret --no-anonymous", rich_help_panel="Broker"
)(serve)
app.command(epilog="Example: lastvalue http --url amqp://broker --port 8080", rich_help_panel="Broker")(http)
app.command(epilog="Example: lastvalue health --url amqp://broker", rich_help_panel="Broker")(health)
app.add_typer(queue_app, name="queue", rich_help_panel="Queues and exchanges")
app.add_typer(exchange_app, name="exchange", rich_help_panel="Queues and exchanges")
app.add_typer(connection_app, name="connection", rich_help_panel="Connections")
app.add_typer(session_app, name="session", rich_help_panel="Connections")
app.add_typer(consumer_app, name="consumer", rich_help_panel="Connections")
app.add_typer(producer_app, name="producer", rich_help_panel="Connections")
app.command(epilog="Example: lastvalue top --sort in_per_s --every 5", rich_help_panel="Connections")(top)
add_drift_commands(app, config_app)
app.command(epilog="Example: lastvalue doctor --store /var/lib/lastvalue", rich_help_panel="Broker")(doctor)
app.command(epilog="Example: lastvalue bench --messages 50000 --size 1000", rich_help_panel="Trials")(bench)
app.add_typer(context_app, name="context", rich_help_panel="Broker")
app.add_typer(config_app, name="config", rich_help_panel="Broker")
app.add_typer(user_app, name="user", rich_help_panel="Broker")
app.add_typer(clock_app, name="clock", rich_help_panel="Broker")
app.add_typer(cluster_app, name="cluster", rich_help_panel="Broker")
app.add_typer(store_app, name="store", rich_help_panel="Broker")
app.add_typer(snapshot_app, name="snapshot", rich_help_panel="Broker")
app.command(epilog="Example: lastvalue send prices 101.7 --key AAPL", rich_help_panel="Messages")(send)
app.command(epilog="Example: lastvalue receive orders --count 10 -o jsonl", rich_help_panel="Messages")(
    receive
)
app.command(epilog="Example: lastvalue browse prices --follow", rich_help_panel="Messages")(browse)
add_value_commands(app)
app.command(
    cls=TimeCommand, epilog="Example: lastvalue as-of prices -5m", rich_help_panel="History and pipelines"
)(as_of)
app.command(
    cls=TimeCommand, epilog="Example: lastvalue diff prices -10m -5m", rich_help_panel="History and pipelines"
)(diff)
app.command(epilog="Example: lastvalue timeline prices AAPL", rich_help_panel="History and pipelines")(
    timeline
)
app.command(
    epilog='Example: lastvalue sql "select venue, max(price) from prices group by venue"',
    rich_help_panel="History and pipelines",
)(sql)
app.command(
    "replay",
    cls=TimeCommand,
    epilog="Example: lastvalue replay prices -1h --into prices.again --speed 10",
    rich_help_panel="History and pipelines",
)(replay_)
add_pipelines(pipeline_app)
app.add_typer(pipeline_app, name="pipeline", rich_help_panel="History and pipelines")
app.command(epilog="Example: lastvalue lvqtest create_lvq", rich_help_panel="Trials")(lvqtest)
app.command(
    epilog="Example: lastvalue conflate ticks.parquet -k symbol --order-by time --every 5s --policy ohlc "
    "--value price --out candles",
    rich_help_panel="History and pipelines",
)(conflate)
app.command(epilog="Example: lastvalue demo --feed ticks --duration 30", rich_help_panel="Trials")(demo)

add_shared_options(app)


def run(arguments: Sequence[str]) -> int:
    """Run a command; returns its exit code. Errors are one line on standard error."""
    try:
        return app(list(arguments), prog_name="lastvalue", standalone_mode=False) or ExitCode.OK
    except (typer.TyperException, UsageError, CommandFailedError, LastvalueError) as error:
        return _told(error)
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except SystemExit as ended:
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        # The reader closed the pipe; the interpreter must not flush again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OUTPUT_CLOSED


def _told(error: Exception) -> ExitCode:
    match error:
        case LastvalueError():
            return fail(error)
        case CommandFailedError():
            complain(str(error))
            return ExitCode.FAILED
        case UsageError():
            complain(str(error))
        case _ if text := _usage_fault(error):
            context = getattr(error, "ctx", None)
            complain(text, f"see `{'lastvalue' if context is None else context.command_path} --help`")
        case _:
            # Without a command typer prints the help.
            pass
    return ExitCode.USAGE


def _usage_fault(error: Exception) -> str:
    # Names the option, which str(error) does not.
    format_message = getattr(error, "format_message", error.__str__)
    text = str(format_message()).rstrip(".")
    for theirs, ours in _TYPER_FAULTS.items():
        text = text.replace(theirs, ours)
    return text


_TYPER_FAULTS: Final = {
    "Value error, ": "",
    "Input should be a valid integer, unable to parse string as an integer": "expected a whole number",
    "Input should be a valid number, unable to parse string as a number": "expected a number",
}
"""What typer says of a value that an option does not take, and what we say."""
