"""Spark: `conflate` against the plans that people write, on the same rows in the same run.

    python bench/conflation.py                       # 1k, 100k and 5M keys: some minutes
    python bench/conflation.py --keys 1000 --rows 1000000 --rounds 2
    python bench/conflation.py --policy ohlc --keys 1000
    python bench/conflation.py --engines /tmp/other/bin/python   # one that has duckdb, polars or both

Rows are a text key of 12 bytes, a unique sequence, a timestamp and a payload of 100 bytes, in Parquet.
Every plan runs to its end into Spark's sink `noop`. After a warm-up, rounds take turns between the plans;
before each plan Java collects the garbage of the last one, whose files Spark deletes then.
CPU is that of the driver, the JVM and the Python workers together. Figures are of each plan's best round,
which neighbours on the machine disturb least; `x window` is the window plan's CPU over this plan's, `of wall`
the same in time.
DuckDB and Polars read the same files in a process of their own (`conflation_engines.py`), where a Python with
them is named or this one has them. Java's compilers work for the first minutes of a session, whatever runs
in it; "compiled" is the CPU without them.
The exit code is 1 where `conflate` with `unique` is under its gate, or where it takes more than 1.5 times the
CPU of the best plan of these engines compiled, or 2.5 times with the compilers; or where `conflate` without
`unique` does, of the best plan that breaks ties as it does.
"by rows" is `conflate(arrow=False)`, the plan of every table that is more than Parquet files; `many_keys`
is set there from 100,000 keys on. `--shuffled` writes rows in no order, so that no row group can be passed
over.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as sf

from lastvalue.pipeline.conflation.conflate import conflate
from lastvalue.pipeline.spark.session import SessionOptions, create_session
from lastvalue.queues.policy import Ohlc
from pipeline_speed import Cpu, Meter

# By the number of keys, how many times less CPU than the window plan; others have no gate.
GATES = {1_000: 4.5, 100_000: 2.5, 5_000_000: 1.5}
ENGINE_GATE = 1.5
"""Without Java's compilers."""
FRESH_GATE = 2.5
"""With them, in a session as new as the warm-ups leave it."""
MANY_KEYS = 100_000
"""From so many keys on `many_keys` is set: one has 100 of 10 million rows."""
ROWS = 10_000_000
PAYLOAD_BYTES = 100
FILES = 2
HEAP = "6g"
CLEARED_S = 1.0
"""The time in which Spark deletes a plan's files and blocks that are garbage."""

Plan = Callable[[DataFrame], DataFrame]

WINDOW = "window functions"
TIES = "conflate"
UNIQUE = "conflate, unique"
BY_ROWS = "by rows, unique"
MANY = "by rows, unique, many"


@dataclass(slots=True)
class Cost:
    """Of each round; `compiled_s` is the CPU time without Java's compilers.

    `breaks_ties`: an engine's plan chooses by other columns among the rows that share key and sequence.
    """

    cpu_s: list[float] = field(default_factory=list)
    wall_s: list[float] = field(default_factory=list)
    compiled_s: list[float] = field(default_factory=list)
    breaks_ties: bool = False

    def add(self, used: Cpu) -> None:
        self.cpu_s.append(used.spark)
        self.wall_s.append(used.wall)
        self.compiled_s.append(used.spark - used.compilers)


def newest_by_window(rows: DataFrame) -> DataFrame:
    place = sf.row_number().over(Window.partitionBy("key").orderBy(sf.desc("sequence")))
    return rows.withColumn("place", place).where("place = 1").drop("place")


def newest_by_group(rows: DataFrame) -> DataFrame:
    return (
        rows.groupBy("key")
        .agg(sf.max(sf.struct("sequence", "time", "payload")).alias("row"))
        .select("key", "row.*")
    )


def candles_by_window(rows: DataFrame) -> DataFrame:
    """Open, high, low and close of each key and minute, each a window function."""
    minute = Window.partitionBy("key", sf.window("time", "1 minute")).orderBy("sequence")
    whole = minute.rowsBetween(Window.unboundedPreceding, Window.unboundedFollowing)
    return (
        rows.select(
            "key",
            sf.first("price").over(whole).alias("open"),
            sf.max("price").over(whole).alias("high"),
            sf.min("price").over(whole).alias("low"),
            sf.last("price").over(whole).alias("close"),
            sf.row_number().over(minute).alias("place"),
        )
        .where("place = 1")
        .drop("place")
    )


def candles_by_group(rows: DataFrame) -> DataFrame:
    """The same by min and max of pairs."""
    pair = sf.struct("sequence", "price")
    return (
        rows.groupBy("key", sf.window("time", "1 minute"))
        .agg(
            sf.min(pair)["price"].alias("open"),
            sf.max("price").alias("high"),
            sf.min("price").alias("low"),
            sf.max(pair)["price"].alias("close"),
        )
        .drop("window")
    )


def candles(rows: DataFrame, *, unique: bool) -> DataFrame:
    found = conflate(
        rows, "key", "sequence", every="1m", time="time", policy=Ohlc("price"), updates=None, unique=unique
    )
    return found.drop("interval_start", "first_time", "last_time")


PLANS: dict[str, dict[str, Plan]] = {
    "last": {
        WINDOW: newest_by_window,
        "group: max(struct)": newest_by_group,
        TIES: lambda rows: conflate(rows, "key", "sequence", updates=None),
        UNIQUE: lambda rows: conflate(rows, "key", "sequence", updates=None, unique=True),
        BY_ROWS: lambda rows: conflate(rows, "key", "sequence", updates=None, unique=True, arrow=False),
        MANY: lambda rows: conflate(
            rows, "key", "sequence", updates=None, unique=True, many_keys=True, arrow=False
        ),
    },
    "ohlc": {
        WINDOW: candles_by_window,
        "group: max(struct)": candles_by_group,
        TIES: lambda rows: candles(rows, unique=False),
        UNIQUE: lambda rows: candles(rows, unique=True),
    },
}
TOTALS = {
    "last": ("sum(sequence)", "sum(crc32(payload))"),
    "ohlc": ("sum(open)", "sum(high)", "sum(low)", "sum(close)"),
}


def write_rows(directory: Path, rows: int, keys: int, *, shuffled: bool = False) -> None:
    random = np.random.default_rng(1)
    count = rows // FILES
    order = random.permutation(rows) if shuffled else np.arange(rows)
    for part in range(FILES):
        sequence = order[part * count : (part + 1) * count]
        offsets = np.arange(0, count * PAYLOAD_BYTES + 1, PAYLOAD_BYTES, dtype=np.int32)
        payload = [None, pa.py_buffer(offsets.tobytes()), pa.py_buffer(random.bytes(count * PAYLOAD_BYTES))]
        columns = {
            "key": pa.array(np.char.mod("K%011d", random.integers(0, keys, count))),
            "sequence": pa.array(sequence),
            "time": pa.array(sequence * 1000, pa.timestamp("us", "UTC")),
            "payload": pa.Array.from_buffers(pa.binary(), count, payload),
        }
        pq.write_table(
            pa.table(columns), directory / f"{part}.parquet", compression="none", use_dictionary=False
        )


def run(meter: Meter, plan: Plan, rows: DataFrame) -> Cpu:
    # What the plan before has left, in memory and on the disk, is not this one's to remove.
    java: Any = rows.sparkSession.sparkContext._jvm  # noqa: SLF001 - no other way into Java
    java.System.gc()
    time.sleep(CLEARED_S)
    start = meter.read()
    plan(rows).write.format("noop").mode("overwrite").save()
    return meter.read().minus(start)


def check(rows: DataFrame, plans: dict[str, Plan], policy: str) -> int:
    """Every plan finds the same rows; how many those are."""
    total = (sf.count("*"), *map(sf.expr, TOTALS[policy]))
    found = {name: plan(rows).agg(*total).first() for name, plan in plans.items()}
    expected = found[WINDOW]
    assert expected is not None
    assert all(result == expected for result in found.values()), found
    return int(expected[0])


def measure(spark: SparkSession, meter: Meter, keys: int, options: argparse.Namespace) -> bool:
    with tempfile.TemporaryDirectory(prefix="lastvalue-bench-") as directory:
        count = options.rows
        write_rows(Path(directory), count, keys, shuffled=options.shuffled)
        rows = spark.read.parquet(directory)
        if options.policy == "ohlc":
            rows = rows.withColumn("price", (sf.col("sequence") % 997).cast("double"))
        plans = {
            name: plan
            for name, plan in PLANS[options.policy].items()
            if name in ((WINDOW, TIES, UNIQUE) if options.brief else (*PLANS[options.policy],))
            and (name != MANY or keys >= MANY_KEYS)
        }
        engines = with_engines(options.engines, directory, options.rounds) if options.policy == "last" else {}
        distinct = check(rows, plans, options.policy)
        for _ in range(options.warm_ups):
            for plan in plans.values():
                run(meter, plan, rows)
        costs = {name: Cost() for name in plans}
        for _ in range(options.rounds):
            for name, plan in plans.items():
                costs[name].add(run(meter, plan, rows))
    print(f"\n{count:,} rows, {distinct:,} results, {options.rounds} rounds")
    print(
        f"{'':26}{'CPU s':>8}{'compiled':>10}{'wall s':>8}{'M rows/CPU s':>14}{'x window':>10}{'of wall':>9}"
    )
    for name, cost in {**costs, **engines}.items():
        print(line(name, cost, costs[WINDOW], count), flush=True)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    if options.policy != "last":
        return True
    window = min(costs[WINDOW].cpu_s)
    alike = {name: cost for name, cost in engines.items() if cost.breaks_ties}
    return all(
        [
            gate_is_met(UNIQUE, keys, window / min(costs[UNIQUE].cpu_s)),
            engine_gates_are_met(UNIQUE, costs[UNIQUE], engines),
            engine_gates_are_met(TIES, costs[TIES], alike),
        ]
    )


def with_engines(python: str | None, directory: str, rounds: int) -> dict[str, Cost]:
    """What the plans of DuckDB and Polars cost on the same files; nothing where there are none."""
    if python is None:
        return {}
    script = Path(__file__).with_name("conflation_engines.py")
    told = subprocess.run(
        [python, str(script), directory, str(rounds)], check=True, stdout=subprocess.PIPE, text=True
    )
    found = [json.loads(each) for each in told.stdout.splitlines()]
    return {
        each["plan"]: Cost([each["cpu_s"]], [each["wall_s"]], [each["cpu_s"]], each["breaks_ties"])
        for each in found
    }


def line(name: str, cost: Cost, window: Cost, rows: int) -> str:
    cpu_s, wall_s = min(cost.cpu_s), min(cost.wall_s)
    ratios = f"{min(window.cpu_s) / cpu_s:>10.2f}{min(window.wall_s) / wall_s:>9.2f}"
    compiled = f"{cpu_s:>8.2f}{min(cost.compiled_s):>10.2f}"
    return f"{name:26}{compiled}{wall_s:>8.2f}{rows / cpu_s / 1e6:>14.2f}{ratios}"


def gate_is_met(plan: str, keys: int, reached: float) -> bool:
    if keys not in GATES:
        return True
    met = reached >= GATES[keys]
    verdict = "" if met else ": over"
    print(f"{plan}: {reached:.1f}x less CPU than the window plan, gate {GATES[keys]}x{verdict}")
    return met


def engine_gates_are_met(plan: str, own: Cost, engines: dict[str, Cost]) -> bool:
    if not engines:
        print("no engine is here (--engines names a Python that has DuckDB or Polars): not compared")
        return True
    name, best = min(engines.items(), key=lambda each: each[1].cpu_s)
    compiled, fresh = (min(each) / best.cpu_s[0] for each in (own.compiled_s, own.cpu_s))
    reached = ((compiled, ENGINE_GATE), (fresh, FRESH_GATE))
    without, included = (
        f"{ratio:.2f}x{': over' if ratio > gate else ''} (gate {gate}x)" for ratio, gate in reached
    )
    print(f"{plan}: CPU of {name!r} {without}, with Java's compilers {included}")
    return all(ratio <= gate for ratio, gate in reached)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--policy", choices=list(PLANS), default="last")
    parser.add_argument("--keys", type=int, nargs="+", default=sorted(GATES))
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--warm-ups", type=int, default=2)
    parser.add_argument("--shuffled", action="store_true", help="the rows stand in no order")
    parser.add_argument("--brief", action="store_true", help="the window plan and `conflate` alone")
    own = sys.executable if find_spec("duckdb") or find_spec("polars") else None
    parser.add_argument("--engines", metavar="PYTHON", default=own, help="one that has duckdb or polars")
    options = parser.parse_args()
    # A heap of one size: a plan neither takes nor gives back what it has of the machine's memory.
    heap = {"spark.driver.extraJavaOptions": f"-Xms{HEAP}"}
    spark = create_session(SessionOptions(name="bench", driver_memory=HEAP, settings=heap))
    meter = Meter()
    met = [measure(spark, meter, keys, options) for keys in options.keys]
    spark.stop()
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
