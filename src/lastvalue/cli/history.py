"""`lastvalue history`, `as-of`, `diff`, `timeline`, `replay` and `pipeline history`: the past of queues."""

import asyncio
import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from lastvalue.cli.exits import CommandFailedError, UsageError, confirm
from lastvalue.cli.options import (
    DEFAULT_URL,
    KeyOption,
    KeyText,
    OutputOption,
    QueueName,
    Tables,
    Url,
    one_key,
)
from lastvalue.cli.output import Output, print_record, print_records
from lastvalue.client import connect
from lastvalue.client.reconnection import REDIRECTS_ONLY
from lastvalue.history.documents import change_document, queued_message_document, record_document
from lastvalue.history.errors import InvalidTimeError
from lastvalue.history.recorded_history import no_history, read_history
from lastvalue.history.replay import Replayed, ReplayPlan, continued, replay
from lastvalue.history.times import is_relative, print_time, read_time

if TYPE_CHECKING:
    from lastvalue.history.landing import Progress

Offline: TypeAlias = Annotated[
    bool, typer.Option("--offline", help="Read the tables only, without a broker.")
]
Time: TypeAlias = Annotated[
    str, typer.Argument(metavar="TIME", help="ISO 8601, a time before now as in -5m, or now.")
]
_COLUMNS = ("sequence", "state", "key", "updates", "arrival_time_ms", "body")


class OnGap(StrEnum):
    """What to do if the broker dropped records before they landed."""

    FAIL = "fail"
    RECORD = "record"


def extent(queue: QueueName, *, url: Url = DEFAULT_URL, output: OutputOption = Output.TABLE) -> None:
    """Print what a queue's history has: from when on it is known, and how many records."""
    print_record(asyncio.run(_extent(url, queue)), output)


async def _extent(url: str, queue: str) -> dict[str, object]:
    async with connect(url, reconnect=REDIRECTS_ONLY) as connection:
        found = await connection.queue(queue).history_extent()
    if found is None:
        raise no_history(queue)
    return {
        "history": found.history,
        "from": print_time(found.first_ms),
        "to": print_time(found.last_ms),
        "records": found.records,
        "base_records": found.base,
        "is_whole": found.whole,
    }


def as_of(
    queue: QueueName,
    at: Time,
    *,
    tables: Tables = None,
    offline: Offline = False,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print the messages that a queue had at a time, in the order of delivery."""
    time_ms = _time(at)
    asked = _asked(url, tables, offline=offline)
    recorded_history = asyncio.run(
        read_history(queue, url=asked, tables=tables, until_ms=time_ms, since_ms=time_ms)
    )
    moment = recorded_history.as_of(time_ms)
    print_records([queued_message_document(each) for each in moment.in_order(time_ms)], _COLUMNS, output)


def diff(  # noqa: PLR0913 - each is an option of the command
    queue: QueueName,
    first: Annotated[str, typer.Argument(metavar="TIME1", help="The earlier time.")],
    second: Annotated[str, typer.Argument(metavar="TIME2", help="The later time.")] = "now",
    *,
    tables: Tables = None,
    offline: Offline = False,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print how a queue changed between two times: removed, added and replaced messages."""
    first_ms, second_ms = _time(first), _time(second)
    asked = _asked(url, tables, offline=offline)
    recorded_history = asyncio.run(
        read_history(queue, url=asked, tables=tables, until_ms=second_ms, since_ms=first_ms)
    )
    records = [change_document(change) for change in recorded_history.diff(first_ms, second_ms)]
    print_records(records, ("change", "sequence", "key", "reason", "before", "body"), output)


def timeline(  # noqa: PLR0913 - each is an option of the command
    queue: QueueName,
    key: KeyText = None,
    *,
    named: KeyOption = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="TIME", help="Only records from then on.")
    ] = None,
    tables: Tables = None,
    offline: Offline = False,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print every record of a key's messages, and of the queue itself, oldest first."""
    key = one_key(key, named)
    since_ms = 0 if since is None else _time(since)
    asked = _asked(url, tables, offline=offline)
    recorded_history = asyncio.run(read_history(queue, url=asked, tables=tables, key=key))
    records = [
        record_document(record) for record in recorded_history.timeline(key) if record.time_ms >= since_ms
    ]
    print_records(records, ("time", "effect", "reason", "sequence", "updates", "body"), output)


def replay_(  # noqa: PLR0913 - each is an option of the command
    queue: QueueName,
    start: Annotated[str, typer.Argument(metavar="FROM", help="The start of the period.")],
    end: Annotated[str, typer.Argument(metavar="TO", help="The end of the period, exclusive.")] = "now",
    *,
    into: Annotated[str, typer.Option("--into", metavar="QUEUE", help="The queue to publish to.")],
    speed: Annotated[
        str,
        typer.Option(
            "--speed", help="1 for the recorded speed, 10 for ten times that, max to not wait at all."
        ),
    ] = "1",
    every: Annotated[
        str | None,
        typer.Option(
            "--every",
            metavar="INTERVAL",
            help="Publish only the last message of a key per interval, such as 5s.",
        ),
    ] = None,
    name: Annotated[
        str, typer.Option("--name", help="A name; a replay of the same name publishes no message twice.")
    ] = "",
    progress: Annotated[
        Path | None,
        typer.Option(
            "--progress",
            metavar="FILE",
            help="A file for the progress, so that the next run continues there.",
        ),
    ] = None,
    tables: Tables = None,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Publish a period of a queue's history again."""
    now_ms = time.time_ns() // 1_000_000
    given = ReplayPlan(
        read_time(start, now_ms), read_time(end, now_ms), _speed(speed), _interval(every), name
    )
    plan = continued(given, progress)
    relative = is_relative(start) or is_relative(end)
    if plan != given and not relative:
        raise UsageError(
            f"{progress} is of the period from {print_time(plan.start_ms)} to {print_time(plan.end_ms)}; "
            "give these times, or another file"
        )
    period = {"from": print_time(plan.start_ms), "to": print_time(plan.end_ms)}
    question = (
        f"replay {plan.name_for(queue)} of {queue} into {into}, from {period['from']} to {period['to']}"
    )
    if relative and not name and plan == given:
        question += (
            "; a new replay, because its period depends on now: the same times or a --name make it the same"
        )
    confirm(question)
    recorded_history = asyncio.run(
        read_history(queue, url=url, tables=tables, until_ms=plan.end_ms, since_ms=plan.start_ms - 1)
    )
    done = asyncio.run(replay(recorded_history, url, into, plan, _tell_replayed, progress))
    print_record(
        {
            "replay": plan.name_for(queue),
            "queue": queue,
            "into": into,
            **period,
            "messages": done.messages,
            "published": done.published,
        },
        output,
    )


def history(  # noqa: PLR0913 - each is an option of the command
    queues: Annotated[
        list[str], typer.Argument(metavar="QUEUE...", help="Queues with a history, or history queues.")
    ],
    *,
    tables: Annotated[
        str,
        typer.Option(
            "--tables",
            envvar="LASTVALUE_TABLES",
            metavar="DIR|URL",
            help="The directory of the tables, or their URL in an object store.",
        ),
    ],
    every: Annotated[
        str,
        typer.Option(
            "--every", metavar="INTERVAL", help="The longest time that records wait before they are written."
        ),
    ] = "5s",
    retention_days: Annotated[
        float | None,
        typer.Option("--retention-days", min=0, help="Delete the records of older days. Default: keep all."),
    ] = None,
    on_gap: Annotated[
        OnGap, typer.Option("--on-gap", help="What to do if the broker dropped records before they landed.")
    ] = OnGap.FAIL,
    until_now: Annotated[
        bool, typer.Option("--until-now", help="Write the records that exist now, and end.")
    ] = False,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Write every record of queues' histories to tables, exactly once, until a signal."""
    try:
        # Imported here, because other commands do not need deltalake and pyarrow.
        from lastvalue.history.landing import LandingOptions, land_history
    except ModuleNotFoundError as missing:
        raise CommandFailedError(f"this needs {missing.name}; pip install 'lastvalue[history]'") from None
    options = LandingOptions(
        every_s=_interval(every) / 1000,
        retention_days=retention_days,
        on_gap="fail" if on_gap is OnGap.FAIL else "record",
        until_now=until_now,
    )
    done = asyncio.run(land_history(url, tables, queues, options, _tell_landed))
    records = [
        {"history": name, "landed": count, "offset": done.offsets[name]}
        for name, count in sorted(done.records.items())
    ]
    print_records(records, ("history", "landed", "offset"), output)


def _time(text: str) -> int:
    now_ms = time.time_ns() // 1_000_000
    time_ms = read_time(text, now_ms)
    if time_ms > now_ms:
        raise InvalidTimeError(f"{text!r} is in the future")
    return time_ms


def _interval(text: str | None) -> int:
    if text is None:
        return 0
    try:
        interval_ms = -read_time("-" + text, 0)
    except InvalidTimeError:
        interval_ms = 0
    if interval_ms <= 0:
        raise UsageError(f"{text!r} is not an interval; expected a number and a unit, as in 5s, 100ms or 1m")
    return interval_ms


def _speed(text: str) -> float:
    if text == "max":
        return 0.0
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0 < speed < float("inf"):
        raise UsageError(f"--speed {text!r}: expected a number above 0, or max")
    return speed


def _asked(url: str, tables: str | None, *, offline: bool) -> str | None:
    """The broker to ask, or None if the tables alone are read."""
    if offline and tables is None:
        raise UsageError("--offline needs --tables, the tables to read")
    return None if offline else url


def _tell_replayed(done: Replayed) -> None:
    if done.lost is not None:
        print(f"lastvalue: {done.lost}; trying again", file=sys.stderr, flush=True)
    elif sys.stderr.isatty():
        print(f"\rpublished {done.published} of {done.messages} messages", end="", file=sys.stderr)


def _tell_landed(progress: "Progress") -> None:
    if progress.fault:
        print(f"lastvalue: {progress.fault}; trying again", file=sys.stderr, flush=True)
    elif sys.stderr.isatty():
        now_ms = time.time_ns() // 1_000_000
        parts = [
            f"{name}: {count} landed, {max(0, now_ms - progress.times_ms[name]) / 1000:.1f} s ago"
            for name, count in sorted(progress.records.items())
        ]
        print("\r\033[K" + "; ".join(parts), end="", file=sys.stderr, flush=True)


def migrate_history(
    *,
    tables: Annotated[
        Path,
        typer.Option(
            "--tables", envvar="LASTVALUE_TABLES", metavar="DIR", help="The directory of the tables."
        ),
    ],
    output: OutputOption = Output.TABLE,
) -> None:
    """Make tables of an earlier version a Delta table; what was killed can be repeated."""
    try:
        # Imported here, because other commands do not need deltalake and pyarrow.
        from lastvalue.history.migration import migrate_tables
    except ModuleNotFoundError as missing:
        raise CommandFailedError(f"this needs {missing.name}; pip install 'lastvalue[history]'") from None
    done = migrate_tables(tables, _tell_migrated)
    print_record({"tables": str(tables), "files": done.files, "rows": done.rows}, output)


def _tell_migrated(files: int, of: int) -> None:
    if sys.stderr.isatty():
        print(f"\rcopied {files} of {of} files", end="", file=sys.stderr)
