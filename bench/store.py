"""What durability costs: CPU a message, the time until a confirmation, recovery, and the size on the disk.

    python bench/store.py                                             # the lastvalue of this environment
    python bench/store.py --server .venv-compiled/bin/lastvalue --json
    python bench/store.py --only recovery --records 5000000 --keys 5000000
    python packaging/log_servers.py python bench/store.py --only log --log {log} --log-pids {pids}

What depends on the disk stands next to something else of the same run: the cost of durable messages next to
the same messages without a store, a confirmation next to a bare write and fdatasync of the same bytes, and
next to a process that syncs and echoes.
"""

import argparse
import json
import os
import queue
import re
import resource
import select
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from alone import echoing, times_us
from broker import QUIET
from lastvalue.broker.broker import Broker
from lastvalue.client import blocking
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.server.open_store import StoreSettings, open_store
from lastvalue.store import records
from lastvalue.store.compaction import compact
from lastvalue.store.files import Files
from lastvalue.store.records import Declared, StoredMessage
from lastvalue.store.segments import Tail, segment_numbers, segment_path
from lastvalue.store.writer import SegmentWriter
from load import Figures as Measured
from load import Load, Publisher, run
from wire import DISPOSITION
from wires import READ_BYTES

HOST = "127.0.0.1"
LISTENING = re.compile(rf"{re.escape(HOST)}:(\d+)")
SEGMENT_BYTES = 64 << 20
WARM_UP = 50_000
PACE = 10_000
"""Messages a second for the time until a confirmation."""
PACED_BATCH = 10
ALONE_PACE = 1000
"""The same for messages of which each is confirmed before the next one comes."""
ALONE_WARM_UP = 300
ACCEPTED = bytes((0x00, 0x53, DISPOSITION))
"""What begins the confirmation of a message over AMQP 1.0."""
ECHO = b"done"
WINDOW = 1024
"""Messages that wait for their confirmation, where that many producers or commands do."""

Figures = dict[str, object]


@contextmanager
def serving(server: Path, store: Path | str | None, *arguments: str) -> Iterator[tuple[int, int]]:
    """A broker's process id and port; without a store what it holds is in memory."""
    command = [str(server), "serve", "--port", "0", *(["--store", str(store)] if store else []), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1, env=QUIET) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if announced := LISTENING.search(line):
                    yield process.pid, int(announced[1])
                    break
            else:
                raise RuntimeError("the broker ended before it listened")
        finally:
            process.terminate()


def declare(port: int, queue: str, lvq_key: str | None = "key") -> None:
    arguments: dict[str, Any] = {} if lvq_key is None else {"lvq_key": lvq_key}
    with blocking.connect(f"amqp://{HOST}:{port}") as connection:
        connection.declare(queue, durable=True, **arguments)


def cost(options: argparse.Namespace, directory: Path) -> Iterator[Figures]:
    """CPU of the broker for a durable, unsettled message, with a store and without one."""
    with serving(options.server, None) as memory, serving(options.server, directory / "cost") as stored:
        brokers = {"no store": memory, "store": stored}
        yield from cost_of(brokers, "", Load("values", options.count, options.keys), options.rounds)
        yield from cost_of(brokers, ", 100 keys", Load("few", options.count, 100), options.rounds)
        standard = Load("standard", options.count)
        yield from cost_of(brokers, ", standard queue", standard, options.rounds, lvq_key=None)


def cost_of(
    brokers: dict[str, tuple[int, int]],
    name: str,
    load: Load,
    rounds: int,
    reference: str = "no store",
    *,
    lvq_key: str | None = "key",
) -> Iterator[Figures]:
    """The brokers take turns, so that whatever else the machine does meets each; the medians count."""
    tried: dict[str, list[Measured]] = {broker: [] for broker in brokers}
    for number in range(rounds + 1):
        for broker, (pid, port) in brokers.items():
            queue = f"{load.queue}-{number}"
            count = load.count if number else min(WARM_UP, load.count)
            declare(port, queue, lvq_key)
            round_load = replace(load, queue=queue, count=count, unsettled=True, durable=True)
            measured = run(HOST, port, round_load, pid=pid)
            if number:
                tried[broker].append(measured)
            with blocking.connect(f"amqp://{HOST}:{port}") as connection:
                connection.delete(queue)
    costs = {broker: statistics.median(each.cpu_us or 0.0 for each in tried[broker]) for broker in brokers}
    for broker, cpu_us in costs.items():
        per_second = statistics.median(each.per_second for each in tried[broker])
        yield {"scenario": f"in, durable, {broker}{name}", "cpu_us": cpu_us, "per_second": per_second}
    for broker in brokers:
        if broker != reference:
            ratio = costs[broker] / costs[reference]
            pairs = [
                (each.cpu_us or 0.0) / (other.cpu_us or 1.0)
                for each, other in zip(tried[broker], tried[reference], strict=True)
            ]
            figures = {"ratio": ratio, "least": min(pairs), "most": max(pairs)}
            yield {"scenario": f"{broker} over {reference}{name}", **figures}


def log(options: argparse.Namespace, directory: Path) -> Iterator[Figures]:
    """CPU of the broker for a durable message with a store in files and with one in a replicated log."""
    if options.log is None:
        return
    store = directory / "beside-log"
    with serving(options.server, store) as files, serving(options.server, options.log) as replicated:
        brokers = {"files": files, "log": replicated}
        pids = [int(pid) for pid in options.log_pids.split(",") if pid]
        values, standard = Load("values", options.count, options.keys), Load("standard", options.count)
        window = replace(values, queue="window", window=WINDOW)
        alone = replace(values, queue="alone", window=1, count=max(1, options.count // 100))
        loads = {
            "": values,
            f", {WINDOW:,} on the way": window,
            ", one at a time": alone,
            ", standard queue": standard,
        }
        for name, load in loads.items():
            before_s = sum(map(cpu_s, pids))
            lvq_key = None if load is standard else "key"
            yield from cost_of(brokers, name, load, options.rounds, "files", lvq_key=lvq_key)
            spent_us = (sum(map(cpu_s, pids)) - before_s) * 1e6
            count = load.count * options.rounds + min(WARM_UP, load.count)
            yield {"scenario": f"the log's servers together, a message{name}", "cpu_us": spent_us / count}
        for name, (_, port) in brokers.items():
            waits = waits_of(options, port)
            yield {"scenario": f"confirmation at {PACE:,} messages/s, {name}", **quantiles_ms(waits)}


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def waits_of(options: argparse.Namespace, port: int) -> list[float]:
    declare(port, "paced")
    load = Load("paced", count=options.paced, keys=options.keys, unsettled=True, durable=True)
    publisher = Publisher(HOST, port, load)
    waits = publisher.publish_paced(options.paced, PACE, PACED_BATCH)
    publisher.close()
    return waits


def confirmation(options: argparse.Namespace, directory: Path) -> Iterator[Figures]:
    """How long a confirmation takes at a steady pace, and how long the disk takes for the same bytes."""
    message_bytes = 0
    with serving(options.server, directory / "confirmation") as (pid, port):
        declare(port, "paced")
        publisher = Publisher(
            HOST, port, Load("paced", count=options.paced, keys=options.keys, unsettled=True, durable=True)
        )
        message_bytes = publisher.batch.size
        waits = publisher.publish_paced(options.paced, PACE, PACED_BATCH)
        publisher.close()
        publisher = Publisher(HOST, port, Load("paced", unsettled=True, durable=True))
        times_us(publisher.send_one, publisher.connected, ALONE_WARM_UP, ALONE_PACE, ACCEPTED)
        before_s = cpu_s(pid)
        alone_us = times_us(publisher.send_one, publisher.connected, options.alone, ALONE_PACE, ACCEPTED)
        alone_cpu_us = (cpu_s(pid) - before_s) * 1e6 / options.alone
        publisher.close()
    yield {"scenario": f"confirmation at {PACE:,} messages/s", **quantiles_ms(waits)}
    # A turn's batch has what came while the last one was written: about what one sync takes at this pace.
    batch = max(1, round(PACE * statistics.median(waits) / 2)) * message_bytes
    bare = bare_syncs(directory / "bare", batch, len(waits) // 10)
    yield {"scenario": f"bare write and fdatasync of {batch:,} bytes", **quantiles_ms(bare)}
    ratio = quantile(waits, 0.99) / quantile(bare, 0.99)
    yield {"scenario": "p99 of a confirmation over p99 of a sync", "ratio": ratio}
    yield {
        "scenario": f"confirmation at {ALONE_PACE:,}/s, each alone",
        **quantiles_ms([each / 1e6 for each in alone_us]),
        "cpu_us": alone_cpu_us,
    }
    for in_thread in (False, True):
        disk = SyncedFile(directory / "bare", message_bytes, ALONE_WARM_UP + options.alone)
        answer = partial(echo_with_syncs, disk, in_thread)
        with echoing(answer) as echo, socket.create_connection((HOST, echo.port)) as peer:
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            send = partial(peer.sendall, bytes(message_bytes))
            times_us(send, peer, ALONE_WARM_UP, ALONE_PACE, ECHO)
            echo_us = times_us(send, peer, options.alone, ALONE_PACE, ECHO)
        disk.remove()
        yield {
            "scenario": f"echo that syncs{' in a thread' if in_thread else ''}, {ALONE_PACE:,}/s",
            **quantiles_ms([each / 1e6 for each in echo_us]),
        }
    bare = bare_syncs(directory / "bare", message_bytes, options.alone, ALONE_PACE)
    yield {
        "scenario": f"bare write and fdatasync of {message_bytes:,} bytes, {ALONE_PACE:,}/s",
        **quantiles_ms(bare),
    }


def echo_with_syncs(disk: "SyncedFile", in_thread: bool, peer: socket.socket) -> None:
    """Write, sync and answer for each input.

    It syncs in the thread that reads, or in another one, as a broker does whose readers must not wait for it.
    """
    inputs: queue.SimpleQueue[None] = queue.SimpleQueue()
    synced = os.eventfd(0)

    def sync_each() -> None:
        while True:
            inputs.get()
            disk.append()
            os.eventfd_write(synced, 1)

    poller = select.epoll()
    poller.register(peer, select.EPOLLIN)
    if in_thread:
        threading.Thread(target=sync_each, daemon=True).start()
        poller.register(synced, select.EPOLLIN)
    while True:
        for descriptor, _ in poller.poll():
            if descriptor == synced:
                os.eventfd_read(synced)
                peer.sendall(ECHO)
            elif not peer.recv(READ_BYTES):
                return
            elif in_thread:
                inputs.put(None)
            else:
                disk.append()
                peer.sendall(ECHO)


class SyncedFile:
    """A file whose room is there before, for so many writes of one size."""

    def __init__(self, path: Path, size: int, count: int) -> None:
        self._path = path
        self._data = os.urandom(size)
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.pwrite(self._descriptor, bytes(size * count), 0)
        os.fsync(self._descriptor)
        self._offset = 0

    def append(self) -> None:
        """Write once, and sync."""
        os.pwrite(self._descriptor, self._data, self._offset)
        os.fdatasync(self._descriptor)
        self._offset += len(self._data)

    def remove(self) -> None:
        os.close(self._descriptor)
        self._path.unlink()


def bare_syncs(path: Path, size: int, count: int, per_second: float | None = None) -> list[float]:
    """How many seconds each of so many takes, one after the other or with pauses."""
    disk = SyncedFile(path, size, count)
    took = []
    due = time.perf_counter()
    for _ in range(count):
        if per_second is not None:
            due += 1 / per_second
            time.sleep(max(0.0, due - time.perf_counter()))
        began = time.perf_counter()
        disk.append()
        took.append(time.perf_counter() - began)
    disk.remove()
    return took


def quantile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def quantiles_ms(values: list[float]) -> Figures:
    return {"p50_ms": quantile(values, 0.5) * 1000, "p99_ms": quantile(values, 0.99) * 1000}


def recovery(options: argparse.Namespace, directory: Path) -> Iterator[Figures]:
    """A store of so many messages over so many keys, and how long a broker needs to come back from it."""
    store = directory / "recovery"
    store.mkdir()
    write_store(store, options.records, options.recovered_keys)
    size = size_of(store)
    script = f"import store; store.recover({str(store)!r})"
    command = [str(options.server.with_name("python")), "-c", script]
    environment = os.environ | {"PYTHONPATH": f"{Path(__file__).parent}:{os.environ.get('PYTHONPATH', '')}"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    told = json.loads(done.stdout)
    yield {
        "scenario": f"recovery of {options.records:,} messages over {options.recovered_keys:,} keys",
        "seconds": told["seconds"],
        "records_per_second": options.records / told["seconds"],
        "memory_mb": told["memory_mb"],
        "store_mb": size / 1e6,
    }


def recover(directory: str) -> None:
    """Runs in a process of its own: open the store, and tell what that took."""
    broker = Broker()
    began = time.perf_counter()
    store = open_store(StoreSettings(Path(directory)), broker, 1_000)
    seconds = time.perf_counter() - began
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "memory_mb": memory_mb}))
    store.close()


def write_store(directory: Path, count: int, keys: int) -> None:
    """What a broker writes where one queue gets so many messages, each key's value in turn."""
    writer = SegmentWriter(directory, SEGMENT_BYTES, Tail(), Files())
    declaration = records.declared(
        Declared(1, "queue", "q", {"type": "lvq", "lvq_key": "key", "durable": True})
    )
    template = encode_content(
        MessageContent(body=b"x" * 100, durable=True, application_properties={"key": "k0000000"})
    )
    place = template.index(b"k0000000") + 1
    front, back = template[:place], template[place + 7 :]
    segment, written, batch = 1, 0, bytearray(declaration)
    for sequence in range(1, count + 1):
        kept = StoredMessage(1, sequence, front + b"%07d" % (sequence % keys) + back)
        kept.arrival_ms = 1_000
        if sequence > keys:
            batch += records.removed(1, sequence - keys, 0)
        batch += records.stored_message(kept)
        if len(batch) >= 1 << 20:
            writer.write(segment, bytes(batch))
            writer.sync()
            written += len(batch)
            batch = bytearray()
            if written >= SEGMENT_BYTES:
                segment, written = segment + 1, 0
                batch += declaration + records.marked(records.SEQUENCE, 1, sequence)
    writer.write(segment, bytes(batch))
    writer.close()


def size(options: argparse.Namespace, directory: Path) -> Iterator[Figures]:
    """A last-value queue that is fed for long: its store while it runs, and after `store compact`."""
    store = directory / "size"
    sizes = []
    with serving(options.server, store) as (_, port):
        declare(port, "fed")
        for _ in range(4):
            run(HOST, port, Load("fed", count=options.count, keys=options.keys, unsettled=True, durable=True))
            sizes.append(size_of(store))
    yield {
        "scenario": f"store of {options.keys:,} keys after 1, 2, 3, 4 times {options.count:,} messages",
        "store_mb": [round(each / 1e6, 1) for each in sizes],
    }
    before, after = compact(store, SEGMENT_BYTES)
    yield {"scenario": "store before and after `store compact`", "store_mb": [before / 1e6, after / 1e6]}


def size_of(directory: Path) -> int:
    return sum(segment_path(directory, number).stat().st_size for number in segment_numbers(directory))


PARTS: dict[str, Callable[[argparse.Namespace, Path], Iterator[Figures]]] = {
    "cost": cost,
    "log": log,
    "confirmation": confirmation,
    "recovery": recovery,
    "size": size,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    beside = Path(sys.executable).with_name("lastvalue")
    parser.add_argument("--server", type=Path, default=beside, help="the `lastvalue` command to start")
    parser.add_argument("--directory", type=Path, help="on the disk to measure; the temporary one by default")
    parser.add_argument("--only", choices=PARTS, help="one part")
    parser.add_argument("--count", type=int, default=1_000_000, help="messages a round")
    parser.add_argument("--paced", type=int, default=100_000, help="messages for the time of a confirmation")
    parser.add_argument("--alone", type=int, default=5000, help="the same, for messages that come alone")
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--records", type=int, default=1_000_000, help="messages in the recovered store")
    parser.add_argument("--recovered-keys", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--log", help="the address of a replicated log, for the part `log`")
    parser.add_argument("--log-pids", default="", help="the processes of its servers, with commas")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each figure")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lastvalue-bench-", dir=options.directory) as directory:
        for name, measure in PARTS.items():
            if options.only not in (None, name):
                continue
            for figures in measure(options, Path(directory)):
                tell(figures, as_json=options.json)


def tell(figures: Figures, *, as_json: bool) -> None:
    """Print figures as soon as they are measured."""
    if as_json:
        print(json.dumps(figures), flush=True)
        return
    told = (
        f"{name} {value:,.3f}" if isinstance(value, float) else f"{name} {value}"
        for name, value in figures.items()
        if name != "scenario"
    )
    print(f"{figures['scenario']:60}  {'  '.join(told)}", flush=True)


if __name__ == "__main__":
    main()
