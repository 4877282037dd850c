"""Whether the working tree costs more a message than an earlier commit: CPU time in pairs.

    make bench-guard BASE=main                          # builds both wheels, the earlier one once a commit
    python bench/guard.py --base v0.1.0 --rounds 15
    python bench/guard.py --base main --only "FIFO," "AMQP 0-9-1" client
    python bench/guard.py --base-server OTHER/bin/lastvalue --directory /dev/shm --only durable

Two compiled brokers stand side by side and take turns, round by round, each first in every other one, so that
what the machine does meanwhile meets both alike. Measured is the broker over each protocol, as by `protocols`
and `peers`, and the process of the Python client, as by `clients`, beside the broker of the same commit.
The median of the rounds' ratios counts; beside it stand the least cost of the tree and of the base, in
microseconds. A scenario over the limit is measured again, with three times the rounds, before it fails.
"""

import argparse
import statistics
import subprocess
import sys
import tarfile
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Protocol

import clients
import peers
import protocols
from lastvalue.client import blocking
from load import Load, run
from store import HOST, WINDOW, serving
from wires import Wire

ROOT = Path(__file__).parents[1]
BUILDER = ROOT / ".venv" / "bin" / "python"
TREE = ROOT / ".venv-compiled" / "bin" / "lastvalue"
CACHE = ROOT / ".cache" / "base"
WARM_UP = 50_000
PATIENCE = 3


KEYS = 10_000


@dataclass(slots=True)
class Broker:
    """One of the two.

    Attributes:
        pid: its process.
        port: where it listens.
        python: the one that it is installed for, with its client.
        runs: how many queues it has had.
    """

    pid: int
    port: int
    python: Path
    runs: int = 0


class Scenario(Protocol):
    """What is run.

    Attributes:
        name: tells what costs.
        share: the part of the messages that is sent.
        durable: the broker has a store.
    """

    @property
    def name(self) -> str: ...
    @property
    def share(self) -> int: ...
    @property
    def durable(self) -> bool: ...

    def cost_us(self, broker: Broker, count: int) -> float:
        """CPU time for what the scenario counts, where this many messages are sent."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """Over AMQP 1.0; the cost is a message's, or a delivery's where all readers get each message.

    Durable messages wait for their confirmation in a window.
    """

    name: str
    key: str | None = "key"
    unsettled: bool = False
    readers: int = 0
    browse: bool = True
    share: int = 1
    durable: bool = False

    def cost_us(self, broker: Broker, count: int) -> float:
        """See Scenario; each time on a queue of its own."""
        broker.runs += 1
        queue = f"run {broker.runs}"
        with blocking.connect(f"amqp://{HOST}:{broker.port}") as connection:
            if self.key is None:
                connection.declare(queue, durable=self.durable)
            else:
                connection.declare(queue, lvq_key=self.key, durable=self.durable)
            load = Load(
                queue,
                count=count,
                unsettled=self.unsettled,
                durable=self.durable,
                window=WINDOW if self.durable else 0,
            )
            figures = run(HOST, broker.port, load, readers=self.readers, browse=self.browse, pid=broker.pid)
            connection.delete(queue)
        assert figures.cpu_us is not None
        return figures.cpu_us / self.readers if self.browse and self.readers else figures.cpu_us


@dataclass(frozen=True, slots=True)
class OverWire:
    """A way in or out over one protocol."""

    wire: Wire
    scenario: protocols.Scenario
    share: int = 2
    durable: bool = False

    @property
    def name(self) -> str:
        """See Scenario."""
        return f"{self.wire.name}, {self.scenario.name}"

    def cost_us(self, broker: Broker, count: int) -> float:
        """See Scenario."""
        measured = protocols.Broker(broker.pid, broker.port)
        return protocols.cost_us(measured, self.wire, self.scenario, count, KEYS)


@dataclass(frozen=True, slots=True)
class OverMqtt:
    """Over MQTT, where a subscriber reads while messages come."""

    scenario: peers.Scenario
    share: int = 2
    durable: bool = False

    @property
    def name(self) -> str:
        """See Scenario."""
        return f"MQTT, {self.scenario.name}"

    def cost_us(self, broker: Broker, count: int) -> float:
        """See Scenario."""
        measured, product = peers.Broker(broker.pid, broker.port), peers.LastValueMqtt(TREE)
        cost = peers.cost_us(measured, product, self.scenario, count, KEYS)
        assert cost is not None
        return cost


@dataclass(frozen=True, slots=True)
class InClient:
    """The process of the Python client under a load of `clients`."""

    load: str
    share: int = 10
    durable: bool = False

    @property
    def name(self) -> str:
        """See Scenario."""
        return f"client, {clients.LOADS[self.load].partition(' (')[0]}"

    def cost_us(self, broker: Broker, count: int) -> float:
        """See Scenario."""
        return clients.cost_us(broker.python, clients.CLIENTS["lastvalue"], self.load, broker.port, count)


IN, OUT = protocols.Scenario(True, True, "key"), protocols.Scenario(False, True, None)
SCENARIOS: tuple[Scenario, ...] = (
    Loaded("last-value, in presettled"),
    Loaded("last-value, in confirmed", unsettled=True),
    Loaded("last-value, in and out to 1 consumer", readers=1, browse=False, share=2),
    Loaded("last-value, a delivery to 20 browsers", readers=20, share=10),
    Loaded("last-value, a delivery to 100 browsers", readers=100, share=25),
    Loaded("FIFO, in and out to 1 consumer", key=None, readers=1, browse=False, share=2),
    Loaded("last-value, in durable", unsettled=True, durable=True),
    Loaded("FIFO, in durable", key=None, unsettled=True, durable=True),
    *(OverWire(wire, IN) for wire in protocols.WIRES if wire is not protocols.REFERENCE),
    *(OverWire(wire, OUT) for wire in protocols.WIRES),
    OverMqtt(peers.Scenario("in, retained, confirmed", answered=True)),
    OverMqtt(peers.Scenario("in and out to 1 subscriber", kept=False, readers=1), share=4),
    *(InClient(load) for load in ("many", "one", "received", "batches")),
)


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def earlier(base: str) -> Path:
    """The `lastvalue` command of a commit, built once."""
    named = ("git", "rev-parse", "--verify", "--short=12", f"{base}^{{commit}}")
    commit = subprocess.run(named, check=True, capture_output=True, text=True, cwd=ROOT).stdout.strip()
    folder = CACHE / commit
    command = folder / "venv" / "bin" / "lastvalue"
    if command.exists():
        return command
    tell(f"Building the wheel of {commit} ({base})")
    source = folder / "source"
    source.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(("git", "archive", commit), check=True, capture_output=True, cwd=ROOT).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        tar.extractall(source, filter="data")
    build = ("-m", "build", "--quiet", "--wheel", "--no-isolation", "--outdir", str(folder))
    subprocess.run((str(BUILDER), *build), check=True, cwd=source)
    (wheel,) = folder.glob("*.whl")
    if wheel.name.endswith("-none-any.whl"):
        raise SystemExit(f"the wheel of {commit} is plain Python: is there a C compiler?")
    subprocess.run((str(BUILDER), "-m", "venv", str(folder / "venv")), check=True)
    pip = (str(folder / "venv" / "bin" / "python"), "-m", "pip", "install", "--quiet")
    subprocess.run((*pip, "-c", "constraints.txt", f"{wheel}[cli]"), check=True, cwd=source)
    return command


@dataclass(slots=True)
class Pair:
    """The tree's broker and the base's."""

    tree: Broker
    base: Broker

    def costs(self, scenario: Scenario, count: int, rounds: int) -> list[tuple[float, float]]:
        """The tree's cost and the base's, round by round, in microseconds."""
        measured = []
        for number in range(rounds):
            first, second = (self.tree, self.base) if number % 2 else (self.base, self.tree)
            costs = {id(each): scenario.cost_us(each, count // scenario.share) for each in (first, second)}
            measured.append((costs[id(self.tree)], costs[id(self.base)]))
        return measured


def ratios(costs: list[tuple[float, float]]) -> list[float]:
    return [tree / base for tree, base in costs]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    bases = parser.add_mutually_exclusive_group(required=True)
    bases.add_argument("--base", help="the commit to compare with")
    bases.add_argument("--base-server", type=Path, help="its `lastvalue` command, where it is installed")
    parser.add_argument("--server", type=Path, default=TREE, help="the `lastvalue` command of the tree")
    parser.add_argument("--limit", type=float, default=1.05, help="the ratio that fails")
    parser.add_argument("--count", type=int, default=300_000, help="messages a round")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--directory", type=Path, help="where stores are; the temporary one by default")
    parser.add_argument("--only", nargs="*", default=[""], help="scenarios with one of these in their name")
    options = parser.parse_args()
    over = []
    with ExitStack() as stack:
        commands = (options.server, options.base_server or earlier(options.base))
        stores = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.directory)))
        pairs: dict[bool, Pair] = {}
        for scenario in (each for each in SCENARIOS if any(text in each.name for text in options.only)):
            pair = pairs.get(scenario.durable)
            if pair is None:
                folders = (stores / "tree", stores / "base") if scenario.durable else (None, None)
                brokers = [
                    Broker(*stack.enter_context(serving(command, folder)), command.with_name("python"))
                    for command, folder in zip(commands, folders, strict=True)
                ]
                pair = pairs[scenario.durable] = Pair(*brokers)
            pair.costs(scenario, WARM_UP * scenario.share, 1)
            costs = pair.costs(scenario, options.count, options.rounds)
            if statistics.median(ratios(costs)) > options.limit:
                costs = pair.costs(scenario, options.count, options.rounds * PATIENCE)
            measured = ratios(costs)
            median = statistics.median(measured)
            spread = f"{min(measured):.3f} to {max(measured):.3f} in {len(measured)} rounds"
            tree_us, base_us = (min(each) for each in zip(*costs, strict=True))
            print(f"{scenario.name:52}{median:7.3f}  {spread}; {tree_us:.3f}, {base_us:.3f} us", flush=True)
            if median > options.limit:
                over.append(scenario.name)
    if over:
        tell(f"over {options.limit}: {', '.join(over)}")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
