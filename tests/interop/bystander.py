"""Another client, in a process of its own, which measures how long the broker takes to serve it."""

import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from lastvalue.client import Message, blocking

_EVERY_S: Final = 0.005
_SHARES: Final = {"p50": 0.5, "p99": 0.99, "max": 1.0}


@dataclass(frozen=True)
class Waits:
    """How long each round trip took: a message is sent, confirmed and received.

    Attributes:
        elapsed_ms: by the clock.
        served_ms: without the time in which the broker or the client waited for a processor, because other
            processes of the machine had it.
    """

    elapsed_ms: list[float]
    served_ms: list[float]

    def __str__(self) -> str:
        """Both as percentiles."""
        served, elapsed = (
            ", ".join(f"{name} {quantile(each, share):.1f}" for name, share in _SHARES.items())
            for each in (self.served_ms, self.elapsed_ms)
        )
        trips = len(self.served_ms)
        return (
            f"{trips} round trips of another client: {served} ms, p99 with those that it missed "
            f"{self.p99_ms:.1f} (by the clock: {elapsed})"
        )

    @property
    def p99_ms(self) -> float:
        """What 99 of 100 round trips take at most of somebody who begins one every 5 ms.

        The client waits for each before it begins the next: those that it did not begin meanwhile count, too.
        """
        every_ms = 1000 * _EVERY_S
        missed = [
            elapsed - skipped * every_ms
            for elapsed in self.served_ms
            for skipped in range(1, int(elapsed / every_ms) + 1)
        ]
        return quantile([*self.served_ms, *missed], 0.99)


def quantile(values: list[float], share: float) -> float:
    """The value below which this share of them lies."""
    return sorted(values)[int(share * (len(values) - 1))]


class Bystander:
    """Sends a message every 5 ms inside its `with` block, and receives it.

    Args:
        url: of the broker.
        process: the broker's number.
    """

    def __init__(self, url: str, process: int) -> None:
        self._command = [sys.executable, __file__, url, str(process)]
        self._samples: list[tuple[float, float, float]] = []
        self._came = threading.Condition()
        self._process: subprocess.Popen[str]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self.wait_for_round_trip(0.0)
        except AssertionError:
            self._process.kill()
            self._process.communicate()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._reader.join(60)
        assert self._process.stdout is not None
        self._process.stdout.close()
        if error is None:
            assert self._process.returncode == 0, "the bystander was not served"

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            began_s, elapsed_ms, served_ms = map(float, line.split())
            with self._came:
                self._samples.append((began_s, elapsed_ms, served_ms))
                self._came.notify_all()

    def wait_for_round_trip(self, since_s: float) -> None:
        """Wait for one that began after this moment of the monotonic clock."""
        with self._came:
            served = self._came.wait_for(
                lambda: bool(self._samples) and self._samples[-1][0] > since_s, timeout=60
            )
        assert served, "the bystander was not served within a minute"

    def waits(self, since_s: float = 0.0) -> Waits:
        """The round trips that ended after a moment of the monotonic clock."""
        with self._came:
            after = [each for each in self._samples if each[0] + each[1] / 1000 > since_s]
        return Waits([elapsed for _, elapsed, _ in after], [served for _, _, served in after])


def main(url: str, process: str) -> None:
    """Print the begin of each round trip, in seconds, and what it took, until the input is closed."""
    over = threading.Event()
    threading.Thread(target=_wait_for_end, args=(over,), daemon=True).start()
    with blocking.connect(url) as connection:
        queue = connection.declare("others", lvq_key="key")
        messages = queue.receive()
        with queue.sender() as sender:
            while not over.is_set():
                began_s, waited_ms = time.monotonic(), _processor_waits_ms(process)
                sender.send(Message("well", {"key": "one"}))
                next(messages).accept()
                elapsed_ms = (time.monotonic() - began_s) * 1000
                served_ms = max(0.0, elapsed_ms - (_processor_waits_ms(process) - waited_ms))
                print(began_s, elapsed_ms, served_ms, flush=True)
                over.wait(_EVERY_S)
        messages.close()


def _processor_waits_ms(process: str) -> float:
    """How long the broker's event loop and this process have waited for a processor; 0 where unknown."""
    waited_ns = 0
    for thread in Path("/proc", process, "schedstat"), *Path("/proc/self/task").glob("*/schedstat"):
        # A thread may have ended since it was listed, and the kernel may keep no such figures.
        with suppress(FileNotFoundError, ProcessLookupError):
            waited_ns += int(thread.read_text().split()[1])
    return waited_ns / 1e6


def _wait_for_end(over: threading.Event) -> None:
    sys.stdin.read()
    over.set()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
