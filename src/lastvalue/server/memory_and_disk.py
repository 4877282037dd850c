"""What the machine has: memory, and room on a disk."""

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
    """A file system's bytes: all of them, and those that are free for this process."""

    total: int
    free: int


def memory_bytes(limits: tuple[Path, ...] = _CONTROL_GROUPS) -> int:
    """What this process may use: the machine's memory, or less where its control group has less.

    Args:
        limits: files of which each may have such a number.
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
        OSError: the system does not tell.
    """
    told = os.statvfs(directory)
    return DiskRoom(told.f_blocks * told.f_frsize, told.f_bavail * told.f_frsize)
