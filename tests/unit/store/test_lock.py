import os
import subprocess
import sys
from pathlib import Path

import pytest

from lastvalue.store.lock import LOCK, StoreInUseError, holder_of, take_lock

HOLD = """
import sys
from pathlib import Path
from lastvalue.store.lock import take_lock
take_lock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_store_is_one_process_alone_until_it_lets_go(tmp_path: Path) -> None:
    directory = tmp_path / "store"
    descriptor = take_lock(directory)
    with pytest.raises(StoreInUseError, match=f"process {os.getpid()}"):
        take_lock(directory)
    assert holder_of(directory) == str(os.getpid())
    os.close(descriptor)
    os.close(take_lock(directory))
    assert holder_of(directory) is None


def test_a_directory_that_was_never_a_store_has_no_holder(tmp_path: Path) -> None:
    assert holder_of(tmp_path) is None


def test_a_holder_whose_number_is_not_known_holds_all_the_same(tmp_path: Path) -> None:
    descriptor = take_lock(tmp_path)
    (tmp_path / LOCK).write_text("")
    assert holder_of(tmp_path) == ""
    with pytest.raises(StoreInUseError, match="another process"):
        take_lock(tmp_path)
    os.close(descriptor)


def test_a_process_that_dies_lets_go(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(StoreInUseError, match=f"process {other.pid}"):
            take_lock(tmp_path)
        other.kill()
    os.close(take_lock(tmp_path))
