"""CPU time of a whole broker for a message of AMQP 0-9-1 through an exchange, against one to a queue.

    python bench/exchanges.py --server .venv-compiled/bin/lastvalue
    python bench/exchanges.py --count 20000 --rounds 3

The scenarios take turns, round by round; the medians of the costs and of the rounds' ratios count.
Messages are unconfirmed, encoded before, and have bodies of 100 bytes and one header.
"""

import argparse
import statistics
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

from broker import serving
from load import cpu_seconds
from wire091 import QOS, Peer, long, message, short

KEYS = 1_000
DECLARE, DELETE = (50, 10), (50, 40)
BIND = (50, 20)
DECLARE_EXCHANGE, DELETE_EXCHANGE = (40, 10), (40, 20)
EXCHANGE = "measured"


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is run.

    Attributes:
        name: of it.
        exchange: its type; without one messages go to the queue.
        keys: how many routing keys the messages have in turn.
        queues: how many are bound for all keys.
        keyed: the first of them is a last-value queue.
    """

    name: str
    exchange: str = ""
    keys: int = 1
    queues: int = 1
    keyed: bool = False


SCENARIOS = (
    Scenario("to a queue"),
    Scenario("direct, one key", "direct"),
    Scenario("topic, one key", "topic"),
    Scenario("topic, 1,000 keys", "topic", KEYS),
    Scenario("fanout to 2, 1 last-value", "fanout", queues=2, keyed=True),
    Scenario("fanout to 5, one key", "fanout", queues=5),
    Scenario("fanout to 5, 1,000 keys", "fanout", KEYS, queues=5),
)


def cost_us(pid: int, port: int, scenario: Scenario, count: int) -> float:
    """CPU time of the broker for each message."""
    peer = Peer(port)
    names = [f"measured-{number}" for number in range(scenario.queues)]
    for name in names:
        key = short("qpid.last_value_queue_key") + b"S" + long(b"key")
        arguments = key if scenario.keyed and name == names[0] else b""
        peer.call(DECLARE, b"\0\0" + short(name) + b"\0" + long(arguments))
    if scenario.exchange:
        peer.call(DECLARE_EXCHANGE, b"\0\0" + short(EXCHANGE) + short(scenario.exchange) + b"\0" + long(b""))
        pattern = "#" if scenario.exchange == "topic" else "k0000"
        for name in names:
            peer.call(BIND, b"\0\0" + short(name) + short(EXCHANGE) + short(pattern) + b"\0" + long(b""))
    block = b"".join(
        message(f"k{key % scenario.keys:04d}", f"key{key}", exchange=EXCHANGE)
        if scenario.exchange
        else message(names[0], f"key{key}")
        for key in range(KEYS)
    )
    _send(peer, block)
    before = cpu_seconds(pid)
    for _ in range(count // KEYS):
        peer.socket.sendall(block)
    _send(peer, block)
    used = cpu_seconds(pid) - before
    for name in names:
        peer.call(DELETE, b"\0\0" + short(name) + b"\0")
    if scenario.exchange:
        peer.call(DELETE_EXCHANGE, b"\0\0" + short(EXCHANGE) + b"\0")
    peer.close()
    return used / (count // KEYS + 1) / KEYS * 1e6


def _send(peer: Peer, block: bytes) -> None:
    """Send messages, and wait until the broker has taken all."""
    peer.socket.sendall(block)
    peer.call(QOS, struct.pack(">IHB", 0, 0, 0))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    beside = Path(sys.executable).with_name("lastvalue")
    parser.add_argument("--server", type=Path, default=beside, help="the `lastvalue` command to start")
    parser.add_argument("--count", type=int, default=100_000, help="messages a round")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    tried: dict[str, list[float]] = {scenario.name: [] for scenario in SCENARIOS}
    with serving(options.server) as (pid, port):
        for _ in range(options.rounds):
            for scenario in SCENARIOS:
                tried[scenario.name].append(cost_us(pid, port, scenario, options.count))
    reference = tried[SCENARIOS[0].name]
    for name, costs in tried.items():
        ratio = statistics.median(cost / other for cost, other in zip(costs, reference, strict=True))
        print(f"{name:26}{statistics.median(costs):8.2f} us{ratio:7.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
