"""The lock of a store: its directory and a file in it, with the number of the process that has it open."""

import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final, final

from lastvalue.store.files import open_file
from lastvalue.store.segments import StoreError

LOCK: Final = "lock"
_OTHERS: Final = stat.S_IWGRP | stat.S_IRWXO
"""The rights that nobody but the owner has: to write, and all of those who are not of its group."""


class StoreInUseError(StoreError):
    """Another process has the store open."""

    def __init__(self, directory: Path, holder: str) -> None:
        process = f"process {holder}" if holder else "another process"
        super().__init__(f"{process} has the store {directory} open; stop it first, or use another directory")


class StoreOpenToOthersError(StoreError):
    """Other users may write to the directory of a store."""

    def __init__(self, directory: Path, mode: int) -> None:
        super().__init__(
            f"others may write to the directory {directory} of the store (mode {mode:04o}), and so replace "
            f"what it holds; run `chmod o-w,g-w {directory}`, or use a directory of its own"
        )


@final
class StoreLock:
    """Locks a store until it is closed; creates a missing directory, which is its owner's alone.

    A store's directory that others could write to, or enter without being of its group, is closed to them.

    The directory is locked, too: somebody may remove the file, and the next process would lock another one.

    Raises:
        StoreInUseError: another process has the lock.
        StoreOpenToOthersError: others may write to the directory, and it is not this process's to close.
        OSError: the directory cannot be created or written, or the lock is a symbolic link.
    """

    def __init__(self, directory: Path) -> None:
        directory.parent.mkdir(parents=True, exist_ok=True)
        directory.mkdir(mode=0o700, exist_ok=True)
        self._descriptors = [os.open(directory, os.O_RDONLY | os.O_CLOEXEC)]
        try:
            _keep_others_out(self._descriptors[0], directory)
            self._descriptors.append(open_file(directory / LOCK, os.O_RDWR | os.O_CREAT))
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
                flags = os.O_RDONLY | os.O_CLOEXEC
                descriptors.append(os.open(path, flags) if path is directory else open_file(path, flags))
        if all(_locks(each, fcntl.LOCK_SH) for each in descriptors):
            return None
        return _holder(descriptors[1]) if len(descriptors) > 1 else ""
    finally:
        for each in descriptors:
            os.close(each)


def _keep_others_out(descriptor: int, directory: Path) -> None:
    """Close a store's directory to others.

    A directory with other things than a store keeps its mode. A group that may write is let in where it is
    this process's, as on volumes of Kubernetes.
    """
    status = os.fstat(descriptor)
    mode = stat.S_IMODE(status.st_mode)
    names = os.listdir(descriptor)
    if mode & _OTHERS and (not names or LOCK in names):
        # Another user's directory, or one on a read-only disk, keeps its mode, too.
        with suppress(OSError):
            os.fchmod(descriptor, mode & ~_OTHERS)
            mode &= ~_OTHERS
    of_group = status.st_gid in (os.getegid(), *os.getgroups())
    if mode & stat.S_IWOTH or (mode & stat.S_IWGRP and not of_group):
        raise StoreOpenToOthersError(directory, mode)


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
