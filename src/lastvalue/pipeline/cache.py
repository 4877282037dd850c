"""The directory for downloaded data and generated files."""

import errno
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


def make_private(directory: Path) -> None:
    """Make the directory of a cache; what it has is run and loaded, so nobody else may write there.

    Raises:
        OSError: it cannot be made, or another user has it or may write there.
    """
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = directory.stat()
    if status.st_uid not in (0, os.geteuid()):
        raise PermissionError(errno.EPERM, "another user has the cache", str(directory))
    mode = stat.S_IMODE(status.st_mode)
    if mode & _WRITE:
        directory.chmod(mode & ~_WRITE)


def write_program(path: Path, text: str) -> None:
    """Write an executable script, whole or not at all, unless it is there.

    Raises:
        OSError: it cannot be written.
    """
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.write_text(text)
        draft.chmod(0o755)
        draft.replace(path)


def cache_directory(environment: Mapping[str, str] | None = None) -> Path:
    """`$XDG_CACHE_HOME/lastvalue`, or `~/.cache/lastvalue`; it need not exist."""
    variables = os.environ if environment is None else environment
    # A relative path there is invalid and ignored (XDG Base Directory Specification, section 2).
    configured = Path(variables.get("XDG_CACHE_HOME", ""))
    return (configured if configured.is_absolute() else Path.home() / ".cache") / "lastvalue"
