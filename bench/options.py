"""What the options of a queue cost: CPU of the broker for a message, as a multiple of the same without them.

    python bench/options.py --server .venv-compiled/bin/lastvalue
    python bench/options.py --count 30000 --rounds 3 --only order_by --json

The queues with an option and without it take turns in one broker, round by round, so that whatever else the
machine does meets both; the median of the rounds' ratios counts.
"""

import argparse
import json
import statistics
import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lastvalue.client import blocking
from load import Load, run
from store import HOST, serving

WARM_UP = 20_000
KEYED: dict[str, Any] = {"lvq_key": "key"}


PLAIN = Load("")
ORDERED = Load("", ordered=True)
DURABLE = Load("", durable=True, unsettled=True)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A declaration with options and the messages for it; the reference has the messages without options.

    Messages that are durable go to a broker with a store.
    """

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    load: Load = PLAIN
    plain: dict[str, Any] = field(default_factory=lambda: KEYED)


SCENARIOS = (
    Scenario("order_by", {"order_by": "number"}, ORDERED),
    Scenario("order_by a text", {"order_by": "key"}),
    Scenario("default_ttl_ms", {"default_ttl_ms": 10**8}),
    Scenario("maximum_ttl_ms, and a time to live", {"maximum_ttl_ms": 10**9}, Load("", ttl_ms=10**8)),
    Scenario("max_messages and max_bytes", {"max_messages": 10**8, "max_bytes": 10**12}),
    Scenario("FIFO, max_messages", {"max_messages": 10**8}, plain={}),
    Scenario("FIFO, a ring that is full", {"max_messages": 1000, "when_full": "drop-oldest"}, plain={}),
    Scenario("flow control", {"flow_stop_messages": 10**8}),
    Scenario("tombstone_ms", {"tombstone_ms": 10**8}),
    Scenario("durable, order_by", {"order_by": "number"}, replace(DURABLE, ordered=True)),
    Scenario("durable, default_ttl_ms", {"default_ttl_ms": 10**8}, DURABLE),
)


def ratios(scenario: Scenario, broker: tuple[int, int], options: argparse.Namespace) -> list[float]:
    """What a message costs with the options over what it costs without them, round by round."""
    pid, port = broker
    found: list[float] = []
    for number in range(options.rounds + 1):
        costs: list[float] = []
        sides = [scenario.plain, {**scenario.plain, **scenario.options}]
        # Each is first in every other round.
        for side in sides if number % 2 else reversed(sides):
            queue = f"q-{number}-{len(costs)}"
            with blocking.connect(f"amqp://{HOST}:{port}") as connection:
                connection.declare(queue, durable=scenario.load.durable, **side)
                count = options.count if number else min(WARM_UP, options.count)
                measured = run(HOST, port, replace(scenario.load, queue=queue, count=count), pid=pid)
                connection.delete(queue)
            costs.append(measured.cpu_us or 0.0)
        first, second = costs if number % 2 else reversed(costs)
        if number:
            found.append(second / first)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--server", type=Path, default=Path(sys.executable).with_name("lastvalue"))
    parser.add_argument("--count", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="scenarios whose names contain this")
    parser.add_argument("--json", action="store_true", help="one JSON object for each scenario")
    options = parser.parse_args()
    for scenario in SCENARIOS:
        if options.only not in scenario.name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            store = Path(folder) / "store" if scenario.load.durable else None
            with serving(options.server, store) as broker:
                found = ratios(scenario, broker, options)
        figures = {"ratio": statistics.median(found), "least": min(found), "most": max(found)}
        if options.json:
            print(json.dumps({"scenario": scenario.name, **figures}), flush=True)
        else:
            print(
                f"{scenario.name:40} {figures['ratio']:.2f} ({min(found):.2f} to {max(found):.2f})",
                flush=True,
            )


if __name__ == "__main__":
    main()
