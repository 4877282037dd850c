"""The machine's memory, and the room on a disk."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_CONTROL_GROUPS: Final = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


@dataclass(frozen=True, slots=True)
class DiskRoom:
    """The size of a file system, and the free space for this process, in bytes."""

    total: int
    free: int


def memory_bytes(limits: tuple[Path, ...] = _CONTROL_GROUPS) -> int:
    """The memory for this process: the machine's, or that of its control group where it is less.

    Args:
        limits: files that may contain the limit of a control group.
    """
    least = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for path in limits:
        try:
            text = path.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            continue
        if text.isdecimal():
            least = min(least, int(text))
    return least


def disk_room(directory: Path) -> DiskRoom:
    """The room of the file system that a directory is on.

    Raises:
        OSError: the system does not say.
    """
    status = os.statvfs(directory)
    return DiskRoom(status.f_blocks * status.f_frsize, status.f_bavail * status.f_frsize)
