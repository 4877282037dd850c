"""Writes batches to segment files, and makes them safe; runs in a thread of its own."""

import contextlib
from enum import Enum
from pathlib import Path
from typing import Final

from lastvalue.store.files import NO_SPACE, Files
from lastvalue.store.segments import SEGMENT_HEAD, ZEROS, Tail, batch, head, segment_numbers, segment_path

LEAST_AHEAD_BYTES: Final = 1 << 20
MOST_AHEAD_BYTES: Final = 8 << 20
BATCHES_AHEAD: Final = 8
"""How far a file is filled with zeros ahead, so that a sync changes no file size: by the last batch's size,
because the next sync waits for these zeros, too."""


class Sync(Enum):
    """When what is written is made safe against a loss of power."""

    ALWAYS = "always"
    """Before it is confirmed."""
    INTERVAL = "interval"
    """Some time later."""
    NEVER = "never"
    """When the operating system does."""


class SegmentWriter:
    """The newest segment of one directory.

    What was written since the last sync stays in memory. After a failed write or sync nobody knows what of
    it is on the disk, and the system tells a fault only once: the file is given up as it was after its last
    sync, and what came behind that is written again, as one batch, to another file. So a segment may have
    several files; they are deleted together.

    Not for several threads at once. A method that raised may be called again, and goes on.
    """

    def __init__(self, directory: Path, segment_bytes: int, tail: Tail, files: Files) -> None:
        self._directory = directory
        self._segment_bytes = segment_bytes
        self._files = files
        self._tail = tail
        self._number = tail.number
        self._segment = 0
        self._numbers: dict[int, list[int]] = {}
        self._descriptor = -1
        self._offset = 0
        self._filled = 0
        self._batches = 0
        self._synced = 0
        self._unsynced: list[bytes] = []
        self._owed = b""

    def begin(self, segment: int) -> None:
        """Finish the last segment, if there is one, and make the first file of another."""
        if segment != self._segment:
            self._finish()
            self._segment = segment
        self._make_ready()

    def write(self, segment: int, records: bytes) -> None:
        """Append a batch to a segment, which is begun if it is a new one.

        Raises:
            OSError: the disk is full or broken; the batch was not appended.
        """
        self.begin(segment)
        self._put(records)

    def sync(self) -> None:
        """Make what was written safe.

        Raises:
            OSError: it is not; the next call writes it to another file.
        """
        if self._owed:
            self._make_ready()
        if self._unsynced:
            self._sync_file()

    def delete(self, segment: int) -> None:
        """Remove a segment that is no longer needed; the next may go only when this has."""
        for number in self._numbers.get(segment, [segment]):
            self._files.delete(segment_path(self._directory, number))
        self._files.sync_directory(self._directory)
        self._numbers.pop(segment, None)

    def close(self) -> None:
        """Make all safe, cut the zeros off and close."""
        self.sync()
        self._finish()

    def contents(self) -> dict[Path, int]:
        """The directory's segments, each with how many of its bytes are written, oldest first."""
        paths = [segment_path(self._directory, number) for number in segment_numbers(self._directory)]
        sizes = {path: path.stat().st_size for path in paths}
        if self._descriptor >= 0:
            sizes[segment_path(self._directory, self._number)] = self._offset
        return sizes

    # ------------------------------------------------------------------ files

    def _make_ready(self) -> None:
        """Have a file that holds everything that was written."""
        if self._descriptor < 0:
            self._create()
        if self._owed:
            self._put(self._owed)
            self._owed = b""

    def _create(self) -> None:
        # A number is used once, whatever becomes of its file.
        self._number += 1
        self._numbers.setdefault(self._segment, []).append(self._number)
        path = segment_path(self._directory, self._number)
        descriptor = self._files.create(path)
        try:
            self._write_all(descriptor, head(self._number, self._tail), 0)
            self._files.sync(descriptor)
            self._files.sync_directory(self._directory)
        except OSError:
            self._drop(descriptor, path)
            raise
        self._descriptor = descriptor
        self._offset = self._filled = SEGMENT_HEAD.size
        self._batches = self._synced = 0

    def _finish(self) -> None:
        if self._descriptor < 0:
            return
        if self._unsynced:
            self._sync_file()
        try:
            self._files.truncate(self._descriptor, self._offset)
            self._files.sync(self._descriptor)
        except OSError:
            self._give_up()
            raise
        self._tail = Tail(self._number, self._synced)
        descriptor, self._descriptor = self._descriptor, -1
        self._files.close(descriptor)

    def _sync_file(self) -> None:
        try:
            self._files.sync(self._descriptor)
        except OSError:
            self._give_up()
            raise
        self._synced = self._batches
        self._unsynced.clear()

    def _give_up(self) -> None:
        self._owed += b"".join(self._unsynced)
        self._unsynced.clear()
        descriptor, self._descriptor = self._descriptor, -1
        if self._synced:
            self._tail = Tail(self._number, self._synced)
            with contextlib.suppress(OSError):
                self._files.close(descriptor)
        else:
            self._drop(descriptor, segment_path(self._directory, self._number))

    def _drop(self, descriptor: int, path: Path) -> None:
        """Be rid of a file with nothing in it that counts; one that stays does no harm."""
        with contextlib.suppress(OSError):
            self._files.close(descriptor)
        with contextlib.suppress(OSError):
            self._files.delete(path)

    # ------------------------------------------------------------------ bytes

    def _put(self, records: bytes) -> None:
        data = batch(records, self._number, self._batches, self._synced)
        end = self._offset + len(data)
        try:
            if end > self._filled:
                self._fill(end, min(max(LEAST_AHEAD_BYTES, BATCHES_AHEAD * len(data)), MOST_AHEAD_BYTES))
            self._write_all(self._descriptor, data, self._offset)
        except OSError as fault:
            # Where there is no room the same bytes go to the same place later.
            if fault.errno not in NO_SPACE:
                self._give_up()
            raise
        self._offset = end
        self._batches += 1
        self._unsynced.append(records)

    def _fill(self, end: int, ahead: int) -> None:
        """Write so many zeros from where the file is filled, but to the end of the next batch in any case."""
        limit = max(end, min(self._filled + ahead, self._segment_bytes))
        while self._filled < limit:
            part = ZEROS[: limit - self._filled]
            try:
                self._write_all(self._descriptor, part, self._filled)
            except OSError as fault:
                # Filling ahead may fail where the batch itself still fits.
                if fault.errno in NO_SPACE and self._filled >= end:
                    return
                raise
            self._filled += len(part)

    def _write_all(self, descriptor: int, data: bytes, offset: int) -> None:
        view = memoryview(data)
        while view:
            written = self._files.write(descriptor, view, offset)
            view = view[written:]
            offset += written
