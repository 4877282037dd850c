"""`lastvalue snapshot`: list, verify, restore and delete the snapshots of stores."""

from typing import Annotated, Final, TypeAlias

import typer

from lastvalue.cli.exits import ExitCode, UsageError, complain
from lastvalue.cli.options import Columns, OutputOption
from lastvalue.cli.output import Output, print_record, print_records
from lastvalue.cli.progress import show_progress
from lastvalue.cli.store import faults_told

snapshot_app = typer.Typer(
    no_args_is_help=True,
    help="List, verify, restore and delete snapshots; `store snapshot` takes one.",
)

COLUMNS: Final = ("name", "taken_ms", "files", "bytes", "restorable", "fault")

Snapshot: TypeAlias = Annotated[
    str, typer.Argument(metavar="DIR|URL", help="The directory of one snapshot, or its URL.")
]


def list_(
    place: Annotated[
        str,
        typer.Argument(
            metavar="DIR|URL",
            help="The directory in which the snapshots' directories are, or the URL above theirs.",
        ),
    ],
    *,
    output: OutputOption = Output.TABLE,
    columns: Columns = None,
) -> None:
    """Print the snapshots below a place, the oldest first, and which of them can be restored."""
    from lastvalue.store.snapshot_places import read_snapshot_place, snapshots_at

    with faults_told(place):
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

    with faults_told(place), show_progress("verifying", "done") as progress:
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


def delete(
    place: Annotated[str, typer.Argument(metavar="URL", help="The URL of one snapshot.")],
    *,
    output: OutputOption = Output.TABLE,
) -> None:
    """Delete a snapshot, finished or not, from object storage, with the parts that no other one has."""
    from lastvalue.store.object_address import ObjectAddress
    from lastvalue.store.snapshot_places import delete_at, read_snapshot_place

    with faults_told(place):
        where = read_snapshot_place(place)
        if not isinstance(where, ObjectAddress):
            raise UsageError(f"{place} is a directory, which is deleted as others are; name a URL")
        parts = delete_at(where)
    print_record({"deleted": str(where), "parts": parts}, output)


snapshot_app.command("list", epilog="Example: lastvalue snapshot list /backup")(list_)
snapshot_app.command("verify", epilog="Example: lastvalue snapshot verify /backup/today")(verify)
snapshot_app.command("delete", epilog="Example: lastvalue snapshot delete s3://backup/prices/today")(delete)
