"""The journal's calls of the operating system, one per method, so that tests can replace the disk."""

import errno
import os
from pathlib import Path
from typing import Final

FULL: Final = (errno.ENOSPC, errno.EDQUOT)
"""Errors of a disk on which there is no room."""

NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors that end when space is freed; what was written before them is intact."""


def open_file(path: Path, flags: int, mode: int = 0o600) -> int:
    """Open a file of a store; returns its descriptor, which is not inherited.

    Raises:
        OSError: it cannot be opened, or it is a symbolic link: whoever planted that would choose what is
            read or written.
    """
    try:
        return os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        fault = f"its file {path.name} is a symbolic link, and a store follows none"
        raise OSError(errno.ELOOP, fault, str(path)) from None


class Files:
    """The disk. Every method raises OSError if the system call fails."""

    def make_directory(self, directory: Path) -> None:
        """Create a directory if it does not exist, and sync its name to the disk; so are missing parents."""
        if not directory.is_dir():
            self.make_directory(directory.parent)
            try:
                directory.mkdir(exist_ok=True)
            except FileExistsError:
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(directory)) from None
            self.sync_directory(directory.parent)

    def names(self, directory: Path) -> list[str]:
        """The names of a directory's files, in any order."""
        return [path.name for path in directory.iterdir()]

    def read(self, path: Path) -> bytes:
        """Everything in a file."""
        with os.fdopen(open_file(path, os.O_RDONLY), "rb") as file:
            return file.read()

    def size(self, path: Path) -> int:
        """The size of a file in bytes."""
        return path.stat().st_size

    def open(self, path: Path) -> int:
        """Open an existing file; returns its descriptor."""
        return open_file(path, os.O_RDWR)

    def create(self, path: Path) -> int:
        """Create a file, which must not exist; returns its descriptor."""
        return open_file(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)

    def write(self, descriptor: int, data: memoryview, offset: int) -> int:
        """Write at an offset; returns the number of bytes written."""
        return os.pwrite(descriptor, data, offset)

    def sync(self, descriptor: int) -> None:
        """Sync a file's data and size to the disk."""
        os.fdatasync(descriptor)

    def allocate(self, descriptor: int, size: int) -> None:
        """Make a file this large, in bytes, and take the room for it now."""
        os.posix_fallocate(descriptor, 0, size)

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


DISK: Final = Files()
"""The disk of the operating system."""
