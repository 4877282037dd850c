"""`lastvalue send`, `receive` and `browse`."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Annotated, TypeAlias

import typer

from lastvalue.cli.exits import UsageError
from lastvalue.cli.options import (
    DEFAULT_URL,
    OutputOption,
    Properties,
    QueueName,
    Url,
    parsed_json,
    parsed_properties,
)
from lastvalue.cli.output import MessagePrinter, Output
from lastvalue.cli.stdin import stdin_lines
from lastvalue.client import (
    Connection,
    Delivery,
    InvalidMessageError,
    Message,
    TimedOutError,
    Wanted,
    connect,
)
from lastvalue.client.message_records import message_from_record
from lastvalue.model.property_names import DELIVERY_DELAY

Count = Annotated[int | None, typer.Option("--count", "-n", min=1, help="Stop after this many messages.")]
Timeout = Annotated[
    float | None, typer.Option("--timeout", min=0.001, help="Stop if no message comes for this many seconds.")
]
Selector = Annotated[
    str | None,
    typer.Option("--selector", metavar="CONDITION", help="Only messages that meet this JMS selector."),
]
ReplayPeriod = Annotated[
    int | None,
    typer.Option(
        "--replay-period",
        min=0,
        metavar="SECONDS",
        help="Of the messages on the queue only those of the last so many seconds; 0 is none.",
    ),
]
Settle: TypeAlias = Callable[[Delivery], None]


@dataclass(frozen=True, slots=True)
class Until:
    """When to stop: after a count, after silence, or never."""

    count: int | None
    timeout_s: float | None


class BodyFormat(StrEnum):
    """How a body's text is read."""

    TEXT = "text"
    JSON = "json"
    MESSAGE = "message"


def send(  # noqa: PLR0913 - each is an option of the command
    queue: QueueName,
    body: Annotated[
        str | None,
        typer.Argument(help="The body. Without it (or with -) each line of standard input is a body."),
    ] = None,
    *,
    key: Annotated[
        str | None,
        typer.Option("--key", "-k", help="The key, for the property that the queue uses as its key."),
    ] = None,
    properties: Properties = None,
    body_format: Annotated[
        BodyFormat,
        typer.Option(
            "--as",
            help="Read the body as text, as a JSON value, or as a message that `browse -o jsonl` printed.",
        ),
    ] = BodyFormat.TEXT,
    subject: Annotated[str | None, typer.Option("--subject", help="The message's subject.")] = None,
    durable: Annotated[bool, typer.Option("--durable", help="Mark the message as durable.")] = False,
    priority: Annotated[int, typer.Option("--priority", min=0, max=255, help="The message's priority.")] = 4,
    ttl: Annotated[
        float | None, typer.Option("--ttl", min=0.001, help="The seconds after which the message expires.")
    ] = None,
    group: Annotated[str | None, typer.Option("--group", help="The message's group.")] = None,
    delay: Annotated[
        float | None, typer.Option("--delay", min=0, help="The seconds that the delivery is delayed.")
    ] = None,
    producer: Annotated[
        str | None,
        typer.Option(
            "--producer",
            metavar="NAME",
            help="A name for the producer; the queue takes each of its message-ids once.",
        ),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--count",
            "-n",
            min=1,
            help="Send the body this many times; or this many lines of standard input.",
        ),
    ] = None,
    url: Url = DEFAULT_URL,
) -> None:
    """Send messages; ends when the broker has confirmed all of them."""
    template = Message(
        properties=parsed_properties(properties or ()),
        subject=subject,
        durable=durable,
        priority=priority,
        ttl_ms=None if ttl is None else round(ttl * 1000),
        group_id=group,
        annotations={} if delay is None else {DELIVERY_DELAY: round(delay * 1000)},
    )
    compose = partial(composed_message, body_format=body_format, template=template)
    asyncio.run(_send(url, queue, key, _bodies(body, count), compose, producer))


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
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Take messages from a queue and print them, until --count, --timeout or a signal."""
    if accept + release + reject > 1:
        raise UsageError("--accept, --release and --reject exclude each other; use one of them")
    if release and count is None and timeout is None:
        raise UsageError("--release returns the messages at the end; add --count or --timeout")
    settle = Delivery.release if release else Delivery.reject if reject else Delivery.accept
    wanted = Wanted(selector=selector, replay_period_s=replay_period, priority=consumer_priority)
    asyncio.run(_receive(url, queue, Until(count, timeout), settle, MessagePrinter(output), wanted))


def browse(  # noqa: PLR0913 - each is an option of the command
    queue: QueueName,
    *,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Continue with messages that come later.")
    ] = False,
    count: Count = None,
    timeout: Timeout = None,
    selector: Selector = None,
    replay_period: ReplayPeriod = None,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print the messages of a queue in their order; they stay on the queue."""
    wanted = Wanted(selector=selector, replay_period_s=replay_period)
    asyncio.run(_browse(url, queue, Until(count, timeout), MessagePrinter(output), wanted, follow=follow))


async def _send(
    url: str,
    queue: str,
    key: str | None,
    bodies: AsyncIterator[str],
    compose: Callable[[str], Message],
    producer: str | None,
) -> None:
    async with connect(url) as connection:
        name = None if key is None else await _key_property(connection, queue)

        async def messages() -> AsyncIterator[Message]:
            async for body in bodies:
                message = compose(body)
                yield (
                    message
                    if name is None
                    else replace(message, properties={**message.properties, name: key})
                )

        async with connection.queue(queue).sender(producer=producer) as sender:
            await sender.send_many(messages())


async def _key_property(connection: Connection, queue: str) -> str:
    name = (await connection.queue(queue).info()).options.get("lvq_key")
    if not isinstance(name, str):
        raise UsageError(f"queue {queue!r} has no key property; use --property NAME=VALUE")
    return name


async def _receive(
    url: str, queue: str, until: Until, settle: Settle, printer: MessagePrinter, wanted: Wanted
) -> None:
    held = []
    async with connect(url) as connection:
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


async def _browse(
    url: str, queue: str, until: Until, printer: MessagePrinter, wanted: Wanted, *, follow: bool
) -> None:
    async with connect(url) as connection:
        browser = connection.queue(queue).browse(
            follow=follow, limit=until.count, timeout_s=until.timeout_s, wanted=wanted
        )
        try:
            async for message in browser:
                printer.print(message)
        except TimedOutError:
            pass
    printer.end()


async def _bodies(body: str | None, count: int | None) -> AsyncIterator[str]:
    sent = 0
    if body is not None and body != "-":
        while sent < (count or 1):
            sent += 1
            yield body
        return
    async for line in stdin_lines():
        yield line
        sent += 1
        if sent == count:
            return


def composed_message(text: str, body_format: BodyFormat, template: Message) -> Message:
    """The message of a body's text; the template has the other fields.

    Raises:
        UsageError: the text is not in the format.
    """
    match body_format:
        case BodyFormat.TEXT:
            return replace(template, body=text)
        case BodyFormat.JSON:
            return replace(template, body=parsed_json(text, f"the body {text!r:.60}"))
        case BodyFormat.MESSAGE:
            try:
                return message_from_record(parsed_json(text, f"the message {text!r:.60}"), template)
            except InvalidMessageError as error:
                raise UsageError(str(error)) from None
