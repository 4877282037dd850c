"""`lastvalue send`, `receive` and `browse`."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import typer

from lastvalue.cli.exits import UsageError, confirm
from lastvalue.cli.message_form import MessageForm
from lastvalue.cli.message_printer import MessagePrinter
from lastvalue.cli.options import (
    DEFAULT_URL,
    OutputOption,
    QueueName,
    Url,
    duration_option,
)
from lastvalue.cli.output import Output
from lastvalue.client import (
    ConnectionLostError,
    Delivery,
    Reconnection,
    TimedOutError,
    Wanted,
    connect,
)
from lastvalue.client.reconnection import REDIRECTS_ONLY

Count = Annotated[int | None, typer.Option("--count", "-n", min=1, help="Stop after this many messages.")]
Timeout = Annotated[
    float | None,
    duration_option("Stop if no message comes for this long: 10s, 5m; a number is in seconds.", "--timeout"),
]
Selector = Annotated[
    str | None,
    typer.Option("--selector", metavar="CONDITION", help="Only messages that meet this JMS selector."),
]
ReplayPeriod = Annotated[
    float | None,
    duration_option(
        "Of the messages on the queue only those that arrived within this time: 10s, 5m; a number is in "
        "seconds; 0 is none.",
        "--replay-period",
        least_ms=0,
    ),
]
MessageColumns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="NAME,...",
        help="Of a table: these fields of a message or application properties, as in sequence,symbol,body.",
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="TEXT",
        help="In place of a table: this text for each message, with such names in braces.",
    ),
]
Settle: TypeAlias = Callable[[Delivery], None]


@dataclass(frozen=True, slots=True)
class Until:
    """When to stop: after a count, after silence, or never."""

    count: int | None
    timeout_s: float | None


def receive(  # noqa: PLR0913 - each is an option of the command
    queue: QueueName,
    *,
    count: Count = None,
    timeout: Timeout = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="Accept the messages: they leave the queue (the default).")
    ] = False,
    release: Annotated[
        bool, typer.Option("--release", help="Release the messages at the end: they return to the queue.")
    ] = False,
    reject: Annotated[
        bool, typer.Option("--reject", help="Reject the messages: they leave the queue as dead letters.")
    ] = False,
    selector: Selector = None,
    replay_period: ReplayPeriod = None,
    consumer_priority: Annotated[
        int,
        typer.Option("--consumer-priority", help="The consumer's priority; a higher one is served first."),
    ] = 0,
    columns: MessageColumns = None,
    form: Format = None,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Take messages from a queue and print them, until --count, --timeout or a signal."""
    if accept + release + reject > 1:
        raise UsageError("--accept, --release and --reject exclude each other; use one of them")
    if release and count is None and timeout is None:
        raise UsageError("--release returns the messages at the end; add --count or --timeout")
    settle = Delivery.release if release else Delivery.reject if reject else Delivery.accept
    wanted = Wanted(selector=selector, replay_period_s=_whole(replay_period), priority=consumer_priority)
    asyncio.run(_receive(url, queue, Until(count, timeout), settle, _printer(output, columns, form), wanted))


def browse(  # noqa: PLR0913 - each is an option of the command
    queue: QueueName,
    *,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Continue with messages that come later.")
    ] = False,
    reconnect: Annotated[
        bool,
        typer.Option("--reconnect", help="With --follow: connect again where the connection is lost."),
    ] = False,
    count: Count = None,
    timeout: Timeout = None,
    selector: Selector = None,
    replay_period: ReplayPeriod = None,
    columns: MessageColumns = None,
    form: Format = None,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print the messages of a queue in their order; they stay on the queue."""
    if reconnect and not follow:
        raise UsageError("--reconnect needs --follow: without it the command ends with the present messages")
    wanted = Wanted(selector=selector, replay_period_s=_whole(replay_period))
    printer, until = _printer(output, columns, form), Until(count, timeout)
    again = Reconnection(on_change=_tell) if reconnect else False
    asyncio.run(_browse(url, queue, until, printer, wanted, follow=follow, reconnect=again))
    printer.end()


def _printer(output: Output, columns: str | None, form: str | None) -> MessagePrinter:
    if columns is None:
        return MessagePrinter(output, MessageForm(template=form))
    return MessagePrinter(output, MessageForm([name.strip() for name in columns.split(",")], form))


async def _receive(
    url: str, queue: str, until: Until, settle: Settle, printer: MessagePrinter, wanted: Wanted
) -> None:
    held = []
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        receiver = connection.queue(queue).receive(
            limit=until.count, timeout_s=until.timeout_s, wanted=wanted
        )
        try:
            async for delivery in receiver:
                printer.print(delivery.message)
                if settle is Delivery.release:
                    held.append(delivery)
                else:
                    settle(delivery)
        except TimedOutError:
            pass
        for delivery in held:
            delivery.release()
    printer.end()


async def _browse(  # noqa: PLR0913 - each is an option of the command
    url: str,
    queue: str,
    until: Until,
    printer: MessagePrinter,
    wanted: Wanted,
    *,
    follow: bool,
    reconnect: bool | Reconnection,
) -> None:
    async with connect(url, reconnect=reconnect) as connection:
        browser = connection.queue(queue).browse(
            follow=follow, limit=until.count, timeout_s=until.timeout_s, wanted=wanted
        )
        try:
            async for message in browser:
                printer.print(message)
        except TimedOutError:
            pass


def _whole(period_s: float | None) -> int | None:
    """A replay period in whole seconds, as the broker takes it, which has all of the period."""
    return None if period_s is None else math.ceil(period_s)


def _tell(error: ConnectionLostError | None) -> None:
    confirm("connected again" if error is None else f"{error}; trying again")
