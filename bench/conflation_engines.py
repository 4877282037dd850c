"""DuckDB and Polars: the plans that find the newest row of each key, for `conflation.py --engines PYTHON`.

    python bench/conflation_engines.py DIRECTORY [ROUNDS]

Reads the Parquet files of a directory with as many threads as there are processors, each plan into a table in
memory. It prints a line of JSON a plan: its name, the CPU and the time of its best round, how many rows it
found, and whether it breaks ties: of rows that share key and sequence it chooses one by the other columns. It
measures those of the packages `duckdb` and `polars` that are installed; lastvalue needs neither for its
pipeline.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

ROWS = "read_parquet('{}/*.parquet')"
NEWEST = (
    "SELECT rows.* FROM {rows} AS rows SEMI JOIN "
    "(SELECT key, max(sequence) AS sequence FROM {rows} GROUP BY key) AS newest USING (key, sequence)"
)
DUCKDB = {
    "DuckDB: row_number": (
        "SELECT * FROM {rows} QUALIFY row_number() OVER (PARTITION BY key ORDER BY sequence DESC) = 1"
    ),
    "DuckDB: arg_max": (
        "SELECT key, max(sequence) AS sequence, arg_max(time, sequence) AS time, "
        "arg_max(payload, sequence) AS payload FROM {rows} GROUP BY key"
    ),
    # Right only where no two keys share a sequence.
    "DuckDB: join on max": (
        "SELECT * FROM {rows} WHERE sequence IN (SELECT max(sequence) FROM {rows} GROUP BY key)"
    ),
    "DuckDB: join on key, max": NEWEST,
    "DuckDB: join, row_number": (
        "SELECT * FROM (" + NEWEST + ") "
        "QUALIFY row_number() OVER (PARTITION BY key ORDER BY time DESC, payload DESC) = 1"
    ),
}
TIES_BROKEN = frozenset({"DuckDB: join, row_number", "Polars: join, then sorted"})

Plans = Iterator[tuple[str, Callable[[], int]]]


def duckdb_plans(directory: str) -> Plans:
    """DuckDB's; each returns how many rows it finds."""
    connection = import_module("duckdb").connect()
    connection.execute(f"SET threads = {os.cpu_count() or 1}")
    connection.execute("SET preserve_insertion_order = false")
    for name, plan in DUCKDB.items():
        query = f"CREATE OR REPLACE TEMP TABLE found AS {plan.format(rows=ROWS.format(directory))}"

        def find(query: str = query) -> int:
            connection.execute(query)
            (found,) = connection.execute("SELECT count(*) FROM found").fetchone() or (0,)
            return int(found)

        yield name, find


def polars_plans(directory: str) -> Plans:
    """The same of Polars."""
    pl = import_module("polars")
    rows = pl.scan_parquet(f"{directory}/*.parquet")
    newest = rows.group_by("key").agg(pl.col("sequence").max())
    joined = rows.join(newest, on=["key", "sequence"], how="semi")
    plans = {
        "Polars: last of the sorted": rows.sort("sequence").unique("key", keep="last"),
        "Polars: join on max": joined,
        "Polars: join, then sorted": joined.sort("time", "payload").unique("key", keep="last"),
    }
    for name, plan in plans.items():

        def find(plan: Any = plan) -> int:
            return len(plan.collect(engine="streaming"))

        yield name, find


def main() -> None:
    directory, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    for package, plans in (("duckdb", duckdb_plans), ("polars", polars_plans)):
        for name, find in plans(directory) if find_spec(package) else ():
            costs = []
            found = 0
            for _ in range(rounds + 1):
                cpu_s, wall_s = time.process_time(), time.perf_counter()
                found = find()
                costs.append((time.process_time() - cpu_s, time.perf_counter() - wall_s))
            # The first round is for warming up.
            cpu_s, wall_s = min(costs[1:])
            record = {"plan": name, "cpu_s": cpu_s, "wall_s": wall_s, "found": found}
            print(json.dumps({**record, "breaks_ties": name in TIES_BROKEN}), flush=True)


if __name__ == "__main__":
    main()
