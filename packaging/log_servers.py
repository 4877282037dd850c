"""Three servers of NATS with JetStream on loopback, for tests, measurements and the demo of a replicated log.

    python packaging/log_servers.py lastvalue serve --store {log}

runs a command while they run; {log} becomes the address of a store, {monitors} their monitoring ports, and
{pids} the numbers of their processes, both with commas. Without a command they run until Ctrl-C.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

PROGRAM: Final = (
    os.environ.get("LASTVALUE_NATS_SERVER")
    or shutil.which("nats-server", path=Path(sys.prefix, "bin"))
    or shutil.which("nats-server")
)
"""The set-up of an environment may have brought one into it."""
_MISSING: Final = "needs nats-server 2.10 or later on PATH, or its path in LASTVALUE_NATS_SERVER"
READY_WITHIN_S: Final = 120.0
_HOST: Final = "127.0.0.1"
_FORMED_WITHIN_S: Final = 10.0
_PORTS: Final = range(20_000, 32_000)
"""Below those that a system chooses from."""


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on now, and that nobody gets meanwhile who asks for any."""
    found: list[int] = []
    for port in random.SystemRandom().sample(_PORTS, len(_PORTS)):
        if len(found) == count:
            break
        with contextlib.suppress(OSError), socket.create_server((_HOST, port)):
            found.append(port)
    return found


def missing_server() -> str | None:
    """Why no server can run here, or None: it must sync before it answers, if told to, as a store needs."""
    if PROGRAM is None:
        return _MISSING
    told = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    version = told.split("v", 2)[-1].strip().split(".")
    return None if (int(version[0]), int(version[1])) >= (2, 10) else _MISSING


@dataclass(frozen=True)
class Place:
    """Where a server runs.

    Attributes:
        directory: of its data.
        host: its address.
        within: a command that runs the one that follows it, in the same process.
    """

    directory: Path
    host: str = _HOST
    within: tuple[str, ...] = ()


class LogServer:
    """One server's process, which can be killed, paused and started again on its directory."""

    def __init__(self, place: Place, name: str, ports: tuple[int, int, int], routes: list[str]) -> None:
        self.port, self.monitor_port, route_port = ports
        self.name = name
        self.place = place
        self._program = PROGRAM or ""
        self._process: subprocess.Popen[bytes] | None = None
        directory, host = place.directory, place.host
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "server.conf").write_text(
            f"""
server_name: {name}
host: {host}
port: {self.port}
http: "{host}:{self.monitor_port}"
jetstream {{ store_dir: "{directory / "data"}", sync_interval: always }}
cluster {{ name: lastvalue, host: {host}, port: {route_port}, routes: [{", ".join(routes)}] }}
"""
        )

    @property
    def pid(self) -> int:
        """Of the running process."""
        if self._process is None:
            raise RuntimeError("the server does not run")
        return self._process.pid

    def start(self) -> None:
        """Start the server, if it is not running."""
        if self._process is None:
            directory = self.place.directory
            with (directory / "log").open("ab") as log:
                command = [*self.place.within, self._program, "-c", str(directory / "server.conf")]
                self._process = subprocess.Popen(command, stdout=log, stderr=log)

    def kill(self) -> None:
        """Kill it, as a loss of the machine would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def forget(self) -> None:
        """Delete its data; it does not run."""
        shutil.rmtree(self.place.directory / "data", ignore_errors=True)

    def pause(self) -> None:
        """Let it do nothing, and say nothing."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        os.kill(self.pid, signal.SIGCONT)

    def monitor(self, path: str) -> dict[str, Any]:
        """What it tells about itself."""
        with urllib.request.urlopen(
            f"http://{self.place.host}:{self.monitor_port}/{path}", timeout=2
        ) as answer:
            told: dict[str, Any] = json.load(answer)
        return told


class LogServers:
    """Three servers that keep three copies; a context manager."""

    def __init__(self, places: list[Place]) -> None:
        ports = free_ports(9)
        routes = [f'"nats://{place.host}:{port}"' for place, port in zip(places, ports[6:], strict=True)]
        self.servers = [
            LogServer(place, f"s{n}", (ports[n], ports[3 + n], ports[6 + n]), routes)
            for n, place in enumerate(places)
        ]

    @classmethod
    def within(cls, directory: Path) -> Self:
        """Servers on loopback, with their data in a directory."""
        return cls([Place(directory / f"s{n}") for n in range(3)])

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self._kill()
            raise
        return self

    def _start(self) -> None:
        """Start them, and anew where one takes itself and another one for all, which may happen at once."""
        for limit_s in (*(_FORMED_WITHIN_S,) * 4, READY_WITHIN_S):
            for server in self.servers:
                server.start()
            try:
                self.wait(limit_s)
            except TimeoutError:
                if limit_s == READY_WITHIN_S:
                    raise
                self._kill()
                for server in self.servers:
                    server.forget()
            else:
                return

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._kill()

    def _kill(self) -> None:
        for server in self.servers:
            server.kill()

    def address(self, name: str) -> str:
        """The address of a store in them."""
        return f"nats://{','.join(f'{each.place.host}:{each.port}' for each in self.servers)}/{name}"

    def monitors(self) -> list[str]:
        """Their monitoring ports."""
        return [f"http://{each.place.host}:{each.monitor_port}" for each in self.servers]

    def wait(self, limit_s: float = READY_WITHIN_S) -> None:
        """Wait until they have chosen who leads, and all follow."""
        ends = time.monotonic() + limit_s
        while not self._ready():
            if time.monotonic() > ends:
                raise TimeoutError("the servers of the log have no leader")
            time.sleep(0.1)

    def _ready(self) -> bool:
        try:
            metas = [server.monitor("jsz").get("meta_cluster") or {} for server in self.servers]
        except OSError:
            return False
        return len({meta.get("leader") for meta in metas} - {None, ""}) == 1 and all(
            meta.get("leader") and meta.get("cluster_size") == len(self.servers) for meta in metas
        )

    def leader_of(self, stream: str) -> LogServer:
        """The server that leads a stream.

        Raises:
            LookupError: none does now.
        """
        for server in self.servers:
            try:
                accounts = server.monitor("jsz?streams=true").get("account_details", [])
            except OSError:
                continue
            for each in (each for account in accounts for each in account.get("stream_detail", [])):
                leader = (each.get("cluster") or {}).get("leader")
                if each["name"] == stream and leader:
                    return next(one for one in self.servers if one.name == leader)
        raise LookupError(f"no server leads {stream}")


def main() -> int:
    """Run the servers, and a command beside them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--directory", type=Path, help="of their data; a temporary one by default")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    missing = missing_server()
    if missing is not None:
        print(f"three servers of a log: {missing}", file=sys.stderr)
        return 1
    with contextlib.ExitStack() as opened:
        directory = options.directory or Path(opened.enter_context(tempfile.TemporaryDirectory()))
        servers = opened.enter_context(LogServers.within(directory))
        known = {
            "{log}": servers.address("DEMO"),
            "{monitors}": ",".join(servers.monitors()),
            "{pids}": ",".join(str(server.pid) for server in servers.servers),
        }
        print("the log is at", known["{log}"], flush=True)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            if options.command:
                return _run([known.get(word, word) for word in options.command])
            signal.pause()
    return 0


def _run(command: list[str]) -> int:
    """Run a command to its end, or to the end of this process: then it is told to end, and waited for."""
    process = subprocess.Popen(command)
    try:
        return process.wait()
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
