"""What the journal asks of the operating system, one call a method, so that a test can be the disk."""

import errno
import os
from pathlib import Path
from typing import Final

NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Faults that pass when somebody makes room; what was written before is sound."""


class Files:
    """The disk. Every method raises OSError where the system refuses."""

    def create(self, path: Path) -> int:
        """Make a file that is not there yet; its descriptor."""
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)

    def write(self, descriptor: int, data: memoryview, offset: int) -> int:
        """Write at a place; how many bytes were taken."""
        return os.pwrite(descriptor, data, offset)

    def sync(self, descriptor: int) -> None:
        """Make what was written to a file safe, its size included."""
        os.fdatasync(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut a file off."""
        os.ftruncate(descriptor, size)

    def close(self, descriptor: int) -> None:
        """Be done with a file."""
        os.close(descriptor)

    def delete(self, path: Path) -> None:
        """Take a file away; it may be gone already."""
        path.unlink(missing_ok=True)

    def sync_directory(self, directory: Path) -> None:
        """Make safe which files there are."""
        descriptor = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
