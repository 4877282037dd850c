"""Which threads of a process get the lowest priority."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lastvalue.pipeline.spark.compiler_priority import lower_thread_priority

NAMED = """
import sys
open("/proc/self/comm", "w").write(sys.argv[1])
print("ready", flush=True)
sys.stdin.read()
"""

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads have no niceness here")


@contextmanager
def process_named(name: str) -> Iterator[int]:
    """The id of a process, and of its one thread, that has that name."""
    command = [sys.executable, "-c", NAMED, name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        process.stdout.readline()
        yield process.pid
        process.stdin.close()


@pytest.mark.parametrize(
    ("name", "deferred"), [("C2 CompilerThre", True), ("C1 CompilerThre", False), ("C2", False)]
)
def test_only_threads_of_that_name_wait_for_the_others(name: str, deferred: bool) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    with process_named(name) as pid:
        lower_thread_priority(pid, "C2 Compiler")
        assert os.getpriority(os.PRIO_PROCESS, pid) == (19 if deferred else own)


def test_a_process_that_has_ended_has_no_threads() -> None:
    with process_named("over") as pid:
        pass
    lower_thread_priority(pid, "over")
