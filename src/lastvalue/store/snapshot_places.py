"""Snapshots wherever they are: in directories, or in object storage."""

from pathlib import Path
from tempfile import TemporaryDirectory

from lastvalue.store import snapshot
from lastvalue.store.inspection import Damage, Inspection
from lastvalue.store.object_address import ObjectAddress, is_object_address, read_object_address
from lastvalue.store.snapshot import MANIFEST, Progress, SnapshotError, SnapshotSummary
from lastvalue.store.snapshot_repository import SnapshotRepository


def read_snapshot_place(text: str) -> Path | ObjectAddress:
    """The directory or the address that a text names.

    Raises:
        SnapshotError: it is meant as an address, and has another form.
    """
    if not is_object_address(text):
        return Path(text)
    try:
        return read_object_address(text)
    except ValueError as fault:
        raise SnapshotError(f"this is no address of snapshots: {fault}") from None


def snapshots_at(place: Path | ObjectAddress) -> list[SnapshotSummary]:
    """The snapshots below a place, the oldest first.

    Raises:
        SnapshotError: there is no such directory.
        ObjectStorageError, OSError: it cannot be read.
    """
    if isinstance(place, Path):
        return snapshot.snapshots_in(place)
    return SnapshotRepository(place).summaries()


def snapshot_at(place: Path | ObjectAddress) -> SnapshotSummary | None:
    """The snapshot that a place is, finished or not; None if it is none.

    Raises:
        ObjectStorageError, OSError: it cannot be read.
    """
    if isinstance(place, Path):
        return snapshot.summary_of(place) if (place / MANIFEST).exists() else None
    found = SnapshotRepository(place.parent).summaries() if place.name else []
    return next((each for each in found if each.name == place.name), None)


def below(place: Path | ObjectAddress, name: str) -> Path | ObjectAddress:
    """The place of a snapshot below a place."""
    return place / name if isinstance(place, Path) else ObjectAddress(f"{place}/{name}")


def restore_from(place: Path | ObjectAddress, directory: Path, progress: Progress) -> None:
    """Copy a snapshot into a store's directory, which is created or must be empty.

    Raises:
        SnapshotError: the snapshot is not finished or is damaged, or the directory is not empty.
        ObjectStorageError, OSError: one of them cannot be read or written.
    """
    if isinstance(place, Path):
        snapshot.restore(place, directory, progress)
    else:
        SnapshotRepository(place.parent).restore(place.name, directory, progress)


def verify_at(place: Path | ObjectAddress, progress: Progress) -> tuple[Inspection, list[Damage]]:
    """Read every byte of a snapshot; what is in it, and what is damaged.

    One in object storage is copied into a temporary directory.

    Raises:
        SnapshotError: it is not finished, a file has another size, or a part of it is missing or damaged.
        StoreError: it has a later format, or object storage cannot be read.
        OSError: a file cannot be read or written.
    """
    if isinstance(place, Path):
        return snapshot.verify(place, progress)
    with TemporaryDirectory(prefix="lastvalue-verify-") as temporary:
        directory = Path(temporary) / place.name
        restore_from(place, directory, progress)
        return snapshot.examined(directory, progress)


def delete_at(place: ObjectAddress) -> int:
    """Delete a snapshot, and what no other needs; returns how many parts that were.

    Raises:
        SnapshotError: there is none.
        ObjectStorageError: it cannot be deleted.
    """
    return SnapshotRepository(place.parent).delete(place.name)
