"""`lastvalue snapshot`: list and verify the snapshots of stores."""

from pathlib import Path
from typing import Annotated, Final

import typer

from lastvalue.cli.exits import ExitCode, complain
from lastvalue.cli.options import Columns, OutputOption
from lastvalue.cli.output import Output, print_record, print_records
from lastvalue.cli.progress import show_progress
from lastvalue.cli.store import faults_told

snapshot_app = typer.Typer(
    no_args_is_help=True,
    help="List and verify snapshots; `store snapshot` takes one, `serve --restore` uses one.",
)

COLUMNS: Final = ("name", "taken_ms", "files", "bytes", "restorable", "fault")


def list_(
    directory: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            exists=True,
            file_okay=False,
            help="The directory in which the snapshots' directories are.",
        ),
    ],
    *,
    output: OutputOption = Output.TABLE,
    columns: Columns = None,
) -> None:
    """Print the snapshots in a directory, the oldest first, and which of them can be restored."""
    from lastvalue.store.snapshot import snapshots_in

    with faults_told(directory):
        records = [
            {
                "name": each.directory.name,
                "taken_ms": each.taken_ms,
                "files": each.files,
                "bytes": each.size_bytes,
                "restorable": not each.fault,
                "fault": each.fault,
            }
            for each in snapshots_in(directory)
        ]
    print_records(records, COLUMNS, output, columns)


def verify(
    directory: Annotated[
        Path,
        typer.Argument(metavar="DIR", exists=True, file_okay=False, help="The directory of one snapshot."),
    ],
    *,
    output: OutputOption = Output.TABLE,
) -> None:
    """Read every byte of a snapshot and count its records; exit code 1 if it is unfinished or damaged."""
    from lastvalue.store.snapshot import summary_of
    from lastvalue.store.snapshot import verify as verify_snapshot

    with faults_told(directory), show_progress("verifying", "segments") as progress:
        inspection, damage = verify_snapshot(directory, progress)
        taken_ms = summary_of(directory).taken_ms
    for each in damage:
        complain(f"{each.path} is damaged at byte {each.offset}: {each.what}")
    record = {
        "sound": not damage,
        "taken_ms": taken_ms,
        "segments": inspection.segments,
        "records": inspection.records,
        "bytes": inspection.bytes,
        "queues": len(inspection.queues),
        "messages": sum(queue.live for queue in inspection.queues.values()),
    }
    print_record(record, output)
    if damage:
        raise typer.Exit(ExitCode.FAILED)


snapshot_app.command("list", epilog="Example: lastvalue snapshot list /backup")(list_)
snapshot_app.command("verify", epilog="Example: lastvalue snapshot verify /backup/today")(verify)
