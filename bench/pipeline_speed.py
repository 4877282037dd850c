"""Spark and a broker: CPU time a row of sink, source and feed, each process of the tree apart.

    python bench/pipeline_speed.py                               # all, some minutes
    python bench/pipeline_speed.py --only sink --rows 1000000
    python bench/pipeline_speed.py --only flat --rows 10000000   # conflation of so many and ten times as many

Rows come from `spark.range`, so no disk is read: a key, a number and a body of 100 bytes. What making them
costs is measured into Spark's sink `noop` and taken off. CPU time is that of driver, JVM, Python workers and
broker; `rows/s/core` is of all but the broker, which stands beside it. After a warm-up the best of several
rounds counts. The exit code is 1 where a gate is not met.

Beside the source stands Spark's floor: a source in Python that yields the same Arrow batches, ready in a
file. No source in Python costs less than that.

Python workers run the lastvalue that this Python imports; the wheel's is compiled, and the first line says
which it is. `PYTHONPATH=$(echo .venv-compiled/lib/python3*/site-packages)` puts the wheel's before another.
"""

import argparse
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path

import psutil
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from broker import serving
from lastvalue.client import blocking
from lastvalue.codec.amqp10.shortcuts import transfers
from lastvalue.pipeline.conflation.conflate import conflate, conflate_micro_batch
from lastvalue.pipeline.sink.publish import publish
from lastvalue.pipeline.sink.write_ids import micro_batch_id
from lastvalue.pipeline.source.options import SourceOptions
from lastvalue.pipeline.source.range_reader import Range, read_range
from lastvalue.pipeline.spark.session import SessionOptions, create_session

BODY_BYTES = 100
SOURCE_COLUMNS: dict[str, tuple[str, ...]] = {
    "key, sequence, time and body": ("key", "sequence", "arrival_time", "body"),
    "key, body and sequence": ("key", "body", "sequence"),
    "all columns": (),
}
"""What is read of a queue; the gate is for the first."""
FEW_KEYS, MANY_KEYS = 1_000, 100_000
GATES = {
    "sink": 300_000,
    "source, key, sequence, time and body": 1_000_000,
    f"feed, {FEW_KEYS:,} keys": 500_000,
    f"feed, {MANY_KEYS:,} keys": 250_000,
}
MOST_UNEVEN = 1.3
COMPILER = re.compile(r"C[12] Compiler")
MICRO_BATCHES = 5
LOOK_S = 0.5
READINGS = 4
"""Of the queue in one query, so that a query's fixed cost is that of many rows."""


@dataclass(frozen=True, slots=True)
class Cpu:
    """Seconds of CPU time; `compilers`: what Java's compilers took of `jvm`, where the system tells it."""

    jvm: float = 0.0
    python: float = 0.0
    broker: float = 0.0
    wall: float = 0.0
    compilers: float = 0.0

    def minus(self, other: "Cpu") -> "Cpu":
        return Cpu(
            self.jvm - other.jvm,
            self.python - other.python,
            self.broker - other.broker,
            self.wall - other.wall,
            self.compilers - other.compilers,
        )

    @property
    def spark(self) -> float:
        return self.jvm + self.python


class Meter:
    """What the processes have used.

    Those that have ended count with what they had when they were seen last: Spark's daemon does not wait for
    its workers, so nobody knows of their time when they are gone.
    """

    def __init__(self, broker: int | None = None) -> None:
        self._broker = broker
        self._seen: dict[tuple[int, float], tuple[str, float]] = {}
        self._compilers: dict[int, float] = {}
        self._lock = threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()

    def read(self) -> Cpu:
        """What they have used until now."""
        with self._lock:
            self._look()
            used = {"jvm": 0.0, "python": 0.0, "broker": 0.0}
            for kind, cpu_s in self._seen.values():
                used[kind] += cpu_s
            compilers = sum(self._compilers.values())
        return Cpu(**used, wall=time.perf_counter(), compilers=compilers)

    def _watch(self) -> None:
        while True:
            with self._lock:
                self._look()
            time.sleep(LOOK_S)

    def _look(self) -> None:
        me = psutil.Process()
        for process in [me, *me.children(recursive=True)]:
            try:
                times = process.cpu_times()
                kind = "broker" if process.pid == self._broker else "python"
                kind = "jvm" if process.name() == "java" else kind
                self._seen[process.pid, process.create_time()] = kind, times.user + times.system
                if kind == "jvm":
                    self._compilers |= _compilers(process)
            except psutil.NoSuchProcess:
                continue


def _compilers(java: psutil.Process) -> dict[int, float]:
    """The CPU seconds of Java's compiler threads, by thread; empty where threads have no names."""
    found = {}
    for thread in java.threads():
        with suppress(OSError):
            name = Path(f"/proc/{java.pid}/task/{thread.id}/comm").read_text()
            if COMPILER.match(name):
                found[thread.id] = thread.user_time + thread.system_time
    return found


class Bench:
    """The session, the broker, and what has been measured."""

    def __init__(self, spark: SparkSession, broker: int, url: str, options: argparse.Namespace) -> None:
        self.spark = spark
        self.url = url
        self.rows: int = options.rows
        self.rounds: int = options.rounds
        self.missed: list[str] = []
        self._meter = Meter(broker)

    def best(self, work: Callable[[], object], rounds: int = 0) -> Cpu:
        work()
        found = []
        for _ in range(rounds or self.rounds):
            before = self._meter.read()
            work()
            found.append(self._meter.read().minus(before))
        return min(found, key=lambda cost: cost.spark)

    def report(self, name: str, cost: Cpu, making: Cpu, rows: int) -> None:
        net = cost.minus(making)
        rate = rows / net.spark
        gate = GATES.get(name)
        reached = f"   {rate / gate:.2f} of {gate:,}" if gate else ""
        print(
            f"{name:36}{rate:>12,.0f} rows/s/core   us a row: JVM {net.jvm * 1e6 / rows:.2f}, Python "
            f"{net.python * 1e6 / rows:.2f}, broker {cost.broker * 1e6 / rows:.2f}, rows made "
            f"{making.spark * 1e6 / rows:.2f}{reached}",
            flush=True,
        )
        if gate and rate < gate:
            self.missed.append(name)

    def tell_floor(self, cost: Cpu, floor: Cpu, rows: int) -> None:
        """What the same batches cost when they are ready."""
        print(
            f"{'  the same, ready':36}{rows / floor.spark:>12,.0f} rows/s/core   us a row: JVM "
            f"{floor.jvm * 1e6 / rows:.2f}, Python {floor.python * 1e6 / rows:.2f}   Spark's floor; "
            f"the source costs {cost.spark / floor.spark:.1f} times that",
            flush=True,
        )

    def generated(self, rows: int, keys: int) -> DataFrame:
        return with_columns(self.spark.range(0, rows, 1, 2), "id", keys)


def with_columns(rows: DataFrame, number: str, keys: int) -> DataFrame:
    """A key, drawn by multiplying with a prime; the number; a body."""
    drawn = (sf.col(number) * 7_368_787) % keys
    return rows.select(
        sf.concat(sf.lit("K"), (drawn + 10_000_000).cast("string")).alias("key"),
        sf.col(number).alias("sequence"),
        sf.rpad(sf.col(number).cast("string"), BODY_BYTES, "x").alias("body"),
    )


def messages(rows: DataFrame) -> DataFrame:
    return rows.select("key", "body", sf.struct("sequence").alias("properties"))


def into_nothing(rows: DataFrame) -> None:
    rows.write.format("noop").mode("overwrite").save()


def sink(bench: Bench) -> None:
    rows = messages(bench.generated(bench.rows, FEW_KEYS))
    making = bench.best(lambda: into_nothing(rows))
    with blocking.connect(bench.url) as connection:
        connection.declare("sink", lvq_key="key", order_by="sequence")
        cost = bench.best(lambda: publish(rows, "sink", url=bench.url))
    bench.report("sink", cost, making, bench.rows)


def source(bench: Bench) -> None:
    count = min(bench.rows, 1_000_000)
    with blocking.connect(bench.url) as connection:
        connection.declare("source")
        publish(messages(bench.generated(count, FEW_KEYS)), "source", url=bench.url)
        for name, columns in SOURCE_COLUMNS.items():
            reader = bench.spark.read.format("lastvalue").option("url", bench.url).option("queue", "source")
            rows = (reader.option("columns", ",".join(columns)) if columns else reader).load()
            assert rows.count() == count
            with tempfile.NamedTemporaryFile(suffix=".arrow") as file:
                write_ready(bench.url, count, columns, file.name)
                ready = bench.spark.read.format("ready").schema(rows.schema).load(file.name)
                cost, floor = (
                    bench.best(partial(into_nothing, reduce(DataFrame.union, [each] * READINGS)))
                    for each in (rows, ready)
                )
            bench.report(f"source, {name}", cost, Cpu(), READINGS * count)
            bench.tell_floor(cost, floor, READINGS * count)
        connection.delete("source")


def write_ready(url: str, count: int, columns: tuple[str, ...], path: str) -> None:
    """The Arrow batches that a task makes of the queue, in a file."""
    options = SourceOptions("source", url, columns=columns)
    part = Range("source", "key", 0, count, 0, in_order=True, gapless=True, url=url)
    batches = list(read_range(options, part))
    with pa.ipc.new_file(path, batches[0].schema) as writer:
        for batch in batches:
            writer.write_batch(batch)


class ReadySource(DataSource):
    """Arrow batches out of a file, which is in memory: as little as a source in Python can do."""

    @classmethod
    def name(cls) -> str:
        return "ready"

    def reader(self, schema: StructType) -> "ReadyReader":  # noqa: ARG002 - Spark's interface
        return ReadyReader(self.options["path"])


class ReadyReader(DataSourceReader):
    def __init__(self, path: str) -> None:
        self._path = path

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:  # noqa: ARG002 - Spark's interface
        with pa.memory_map(self._path) as file:
            batches = pa.ipc.open_file(file)
            for number in range(batches.num_record_batches):
                yield batches.get_batch(number)


def feed(bench: Bench) -> None:
    for keys in (FEW_KEYS, MANY_KEYS):
        with blocking.connect(bench.url) as connection:
            connection.declare(f"feed-{keys}", lvq_key="key", order_by="sequence")

        def conflated(rows: DataFrame, number: int, queue: str = f"feed-{keys}") -> None:
            found = messages(conflate_micro_batch(rows, "key", "sequence"))
            publish(found, queue, url=bench.url, write_id=micro_batch_id(rows, number))

        making = bench.best(partial(streamed, bench, keys, lambda rows, _: into_nothing(rows)), 1)
        cost = bench.best(partial(streamed, bench, keys, conflated), 1)
        bench.report(f"feed, {keys:,} keys", cost, making, bench.rows * MICRO_BATCHES)


def streamed(bench: Bench, keys: int, work: Callable[[DataFrame, int], None]) -> None:
    """A stream of some micro-batches of so many rows."""
    ended = threading.Event()

    def counted(rows: DataFrame, number: int) -> None:
        if number < MICRO_BATCHES:
            work(rows, number)
        else:
            ended.set()

    source = bench.spark.readStream.format("rate-micro-batch").option("rowsPerBatch", bench.rows)
    rows = with_columns(source.option("numPartitions", 2).load(), "value", keys)
    with tempfile.TemporaryDirectory() as checkpoint:
        query = rows.writeStream.foreachBatch(counted).option("checkpointLocation", checkpoint).start()
        try:
            while not ended.wait(0.1) and query.isActive:
                pass
            if (failure := query.exception()) is not None:
                raise failure
        finally:
            query.stop()


def flat(bench: Bench) -> None:
    """Conflation of so many rows, and of ten times as many."""
    for keys in (FEW_KEYS, MANY_KEYS):
        costs = []
        for rows in (bench.rows, 10 * bench.rows):
            generated = bench.generated(rows, keys)
            found = conflate(generated, "key", "sequence", updates=None, unique=True)
            cost = bench.best(partial(into_nothing, found), 2 if rows == bench.rows else 1)
            costs.append(cost.spark / rows)
        ratio = costs[1] / costs[0]
        print(
            f"conflation, {keys:,} keys: {costs[0] * 1e6:.2f} us a row of {bench.rows:,}, "
            f"{costs[1] * 1e6:.2f} of {10 * bench.rows:,}: {ratio:.2f} times, gate {MOST_UNEVEN}",
            flush=True,
        )
        if ratio > MOST_UNEVEN:
            bench.missed.append(f"flat, {keys:,} keys")


PARTS: dict[str, Callable[[Bench], None]] = {"sink": sink, "source": source, "feed": feed, "flat": flat}


@contextmanager
def session() -> Iterator[SparkSession]:
    spark = create_session(SessionOptions(name="bench", driver_memory="4g"))
    spark.dataSource.register(ReadySource)
    try:
        yield spark
    finally:
        spark.stop()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=list(PARTS), nargs="+", default=list(PARTS))
    parser.add_argument("--rows", type=int, default=2_000_000, help="of a batch, and of a micro-batch")
    parser.add_argument("--rounds", type=int, default=3)
    server = Path(sys.executable).with_name("lastvalue")
    parser.add_argument("--server", type=Path, default=server, help="the lastvalue to measure against")
    options = parser.parse_args()
    form = "plain Python" if transfers.__file__.endswith(".py") else "compiled"
    print(f"Python workers run lastvalue as {form}")
    with serving(options.server) as (broker, port), session() as spark:
        bench = Bench(spark, broker, f"amqp://127.0.0.1:{port}", options)
        for part in options.only:
            PARTS[part](bench)
    for name in bench.missed:
        print(f"{name}: under its gate")
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main())
