"""The lock of a store: a locked file in its directory, with the number of the process that has it open."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from lastvalue.store.files import DISK
from lastvalue.store.segments import StoreError

LOCK: Final = "lock"


class StoreInUseError(StoreError):
    """Another process has the store open."""

    def __init__(self, directory: Path, holder: str) -> None:
        process = f"process {holder}" if holder else "another process"
        super().__init__(f"{process} has the store {directory} open; stop it first, or use another directory")


def take_lock(directory: Path) -> int:
    """Lock the store until the returned descriptor is closed; creates a missing directory.

    Raises:
        StoreInUseError: another process has the lock.
        OSError: the directory cannot be created or written.
    """
    DISK.make_directory(directory)
    descriptor = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreInUseError(directory, _holder(descriptor)) from None
        os.ftruncate(descriptor, 0)
        # On a full disk the lock works without the number.
        with suppress(OSError):
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def holder_of(directory: Path) -> str | None:
    """The number of the process that has the store open, "" if it is unknown; None if no process has."""
    try:
        descriptor = os.open(directory / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _holder(descriptor)
    finally:
        os.close(descriptor)
    return None


def _holder(descriptor: int) -> str:
    return os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
