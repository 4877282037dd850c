"""The lock of a store: its directory and a file in it, with the number of the process that has it open."""

import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final, final

from lastvalue.store.segments import StoreError

LOCK: Final = "lock"


class StoreInUseError(StoreError):
    """Another process has the store open."""

    def __init__(self, directory: Path, holder: str) -> None:
        process = f"process {holder}" if holder else "another process"
        super().__init__(f"{process} has the store {directory} open; stop it first, or use another directory")


@final
class StoreLock:
    """Locks a store until it is closed; creates a missing directory.

    The directory is locked, too: somebody may remove the file, and the next process would lock another one.

    Raises:
        StoreInUseError: another process has the lock.
        OSError: the directory cannot be created or written.
    """

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._descriptors = [os.open(directory, os.O_RDONLY | os.O_CLOEXEC)]
        try:
            self._descriptors.append(os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            number = self._descriptors[1]
            if not all(_locks(each, fcntl.LOCK_EX) for each in self._descriptors):
                raise StoreInUseError(directory, _holder(number))
            os.ftruncate(number, 0)
            # On a full disk the lock works without the number.
            with suppress(OSError):
                os.pwrite(number, f"{os.getpid()}\n".encode(), 0)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Unlock the store."""
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._descriptors = []


def holder_of(directory: Path) -> str | None:
    """The number of the process that has the store open, "" if it is unknown; None if no process has."""
    descriptors: list[int] = []
    try:
        for path in (directory, directory / LOCK):
            with suppress(FileNotFoundError):
                descriptors.append(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
        if all(_locks(each, fcntl.LOCK_SH) for each in descriptors):
            return None
        return _holder(descriptors[1]) if len(descriptors) > 1 else ""
    finally:
        for each in descriptors:
            os.close(each)


def _locks(descriptor: int, kind: int) -> bool:
    """Whether no other process has a lock that contradicts this one, which is taken then.

    Raises:
        OSError: files cannot be locked.
    """
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # NFS locks no directories; the file is locked there.
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise
    return True


def _holder(descriptor: int) -> str:
    return os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
