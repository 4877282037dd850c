"""What the demo and the quickstart run: child processes that do not outlive them, and tasks side by side."""

import asyncio
import contextlib
import json
import signal
import sys
import webbrowser
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from lastvalue.cli.exits import CommandFailedError, ExitCode

_LISTENING: Final = "listening on "
END_TIMEOUT_S: Final = 15.0
_KEPT_LINES: Final = 40


class DemoProcess:
    """A running child process.

    It has its own process session, so that Ctrl-C reaches only the demo, which then ends its children.
    """

    def __init__(self, name: str, process: Process) -> None:
        self._name = name
        self._process = process
        self._last_lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._errors = asyncio.create_task(self._keep_errors())

    @classmethod
    async def start(cls, name: str, arguments: Sequence[str]) -> "DemoProcess":
        """Start a Python process with these arguments."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
        )
        return cls(name, process)

    def tell(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self._process.stdin is not None  # noqa: S101 - `start` makes it a pipe
        self._process.stdin.write(f"{line}\n".encode())

    async def lines(self) -> AsyncIterator[str]:
        """The lines of its standard output, until it ends."""
        assert self._process.stdout is not None  # noqa: S101 - it is a pipe
        async for line in self._process.stdout:
            yield line.decode(errors="replace").rstrip("\n")

    async def failed(self) -> CommandFailedError:
        """The error for a child that ended too early, with its last output."""
        code = await self._process.wait()
        await self._errors
        last = next((line for line in reversed(self._last_lines) if line.strip()), "it wrote nothing")
        return CommandFailedError(f"the {self._name} ended with exit code {code}: {last}")

    async def end(self) -> None:
        """Terminate it, and kill it if it does not end.

        One that starts Spark ends at once by the signal, and the Java that it has started with its last pipe;
        later it stops its feed first.
        """
        if self._process.stdin is not None:
            self._process.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        try:
            async with asyncio.timeout(END_TIMEOUT_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        await self._errors

    async def _keep_errors(self) -> None:
        assert self._process.stderr is not None  # noqa: S101 - it is a pipe
        async for line in self._process.stderr:
            self._last_lines.append(line.decode(errors="replace").rstrip("\n"))


async def start_broker(
    port: int, *, serves_http: bool, topics: tuple[str, str] | None = None
) -> tuple[DemoProcess, list[str]]:
    """Start a broker on the port, or on the next free one; returns it, its URL and with HTTP the gateway's.

    Args:
        port: the port.
        serves_http: with a gateway.
        topics: a pattern of MQTT's topics, and the queue of their retained messages.

    Raises:
        CommandFailedError: the broker did not start.
    """
    http = ["--http-port", "0"] if serves_http else []
    with TemporaryDirectory() as folder:
        configuration = [] if topics is None else ["--config", _topics_file(folder, *topics)]
        serve = ["serve", "--port", str(port), "--port-fallback", *http, *configuration]
        child = await DemoProcess.start("broker", ["-m", "lastvalue.cli.until_stdin_closes", *serve])
        urls: list[str] = []
        async for line in child.lines():
            if line.startswith(_LISTENING):
                urls.append(line.removeprefix(_LISTENING))
            if len(urls) == 1 + serves_http:
                return child, urls
    raise await child.failed()


def _topics_file(folder: str, pattern: str, queue: str) -> str:
    file = Path(folder, "lastvalue.toml")
    # A text in JSON is a text in TOML.
    file.write_text(f"[[mqtt.topics]]\npattern = {json.dumps(pattern)}\nqueue = {json.dumps(queue)}\n")
    return str(file)


def show_console(picture: str, gateway: Sequence[str], *, opens: bool) -> None:
    """Print the address of a place in the console, which a gateway's URL is before, and open it if asked."""
    if not gateway:
        print("console  needs `pip install 'lastvalue[http]'`")
        return
    address = f"{gateway[0]}/{picture}"
    opened = opens and webbrowser.open(address)
    print(
        f"console  {address}" + (" (no browser could be opened)" if opens and not opened else ""), flush=True
    )


@dataclass(frozen=True, slots=True)
class FeedReport:
    """A line of the feed's output: its progress.

    Attributes:
        event: started, progress or finished.
        updates: rows read, conflated and confirmed by the broker.
    """

    event: str
    updates: int


async def feed_reports(feed: DemoProcess) -> AsyncIterator[FeedReport]:
    """The reports of a feed, until it has finished.

    Raises:
        CommandFailedError: the feed ended before.
    """
    async for line in feed.lines():
        if line.startswith("{"):
            fields = json.loads(line)
            yield FeedReport(fields["event"], fields["updates"])
            if fields["event"] == "finished":
                return
    raise await feed.failed()


async def until_interrupted(work: Coroutine[None, None, int]) -> int:
    """Run the work and return its exit code; Ctrl-C, TERM and a closed terminal cancel it."""
    running = asyncio.create_task(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, running.cancel)
    try:
        return await running
    except asyncio.CancelledError:
        print("interrupted", file=sys.stderr)
        return ExitCode.INTERRUPTED


async def while_running(main: Coroutine[None, None, None], *companions: Coroutine[None, None, None]) -> None:
    """Run all until the first ends, raise its error if it failed, and cancel the others."""
    tasks = [asyncio.ensure_future(work) for work in (main, *companions)]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
