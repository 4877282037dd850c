"""Does a message cost more on a deep queue, or beside many groups, consumers and browsers?

    python bench/depth.py                 # a minute; the lastvalue of this environment
    python bench/depth.py --quick         # a tenth of the depth

Each case is a queue filled to a depth; then messages come, are consumed and settled, some released, in steps
that leave the depth as it is. The figure is the cost of such a step at the greater depth over that at the
smaller one, the best of several rounds in one process. Gate: below 3. Cases marked `*` are exceptions.
"""

import argparse
import gc
import json
import sys
import time
from dataclasses import dataclass

from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.model.message import Message, MessageFilter
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome, Subscriber, Subscription, Terms

GATE = 3.0
NOW_MS = 1_700_000_000_000
STEPS = 2_000
ROUNDS = 5


class Silent(Subscriber):
    def wake(self) -> None:
        pass


class Heavier(MessageFilter):
    """Wants the messages of higher priority."""

    def matches(self, message: Message) -> bool:
        return message.priority > 7


@dataclass(frozen=True)
class Case:
    """One thing that grows from `small` to `large`: the depth, unless `what` says otherwise."""

    name: str
    options: dict[str, object]
    what: str = "depth"
    consumers: int = 1
    browsers: int = 0
    selects: bool = False
    small: int = 1_000
    large: int = 1_000_000
    exception: str = ""


CASES = (
    Case("standard", {}),
    Case("last-value", {"lvq_key": "key"}),
    Case("last-value, legacy", {"qpid.last_value_queue": 1, "lvq_placement": "in-place"}),
    Case("priority", {"priorities": 10}),
    Case("priority, fairshare", {"priorities": 10, "fairshare": 5}),
    Case("sorted", {"sort_key": "key"}),
    Case("groups, default", {"group_key": "key"}, consumers=4),
    Case("groups, each its own", {"group_key": "key", "group_buckets": 0}, consumers=4),
    Case("groups, shared", {"group_key": "key", "group_mode": "shared"}, consumers=4),
    Case("a selective consumer", {}, consumers=2, selects=True),
    Case("ring", {"when_full": "ring"}),
    Case("ring of priorities", {"when_full": "ring", "priorities": 10}),
    Case("ttl", {"maximum_ttl_ms": 86_400_000}),
    Case(
        "standard, by browsers",
        {},
        what="browsers",
        browsers=1,
        small=1,
        large=1_000,
        exception="each browser that stands where a message comes back is looked at",
    ),
    Case("standard, by consumers", {}, what="consumers", small=1, large=1_000),
    Case(
        "priority, by browsers",
        {"priorities": 10},
        what="browsers",
        browsers=1,
        small=1,
        large=1_000,
        exception="each browser that has passed the place of a new message is told of it",
    ),
)


def messages(count: int) -> list[EncodedMessage]:
    """Messages with keys in no order and every priority."""
    made = []
    for number in range(count):
        key = f"K{number * 7919 % 1_000_003:08d}"
        content = MessageContent(
            body="x" * 20, application_properties={"key": key, "qpid.LVQ_key": key}, priority=number % 10
        )
        made.append(read_message(encode_content(content)))
    return made


@dataclass
class Filled:
    queue: Queue
    consumers: list[Subscription]
    browsers: list[Subscription]


def filled(case: Case, size: int, stock: list[EncodedMessage]) -> Filled:
    depth = size if case.what == "depth" else 1_000
    options = dict(case.options)
    if options.get("when_full") == "ring":
        options["max_messages"] = depth
    queue = Queue(spec_from_arguments("q", options))
    consumers = size if case.what == "consumers" else case.consumers
    browsers = size if case.what == "browsers" else case.browsers
    selective = Terms(Heavier())
    readers = [
        queue.subscribe(Mode.CONSUME, Silent(), selective, NOW_MS)
        if case.selects and number == 0
        else queue.subscribe(Mode.CONSUME, Silent(), ANY, NOW_MS)
        for number in range(consumers)
    ]
    watching = [queue.subscribe(Mode.BROWSE, Silent(), ANY, NOW_MS) for _ in range(browsers)]
    for message in stock[:depth]:
        queue.enqueue(message, NOW_MS)
        if queue.sequence % 1_000 == 0:
            queue.drain()
    queue.drain()
    for browser in watching:
        while queue.next(browser, NOW_MS) is not None:
            pass
    return Filled(queue, readers, watching)


def step(filled: Filled, message: Message, number: int) -> None:
    """One message comes; one is consumed, or released and consumed."""
    queue, readers = filled.queue, filled.consumers
    queue.enqueue(message, NOW_MS)
    consumer = readers[number % len(readers)]
    entry = queue.next(consumer, NOW_MS)
    if entry is not None and number % 4 == 0:
        queue.settle(entry, Outcome.RELEASED, NOW_MS)
        entry = queue.next(consumer, NOW_MS)
    if entry is not None:
        queue.settle(entry, Outcome.ACCEPTED, NOW_MS)


def cost_us(filled: Filled, fresh: list[EncodedMessage]) -> float:
    best = float("inf")
    for turn in range(ROUNDS):
        part = fresh[turn * STEPS : (turn + 1) * STEPS]
        began = time.thread_time()
        for number, message in enumerate(part):
            step(filled, message, number)
        best = min(best, time.thread_time() - began)
        filled.queue.drain()
    return best / STEPS * 1e6


def measure(
    case: Case, stock: list[EncodedMessage], fresh: list[EncodedMessage], divisor: int
) -> dict[str, object]:
    large = case.large // divisor if case.what == "depth" else case.large
    costs = []
    for size in (case.small, large):
        gc.collect()
        gc.freeze()
        costs.append(cost_us(filled(case, size, stock), fresh))
    return {
        "case": case.name,
        "by": case.what,
        "small": case.small,
        "large": large,
        "small_us": round(costs[0], 3),
        "large_us": round(costs[1], 3),
        "ratio": round(costs[1] / costs[0], 2),
        "exception": case.exception,
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the depth")
    parser.add_argument("--only", help="cases whose name contains this")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    cases = [case for case in CASES if not options.only or options.only in case.name]
    divisor = 10 if options.quick else 1
    stock = messages(
        max(case.large // divisor for case in cases if case.what == "depth")
        if any(case.what == "depth" for case in cases)
        else 1_000
    )
    fresh = messages(len(stock) + ROUNDS * STEPS)[len(stock) :]
    results = []
    over = False
    for case in cases:
        result = measure(case, stock, fresh, divisor)
        results.append(result)
        is_over = float(str(result["ratio"])) >= GATE and not case.exception
        over = over or is_over
        if not options.json:
            mark = " over" if is_over else " *" if case.exception else ""
            print(
                f"{case.name:24} {case.what:10} {result['small']:>6,} {result['small_us']:>8} us   "
                f"{result['large']:>9,} {result['large_us']:>8} us   x{result['ratio']}{mark}",
                flush=True,
            )
    if options.json:
        print(json.dumps(results))
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
