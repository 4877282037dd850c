"""Carries out commits in a thread of its own, one after the other, until each has succeeded."""

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from lastvalue.store.writer import SegmentWriter, Sync

logger = logging.getLogger(__name__)

RETRY_S: Final = 1.0
PACED_BYTES: Final = 64 << 10
"""A smaller batch says more about a sync than about how fast the disk is."""
LAST_TRIES: Final = 3
"""How often something is tried when the store is to close."""


@dataclass(frozen=True)
class Commit:
    """A batch for a segment, and what to do about it.

    Attributes:
        obsolete: segments that may go once the batch is safe.
        done: called in the committer's thread when all is done.
        failed: called there when something failed and will be tried again.
    """

    segment: int
    records: bytes
    obsolete: list[int] = field(default_factory=list)
    done: Callable[[], None] = lambda: None
    failed: Callable[[], None] = lambda: None


class _ClosingError(Exception):
    """It is to end although the disk takes nothing."""


class Committer:
    """Writes, syncs by the policy, and deletes; what fails is tried again every second.

    Attributes:
        fault: why nothing can be written at the moment, or None.
        bytes_per_s: how fast the last batch of some size was written and made safe; 0 before the first.
    """

    def __init__(self, writer: SegmentWriter, sync: Sync, interval_ms: int) -> None:
        self.fault: OSError | None = None
        self.bytes_per_s = 0.0
        self._writer = writer
        self._policy = sync
        self._interval_s = interval_ms / 1000
        self._sync_at: float | None = None
        self._commits: queue.SimpleQueue[Commit | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lastvalue-journal", daemon=True)
        self._thread.start()

    def submit(self, commit: Commit) -> None:
        """Have it carried out after those before it."""
        self._commits.put(commit)

    def close(self, last: Commit | None) -> None:
        """Carry out what waits and a last commit, and end; a disk that takes nothing is not waited for."""
        self._closing.set()
        if last is not None:
            self._commits.put(last)
        self._commits.put(None)
        self._thread.join()

    def _run(self) -> None:
        try:
            while True:
                try:
                    commit = self._commits.get(timeout=self._wait_s())
                except queue.Empty:
                    self._persist(self._sync, lambda: None)
                    continue
                if commit is None:
                    self._persist(self._writer.close, lambda: None)
                    return
                self._carry_out(commit)
        except _ClosingError:
            logger.error("the store is closed with a fault; what was not confirmed is lost: %s", self.fault)  # noqa: TRY400 - the operator's fault

    def _wait_s(self) -> float | None:
        return None if self._sync_at is None else max(0.0, self._sync_at - time.monotonic())

    def _carry_out(self, commit: Commit) -> None:
        began_s = time.monotonic()
        if commit.records:
            self._persist(partial(self._writer.write, commit.segment, commit.records), commit.failed)
            if self._policy is Sync.INTERVAL and self._sync_at is None:
                self._sync_at = time.monotonic() + self._interval_s
        # What replaces a segment is safe before the segment goes, whatever the policy.
        if self._policy is Sync.ALWAYS or commit.obsolete or self._wait_s() == 0:
            self._persist(self._sync, commit.failed)
        if len(commit.records) >= PACED_BYTES:
            self.bytes_per_s = len(commit.records) / max(time.monotonic() - began_s, 1e-6)
        for segment in commit.obsolete:
            self._persist(partial(self._writer.delete, segment), commit.failed)
        commit.done()

    def _sync(self) -> None:
        self._writer.sync()
        self._sync_at = None

    def _persist(self, step: Callable[[], None], failed: Callable[[], None]) -> None:
        """Try until it succeeds: what was appended is never lost, and nothing comes before it."""
        tries = 0
        while True:
            try:
                step()
            except OSError as fault:
                if self.fault is None:
                    logger.error("the store cannot be written: %s; trying again", fault)  # noqa: TRY400 - the operator's fault
                self.fault = fault
                failed()
                if self._closing.wait(RETRY_S):
                    tries += 1
                    if tries == LAST_TRIES:
                        raise _ClosingError from fault
                continue
            if self.fault is not None:
                logger.warning("the store can be written again")
                self.fault = None
            return
