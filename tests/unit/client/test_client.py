"""lastvalue.client as a package."""

import subprocess
import sys

HEAVY = [
    "pyspark",
    "pandas",
    "pyarrow",
    "typer",
    "rich",
    "scramp",
    "lastvalue.broker",
    "lastvalue.server",
    "lastvalue.queues",
]


def test_importing_the_client_loads_neither_broker_nor_spark_nor_command_line() -> None:
    code = (
        "import sys, lastvalue.client.blocking; print([name for name in sys.argv[1:] if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, *HEAVY]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert shown.stdout == "[]\n"
