"""Foreign programs that are installed once for all runs of the tests."""

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

CACHE = Path(__file__).parents[2] / ".cache"
INSTALLS = pytest.mark.timeout(900)
"""For tests that may be the first to install something, or wait for others that do."""


def install_once(folder: Path, install: Callable[[Path], None]) -> Path:
    """The folder, filled by `install` unless an earlier run did so to the end.

    One process installs at a time: runs in parallel want the same, and Maven's downloads bear no company.
    """
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "installing.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "installed"
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            install(folder)
            done.touch()
    return folder
