"""What a follower takes off its leader: CPU of each for a durable update that many browsers see live.

    python packaging/log_servers.py python bench/cores.py --log {log}
    python packaging/log_servers.py python bench/cores.py --log {log} --server .venv-compiled/bin/lastvalue

The same updates are sent to the leader, with the browsers first at the leader and then at a broker that
follows it on the same machine. How many deliveries a second a number of processes can make follows from the
CPU of the busiest one, on machines with at least as many processors.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lastvalue.client import blocking
from lastvalue.model.errors import LastvalueError
from load import Load, cpu_seconds, run
from store import HOST, Figures, declare, serving

BROWSERS = 40
FOLLOWERS = (1, 3, 7)
"""For so many followers the deliveries are computed, over those of a leader alone."""


def measured(options: argparse.Namespace) -> Iterator[Figures]:
    """The medians of rounds in which the browsers are at the leader, at the follower and nowhere in turn."""
    with (
        serving(options.server, options.log) as (leader, port),
        serving(options.server, options.log, "--follow") as (follower, follower_port),
    ):
        tried: dict[str, list[tuple[float, float]]] = {"leader": [], "follower": [], "nobody": []}
        load = Load("", options.count, options.keys, durable=True, unsettled=True)
        for number in range(options.rounds):
            for place, rounds in tried.items():
                queue = f"{place}-{number}"
                declare(port, queue)
                wait_until_known(follower_port, queue)
                asked = replace(load, queue=queue, reader_port=follower_port if place == "follower" else 0)
                before_s = cpu_seconds(follower)
                readers = 0 if place == "nobody" else options.browsers
                spent = run(HOST, port, asked, readers=readers, pid=leader)
                follower_us = (cpu_seconds(follower) - before_s) * 1e6 / options.count
                rounds.append((spent.cpu_us or 0.0, follower_us))
    costs = {
        place: tuple(statistics.median(each) for each in zip(*rounds, strict=True))
        for place, rounds in tried.items()
    }
    for place, (leader_us, follower_us) in costs.items():
        who = "no browsers" if place == "nobody" else f"{options.browsers} browsers at the {place}"
        yield {"scenario": f"an update, {who}", "leader_us": leader_us, "follower_us": follower_us}
    alone_us, applied_us = costs["leader"][0], costs["nobody"][1]
    delivery_us = (costs["follower"][1] - applied_us) / options.browsers
    for number in FOLLOWERS:
        # Each has as much time for an update as the leader has that serves all browsers itself.
        browsers = number * (alone_us - applied_us) / delivery_us
        ratio = 1 + browsers / options.browsers
        yield {"scenario": f"deliveries of a leader and {number} of its followers", "ratio": ratio}


def wait_until_known(port: int, queue: str) -> None:
    """Wait until a follower has a queue."""
    until = time.monotonic() + 30
    while True:
        try:
            with blocking.connect(f"amqp://{HOST}:{port}") as connection:
                if connection.queues():
                    connection.queue(queue).info()
                    return
        except LastvalueError:
            if time.monotonic() > until:
                raise
        time.sleep(0.05)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--server", type=Path, default=Path(sys.executable).with_name("lastvalue"))
    parser.add_argument("--log", required=True, help="the address of a replicated log")
    parser.add_argument("--browsers", type=int, default=BROWSERS)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for figures in measured(options):
        if options.json:
            print(json.dumps(figures), flush=True)
        else:
            print(*(f"{value:.2f}" if isinstance(value, float) else value for value in figures.values()))


if __name__ == "__main__":
    main()
