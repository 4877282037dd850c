"""Writes batches to segment files and syncs them; runs in a thread of its own."""

import contextlib
from enum import Enum
from pathlib import Path
from typing import Final, final

from lastvalue.store.clean_stop import CLEAN_STOP, write_clean_stop
from lastvalue.store.files import NO_SPACE, Files
from lastvalue.store.segments import SEGMENT_HEAD, ZEROS, Tail, batch, head, segment_numbers, segment_path

LEAST_AHEAD_BYTES: Final = 1 << 20
MOST_AHEAD_BYTES: Final = 8 << 20
BATCHES_AHEAD: Final = 8
"""How many batches of the last one's size are filled with zeros ahead, so that a sync changes no file size.
Not more, because the next sync waits for these zeros too."""


class Sync(Enum):
    """When written batches are synced, and so safe against a loss of power."""

    ALWAYS = "always"
    """Before they are confirmed."""
    INTERVAL = "interval"
    """Some time later."""
    NEVER = "never"
    """When the operating system does it."""


@final
class SegmentWriter:
    """The newest segment of one directory.

    Batches since the last sync stay in memory. After a failed write or sync it is unknown which of them are
    on the disk, and the system reports a fault only once: so the file is abandoned after its last sync, and
    the batches since then are written again, as one batch, to another file. So a segment may have several
    files; they are deleted together.

    Not thread-safe. A method that raised may be called again, and continues.
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
        self._unsaved = b""

    def begin(self, segment: int) -> None:
        """Finish the last segment, if there is one, and create the first file of this one."""
        if segment != self._segment:
            self._finish()
            self._segment = segment
        self._make_ready()

    def write(self, segment: int, records: bytes) -> None:
        """Append a batch to a segment; begins the segment if it is new.

        Raises:
            OSError: the disk is full or broken; the batch was not appended.
        """
        self.begin(segment)
        self._put(records)

    def sync(self) -> None:
        """Sync what was written.

        Raises:
            OSError: the sync failed; the next call writes the data to another file.
        """
        if self._unsaved:
            self._make_ready()
        if self._unsynced:
            self._sync_file()

    def delete(self, segment: int) -> None:
        """Delete a segment; call it for the oldest first, and for the next only after this succeeded."""
        for number in self._numbers.get(segment, [segment]):
            self._files.delete(segment_path(self._directory, number))
        self._files.sync_directory(self._directory)
        self._numbers.pop(segment, None)

    def close(self) -> None:
        """Sync, cut off the zeros, close the file, and note that all of it is safe."""
        self.sync()
        self._finish()
        if self._segment and self._tail.number == self._number:
            # The store is as safe without the mark.
            with contextlib.suppress(OSError):
                write_clean_stop(self._directory, self._tail, self._files)

    def contents(self) -> dict[Path, int]:
        """The directory's segments with the number of bytes written to each, oldest first."""
        numbers = segment_numbers(self._directory, self._files)
        paths = [segment_path(self._directory, number) for number in numbers]
        sizes = {path: self._files.size(path) for path in paths}
        if self._descriptor >= 0:
            sizes[segment_path(self._directory, self._number)] = self._offset
        return sizes

    # ------------------------------------------------------------------ files

    def _make_ready(self) -> None:
        """Make sure that there is an open file with all records that must be written again."""
        if self._descriptor < 0:
            self._create()
        if self._unsaved:
            self._put(self._unsaved)
            self._unsaved = b""

    def _create(self) -> None:
        # A number is used once, even if its file is abandoned.
        self._number += 1
        self._numbers.setdefault(self._segment, []).append(self._number)
        path = segment_path(self._directory, self._number)
        descriptor = self._files.create(path)
        try:
            self._write_all(descriptor, head(self._number, self._tail), 0)
            self._files.sync(descriptor)
            self._files.delete(self._directory / CLEAN_STOP)
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
        self._unsaved += b"".join(self._unsynced)
        self._unsynced.clear()
        descriptor, self._descriptor = self._descriptor, -1
        if self._synced:
            self._tail = Tail(self._number, self._synced)
            with contextlib.suppress(OSError):
                self._files.close(descriptor)
        else:
            self._drop(descriptor, segment_path(self._directory, self._number))

    def _drop(self, descriptor: int, path: Path) -> None:
        """Delete a file without safe batches; it does no harm if it stays."""
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
            # If the disk is full, the same bytes are written to the same place later.
            if fault.errno not in NO_SPACE:
                self._give_up()
            raise
        self._offset = end
        self._batches += 1
        self._unsynced.append(records)

    def _fill(self, end: int, ahead: int) -> None:
        """Write `ahead` zeros behind the filled part, and always up to the end of the next batch."""
        limit = max(end, min(self._filled + ahead, self._segment_bytes))
        while self._filled < limit:
            part = memoryview(ZEROS)[: limit - self._filled]
            try:
                self._filled += self._files.write(self._descriptor, part, self._filled)
            except OSError as fault:
                # Filling ahead may fail where the batch itself still fits.
                if fault.errno in NO_SPACE and self._filled >= end:
                    return
                raise

    def _write_all(self, descriptor: int, data: bytes, offset: int) -> None:
        view = memoryview(data)
        while view:
            written = self._files.write(descriptor, view, offset)
            view = view[written:]
            offset += written
