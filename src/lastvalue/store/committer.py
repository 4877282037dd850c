"""A thread that writes commits in order and retries each until it succeeds."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, Protocol, final

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
class ClosingError(Exception):
    """The store closes although the disk fails."""


class Worker(Protocol):
    """Carries out commits in order, in a thread other than that of the journal's owner."""

    def submit(self, commit: Commit) -> None:
        """Queue a commit behind the earlier ones."""

    def close(self, last: Commit | None) -> None:
        """Carry out the queued commits and a last one, then end; give up on a disk that keeps failing."""


@final
class CommitSteps:
    """Writes, syncs by the policy, and deletes; tries failed steps again until they succeed.

    It waits for nothing itself: a method that is an iterator gives the seconds after which it continues.

    On a full disk it releases the reserve and continues with that room. Until the reserve is back the disk
    counts as full.

    Attributes:
        closing: a step that fails a few times more is given up.
        fault: why the store cannot be written now, or None.
        failures: how often a write has failed.
        bytes_per_s: the speed of the last batch of at least PACED_BYTES, written and synced; 0 before it.
    """

    def __init__(self, writer: SegmentWriter, sync: Sync, interval_ms: int, reserve: Reserve) -> None:
        self.closing = False
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

    @property
    def syncs(self) -> Syncs:
        """The syncs so far."""
        return self._sync_times.syncs

    def wait_s(self) -> float | None:
        """The time until `look` has something to do, besides the commits; None is never."""
        if self._sync_at is None and not self._reserve.missing:
            return None
        times_s = [self._sync_at] if self._sync_at is not None else []
        if self._reserve.missing:
            times_s.append(self._restore_at)
        return max(0.0, min(times_s) - time.monotonic())

    def look(self) -> Iterator[float]:
        """Do what is due without a commit."""
        if self._sync_is_due():
            yield from self._persist(self._sync, lambda: None)
        self._restore_reserve()

    def close(self) -> Iterator[float]:
        """Finish the files.

        Raises:
            ClosingError: the disk fails.
        """
        yield from self._persist(self._writer.close, lambda: None)

    def _sync_is_due(self) -> bool:
        return self._sync_at is not None and self._sync_at <= time.monotonic()

    def carry_out(self, commit: Commit) -> Iterator[float]:
        """Carry out one commit.

        Raises:
            ClosingError: the store closes, and the disk fails.
        """
        began_s = time.monotonic()
        if commit.records:
            write = partial(self._writer.write, commit.segment, commit.records)
            yield from self._persist(write, commit.failed)
            if self._policy is Sync.INTERVAL and self._sync_at is None:
                self._sync_at = time.monotonic() + self._interval_s
        # The records that replace a segment are safe before it is deleted, whatever the policy.
        if self._policy is Sync.ALWAYS or commit.obsolete or self._sync_is_due():
            yield from self._persist(self._sync, commit.failed)
        if len(commit.records) >= PACED_BYTES:
            self.bytes_per_s = len(commit.records) / max(time.monotonic() - began_s, 1e-6)
        for segment in commit.obsolete:
            yield from self._persist(partial(self._writer.delete, segment), commit.failed)
        self._notify = commit.failed
        if self._reserve.missing and (commit.obsolete or self._restore_at <= time.monotonic()):
            self._restore_reserve()
        commit.done()

    def _sync(self) -> None:
        began_s = time.monotonic()
        self._writer.sync()
        self._sync_times.add(time.monotonic() - began_s)
        self._sync_at = None

    def _persist(self, step: Callable[[], None], failed: Callable[[], None]) -> Iterator[float]:
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
            else:
                if not self._reserve.missing:
                    self.fault = None
                return
            yield RETRY_S
            if self.closing:
                tries += 1
                if tries == LAST_TRIES:
                    raise ClosingError

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


@final
class Committer:
    """The thread that carries out the commits.

    The event loop writes nothing itself: what comes alone would be safe a quarter sooner, but a disk that
    hangs would hold up everybody.
    """

    def __init__(self, steps: CommitSteps) -> None:
        self._steps = steps
        self._commits: queue.SimpleQueue[Commit | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._writing_thread = threading.Thread(target=self._run, name="lastvalue-journal", daemon=True)
        self._writing_thread.start()

    def submit(self, commit: Commit) -> None:
        """See Worker."""
        self._commits.put(commit)

    def close(self, last: Commit | None) -> None:
        """See Worker."""
        self._steps.closing = True
        self._closing.set()
        if last is not None:
            self._commits.put(last)
        self._commits.put(None)
        self._writing_thread.join()

    def _run(self) -> None:
        try:
            while self._take():
                pass
        except ClosingError:
            # The owner sees by `fault` that what was not confirmed is lost.
            return

    def _take(self) -> bool:
        """Wait for a commit, or for something that is due, and carry it out; false at the end."""
        try:
            commit = self._commits.get(timeout=self._steps.wait_s())
        except queue.Empty:
            self._carry_out(self._steps.look())
            return True
        self._carry_out(self._steps.close() if commit is None else self._steps.carry_out(commit))
        return commit is not None

    def _carry_out(self, steps: Iterator[float]) -> None:
        for wait_s in steps:
            self._closing.wait(wait_s)
