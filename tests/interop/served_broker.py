"""A broker in a process of its own, started the way a user starts it."""

import re
import signal
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from lastvalue.client import blocking

HOST = "127.0.0.1"
USER, PASSWORD = "trader", "open sesame"
STOP_SECONDS = 60
QUIET = ("--log-level", "error", "--log-level", "audit=error")
FAULTS = ('"connection.internal_error"', '"event": "library"')
"""Events that no peer may bring about."""

EVENT_LOOPS = ("asyncio", "auto")
"""What a broker can run on; the second is uvloop where it is installed, as by default."""

_LISTENING = re.compile(rf"{re.escape(HOST)}:(\d+)")


class ServedBroker:
    """`lastvalue serve` on a free port, ready for connections inside its `with` block.

    Attributes:
        user: goes into the URL: `name:password@`, or nothing.

    Args:
        arguments: of `serve`.
        within: a command that runs the one that follows it, in the same process.
    """

    def __init__(self, *arguments: str, within: tuple[str, ...] = ()) -> None:
        program = str(Path(sys.executable).with_name("lastvalue"))
        self._command = [*within, program, "serve", "--port", "0", *QUIET, *arguments]
        self._names = count(1)
        self.user = ""
        self.process: subprocess.Popen[str]
        self.port = 0
        self._log: IO[str]

    def __enter__(self) -> Self:
        self._log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=self._log, text=True, bufsize=1
        )
        self.port = self._announced_port()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        faults = [line for line in self._logged().splitlines() if any(each in line for each in FAULTS)]
        self._log.close()
        if error is None:
            assert not faults, "\n".join(faults[:3])

    def _logged(self) -> str:
        self._log.seek(0)
        return self._log.read()

    @property
    def url(self) -> str:
        return f"amqp://{self.user}{HOST}:{self.port}"

    def declare(self, **options: Any) -> str:
        """Make a queue with a name that no other test has; its name."""
        name = f"queue-{next(self._names)}"
        with blocking.connect(self.url) as connection:
            connection.declare(name, **options)
        return name

    def depth(self, queue: str) -> int:
        """How many messages the queue holds, whoever has acquired them."""
        with blocking.connect(self.url) as connection:
            return connection.queue(queue).info().depth

    def stop(self) -> tuple[int, str, str]:
        """Ask it to stop as a service manager does; see `ended`."""
        self.process.send_signal(signal.SIGTERM)
        return self.ended()

    def kill(self) -> tuple[int, str, str]:
        """End it with SIGKILL; see `ended`."""
        self.process.kill()
        return self.ended()

    def ended(self) -> tuple[int, str, str]:
        """Wait until it has stopped: exit code, what it printed, its complaints."""
        printed, _ = self.process.communicate(timeout=STOP_SECONDS)
        return self.process.returncode, printed, self._logged()

    def announced(self, scheme: str) -> str:
        """The next address that it says it listens on, which is of this scheme."""
        assert self.process.stdout is not None
        address = self.process.stdout.readline().split()[-1]
        assert address.startswith(scheme), address
        return address

    def _announced_port(self) -> int:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if announced := _LISTENING.search(line):
                return int(announced[1])
        raise AssertionError(f"the broker ended before it listened: {self._logged()}")
