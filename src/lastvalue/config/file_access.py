"""Who may read a file: why this process may not, and that a new version of it keeps its readers."""

import os
import stat
from contextlib import suppress
from grp import getgrgid
from pathlib import Path
from pwd import getpwuid


def explain_file_access(error: OSError, path: Path) -> str:
    """The error's text; where access was denied also the owner and mode that deny it, and who was denied."""
    text = error.strerror or str(error)
    if not isinstance(error, PermissionError):
        return text
    for part in (*reversed(path.absolute().parents), path):
        with suppress(OSError):
            status = part.stat()
            if not os.access(part, os.X_OK if stat.S_ISDIR(status.st_mode) else os.R_OK):
                owner = f"{_user(status.st_uid)}:{_group(status.st_gid)}"
                mode = stat.S_IMODE(status.st_mode)
                return f"{text}: {part} is of {owner} with mode {mode:04o}, and this process of {_process()}"
    return f"{text}; this process is of {_process()}"


def keep_access(before: Path, descriptor: int) -> None:
    """Give a file that replaces another the other's owner and mode, where this process may do so."""
    # Without its owner the mode could let others in.
    with suppress(FileNotFoundError, PermissionError):
        status = before.stat()
        os.fchown(descriptor, status.st_uid, status.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(status.st_mode))


def _process() -> str:
    return f"{_user(os.geteuid())}:{_group(os.getegid())}"


def _user(number: int) -> str:
    with suppress(KeyError):
        return getpwuid(number).pw_name
    return str(number)


def _group(number: int) -> str:
    with suppress(KeyError):
        return getgrgid(number).gr_name
    return str(number)
