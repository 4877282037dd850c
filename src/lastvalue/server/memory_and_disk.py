"""The memory that a process may use, and the room on a disk."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

GROUPS: Final = Path("/proc/self/cgroup")
MOUNTED: Final = Path("/sys/fs/cgroup")
STATM: Final = Path("/proc/self/statm")
_V2_LIMITS: Final = ("memory.max", "memory.high")
_V1_LIMITS: Final = ("memory.limit_in_bytes",)


@dataclass(frozen=True, slots=True)
class DiskRoom:
    """The size of a file system, and the free space for this process, in bytes."""

    total: int
    free: int


def memory_bytes(groups: Path = GROUPS, mounted: Path = MOUNTED) -> int:
    """The memory for this process: the machine's, or what its control groups leave where that is less.

    A process may use what its own group and every one above may; of a container's groups only some are seen.

    Args:
        groups: the file that names the process's control groups.
        mounted: where the control groups are mounted.
    """
    least = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for limit in _limits(groups, mounted):
        try:
            text = limit.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            continue
        if text.isdecimal():
            least = min(least, int(text))
    return least


def resident_bytes(memory: Path = STATM) -> int:
    """How much of this process is in memory; 0 where the system does not tell.

    Args:
        memory: the file whose second word is that, in pages.
    """
    return int(memory.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if memory.exists() else 0


def _limits(groups: Path, mounted: Path) -> Iterator[Path]:
    """The files that may limit the memory: of the root groups, the process's own, and those between."""
    try:
        lines = groups.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        lines = []
    # The root groups are also those of a container, whatever the file says.
    for line in ("0::/", "0:memory:/", *lines):
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controllers and "memory" not in controllers.split(","):
            continue
        top = mounted / "memory" if controllers else mounted
        # A process may be outside of what it sees: its path then begins with /..
        own = top / os.path.normpath("/" + path).lstrip("/")
        for group in (own, *own.parents):
            if group == top or top in group.parents:
                for name in _V1_LIMITS if controllers else _V2_LIMITS:
                    yield group / name


def disk_room(directory: Path) -> DiskRoom:
    """The room of the file system that a directory is on.

    Raises:
        OSError: the system does not say.
    """
    status = os.statvfs(directory)
    return DiskRoom(status.f_blocks * status.f_frsize, status.f_bavail * status.f_frsize)
