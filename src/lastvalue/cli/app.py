"""The `lastvalue` command with its subcommands, and how it reports their errors.

A subcommand is imported when it is called, and all of them for the help: what the others need is not loaded.
"""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Final, NamedTuple

import typer
from typer.main import get_command

from lastvalue import __version__
from lastvalue.cli.commands import Command, Group, TimeCommand
from lastvalue.cli.exits import CommandFailedError, ExitCode, UsageError, complain, fail
from lastvalue.cli.shared_options import add_shared_options
from lastvalue.model.errors import LastvalueError
from lastvalue.server.build import describe_build


class Subcommand(NamedTuple):
    """Where a subcommand is, and what its help says besides its own text.

    Attributes:
        module: its name in lastvalue.cli.
        function: the function, or the app of a group.
        panel: under which heading the help lists it.
        example: a command line, without `lastvalue`; a group has examples of its own.
        kind: the class of the command.
    """

    module: str
    function: str
    panel: str
    example: str | None = None
    kind: type[Command] = Command


_BROKER: Final = "Broker"
_CONNECTIONS: Final = "Connections"
_MESSAGES: Final = "Messages"
_PIPELINES: Final = "History and pipelines"
_QUEUES: Final = "Queues and exchanges"
_TRIALS: Final = "Trials"

SUBCOMMANDS: Final[Mapping[str, Subcommand]] = {
    "serve": Subcommand("serve", "serve", _BROKER, "serve --port 5672 --user alice:secret --no-anonymous"),
    "http": Subcommand("http", "http", _BROKER, "http --url amqp://broker --port 8080"),
    "health": Subcommand("health", "health", _BROKER, "health --url amqp://broker"),
    "queue": Subcommand("queues", "queue_app", _QUEUES),
    "exchange": Subcommand("exchanges", "exchange_app", _QUEUES),
    "connection": Subcommand("connections", "connection_app", _CONNECTIONS),
    "session": Subcommand("connections", "session_app", _CONNECTIONS),
    "consumer": Subcommand("connections", "consumer_app", _CONNECTIONS),
    "producer": Subcommand("connections", "producer_app", _CONNECTIONS),
    "top": Subcommand("top", "top", _CONNECTIONS, "top --sort in_per_s --every 5"),
    "export": Subcommand("drift", "export", _BROKER, "export --out lastvalue.toml"),
    "import": Subcommand("drift", "apply", _BROKER, "import definitions.json --dry-run"),
    "import-retained": Subcommand(
        "retained_import", "import_retained", _BROKER, "import-retained mqtt://old-broker --filter 'home/#'"
    ),
    "doctor": Subcommand("doctor", "doctor", _BROKER, "doctor --store /var/lib/lastvalue"),
    "bench": Subcommand("bench", "bench", _TRIALS, "bench --messages 50000 --size 1000"),
    "context": Subcommand("context_commands", "context_app", _BROKER),
    "config": Subcommand("drift", "config_app", _BROKER),
    "user": Subcommand("users", "user_app", _BROKER),
    "clock": Subcommand("clock", "clock_app", _BROKER),
    "cluster": Subcommand("cluster", "cluster_app", _BROKER),
    "store": Subcommand("store", "store_app", _BROKER),
    "snapshot": Subcommand("snapshots", "snapshot_app", _BROKER),
    "send": Subcommand("send", "send", _MESSAGES, "send prices 101.7 --key AAPL"),
    "receive": Subcommand("messages", "receive", _MESSAGES, "receive orders --count 10 -o jsonl"),
    "browse": Subcommand("messages", "browse", _MESSAGES, "browse prices --follow"),
    "get": Subcommand("value_commands", "get", _MESSAGES, "get prices AAPL MSFT -o json"),
    "put": Subcommand(
        "value_commands", "put", _MESSAGES, "put prices AAPL 101.7 MSFT 99 --if-sequence AAPL=17"
    ),
    "keys": Subcommand("value_commands", "keys", _MESSAGES, "keys prices --by age"),
    "watch": Subcommand("value_commands", "watch", _MESSAGES, "watch prices --prefix eu. --rate 5"),
    "delete": Subcommand("value_commands", "delete", _MESSAGES, "delete prices AAPL"),
    "why": Subcommand("value_commands", "why", _MESSAGES, "why prices AAPL"),
    "history": Subcommand("history", "extent", _PIPELINES, "history prices"),
    "as-of": Subcommand("history", "as_of", _PIPELINES, "as-of prices -5m", TimeCommand),
    "diff": Subcommand("history", "diff", _PIPELINES, "diff prices -10m -5m", TimeCommand),
    "timeline": Subcommand("history", "timeline", _PIPELINES, "timeline prices AAPL"),
    "sql": Subcommand("sql", "sql", _PIPELINES, 'sql "select venue, max(price) from prices group by venue"'),
    "replay": Subcommand(
        "history", "replay_", _PIPELINES, "replay prices -1h --into prices.again --speed 10", TimeCommand
    ),
    "pipeline": Subcommand("pipelines", "pipeline_app", _PIPELINES),
    "lvqtest": Subcommand("lvqtest", "lvqtest", _TRIALS, "lvqtest create_lvq"),
    "conflate": Subcommand(
        "conflate",
        "conflate",
        _PIPELINES,
        "conflate ticks.parquet -k symbol --order-by time --every 5s --policy ohlc --value price "
        "--out candles",
    ),
    "quickstart": Subcommand("quickstart", "quickstart", _TRIALS, "quickstart --open"),
    "demo": Subcommand("demo", "demo", _TRIALS, "demo --feed ticks --duration 30"),
}
"""In the order in which the help lists them within a panel."""


def command_app(names: Iterable[str] = SUBCOMMANDS) -> typer.Typer:
    """The `lastvalue` command with these of its SUBCOMMANDS."""
    app = typer.Typer(
        name="lastvalue",
        cls=Group,
        help="A message broker for current state.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    for name in names:
        subcommand = _imported(name)
        app.registered_commands += subcommand.registered_commands
        app.registered_groups += subcommand.registered_groups
    return app


@cache
def built_command(names: tuple[str, ...]) -> Callable[..., Any]:
    """The command with these subcommands, as it is called; building it takes longer than many a call."""
    return get_command(command_app(names))


@cache
def _imported(name: str) -> typer.Typer:
    """An app of one subcommand; shared options are added to a group once in a process."""
    module, function, panel, example, kind = SUBCOMMANDS[name]
    found: typer.Typer | Callable[..., object] = getattr(import_module(f"lastvalue.cli.{module}"), function)
    app = typer.Typer()
    if isinstance(found, typer.Typer):
        app.add_typer(found, name=name, rich_help_panel=panel)
    else:
        epilog = f"Example: lastvalue {example}"
        app.command(name, cls=kind, epilog=epilog, rich_help_panel=panel)(found)
    add_shared_options(app)
    return app


def _named_by(arguments: Sequence[str]) -> Iterable[str]:
    """The subcommands that a command line may call or list."""
    first = arguments[0] if arguments else ""
    if first == "--version":
        return ()
    return (first,) if first in SUBCOMMANDS else SUBCOMMANDS


def _print_version(asked: bool) -> None:  # noqa: FBT001 - typer calls it so
    if asked:
        print(f"lastvalue {__version__}, {describe_build()}")
        raise typer.Exit


def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    """A message broker for current state: last-value queues over AMQP 1.0, with a data pipeline on Spark."""


def run(arguments: Sequence[str]) -> int:
    """Run a command; returns its exit code. Errors are one line on standard error."""
    try:
        command = built_command(tuple(_named_by(arguments)))
        return command(list(arguments), prog_name="lastvalue", standalone_mode=False) or ExitCode.OK
    except (typer.TyperException, UsageError, CommandFailedError, LastvalueError) as error:
        return _reported(error, arguments)
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except SystemExit as ended:
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        # The reader closed the pipe; the interpreter must not flush again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OUTPUT_CLOSED


def _reported(error: Exception, arguments: Sequence[str]) -> ExitCode:
    match error:
        case LastvalueError():
            return fail(error)
        case CommandFailedError():
            complain(str(error))
            return ExitCode.FAILED
        case UsageError():
            complain(str(error))
        case _ if text := _missing_options(error, arguments) or _usage_fault(error):
            context = getattr(error, "ctx", None)
            path = _path_of(arguments) if context is None else context.command_path
            complain(text, f"see `{path} --help`")
        case _:
            # Without a command typer prints the help.
            pass
    return ExitCode.USAGE


def _path_of(arguments: Sequence[str]) -> str:
    """The command that a command line calls; an option without its value does not say whose it is."""
    path = "lastvalue"
    command: Any = built_command(tuple(_named_by(arguments)))
    for each in arguments:
        command = getattr(command, "commands", {}).get(each)
        if command is None:
            break
        path += f" {each}"
    return path


def _missing_options(error: Exception, arguments: Sequence[str]) -> str:
    """All options that a command line lacks, if there are several; typer names the first one."""
    command = getattr(getattr(error, "ctx", None), "command", None)
    if not str(error).startswith("Missing") or command is None:
        return ""
    missing = [
        f"'{each.opts[0]}'"
        for each in command.params
        if each.required and each.param_type_name == "option" and not _is_given(each.opts, arguments)
    ]
    return f"Missing options {', '.join(missing[:-1])} and {missing[-1]}" if len(missing) > 1 else ""


def _is_given(names: Sequence[str], arguments: Sequence[str]) -> bool:
    """Whether one of an option's names is on a command line."""
    return any(
        each == name or each.startswith(f"{name}=" if name.startswith("--") else name)
        for each in arguments
        for name in names
    )


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
