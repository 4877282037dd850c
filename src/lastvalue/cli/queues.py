"""`lastvalue queue add`, `set`, `pause`, `resume`, `list`, `show`, `delete` and `purge`."""

import asyncio
import dataclasses
import inspect
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final

import typer

from lastvalue.cli.exits import UsageError, confirm, warn
from lastvalue.cli.moves import copy, delete_messages, move, retry
from lastvalue.cli.options import DEFAULT_URL, Columns, OutputOption, QueueName, Url, option, with_options
from lastvalue.cli.output import Output, print_record, print_records, print_table
from lastvalue.client import QueueInfo, connect
from lastvalue.client.reconnection import REDIRECTS_ONLY
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.option import Kind, Option
from lastvalue.queues.options import OPTIONS
from lastvalue.queues.spec_arguments import spec_from_arguments

queue_app = typer.Typer(no_args_is_help=True, help="Declare, change, show, purge and delete queues.")

_TYPES: dict[Kind, Any] = {Kind.TEXT: str, Kind.NUMBER: int, Kind.FLAG: bool}


def add(queue: QueueName, *, url: Url = DEFAULT_URL, **options: Any) -> None:
    """Create a queue; if it exists with the same options, do nothing."""
    given = {name: value for name, value in options.items() if value is not None}
    try:
        spec_from_arguments(queue, given)
    except InvalidSpecError as error:
        raise UsageError(str(error)) from None
    info = asyncio.run(_add(url, queue, given))
    confirm(f"declared queue {queue}")
    if info.options.get("durable") and not info.stored:
        warn(f"queue {queue!r} is durable, but the broker has no store: a restart loses it and its messages")


def set_(queue: QueueName, *, url: Url = DEFAULT_URL, **options: Any) -> None:
    """Change options of a queue; its messages stay, and the new options decide when they expire."""
    given = {name: value for name, value in options.items() if value is not None}
    if not given:
        raise UsageError("there is nothing to change; `lastvalue queue set --help` lists the options")
    asyncio.run(_set(url, queue, given))
    confirm(f"changed queue {queue}: {_options_line(given)}")


def pause(queue: QueueName, *, url: Url = DEFAULT_URL) -> None:
    """Let a queue take messages and deliver none."""
    asyncio.run(_set(url, queue, {"paused": True}))
    confirm(f"paused queue {queue}")


def resume(queue: QueueName, *, url: Url = DEFAULT_URL) -> None:
    """Let a paused queue deliver again."""
    asyncio.run(_set(url, queue, {"paused": False}))
    confirm(f"resumed queue {queue}")


def list_(*, url: Url = DEFAULT_URL, output: OutputOption = Output.TABLE, columns: Columns = None) -> None:
    """Print every queue with its type and depth."""
    records = [queue_record(queue) for queue in asyncio.run(_list(url))]
    if output is Output.TABLE:
        records = [_row(record) for record in records]
    print_records(
        records, ("name", "type", "depth", "published", "subscriptions", "options"), output, columns
    )


def show(queue: QueueName, *, url: Url = DEFAULT_URL, output: OutputOption = Output.TABLE) -> None:
    """Print one queue's declaration and counts."""
    info = asyncio.run(_show(url, queue))
    record = queue_record(info)
    if output is Output.TABLE:
        record |= {name: value for name, value in info.options.items() if name != "type"}
        record |= {f"removed {reason}": number for reason, number in info.removed.items()}
        record |= {name: number for name, number in info.statistics.items() if number}
        del record["options"], record["removed"], record["statistics"]
        record = {name: value for name, value in record.items() if value != ""}
    print_record(record, output)


def delete(queue: QueueName, *, url: Url = DEFAULT_URL) -> None:
    """Delete a queue and its messages."""
    asyncio.run(_delete(url, queue))
    confirm(f"deleted queue {queue}")


def purge(queue: QueueName, *, url: Url = DEFAULT_URL, output: OutputOption = Output.TABLE) -> None:
    """Remove the available messages of a queue, and print how many."""
    purged = asyncio.run(_purge(url, queue))
    print_record({"queue": queue, "purged": purged}, output)


def queue_record(info: QueueInfo) -> dict[str, Any]:
    """A queue as a JSON object."""
    return dataclasses.asdict(info)


def _row(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a table, which has the statistics as columns, too."""
    row = {**record, **record["statistics"], "options": _options_line(record["options"])}
    del row["statistics"], row["removed"]
    return row


def _options_line(options: Any) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items() if name != "type")


async def _add(url: str, queue: str, options: dict[str, Any]) -> QueueInfo:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        return await (await connection.declare(queue, **options)).info()


async def _set(url: str, queue: str, options: dict[str, Any]) -> None:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        await connection.queue(queue).update(**options)


async def _list(url: str) -> list[QueueInfo]:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        return await connection.queues()


async def _show(url: str, queue: str) -> QueueInfo:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        return await connection.queue(queue).info()


async def _delete(url: str, queue: str) -> None:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        await connection.delete(queue)


async def _purge(url: str, queue: str) -> int:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        return await connection.purge(queue)


def _parameter(declared: Option) -> inspect.Parameter:
    flag = "--" + declared.name.replace("_", "-")
    if declared.kind is Kind.FLAG:
        flag += f"/--no-{flag[2:]}"
    kind, sentence, shown = _TYPES.get(declared.kind), declared.sentence, {}
    if declared.is_duration:
        kind, shown = str, {"metavar": "MS|10s"}
    if declared.kind is Kind.CHOICE:
        # Other brokers' words are accepted; --help-foreign has them.
        kind, shown = _choices(declared), {"metavar": "CHOICE"}
        sentence = f"{sentence} One of {', '.join(declared.form.values)}."
    panel = _PANELS.get(declared.field.partition(".")[0], "Life of the queue")
    return option(
        declared.name, kind, flag, help=sentence, show_default=False, rich_help_panel=panel, **shown
    )


_PANELS: Final = {
    "": "Order",
    "ordering": "Order",
    "grouping": "Groups",
    "readers": "Consumers",
    "limit": "Limits",
    "flow": "Limits",
    "expiry": "Time",
    "holds": "Time",
    "refuses_delay": "Time",
    "filter": "Where messages go",
    "alternate": "Where messages go",
    "alternate_key": "Where messages go",
    "expiry_alternate": "Where messages go",
    "alternate_is_queue": "Where messages go",
    "redirect": "Where messages go",
    "history": "Where messages go",
    "history_deliveries": "Where messages go",
}
"""By the part of a declaration that an option sets."""


def _print_foreign(asked: bool | None) -> None:  # noqa: FBT001 - typer calls it so
    if not asked:
        return
    rows = [
        [
            f"--{each.name.replace('_', '-')}",
            *(" ".join(names) for names in (each.qpid_cpp, each.broker_j, each.artemis, each.rabbitmq)),
        ]
        for each in OPTIONS
    ]
    print_table(
        ("option", "Qpid C++", "Broker-J", "Artemis", "RabbitMQ"), [row for row in rows if any(row[1:])]
    )
    raise typer.Exit


_HELP_FOREIGN: Final = inspect.Parameter(
    "help_foreign",
    inspect.Parameter.KEYWORD_ONLY,
    default=None,
    annotation=Annotated[
        bool | None,
        typer.Option(
            "--help-foreign",
            is_eager=True,
            callback=_print_foreign,
            help="Print what other brokers call these options, which declarations by their clients may use.",
        ),
    ],
)


def _choices(declared: Option) -> Any:
    members: dict[str, str] = {}
    for choice, _ in declared.choices:
        # If two spellings differ only in their dashes, the first one counts.
        members.setdefault(choice.replace("-", "_"), choice)
    return StrEnum(declared.name, members)


_with_table = with_options([_HELP_FOREIGN, *(_parameter(declared) for declared in OPTIONS)])
_EXAMPLES = {
    "add": "Example: lastvalue queue add prices --lvq-key symbol --order-by sequence",
    "set": "Example: lastvalue queue set prices --maximum-ttl-ms 60s",
    "pause": "Example: lastvalue queue pause prices",
    "resume": "Example: lastvalue queue resume prices",
    "list": "Example: lastvalue queue list -o json",
    "show": "Example: lastvalue queue show prices",
    "delete": "Example: lastvalue queue delete prices",
    "purge": "Example: lastvalue queue purge prices",
    "move": "Example: lastvalue queue move orders orders.checked --selector 'size > 5'",
    "copy": "Example: lastvalue queue copy orders orders.trial --id 17 --id 20-25",
    "retry": "Example: lastvalue queue retry orders.failed --all",
    "delete-messages": "Example: lastvalue queue delete-messages orders --id 17",
}

for _name, _command in (
    ("add", _with_table(add)),
    ("set", _with_table(set_)),
    ("pause", pause),
    ("resume", resume),
    ("list", list_),
    ("show", show),
    ("delete", delete),
    ("purge", purge),
    ("move", move),
    ("copy", copy),
    ("retry", retry),
    ("delete-messages", delete_messages),
):
    queue_app.command(_name, epilog=_EXAMPLES[_name])(_command)
