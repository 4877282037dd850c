"""The priority of Java's optimising compiler, which on a local master competes with micro-batches."""

import os
from pathlib import Path
from typing import Any, Final

COMPILER_OPTIONS: Final = ("-XX:-UseDynamicNumberOfCompilerThreads",)
"""Make Java start all compiler threads at once, so that `lower_compiler_priority` sees them."""

_LEAST: Final = 19
"""The niceness of a thread that runs when no other thread wants the processor."""

_OPTIMISING: Final = "C2 Compiler"
"""The first part of the names of the threads that compile frequently run code a second time."""


def lower_compiler_priority(gateway: Any) -> None:
    """Let the second tier of Java's compiler run only when no other thread wants the processor.

    The compiler has work for minutes, and the work can wait; micro-batches cannot. Does nothing where this
    process has not started the Java behind the gateway.
    """
    process = getattr(gateway, "proc", None)
    if process is not None:
        lower_thread_priority(process.pid, _OPTIMISING)


def lower_thread_priority(pid: int, prefix: str) -> None:
    """Give the threads of a process whose names start with the prefix the lowest priority.

    Does nothing where threads have no niceness of their own: everywhere except on Linux.
    """
    threads = Path(f"/proc/{pid}/task")
    for thread in threads.iterdir() if threads.is_dir() else ():
        if _name(thread).startswith(prefix):
            os.setpriority(os.PRIO_PROCESS, int(thread.name), _LEAST)


def _name(thread: Path) -> str:
    """A thread's name; empty if the thread has ended."""
    try:
        return (thread / "comm").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
