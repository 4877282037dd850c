"""Somebody who sends all the while, and finds out how long a confirmation takes: a process of its own."""

import subprocess
import sys
import threading
import time
from types import TracebackType
from typing import Final, Self

from lastvalue.client import Message, blocking

_EVERY_S: Final = 0.02


class Bystander:
    """Sends a message every 20 ms inside its `with` block, and is to be confirmed each time.

    Attributes:
        taken_ms: how long each message took, once the block has ended.
    """

    def __init__(self, url: str) -> None:
        self.taken_ms: list[float] = []
        self._command = [sys.executable, __file__, url]
        self._process: subprocess.Popen[str]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline(), "the bystander could not send"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        told, _ = self._process.communicate("the end\n")
        if error is None:
            assert self._process.returncode == 0, "the bystander was not served"
        self.taken_ms = [float(taken) for taken in told.split()]

    def __str__(self) -> str:
        """What it found."""
        p50, p99, worst = (f"{self._quantile(share):.1f}" for share in (0.5, 0.99, 1))
        return f"{len(self.taken_ms)} of others' messages took p50 {p50}, p99 {p99}, max {worst} ms"

    def _quantile(self, share: float) -> float:
        return sorted(self.taken_ms)[int(share * (len(self.taken_ms) - 1))]


def main(url: str) -> None:
    """Send until a line comes; say when the first message is confirmed, and at the end how long each took."""
    over = threading.Event()
    threading.Thread(target=_wait_for_line, args=(over,), daemon=True).start()
    taken_ms: list[float] = []
    with blocking.connect(url) as connection:
        queue = connection.declare("others", lvq_key="key")
        with queue.sender() as sender:
            while True:
                began_s = time.monotonic()
                sender.send(Message("well", {"key": "one"}))
                taken_ms.append((time.monotonic() - began_s) * 1000)
                if len(taken_ms) == 1:
                    print("sends", flush=True)
                if over.wait(_EVERY_S):
                    break
    print(*taken_ms)


def _wait_for_line(over: threading.Event) -> None:
    sys.stdin.readline()
    over.set()


if __name__ == "__main__":
    main(sys.argv[1])
