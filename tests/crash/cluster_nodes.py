"""The processes of a cluster under test: servers of a log, and brokers over it, each on its own machine."""

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from cluster_network import Machine, Network
from foreign_producers import Brokers
from log_servers import LogServer, LogServers, Place
from waiting import passes

from lastvalue.client import connect
from lastvalue.client.errors import ClientError

LEASE_MS: Final = 2000
PORT: Final = 5672
STREAM: Final = "FAULTS"
DISK_BYTES: Final = 192 << 20
_SETTLES_S: Final = 300.0
_ANSWERS_S: Final = 10.0
_TOLD_BYTES: Final = 4000
_FENCED: Final = "another broker has taken over the log"


class ClusterBroker:
    """A broker that follows or leads, and can be killed, paused and started again on its machine."""

    def __init__(self, machine: Machine, store: str, directory: Path) -> None:
        self.machine = machine
        self.host = machine.host
        self.paused = False
        self._store = store
        self._log = directory / "log"
        self._started = 0
        self._process: subprocess.Popen[bytes] | None = None
        directory.mkdir(parents=True)

    @property
    def process_name(self) -> str:
        """Names the process that was started last."""
        return f"{self.host} {self._started}"

    @property
    def url(self) -> str:
        """Where clients reach it."""
        return f"amqp://{self.host}:{PORT}"

    def start(self) -> None:
        """Start it where it does not run."""
        if self._process is not None:
            return
        command = [
            *self.machine.within,
            sys.executable,
            "-m",
            "lastvalue",
            "serve",
            "--follow",
            "--anonymous",
        ]
        command += ["--host", self.host, "--port", str(PORT), "--store", self._store]
        command += ["--store-lease-ms", str(LEASE_MS), "--log-level", "warning", "--log-level", "audit=error"]
        self._started += 1
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)

    def signal(self, number: signal.Signals) -> None:
        """Send its process a signal, if it has one."""
        self.paused = number is signal.SIGSTOP
        if self._process is not None:
            self._process.send_signal(number)

    def look(self) -> None:
        """Note that it has ended; it may only have been killed, or have ended as it should.

        Raises:
            AssertionError: it ended by a fault of its own.
        """
        code = None if self._process is None else self._process.poll()
        if code is None:
            return
        self._process = None
        told = self.told()
        fenced = code == 1 and _FENCED in told
        assert code in (0, -signal.SIGKILL) or fenced, f"{self.process_name} ended with {code}:\n{told}"

    def told(self) -> str:
        """The end of what it has logged."""
        return self._log.read_bytes()[-_TOLD_BYTES:].decode(errors="replace")

    async def state(self) -> dict[str, Any]:
        """What it says of the cluster; its `role` is "" where it does not answer."""
        try:
            async with (
                asyncio.timeout(_ANSWERS_S),
                connect(self.url, reconnect=False, timeout_s=_ANSWERS_S) as connection,
            ):
                state = await connection.manage("READ", kind="cluster", timeout_s=_ANSWERS_S)
        except (ClientError, OSError, TimeoutError) as fault:
            return {"role": "", "fault": repr(fault)}
        assert isinstance(state, dict)
        return state


class Cluster(Brokers):
    """Three servers of a log, and brokers that lead it and follow it; a context manager.

    Attributes:
        servers, brokers: their processes.
        network: between all of them.
    """

    def __init__(self, directory: Path, brokers: int) -> None:
        self.network = Network(3 + brokers)
        machines = self.network.machines
        places = [Place(directory / f"s{n}", machines[n].host, machines[n].within) for n in range(3)]
        for place in places:
            # A disk of its own, which can be filled.
            place.directory.mkdir(parents=True)
            options = f"size={DISK_BYTES}"
            subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place.directory], check=True)
        self.servers = LogServers(places)
        self._machines = dict(zip(self.servers.servers, machines[:3], strict=True))
        store = self.servers.address(STREAM)
        self.brokers = [
            ClusterBroker(machine, store, directory / f"b{n}") for n, machine in enumerate(machines[3:])
        ]
        self._by_host = {broker.host: broker for broker in self.brokers}

    def __enter__(self) -> Self:
        self.servers.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for broker in self.brokers:
            broker.signal(signal.SIGKILL)
            if error is not None:
                print(f"---- {broker.process_name}\n{broker.told()}", file=sys.stderr)
        self.servers.__exit__(kind, error, trace)

    @property
    def hosts(self) -> list[str]:
        """See Brokers."""
        return [broker.host for broker in self.brokers]

    def process_at(self, host: str) -> str:
        """See Brokers."""
        return self._by_host[host].process_name

    def machine_of(self, server: LogServer) -> Machine:
        """The machine of a server of the log."""
        return self._machines[server]

    async def leader(self) -> ClusterBroker:
        """The broker that leads, once there is one."""
        async with asyncio.timeout(_SETTLES_S):
            while True:
                states = await self._states()
                leaders = [broker for broker, state in states.items() if state["role"] == "leader"]
                if len(leaders) == 1:
                    return leaders[0]
                await passes(0.1)

    async def server_leader(self) -> LogServer:
        """The server of the log that leads the stream, once there is one."""
        async with asyncio.timeout(_SETTLES_S):
            while True:
                try:
                    return await asyncio.to_thread(self.servers.leader_of, STREAM)
                except LookupError:
                    await passes(0.1)

    async def settled(self, *, idle: bool = False) -> ClusterBroker:
        """Start what has ended, and wait until one broker leads and the others follow it.

        Args:
            idle: nobody works, so that they follow without lag: they have all that the log had when they
                asked it, after this began.
        """
        states: dict[ClusterBroker, dict[str, Any]] = {}
        try:
            async with asyncio.timeout(_SETTLES_S):
                return await self._settled(states, idle=idle)
        except TimeoutError as fault:
            told = "\n".join(f"{broker.process_name}: {state}" for broker, state in states.items())
            raise AssertionError(f"the cluster does not settle:\n{told}") from fault

    async def _settled(self, states: dict[ClusterBroker, dict[str, Any]], *, idle: bool) -> ClusterBroker:
        began_s = time.monotonic()
        while True:
            for server in self.servers.servers:
                server.start()
            for broker in self.brokers:
                broker.look()
                broker.start()
            most_lag_ms = (time.monotonic() - began_s) * 1000 if idle else None
            states.update(await self._states())
            leaders = [broker for broker, state in states.items() if state["role"] == "leader"]
            if len(leaders) == 1 and all(
                state["role"] == "leader" or _follows(state, leaders[0], most_lag_ms)
                for state in states.values()
            ):
                return leaders[0]
            await passes(0.2)

    async def _states(self) -> dict[ClusterBroker, dict[str, Any]]:
        told = await asyncio.gather(*(broker.state() for broker in self.brokers))
        return dict(zip(self.brokers, told, strict=True))


def _follows(state: dict[str, Any], leader: ClusterBroker, most_lag_ms: float | None) -> bool:
    if state["role"] != "follower" or state["leader"] != f"{leader.host}:{PORT}":
        return False
    return most_lag_ms is None or bool(state["lag_records"] == 0 and state["lag_ms"] < most_lag_ms)
