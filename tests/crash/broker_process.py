"""A broker with its store in a replicated log, as a process of its own."""

import asyncio
import os
import re
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

LEASE_MS: Final = 2000
_LISTENING: Final = re.compile(rb"listening on (amqp://\S+)")


@dataclass
class BrokerProcess:
    """The process, and where it listens; "" where it ended before it did."""

    process: asyncio.subprocess.Process
    url: str
    log: IO[bytes]

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    async def ended(self) -> tuple[int, str]:
        """Its exit code, and what it said on standard error."""
        code = await asyncio.wait_for(self.process.wait(), 60)
        self.log.seek(0)
        return code, self.log.read().decode()


@asynccontextmanager
async def serving(address: str, *flags: str, source: Path | None = None) -> AsyncIterator[BrokerProcess]:
    """A broker that serves, or that has ended; of another build where the path of its source is given."""
    command = ["serve", "--port", "0", "--store", address, "--store-lease-ms", str(LEASE_MS), *flags]
    # A pipe that nobody reads would stop the broker once it is full.
    with tempfile.TemporaryFile() as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "lastvalue", *command),
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env=os.environ if source is None else os.environ | {"PYTHONPATH": str(source)},
        )
        assert process.stdout is not None
        try:
            line = await asyncio.wait_for(process.stdout.readline(), 120)
            found = _LISTENING.search(line)
            yield BrokerProcess(process, found[1].decode() if found else "", log)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
