"""Writes batches to segment files, and makes them safe; runs in a thread of its own."""

import errno
import os
from enum import Enum
from pathlib import Path
from typing import Final

from lastvalue.store.segments import SEGMENT_HEAD, ZEROS, batch, head, segment_path, sync_directory

AHEAD_BYTES: Final = 8 << 20
"""How far a file is filled with zeros ahead, so that a sync changes no file size."""


class Sync(Enum):
    """When what is written is made safe against a loss of power."""

    ALWAYS = "always"
    """Before it is confirmed."""
    INTERVAL = "interval"
    """Some time later."""
    NEVER = "never"
    """When the operating system does."""


class SegmentWriter:
    """One directory's newest segment.

    Not for several threads at once.
    """

    def __init__(self, directory: Path, segment_bytes: int) -> None:
        self._directory = directory
        self._segment_bytes = segment_bytes
        self._descriptor = -1
        self._number = 0
        self._offset = 0
        self._filled = 0
        self._batches = 0

    def write(self, number: int, records: bytes) -> None:
        """Append a batch to a segment, which is made if it is a new one.

        Raises:
            OSError: the disk is full or broken; nothing was appended then, and the same may be tried again.
        """
        if number != self._number:
            self._open(number)
        data = batch(records, self._batches)
        end = self._offset + len(data)
        if end > self._filled:
            self._fill(end)
        _write_all(self._descriptor, data, self._offset)
        self._offset = end
        self._batches += 1

    def sync(self) -> None:
        """Make what was written safe."""
        if self._descriptor >= 0:
            os.fdatasync(self._descriptor)

    def delete(self, number: int) -> None:
        """Remove a segment that is no longer needed."""
        segment_path(self._directory, number).unlink(missing_ok=True)

    def close(self) -> None:
        """Cut the zeros off and close."""
        if self._descriptor >= 0:
            os.ftruncate(self._descriptor, self._offset)
            os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1

    def _open(self, number: int) -> None:
        path = segment_path(self._directory, number)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            _write_all(descriptor, head(number), 0)
            os.fsync(descriptor)
            sync_directory(self._directory)
        except OSError:
            os.close(descriptor)
            raise
        self.close()
        self._descriptor = descriptor
        self._number = number
        self._offset = self._filled = SEGMENT_HEAD.size
        self._batches = 0

    def _fill(self, end: int) -> None:
        """Write zeros from where the file is filled to a place beyond the end of the next batch."""
        limit = max(end, min(self._filled + AHEAD_BYTES, self._segment_bytes))
        while self._filled < limit:
            part = ZEROS[: limit - self._filled]
            try:
                _write_all(self._descriptor, part, self._filled)
            except OSError as fault:
                # Filling ahead may fail where the batch itself still fits.
                if fault.errno == errno.ENOSPC and self._filled >= end:
                    return
                raise
            self._filled += len(part)


def _write_all(descriptor: int, data: bytes, offset: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view = view[written:]
        offset += written
