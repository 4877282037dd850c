"""`lastvalue exchange add`, `set`, `list`, `delete`, `bind` and `unbind`."""

import asyncio
import dataclasses
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, TypeAlias

import typer

from lastvalue.cli.exits import UsageError, confirm
from lastvalue.cli.options import DEFAULT_URL, Columns, OutputOption, QueueName, Url, parsed_properties
from lastvalue.cli.output import Output, print_records
from lastvalue.client import ExchangeInfo, connect
from lastvalue.client.reconnection import REDIRECTS_ONLY

exchange_app = typer.Typer(
    no_args_is_help=True, help="Declare, change, list, bind, unbind and delete exchanges."
)

ExchangeName: TypeAlias = Annotated[str, typer.Argument(metavar="EXCHANGE", help="Name of the exchange.")]
Key: TypeAlias = Annotated[str, typer.Option("--key", "-k", help="The binding key, or a topic's pattern.")]


class _Type(StrEnum):
    DIRECT = "direct"
    TOPIC = "topic"
    FANOUT = "fanout"
    HEADERS = "headers"
    ADDRESS = "address"


class _Unroutable(StrEnum):
    DISCARD = "discard"
    REFUSE = "refuse"


_Alternate: TypeAlias = Annotated[
    str | None,
    typer.Option("--alternate", help="The exchange or queue that gets messages that this one cannot route."),
]
_Unrouted: TypeAlias = Annotated[
    _Unroutable | None,
    typer.Option("--unroutable", help="What to do with a message that no queue gets; discard by default."),
]
_AutoDelete: TypeAlias = Annotated[
    bool | None,
    typer.Option("--auto-delete/--no-auto-delete", help="Delete the exchange with its last binding."),
]
_InitialValue: TypeAlias = Annotated[
    bool | None,
    typer.Option("--initial-value/--no-initial-value", help="Send the last message to each new binding."),
]
_Numbered: TypeAlias = Annotated[
    bool | None, typer.Option("--numbered/--no-numbered", help="Give each message a number.")
]
_Description: TypeAlias = Annotated[
    str | None, typer.Option("--description", help="What the exchange is for.")
]


def add(  # noqa: PLR0913 - one for each option
    exchange: ExchangeName,
    *,
    kind: Annotated[_Type, typer.Option("--type", help="Which bindings get a message.")] = _Type.DIRECT,
    alternate: _Alternate = None,
    unroutable: _Unrouted = None,
    auto_delete: _AutoDelete = None,
    initial_value: _InitialValue = None,
    numbered: _Numbered = None,
    description: _Description = None,
    internal: Annotated[
        bool, typer.Option("--internal", help="Refuse what clients publish to it; only other exchanges do.")
    ] = False,
    durable: Annotated[
        bool, typer.Option("--durable/--no-durable", help="The exchange survives a restart.")
    ] = False,
    url: Url = DEFAULT_URL,
) -> None:
    """Create an exchange; if it exists with the same options, do nothing."""
    options = {
        "type": kind,
        "alternate": alternate,
        "unroutable": unroutable,
        "auto_delete": auto_delete,
        "initial_value": initial_value,
        "numbered": numbered,
        "description": description,
        "internal": internal or None,
        "durable": durable,
    }
    asyncio.run(_add(url, exchange, _given(options)))
    confirm(f"declared exchange {exchange}")


def set_(  # noqa: PLR0913 - one for each option
    exchange: ExchangeName,
    *,
    alternate: _Alternate = None,
    unroutable: _Unrouted = None,
    auto_delete: _AutoDelete = None,
    initial_value: _InitialValue = None,
    numbered: _Numbered = None,
    description: _Description = None,
    url: Url = DEFAULT_URL,
) -> None:
    """Change options of an exchange; its bindings stay. An empty --alternate removes the alternate."""
    options = {
        "alternate": alternate,
        "unroutable": unroutable,
        "auto_delete": auto_delete,
        "initial_value": initial_value,
        "numbered": numbered,
        "description": description,
    }
    given = _given(options)
    if not given:
        raise UsageError("there is nothing to change; `lastvalue exchange set --help` lists the options")
    asyncio.run(_set(url, exchange, given))
    confirm(f"changed exchange {exchange}")


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, as the broker takes them."""
    named = {name: value for name, value in options.items() if value is not None}
    return {name: value.value if isinstance(value, StrEnum) else value for name, value in named.items()}


def list_(*, url: Url = DEFAULT_URL, output: OutputOption = Output.TABLE, columns: Columns = None) -> None:
    """Print every exchange with its type and bindings."""
    exchanges = asyncio.run(_list(url))
    records: list[dict[str, object]] = [dataclasses.asdict(exchange) for exchange in exchanges]
    if output is Output.TABLE:
        records = [_row(exchange) for exchange in exchanges]
    print_records(records, ("name", "type", "received", "unrouted", "bindings", "options"), output, columns)


def delete(exchange: ExchangeName, *, url: Url = DEFAULT_URL) -> None:
    """Delete an exchange and its bindings; the queues stay."""
    asyncio.run(_delete(url, exchange))
    confirm(f"deleted exchange {exchange}")


def bind(
    exchange: ExchangeName,
    queue: QueueName,
    *,
    key: Key = "",
    argument: Annotated[
        list[str] | None,
        typer.Option(
            "--argument",
            "-a",
            metavar="NAME=VALUE",
            help="An argument of the binding; NAME:=VALUE reads the value as JSON.",
        ),
    ] = None,
    selector: Annotated[
        str | None, typer.Option(help="A selector; the queue gets only messages that meet it.")
    ] = None,
    url: Url = DEFAULT_URL,
) -> None:
    """Bind a queue (or an exchange) to an exchange."""
    arguments = parsed_properties(argument or [])
    if selector is not None:
        arguments["x-filter-jms-selector"] = selector
    asyncio.run(_bind(url, exchange, queue, key, arguments))
    confirm(f"bound {queue} to exchange {exchange}{_keyed(key)}")


def unbind(exchange: ExchangeName, queue: QueueName, *, key: Key = "", url: Url = DEFAULT_URL) -> None:
    """Remove a binding."""
    asyncio.run(_unbind(url, exchange, queue, key))
    confirm(f"unbound {queue} from exchange {exchange}{_keyed(key)}")


def _keyed(key: str) -> str:
    return f" with key {key!r}" if key else ""


def _row(exchange: ExchangeInfo) -> dict[str, object]:
    bindings = [f"{binding.destination}({binding.key})" for binding in exchange.bindings]
    options = [f"{name}={value}" for name, value in exchange.options.items() if name != "type"]
    return {
        "name": exchange.name,
        "type": exchange.type,
        "received": exchange.received,
        "unrouted": exchange.unrouted,
        "bindings": " ".join(bindings),
        "options": " ".join(options),
    }


async def _add(url: str, exchange: str, options: dict[str, Any]) -> None:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        await connection.declare_exchange(exchange, **options)


async def _set(url: str, exchange: str, options: dict[str, Any]) -> None:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        await connection.manage("UPDATE", exchange, options, kind="exchange")


async def _list(url: str) -> list[ExchangeInfo]:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        return await connection.exchanges()


async def _delete(url: str, exchange: str) -> None:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        await connection.delete_exchange(exchange)


async def _bind(url: str, exchange: str, queue: str, key: str, arguments: Mapping[str, object]) -> None:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        await connection.bind(exchange, queue, key, arguments)


async def _unbind(url: str, exchange: str, queue: str, key: str) -> None:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        await connection.unbind(exchange, queue, key)


_EXAMPLES = {
    "add": "Example: lastvalue exchange add news --type topic",
    "set": "Example: lastvalue exchange set news --alternate unrouted",
    "list": "Example: lastvalue exchange list -o json",
    "delete": "Example: lastvalue exchange delete news",
    "bind": "Example: lastvalue exchange bind news sports --key 'sports.#'",
    "unbind": "Example: lastvalue exchange unbind news sports --key 'sports.#'",
}

for _name, _command in (
    ("add", add),
    ("set", set_),
    ("list", list_),
    ("delete", delete),
    ("bind", bind),
    ("unbind", unbind),
):
    exchange_app.command(_name, epilog=_EXAMPLES[_name])(_command)
