"""What subscriptions with a rate cost the broker: per message that they get, not per update of the queue.

    python bench/paced_readers.py
    python bench/paced_readers.py --readers 10000 --updates 100000 --seconds 2 --json

A last-value queue takes so many updates a second while the readers watch it at their rate. It runs in this
process without sockets, on a clock of its own in turns of 10 ms, so that it measures only the broker's core.
The same updates without readers are subtracted. It is run at the full rate of updates and at a quarter of it:
what a message costs must not depend on that.
"""

import argparse
import gc
import json
import resource
import time
from dataclasses import asdict, dataclass

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.receiver import Receiver
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message
from lastvalue.model.message import Message
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import LastValue, QueueSpec
from lastvalue.queues.subscription import Mode, Terms
from lastvalue.queues.watch_terms import WatchTerms

START_MS = 1_700_000_000_000
TURN_MS = 10


class Counter(Receiver):
    """Counts what it gets; it always wants more."""

    def __init__(self) -> None:
        self.got = 0
        self.reader: QueueReader | None = None

    def wants(self, now: int) -> bool:
        """See Receiver."""
        del now
        return True

    def deliver(self, entry: Entry, now: int) -> None:
        """See Receiver."""
        del entry, now
        self.got += 1

    def on_empty(self, now: int) -> None:
        """See Receiver."""

    def queue_deleted(self) -> None:
        """See Receiver."""


@dataclass
class Run:
    """What a run took.

    Attributes:
        cpu_s: processor time of the turns.
        delivered: messages to readers in that time.
        grown_mib: resident memory that the readers took before the turns.
    """

    cpu_s: float
    delivered: int
    grown_mib: float


def messages(keys: int) -> list[bytes]:
    return [encode_plain_message(False, {"k": f"k{number}"}, "x" * 50) for number in range(keys)]


def run(readers: int, updates: int, seconds: float, rate: float, keys: int) -> Run:
    """Publish in turns, and serve the readers."""
    broker = Broker()
    broker.declare(QueueSpec("q", LastValue("k")))
    target = broker.queue_target("q")
    payloads = messages(keys)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    counters = [Counter() for _ in range(readers)]
    for counter in counters:
        terms = Terms(only_new=True)
        terms.watch = WatchTerms(rate=rate)
        hosted = broker.lookup("q")
        counter.reader = broker.read(hosted, Mode.BROWSE, counter, terms, NOBODY, START_MS)
        counter.reader.wake()
    grown_mib = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    broker.pump(START_MS)
    gc.collect()
    gc.disable()
    each_turn = max(1, updates * TURN_MS // 1000)
    turns = int(seconds * 1000 / TURN_MS)
    sent = 0
    began_s = time.process_time()
    for turn in range(1, turns + 1):
        now = START_MS + turn * TURN_MS
        for _ in range(each_turn):
            message: Message = read_message(payloads[sent % keys])
            broker.publish(target, message, now)
            sent += 1
        if broker.next_deadline() <= now:
            broker.advance(now)
        broker.pump(now)
        broker.drain(now)
    cpu_s = time.process_time() - began_s
    gc.enable()
    return Run(cpu_s, sum(each.got for each in counters), grown_mib)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--readers", type=int, default=10_000)
    parser.add_argument("--updates", type=int, default=100_000, help="a second")
    parser.add_argument("--seconds", type=float, default=2.0, help="of the clock of its own")
    parser.add_argument("--rate", type=float, default=2.0, help="messages a second and reader")
    parser.add_argument("--keys", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = []
    for updates in (options.updates, options.updates // 4):
        alone = run(0, updates, options.seconds, options.rate, options.keys)
        paced = run(options.readers, updates, options.seconds, options.rate, options.keys)
        cost_us = 1e6 * (paced.cpu_s - alone.cpu_s) / max(1, paced.delivered)
        figures.append(
            {
                "updates_per_s": updates,
                "update_us": round(1e6 * alone.cpu_s / (updates * options.seconds), 2),
                "delivery_us": round(cost_us, 1),
                "cores_for_readers": round((paced.cpu_s - alone.cpu_s) / options.seconds, 2),
                **asdict(paced),
            }
        )
    if options.json:
        print(json.dumps(figures))
        return
    for each in figures:
        print(
            f"{each['updates_per_s']:>8} updates/s at {each['update_us']} us; "
            f"{options.readers} readers at {options.rate:g}/s: {each['delivered']} messages "
            f"at {each['delivery_us']} us each, {each['cores_for_readers']} cores; "
            f"{each['grown_mib']:.0f} MiB"
        )


if __name__ == "__main__":
    main()
