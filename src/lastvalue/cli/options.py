"""Options that several commands share, and how values are written on the command line."""

import functools
import inspect
import json
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final, TypeAlias

import typer

from lastvalue.cli.exits import CommandFailedError, UsageError
from lastvalue.cli.output import Output
from lastvalue.model.durations import DURATION_EXAMPLES, duration_ms
from lastvalue.model.errors import LastvalueError

DEFAULT_URL = "amqp://127.0.0.1:5672"

Url: TypeAlias = Annotated[
    str,
    typer.Option(
        "--url", envvar="LASTVALUE_URL", metavar="URL", help="The broker, as amqp://user:password@host:port."
    ),
]
Tables: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--tables",
        envvar="LASTVALUE_TABLES",
        metavar="DIR|URL",
        help="The tables of `lastvalue pipeline history`, for records that the broker no longer has.",
    ),
]
OutputOption: TypeAlias = Annotated[
    Output, typer.Option("--output", "-o", help="How to print: for people, or JSON for programs.")
]
Columns: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--columns", metavar="NAME,...", help="Of a table: these columns; a wrong name lists those there are."
    ),
]


def complete_queue(context: typer.Context, incomplete: str) -> list[str]:
    """The names of the broker's queues, for the shell; none if it does not answer soon."""
    # Imported here, so that only the shell's completion waits for it.
    from lastvalue.cli.contexts import broker_url
    from lastvalue.client.blocking import connect

    given, source = context.params, context.get_parameter_source("url")
    try:
        url = broker_url(
            str(given.get("url") or DEFAULT_URL),
            is_given=source is not None and source.name != "DEFAULT",
            context=given.get("context"),
            ca_file=given.get("ca_file"),
        )
        with connect(url, timeout_s=_COMPLETION_S, reconnect=False) as connection:
            names = [queue.name for queue in connection.queues(timeout_s=_COMPLETION_S)]
    except (LastvalueError, CommandFailedError, UsageError):
        return []
    # A shell would take a line break or an escape sequence in a name for its own.
    return [name for name in names if name.startswith(incomplete) and name.isprintable()]


_COMPLETION_S: Final = 1.0

QueueName: TypeAlias = Annotated[
    str, typer.Argument(metavar="QUEUE", help="Name of the queue.", autocompletion=complete_queue)
]
KeyText: TypeAlias = Annotated[str | None, typer.Argument(metavar="KEY", help="The key.", show_default=False)]
KeyOption: TypeAlias = Annotated[
    str | None, typer.Option("--key", "-k", metavar="KEY", help="The same; for a key that begins with -.")
]
Properties: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--property",
        "-p",
        metavar="NAME=VALUE",
        help="An application property; NAME:=VALUE reads the value as JSON.",
    ),
]


def one_key(key: str | None, named: str | None) -> str:
    """The key that a command line names by its place or by `--key`.

    Raises:
        UsageError: it names none, or two.
    """
    if key is not None and named is not None:
        raise UsageError(f"the keys {key!r} and {named!r} are given; give one, by its place or by --key")
    chosen = named if key is None else key
    if chosen is None:
        raise UsageError("name the key, by its place or by --key")
    return chosen


def with_options(
    options: Iterable[inspect.Parameter],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command that has these options in place of its `**options`, so that typer sees them."""

    def made(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command)
        own = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
        parameters = [*own, *options]

        @functools.wraps(command)
        def call(**arguments: Any) -> None:
            command(**arguments)

        call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined] # for typer
        call.__annotations__ = {each.name: each.annotation for each in parameters}
        return call

    return made


def option(name: str, kind: Any, *flags: str, **shown: Any) -> inspect.Parameter:
    """An option for `with_options`; its default is None."""
    annotation = Annotated[kind | None, typer.Option(*flags, **shown)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def parsed_duration_ms(text: str) -> int:
    """The milliseconds of a number with a unit; a number alone is in seconds.

    Raises:
        UsageError: the text has another form.
    """
    found = duration_ms(text if not text.strip()[-1:].isdecimal() else f"{text}s")
    if found is None:
        raise UsageError(f"{text!r} is not a duration; expected for example {DURATION_EXAMPLES}")
    return found


def duration_option(help_: str, *flags: str, least_ms: int = 1, **shown: Any) -> Any:
    """An option whose value is a duration, which the command is given in seconds."""

    def parsed(given: str) -> float:
        try:
            found = parsed_duration_ms(str(given))
        except UsageError as fault:
            raise typer.BadParameter(str(fault)) from None
        if found < least_ms:
            raise typer.BadParameter(f"{given!r} is too short; expected {least_ms}ms or more")
        return found / 1000

    return typer.Option(*flags, parser=parsed, metavar="DURATION", help=help_, **shown)


def parsed_properties(pairs: Iterable[str]) -> dict[str, object]:
    """Properties from NAME=TEXT and NAME:=JSON.

    Raises:
        UsageError: a text has neither form, or its value is not JSON.
    """
    return dict(_parsed_property(pair) for pair in pairs)


def _parsed_property(pair: str) -> tuple[str, object]:
    name, equals, text = pair.partition("=")
    if not equals or name in ("", ":"):
        raise UsageError(f"--property {pair!r} is not NAME=VALUE")
    if name.endswith(":"):
        return name[:-1], parsed_json(text, f"--property {pair!r}")
    return name, text


def parsed_json(text: str, where: str) -> object:
    """The value that a JSON text stands for.

    Raises:
        UsageError: it is not JSON.
    """
    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(f"{where} is not JSON: {error}") from None
