"""How long a lone AMQP message takes while HTTP is loaded, beside processes that only compute.

    python bench/gateway.py --server .venv-compiled/bin/lastvalue
    python bench/gateway.py --only "as of" --seconds 2 --rounds 2 --json

A message goes through the broker and back 200 times a second, each alone (see `bench/alone.py`), while four
callers at a time load the gateway of `serve --http-port` with one kind of request after the other. In each
round the same is measured beside processes that only compute, as many as `--busy` says, so what the machine
does meanwhile meets both alike. A p99 is that of all rounds. `served` is without the time in which the broker
or the measuring process waited for a processor, which other programs had: what is left is what the broker
itself does meanwhile. It may be 1.5 times as long as beside the processes that compute, else the exit code
is 1.
"""

import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from alone import ALONE
from lastvalue.client import Message, blocking
from listeners import BODY_MARK
from peers import Broker, LastValue
from wires import HOST, READ_BYTES, Flow

PER_SECOND: Final = 200
CALLERS: Final = 4
GATE: Final = 1.5
BODY_BYTES: Final = 15 * 1024 * 1024
VALUES, UPDATES = 10_000, 50_000
LARGE, LARGE_BYTES = 16, 1024 * 1024
ANNOUNCED: Final = re.compile(r"listening on (amqp|http)://127\.0\.0\.1:(\d+)")
CALLER_PAUSE_S: Final = 0.05
CALM_S, CALM_SHARE = 0.5, 0.1
SNAPSHOT_END: Final = b"event: snapshot-end"


@dataclass(frozen=True, slots=True)
class Request:
    """One kind of request; with `body_bytes` its body is JSON of this size."""

    name: str
    paths: tuple[str, ...]
    method: str = "GET"
    body_bytes: int = 0


REQUESTS: Final = (
    Request("large bodies to log in", ("/session",), "POST", BODY_BYTES),
    Request(
        "large bodies to publish", ("/queues/large/keys/new", "/queues/large/messages"), "PUT", BODY_BYTES
    ),
    Request("all of 10,000 values", ("/queues/many/values.csv",)),
    Request("pages of 1,000 values", ("/queues/many/keys?limit=1000", "/queues/many/messages?limit=1000")),
    Request("large values", ("/queues/large/keys?limit=1000",)),
    Request("as of a moment", ("/queues/past/as-of?limit=1", "/queues/past/timeline?key=k1")),
    Request("followers", ("/queues/many/follow",)),
    Request("metrics and the description", ("/metrics", "/openapi.json", "/console/")),
    Request("RabbitMQ's and Broker-J's APIs", ("/api/queues", "/api/definitions", "/api/latest/queue")),
)


@dataclass(frozen=True, slots=True)
class Trips:
    """Round trips of messages, in milliseconds.

    Attributes:
        elapsed: by the clock.
        served: without what the broker and the measuring process waited for a processor.
    """

    elapsed: list[float]
    served: list[float]

    def add(self, others: "Trips") -> None:
        """Count these, too."""
        self.elapsed.extend(others.elapsed)
        self.served.extend(others.served)


def p99(values: list[float]) -> float:
    return sorted(values)[len(values) * 99 // 100]


@contextmanager
def serving(server: Path) -> Iterator[tuple[int, int, str]]:
    """A broker with a gateway: its process, its port, and the gateway's address."""
    command = [str(server), "serve", "--port", "0", "--http-port", "0"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, text=True, bufsize=1) as process:
        assert process.stdout is not None
        try:
            found = [ANNOUNCED.search(process.stdout.readline()) for _ in range(2)]
            amqp, http = (int(each[2]) for each in found if each is not None)
            yield process.pid, amqp, f"http://{HOST}:{http}"
        finally:
            process.kill()


def fill(url: str) -> None:
    """Values, large values, and a history."""
    with blocking.connect(url) as connection:
        many = connection.declare("many", lvq_key="key")
        many.send_many(Message({"number": number}, {"key": f"k{number}"}) for number in range(VALUES))
        large = connection.declare("large", lvq_key="key")
        large.send_many(Message("x" * LARGE_BYTES, {"key": f"k{number}"}) for number in range(LARGE))
        past = connection.declare("past", lvq_key="key", history="past.history")
        past.send_many(Message(number, {"key": f"k{number % 100}"}) for number in range(UPDATES))


def ask(connection: http.client.HTTPConnection, request: Request, path: str, body: bytes | None) -> None:
    """One request, whose answer is read to its end, or to the end of a follower's snapshot."""
    headers = {} if body is None else {"Content-Type": "application/json"}
    connection.request(request.method, path, body, headers)
    answer, end = connection.getresponse(), b""
    while part := answer.read1(1 << 16):
        if SNAPSHOT_END in end + part:
            connection.close()
            return
        end = part[-len(SNAPSHOT_END) :]


def call(address: str, request: Request) -> None:
    """Ask for ever; a gateway that closes the connection is asked over another one.

    Callers are elsewhere: what they take of a processor here is not to count.
    """
    os.nice(19)
    place = urlsplit(address).netloc
    body = None
    if request.body_bytes:
        text = "x" * request.body_bytes
        body = json.dumps({"body": text, "user": text[:10], "password": text}).encode()
    while True:
        connection = http.client.HTTPConnection(place, timeout=60)
        # It may refuse a body before it has read it.
        with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
            for path in request.paths:
                ask(connection, request, path, body)
        time.sleep(CALLER_PAUSE_S if request.body_bytes else 0)


def compute() -> None:
    """Be busy, and have nothing to do with the broker."""
    while True:
        sum(range(10_000))


@contextmanager
def beside(*tasks: Callable[[], None]) -> Iterator[None]:
    """Processes that do something meanwhile."""
    processes = [multiprocessing.get_context("fork").Process(target=each, daemon=True) for each in tasks]
    for each in processes:
        each.start()
    try:
        yield
    finally:
        for each in processes:
            each.kill()
            each.join()


def waited_ms(pid: int) -> float:
    """How long the broker's event loop and this thread have waited for a processor."""
    threads = (Path(f"/proc/{pid}/schedstat"), Path("/proc/self/schedstat"))
    return sum(int(each.read_text().split()[1]) for each in threads) / 1e6


def calm(broker: Broker) -> None:
    """Wait until the broker and its gateway have ended what the callers of before have begun."""
    used_s = -1.0
    while broker.cpu_s() - used_s > CALM_SHARE * CALM_S:
        used_s = broker.cpu_s()
        time.sleep(CALM_S)


class Measurement:
    """A connection that sends a message, and another one that gets it."""

    def __init__(self, pid: int, port: int, server: Path) -> None:
        product, flow = LastValue(server), Flow(port, "measured", 1, True, False)
        self._pid = pid
        self._sender = product.sender(flow, ALONE)
        self._reader = product.listen(flow, ALONE)

    def trips(self, seconds: float) -> Trips:
        """Round trips for so many seconds: each begins when it is due, or when the one before is over."""
        trips = Trips([], [])
        due = time.perf_counter()
        ends = due + seconds
        while due < ends:
            time.sleep(max(0.0, due - time.perf_counter()))
            before = waited_ms(self._pid)
            sent = time.perf_counter()
            self._sender.send_one()
            data = self._reader.recv(READ_BYTES)
            while BODY_MARK not in data:
                data += self._reader.recv(READ_BYTES)
            now = time.perf_counter()
            trips.served.append(max(0.0, (now - sent) * 1000 - (waited_ms(self._pid) - before)))
            # Those that could not begin while it waited would have waited, too.
            while due < now:
                trips.elapsed.append((now - max(due, sent)) * 1000)
                due += 1 / PER_SECOND
        return trips


def measure(options: argparse.Namespace) -> Iterator[tuple[Request, Trips, Trips]]:
    """Each kind of request with the round trips beside it, and beside processes that compute."""
    with serving(options.server) as (pid, port, address):
        fill(f"amqp://{HOST}:{port}")
        measurement = Measurement(pid, port, options.server)
        with contextlib.closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=600)) as first:
            ask(first, REQUESTS[-1], "/healthz", None)
        measurement.trips(1)
        for request in REQUESTS:
            if options.only not in request.name:
                continue
            loaded, idle = Trips([], []), Trips([], [])
            for _ in range(options.rounds):
                calm(Broker(pid, port))
                with beside(*[compute] * options.busy):
                    idle.add(measurement.trips(options.seconds))
                with beside(*[lambda request=request: call(address, request)] * CALLERS):
                    loaded.add(measurement.trips(options.seconds))
            yield request, loaded, idle


def told(pair: tuple[float, float]) -> str:
    """Two times and their ratio, in text."""
    return f"{pair[0]:6.2f} :{pair[1]:6.2f} ms = {pair[0] / pair[1]:5.2f}"


def main() -> int:
    """Print the figures; fail if a kind of request holds up the broker."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command = Path(sys.executable).with_name("lastvalue")
    parser.add_argument("--server", type=Path, default=command, help="the `lastvalue` command to start")
    parser.add_argument("--seconds", type=float, default=5, help="of a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--busy", type=int, default=1, help="how many processes compute")
    parser.add_argument("--only", default="", metavar="TEXT", help="requests with this text in their name")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each kind of request")
    options = parser.parse_args()
    failed = False
    for request, loaded, idle in measure(options):
        elapsed, served = (p99(loaded.elapsed), p99(idle.elapsed)), (p99(loaded.served), p99(idle.served))
        failed = failed or served[0] > GATE * served[1]
        if options.json:
            print(json.dumps({"requests": request.name, "p99_ms": elapsed, "served_p99_ms": served}))
        else:
            print(
                f"{request.name:34}p99 {told(elapsed)}   served {told(served)}, "
                f"longest {max(loaded.served):.1f} : {max(idle.served):.1f}",
                flush=True,
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
