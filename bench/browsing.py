"""Lists of very many queues and keys over HTTP: how long they hold up the broker, and how large they are.

    python bench/browsing.py
    python bench/browsing.py --queues 2000 --keys 50000 --json

A broker runs in a process of its own, with so many queues and one last-value queue with so many keys, and a
gateway in another. What counts is the longest turn of the broker's event loop while a page is asked for, in
CPU time of its thread, so that other programs do not count, and how much the broker sent the gateway for it.
What is asked for whole (tables, the snapshot of a follower, files) is as large as it is, and has to hold up
the loop as little.
"""

import argparse
import asyncio
import json
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import quote
from urllib.request import urlopen

from lastvalue.broker.rights.owner import BROKER
from lastvalue.client import Message, connect
from lastvalue.server.broker_server import BrokerServer, ServerOptions

HOST: Final = "127.0.0.1"
MOST_TURN_MS: Final = 10.0
MOST_BYTES: Final = 512 * 1024
MANY: Final = "many"
PAGES: Final = {
    "queues": "/queues?limit=50",
    "queues from the middle": "/queues?limit=50&after=queue.{half_queues:06}",
    "queues by name": "/queues?limit=50&contains=7",
    "queues by depth": "/queues?limit=50&sort=-depth",
    "queues by depth, a later page": "/queues?limit=50&sort=-depth&offset=1000",
    "queue totals": "/queue-totals",
    "metrics": "/metrics",
    "a page of RabbitMQ's API": "/api/queues?page=3&page_size=100",
    "a queue": "/queues/many",
    "keys": "/queues/many/keys?limit=100",
    "keys from the middle": "/queues/many/keys?limit=100&after={half_keys}",
    "the last keys": "/queues/many/keys?limit=100&after={last_keys}",
    "keys that a selector selects": "/queues/many/keys?limit=100&selector={selector}",
    "one key of many": "/queues/many/keys/k{half_keys}",
    "keys with a prefix": "/queues/many/keys?limit=100&prefix=k{half_keys}",
    "keys with a prefix that few have": "/queues/many/keys?limit=100&prefix=las",
    "messages": "/queues/many/messages?limit=50&after={half_keys}",
    "RabbitMQ's queues by name": "/api/queues?page=1&name=7",
    "RabbitMQ's queues by pattern": "/api/queues?page=1&page_size=50&name=^queue.0&use_regex=true",
    "RabbitMQ's queues of a host": "/api/queues/prod?page=3&page_size=100",
    "RabbitMQ's overview": "/api/overview",
    "RabbitMQ's bindings of a queue": "/api/queues/%2F/many/bindings",
    "Broker-J's queue": "/api/latest/queue/default/default/many",
    "Broker-J's virtual host": "/api/latest/virtualhost/default/default",
    "Broker-J's queues, a page": "/api/latest/querybroker/queue?select=name,queueDepthMessages&limit=50",
    "Broker-J's queues by depth": "/api/latest/querybroker/queue?select=name,queueDepthMessages"
    "&orderBy=queueDepthMessages%20desc&limit=50&offset=1000",
    "Broker-J's message": "/api/latest/queue/default/default/many/getMessageInfo?first=0&last=49",
}
WHOLE: Final = {
    "RabbitMQ's queues": "/api/queues",
    "RabbitMQ's definitions": "/api/definitions",
    "Broker-J's queues": "/api/latest/queue",
    "Broker-J's queues where": "/api/latest/querybroker/queue?select=name&limit=50"
    "&where=name%20LIKE%20%27%257%25%27&orderBy=type,name",
    "CSV": "/queues/many/values.csv",
    "Arrow": "/queues/many/values.arrow",
    "the snapshot of a follower": "/queues/many/follow",
}
"""What is asked for whole, or looks at all: it is read as fast as it comes."""
SNAPSHOT_END: Final = b"event: snapshot-end"


class TurnTimes(selectors.DefaultSelector):
    """A selector that notes how long the loop was busy between two of its calls.

    Attributes:
        longest_s: of these times.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self.longest_s = 0.0
        self._clock = clock
        self._began_s: float | None = None

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """See BaseSelector."""
        if self._began_s is not None:
            self.longest_s = max(self.longest_s, self._clock() - self._began_s)
        found = super().select(timeout)
        self._began_s = self._clock()
        return found


async def _populate(url: str, queues: int, keys: int) -> None:
    async with connect(url) as connection:
        many = await connection.declare(MANY, lvq_key="key")
        async with many.sender(settled=True) as sender:
            for number in range(keys):
                await sender.send(Message(number, {"key": f"k{number}"}))
        for number in range(queues):
            await connection.declare(f"queue.{number:06}", virtual_host="/" if number % 10 else "prod")
        await many.send(Message(keys, {"key": "last"}))


async def _serve(turns: TurnTimes, options: argparse.Namespace) -> None:
    """Serve until standard input ends.

    A line of it is answered with the longest turn since the last, and the bytes that were sent to all peers.
    """
    loop = asyncio.get_running_loop()
    async with BrokerServer(ServerOptions(port=0, max_queues_per_user=0)) as server:
        url = f"amqp://{HOST}:{server.port}"
        await _populate(url, options.queues, options.keys)
        print(url, flush=True)
        reader = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while await reader.readline():
            # That of this line counts as little as starting.
            sent = sum(each.bytes_out for each in server.broker.connections.visible(BROKER))
            print(json.dumps((turns.longest_s * 1000, sent)), flush=True)
            turns.longest_s = 0.0


def serve(options: argparse.Namespace) -> None:
    """Run the broker in a loop whose turns are timed."""
    turns = TurnTimes(time.thread_time)
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(turns)) as runner:
        runner.run(_serve(turns, options))


@contextmanager
def broker(queues: int, keys: int) -> Iterator[tuple[str, Callable[[], tuple[float, int]]]]:
    """The address of a gateway, and what tells of the broker: see `_serve`."""
    command = [sys.executable, __file__, "--serve", "--queues", str(queues), "--keys", str(keys)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        ask, answers = process.stdin, process.stdout

        def told() -> tuple[float, int]:
            print(file=ask, flush=True)
            turn_ms, sent = json.loads(answers.readline())
            return float(turn_ms), int(sent)

        try:
            with gateway(answers.readline().strip()) as http:
                yield http, told
        finally:
            process.kill()


@contextmanager
def gateway(url: str) -> Iterator[str]:
    """The address of a gateway before a broker."""
    command = [sys.executable, "-m", "lastvalue", "http", "--port", "0", "--url", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().removeprefix("listening on ").strip()
        finally:
            process.kill()


def read(url: str) -> int:
    """The size of an answer in bytes; what continues is read up to the end of the snapshot."""
    size, end = 0, b""
    with urlopen(url, timeout=600) as answer:
        while part := answer.read1():
            size += len(part)
            if SNAPSHOT_END in end + part:
                break
            end = part[-len(SNAPSHOT_END) :]
    return size


def measure(
    queues: int, keys: int, *, rounds: int = 3, only: str = ""
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each list with the longest turn, the size of the answer, what the broker sent for it, and the time."""
    selector = quote(f"key = 'k{keys - 1}'")
    places = {"half_queues": queues // 2, "last_keys": keys - 100, "selector": selector}
    with broker(queues, keys) as (http, told):
        read(http + PAGES["queues"])
        for name, page in (PAGES | WHOLE).items():
            if only not in name:
                continue
            turns: list[float] = []
            size = sent = 0
            began_s = time.monotonic()
            for round_number in range(rounds if name in PAGES else 1):
                # Each round jumps to another place: what comes after the one before is quickly found.
                half_keys = keys // 2 + round_number * keys // 10
                _, before = told()
                size = read(http + page.format(**places, half_keys=half_keys))
                turn_ms, after = told()
                turns.append(turn_ms)
                sent = after - before
            # What happens each time counts, and not a collection of garbage or another program.
            yield (
                name,
                {
                    "is_page": name in PAGES,
                    "turn_ms": min(turns),
                    "longest_turn_ms": max(turns),
                    "bytes": size,
                    "sent_bytes": sent,
                    "ms": (time.monotonic() - began_s) * 1000 / len(turns),
                },
            )


def faults(told: dict[str, dict[str, Any]]) -> list[str]:
    """Which lists held up the loop, and which pages were more than a page, also inside the gateway."""
    return [
        f"{name}: {figures}"
        for name, figures in told.items()
        if figures["turn_ms"] > MOST_TURN_MS
        or (figures["is_page"] and max(figures["bytes"], figures["sent_bytes"]) > MOST_BYTES)
    ]


def main() -> int:
    """Print the figures; fail where a page held up the loop."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--queues", type=int, default=10_000)
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument("--only", default="", metavar="TEXT", help="lists with this text in their name")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options)
        return 0
    told: dict[str, dict[str, Any]] = {}
    print(f"{'':32} {'turn ms':>8} {'longest':>8} {'KB':>9} {'sent KB':>9} {'took ms':>8}", file=sys.stderr)
    for name, each in measure(options.queues, options.keys, only=options.only):
        told[name] = each
        turns = f"{each['turn_ms']:8.2f} {each['longest_turn_ms']:8.2f}"
        sizes = f"{each['bytes'] / 1000:9.1f} {each['sent_bytes'] / 1000:9.1f}"
        print(f"{name:32} {turns} {sizes} {each['ms']:8.0f}", file=sys.stderr, flush=True)
    if options.json:
        print(json.dumps(told))
    found = faults(told)
    print("\n".join(found), file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
