"""`lastvalue snapshot`: list, verify, restore and delete the snapshots of stores."""

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from lastvalue.cli.exits import ExitCode, UsageError, complain
from lastvalue.cli.options import Columns, OutputOption, Tables
from lastvalue.cli.output import Output, print_record, print_records
from lastvalue.cli.progress import show_progress
from lastvalue.cli.store import reported_faults

if TYPE_CHECKING:
    from lastvalue.store.object_address import ObjectAddress

snapshot_app = typer.Typer(
    no_args_is_help=True,
    help="List, verify, restore and delete snapshots; `store snapshot` takes one.",
)

COLUMNS: Final = ("name", "taken_ms", "files", "bytes", "restorable", "fault")
RESTORED: Final = ("queue", "from", "as_of_ms", "messages", "note")


def _existing(place: str) -> str:
    """A directory that exists, or a URL."""
    if "://" not in place and not Path(place).is_dir():
        raise typer.BadParameter(f"{place} is no directory; name one that exists, or a URL of object storage")
    return place


Snapshot: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="DIR|URL", callback=_existing, help="The directory of one snapshot, or its URL."),
]


def list_(
    place: Annotated[
        str,
        typer.Argument(
            metavar="DIR|URL",
            callback=_existing,
            help="The directory in which the snapshots' directories are, or the URL above theirs.",
        ),
    ],
    *,
    output: OutputOption = Output.TABLE,
    columns: Columns = None,
) -> None:
    """Print the snapshots below a place, the oldest first, and which of them can be restored."""
    from lastvalue.store.snapshot_places import read_snapshot_place, snapshots_at

    with reported_faults(place):
        records = [
            {
                "name": each.name,
                "taken_ms": each.taken_ms,
                "files": each.files,
                "bytes": each.size_bytes,
                "restorable": not each.fault,
                "fault": each.fault,
            }
            for each in snapshots_at(read_snapshot_place(place))
        ]
    print_records(records, COLUMNS, output, columns)


def verify(place: Snapshot, *, output: OutputOption = Output.TABLE) -> None:
    """Read every byte of a snapshot and count its records; exit code 1 if it is unfinished or damaged."""
    from lastvalue.store.snapshot_places import read_snapshot_place, snapshot_at, verify_at

    with reported_faults(place), show_progress("verifying", "done") as progress:
        where = read_snapshot_place(place)
        inspection, damage = verify_at(where, progress)
        summary = snapshot_at(where)
    for each in damage:
        complain(f"{each.path} is damaged at byte {each.offset}: {each.what}")
    record = {
        "sound": not damage,
        "taken_ms": summary.taken_ms if summary else 0,
        "segments": inspection.segments,
        "records": inspection.records,
        "bytes": inspection.bytes,
        "queues": len(inspection.queues),
        "messages": sum(queue.live for queue in inspection.queues.values()),
    }
    print_record(record, output)
    if damage:
        raise typer.Exit(ExitCode.FAILED)


def restore(
    snapshot: Snapshot,
    store: Annotated[
        Path, typer.Argument(metavar="STORE", help="The store's directory, which is new or empty.")
    ],
    *,
    as_of: Annotated[
        str | None,
        typer.Option(
            "--as-of",
            metavar="TIME",
            help="The moment to restore, for queues with a history: ISO 8601, or before now as in -5m. "
            "The place of several snapshots may be named then: the last one before is taken.",
        ),
    ] = None,
    tables: Tables = None,
    from_snapshot: Annotated[
        list[str] | None,
        typer.Option(
            "--from-snapshot",
            metavar="QUEUE",
            help="Take this queue from the snapshot, not from its history.",
        ),
    ] = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Make a store of a snapshot; with --as-of, of what queues with a history held at a later moment."""
    from lastvalue.store.snapshot_places import read_snapshot_place, restore_from

    with reported_faults(store):
        place = read_snapshot_place(snapshot)
        if as_of is not None:
            _restore_as_of(place, store, as_of, tables, from_snapshot or (), output)
            return
        if from_snapshot:
            raise UsageError("--from-snapshot needs --as-of, the moment to restore")
        with show_progress("restoring", "bytes") as progress:
            restore_from(place, store, progress)
        print_record({"store": str(store), "snapshot": str(place)}, output)


def _restore_as_of(
    place: "Path | ObjectAddress",
    store: Path,
    as_of: str,
    tables: str | None,
    kept: Iterable[str],
    output: Output,
) -> None:
    from lastvalue.cli.restored_queues import Histories, last_before, restore_as_of
    from lastvalue.history.recorded_history import open_tables
    from lastvalue.history.times import read_time

    if tables is None:
        raise UsageError("--as-of needs --tables, which have the histories")
    now_ms = time.time_ns() // 1_000_000
    time_ms = read_time(as_of, now_ms)
    if time_ms > now_ms:
        raise UsageError(f"--as-of {as_of} is in the future")
    chosen, taken_ms = last_before(place, time_ms)
    histories = Histories(open_tables(tables), tables, time_ms, taken_ms, frozenset(kept))
    queues, transactions = restore_as_of(chosen, store, histories, now_ms)
    print_records([each.document() for each in queues], RESTORED, output)
    if transactions:
        complain(f"{transactions} prepared transactions of the snapshot are left out")


def delete(
    place: Annotated[str, typer.Argument(metavar="URL", help="The URL of one snapshot.")],
    *,
    output: OutputOption = Output.TABLE,
) -> None:
    """Delete a snapshot, finished or not, from object storage, with the parts that no other one has."""
    from lastvalue.store.object_address import ObjectAddress
    from lastvalue.store.snapshot_places import delete_at, read_snapshot_place

    with reported_faults(place):
        where = read_snapshot_place(place)
        if not isinstance(where, ObjectAddress):
            raise UsageError(f"{place} is a directory, which is deleted as others are; name a URL")
        parts = delete_at(where)
    print_record({"deleted": str(where), "parts": parts}, output)


snapshot_app.command("list", epilog="Example: lastvalue snapshot list /backup")(list_)
snapshot_app.command("verify", epilog="Example: lastvalue snapshot verify /backup/today")(verify)
snapshot_app.command(
    "restore",
    epilog="Example: lastvalue snapshot restore /backup /var/lib/restored --as-of -5m --tables /histories",
)(restore)
snapshot_app.command("delete", epilog="Example: lastvalue snapshot delete s3://backup/prices/today")(delete)
