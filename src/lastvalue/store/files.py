"""The journal's calls of the operating system, one per method, so that tests can replace the disk."""

import errno
import os
from pathlib import Path
from typing import Final

NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors that end when space is freed; what was written before them is intact."""


class Files:
    """The disk. Every method raises OSError if the system call fails."""

    def create(self, path: Path) -> int:
        """Create a file, which must not exist; returns its descriptor."""
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)

    def write(self, descriptor: int, data: memoryview, offset: int) -> int:
        """Write at an offset; returns the number of bytes written."""
        return os.pwrite(descriptor, data, offset)

    def sync(self, descriptor: int) -> None:
        """Sync a file's data and size to the disk."""
        os.fdatasync(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut a file to this size, in bytes."""
        os.ftruncate(descriptor, size)

    def close(self, descriptor: int) -> None:
        """Close a file."""
        os.close(descriptor)

    def delete(self, path: Path) -> None:
        """Delete a file, if it exists."""
        path.unlink(missing_ok=True)

    def sync_directory(self, directory: Path) -> None:
        """Sync a directory's list of files to the disk."""
        descriptor = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
