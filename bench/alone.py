"""How long a message takes through a broker when it comes alone, and what it costs there.

    python bench/alone.py                                            # the lastvalue of this environment
    python bench/alone.py --server .venv-compiled/bin/lastvalue --per-second 1000 --seconds 5 --json

One program sends a message, waits until it has come back to it over another connection, and sleeps until the
next is due. So a time is that between two system calls of one thread, and includes how long the machine takes
to wake a process twice; `echo`, a process that only answers, shows what that is. Each broker has its turn, in
each round: what `bench/peers.py` finds on PATH is measured beside ours.
"""

import argparse
import json
import multiprocessing
import select
import socket
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from listeners import BODY_MARK
from peers import QUEUE, Broker, Product, Scenario, found, running
from wires import BODY, HOST, READ_BYTES, Flow

WARM_UP = 300
ALONE = Scenario("alone", kept=False, readers=1)


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one round, in microseconds; `cpu_us` is the broker's for a message."""

    p50_us: float
    p99_us: float
    cpu_us: float


def times_us(
    send: Callable[[], None], reader: socket.socket, count: int, per_second: float, answer: bytes = BODY_MARK
) -> list[float]:
    """How long each message takes until the answer to it has come."""
    taken: list[float] = []
    due = time.perf_counter()
    for _ in range(count):
        due += 1 / per_second
        time.sleep(max(0.0, due - time.perf_counter()))
        sent = time.perf_counter()
        send()
        data = reader.recv(READ_BYTES)
        while answer not in data:
            data += reader.recv(READ_BYTES)
        taken.append((time.perf_counter() - sent) * 1e6)
    return taken


def measured(
    broker: Broker, send: Callable[[], None], reader: socket.socket, count: int, per_second: float
) -> Figures:
    times_us(send, reader, WARM_UP, per_second)
    before = broker.cpu_s()
    taken = sorted(times_us(send, reader, count, per_second))
    used = broker.cpu_s() - before
    return Figures(taken[count // 2], taken[count * 99 // 100], used * 1e6 / count)


def through(product: Product, broker: Broker, count: int, per_second: float) -> Figures | None:
    """One round of a broker; None where it has no such thing."""
    flow = Flow(broker.port, QUEUE, 1, True, False)
    sender = product.sender(flow, ALONE)
    if sender is None:
        return None
    with product.listen(flow, ALONE) as reader:
        figures = measured(broker, sender.send_one, reader, count, per_second)
    sender.close()
    return figures


def echo(peer: socket.socket) -> None:
    """Send back what comes, and do nothing else."""
    poller = select.epoll()
    poller.register(peer, select.EPOLLIN)
    while poller.poll() and (data := peer.recv(READ_BYTES)):
        peer.sendall(data)


@contextmanager
def echoing(answer: Callable[[socket.socket], None] = echo) -> Iterator[Broker]:
    """A process that answers one peer."""
    listener = socket.create_server((HOST, 0))

    def serve() -> None:
        peer, _ = listener.accept()
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        answer(peer)

    process = multiprocessing.get_context("fork").Process(target=serve, daemon=True)
    process.start()
    assert process.pid is not None
    yield Broker(process.pid, listener.getsockname()[1])
    process.terminate()
    process.join()


def rounds_of(
    products: list[Product], count: int, per_second: float, rounds: int
) -> Iterator[tuple[str, list[Figures]]]:
    """The rounds of each broker, and of the echo first."""
    tried: dict[str, list[Figures]] = {"echo": []}
    with ExitStack() as stack:
        brokers = [(product, stack.enter_context(running(product))) for product in products]
        echoed = stack.enter_context(echoing())
        peer = stack.enter_context(socket.create_connection((HOST, echoed.port)))
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(rounds):
            tried["echo"].append(measured(echoed, lambda: peer.sendall(BODY), peer, count, per_second))
            for product, broker in brokers:
                figures = through(product, broker, count, per_second)
                if figures is not None:
                    tried.setdefault(product.name, []).append(figures)
    yield from tried.items()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    beside = Path(sys.executable).with_name("lastvalue")
    parser.add_argument("--server", type=Path, default=beside, help="the `lastvalue` command to start")
    parser.add_argument("--per-second", type=float, default=1000)
    parser.add_argument("--seconds", type=float, default=5, help="of a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="the broker of this name, and the echo")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each broker")
    options = parser.parse_args()
    count = int(options.per_second * options.seconds)
    products = [each for each in found(options.server) if options.only in ("", each.name)]
    for name, rounds in rounds_of(products, count, options.per_second, options.rounds):
        p50, p99, cpu = (
            statistics.median(getattr(each, field) for each in rounds)
            for field in ("p50_us", "p99_us", "cpu_us")
        )
        if options.json:
            print(json.dumps({"product": name, "p50_us": p50, "p99_us": p99, "cpu_us": cpu}), flush=True)
        else:
            print(f"{name:12}p50{p50:8.0f} us   p99{p99:8.0f} us   CPU{cpu:8.1f} us", flush=True)


if __name__ == "__main__":
    main()
