"""Snapshots of a running broker's store, in a thread of their own."""

import errno
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from lastvalue.broker.snapshot_requests import SnapshotRefusedError, Snapshots
from lastvalue.server.clock import Clock
from lastvalue.server.log_events import SNAPSHOT_FAILED, SNAPSHOT_WRITTEN
from lastvalue.store.file_log import FileLog
from lastvalue.store.segments import StoreError
from lastvalue.store.snapshot import capture, make_target, release, write_snapshot
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
        root: the directory below which snapshots are written; None refuses all.

    Attributes:
        written_ms: when the last one was written; 0 is never.
    """

    def __init__(self, journal: StoreJournal, files: FileLog, clock: Clock, root: Path | None) -> None:
        self._root = None if root is None else root.resolve()
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
        self._check_place(Path(directory))
        if self._journal.fault is not None:
            raise SnapshotRefusedError(f"the store cannot be written: {self._journal.fault}")
        try:
            new = make_target(Path(directory))
        except (OSError, StoreError) as fault:
            raise SnapshotRefusedError(_text(directory, fault)) from None
        self._state = {"state": "running", "directory": directory, "written": 0, "bytes": 0}
        self._files.at_rest(lambda files: self._moment(directory, new, files))

    def _check_place(self, directory: Path) -> None:
        if self._root is None:
            raise SnapshotRefusedError(
                "the broker writes no snapshots; start it with `lastvalue serve --snapshots DIR`"
            )
        if self._root not in directory.resolve().parents:
            raise SnapshotRefusedError(
                f"snapshots are written into directories below {self._root}; {directory} is not below it"
            )

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

    def _moment(self, directory: str, new: bool, files: Files) -> None:  # noqa: FBT001 - private
        """Runs in the journal's thread, between two batches."""
        taken_ms = self._clock.now_ms()
        try:
            parts = capture(files())
        except OSError as fault:
            self._fail(directory, new, fault)
            return

        def copy() -> None:
            try:
                write_snapshot(parts, Path(directory), taken_ms, self._advance)
            except (OSError, StoreError) as fault:
                self._fail(directory, new, fault)
            else:
                self._state = {**self._state, "state": "done", "taken_ms": taken_ms}
                self.written_ms = taken_ms
                SNAPSHOT_WRITTEN.log(directory=directory, bytes=self._state.get("bytes"))
            finally:
                release(parts)

        self._thread = threading.Thread(target=copy, name="lastvalue-snapshot")
        self._thread.start()

    def _advance(self, written: int, of: int) -> None:
        if self._stopped.is_set():
            raise _StoppedError("the broker is shutting down")
        self._state = {**self._state, "written": written, "bytes": of}

    def _fail(self, directory: str, new: bool, fault: Exception) -> None:  # noqa: FBT001 - private
        if new:
            with suppress(OSError):
                Path(directory).rmdir()
        text = _text(directory, fault)
        SNAPSHOT_FAILED.log(directory=directory, cause=text)
        self._state = {**self._state, "state": "failed", "reason": text}


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


def _text(directory: str, fault: Exception) -> str:
    if isinstance(fault, OSError):
        if fault.errno == errno.ENOSPC:
            return f"the disk of {directory} is full; what was written there is removed"
        return f"{directory} cannot be written: {os.strerror(fault.errno) if fault.errno else fault}"
    return str(fault)
