"""Whether the working tree costs more a message than an earlier commit: CPU time of brokers, in pairs.

    make bench-guard BASE=main                          # builds both wheels, the earlier one once a commit
    python bench/guard.py --base v0.1.0 --rounds 15
    python bench/guard.py --base main --only FIFO

Two compiled brokers stand side by side and take turns, round by round, each first in every other one, so that
what the machine does meanwhile meets both alike. The median of the rounds' ratios counts.
A scenario that is over the limit is measured again, with three times the rounds, before it fails.
"""

import argparse
import statistics
import subprocess
import sys
import tarfile
from contextlib import ExitStack
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from broker import HOST, serving
from lastvalue.client import blocking
from load import Load, run

ROOT = Path(__file__).parents[1]
BUILDER = ROOT / ".venv" / "bin" / "python"
TREE = ROOT / ".venv-compiled" / "bin" / "lastvalue"
CACHE = ROOT / ".cache" / "base"
WARM_UP = 50_000
PATIENCE = 3


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is run; `share` is the part of the messages that is sent."""

    name: str
    key: str | None = "key"
    unsettled: bool = False
    readers: int = 0
    browse: bool = True
    share: int = 1


SCENARIOS = (
    Scenario("last-value, in presettled"),
    Scenario("last-value, in confirmed", unsettled=True),
    Scenario("last-value, in and out to 1 consumer", readers=1, browse=False, share=2),
    Scenario("last-value, in and out to 20 browsers", readers=20, share=10),
    Scenario("FIFO, in and out to 1 consumer", key=None, readers=1, browse=False, share=2),
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
        """CPU time of the broker for each message sent, on a queue of its own."""
        self.runs += 1
        queue = f"run {self.runs}"
        with blocking.connect(f"amqp://{HOST}:{self.port}") as connection:
            if scenario.key is None:
                connection.declare(queue)
            else:
                connection.declare(queue, lvq_key=scenario.key)
            load = Load(queue, count=count // scenario.share, unsettled=scenario.unsettled)
            figures = run(
                HOST, self.port, load, readers=scenario.readers, browse=scenario.browse, pid=self.pid
            )
            connection.delete(queue)
        assert figures.cpu_us is not None
        return figures.cpu_us


def ratios(scenario: Scenario, tree: Broker, base: Broker, count: int, rounds: int) -> list[float]:
    """The tree's cost over the base's, round by round."""
    measured = []
    for number in range(rounds):
        first, second = (tree, base) if number % 2 else (base, tree)
        costs = {id(each): each.cost_us(scenario, count) for each in (first, second)}
        measured.append(costs[id(tree)] / costs[id(base)])
    return measured


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base", required=True, help="the commit to compare with")
    parser.add_argument("--server", type=Path, default=TREE, help="the `lastvalue` command of the tree")
    parser.add_argument("--limit", type=float, default=1.05, help="the ratio that fails")
    parser.add_argument("--count", type=int, default=300_000, help="messages a round")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="", help="scenarios with this text in their name")
    options = parser.parse_args()
    over = []
    with ExitStack() as stack:
        commands = (options.server, earlier(options.base))
        tree, base = (Broker(*stack.enter_context(serving(command))) for command in commands)
        for scenario in (each for each in SCENARIOS if options.only in each.name):
            for each in (tree, base):
                each.cost_us(scenario, WARM_UP * scenario.share)
            measured = ratios(scenario, tree, base, options.count, options.rounds)
            if statistics.median(measured) > options.limit:
                measured = ratios(scenario, tree, base, options.count, options.rounds * PATIENCE)
            median = statistics.median(measured)
            spread = f"{min(measured):.3f} to {max(measured):.3f} in {len(measured)} rounds"
            print(f"{scenario.name:40}{median:7.3f}  {spread}", flush=True)
            if median > options.limit:
                over.append(scenario.name)
    if over:
        tell(f"over {options.limit}: {', '.join(over)}")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
