"""`lastvalue send`: messages from the command line or from standard input."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Annotated, Final

import typer

from lastvalue.cli.exits import CommandFailedError, UsageError, confirm, warn
from lastvalue.cli.options import (
    DEFAULT_URL,
    Properties,
    QueueName,
    Url,
    duration_option,
    parsed_json,
    parsed_properties,
)
from lastvalue.cli.stdin import LineTooLongError, stdin_lines
from lastvalue.cli.waiting_notice import WaitingNotice
from lastvalue.client import (
    Connection,
    InvalidMessageError,
    Message,
    QueueInfo,
    QueueNotFoundError,
    RefusedError,
    connect,
)
from lastvalue.client.message import FIELDS, names_of_field
from lastvalue.client.message_records import message_from_record
from lastvalue.client.reconnection import REDIRECTS_ONLY
from lastvalue.client.values import key_properties
from lastvalue.model.composite_key import names_of_key
from lastvalue.model.conditions import Condition
from lastvalue.model.property_names import DELIVERY_DELAY

_ENCODED_FACTOR: Final = 6
"""How much longer the JSON of a body may be than the body: a character is written as six, as in \\u0000."""


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
        float | None,
        duration_option("After how long the message expires: 10s, 5m; a number is in seconds.", "--ttl"),
    ] = None,
    group: Annotated[str | None, typer.Option("--group", help="The message's group.")] = None,
    delay: Annotated[
        float | None,
        duration_option(
            "By how long its delivery is delayed: 10s, 5m; a number is in seconds.", "--delay", least_ms=0
        ),
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
    bodies = partial(_bodies, body, count, 1 if body_format is BodyFormat.TEXT else _ENCODED_FACTOR)
    try:
        sent = asyncio.run(_send(url, queue, key, bodies, compose, producer))
    except LineTooLongError as error:
        raise CommandFailedError(f"{error}; the broker takes no message of that size") from None
    confirm(f"sent {sent} message{'' if sent == 1 else 's'} to {queue}")


async def _send(
    url: str,
    queue: str,
    key: str | None,
    bodies: Callable[[int | None], AsyncIterator[str]],
    compose: Callable[[str], Message],
    producer: str | None,
) -> int:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        info = await _info(connection, queue)
        name = None if key is None else _key_property(info, queue)
        slips = Slips(info)
        notice = WaitingNotice(connection, queue)

        async def messages(most_bytes: int | None) -> AsyncIterator[Message]:
            async for body in bodies(most_bytes):
                message = compose(body)
                if name is not None:
                    key_values = key_properties(name, key)
                    message = replace(message, properties={**message.properties, **key_values})
                slips.look_at(message)
                notice.begin()
                yield message
                notice.end()
            notice.begin()

        producing = connection.queue(queue).sender(producer=producer, reject_unroutable=True)
        async with producing as sender, notice:
            sent = await sender.send_many(messages(sender.max_message_bytes))
    for slip in slips.found():
        warn(slip)
    return sent


async def _info(connection: Connection, name: str) -> QueueInfo | None:
    """The queue of that name; None for an exchange, or an exchange and a routing key."""
    try:
        return await connection.queue(name).info()
    except QueueNotFoundError:
        return None
    except RefusedError as error:
        if "/" in name and error.condition is Condition.UNAUTHORIZED_ACCESS:
            # Who may publish to an exchange need not have a right on what is named as a key of it.
            return None
        raise


def _key_property(info: QueueInfo | None, queue: str) -> str:
    if info is None:
        raise QueueNotFoundError(queue)
    name = info.options.get("lvq_key")
    if not isinstance(name, str):
        raise UsageError(f"queue {queue!r} has no key property; use --property NAME=VALUE")
    return name


class Slips:
    """Counts the messages that a queue takes and that probably were meant otherwise."""

    def __init__(self, info: QueueInfo | None) -> None:
        self._info = info
        options = {} if info is None else info.options
        keys = (options.get("lvq_key"), options.get("lvq_fallback_key"))
        # Of each way to have a key the properties that it takes.
        self._keys = [frozenset(names_of_key(str(key))) for key in keys if key is not None]
        self._order = options.get("order_by")
        self._keyless = 0
        self._orderless = 0
        self._lost = 0
        self._texts = 0

    def look_at(self, message: Message) -> None:
        """Count a message that is sent."""
        info = self._info
        if info is None:
            return
        # A key and an order value may also be fields of the message, such as its subject.
        present = message.properties.keys() | message.annotations.keys() | _fields(message)
        if self._keys and not any(names <= present for names in self._keys):
            self._keyless += 1
        elif self._order is not None and self._order not in present:
            self._orderless += 1
        order = message.properties.get(self._order) if isinstance(self._order, str) else None
        if isinstance(order, str) and _NUMBER.fullmatch(order):
            self._texts += 1
        if message.durable and not info.stored:
            self._lost += 1

    def found(self) -> list[str]:
        """What looks like a slip, a line each."""
        lines, info = [], self._info
        if info is not None and self._keyless:
            key = info.options.get("lvq_key")
            lines.append(
                f"{_counted(self._keyless)} without {key!r}, the key of the last-value queue {info.name!r}: "
                "no newer one replaces it; --key gives one"
            )
        if info is not None and self._orderless:
            missing = info.options.get("order_missing", "replace")
            outcome = {"replace": "it replaces any value of its key", "stale": "it replaces no value"}
            lines.append(
                f"{_counted(self._orderless)} without {self._order!r}, by which queue {info.name!r} "
                f"decides what is newer: {outcome.get(str(missing), 'the queue refuses it')}; "
                f"-p {self._order}:=1 gives one"
            )
        if info is not None and self._texts:
            lines.append(
                f"{_counted(self._texts)} sent with a text in {self._order!r}, by which queue {info.name!r} "
                f"decides what is newer: a text is not compared with a number; -p {self._order}:=1 sends a "
                "number"
            )
        if info is not None and self._lost:
            why = "the broker has no store" if info.options.get("durable") else "it is not durable"
            lines.append(f"{_counted(self._lost)} marked as durable: queue {info.name!r} loses it, as {why}")
        return lines


_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?")


def _fields(message: Message) -> set[str]:
    """The names that a queue knows the fields of a message by, of those that it has."""
    return {name for field in FIELDS if getattr(message, field) is not None for name in names_of_field(field)}


def _counted(count: int) -> str:
    return f"{count} message{' is' if count == 1 else 's are'}"


async def _bodies(
    body: str | None, count: int | None, factor: int, most_bytes: int | None
) -> AsyncIterator[str]:
    sent = 0
    if body is not None and body != "-":
        while sent < (count or 1):
            sent += 1
            yield body
        return
    async for line in stdin_lines(None if most_bytes is None else factor * most_bytes):
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
