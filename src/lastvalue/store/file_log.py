"""The log in files: segments in a directory, written by a thread."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from lastvalue.store.batch_log import Commit, Syncs
from lastvalue.store.committer import CommitSteps, Committer, Worker
from lastvalue.store.files import DISK, NO_SPACE, Files
from lastvalue.store.reserve import Reserve
from lastvalue.store.segments import Tail
from lastvalue.store.store_journal import StoreJournal
from lastvalue.store.store_options import StoreOptions
from lastvalue.store.writer import SegmentWriter

EMPTY: Final = Tail()


class FileLog:
    """Writes batches to the segments of one directory; its owner holds the lock of the store.

    Args:
        directory: of the store.
        options: of the store.
        after: the end of what is there.
        files: the disk.
        work: begins to carry out the commits.

    Attributes:
        most_under_way, leads, shared, ended: always 1, true, false and None.
    """

    def __init__(
        self,
        directory: Path,
        options: StoreOptions,
        after: Tail = EMPTY,
        files: Files = DISK,
        work: Callable[[CommitSteps], Worker] = Committer,
    ) -> None:
        self.most_under_way = 1
        self.leads = True
        self.shared = False
        self.ended = None
        self._writer = SegmentWriter(directory, options.segment_bytes, after, files)
        self._reserve = Reserve(directory, options.reserve_bytes, files)
        self._steps = CommitSteps(self._writer, options.sync, options.interval_ms, self._reserve)
        self._committer = work(self._steps)

    @property
    def fault(self) -> OSError | None:
        """Why the files cannot be written now, or None."""
        return self._steps.fault

    @property
    def bytes_per_s(self) -> float:
        """The speed of the last large batch, written and synced; 0 before the first."""
        return self._steps.bytes_per_s

    @property
    def syncs(self) -> Syncs:
        """How often the disk was synced, and how long that took."""
        return self._steps.syncs

    @property
    def failures(self) -> int:
        """How often a write to the disk has failed."""
        return self._steps.failures

    @property
    def spare_bytes(self) -> int | None:
        """The room that the reserve left on a full disk; None if the reserve is there."""
        return self._reserve.size_bytes if self._reserve.missing else None

    def begin(self, segment: int) -> None:
        """Create the segment and the reserve, so that a directory that cannot be written is noticed.

        A full disk does not fail here; the first commit waits until there is room.

        Raises:
            OSError: the directory or the disk cannot be written.
        """
        try:
            self._writer.begin(segment)
            self._reserve.make()
        except OSError as fault:
            if fault.errno not in NO_SPACE:
                self._committer.close(None)
                raise

    def submit(self, commit: Commit) -> None:
        """See BatchLog."""
        self._committer.submit(commit)

    def at_rest(self, look: Callable[[Callable[[], Mapping[Path, int]]], None]) -> None:
        """Call `look` between two batches, when the files are a consistent store.

        The other thread calls it, with a function that returns the files and their sizes in bytes. No file
        is written or deleted until it returns.
        """
        self._committer.submit(Commit(0, b"", done=lambda: look(self._writer.contents)))

    def close(self, last: Commit | None) -> None:
        """See BatchLog."""
        self._committer.close(last)


def file_journal(
    directory: Path, options: StoreOptions, after: Tail = EMPTY, files: Files = DISK
) -> StoreJournal:
    """A journal in files, that continues a store with this end."""
    return StoreJournal(FileLog(directory, options, after, files), options, after.number + 1)
