"""Whether the working tree costs more a message than an earlier commit: CPU time of brokers, in pairs.

    make bench-guard BASE=main                          # builds both wheels, the earlier one once a commit
    python bench/guard.py --base v0.1.0 --rounds 15
    python bench/guard.py --base main --only FIFO
    python bench/guard.py --base-server OTHER/bin/lastvalue --directory /dev/shm --only durable

Two compiled brokers stand side by side and take turns, round by round, each first in every other one, so that
what the machine does meanwhile meets both alike. The median of the rounds' ratios counts; beside it stand
the least cost of the tree and of the base, in microseconds.
A scenario that is over the limit is measured again, with three times the rounds, before it fails.
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

from lastvalue.client import blocking
from load import Load, run
from store import HOST, WINDOW, serving

ROOT = Path(__file__).parents[1]
BUILDER = ROOT / ".venv" / "bin" / "python"
TREE = ROOT / ".venv-compiled" / "bin" / "lastvalue"
CACHE = ROOT / ".cache" / "base"
WARM_UP = 50_000
PATIENCE = 3


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is run; the cost is a message's, or a delivery's where all readers get each message.

    `share` is the part of the messages that is sent. Durable messages wait for their confirmation in a
    window; the broker has a store.
    """

    name: str
    key: str | None = "key"
    unsettled: bool = False
    readers: int = 0
    browse: bool = True
    share: int = 1
    durable: bool = False

    def per_unit(self, cost_us: float) -> float:
        """What it counts, of what a message costs that is sent."""
        return cost_us / self.readers if self.browse and self.readers else cost_us


SCENARIOS = (
    Scenario("last-value, in presettled"),
    Scenario("last-value, in confirmed", unsettled=True),
    Scenario("last-value, in and out to 1 consumer", readers=1, browse=False, share=2),
    Scenario("last-value, a delivery to 20 browsers", readers=20, share=10),
    Scenario("last-value, a delivery to 100 browsers", readers=100, share=25),
    Scenario("FIFO, in and out to 1 consumer", key=None, readers=1, browse=False, share=2),
    Scenario("last-value, in durable", unsettled=True, durable=True),
    Scenario("FIFO, in durable", key=None, unsettled=True, durable=True),
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
class Broker:
    """One of the two."""

    pid: int
    port: int
    runs: int = 0

    def cost_us(self, scenario: Scenario, count: int) -> float:
        """CPU time of the broker for what the scenario counts, on a queue of its own."""
        self.runs += 1
        queue = f"run {self.runs}"
        with blocking.connect(f"amqp://{HOST}:{self.port}") as connection:
            if scenario.key is None:
                connection.declare(queue, durable=scenario.durable)
            else:
                connection.declare(queue, lvq_key=scenario.key, durable=scenario.durable)
            load = Load(
                queue,
                count=count // scenario.share,
                unsettled=scenario.unsettled,
                durable=scenario.durable,
                window=WINDOW if scenario.durable else 0,
            )
            figures = run(
                HOST, self.port, load, readers=scenario.readers, browse=scenario.browse, pid=self.pid
            )
            connection.delete(queue)
        assert figures.cpu_us is not None
        return scenario.per_unit(figures.cpu_us)


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
            costs = {id(each): each.cost_us(scenario, count) for each in (first, second)}
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
    parser.add_argument("--only", default="", help="scenarios with this text in their name")
    options = parser.parse_args()
    over = []
    with ExitStack() as stack:
        commands = (options.server, options.base_server or earlier(options.base))
        stores = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.directory)))
        pairs: dict[bool, Pair] = {}
        for scenario in (each for each in SCENARIOS if options.only in each.name):
            pair = pairs.get(scenario.durable)
            if pair is None:
                folders = (stores / "tree", stores / "base") if scenario.durable else (None, None)
                brokers = [Broker(*stack.enter_context(each)) for each in map(serving, commands, folders)]
                pair = pairs[scenario.durable] = Pair(*brokers)
            pair.costs(scenario, WARM_UP * scenario.share, 1)
            costs = pair.costs(scenario, options.count, options.rounds)
            if statistics.median(ratios(costs)) > options.limit:
                costs = pair.costs(scenario, options.count, options.rounds * PATIENCE)
            measured = ratios(costs)
            median = statistics.median(measured)
            spread = f"{min(measured):.3f} to {max(measured):.3f} in {len(measured)} rounds"
            tree_us, base_us = (min(each) for each in zip(*costs, strict=True))
            print(f"{scenario.name:40}{median:7.3f}  {spread}; {tree_us:.3f}, {base_us:.3f} us", flush=True)
            if median > options.limit:
                over.append(scenario.name)
    if over:
        tell(f"over {options.limit}: {', '.join(over)}")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
