"""The commands about the values of keys: `lastvalue get`, `put`, `keys`, `watch`, `delete`, `why`."""

import asyncio
import json
from dataclasses import replace
from typing import Annotated, Final

import typer

from lastvalue.cli.exits import CommandFailedError, UsageError, confirm, warn
from lastvalue.cli.message_form import MessageForm
from lastvalue.cli.options import (
    DEFAULT_URL,
    KeyOption,
    KeyText,
    OutputOption,
    Properties,
    QueueName,
    Tables,
    Url,
    one_key,
    parsed_properties,
)
from lastvalue.cli.output import Output, print_records
from lastvalue.cli.send import BodyFormat, Slips, composed_message
from lastvalue.client import (
    Change,
    ChangeResult,
    DeleteResult,
    Explanation,
    Explanations,
    KeyFacts,
    KeyOrder,
    Message,
    Queue,
    RefusedError,
    Watcher,
    WatchOptions,
    connect,
)
from lastvalue.client.explanation import explain_removal
from lastvalue.client.message_records import message_record
from lastvalue.client.reconnection import REDIRECTS_ONLY
from lastvalue.client.values import Key, key_properties
from lastvalue.history.errors import HistoryUnavailableError
from lastvalue.history.recorded_history import read_history
from lastvalue.history.records import DISMISSED, REMOVED
from lastvalue.history.times import print_time
from lastvalue.model.jsonable import jsonable

NumberKey = Annotated[
    bool, typer.Option("--number/--text", help="The key is a whole number; else it is a text.")
]

_FACTS: Final = ("updates", "reason", "user", "message_id", "rule", "destination", "text")


def get(
    queue: QueueName,
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="KEYS", help="The keys.", show_default=False)
    ] = None,
    *,
    key: Annotated[
        list[str] | None,
        typer.Option("--key", "-k", metavar="KEY", help="A further key; for one that begins with -."),
    ] = None,
    number: NumberKey = False,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print the values of keys of a last-value queue; fails where a key has none."""
    wanted = [key_of(each, number=number) for each in [*(keys or ()), *(key or ())]]
    if not wanted:
        raise UsageError(f"name the keys, as in `lastvalue get {queue} KEY`")
    found = asyncio.run(_get(url, queue, wanted))
    records = [{"key": each, **message_record(found[each])} for each in wanted if each in found]
    print_records(records, ("key", "body", "sequence", "updates"), output)
    if missing := [str(each) for each in wanted if each not in found]:
        raise CommandFailedError(f"no value in queue {queue!r} has the key {', '.join(missing)}")


def put(  # noqa: PLR0913 - each is an option of the command
    queue: QueueName,
    values: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY BODY", help="Keys, and behind each its value.", show_default=False),
    ] = None,
    *,
    named: Annotated[
        str | None,
        typer.Option(
            "--key", "-k", metavar="KEY", help="A key whose value is the first argument; for one with - or =."
        ),
    ] = None,
    number: NumberKey = False,
    properties: Properties = None,
    body_format: Annotated[
        BodyFormat, typer.Option("--as", help="Read the values as text, as JSON, or as messages.")
    ] = BodyFormat.TEXT,
    delete: Annotated[
        list[str] | None, typer.Option("--delete", metavar="KEY", help="Delete this key's value, too.")
    ] = None,
    if_sequence: Annotated[
        list[str] | None,
        typer.Option(
            "--if-sequence",
            metavar="KEY=SEQUENCE",
            help="Only while this key has this sequence, 0 being no value; may be given again.",
        ),
    ] = None,
    durable: Annotated[bool, typer.Option("--durable", help="Mark the messages as durable.")] = False,
    url: Url = DEFAULT_URL,
) -> None:
    """Put the values of keys of a last-value queue, all of them or none."""
    given = [*([] if named is None else [named]), *(values or [])]
    if given and named is None and all("=" in each.strip("=") for each in given):
        first, _, value = given[0].partition("=")
        raise UsageError(
            f"{given[0]!r} would be a key: keys and bodies are arguments of their own, as in "
            f"`put {queue} {first} {value}`; `lastvalue send --key` takes keys with ="
        )
    if len(given) % 2:
        raise UsageError(f"the key {given[-1]!r} has no value; give keys and values in turn")
    template = Message(durable=durable, properties=parsed_properties(properties or ()))
    bodies: dict[Key, Message] = {
        key_of(key, number=number): composed_message(body, body_format, template)
        for key, body in zip(given[::2], given[1::2], strict=True)
    }
    if len(bodies) < len(given) // 2:
        raise UsageError("a key has two values; give each key once")
    gone = [key_of(each, number=number) for each in delete or ()]
    conditions: dict[Key, int] = dict(_condition(each, number=number) for each in if_sequence or ())
    result = asyncio.run(_put(url, queue, bodies, gone, conditions))
    for key, put_one in zip(bodies, result.put, strict=True):
        confirm(
            f"{key!s} has sequence {put_one.sequence}"
            + ("" if put_one.taken else ": a newer value was there")
        )
    for key, deleted in zip(gone, result.deleted, strict=True):
        confirm(f"deleted the value of {key}" if deleted.deleted else f"{key} had no value")


def _condition(text: str, *, number: bool) -> tuple[str | int, int]:
    key, separator, sequence = text.rpartition("=")
    if not separator or not (sequence.isascii() and sequence.isdigit()):
        raise UsageError(f"--if-sequence is {text!r}; expected KEY=SEQUENCE, such as AAPL=17")
    return key_of(key, number=number), int(sequence)


def delete(
    queue: QueueName,
    key: KeyText = None,
    *,
    named: KeyOption = None,
    number: NumberKey = False,
    if_sequence: Annotated[
        int | None, typer.Option(min=1, help="Delete it only while its value has this sequence.")
    ] = None,
    url: Url = DEFAULT_URL,
) -> None:
    """Delete the value of a key of a last-value queue."""
    key = one_key(key, named)
    result = asyncio.run(_delete(url, queue, key_of(key, number=number), if_sequence))
    if not result.deleted:
        raise CommandFailedError(f"the key {key!r} has no value in queue {queue!r}")
    confirm(f"deleted the value of {key}")


def why(  # noqa: PLR0913 - each is an option of the command
    queue: QueueName,
    key: Annotated[
        str | None, typer.Argument(metavar="KEY", help="A key of a last-value queue.", show_default=False)
    ] = None,
    *,
    named: KeyOption = None,
    number: NumberKey = False,
    sequence: Annotated[int | None, typer.Option(min=1, help="The sequence of a message.")] = None,
    message_id: Annotated[str | None, typer.Option(help="The message id of a message.")] = None,
    tables: Tables = None,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print what became of the messages of a key, or of one message, newest first.

    The queue remembers it of as many messages as its option removal_log says, without it of a few; before
    these its history tells.
    """
    key = one_key(key, named) if named is not None else key
    if [key, sequence, message_id].count(None) != len((key, sequence, message_id)) - 1:
        raise UsageError("give one of KEY, --sequence and --message-id")
    typed = None if key is None else key_of(key, number=number)
    shown = asyncio.run(_why(url, queue, typed, sequence, message_id))
    found = shown.found
    few = shown.remembers == 0 or all(each.time_ms is None for each in found)
    if message_id is None and (tables is not None or few):
        found = [*found, *_recorded(queue, url, tables, key, sequence, {each.sequence for each in found})]
    if not found:
        raise CommandFailedError(_unknown(queue, shown, sequence))
    records = [
        {
            "sequence": each.sequence,
            "arrival_time": print_time(each.arrival_ms) if each.arrival_ms else None,
            "left": None if each.time_ms is None else print_time(each.time_ms),
            **{name: getattr(each, name) for name in _FACTS},
        }
        for each in found
    ]
    print_records(records, ("sequence", "arrival_time", "left", "updates", "text"), output)
    if shown.remembers == 0:
        confirm(_forgetful(queue))


def keys(
    queue: QueueName,
    *,
    by: Annotated[
        KeyOrder, typer.Option(help="The keys with the oldest values, or those that are updated most.")
    ] = KeyOrder.AGE,
    count: Annotated[int, typer.Option("--count", "-n", min=1, max=1000, help="How many.")] = 20,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print the keys of a last-value queue with the oldest values, or those that are updated most."""
    found = asyncio.run(_keys(url, queue, by, count))
    if by is KeyOrder.AGE:
        records: list[dict[str, object]] = [
            {
                "key": jsonable(each.key),
                "since": print_time(each.since_ms),
                "age_s": each.age_ms / 1000,
                "updates": each.updates,
                "sequence": each.sequence,
            }
            for each in found
        ]
        print_records(records, ("key", "since", "age_s", "updates", "sequence"), output)
        return
    print_records(
        [{"key": jsonable(each.key), "messages": each.messages, "error": each.error} for each in found],
        ("key", "messages", "error"),
        output,
    )


def key_of(text: str, *, number: bool) -> str | int:
    """The key that a text means.

    Raises:
        UsageError: it is to be a whole number, and is none.
    """
    if not number:
        return text
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"the key {text!r} is not a whole number; leave out --number") from None


def watch(  # noqa: PLR0913 - each is an option of the command
    queue: QueueName,
    *,
    key: Annotated[
        list[str] | None, typer.Option("--key", "-k", help="Only this key; may be given again.")
    ] = None,
    number: NumberKey = False,
    prefix: Annotated[str | None, typer.Option(help="Only keys that begin so.")] = None,
    glob: Annotated[str | None, typer.Option(help="Only keys that match, with * and ?.")] = None,
    selector: Annotated[
        str | None, typer.Option(metavar="CONDITION", help="Only values that this JMS selector selects.")
    ] = None,
    rate: Annotated[float | None, typer.Option(min=0.001, help="The most messages a second.")] = None,
    policy: Annotated[
        str | None, typer.Option(help="What to make of the updates of a key, such as 'ohlc(price, size)'.")
    ] = None,
    interval_ms: Annotated[
        int | None,
        typer.Option(min=1, help="The length of the policy's intervals, or the least time between values."),
    ] = None,
    changed_only: Annotated[
        bool, typer.Option("--changed-only", help="Leave out values whose body has not changed.")
    ] = False,
    reconnect: Annotated[
        bool, typer.Option("--reconnect/--no-reconnect", help="Connect again where the connection is lost.")
    ] = True,
    count: Annotated[
        int | None, typer.Option("--count", "-n", min=1, help="Stop after this many lines.")
    ] = None,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print the values of a last-value queue, then each change, and the keys that lose their values."""
    asked = WatchOptions(
        keys=[key_of(each, number=number) for each in key] if key else None,
        prefix=prefix,
        glob=glob,
        rate=rate,
        interval_ms=interval_ms,
        policy=policy,
        unchanged="body" if changed_only else None,
    )
    printer = ChangePrinter(output)

    async def watch_until() -> None:
        async with connect(url, reconnect=reconnect) as connection:
            watcher = connection.watch(queue, selector=selector, options=asked)
            await _print_changes(watcher, printer, count)

    asyncio.run(watch_until())


class ChangePrinter:
    """Prints changes as they come: a line for each, or an object with `key` and the message's fields."""

    def __init__(self, output: Output) -> None:
        if output is Output.JSON:
            raise UsageError("changes do not end, so they are no JSON array; use -o jsonl")
        self._output = output

    def print(self, change: Change) -> None:
        """Print one change."""
        value = change.value
        if self._output is Output.JSONL:
            shown = {"removed": change.reason} if value is None else message_record(value)
            print(json.dumps({"key": jsonable(change.key), **shown}, ensure_ascii=False), flush=True)
        elif value is None:
            print(f"{jsonable(change.key)}  (removed: {change.reason})", flush=True)
        else:
            print(f"{jsonable(change.key)}  {MessageForm(['body']).line(value)}", flush=True)


async def _get(url: str, queue: str, keys: list[str | int]) -> dict[Key, Message]:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        return await connection.queue(queue).get_many(keys)


async def _put(
    url: str,
    queue: str,
    bodies: dict[Key, Message],
    gone: list[str | int],
    conditions: dict[Key, int],
) -> ChangeResult:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        named = connection.queue(queue)
        result = await named.put_many(bodies, delete=gone, if_sequences=conditions)
        if bodies:
            for slip in await _slips(named, bodies):
                warn(slip)
        return result


async def _slips(queue: Queue, bodies: dict[Key, Message]) -> list[str]:
    """What looks like a slip in what was put, to who may see the queue's options."""
    try:
        info = await queue.info()
    except RefusedError:
        return []
    slips = Slips(info)
    for key, message in bodies.items():
        found = key_properties(str(info.options.get("lvq_key")), key)
        slips.look_at(replace(message, properties={**message.properties, **found}))
    return slips.found()


async def _delete(url: str, queue: str, key: str | int, if_sequence: int | None) -> DeleteResult:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        return await connection.queue(queue).delete(key, if_sequence=if_sequence)


async def _keys(url: str, queue: str, by: KeyOrder, count: int) -> list[KeyFacts]:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        return await connection.queue(queue).list_keys(by=by, limit=count)


async def _why(
    url: str, queue: str, key: str | int | None, sequence: int | None, message_id: str | None
) -> Explanations:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        return await connection.queue(queue).why(key=key, sequence=sequence, message_id=message_id)


def _recorded(
    queue: str, url: str, tables: str | None, key: str | None, sequence: int | None, known: set[int]
) -> list[Explanation]:
    """What the queue's history says of these messages, but for those that are known, newest first."""
    try:
        history = asyncio.run(read_history(queue, url=url, tables=tables, key=key))
    except HistoryUnavailableError:
        if tables is not None:
            raise
        return []
    arrivals = {record.sequence: record.arrival_ms for record in history.records if record.arrival_ms}
    return [
        explain_removal(
            {
                "sequence": record.sequence,
                "reason": (record.reason or "").replace("-", "_"),
                "time_ms": record.time_ms,
                "arrival_ms": arrivals.get(record.sequence),
                "updates": record.updates,
                "newer": record.newer,
            }
        )
        for record in reversed(history.records)
        if record.effect in {REMOVED, DISMISSED} and record.sequence not in known
        if (record.key == key if sequence is None else record.sequence == sequence)
    ]


def _unknown(queue: str, asked: Explanations, sequence: int | None) -> str:
    if sequence is not None and sequence > asked.last:
        return f"queue {queue!r} has not had it yet: its last sequence is {asked.last}"
    if asked.remembers == 0:
        return _forgetful(queue)
    return (
        f"none of the last {asked.remembers} messages that left queue {queue!r} is it; it is still there, "
        "left before, or never came"
    )


def _forgetful(queue: str) -> str:
    return (
        f"queue {queue!r} remembers only the newest messages that left it; "
        f"lastvalue queue set {queue} --removal-log 1000 has it remember more of them, and by whom"
    )


async def _print_changes(watcher: Watcher, printer: ChangePrinter, count: int | None) -> None:
    printed = 0
    async with watcher:
        async for change in watcher.changes():
            printer.print(change)
            printed += 1
            if printed == count:
                return
