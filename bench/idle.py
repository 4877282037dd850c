"""What a broker costs that has much and does nothing: very many connections, and very many queues.

    python bench/idle.py --server .venv-compiled/bin/lastvalue
    python bench/idle.py --server .venv-compiled/bin/lastvalue --only connections --connections 2000 --json

connections: memory of an idle AMQP 1.0 connection, bare and with a consumer, of a broker of their own each;
then all on one broker: the CPU that it takes while they do nothing, and how long a message takes that comes
alone meanwhile, beside the same without them.

mqtt: the same of idle MQTT connections, bare and with a subscription; the event loop's part is that of a peer
that has only connected.

queues: a store of so many last-value queues, as the broker writes it: time and CPU until a broker listens
that starts with it, its memory, and the CPU that it takes when it is idle.
"""

import argparse
import resource
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import wiremqtt
from alone import times_us
from lastvalue.client import blocking
from lastvalue.store import records
from lastvalue.store.files import Files
from lastvalue.store.records import Declared
from lastvalue.store.segments import Tail
from lastvalue.store.writer import SegmentWriter
from load import Load, Publisher, cpu_seconds
from store import HOST, SEGMENT_BYTES, serving, tell
from wire import Peer
from wires import Flow

QUEUE = "idle"
IDLE_S = 5.0
WARM_UP = 200
"""Connections before those that are counted."""
SPARE = 100
"""Connections more than those that idle, for what is sent meanwhile."""
ALONE = 1000
PER_SECOND = 500.0

Figures = dict[str, object]


def memory_bytes(pid: int) -> int:
    fields = Path(f"/proc/{pid}/statm").read_text().split()
    return int(fields[1]) * resource.getpagesize()


def idle_ms_per_s(pid: int) -> float:
    before = cpu_seconds(pid)
    time.sleep(IDLE_S)
    return (cpu_seconds(pid) - before) / IDLE_S * 1000


def opened(port: int, count: int, *, consuming: bool) -> list[Peer]:
    peers = [Peer(HOST, port, f"idle-{number}") for number in range(count)]
    for peer in peers if consuming else ():
        peer.attach_receiver(QUEUE, browse=False, settled=True)
        peer.grant(0, 10, 0)
    return peers


def declare(port: int, *queues: str) -> None:
    with blocking.connect(f"amqp://{HOST}:{port}") as connection:
        for queue in queues:
            connection.declare(queue)


def alone_us(port: int) -> tuple[float, float]:
    """How long a message takes through a queue, p50 and p99."""
    reader = Peer(HOST, port, "alone")
    reader.attach_receiver("alone", browse=False, settled=True)
    reader.grant(0, 10 * ALONE, 0)
    publisher = Publisher(HOST, port, Load("alone", batch=1))
    taken = sorted(times_us(lambda: publisher.publish(1), reader.socket, ALONE, PER_SECOND))
    publisher.close()
    reader.close()
    return taken[ALONE // 2], taken[ALONE * 99 // 100]


def connections(options: argparse.Namespace) -> Iterator[Figures]:
    count: int = options.connections
    allowed = ("--max-connections", str(count + WARM_UP + SPARE))
    for name, consuming in (("bare", False), ("with a consumer", True)):
        with serving(options.server, None, *allowed) as (pid, port):
            declare(port, QUEUE)
            peers = opened(port, WARM_UP, consuming=consuming)
            before = memory_bytes(pid)
            some = max(1, count // 5)
            peers += opened(port, some, consuming=consuming)
            grown = memory_bytes(pid) - before
            yield {"scenario": f"an idle connection, {name}", "bytes": grown / some}
            del peers
    with serving(options.server, None, *allowed) as (pid, port):
        declare(port, QUEUE, "alone")
        bare_p50, bare_p99 = alone_us(port)
        yield {"scenario": "a message alone, before", "p50_us": bare_p50, "p99_us": bare_p99}
        before = memory_bytes(pid)
        peers = opened(port, count // 2, consuming=False) + opened(port, count - count // 2, consuming=True)
        grown = memory_bytes(pid) - before
        yield {
            "scenario": f"{len(peers):,} connections, half of them with a consumer",
            "memory_mb": grown / 1e6,
            "idle_cpu_ms_per_s": idle_ms_per_s(pid),
        }
        p50, p99 = alone_us(port)
        yield {
            "scenario": "a message alone, beside them",
            "p50_us": p50,
            "p99_us": p99,
            "ratio": p50 / bare_p50,
        }


def mqtt_clients(port: int, count: int, *, subscribing: bool) -> list[socket.socket]:
    """MQTT connections, each with a client identifier of its own."""
    flow = Flow(port, QUEUE, 1, False, False)
    return [wiremqtt.subscribe(flow) if subscribing else wiremqtt.connect(flow).socket for _ in range(count)]


def mqtt(options: argparse.Namespace) -> Iterator[Figures]:
    count: int = options.connections
    allowed = ("--max-connections", str(count + WARM_UP + SPARE))
    for name, subscribing in (("bare", False), ("with a subscription", True)):
        with serving(options.server, None, *allowed) as (pid, port):
            clients = mqtt_clients(port, WARM_UP, subscribing=subscribing)
            before = memory_bytes(pid)
            clients += mqtt_clients(port, count, subscribing=subscribing)
            grown = memory_bytes(pid) - before
            yield {
                "scenario": f"an idle MQTT connection of {count:,}, {name}",
                "bytes": grown / count,
                "idle_cpu_ms_per_s": idle_ms_per_s(pid),
            }
            for each in clients:
                each.close()


def queues(options: argparse.Namespace) -> Iterator[Figures]:
    count: int = options.queues
    with tempfile.TemporaryDirectory(prefix="lastvalue-bench-", dir=options.directory) as directory:
        store = Path(directory) / "queues"
        store.mkdir()
        writer = SegmentWriter(store, SEGMENT_BYTES, Tail(), Files())
        arguments = {"type": "lvq", "lvq_key": "key", "durable": True}
        writer.write(
            1,
            b"".join(
                records.declared(Declared(number, "queue", f"queue-{number}", arguments))
                for number in range(1, count + 1)
            ),
        )
        writer.close()
        tried: list[tuple[float, float, float, float]] = []
        for _ in range(options.rounds):
            began = time.perf_counter()
            with serving(options.server, store) as (pid, _):
                seconds, cpu_s = time.perf_counter() - began, cpu_seconds(pid)
                tried.append((seconds, cpu_s, memory_bytes(pid) / 1e6, idle_ms_per_s(pid)))
        seconds, cpu_s, memory_mb, idle = (statistics.median(each) for each in zip(*tried, strict=True))
        yield {
            "scenario": f"a start with {count:,} queues",
            "seconds": seconds,
            "cpu_s": cpu_s,
            "memory_mb": memory_mb,
            "idle_cpu_ms_per_s": idle,
        }


PARTS: dict[str, Callable[[argparse.Namespace], Iterator[Figures]]] = {
    "connections": connections,
    "mqtt": mqtt,
    "queues": queues,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    beside = Path(sys.executable).with_name("lastvalue")
    parser.add_argument("--server", type=Path, default=beside, help="the `lastvalue` command to start")
    parser.add_argument("--directory", type=Path, help="where stores are; the temporary one by default")
    parser.add_argument("--only", choices=PARTS, help="one part")
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--queues", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3, help="starts with the queues")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each figure")
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for name, measure in PARTS.items():
        if options.only in (None, name):
            for figures in measure(options):
                tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
