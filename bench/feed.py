"""A whole feed: how long a row takes to a subscriber, how soon the first one comes, what the processes weigh.

    python bench/feed.py                       # 20,000 rows a second for a minute, then starts and demos
    python bench/feed.py --seconds 600 --only latency
    python bench/feed.py --only pipeline                 # latency through `lastvalue pipeline run`
    PYTHONPATH=$(echo .venv-compiled/lib/python3*/site-packages) \
        python bench/feed.py --server .venv-compiled/bin/lastvalue   # the wheel in every process

latency: rows of a recording, due at an even pace → Spark, conflated in micro-batches → the broker → a
subscriber over AMQP, in this process. It counts from the moment when the newest row behind a message was due;
the first minute, in which Java compiles, is left out. Meanwhile the memory of all processes is read each
second: "grown" is what it is in the last fifth over the fifth behind the first.

pipeline: the same rows and figures, but through `lastvalue pipeline run`.

floor: what a micro-batch of a few rows spends its time on, as Spark tells it; medians.

demo: from calling `lastvalue demo` on a terminal to the first row in its table, and the CPU until then. The
positions are in the cache, where the first demo puts them.

start: from calling `lastvalue pipeline run` to the first row on the queue, and the CPU that it takes, which
neighbours disturb less.
"""

import argparse
import json
import os
import pty
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from lastvalue.client import Message, blocking
from lastvalue.pipeline.feed import DUE_PROPERTY, FeedSpec, start_feed
from lastvalue.pipeline.feeds.aircraft import aircraft_recording
from lastvalue.pipeline.spark.session import SessionOptions, create_session
from store import HOST, Figures, serving

GATES_MS = {"p50_ms": 150.0, "p99_ms": 500.0}
START_GATE_S = {"start": 7.0, "demo": 10.0}
SHOWN = re.compile(rb"keys +[1-9]")
"""What a terminal shows of a demo that has rows."""
LASTVALUE = Path(sys.executable).with_name("lastvalue")
Process = Callable[[Path, str], AbstractContextManager["subprocess.Popen[bytes]"]]
START_US = 1_772_323_200_000_000
WARM_UP_S = 60.0
FLOOR_S = 20.0
FLOOR_RATE = 200
STARTS = 3
PIPELINE = """
[pipeline]
master = "local[2]"
url = "{url}"

[[feed]]
name = "rows"
format = "lastvalue_replay"
path = "{recording}"
options = {{ timeColumn = "at", dueColumn = "{due}" }}
key = "symbol"
order_by = "sequence"
queue = "rows"
message.properties = "struct(sequence, {due})"
"""
START_PIPELINE = """
[pipeline]
master = "local[2]"
url = "{url}"

[[feed]]
name = "rows"
format = "json"
path = "rows"
schema = "key STRING, sequence BIGINT"
key = "key"
order_by = "sequence"
queue = "rows"
"""


def write_recording(path: Path, rate: int, seconds: float, keys: int) -> None:
    """Rows of some 100 bytes at an even pace, their keys by chance."""
    count = round(rate * seconds)
    numbers = np.arange(count)
    chance = np.random.default_rng(7)
    times_us = START_US + numbers * 1_000_000 // rate
    columns = {
        "at": pa.array(times_us).cast(pa.timestamp("us", "UTC")),
        "symbol": pa.array([f"s{key}" for key in chance.integers(0, keys, count)]),
        "sequence": pa.array(numbers),
        "price": pa.array(chance.random(count)),
        "text": pa.array(["." * 40] * count),
    }
    pq.write_table(pa.table(columns), path)


@contextmanager
def running(recording: Path, url: str) -> Iterator["subprocess.Popen[bytes]"]:
    """The process of a pipeline with that feed."""
    file = recording.with_name("lastvalue.toml")
    file.write_text(PIPELINE.format(url=url, recording=recording, due=DUE_PROPERTY))
    command = [str(LASTVALUE), "pipeline", "run", str(file)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(60)


@contextmanager
def feeding(recording: Path, url: str) -> Iterator["subprocess.Popen[bytes]"]:
    """The process of a feed."""
    command = [
        sys.executable, "-m", "lastvalue.pipeline.feed_process", "--path", str(recording), "--key", "symbol",
        "--order-by", "sequence", "--time-column", "at", "--queue", "rows", "--url", url,
    ]  # fmt: skip
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(60)


@dataclass
class Weights:
    """The memory of a process and of all that it started, read each second."""

    pids: list[int]
    read: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    over: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        while not self.over.wait(1.0):
            total: dict[str, int] = defaultdict(int)
            for pid in self.pids:
                process = psutil.Process(pid)
                for each in (process, *process.children(recursive=True)):
                    try:
                        total[self._kind(each, pid)] += each.memory_info().rss
                    except psutil.NoSuchProcess:
                        continue
            for kind, size in total.items():
                self.read[kind].append(size)

    def _kind(self, process: psutil.Process, root: int) -> str:
        if process.pid == root:
            return "broker" if root == self.pids[0] else "driver"
        return "java" if "java" in process.name() else "workers"

    def figures(self) -> Figures:
        """The most in MiB, and the last fifth over the one behind the first."""
        told: Figures = {}
        for kind, sizes in self.read.items():
            fifth = max(1, len(sizes) // 5)
            early = statistics.median(sizes[fifth : 2 * fifth] or sizes)
            told[f"{kind}_mib"] = round(max(sizes) / (1 << 20))
            told[f"{kind}_grown"] = round(statistics.median(sizes[-fifth:]) / early, 2)
        return told


def latency(options: argparse.Namespace, process: Process) -> Figures:
    """One feed, measured at its subscriber."""
    rate, seconds, keys = options.rate, options.seconds, options.keys
    late_us: list[int] = []
    with tempfile.TemporaryDirectory() as directory, serving(options.server, None) as (pid, port):
        recording = Path(directory) / "rows.parquet"
        write_recording(recording, rate, seconds + WARM_UP_S, keys)
        url = f"amqp://{HOST}:{port}"
        with blocking.connect(url) as connection:
            queue = connection.declare("rows", lvq_key="symbol", order_by="sequence")
            with process(recording, url) as feed:
                weights = Weights([pid, feed.pid])
                watching = threading.Thread(target=weights.watch)
                watching.start()
                first_due: int | None = None
                last = round(rate * (seconds + WARM_UP_S)) - rate
                for message in queue.browse(follow=True, prefetch=5000):
                    now_us = time.time_ns() // 1000
                    due_us = int(str(message.properties[DUE_PROPERTY]))
                    first_due = due_us if first_due is None else first_due
                    if due_us - first_due > WARM_UP_S * 1e6:
                        late_us.append(now_us - due_us)
                    if int(str(message.properties["sequence"])) >= last:
                        break
                weights.over.set()
                watching.join()
    points = statistics.quantiles(late_us, n=100)
    return {
        "scenario": f"{process.__name__}: {rate:,} rows/s, {keys:,} keys, {seconds:g} s",
        "messages": len(late_us),
        "p50_ms": round(points[49] / 1000),
        "p99_ms": round(points[98] / 1000),
        "load": round(os.getloadavg()[0], 1),
        **weights.figures(),
    }


def floor(server: Path) -> Figures:
    """Where the time of a small micro-batch goes."""
    options = SessionOptions("floor", "local[2]", shuffle_partitions=1, low_latency=True)
    spent: dict[str, list[int]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as directory, serving(server, None) as (_, port):
        recording = Path(directory) / "rows.parquet"
        write_recording(recording, FLOOR_RATE, FLOOR_S + WARM_UP_S, 100)
        url = f"amqp://{HOST}:{port}"
        with blocking.connect(url) as connection:
            connection.declare("rows", lvq_key="symbol", order_by="sequence")
        spark = create_session(options)
        spec = FeedSpec(str(recording), "symbol", "sequence", "at", "rows", url)
        feed = start_feed(spark, spec, Path(directory) / "checkpoint")
        (query,) = spark.streams.active
        for _ in feed.progress():
            pass
        for told in query.recentProgress[-50:]:
            for name, took_ms in told.durationMs.items():
                spent[name].append(took_ms)
        spark.stop()
    medians = {f"{name}_ms": statistics.median(each) for name, each in spent.items()}
    return {"scenario": "floor", "load": round(os.getloadavg()[0], 1), **medians}


def start(server: Path) -> Figures:
    """The best of a few starts, in seconds, and the CPU of all processes until then."""
    took: list[tuple[float, float]] = []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as directory, serving(server, None) as (_, port):
            url = f"amqp://{HOST}:{port}"
            rows = Path(directory) / "rows"
            rows.mkdir()
            (rows / "0.json").write_text('{"key": "a", "sequence": 1}\n')
            file = Path(directory) / "lastvalue.toml"
            file.write_text(START_PIPELINE.format(url=url))
            with blocking.connect(url) as connection:
                queue = connection.declare("rows", lvq_key="key", order_by="sequence")
                began = time.monotonic()
                command = [str(LASTVALUE), "pipeline", "run", str(file)]
                with subprocess.Popen(command, stderr=subprocess.DEVNULL) as runner:
                    watcher = threading.Thread(target=send_at_end, args=(runner, queue))
                    watcher.start()
                    next(iter(queue.browse(follow=True)))
                    if runner.poll() is not None:
                        raise RuntimeError(f"`pipeline run` ended with code {runner.returncode} before a row")
                    took.append((time.monotonic() - began, tree_cpu_s(runner.pid)))
                    runner.terminate()
                    watcher.join()
    wall_s, cpu_s = min(took)
    load = round(os.getloadavg()[0], 1)
    return {"scenario": "start", "best_s": round(wall_s, 1), "cpu_s": round(cpu_s, 1), "load": load}


def send_at_end(runner: subprocess.Popen[bytes], queue: blocking.Queue) -> None:
    """Send a message when the runner has ended, so that nobody waits for its first row for ever."""
    runner.wait()
    queue.send(Message("", {"key": "ended", "sequence": 0}))


def demo() -> Figures:
    """The best of a few demos until their first row, in seconds, and the CPU of all processes until then."""
    took: list[tuple[float, float]] = []
    aircraft_recording()
    environment = {**os.environ, "COLUMNS": "200", "LINES": "50"}
    for _ in range(STARTS):
        screen, terminal = pty.openpty()
        began = time.monotonic()
        command = [str(LASTVALUE), "demo", "--port", "0"]
        with subprocess.Popen(command, env=environment, stdout=terminal, stderr=terminal) as process:
            os.close(terminal)
            shown = b""
            while not SHOWN.search(shown):
                shown = shown[-1000:] + os.read(screen, 1000)
            took.append((time.monotonic() - began, tree_cpu_s(process.pid)))
            process.terminate()
            with suppress(OSError):
                while os.read(screen, 1000):
                    pass
        os.close(screen)
    wall_s, cpu_s = min(took)
    load = round(os.getloadavg()[0], 1)
    return {"scenario": "demo", "best_s": round(wall_s, 1), "cpu_s": round(cpu_s, 1), "load": load}


def tree_cpu_s(pid: int) -> float:
    """What a process and its children have used, with those that have ended."""
    root = psutil.Process(pid)
    return sum(sum(each.cpu_times()[:4]) for each in [root, *root.children(recursive=True)])


def over(figures: Figures) -> list[str]:
    """The gates that are not met."""
    missed = [name for name, most in GATES_MS.items() if float(str(figures.get(name, 0))) > most]
    gate_s = START_GATE_S.get(str(figures["scenario"]))
    if gate_s is not None and float(str(figures["best_s"])) > gate_s:
        missed.append("best_s")
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--server", type=Path, default=LASTVALUE)
    parser.add_argument("--rate", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--keys", type=int, default=1000)
    parser.add_argument("--only", choices=["latency", "pipeline", "floor", "start", "demo"])
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    missed = False
    if told.only in {None, "latency"}:
        missed |= tell(latency(told, feeding), as_json=told.json)
    if told.only in {None, "pipeline"}:
        missed |= tell(latency(told, running), as_json=told.json)
    if told.only in {None, "floor"}:
        tell(floor(told.server), as_json=told.json)
    if told.only in {None, "start"}:
        missed |= tell(start(told.server), as_json=told.json)
    if told.only in {None, "demo"}:
        missed |= tell(demo(), as_json=told.json)
    return 1 if missed else 0


def tell(figures: Figures, *, as_json: bool) -> bool:
    """Print them; whether a gate is not met."""
    missed = over(figures)
    if as_json:
        print(json.dumps({**figures, "over": missed}), flush=True)
    else:
        rest = ", ".join(f"{name} {value}" for name, value in figures.items() if name != "scenario")
        print(f"{figures['scenario']}: {rest}{' OVER: ' + ', '.join(missed) if missed else ''}", flush=True)
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
