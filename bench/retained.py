"""Spark: what `retained` costs beside `conflate`, on the same rows in the same run.

    python bench/retained.py                                   # 10 million rows, 100,000 keys: some minutes
    python bench/retained.py --rows 1000000 --keys 1000 --rounds 1

Rows are those of `bench/conflation.py`. The plans of the engine get a tenth of the rows, and their figures
are a row's. `x conflate` is a plan's CPU per row over that of `conflate` with its updates, each at its best
round; CPU is that of the driver, the JVM and the Python workers together.
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from conflation import Plan, run, write_rows
from lastvalue.pipeline import conflate, create_session, retained
from lastvalue.pipeline.spark.session import SessionOptions
from pipeline_speed import Meter

AT = datetime(2100, 1, 1, tzinfo=UTC)
LVQ: Mapping[str, object] = {"lvq_key": "key"}
ORDERED: Mapping[str, object] = {**LVQ, "order_by": "rev"}
CONFLATE = "conflate"
SHARE = 10
"""The engine's plans get one row of so many."""


def holding(declaration: Mapping[str, object]) -> Plan:
    return lambda rows: retained(rows, declaration, AT)


PLANS: dict[str, Plan] = {
    CONFLATE: lambda rows: conflate(rows, "key", "sequence", updates="updates"),
    "last value": holding(LVQ),
    "last value, expiring": holding({**LVQ, "maximum_ttl_ms": 1000}),
    "last value, order_by": holding(ORDERED),
    "standard, last million": holding({"max_messages": 1_000_000, "when_full": "drop-oldest"}),
}
ENGINE: dict[str, Plan] = {
    "order_by, expiring: engine by key": holding({**ORDERED, "maximum_ttl_ms": 1000}),
    "ring of keys: engine by queue": holding({**LVQ, "max_messages": 1000, "when_full": "drop-oldest"}),
}


def history(rows: DataFrame) -> DataFrame:
    return rows.select(
        "key",
        "sequence",
        sf.col("time").alias("arrival_time"),
        sf.col("payload").alias("body"),
        sf.struct(sf.col("sequence").alias("rev")).alias("properties"),
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keys", type=int, default=100_000)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--plans", nargs="+", default=[*PLANS, *ENGINE], help="beside conflate")
    options = parser.parse_args()
    spark = create_session(SessionOptions(name="bench", driver_memory="6g"))
    plans = {name: plan for name, plan in {**PLANS, **ENGINE}.items() if name in [CONFLATE, *options.plans]}
    meter = Meter()
    costs: dict[str, list[float]] = {name: [] for name in plans}
    walls: dict[str, list[float]] = {name: [] for name in costs}
    with tempfile.TemporaryDirectory(prefix="lastvalue-bench-") as directory:
        write_rows(Path(directory), options.rows, options.keys)
        rows = history(spark.read.parquet(directory))
        fewer = rows.where(sf.col("sequence") % SHARE == 0)
        for _ in range(1 + options.rounds):
            for name, plan in plans.items():
                used = run(meter, plan, fewer if name in ENGINE else rows)
                count = options.rows / SHARE if name in ENGINE else options.rows
                costs[name].append(used.spark / count)
                walls[name].append(used.wall / count)
    spark.stop()
    print(f"\n{options.rows:,} rows, {options.keys:,} keys, {options.rounds} rounds after a warm-up")
    print(f"{'':36}{'CPU us/row':>11}{'wall us/row':>12}{'x conflate':>11}")
    for name in costs:
        cpu_s, wall_s = min(costs[name][1:]), min(walls[name][1:])
        ratio = cpu_s / min(costs[CONFLATE][1:])
        print(f"{name:36}{cpu_s * 1e6:>11.2f}{wall_s * 1e6:>12.2f}{ratio:>11.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
