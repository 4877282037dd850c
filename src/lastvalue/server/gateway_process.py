"""The gateway's process, a child of the broker's: it is started, watched, started again and ended."""

import asyncio
import json
import os
import signal
import socket
import subprocess
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from lastvalue.config.tls_listener import TlsOptions
from lastvalue.model.gateway_figures import EVERY_S
from lastvalue.server.forwarded_log import LONGEST_LINE, SERVING, pass_on
from lastvalue.server.log_events import GATEWAY_ENDED, GATEWAY_PRINTED, GATEWAY_STARTED

FIRST_DELAY_S: Final = 0.5
"""Before it is started again; each further time twice as long."""

_LONGEST_DELAY_S: Final = 30.0
_STEADY_S: Final = 60.0
"""After it has run for this long, its end is the first one again."""

_ENDS_WITHIN_S: Final = 10.0


Figures = Callable[[], Awaitable[dict[str, Any]]]
"""Returns what the gateway keeps of the broker."""


class GatewayProcess:
    """Runs a command from `start` to `stop`, again and again if it ends.

    The command inherits the socket and reads its settings from standard input, a line of JSON with the
    socket's number as `listening`; a further line has changed settings, or `figures` of the broker.
    No secret is on its command line.
    The end of its standard input is the end of the broker, so that it ends with a broker that is killed.
    It writes the lines of its log to standard output; see `forwarded_log`.
    It has its own process session: Ctrl-C reaches only the broker, which then ends it.

    Args:
        command: that serves.
        settings: of the gateway; values of JSON.
        listening: what callers connect to. They wait in its backlog until the process has started again.

    Attributes:
        serves: whether it answers.
        restarts: how often it has ended and was started again.
        fault: why it does not answer after it has ended; None if it has not ended, or answers again.
    """

    def __init__(self, command: Sequence[str], settings: dict[str, Any], listening: socket.socket) -> None:
        self._command = command
        self._settings = settings
        self._listening = listening
        self._stopping = asyncio.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._running: asyncio.Task[None] | None = None
        self._telling: asyncio.Task[None] | None = None
        self.serves = False
        self.restarts = 0
        self.fault: str | None = None

    def start(self, figures: Figures | None = None) -> None:
        """Begin to run it, and to tell it these figures every EVERY_S seconds."""
        loop = asyncio.get_running_loop()
        self._running = loop.create_task(self._run())
        if figures is not None:
            self._telling = loop.create_task(self._tell_figures(figures))
            self._telling.add_done_callback(_show_fault)

    @property
    def lack(self) -> str | None:
        """Why HTTP does not answer, in words; None if it does."""
        if self.serves:
            return None
        why = self.fault or ("it ends" if self._stopping.is_set() else "it starts")
        return f"the HTTP gateway does not answer: {why}"

    def known(self) -> dict[str, Any]:
        """What `$management` shows of it, by the names of PROCESS."""
        return {"gateway_serves": self.serves, "gateway_restarts": self.restarts}

    def use_certificate(self, files: TlsOptions) -> None:
        """Let it show this certificate to new callers; open connections stay."""
        key = None if files.key is None else str(files.key)
        self._settings = self._settings | {"certificate": str(files.certificate), "private_key": key}
        self._tell()

    async def stop(self, hurried: asyncio.Event) -> None:
        """Listen no more, and end it: callers may finish what they have begun, within seconds.

        It is killed if it does not end in time, or when `hurried` is set.
        """
        self._stopping.set()
        if self._telling is not None:
            self._telling.cancel()
        self._listening.close()
        if self._running is None:
            return
        if self._process is not None:
            self._process.terminate()
        hurry = asyncio.ensure_future(hurried.wait())
        await asyncio.wait(
            (self._running, hurry), timeout=_ENDS_WITHIN_S, return_when=asyncio.FIRST_COMPLETED
        )
        hurry.cancel()
        if self._process is not None:
            self._process.kill()
        await self._running

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        delay_s = FIRST_DELAY_S
        while not self._stopping.is_set():
            began_s = loop.time()
            cause = await self._run_once(began_s)
            if self._stopping.is_set():
                return
            delay_s = FIRST_DELAY_S if loop.time() - began_s > _STEADY_S else delay_s
            self.fault = f"its process has ended ({cause}) and starts again"
            GATEWAY_ENDED.log(cause=cause, restart_s=delay_s)
            with suppress(TimeoutError):
                async with asyncio.timeout(delay_s):
                    await self._stopping.wait()
                    return
            self.restarts += 1
            delay_s = min(2 * delay_s, _LONGEST_DELAY_S)

    async def _run_once(self, began_s: float) -> str:
        """Run it until it ends; the cause of its end."""
        try:
            process = self._process = self._spawn()
        except OSError as error:
            return f"it cannot be started: {error.strerror or error}"
        assert process.stdin is not None  # noqa: S101 - it is a pipe
        with process.stdin:
            # A process that does not read must not hold up the broker.
            os.set_blocking(process.stdin.fileno(), False)
            self._tell()
            await self._read_log(process, began_s)
        self.serves = False
        code = await asyncio.to_thread(process.wait)
        self._process = None
        return f"exit code {code}" if code >= 0 else f"signal {-code}, {signal.strsignal(-code)}"

    def _spawn(self) -> subprocess.Popen[bytes]:
        # On Linux this copies nothing of the broker, however large it is; uvloop's way would.
        return subprocess.Popen(  # noqa: S603 - no shell, and a command of our own
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(self._listening.fileno(),),
            start_new_session=True,
        )

    async def _read_log(self, process: subprocess.Popen[bytes], began_s: float) -> None:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(LONGEST_LINE)
        transport, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), process.stdout
        )
        try:
            while line := await _next_line(reader):
                if line == SERVING:
                    self.serves, self.fault = True, None
                    GATEWAY_STARTED.log(pid=process.pid, seconds=round(loop.time() - began_s, 3))
                elif line.strip() and not pass_on(line):
                    GATEWAY_PRINTED.log(line=line.decode(errors="replace").rstrip())
        finally:
            transport.close()

    def _tell(self) -> None:
        """Write the settings to its standard input."""
        self._write(self._settings | {"listening": self._listening.fileno()})

    async def _tell_figures(self, figures: Figures) -> None:
        while True:
            if self.serves:
                self._write({"figures": await figures()})
            await asyncio.sleep(EVERY_S if self.serves else FIRST_DELAY_S)

    def _write(self, document: dict[str, Any]) -> None:
        """Write a line to its standard input."""
        process = self._process
        if process is None or process.stdin is None or process.stdin.closed:
            return
        line = json.dumps(document).encode() + b"\n"
        try:
            written = os.write(process.stdin.fileno(), line)
        except BrokenPipeError:
            # It has ended, which its output tells.
            return
        except BlockingIOError:
            written = 0
        if written < len(line):
            # It has not read for long: the next one begins with the settings.
            process.kill()


async def _next_line(reader: asyncio.StreamReader) -> bytes:
    """The next line of its output; empty at the end."""
    try:
        return await reader.readline()
    except ValueError:
        return f"a line of more than {LONGEST_LINE} bytes, which is left out".encode()


def _show_fault(ended: asyncio.Task[None]) -> None:
    """Raise a task's fault into its loop, which logs it: nobody waits for the task."""
    if not ended.cancelled():
        ended.result()
