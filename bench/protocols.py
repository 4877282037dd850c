"""CPU time of a whole broker for a message over each protocol, against AMQP 1.0.

    python bench/protocols.py --server .venv-compiled/bin/lastvalue
    python bench/protocols.py --count 65536 --rounds 1 --json
    python bench/protocols.py --jms                  messages with all that JMS clients write into them

In one broker the protocols take turns, round by round, so that what else the machine does meets all alike;
the medians of the costs and of the rounds' ratios count. All send the same keys and the same bodies of 100
bytes with one application property or header, encoded before, and the readers only count.
With `--jms` those of AMQP 1.0 and CORE also have what JMS clients write: each its id, a time, and kinds.
A protocol may cost 2 times what AMQP 1.0 costs, else the exit code is 1.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from broker import serving
from lastvalue.client import blocking
from load import cpu_seconds
from wire010 import Amqp010
from wire091 import Amqp091
from wirecore import Core
from wires import HOST, Amqp10, Flow, Wire

GATE = 2.0
WARM_UP = 1 << 15
DEPTH = 1 << 15
"""Messages on a queue when it is emptied: each of another key."""

REFERENCE = Amqp10()
WIRES: tuple[Wire, ...] = (REFERENCE, Amqp091(), Amqp010(), Core())
"""What is measured; a further protocol is a wire of its own here."""
JMS_WIRES: tuple[Wire, ...] = (REFERENCE, Core())
"""What JMS clients speak."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is run.

    Attributes:
        inwards: messages are published; else they are consumed.
        answered: they are confirmed, or acknowledged by the range.
        lvq_key: of a last-value queue; None is a standard queue.
        of_jms: the messages are as JMS clients write them.
    """

    inwards: bool
    answered: bool
    lvq_key: str | None
    of_jms: bool = False

    @property
    def name(self) -> str:
        way, answer = ("in", "confirmed") if self.inwards else ("out", "acknowledged")
        queue = "standard" if self.lvq_key is None else "last-value"
        return f"{way}, {'' if self.answered else 'un'}{answer}, {queue} queue"


SCENARIOS = tuple(
    Scenario(inwards, answered, lvq_key)
    for inwards in (True, False)
    for lvq_key in ("key", None)
    for answered in (False, True)
)


@dataclass(frozen=True, slots=True)
class Broker:
    """The broker that is measured."""

    pid: int
    port: int


@dataclass(frozen=True, slots=True)
class Figures:
    """What one protocol costs in one scenario: the median of the costs, and of the rounds' ratios."""

    scenario: str
    protocol: str
    cpu_us: float
    ratio: float


def cost_us(broker: Broker, wire: Wire, scenario: Scenario, count: int, keys: int) -> float:
    """CPU time of the broker for each message, on a queue of its own."""
    queue = "measured"
    place, form = (broker.port, queue), (scenario.answered, scenario.of_jms)
    with blocking.connect(f"amqp://{HOST}:{broker.port}") as connection:
        if scenario.lvq_key is None:
            connection.declare(queue)
        else:
            connection.declare(queue, lvq_key=scenario.lvq_key)
        if scenario.inwards:
            used = inwards(broker, wire, Flow(*place, keys, False, *form), count)
        else:
            used = outwards(broker, wire, Flow(*place, DEPTH, True, *form), count)
        connection.delete(queue)
    return used * 1e6


def inwards(broker: Broker, wire: Wire, flow: Flow, count: int) -> float:
    """Seconds for each message that is published."""
    sender = wire.sender(flow)
    before = cpu_seconds(broker.pid)
    sender.send(count)
    used = cpu_seconds(broker.pid) - before
    sender.close()
    return used / count


def outwards(broker: Broker, wire: Wire, flow: Flow, count: int) -> float:
    """Seconds for each message that is consumed, from a queue that is filled as often as that takes."""
    sender = wire.sender(flow)
    used, passes = 0.0, max(1, count // DEPTH)
    for _ in range(passes):
        sender.send(DEPTH)
        reader = wire.reader(flow)
        before = cpu_seconds(broker.pid)
        reader.read(DEPTH)
        used += cpu_seconds(broker.pid) - before
    sender.close()
    return used / (passes * DEPTH)


def measure(server: Path, count: int, keys: int, rounds: int, scenarios: list[Scenario]) -> Iterator[Figures]:
    """For each scenario what each protocol costs, of those that write such messages."""
    wires = JMS_WIRES if scenarios[0].of_jms else WIRES
    with serving(server) as (pid, port):
        broker = Broker(pid, port)
        for wire in wires:
            for scenario in (SCENARIOS[0], SCENARIOS[-1]):
                cost_us(broker, wire, scenario, WARM_UP, keys)
        for scenario in scenarios:
            tried: dict[str, list[float]] = {wire.name: [] for wire in wires}
            for number in range(rounds):
                # To and fro, so that none always comes first.
                for wire in wires[:: 1 if number % 2 else -1]:
                    tried[wire.name].append(cost_us(broker, wire, scenario, count, keys))
            for protocol, costs in tried.items():
                pairs = zip(costs, tried[REFERENCE.name], strict=True)
                ratio = statistics.median(cost / reference for cost, reference in pairs)
                yield Figures(scenario.name, protocol, statistics.median(costs), ratio)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    beside = Path(sys.executable).with_name("lastvalue")
    parser.add_argument("--server", type=Path, default=beside, help="the `lastvalue` command to start")
    parser.add_argument("--count", type=int, default=1 << 18, help="messages a round")
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="scenarios whose names have this in them")
    parser.add_argument("--jms", action="store_true", help="messages as JMS clients write them")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each figure")
    options = parser.parse_args()
    scenarios = [replace(each, of_jms=options.jms) for each in SCENARIOS if options.only in each.name]
    over = False
    for figures in measure(options.server, options.count, options.keys, options.rounds, scenarios):
        over |= figures.ratio > GATE
        if options.json:
            told = {"scenario": f"{figures.scenario}, {figures.protocol}"}
            print(json.dumps(told | {"cpu_us": figures.cpu_us, "ratio": figures.ratio}), flush=True)
        else:
            mark = f"  over {GATE}" if figures.ratio > GATE else ""
            line = f"{figures.scenario:38}{figures.protocol:12}{figures.cpu_us:8.3f} us{figures.ratio:7.2f}"
            print(line + mark, flush=True)
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
