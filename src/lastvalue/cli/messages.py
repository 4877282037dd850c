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
from lastvalue.cli.records import message_from_record
from lastvalue.cli.stdin import stdin_lines
from lastvalue.client import Connection, Delivery, Message, TimedOutError, Wanted, connect
from lastvalue.model.property_names import DELIVERY_DELAY

Count = Annotated[int | None, typer.Option("--count", "-n", min=1, help="Stop after so many messages.")]
Timeout = Annotated[
    float | None, typer.Option("--timeout", min=0.001, help="Stop when nothing came for so many seconds.")
]
Selector = Annotated[
    str | None,
    typer.Option("--selector", metavar="CONDITION", help="Only messages that a JMS selector selects."),
]
ReplayPeriod = Annotated[
    int | None,
    typer.Option(
        "--replay-period",
        min=0,
        metavar="SECONDS",
        help="Of what is there only what came in the last so many seconds; 0 is nothing.",
    ),
]
Settle: TypeAlias = Callable[[Delivery], None]


@dataclass(frozen=True, slots=True)
class Until:
    """When to stop: after a count, after silence, or never."""

    count: int | None
    timeout_s: float | None


class BodyFormat(StrEnum):
    """What a body's text stands for."""

    TEXT = "text"
    JSON = "json"
    MESSAGE = "message"


def send(  # noqa: PLR0913 - each is an option of the command
    queue: QueueName,
    body: Annotated[
        str | None,
        typer.Argument(help="The body; without it (or with -) each line of standard input is one."),
    ] = None,
    *,
    key: Annotated[
        str | None,
        typer.Option("--key", "-k", help="The key, put into the property that the queue is keyed by."),
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
    durable: Annotated[
        bool, typer.Option("--durable", help="Ask that the message survives a restart.")
    ] = False,
    priority: Annotated[int, typer.Option("--priority", min=0, max=255, help="The message's priority.")] = 4,
    ttl: Annotated[
        float | None, typer.Option("--ttl", min=0.001, help="Seconds after which the message expires.")
    ] = None,
    group: Annotated[str | None, typer.Option("--group", help="The group that the message is in.")] = None,
    delay: Annotated[
        float | None, typer.Option("--delay", min=0, help="Seconds before which it is not delivered.")
    ] = None,
    producer: Annotated[
        str | None,
        typer.Option(
            "--producer", metavar="NAME", help="Name the producer, of whom each message-id is taken once."
        ),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--count", "-n", min=1, help="Send the body so many times; of standard input, so many lines."
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
        bool, typer.Option("--accept", help="Take the messages off the queue (the default).")
    ] = False,
    release: Annotated[
        bool, typer.Option("--release", help="Give them back to the queue at the end.")
    ] = False,
    reject: Annotated[bool, typer.Option("--reject", help="Take them off the queue as bad.")] = False,
    selector: Selector = None,
    replay_period: ReplayPeriod = None,
    consumer_priority: Annotated[
        int, typer.Option("--consumer-priority", help="Consumers with a higher one are served first.")
    ] = 0,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Take messages from a queue and print them, until told to stop."""
    if accept + release + reject > 1:
        raise UsageError("--accept, --release and --reject exclude each other: give one of them")
    if release and count is None and timeout is None:
        raise UsageError("--release gives back at the end: say when that is with --count or --timeout")
    settle = Delivery.release if release else Delivery.reject if reject else Delivery.accept
    wanted = Wanted(selector=selector, replay_period_s=replay_period, priority=consumer_priority)
    asyncio.run(_receive(url, queue, Until(count, timeout), settle, MessagePrinter(output), wanted))


def browse(  # noqa: PLR0913 - each is an option of the command
    queue: QueueName,
    *,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with what comes later.")] = False,
    count: Count = None,
    timeout: Timeout = None,
    selector: Selector = None,
    replay_period: ReplayPeriod = None,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print the messages of a queue in their order, leaving them there."""
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
        raise UsageError(f"queue {queue!r} has no key to set; use --property NAME=VALUE")
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
    """The message that a body's text makes, the template giving the rest.

    Raises:
        UsageError: the text is not what the format asks for.
    """
    match body_format:
        case BodyFormat.TEXT:
            return replace(template, body=text)
        case BodyFormat.JSON:
            return replace(template, body=parsed_json(text, f"the body {text!r:.60}"))
        case BodyFormat.MESSAGE:
            return message_from_record(parsed_json(text, f"the message {text!r:.60}"), template)
