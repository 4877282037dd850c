"""`lastvalue store`: check, print, compact and save a store."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer

from lastvalue.cli.exits import CommandFailedError, ExitCode, UsageError, complain
from lastvalue.cli.options import DEFAULT_URL, OutputOption, Url
from lastvalue.cli.output import Output, print_record, print_records, print_table
from lastvalue.cli.progress import show_progress
from lastvalue.client import connect
from lastvalue.store.log_address import LogAddress, is_log_address, read_log_address
from lastvalue.store.object_address import is_object_address
from lastvalue.store.segments import StoreError

if TYPE_CHECKING:
    from lastvalue.store.inspection import Inspection, LocatedRecord

store_app = typer.Typer(no_args_is_help=True, help="Check, print, compact and save a store.")

Place: TypeAlias = Annotated[
    str, typer.Argument(metavar="DIR|URL", help="The directory of the store, or the address of its log.")
]

SEGMENT_BYTES: Final = 64 << 20


def check(place: Place, *, output: OutputOption = Output.TABLE) -> None:
    """Verify every byte of a store and count its records; exit code 1 if something is damaged."""
    from lastvalue.store.inspection import inspect
    from lastvalue.store.lock import holder_of

    holder = None
    if is_log_address(place):
        address = _log_address(place)
        from lastvalue.cluster.log_inspection import inspect_log

        with reported_faults(place), show_progress("checking", "messages") as progress:
            inspection = inspect_log(address, progress)
    else:
        directory = _directory(place)
        with reported_faults(directory), show_progress("checking", "segments") as progress:
            holder = holder_of(directory)
            inspection = inspect(directory, progress)
    if holder is not None:
        complain(f"process {holder or 'unknown'} has the store open; a torn end is normal then")
    for torn in inspection.torn:
        complain(f"{torn.path}: a torn end at byte {torn.offset}: {torn.what}; it was never confirmed")
    for damage in inspection.damage:
        complain(f"{damage.path} is damaged at byte {damage.offset}: {damage.what}")
    _print(inspection, output)
    if inspection.damage:
        raise typer.Exit(ExitCode.FAILED)


def _print(inspection: "Inspection", output: Output) -> None:
    queues = [
        {"queue": each.name, "live": each.live, "dead": each.dead, "live_bytes": each.live_bytes}
        for each in inspection.queues.values()
    ]
    record: dict[str, object] = {
        "sound": not inspection.damage,
        "segments": inspection.segments,
        "records": inspection.records,
        "bytes": inspection.bytes,
    }
    if output is not Output.TABLE:
        print_record(
            record
            | {"queues": queues, "torn": _places(inspection.torn), "damage": _places(inspection.damage)},
            output,
        )
        return
    print_record(record, output)
    if queues:
        print()
        print_table(list(queues[0]), [[str(value) for value in queue.values()] for queue in queues])


def _places(damages: list[Any]) -> list[dict[str, object]]:
    return [{"file": str(each.path), "byte": each.offset, "what": each.what} for each in damages]


def dump(
    place: Place,
    *,
    queue: Annotated[
        str | None, typer.Option("--queue", metavar="QUEUE", help="Only records of this queue.")
    ] = None,
    message: Annotated[
        int | None,
        typer.Option(
            "--message",
            metavar="SEQUENCE",
            help="Only records of this message of the queue, by its sequence.",
        ),
    ] = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print the records of a store, one per line: messages added, acquired, released and removed, and why."""
    from lastvalue.store.inspection import located_records
    from lastvalue.store.record_fields import RecordFilter, record_fields

    if message is not None and queue is None:
        raise UsageError("--message needs --queue: each queue counts its messages from 1")
    with reported_faults(place):
        located = _records_in(place) if is_log_address(place) else located_records(_directory(place))
        records = iter(record_fields(located, RecordFilter(queue, message)))
        first = next(records, None)
        found = chain(() if first is None else (first,), records)
        if output is Output.TABLE:
            for fields in found:
                print(_line(fields))
        else:
            print_records(found, (), output)
    if first is None and queue is not None:
        what = f"queue {queue!r}" if message is None else f"message {message} of queue {queue!r}"
        raise CommandFailedError(
            f"the store has no record of {what}; records of messages that left long ago are deleted"
        )


def _records_in(place: str) -> "Iterator[LocatedRecord]":
    address = _log_address(place)
    from lastvalue.cluster.log_inspection import records_in_log

    return records_in_log(address)


def _directory(place: str) -> Path:
    directory = Path(place)
    if not directory.is_dir():
        what = "is a file" if directory.exists() else "does not exist"
        raise typer.BadParameter(f"{place} {what}; name the directory of a store, or the address of its log")
    return directory


def _log_address(place: str) -> LogAddress:
    if find_spec("nats") is None:
        raise UsageError("a store in a replicated log needs `pip install 'lastvalue[cluster]'`")
    try:
        return read_log_address(place)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _line(fields: dict[str, Any]) -> str:
    rest = " ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}"
        for name, value in fields.items()
        if name not in ("segment", "offset", "kind", "queue", "sequence")
    )
    what = f"{fields['kind']:<10} {fields.get('queue') or '':<16} {fields.get('sequence', ''):<8}"
    return f"{fields['segment']:>6} {fields['offset']:>10}  {what} {rest}".rstrip()


def compact(place: Place, *, output: OutputOption = Output.TABLE) -> None:
    """Rewrite a store with only its live records; no broker may have it open."""
    if is_log_address(place):
        raise UsageError("a replicated log is compacted by its broker while it runs; name a directory")
    directory = _directory(place)
    from lastvalue.store.compaction import compact as compact_store
    from lastvalue.store.inspection import checked_numbers
    from lastvalue.store.lock import StoreLock

    with reported_faults(directory):
        checked_numbers(directory)
        lock = StoreLock(directory)
        try:
            with show_progress("reading", "segments") as progress:
                before, after = compact_store(directory, SEGMENT_BYTES, progress)
        finally:
            lock.close()
    print_record({"bytes_before": before, "bytes_after": after}, output)


def snapshot(
    place: Annotated[
        str,
        typer.Argument(
            metavar="DIR|URL",
            help="A new or empty directory on the broker's machine, or a new name in object storage.",
        ),
    ],
    *,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Let a running broker write a copy of its store, as of one moment, for `serve --restore`."""
    target = place if is_object_address(place) else str(Path(place).absolute())
    with show_progress("writing", "bytes") as progress:
        size_bytes, sent_bytes = asyncio.run(_snapshot(url, target, progress))
    print_record({"directory": target, "bytes": size_bytes, "sent_bytes": sent_bytes}, output)


async def _snapshot(url: str, place: str, progress: Callable[[int, int], None]) -> tuple[int, int]:
    async with connect(url, reconnect=False) as connection:
        size_bytes = await connection.snapshot(place, progress=progress)
        state = await connection.manage("READ", kind="store")
        # A broker of an earlier version does not tell; it has sent all.
        return size_bytes, state.get("sent", size_bytes) if isinstance(state, dict) else size_bytes


@contextmanager
def reported_faults(directory: Path | str) -> Iterator[None]:
    """Turn faults of the store and of its disk into the command's error."""
    try:
        yield
    except BrokenPipeError:
        raise
    except StoreError as error:
        raise CommandFailedError(str(error)) from None
    except OSError as error:
        where = error.filename or directory
        raise CommandFailedError(f"{where} cannot be used: {error.strerror or error}") from None


store_app.command("check", epilog="Example: lastvalue store check /var/lib/lastvalue")(check)
store_app.command(
    "dump", epilog="Example: lastvalue store dump /var/lib/lastvalue --queue orders --message 17"
)(dump)
store_app.command("compact", epilog="Example: lastvalue store compact /var/lib/lastvalue")(compact)
store_app.command("snapshot", epilog="Example: lastvalue store snapshot s3://backup/prices/today")(snapshot)
