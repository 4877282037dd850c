import errno
import fcntl
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lastvalue.store.lock import LOCK, StoreInUseError, StoreLock, holder_of

HOLD = """
import sys
from pathlib import Path
from lastvalue.store.lock import StoreLock
lock = StoreLock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_store_is_one_process_alone_until_it_lets_go(tmp_path: Path) -> None:
    directory = tmp_path / "store"
    lock = StoreLock(directory)
    with pytest.raises(StoreInUseError, match=f"process {os.getpid()}"):
        StoreLock(directory)
    assert holder_of(directory) == str(os.getpid())
    lock.close()
    StoreLock(directory).close()
    assert holder_of(directory) is None


def test_a_directory_that_was_never_a_store_has_no_holder(tmp_path: Path) -> None:
    assert holder_of(tmp_path) is None


def test_a_holder_whose_number_is_not_known_holds_all_the_same(tmp_path: Path) -> None:
    lock = StoreLock(tmp_path)
    (tmp_path / LOCK).write_text("")
    assert holder_of(tmp_path) == ""
    with pytest.raises(StoreInUseError, match="another process"):
        StoreLock(tmp_path)
    lock.close()


def test_a_process_that_dies_lets_go(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(StoreInUseError, match=f"process {other.pid}"):
            StoreLock(tmp_path)
        other.kill()
    StoreLock(tmp_path).close()


def test_a_store_whose_lock_file_was_removed_is_still_one_process_alone(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        (tmp_path / LOCK).unlink()
        assert holder_of(tmp_path) == ""
        for _ in range(2):
            with pytest.raises(StoreInUseError, match="another process"):
                StoreLock(tmp_path)
        other.kill()
    assert holder_of(tmp_path) is None
    StoreLock(tmp_path).close()


def test_where_directories_cannot_be_locked_the_file_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = fcntl.flock

    def as_on_nfs(descriptor: int, operation: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EBADF, "Bad file descriptor")
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", as_on_nfs)
    lock = StoreLock(tmp_path)
    with pytest.raises(StoreInUseError, match=f"process {os.getpid()}"):
        StoreLock(tmp_path)
    lock.close()
    StoreLock(tmp_path).close()
