"""Pages of very many queues and keys over HTTP: how long they hold up the broker, and how large they are.

    python bench/browsing.py
    python bench/browsing.py --queues 2000 --keys 50000 --json

A broker runs in a process of its own, with so many queues and one last-value queue with so many keys, and a
gateway in another. What counts is the longest turn of the broker's event loop while a page is asked for, in
CPU time of its thread, so that other programs do not count.
With `--inside` the gateway is a thread of the broker's process, as in `serve --http-port`, and the time is
that of the clock: both threads share the interpreter, so it depends on what else the machine does, too.
"""

import argparse
import asyncio
import json
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final
from urllib.parse import quote
from urllib.request import urlopen

from lastvalue.client import Message, connect
from lastvalue.http.gateway_server import GatewayThread
from lastvalue.http.gateway_settings import GatewaySettings
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
    "messages": "/queues/many/messages?limit=50&after={half_keys}",
}


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
            await connection.declare(f"queue.{number:06}")
        await many.send(Message(keys, {"key": "last"}))


async def _serve(turns: TurnTimes, options: argparse.Namespace) -> None:
    """Serve until standard input ends; a line of it is answered with the longest turn since the last."""
    loop = asyncio.get_running_loop()
    async with BrokerServer(ServerOptions(port=0, max_queues_per_user=0)) as server:
        url = f"amqp://{HOST}:{server.port}"
        await _populate(url, options.queues, options.keys)
        with ExitStack() as stack:
            http = ""
            if options.inside:
                http = stack.enter_context(GatewayThread(GatewaySettings(url=url, port=0))).url
            print(json.dumps({"url": url, "http": http}), flush=True)
            reader = asyncio.StreamReader()
            await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
            while await reader.readline():
                # That of this line counts as little as starting.
                print(turns.longest_s * 1000, flush=True)
                turns.longest_s = 0.0


def serve(options: argparse.Namespace) -> None:
    """Run the broker in a loop whose turns are timed."""
    turns = TurnTimes(time.monotonic if options.inside else time.thread_time)
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(turns)) as runner:
        runner.run(_serve(turns, options))


@contextmanager
def broker(queues: int, keys: int, *, inside: bool) -> Iterator[tuple[str, Callable[[], float]]]:
    """The address of a gateway, and what tells the longest turn of the broker's loop since it was asked."""
    command = [sys.executable, __file__, "--serve", "--queues", str(queues), "--keys", str(keys)]
    command += ["--inside"] if inside else []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        ask, answers = process.stdin, process.stdout

        def longest_ms() -> float:
            print(file=ask, flush=True)
            return float(answers.readline())

        try:
            told = json.loads(answers.readline())
            with ExitStack() as stack:
                http = (
                    told["http"]
                    or stack.enter_context(GatewayThread(GatewaySettings(url=told["url"], port=0))).url
                )
                yield http, longest_ms
        finally:
            process.kill()


def measure(queues: int, keys: int, *, inside: bool = False, rounds: int = 3) -> dict[str, dict[str, float]]:
    """For each page the longest turn, the size of the answer and how long it took."""
    selector = quote(f"key = 'k{keys - 1}'")
    places = {"half_queues": queues // 2, "last_keys": keys - 100, "selector": selector}
    told: dict[str, dict[str, float]] = {}
    with broker(queues, keys, inside=inside) as (http, longest_ms):
        urlopen(http + PAGES["queues"]).read()
        for name, page in PAGES.items():
            turns: list[float] = []
            size = 0
            began_s = time.monotonic()
            for round_number in range(rounds):
                # Each round jumps to another place: what comes after the one before is quickly found.
                half_keys = keys // 2 + round_number * keys // 10
                longest_ms()
                with urlopen(http + page.format(**places, half_keys=half_keys), timeout=120) as answer:
                    size = len(answer.read())
                turns.append(longest_ms())
            took_ms = (time.monotonic() - began_s) * 1000 / rounds
            # What happens each time counts, and not a collection of garbage or another program.
            told[name] = {"turn_ms": min(turns), "longest_turn_ms": max(turns), "bytes": size, "ms": took_ms}
    return told


def faults(told: dict[str, dict[str, Any]]) -> list[str]:
    """Which pages held up the loop, or were more than a page."""
    return [
        f"{name}: {figures}"
        for name, figures in told.items()
        if figures["turn_ms"] > MOST_TURN_MS or figures["bytes"] > MOST_BYTES
    ]


def main() -> int:
    """Print the figures; fail where a page held up the loop."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--queues", type=int, default=10_000)
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument(
        "--inside", action="store_true", help="the gateway is a thread of the broker's process"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options)
        return 0
    told = measure(options.queues, options.keys, inside=options.inside)
    if options.json:
        print(json.dumps(told))
    else:
        print(f"{'':32} {'turn ms':>8} {'longest':>8} {'KB':>8} {'took ms':>8}")
        for name, figures in told.items():
            row = (figures["turn_ms"], figures["longest_turn_ms"], figures["bytes"] / 1000, figures["ms"])
            print(f"{name:32} {row[0]:8.2f} {row[1]:8.2f} {row[2]:8.1f} {row[3]:8.0f}")
    found = faults(told)
    print("\n".join(found), file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
