"""`lastvalue context add`, `use`, `list` and `remove`: URLs of brokers by name, in a file of the user."""

import re
from typing import Annotated, Final, TypeAlias

import typer

from lastvalue.cli.contexts import Contexts
from lastvalue.cli.exits import confirm
from lastvalue.cli.options import Columns, OutputOption
from lastvalue.cli.output import Output, print_records
from lastvalue.client.url import parse_url

context_app = typer.Typer(no_args_is_help=True, help="Save URLs of brokers by name, and choose one.")

_PASSWORD: Final = re.compile(r"(?<=:)[^:/@]*(?=@)")

Name: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="Name of the context.")]


@context_app.command("add", epilog="Example: lastvalue context add prod amqps://alice@broker?ca_file=ca.pem")
def add(
    name: Name,
    address: Annotated[
        str, typer.Argument(metavar="URL", help="The broker, as amqp://user:password@host:port.")
    ],
) -> None:
    """Save a URL under a name, in place of an earlier one; the first one is used from now on."""
    parse_url(address)
    contexts = Contexts()
    contexts.urls[name] = address
    contexts.current = contexts.current or name
    contexts.save()
    confirm(f"saved context {name} in {contexts.path}; commands use {contexts.current}")


@context_app.command("use", epilog="Example: lastvalue context use prod")
def use(name: Name) -> None:
    """Use a context in all commands that have neither --url nor LASTVALUE_URL."""
    contexts = Contexts()
    contexts.url(name)
    contexts.current = name
    contexts.save()
    confirm(f"commands use {name}")


@context_app.command("list", epilog="Example: lastvalue context list")
def list_contexts(*, output: OutputOption = Output.TABLE, columns: Columns = None) -> None:
    """Print the contexts, without passwords, and which one is used."""
    contexts = Contexts()
    rows: list[dict[str, object]] = [
        {"name": name, "url": _PASSWORD.sub("***", url), "current": name == contexts.current}
        for name, url in sorted(contexts.urls.items())
    ]
    print_records(rows, ("name", "url", "current"), output, columns)


@context_app.command("remove", epilog="Example: lastvalue context remove prod")
def remove(name: Name) -> None:
    """Forget a context."""
    contexts = Contexts()
    contexts.url(name)
    del contexts.urls[name]
    if contexts.current == name:
        contexts.current = ""
    contexts.save()
    confirm(f"removed context {name}")
