"""A file that keeps room on the disk, for what a full disk must still take: removals and compaction."""

import contextlib
from pathlib import Path
from typing import Final

from lastvalue.store.files import Files

RESERVE: Final = "reserve"
"""The name of the file in a store's directory."""

LEAST_BYTES: Final = 4 << 20
MOST_BYTES: Final = 16 << 20
_PART: Final = 32
_LARGEST_PART: Final = 8


def reserve_bytes(volume_bytes: int) -> int:
    """The size of the reserve on a file system of that size: the removals of a segment fit many times."""
    return min(max(volume_bytes // _PART, LEAST_BYTES), MOST_BYTES, volume_bytes // _LARGEST_PART)


class Reserve:
    """The reserve of one store; of 0 bytes it is none.

    Attributes:
        size_bytes: what it keeps free.
        missing: it is released, or there was no room for it.
    """

    def __init__(self, directory: Path, size_bytes: int, files: Files) -> None:
        self.size_bytes = size_bytes
        self.missing = False
        self._path = directory / RESERVE
        self._files = files

    def make(self) -> None:
        """Take its room on the disk, unless an earlier run has left it.

        Raises:
            OSError: there is no room; `missing` is set.
        """
        if not self.size_bytes:
            return
        self.missing = True
        with contextlib.suppress(FileNotFoundError):
            if self._files.size(self._path) == self.size_bytes:
                self.missing = False
                return
        self._files.delete(self._path)
        descriptor = self._files.create(self._path)
        try:
            self._files.allocate(descriptor, self.size_bytes)
            self._files.sync(descriptor)
        except OSError:
            self._files.delete(self._path)
            raise
        finally:
            self._files.close(descriptor)
        self.missing = False

    def release(self) -> bool:
        """Give its room back to the disk; false where that has happened already."""
        if not self.size_bytes or self.missing:
            return False
        self._files.delete(self._path)
        self.missing = True
        return True
