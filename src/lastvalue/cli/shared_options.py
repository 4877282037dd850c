"""The options of every command: --quiet, and of those with --url also --context and --ca-file."""

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import typer

from lastvalue.cli.commands import Command, Group
from lastvalue.cli.contexts import broker_url
from lastvalue.cli.exits import UsageError, quiet
from lastvalue.cli.options import option

_QUIET = option("quiet", bool, "--quiet", "-q", help="Do not say on standard error what was done.")
_OF_BROKERS = (
    option("context", str, "--context", metavar="NAME", help="The broker, by the name of a saved context."),
    option("ca_file", Path, "--ca-file", metavar="FILE", help="The authorities to trust over TLS, in PEM."),
)
_CALL: Final = "typer_context"


def add_shared_options(app: typer.Typer) -> None:
    """Give the shared options to every command of an app and of its groups."""
    app.info.cls = Group
    for command in app.registered_commands:
        if command.callback is not None:
            command.callback = _with_shared_options(command.callback)
        if command.cls is None or not issubclass(command.cls, Command):
            command.cls = Command
    for group in app.registered_groups:
        if group.typer_instance is not None:
            add_shared_options(group.typer_instance)


def _with_shared_options(command: Callable[..., object]) -> Callable[..., object]:
    signature = inspect.signature(command)
    has_url = "url" in signature.parameters
    call_context = inspect.Parameter(_CALL, inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    parameters = [*signature.parameters.values(), *(_OF_BROKERS if has_url else ()), _QUIET, call_context]

    @functools.wraps(command)
    def call(**arguments: Any) -> object:
        source = arguments.pop(_CALL).get_parameter_source("url")
        quiet.set(bool(arguments.pop("quiet")))
        if has_url:
            context = arguments.pop("context")
            if context is not None and source.name == "COMMANDLINE":
                raise UsageError("--url and --context exclude each other; use one of them")
            arguments["url"] = broker_url(
                arguments["url"],
                is_given=source.name != "DEFAULT",
                context=context,
                ca_file=arguments.pop("ca_file"),
            )
        # The exit code, of a command that has one.
        return command(**arguments)

    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined] # for typer
    call.__annotations__ = {each.name: each.annotation for each in parameters}
    return call
