"""`lastvalue bench`: a small load, to see what a broker and the way to it carry."""

import asyncio
import time
from collections.abc import Iterator
from typing import Annotated, Final
from uuid import uuid4

import typer

from lastvalue.cli.exits import confirm
from lastvalue.cli.options import DEFAULT_URL, OutputOption, Url
from lastvalue.cli.output import Output, print_record
from lastvalue.client import Connection, Message, connect

_BATCH: Final = 500
_SILENCE_S: Final = 30.0


def bench(
    *,
    messages: Annotated[
        int, typer.Option("--messages", "-n", min=1, help="How many messages are sent and received.")
    ] = 20_000,
    size: Annotated[int, typer.Option("--size", min=0, metavar="BYTES", help="The size of a body.")] = 100,
    durable: Annotated[
        bool, typer.Option("--durable", help="Durable messages on a durable queue, which a store keeps.")
    ] = False,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Send messages to a new queue, receive them again, print how many a second, and delete the queue.

    One connection of the Python client sends and then receives, so it shows what such a client gets;
    several clients together get more.
    """
    print_record(asyncio.run(_measured(url, messages, size, durable=durable)), output)
    kind = "durable messages" if durable else "messages"
    confirm(
        f"measured: one Python client sent {messages} {kind} of {size} bytes, each confirmed by the broker, "
        "then received and accepted them"
    )


async def _measured(url: str, messages: int, size_bytes: int, *, durable: bool) -> dict[str, object]:
    name = f"lastvalue.bench.{uuid4().hex[:8]}"
    async with connect(url, reconnect=False) as connection:
        await connection.declare(name, durable=durable)
        try:
            began_s = time.perf_counter()
            await connection.queue(name).send_many(_load(messages, size_bytes, durable=durable))
            sent_s = time.perf_counter() - began_s
            received_s = await _receive(connection, name, messages)
        finally:
            await connection.delete(name)
    return {
        "messages": messages,
        "size_bytes": size_bytes,
        "durable": durable,
        "in_per_s": round(messages / sent_s),
        "out_per_s": round(messages / received_s),
    }


def _load(messages: int, size_bytes: int, *, durable: bool) -> Iterator[Message]:
    message = Message(b"x" * size_bytes, durable=durable)
    return (message for _ in range(messages))


async def _receive(connection: Connection, name: str, messages: int) -> float:
    began_s = time.perf_counter()
    left = messages
    async with connection.queue(name).receive(credit=2 * _BATCH, timeout_s=_SILENCE_S) as receiver:
        while left > 0:
            for delivery in await receiver.batch(_BATCH):
                delivery.accept()
                left -= 1
    return time.perf_counter() - began_s
