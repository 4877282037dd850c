"""A disk in memory, which loses power, and fails when it is told to."""

import errno
from collections.abc import Callable
from pathlib import Path

from lastvalue.store.files import Files
from lastvalue.store.lock import LOCK

SECTOR = 512

Choose = Callable[[int], int]
"""Gives a number below the one it is asked with."""


class FakeFile:
    """What is safe of a file, and what it was at every moment since."""

    def __init__(self, data: bytes = b"") -> None:
        self.versions = [data]

    @property
    def data(self) -> bytes:
        """As programs see it."""
        return self.versions[-1]

    def write(self, data: bytes, offset: int) -> None:
        now = self.data.ljust(offset, b"\x00")
        self.versions.append(now[:offset] + data + now[offset + len(data) :])

    def sync(self) -> None:
        self.versions = [self.data]

    def after_power_loss(self, choose: Choose) -> bytes:
        """Each sector as it was at some moment since the last sync; so is the size."""
        size = len(self.versions[choose(len(self.versions))])
        parts = []
        for start in range(0, size, SECTOR):
            part = self.versions[choose(len(self.versions))][start : min(start + SECTOR, size)]
            parts.append(part.ljust(min(SECTOR, size - start), b"\x00"))
        return b"".join(parts)


class FakeDisk(Files):
    """One directory. What is in it at the first call is safe; given its content, no real one is looked at.

    Attributes:
        listings: the directory's files by name, at every moment since it was synced.
        calls: how many were made, by their names.
        faults: what the next calls of a name raise, in their order; None is no fault.
        before: called before each call with its name.
    """

    def __init__(self, directory: Path, content: dict[str, bytes] | None = None) -> None:
        self._directory: Path | None = directory if content is None else None
        self._open: dict[int, FakeFile] = {}
        self._next = 3
        present = {} if content is None else content
        self.listings: list[dict[str, FakeFile]] = [{name: FakeFile(data) for name, data in present.items()}]
        self.calls: list[str] = []
        self.faults: dict[str, list[int | None]] = {}
        self.before: Callable[[str], None] = lambda _: None
        self.lie: Choose = lambda _: 0

    def take_over(self) -> None:
        """Continue with what is in the directory, once; from then on that is not looked at."""
        if self._directory is not None:
            found = [path for path in self._directory.iterdir() if path.name != LOCK]
            self.listings = [{path.name: FakeFile(path.read_bytes()) for path in found}]
            self._directory = None

    def _call(self, name: str) -> None:
        self.take_over()
        self.before(name)
        self.calls.append(name)
        planned = self.faults.get(name)
        number = planned.pop(0) if planned else None
        if number is not None:
            raise OSError(number, errno.errorcode[number])

    def make_directory(self, directory: Path) -> None:
        """It is there."""

    def names(self, directory: Path) -> list[str]:
        self.take_over()
        return list(self.listings[-1])

    def read(self, path: Path) -> bytes:
        return self._find(path).data

    def size(self, path: Path) -> int:
        return len(self._find(path).data)

    def open(self, path: Path) -> int:
        return self._descriptor(self._find(path))

    def _find(self, path: Path) -> FakeFile:
        self.take_over()
        if path.name not in self.listings[-1]:
            raise FileNotFoundError(errno.ENOENT, "it is not there", str(path))
        return self.listings[-1][path.name]

    def _descriptor(self, file: FakeFile) -> int:
        self._next += 1
        self._open[self._next] = file
        return self._next

    def create(self, path: Path) -> int:
        self._call("create")
        if path.name in self.listings[-1]:
            raise FileExistsError(errno.EEXIST, "it is there", str(path))
        file = FakeFile()
        self.listings.append({**self.listings[-1], path.name: file})
        return self._descriptor(file)

    def write(self, descriptor: int, data: memoryview, offset: int) -> int:
        self._call("write")
        self._open[descriptor].write(bytes(data), offset)
        return len(data)

    def sync(self, descriptor: int) -> None:
        file = self._open[descriptor]
        try:
            self._call("sync")
        except OSError:
            # The system forgets what it did not write, and the next sync of the file succeeds.
            file.versions = [file.after_power_loss(self.lie)]
            raise
        file.sync()

    def allocate(self, descriptor: int, size: int) -> None:
        """No test of its content reads it."""
        self._call("allocate")

    def truncate(self, descriptor: int, size: int) -> None:
        self._call("truncate")
        file = self._open[descriptor]
        file.versions.append(file.data[:size].ljust(size, b"\x00"))

    def close(self, descriptor: int) -> None:
        self._call("close")
        del self._open[descriptor]

    def delete(self, path: Path) -> None:
        self._call("delete")
        self.listings.append({name: file for name, file in self.listings[-1].items() if name != path.name})

    def sync_directory(self, directory: Path) -> None:
        self._call("sync_directory")
        self.listings = [self.listings[-1]]

    def after_power_loss(self, choose: Choose) -> dict[str, bytes]:
        """What is there when the power is back: of every change that was not synced, as it happens."""
        known: dict[str, FakeFile] = {name: file for names in self.listings for name, file in names.items()}
        left = {}
        for name, file in sorted(known.items()):
            present = [name in names for names in self.listings]
            if present[choose(len(present))]:
                left[name] = file.after_power_loss(choose)
        return left

    def after_kill(self) -> dict[str, bytes]:
        """What is there when only the program ended."""
        return {name: file.data for name, file in self.listings[-1].items()}


class SmallDisk(FakeDisk):
    """A disk with so much room for all its files together."""

    def __init__(self, directory: Path, room_bytes: int) -> None:
        super().__init__(directory)
        self.room_bytes = room_bytes

    @property
    def used_bytes(self) -> int:
        return sum(len(file.data) for file in self.listings[-1].values())

    def write(self, descriptor: int, data: memoryview, offset: int) -> int:
        """As much as there is room for, as a disk does."""
        return super().write(descriptor, data[: self._room(descriptor, offset)], offset)

    def allocate(self, descriptor: int, size: int) -> None:
        if self._room(descriptor, 0) < size:
            raise OSError(errno.ENOSPC, "there is no room")
        self._open[descriptor].write(bytes(size), 0)

    def _room(self, descriptor: int, offset: int) -> int:
        """How much can be written there."""
        room = len(self._open[descriptor].data) - offset + self.room_bytes - self.used_bytes
        if room <= 0:
            raise OSError(errno.ENOSPC, "there is no room")
        return room
