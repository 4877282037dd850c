"""Does a turn cost more beside many queues?

    python bench/deadlines.py             # a minute; the lastvalue of this environment
    python bench/deadlines.py --json

Each case has a broker with 10, with 1,000 and with 100,000 queues, of which it uses one. The figure is the
CPU time of a turn: something happens, the broker pumps, drains and says when it next has something to do.
The three brokers take turns, round by round, and the best round of each counts.
Gate: at most 1.5 times as much beside 100,000 queues as beside 10.
"""

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from lastvalue.broker.broker import Broker
from lastvalue.broker.receiver import NullReceiver
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.delivery.protocol_connection import ConnectionContext
from lastvalue.frontends.amqp10.connection import Amqp10Connection
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.sasl import Authenticator
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode

GATE = 1.5
SIZES = (10, 1_000, 100_000)
NOW_MS = 1_700_000_000_000
HOUR_MS = 3_600_000
PLAIN = read_message(encode_content(MessageContent(body="x")))
EXPIRING = read_message(encode_content(MessageContent(body="x", ttl_ms=HOUR_MS)))


class Turns:
    """The turns of one broker; a millisecond passes with each."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.now = NOW_MS

    def end(self) -> None:
        self.broker.pump(self.now)
        self.broker.drain(self.now)
        self.broker.definitions.drain()
        if self.broker.next_deadline() <= self.now:
            self.broker.advance(self.now)
        self.now += 1


def publish(turns: Turns) -> None:
    """A message comes for which the other queues do not matter."""
    turns.broker.publish(turns.broker.queue_target("q0"), PLAIN, turns.now)
    turns.end()


def publish_expiring(turns: Turns) -> None:
    """A message comes that expires later than those of all other queues, and replaces one."""
    turns.broker.publish(turns.broker.queue_target("q0"), EXPIRING, turns.now)
    turns.end()


def read_shortly(turns: Turns) -> None:
    """A queue is read that is deleted when nobody reads it for an hour, as all others are."""
    broker = turns.broker
    reader = broker.read(broker.lookup("q0"), Mode.CONSUME, NullReceiver(), ANY, NOBODY, turns.now)
    turns.end()
    broker.stop(reader, turns.now)
    turns.end()


def connect(turns: Turns) -> None:
    """A client connects, begins a session and goes."""
    context = ConnectionContext(turns.broker, Authenticator(), lambda: None, lambda _: None)
    server = Amqp10Connection(context, ConnectionOptions("broker"), False, turns.now)
    client = Connection(Role.CLIENT, ConnectionOptions("client"), turns.now)
    client.open()
    exchange(client, server, turns)
    client.begin()
    exchange(client, server, turns)
    client.close()
    exchange(client, server, turns)
    server.lost(turns.now, turns.now)
    turns.end()


def exchange(client: Connection, server: Amqp10Connection, turns: Turns) -> None:
    while data := client.data_to_send():
        server.receive(data, turns.now, turns.now)
        turns.end()
        server.seal(1, turns.now)
        server.confirm(1, turns.now)
        client.receive(server.data_to_send(), turns.now)
        client.events()


@dataclass(frozen=True)
class Case:
    """What happens in a turn, beside queues with these options, each with a message that expires or not."""

    name: str
    step: Callable[[Turns], None]
    options: dict[str, object]
    expiring: bool = False
    steps: int = 2_000


CASES = (
    Case("publish", publish, {"max_messages": 1, "when_full": "ring"}),
    Case("publish, all expire", publish_expiring, {"max_messages": 1, "when_full": "ring"}, expiring=True),
    Case(
        "read, all auto-delete",
        read_shortly,
        {"lifetime": "delete-on-no-links", "auto_delete_delay_ms": HOUR_MS},
    ),
    Case("connect", connect, {}, steps=100),
)


def made(case: Case, queues: int) -> Turns:
    broker = Broker()
    turns = Turns(broker)
    spec = spec_from_arguments("q", case.options)
    for number in range(queues):
        broker.declare(replace(spec, name=f"q{number}"))
        hosted = broker.lookup(f"q{number}")
        if case.expiring:
            broker.publish(broker.queue_target(f"q{number}"), EXPIRING, NOW_MS + number % 1_000)
        broker.count_unused(hosted, NOW_MS)
    turns.end()
    return turns


def costs_us(case: Case, rounds: int) -> list[float]:
    """CPU time of a step, by how many queues there are."""
    several = [made(case, size) for size in SIZES]
    best = [float("inf")] * len(SIZES)
    gc.collect()
    gc.freeze()
    for _ in range(rounds):
        for place, turns in enumerate(several):
            began = time.thread_time()
            for _ in range(case.steps):
                case.step(turns)
            best[place] = min(best[place], (time.thread_time() - began) / case.steps * 1e6)
    return best


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", help="cases whose name contains this")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each case")
    options = parser.parse_args()
    over = False
    for case in CASES:
        if options.only and options.only not in case.name:
            continue
        costs = costs_us(case, options.rounds)
        ratio = costs[-1] / costs[0]
        over = over or ratio > GATE
        if options.json:
            by_size = dict(zip(SIZES, costs, strict=True))
            print(json.dumps({"case": case.name, "cpu_us": by_size, "ratio": ratio}), flush=True)
        else:
            told = "".join(f"{size:>9,} {cost:8.2f} us" for size, cost in zip(SIZES, costs, strict=True))
            print(f"{case.name:24}{told}   x{ratio:.2f}{'  over' if ratio > GATE else ''}", flush=True)
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
