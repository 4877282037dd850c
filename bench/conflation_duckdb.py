"""DuckDB: the plans that find the newest row of each key, for `conflation.py --duckdb PYTHON`.

    python bench/conflation_duckdb.py DIRECTORY [ROUNDS]

Reads the Parquet files of a directory with as many threads as there are processors, each plan into a table in
memory; prints a line of JSON a plan: its name, the CPU and the time of its best round, and how many rows it
found. It needs nothing but the package `duckdb`, which lastvalue does not depend on.
"""

import json
import os
import sys
import time
from importlib import import_module

ROWS = "read_parquet('{}/*.parquet')"
PLANS = {
    "DuckDB: row_number": (
        "SELECT * FROM {rows} QUALIFY row_number() OVER (PARTITION BY key ORDER BY sequence DESC) = 1"
    ),
    "DuckDB: arg_max": (
        "SELECT key, max(sequence) AS sequence, arg_max(time, sequence) AS time, "
        "arg_max(payload, sequence) AS payload FROM {rows} GROUP BY key"
    ),
    "DuckDB: join on max": (
        "SELECT * FROM {rows} WHERE sequence IN (SELECT max(sequence) FROM {rows} GROUP BY key)"
    ),
}


def main() -> None:
    directory, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    connection = import_module("duckdb").connect()
    connection.execute(f"SET threads = {os.cpu_count() or 1}")
    connection.execute("SET preserve_insertion_order = false")
    for name, plan in PLANS.items():
        query = f"CREATE OR REPLACE TEMP TABLE found AS {plan.format(rows=ROWS.format(directory))}"
        costs = []
        for _ in range(rounds + 1):
            cpu_s, wall_s = time.process_time(), time.perf_counter()
            connection.execute(query)
            costs.append((time.process_time() - cpu_s, time.perf_counter() - wall_s))
        (found,) = connection.execute("SELECT count(*) FROM found").fetchone() or (0,)
        # The first round is for warming up.
        cpu_s, wall_s = min(costs[1:])
        print(json.dumps({"plan": name, "cpu_s": cpu_s, "wall_s": wall_s, "found": found}), flush=True)


if __name__ == "__main__":
    main()
