"""What users, permissions and TLS cost: CPU time of a whole broker for each message, with them and without.

    python bench/checks.py --server .venv-compiled/bin/lastvalue
    python bench/checks.py --count 100000 --rounds 1 --json

Three brokers stand side by side and take turns, round by round, so that what the machine does meanwhile meets
all alike: one that lets everybody in, one with a users file and permissions, and that one over TLS.
The medians count; with the checks a message may cost 1.3 times as much, else the exit code is 1.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import trustme

from lastvalue.client import blocking
from lastvalue.server.users import Users
from load import Load, run
from wire import NOBODY, Entry

HOST = "127.0.0.1"
USER, PASSWORD = "feed", "of the bench"
ALLOWED = ("configure,write,read,browse none.*", "configure,write,read,browse bench.*", "read prices.*")
LISTENING = re.compile(rf"(amqps?)://{re.escape(HOST)}:(\d+)")
WARM_UP = 50_000
GATE = 1.3
OPEN, CHECKED, ENCRYPTED = "no checks", "users and permissions", "users and permissions, TLS"


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is run."""

    name: str
    unsettled: bool = False
    readers: int = 0


SCENARIOS = (
    Scenario("in, presettled"),
    Scenario("in, unsettled", unsettled=True),
    Scenario("end to end, 1 consumer", readers=1),
)


@dataclass(frozen=True, slots=True)
class Stand:
    """A broker that runs: where its load connects, and how."""

    pid: int
    port: int
    load_port: int
    entry: Entry

    @property
    def url(self) -> str:
        user = f"{self.entry.user}:{self.entry.password.replace(' ', '%20')}@" if self.entry.user else ""
        return f"amqp://{user}{HOST}:{self.port}"


@contextmanager
def serving(server: Path, *arguments: str) -> Iterator[tuple[int, dict[str, int]]]:
    """A broker's process id, and its ports by their protocol."""
    command = [str(server), "serve", "--port", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        try:
            assert process.stdout is not None
            ports: dict[str, int] = {}
            expected = 2 if "--tls-port" in arguments else 1
            for line in process.stdout:
                if announced := LISTENING.search(line):
                    ports[announced[1]] = int(announced[2])
                if len(ports) == expected:
                    yield process.pid, ports
                    return
            raise RuntimeError("the broker ended before it listened")
        finally:
            process.terminate()


def write_files(directory: Path) -> tuple[str, str, str]:
    """The users file, the certificate with its key, and who vouches for it."""
    users, certificate, authorities = (str(directory / name) for name in ("users", "server.pem", "ca.pem"))
    Users(Path(users)).put(USER, PASSWORD, ALLOWED)
    authority = trustme.CA()
    authority.cert_pem.write_to_path(authorities)
    authority.issue_cert(HOST).private_key_and_cert_chain_pem.write_to_path(certificate)
    return users, certificate, authorities


@contextmanager
def standing(server: Path) -> Iterator[dict[str, Stand]]:
    """The three brokers by what they check."""
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        users, certificate, authorities = write_files(directory)
        guarded = ("--users-file", users)
        encrypted = (*guarded, "--tls-port", "0", "--tls-certificate", certificate)
        stands = {}
        for name, arguments, entry in (
            (OPEN, (), NOBODY),
            (CHECKED, guarded, Entry(USER, PASSWORD)),
            (ENCRYPTED, encrypted, Entry(USER, PASSWORD, authorities)),
        ):
            pid, ports = stack.enter_context(serving(server, *arguments))
            stands[name] = Stand(pid, ports["amqp"], ports.get("amqps", ports["amqp"]), entry)
        yield stands


def cost_us(stand: Stand, scenario: Scenario, queue: str, count: int) -> float:
    """CPU time of the broker for each message, on a queue of its own."""
    with blocking.connect(stand.url) as connection:
        connection.declare(queue, lvq_key="key")
        load = Load(queue, count=count, unsettled=scenario.unsettled, entry=stand.entry)
        figures = run(HOST, stand.load_port, load, readers=scenario.readers, browse=False, pid=stand.pid)
        connection.delete(queue)
    assert figures.cpu_us is not None
    return figures.cpu_us


def measure(server: Path, count: int, rounds: int) -> Iterator[tuple[str, dict[str, float]]]:
    """For each scenario the median cost by what is checked."""
    with standing(server) as stands:
        for stand in stands.values():
            cost_us(stand, SCENARIOS[0], "bench.warm-up", min(count, WARM_UP))
        for scenario in SCENARIOS:
            tried: dict[str, list[float]] = {name: [] for name in stands}
            for number in range(rounds):
                # To and fro, so that none always comes first.
                for name in list(stands)[:: 1 if number % 2 else -1]:
                    queue = f"bench.{scenario.name} {number}"
                    tried[name].append(cost_us(stands[name], scenario, queue, count))
            yield scenario.name, {name: statistics.median(costs) for name, costs in tried.items()}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    beside = Path(sys.executable).with_name("lastvalue")
    parser.add_argument("--server", type=Path, default=beside, help="the `lastvalue` command to start")
    parser.add_argument("--count", type=int, default=500_000, help="messages a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="one line of JSON for each figure")
    options = parser.parse_args()
    over = False
    for scenario, costs in measure(options.server, options.count, options.rounds):
        for name, cost in costs.items():
            ratio = cost / costs[OPEN]
            over |= ratio > GATE
            if options.json:
                told = {"scenario": f"{scenario}, {name}", "cpu_us": cost, "ratio": ratio}
                print(json.dumps(told), flush=True)
            else:
                mark = f"  over {GATE}" if ratio > GATE else ""
                print(f"{scenario:24}{name:28}{cost:8.3f} us{ratio:7.2f}{mark}", flush=True)
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
