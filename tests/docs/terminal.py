"""Runs the commands of a page as a reader types them, with a broker that is this page's own.

A command is a process that is forked from one in which the command line is loaded already.
"""

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from waiting import wait_until

from lastvalue.cli.app import SUBCOMMANDS, run

FORKS: Final = get_context("forkserver")
LOADED: Final = (
    "lastvalue.cli.app",
    *sorted({f"lastvalue.cli.{each.module}" for each in SUBCOMMANDS.values()}),
    "lastvalue.client.blocking",
    "lastvalue.config.declarations",
    "lastvalue.config.toml_reader",
    "lastvalue.server.broker_server",
    "prepared_commands",
    "pydantic.fields",
    "pydantic.functional_validators",
    "pydantic.type_adapter",
    "rich.table",
    "terminal",
    "zoneinfo",
)
"""What commands would load each on its own."""

FORKS.set_forkserver_preload(list(LOADED))
LISTENING: Final = re.compile(r"listening on (amqp://127\.0\.0\.1:\d+|amqp://0\.0\.0\.0:\d+)\n")
GATEWAY: Final = re.compile(r"listening on http://(127\.0\.0\.1:\d+)\n")
PART_STARTS: Final = re.compile(r"(?m)^((?:feed|history) \S+): starting Spark")
PART_IDLE: Final = re.compile(r"(?m)^((?:feed|history) \S+): idle")
PRINTED_GATEWAY: Final = "localhost:8080"
FOLDERS: Final = re.compile(r"(?<![\w./-])/(var|backup|etc|data|srv)(?![\w-])")
PROGRAMS: Final = ("lastvalue", "curl", "tail")
"""What is run: anything else would change the machine, and needs a reason why it is not."""

STOP: Final = "Ctrl-C"
"""What ends the page's broker."""

ENDS_S: Final = 500.0


def run_lastvalue(
    arguments: Sequence[str], folder: str, variables: dict[str, str], files: Sequence[str]
) -> None:
    """Be the command: in its folder, with its variables, and with three files as input, output and errors."""
    os.chdir(folder)
    os.environ.update(variables)
    for descriptor, (file, how) in enumerate(zip(files, (os.O_RDONLY, _WRITE, _WRITE), strict=True)):
        os.dup2(os.open(file, how), descriptor)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os._exit(_flushed(run(arguments)))


_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


def _flushed(code: int) -> int:
    import sys  # noqa: PLC0415 - the child's

    sys.stdout.flush()
    sys.stderr.flush()
    return code


@dataclass(frozen=True)
class Done:
    """What became of a command."""

    code: int
    output: str
    errors: str


class Started:
    """A command that is under way."""

    def __init__(
        self,
        process: "ForkServerProcess | subprocess.Popen[bytes]",
        output: Path,
        errors: Path,
        writes_into: Path,
    ) -> None:
        self._process = process
        self._output, self._errors = output, errors
        self._writes_into = writes_into

    @property
    def output(self) -> str:
        """What it has printed."""
        return self._output.read_text() if self._output.exists() else ""

    @property
    def errors(self) -> str:
        """What it has said beside its output."""
        return self._errors.read_text() if self._errors.exists() else ""

    def has_begun(self) -> bool:
        """Whether it has done something, which may be to end; a pipeline, whether it waits for more to do."""
        parts = set(PART_STARTS.findall(self.errors))
        is_idle = bool(parts) and parts <= set(PART_IDLE.findall(self.errors))
        return is_idle or bool(self.output) or self._writes_into.is_dir() or not self.is_running()

    def done(self) -> Done:
        """Wait for its end."""
        if isinstance(self._process, subprocess.Popen):
            code = self._process.wait(ENDS_S)
        else:
            self._process.join(ENDS_S)
            code = -1 if self._process.exitcode is None else self._process.exitcode
        return Done(code, self.output, self.errors)

    def is_running(self) -> bool:
        if isinstance(self._process, subprocess.Popen):
            return self._process.poll() is None
        return self._process.is_alive()

    def end(self, number: signal.Signals) -> Done:
        """End it as Ctrl-C or a service manager does."""
        if self.is_running():
            assert self._process.pid is not None
            os.kill(self._process.pid, number)
        return self.done()


class Terminal:
    """The folder, the variables and the broker of one page's commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._broker: Started | None = None
        self._gateway = PRINTED_GATEWAY
        self._number = 0
        self.variables = {
            "LASTVALUE_AMQP_PORT": "0",
            "XDG_CACHE_HOME": str(folder / "cache"),
            "COLUMNS": "120",
        }
        for name in ("var/lib", "var/log/lastvalue", "backup", "etc", "data", "srv"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._broker is not None:
            self._broker.end(signal.SIGKILL)

    def local(self, text: str) -> str:
        """A text whose folders and ports are this terminal's."""
        text = text.replace("--http-port 8080", "--http-port 0").replace(PRINTED_GATEWAY, self._gateway)
        return FOLDERS.sub(rf"{self.folder}/\1", text)

    def run(self, command: str) -> Done:
        """Run a command; one that ends with Ctrl-C alone is ended so when it has printed something."""
        if command == STOP:
            assert self._broker is not None
            broker, self._broker = self._broker, None
            return broker.end(signal.SIGTERM)
        words = shlex.split(self.local(command))
        assert all(stage[0] in PROGRAMS for stage in _pipeline(words)), f"not run here: {command}"
        if words[:2] == ["lastvalue", "serve"]:
            return self.serve(words[1:])
        if self._broker is None:
            self.serve(["serve"])
        *before, last = _pipeline(words)
        given = os.devnull
        for stage in before:
            started = self._start(stage, given)
            given = str(started._output)
            if is_endless(stage):
                wait_until(started.has_begun, limit_s=ENDS_S)
                started.end(signal.SIGINT)
            else:
                started.done()
        started = self._start(last, given)
        if not is_endless(last):
            return started.done()
        wait_until(started.has_begun, limit_s=ENDS_S)
        return started.end(signal.SIGINT)

    def serve(self, words: Sequence[str]) -> Done:
        """Start the page's broker, in the place of the one before."""
        if self._broker is not None:
            ended = self._broker.end(signal.SIGTERM)
            assert ended.code == 0, ended
        broker = self._broker = self._start(["lastvalue", *words], os.devnull)
        expected = [LISTENING, GATEWAY] if "--http-port" in words else [LISTENING]
        wait_until(lambda: all(each.search(broker.output) for each in expected) or not broker.is_running())
        address = LISTENING.search(broker.output)
        if address is None:
            self._broker = None
            return broker.done()
        if (gateway := GATEWAY.search(broker.output)) is not None:
            self._gateway = gateway[1]
        self.variables["LASTVALUE_URL"] = address[1].replace("0.0.0.0", "127.0.0.1")
        return Done(0, broker.output, "")

    def _start(self, words: Sequence[str], given: str) -> Started:
        self._number += 1
        output, errors = (self.folder / f".{self._number}.{name}" for name in ("out", "err"))
        tables = Path(words[words.index("--tables") + 1]) if "--tables" in words else self.folder / "none"
        if words[0] == "curl":
            words = ["curl", "--silent", "--show-error", "--fail-with-body", *words[1:]]
        if words[0] != "lastvalue":
            with Path(given).open("rb") as input_, output.open("wb") as out, errors.open("wb") as err:
                other = subprocess.Popen(words, cwd=self.folder, stdin=input_, stdout=out, stderr=err)
            return Started(other, output, errors, tables)
        files = (given, str(output), str(errors))
        process = FORKS.Process(
            target=run_lastvalue, args=(words[1:], str(self.folder), self.variables, files), daemon=True
        )
        process.start()
        return Started(process, output, errors, tables)


def is_endless(words: Sequence[str]) -> bool:
    """Whether a command ends with Ctrl-C alone."""
    text = " ".join(words)
    if words[0] == "tail":
        return "-f" in words
    if "--follow" in words or " -f" in text:
        return True
    bounded = {"--count", "-n", "--timeout", "--once"} & set(words)
    return not bounded and text.startswith(
        (
            "lastvalue receive",
            "lastvalue top",
            "lastvalue watch",
            "lastvalue pipeline run",
            "lastvalue pipeline history",
        )
    )


def _pipeline(words: list[str]) -> list[list[str]]:
    stages: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            stages.append([])
        else:
            stages[-1].append(word)
    return stages
