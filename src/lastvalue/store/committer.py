"""A thread that writes commits in order and retries each until it succeeds."""

import queue
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final, final

from mypy_extensions import mypyc_attr

from lastvalue.store.batch_log import Commit, Syncs, SyncTimes
from lastvalue.store.files import FULL
from lastvalue.store.reserve import Reserve
from lastvalue.store.writer import SegmentWriter, Sync

RETRY_S: float = 1.0
"""The time between two attempts; no constant to the compiler, as tests shorten it."""

PACED_BYTES: Final = 64 << 10
"""The smallest batch that measures the disk's speed; the time of a smaller one is mostly the sync's."""
LAST_TRIES: Final = 3
"""How often a failing step is tried while the store closes."""


@mypyc_attr(native_class=False)
class _ClosingError(Exception):
    """The store closes although the disk fails."""


@final
class Committer:
    """Writes, syncs by the policy, and deletes; tries failed steps again every second.

    The event loop writes nothing itself: what comes alone would be safe a quarter sooner, but a disk that
    hangs would hold up everybody.

    On a full disk it releases the reserve and continues with that room. Until the reserve is back the disk
    counts as full.

    Attributes:
        fault: why the store cannot be written now, or None.
        failures: how often a write has failed.
        bytes_per_s: the speed of the last batch of at least PACED_BYTES, written and synced; 0 before it.
    """

    def __init__(self, writer: SegmentWriter, sync: Sync, interval_ms: int, reserve: Reserve) -> None:
        self.fault: OSError | None = None
        self.failures = 0
        self.bytes_per_s = 0.0
        self._sync_times = SyncTimes()
        self._writer = writer
        self._reserve = reserve
        self._restore_at = 0.0
        self._notify: Callable[[], None] = lambda: None
        self._policy = sync
        self._interval_s = interval_ms / 1000
        self._sync_at: float | None = None
        self._commits: queue.SimpleQueue[Commit | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._writing_thread = threading.Thread(target=self._run, name="lastvalue-journal", daemon=True)
        self._writing_thread.start()

    @property
    def syncs(self) -> Syncs:
        """The syncs so far."""
        return self._sync_times.syncs

    def submit(self, commit: Commit) -> None:
        """Queue a commit behind the earlier ones."""
        self._commits.put(commit)

    def close(self, last: Commit | None) -> None:
        """Carry out the queued commits and a last one, then end; give up on a disk that keeps failing."""
        self._closing.set()
        if last is not None:
            self._commits.put(last)
        self._commits.put(None)
        self._writing_thread.join()

    def _run(self) -> None:
        try:
            while True:
                try:
                    commit = self._commits.get(timeout=self._wait_s())
                except queue.Empty:
                    if self._sync_is_due():
                        self._persist(self._sync, lambda: None)
                    self._restore_reserve()
                    continue
                if commit is None:
                    self._persist(self._writer.close, lambda: None)
                    return
                self._carry_out(commit)
        except _ClosingError:
            # The owner sees by `fault` that what was not confirmed is lost.
            return

    def _wait_s(self) -> float | None:
        """The time until there is something to do besides the commits."""
        if self._sync_at is None and not self._reserve.missing:
            return None
        times_s = [self._sync_at] if self._sync_at is not None else []
        if self._reserve.missing:
            times_s.append(self._restore_at)
        return max(0.0, min(times_s) - time.monotonic())

    def _sync_is_due(self) -> bool:
        return self._sync_at is not None and self._sync_at <= time.monotonic()

    def _carry_out(self, commit: Commit) -> None:
        began_s = time.monotonic()
        if commit.records:
            self._persist(partial(self._writer.write, commit.segment, commit.records), commit.failed)
            if self._policy is Sync.INTERVAL and self._sync_at is None:
                self._sync_at = time.monotonic() + self._interval_s
        # The records that replace a segment are safe before it is deleted, whatever the policy.
        if self._policy is Sync.ALWAYS or commit.obsolete or self._sync_is_due():
            self._persist(self._sync, commit.failed)
        if len(commit.records) >= PACED_BYTES:
            self.bytes_per_s = len(commit.records) / max(time.monotonic() - began_s, 1e-6)
        for segment in commit.obsolete:
            self._persist(partial(self._writer.delete, segment), commit.failed)
        self._notify = commit.failed
        if self._reserve.missing and (commit.obsolete or self._restore_at <= time.monotonic()):
            self._restore_reserve()
        commit.done()

    def _sync(self) -> None:
        began_s = time.monotonic()
        self._writer.sync()
        self._sync_times.add(time.monotonic() - began_s)
        self._sync_at = None

    def _persist(self, step: Callable[[], None], failed: Callable[[], None]) -> None:
        """Repeat a step until it succeeds, so that no record is lost and the order stays."""
        tries = 0
        while True:
            try:
                step()
            except OSError as fault:
                self.failures += 1
                if fault.errno in FULL and self._release_reserve(fault):
                    failed()
                    continue
                self.fault = fault
                failed()
                if self._closing.wait(RETRY_S):
                    tries += 1
                    if tries == LAST_TRIES:
                        raise _ClosingError from fault
                continue
            if not self._reserve.missing:
                self.fault = None
            return

    def _release_reserve(self, fault: OSError) -> bool:
        """Make room for what was taken and for removals; false where the reserve is used up."""
        try:
            released = self._reserve.release()
        except OSError as why:
            fault.add_note(f"the store's reserve cannot be deleted: {why}")
            return False
        if released:
            size_bytes = self._reserve.size_bytes
            uses = "for acknowledgements and compaction"
            fault.add_note(f"the store continues with its reserve of {size_bytes} bytes, {uses}")
            self.fault = fault
        return released

    def _restore_reserve(self) -> None:
        """Take the reserve's room again, and with it durable messages; or try again later."""
        if not self._reserve.missing:
            return
        try:
            self._reserve.make()
        except OSError as fault:
            self.fault = self.fault or fault
            self._restore_at = time.monotonic() + RETRY_S
            return
        self.fault = None
        self._notify()
