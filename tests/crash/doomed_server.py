"""A broker with a store that kills itself at a step of the write path: `doomed_server.py STORE [STEP COUNT]`.

What `lastvalue serve` runs, with a disk in between that counts the steps. After a SIGUSR1 the disk takes
nothing any more, and says nothing.
"""

import asyncio
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Final

from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.open_store import StoreMachine, StoreSettings
from lastvalue.store.files import Files
from lastvalue.store.store_options import StoreOptions

SEGMENT_BYTES: Final = 64 << 10
STEPS: Final = {
    "before write": 60,
    "within write": 60,
    "after write": 60,
    "before sync": 60,
    "after sync": 60,
    "after new segment": 4,
    "after directory sync": 5,
    "before delete": 4,
    "after delete": 4,
}
"""With how often each is sure to come within a second or two of work."""


class DoomedFiles(Files):
    """Kills the process when a step is reached for the n-th time; "" is never."""

    def __init__(self, step: str, count: int) -> None:
        self._step = step
        self._left = count
        self.takes = threading.Event()
        self.takes.set()

    def _reach(self, step: str) -> None:
        if step == self._step:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def create(self, path: Path) -> int:
        descriptor = super().create(path)
        self._reach("after new segment")
        return descriptor

    def write(self, descriptor: int, data: memoryview, offset: int) -> int:
        if not any(data):
            # Filling ahead is no step.
            return super().write(descriptor, data, offset)
        self._reach("before write")
        self.takes.wait()
        if self._step == "within write" and self._left == 1:
            super().write(descriptor, data[: len(data) // 2], offset)
        self._reach("within write")
        written = super().write(descriptor, data, offset)
        self._reach("after write")
        return written

    def sync(self, descriptor: int) -> None:
        self._reach("before sync")
        super().sync(descriptor)
        self._reach("after sync")

    def delete(self, path: Path) -> None:
        self._reach("before delete")
        super().delete(path)
        self._reach("after delete")

    def sync_directory(self, directory: Path) -> None:
        super().sync_directory(directory)
        self._reach("after directory sync")


async def serve(store: Path, step: str, count: int) -> None:
    options = StoreOptions(segment_bytes=SEGMENT_BYTES, checks=True)
    files = DoomedFiles(step, count)
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, files.takes.clear)
    settings = StoreSettings(store, options, machine=StoreMachine(files))
    async with BrokerServer(ServerOptions(port=0), store=settings) as server:
        print(f"listening on amqp://127.0.0.1:{server.port}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    directory, what, often = [*sys.argv[1:], "", "0"][:3]
    asyncio.run(serve(Path(directory), what, int(often)))
