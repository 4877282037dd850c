"""The options of every command: --quiet, and of those with --url also --ca-file."""

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from lastvalue.cli.exits import quiet
from lastvalue.cli.options import option
from lastvalue.client.url import with_ca_file

_QUIET = option("quiet", bool, "--quiet", "-q", help="Do not say on standard error what was done.")
_CA_FILE = option(
    "ca_file", Path, "--ca-file", metavar="FILE", help="The authorities to trust over TLS, in PEM."
)


def add_shared_options(app: typer.Typer) -> None:
    """Give the shared options to every command of an app and of its groups."""
    for command in app.registered_commands:
        if command.callback is not None:
            command.callback = _with_shared_options(command.callback)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            add_shared_options(group.typer_instance)


def _with_shared_options(command: Callable[..., object]) -> Callable[..., object]:
    signature = inspect.signature(command)
    own = list(signature.parameters.values())
    has_url = "url" in signature.parameters
    parameters = [*own, *([_CA_FILE] if has_url else []), _QUIET]

    @functools.wraps(command)
    def call(**arguments: Any) -> object:
        quiet.set(bool(arguments.pop("quiet")))
        if has_url and (ca_file := arguments.pop("ca_file")) is not None:
            arguments["url"] = with_ca_file(arguments["url"], str(ca_file))
        # The exit code, of a command that has one.
        return command(**arguments)

    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined] # for typer
    call.__annotations__ = {each.name: each.annotation for each in parameters}
    return call
