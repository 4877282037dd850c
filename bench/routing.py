"""What a publish through a topic exchange costs, by the number of bindings that do not match.

    python bench/routing.py
    python bench/routing.py --json

The message matches three bindings of as many queues; the others differ from its key in their first word, in a
later one, or behind a wildcard. The gate is on the ratio of ten thousand bindings to ten: less than 3.
"""

import argparse
import json
import sys
import time

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.spec import Limit, QueueSpec, WhenFull

KEY = "prices.technology.acme"
MATCHING = ("prices.#", "*.technology.*", "#.acme")
SHAPES = ("other{}.#", "prices.{}.*", "#.{}", "*.*.{}")
GATE = 3.0


def prepared(bindings: int) -> Broker:
    broker = Broker()
    for number, pattern in enumerate(MATCHING):
        ring = Limit(messages=10, when_full=WhenFull.DROP_OLDEST)
        broker.declare(QueueSpec(f"q{number}", limit=ring))
        broker.bind("amq.topic", Binding(f"q{number}", pattern), NOBODY, 0)
    broker.declare(QueueSpec("idle"))
    for number in range(bindings - len(MATCHING)):
        pattern = SHAPES[number % len(SHAPES)].format(f"w{number}")
        broker.bind("amq.topic", Binding("idle", pattern), NOBODY, 0)
    return broker


def cost_us(broker: Broker, publishes: int, rounds: int) -> float:
    """CPU time of one publish, the best round of several."""
    node = broker.resolve("amq.topic")
    assert node is not None
    target = broker.target(node)
    message = read_message(encode_content(MessageContent(body="x", subject=KEY)))
    best = float("inf")
    for _ in range(rounds):
        assert broker.route(target, KEY, message, 0).queues == len(MATCHING)
        begin = time.process_time()
        for _ in range(publishes):
            broker.route(target, KEY, message, 0)
        best = min(best, (time.process_time() - begin) / publishes * 1e6)
        broker.drain(0)
    return best


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--publishes", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    options = parser.parse_args()
    costs = {
        bindings: cost_us(prepared(bindings), options.publishes, options.rounds)
        for bindings in (10, 100, 10_000)
    }
    ratio = costs[10_000] / costs[10]
    if options.json:
        print(json.dumps({"cpu_us": costs, "ratio": ratio}))
    else:
        for bindings, cost in costs.items():
            print(f"{bindings:>6} bindings {cost:8.2f} us a publish")
        print(f"ratio {ratio:.2f}, at most {GATE}")
    return 0 if ratio < GATE else 1


if __name__ == "__main__":
    sys.exit(main())
