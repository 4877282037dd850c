import errno
import fcntl
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lastvalue.store.lock import LOCK, StoreInUseError, StoreLock, StoreOpenToOthersError, holder_of

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


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_store_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        StoreLock(tmp_path / "a" / "store").close()
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "a" / "store") == 0o700
    assert mode_of(tmp_path / "a" / "store" / LOCK) == 0o600


@pytest.mark.parametrize(
    ("before", "after"), [(0o755, 0o750), (0o2775, 0o2750), (0o777, 0o750), (0o700, 0o700)]
)
def test_a_store_that_others_could_enter_or_write_to_is_closed_to_them(
    tmp_path: Path, before: int, after: int
) -> None:
    StoreLock(tmp_path).close()
    tmp_path.chmod(before)
    StoreLock(tmp_path).close()
    assert mode_of(tmp_path) == after


def test_a_directory_with_other_things_keeps_its_mode_and_is_refused_if_everybody_may_write(
    tmp_path: Path,
) -> None:
    (tmp_path / "letter").touch()
    tmp_path.chmod(0o755)
    StoreLock(tmp_path).close()
    (tmp_path / LOCK).unlink()
    assert mode_of(tmp_path) == 0o755
    tmp_path.chmod(0o1777)
    with pytest.raises(StoreOpenToOthersError, match=r"mode 1777.*chmod o-w,g-w"):
        StoreLock(tmp_path)
    assert not (tmp_path / LOCK).exists()


def test_another_groups_right_to_write_is_refused_and_the_own_groups_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "letter").touch()
    tmp_path.chmod(0o775)
    StoreLock(tmp_path).close()
    (tmp_path / LOCK).unlink()
    monkeypatch.setattr(os, "getgroups", list)
    monkeypatch.setattr(os, "getegid", lambda: tmp_path.stat().st_gid + 1)
    with pytest.raises(StoreOpenToOthersError):
        StoreLock(tmp_path)


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("important")
    store = tmp_path / "store"
    store.mkdir(0o700)
    (store / LOCK).symlink_to(victim)
    with pytest.raises(OSError, match="symbolic link"):
        StoreLock(store)
    with pytest.raises(OSError, match="symbolic link"):
        holder_of(store)
    assert victim.read_text() == "important"


def test_the_directory_itself_may_be_reached_by_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir(0o700)
    (tmp_path / "store").symlink_to(tmp_path / "disk")
    StoreLock(tmp_path / "store").close()
    assert (tmp_path / "disk" / LOCK).exists()
