"""Snapshots of a running broker's store, in a thread of their own."""

import errno
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from lastvalue.broker.administration.snapshot_requests import SnapshotRefusedError, Snapshots
from lastvalue.server.clock import Clock
from lastvalue.server.log_events import SNAPSHOT_FAILED, SNAPSHOT_WRITTEN
from lastvalue.store.file_log import FileLog
from lastvalue.store.object_address import ObjectAddress, is_object_address, read_object_address
from lastvalue.store.object_storage import check_installed
from lastvalue.store.segments import StoreError
from lastvalue.store.snapshot import Part, Progress, capture, make_target, release, write_snapshot
from lastvalue.store.snapshot_repository import SnapshotRepository
from lastvalue.store.store_journal import StoreJournal

Files: TypeAlias = Callable[[], Mapping[Path, int]]


class _StoppedError(StoreError):
    """The broker is shutting down."""


class StoreSnapshots(Snapshots):
    """Writes one snapshot at a time: the journal's thread opens the files, another thread copies them.

    Args:
        journal: of the store.
        files: its log.
        clock: the time of snapshots.
        root: the directory, or the address in object storage, below which snapshots are written; None refuses
            all.

    Attributes:
        written_ms: when the last one was written; 0 is never.
    """

    def __init__(
        self, journal: StoreJournal, files: FileLog, clock: Clock, root: Path | ObjectAddress | None
    ) -> None:
        self._root = root.resolve() if isinstance(root, Path) else root
        self.written_ms = 0
        self._journal = journal
        self._files = files
        self._clock = clock
        self._state: dict[str, Any] = {"state": "none"}
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()

    def begin(self, directory: str) -> None:
        """Begin a snapshot; its moment is the next one between two batches of the journal."""
        if self._state["state"] == "running":
            raise SnapshotRefusedError(
                f"a snapshot is being written into {self._state['directory']}; wait for it"
            )
        target = self._target(directory)
        if self._journal.fault is not None:
            raise SnapshotRefusedError(f"the store cannot be written: {self._journal.fault}")
        try:
            target.begin()
        except (OSError, StoreError) as fault:
            raise SnapshotRefusedError(_text(directory, fault)) from None
        self._state = {"state": "running", "directory": directory, "written": 0, "bytes": 0}
        self._files.at_rest(lambda files: self._moment(directory, target, files))

    def _target(self, place: str) -> "_Directory | _Repository":
        if self._root is None:
            raise SnapshotRefusedError(
                "the broker writes no snapshots; start it with `lastvalue serve --snapshots DIR|URL`"
            )
        if isinstance(self._root, Path):
            if not is_object_address(place) and self._root in Path(place).resolve().parents:
                return _Directory(Path(place))
            where = f"directories below {self._root}"
        else:
            if is_object_address(place) and (address := _address(place)).is_below(self._root):
                return _Repository(address)
            where = f"object storage below {self._root}"
        raise SnapshotRefusedError(f"snapshots are written into {where}; {_shown(place)} is not below it")

    def segments(self) -> list[dict[str, int]]:
        """See Snapshots."""
        return [{"number": number, "bytes": size} for number, size in self._journal.segment_bytes.items()]

    def state(self) -> dict[str, Any]:
        """The state of the last snapshot."""
        return dict(self._state)

    def stop(self) -> None:
        """Abort a running snapshot, and remove its files."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _moment(self, directory: str, target: "_Directory | _Repository", files: Files) -> None:
        """Runs in the journal's thread, between two batches."""
        taken_ms = self._clock.now_ms()
        try:
            parts = capture(files())
        except OSError as fault:
            self._fail(directory, target, fault)
            return

        def copy() -> None:
            try:
                sent_bytes = target.write(parts, taken_ms, self._advance)
            except (OSError, StoreError) as fault:
                self._fail(directory, target, fault)
            else:
                self._state = {**self._state, "state": "done", "taken_ms": taken_ms, "sent": sent_bytes}
                self.written_ms = taken_ms
                SNAPSHOT_WRITTEN.log(directory=directory, bytes=self._state.get("bytes"), sent=sent_bytes)
            finally:
                release(parts)

        self._thread = threading.Thread(target=copy, name="lastvalue-snapshot")
        self._thread.start()

    def _advance(self, written: int, of: int) -> None:
        if self._stopped.is_set():
            raise _StoppedError("the broker is shutting down")
        self._state = {**self._state, "written": written, "bytes": of}

    def _fail(self, directory: str, target: "_Directory | _Repository", fault: Exception) -> None:
        target.give_up()
        text = _text(directory, fault)
        SNAPSHOT_FAILED.log(directory=directory, cause=text)
        self._state = {**self._state, "state": "failed", "reason": text}


class _Directory:
    """A snapshot in a directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._new = False

    def begin(self) -> None:
        """Create it, or check that it is empty; called by the loop."""
        self._new = make_target(self._directory)

    def write(self, parts: list[Part], taken_ms: int, progress: Progress) -> int:
        """Write it; returns how many bytes that took."""
        write_snapshot(parts, self._directory, taken_ms, progress)
        return sum(part.size for part in parts)

    def give_up(self) -> None:
        """Remove what `begin` has made."""
        if self._new:
            with suppress(OSError):
                self._directory.rmdir()


class _Repository:
    """A snapshot in object storage, which `write` alone asks, because it may be slow."""

    def __init__(self, address: ObjectAddress) -> None:
        self._address = address

    def begin(self) -> None:
        """Check that it can be asked."""
        check_installed()

    def write(self, parts: list[Part], taken_ms: int, progress: Progress) -> int:
        """Write it; returns how many bytes were sent."""
        repository = SnapshotRepository(self._address.parent)
        return repository.write(self._address.name, parts, taken_ms, progress)

    def give_up(self) -> None:
        """Do nothing: `write` has removed what there was."""


class LogSnapshots(Snapshots):
    """Says that a store in a replicated log has no files that could be copied."""

    def __init__(self, journal: StoreJournal) -> None:
        self._journal = journal

    def begin(self, directory: str) -> None:
        """See Snapshots; it always refuses."""
        raise SnapshotRefusedError(
            f"nothing is written into {directory}: the store is in a replicated log; "
            "`nats stream backup` copies its stream"
        )

    def segments(self) -> list[dict[str, int]]:
        """See Snapshots."""
        return [{"number": number, "bytes": size} for number, size in self._journal.segment_bytes.items()]

    def state(self) -> dict[str, Any]:
        """See Snapshots."""
        return {"state": "none"}


def _address(place: str) -> ObjectAddress:
    try:
        return read_object_address(place)
    except ValueError as fault:
        raise SnapshotRefusedError(f"this is no address of a snapshot: {fault}") from None


def _shown(place: str) -> str:
    """A place, or that it is a URL: one of another form may have credentials."""
    return "a URL" if is_object_address(place) else place


def _text(directory: str, fault: Exception) -> str:
    if isinstance(fault, OSError):
        if fault.errno == errno.ENOSPC:
            return f"the disk of {directory} is full; what was written there is removed"
        return f"{directory} cannot be written: {os.strerror(fault.errno) if fault.errno else fault}"
    return str(fault)
