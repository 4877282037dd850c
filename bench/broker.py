"""CPU time of a whole broker for each message, over loopback.

    python bench/broker.py                                            # the lastvalue of this environment
    python bench/broker.py --server .venv-compiled/bin/lastvalue --json

Starts `lastvalue serve` in a process of its own, runs each scenario on fresh last-value queues, and reads the
broker's CPU time from /proc: it holds up where neighbours make messages a second worthless. They still slow
the processor down, so the best of several rounds counts.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lastvalue.client import blocking
from load import Figures, Load, run

HOST = "127.0.0.1"
LISTENING = re.compile(rf"{re.escape(HOST)}:(\d+)")
WARM_UP = 50_000
# The audit has a level of its own, and would tell of each connection.
QUIET = os.environ | {"LASTVALUE_LOG_LEVEL": "error audit=error"}


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is run; its cost is per message sent, or per message delivered where `per_delivery`.

    `share` is the part of the messages that is sent: with many readers a message costs more.
    """

    name: str
    unsettled: bool = False
    readers: int = 0
    browse: bool = True
    per_delivery: bool = False
    share: int = 1


SCENARIOS = (
    Scenario("in, presettled"),
    Scenario("in, unsettled", unsettled=True),
    Scenario("end to end, 1 browser", readers=1),
    Scenario("end to end, 1 consumer", readers=1, browse=False),
    Scenario("each delivery of 10 browsers", readers=10, per_delivery=True, share=2),
    Scenario("each delivery of 100 browsers", readers=100, per_delivery=True, share=20),
)


@contextmanager
def serving(server: Path) -> Iterator[tuple[int, int]]:
    """A broker's process id and port."""
    command = [str(server), "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1, env=QUIET) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if announced := LISTENING.search(line):
                    yield process.pid, int(announced[1])
                    break
            else:
                raise RuntimeError("the broker ended before it listened")
        finally:
            process.terminate()


def declare(port: int, queue: str) -> None:
    with blocking.connect(f"amqp://{HOST}:{port}") as connection:
        connection.declare(queue, lvq_key="key")


def cost_us(scenario: Scenario, figures: Figures) -> float:
    """CPU time of what the scenario counts."""
    assert figures.cpu_us is not None
    if scenario.per_delivery:
        return figures.cpu_us * figures.sent / sum(figures.delivered)
    return figures.cpu_us


def measure(server: Path, count: int, keys: int, rounds: int) -> Iterator[tuple[Scenario, Figures]]:
    """The best round of each scenario, all in one broker, after a warm-up of the allocator and the socket."""
    with serving(server) as (pid, port):
        declare(port, "warm-up")
        run(HOST, port, Load("warm-up", count=WARM_UP, keys=keys))
        for scenario in SCENARIOS:
            tried = []
            for number in range(rounds):
                queue = f"{scenario.name} {number}"
                declare(port, queue)
                load = Load(queue, count=count // scenario.share, keys=keys, unsettled=scenario.unsettled)
                tried.append(run(HOST, port, load, readers=scenario.readers, browse=scenario.browse, pid=pid))
            yield scenario, min(tried, key=lambda figures: cost_us(scenario, figures))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    beside = Path(sys.executable).with_name("lastvalue")
    parser.add_argument("--server", type=Path, default=beside, help="the `lastvalue` command to start")
    parser.add_argument("--count", type=int, default=1_000_000, help="messages a scenario")
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="one line of JSON for each scenario")
    options = parser.parse_args()
    measured = measure(options.server, options.count, options.keys, options.rounds)
    for scenario, figures in measured:
        cost, delivered = cost_us(scenario, figures), sum(figures.delivered)
        if options.json:
            report = {"scenario": scenario.name, "cpu_us": cost, "sent": figures.sent}
            print(json.dumps(report | {"delivered": delivered, "per_second": figures.per_second}), flush=True)
        else:
            print(f"{scenario.name:30}{cost:8.3f} us{figures.per_second:14,.0f} sent/s", flush=True)


if __name__ == "__main__":
    main()
