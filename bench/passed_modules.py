"""Which modules a message passes: how often a broker in plain Python calls each of them, for a message.

    python bench/passed_modules.py                     where setup.py compiles others
    python bench/passed_modules.py --only durable      some loads, with every module that they call
    python bench/passed_modules.py --json calls.json   keeps the counts
    python bench/passed_modules.py --check             fails if each message passes one that is plain

Python tells of every call in the broker. What a load declares and its first messages are not counted. The
largest number of calls for a message in any load decides.
Compiled must be what messages pass, and what defines the classes that those modules inherit from or read.
"""

import argparse
import json
import os
import runpy
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import protocols
from lastvalue.client import Message, TimedOutError, blocking
from load import Load, run
from store import HOST, serving
from wires import Flow

ROOT = Path(__file__).parents[1]
COUNT = 2000
WARM_UP = 200
PATIENCE_S = 30
OFTEN = 0.02
"""Calls for a message, from which on a module is passed by messages."""
ALWAYS = 0.9
"""Calls for a message, from which on each message passes a module; less is once a turn or a connection."""

Port = int
Step = Callable[[int], None]
"""Runs so many messages."""


# In the broker.


def serve(counts: Path) -> None:
    """Be `lastvalue`, and write the calls of each module to a new file whenever SIGUSR1 comes."""
    from lastvalue.cli.main import main as lastvalue  # noqa: PLC0415 - in the broker alone

    calls: Counter[str] = Counter()
    number = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            calls[frame.f_globals.get("__name__", "")] += 1

    def write(*_: object) -> None:
        nonlocal number
        number += 1
        part = counts / f"{number}.part"
        part.write_text(
            json.dumps({name: each for name, each in calls.items() if name.startswith("lastvalue.")})
        )
        part.rename(counts / f"{number}.json")

    signal.signal(signal.SIGUSR1, write)
    threading.setprofile(count)
    sys.setprofile(count)
    lastvalue()


# Beside it.


@dataclass(slots=True)
class TracedBroker:
    """One that counts its calls."""

    pid: int
    port: int
    counts: Path
    asked: int = 0

    def calls(self) -> Counter[str]:
        """Those of each module until now."""
        self.asked += 1
        path = self.counts / f"{self.asked}.json"
        os.kill(self.pid, signal.SIGUSR1)
        deadline_s = time.monotonic() + PATIENCE_S
        while not path.exists():
            if time.monotonic() > deadline_s:
                raise TimeoutError("the broker does not tell its calls")
            time.sleep(0.01)
        return Counter(json.loads(path.read_text()))

    def calls_per_message(self, traffic: "Traffic") -> dict[str, float]:
        """How often a message calls each module."""
        with contextmanager(traffic.prepare)(self.port) as step:
            step(WARM_UP)
            before = self.calls()
            step(COUNT)
            calls = self.calls()
        calls.subtract(before)
        with blocking.connect(f"amqp://{HOST}:{self.port}") as connection:
            for each in connection.queues():
                connection.delete(each.name)
        return {name: each / COUNT for name, each in calls.items() if each}


@contextmanager
def traced(directory: Path) -> Iterator[TracedBroker]:
    """A broker of plain Python with a store, which only durable queues use."""
    counts = directory / "counts"
    counts.mkdir()
    command = directory / "lastvalue"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" --serve "{counts}" "$@"\n')
    command.chmod(0o700)
    with serving(command, directory / "store", "--event-loop", "asyncio") as (pid, port):
        yield TracedBroker(pid, port, counts)


@dataclass(frozen=True, slots=True)
class Traffic:
    """A load: `prepare` gets the port and returns what runs so many messages."""

    name: str
    prepare: Callable[[Port], Iterator[Step]]


def over_wire(
    wire: Any, *, inwards: bool, lvq: bool, answered: bool, of_jms: bool = False, read_by: Any = None
) -> Traffic:
    """What bench/protocols.py measures, and what comes over one protocol and leaves over another."""
    scenario = protocols.Scenario(inwards, answered, "key" if lvq else None, of_jms)

    def prepare(port: Port) -> Iterator[Step]:
        options: dict[str, Any] = {"lvq_key": "key"} if lvq else {}
        with blocking.connect(f"amqp://{HOST}:{port}") as connection:
            connection.declare("measured", **options)
            flow = Flow(port, "measured", COUNT, not inwards, answered, of_jms)
            sender = wire.sender(flow)

            def step(count: int) -> None:
                sender.send(count)
                if not inwards:
                    (read_by or wire).reader(flow).read(count)

            yield step
            sender.close()

    kind = (" as of JMS" if of_jms else "") + (f" to {read_by.name}" if read_by else "")
    return Traffic(f"{wire.name}, {scenario.name}{kind}", prepare)


def at_full_speed(name: str, *, readers: int = 0, browse: bool = True, durable: bool = False) -> Traffic:
    """What bench/guard.py measures."""

    def prepare(port: Port) -> Iterator[Step]:
        with blocking.connect(f"amqp://{HOST}:{port}") as connection:
            connection.declare("measured", lvq_key="key", durable=durable)

            def step(count: int) -> None:
                load = Load("measured", count=count, unsettled=True, durable=durable, window=256)
                run(HOST, port, load, readers=readers, browse=browse)

            yield step

    return Traffic(name, prepare)


def one_by_one(name: str, *, store: bool = False, browse: bool = False, **options: Any) -> Traffic:
    """Messages of the Python client to a queue with these options, and one reader that accepts or browses."""

    def prepare(port: Port) -> Iterator[Step]:
        with blocking.connect(f"amqp://{HOST}:{port}") as connection:
            queue = connection.declare("measured", durable=store, **options)

            def step(count: int) -> None:
                queue.send_many(message(number, durable=store) for number in range(count))
                if browse:
                    for _ in queue.browse():
                        pass
                    return
                with suppress(TimedOutError):
                    for delivery in queue.receive(timeout_s=0.3):
                        delivery.accept()

            yield step

    return Traffic(name, prepare)


def message(number: int, *, durable: bool = False) -> Message:
    """One with everything that a queue reads."""
    symbol = f"S{number % 50}"
    return Message(
        {"price": number % 97, "size": 3},
        {"symbol": symbol, "sequence": number, "region": "north" if number % 2 else "south"},
        subject=f"prices.{symbol}",
        message_id=f"id-{number}",
        group_id=symbol,
        priority=number % 10,
        ttl_ms=600_000,
        durable=durable,
    )


def transactions(port: Port) -> Iterator[Step]:
    """Ten messages a transaction, in and out."""
    with blocking.connect(f"amqp://{HOST}:{port}") as connection:
        queue = connection.declare("measured")

        def step(count: int) -> None:
            for start in range(0, count, 10):
                with connection.transaction() as transaction:
                    queue.send_many(
                        (message(each) for each in range(start, start + 10)), transaction=transaction
                    )

        yield step


def through_exchange(kind: str, key: str, arguments: dict[str, object]) -> Traffic:
    """To two queues by an exchange."""

    def prepare(port: Port) -> Iterator[Step]:
        with blocking.connect(f"amqp://{HOST}:{port}") as connection:
            connection.declare_exchange(f"by {kind}", type=kind)
            for name in ("first", "second"):
                connection.declare(name, lvq_key="symbol")
                connection.bind(f"by {kind}", name, key, arguments)
            sender = connection.queue(f"by {kind}")

            def step(count: int) -> None:
                sender.send_many(message(each) for each in range(count))

            yield step
            connection.delete_exchange(f"by {kind}")

    return Traffic(f"{kind} exchange", prepare)


def watched(port: Port) -> Iterator[Step]:
    """A reader that watches, with a key's values put and deleted."""
    with blocking.connect(f"amqp://{HOST}:{port}") as connection:
        queue = connection.declare("measured", lvq_key="symbol")
        with connection.watch("measured"):

            def step(count: int) -> None:
                for number in range(count):
                    queue.put(f"S{number % 50}", number)
                    if number % 10 == 0:
                        queue.delete(f"S{number % 50}")

            yield step


LOADS: tuple[Traffic, ...] = (
    *(
        over_wire(wire, inwards=inwards, lvq=lvq, answered=answered)
        for wire in protocols.WIRES
        for inwards in (True, False)
        for lvq in (True, False)
        for answered in (False, True)
    ),
    *(
        over_wire(wire, inwards=inwards, lvq=True, answered=True, of_jms=True)
        for wire in protocols.JMS_WIRES
        for inwards in (True, False)
    ),
    *(
        over_wire(wire, inwards=False, lvq=False, answered=True, read_by=other)
        for wire in protocols.WIRES
        for other in protocols.WIRES
        if wire is not other
    ),
    at_full_speed("confirmed to 20 browsers", readers=20),
    at_full_speed("confirmed to a consumer", readers=1, browse=False),
    at_full_speed("durable", durable=True),
    one_by_one("client"),
    one_by_one("client, durable", store=True),
    one_by_one("last-value with an order", lvq_key="symbol", order_by="sequence", browse=True),
    one_by_one("last-value, durable, with a history", store=True, lvq_key="symbol", history="past"),
    one_by_one("last-value with a log of removals", lvq_key="symbol", removal_log=100, top_talkers=10),
    one_by_one("last-value with an age", lvq_key="symbol", max_age_ms=60_000),
    one_by_one("conflated to sums", lvq_key="symbol", conflation="sum(price)"),
    one_by_one("conflated to candles", lvq_key="symbol", conflation="ohlc(price, size)", browse=True),
    one_by_one("conflated by interval", lvq_key="symbol", conflation="last", conflation_interval_ms=50),
    one_by_one("priority", priorities=10),
    one_by_one("sorted", sort_key="sequence"),
    one_by_one("groups", group_mode="default"),
    one_by_one("shared groups", group_mode="shared", group_key="symbol"),
    one_by_one("ring", max_messages=100, when_full="drop-oldest"),
    one_by_one("filter", filter="region = 'north' AND sequence > 3"),
    one_by_one("duplicates", duplicate_window=100),
    one_by_one("single active consumer", live_consumers=1),
    one_by_one(
        "non-destructive", non_destructive=True, max_messages=100, when_full="drop-oldest", browse=True
    ),
    Traffic("transactions", transactions),
    through_exchange("direct", "prices.S1", {}),
    through_exchange("topic", "prices.#", {}),
    through_exchange("headers", "", {"x-match": "any", "region": "north"}),
    Traffic("watched", watched),
)


def compiled_modules() -> set[str]:
    """The modules that setup.py compiles, by their names."""
    found = runpy.run_path(str(ROOT / "setup.py"))["compiled_modules"](ROOT)
    chosen = (path.relative_to(ROOT / "src").with_suffix("") for path in found)
    return {".".join(path.parts) for path in chosen}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="loads whose names have this in them")
    parser.add_argument("--check", action="store_true", help="print what each message passes and is plain")
    parser.add_argument("--json", type=Path, help="where to write the calls of each load")
    options = parser.parse_args()
    chosen = [each for each in LOADS if options.only in each.name]
    counted: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder, traced(Path(folder)) as broker:
        for traffic in chosen:
            print(traffic.name, file=sys.stderr, flush=True)
            counted[traffic.name] = broker.calls_per_message(traffic)
    if options.json:
        options.json.write_text(json.dumps(counted, indent=1))
    compiled = compiled_modules()
    most: dict[str, tuple[float, str]] = {}
    for load, calls in counted.items():
        for name, each in calls.items():
            most[name] = max(most.get(name, (0.0, "")), (each, load))
    if options.check:
        wrong = {name: load for name, (each, load) in most.items() if each >= ALWAYS and name not in compiled}
        for name, load in wrong.items():
            print(f"each message passes {name}, which setup.py does not compile ({load})")
        return int(bool(wrong))
    for name, (each, load) in sorted(most.items(), key=lambda item: -item[1][0]):
        if options.only or (each >= OFTEN) != (name in compiled):
            print(f"{each:9.3f}  {'compiled' if name in compiled else 'plain   '}  {name}  ({load})")
    for name in sorted(compiled - set(most)):
        print(f"{0:9.3f}  compiled  {name}")
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        directory = Path(sys.argv[2])
        sys.argv[1:3] = []
        serve(directory)
    else:
        sys.exit(main())
