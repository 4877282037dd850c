"""What the programs of bench/clients.py share: each is one client, run by a process under one load.

    python bench/client_pika.py received PORT COUNT

prints the CPU time of its process for a message, in microseconds; what comes before the load (imports, the
connection, a warm-up of a tenth) is not in it. Bodies are of 100 bytes, with one property where the protocol
has properties. Such a program imports its client and this module alone, so any environment with the client
runs it.
"""

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

HOST = "127.0.0.1"
BODY = b"x" * 100
KEYS = 1000
PREFETCH = 500
IN_FLIGHT = 500

Load = Callable[[int, int], Coroutine[Any, Any, float]]
"""Takes the broker's port and how many messages; returns the cost of one."""


class Costs:
    """The CPU time of this process since it began."""

    def __init__(self) -> None:
        self._began_ns = time.process_time_ns()

    def per(self, count: int) -> float:
        """For each of so many messages, in microseconds."""
        return (time.process_time_ns() - self._began_ns) / 1000 / count


async def another(load: str, port: int, count: int) -> asyncio.subprocess.Process:
    """The same client under another load, in a process of its own."""
    return await asyncio.create_subprocess_exec(
        sys.executable, sys.argv[0], load, str(port), str(count), stdout=asyncio.subprocess.DEVNULL
    )


def run(**loads: Load) -> None:
    """Run the load that the command line names."""
    load, port, count = sys.argv[1:]
    print(asyncio.run(loads[load](int(port), int(count))))
