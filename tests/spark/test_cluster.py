"""A pipeline on a real standalone cluster: a master and two workers whose Python lacks this package."""

import os
import re
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from waiting import wait_until

pytest.importorskip("pyspark")

import pyspark

from lastvalue.client import blocking
from lastvalue.pipeline.cache import cache_directory
from lastvalue.pipeline.java import JavaNotFoundError, find_java, launch_home

pytestmark = [pytest.mark.spark, pytest.mark.long]

SOON_S = 180
LASTVALUE = str(Path(sys.executable).with_name("lastvalue"))
SPARK_HOME = Path(pyspark.__file__).parent
OURS = ("lastvalue", "__editable__", "_lastvalue", "pyspark_lastvalue", "mypy_extensions", "librt", "scramp")
ROWS, KEYS, FILES = 4000, 100, 4

PIPELINE = """
[pipeline]
master = "{master}"
url = "{url}"

[pipeline.spark]
"spark.pyspark.python" = "{python}"
"spark.executor.memory" = "512m"
"spark.driver.memory" = "512m"
"spark.executor.cores" = 1
"spark.cores.max" = 2
"spark.driver.host" = "127.0.0.1"
"spark.driver.bindAddress" = "127.0.0.1"
"spark.sql.shuffle.partitions" = 2

[[feed]]
name = "numbers"
format = "json"
path = "numbers"
schema = "key STRING, sequence BIGINT"
key = "key"
order_by = "sequence"
partitions = 2
queue = "cluster"
"""


def foreign_python(directory: Path) -> Path:
    """An interpreter with the packages of this one, but for this package and what it brings."""
    packages = directory / "packages"
    packages.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith(OURS) and path.suffix != ".pth":
            (packages / path.name).symlink_to(path)
    python = directory / "python"
    # The workers hand over the directories of Spark's own modules and of what is shipped.
    python.write_text(f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{packages}" exec {sys.executable} -S "$@"\n')
    python.chmod(0o755)
    return python


def plain_environment() -> dict[str, str]:
    """The environment without what leads Python to this package."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@contextmanager
def process(home: Path, java: Path, announced: str, *arguments: str) -> Iterator[str]:
    """A part of the cluster, once it has said what it says when it is ready; that text."""
    log = home / f"{announced[:6]}-{time.monotonic_ns()}.log"
    environment = {
        **plain_environment(),
        "JAVA_HOME": str(java),
        "SPARK_HOME": str(SPARK_HOME),
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(home / "work"),
    }
    with log.open("w") as output:
        running = subprocess.Popen(
            [SPARK_HOME / "bin" / "spark-class", *arguments], env=environment, stdout=output, stderr=output
        )
    try:
        yield awaited(running, log, announced)
    finally:
        running.terminate()
        running.wait(120)


def awaited(running: subprocess.Popen[bytes], log: Path, pattern: str) -> str:
    def check() -> None:
        assert running.poll() is None, log.read_text()

    wait_until(lambda: re.search(pattern, log.read_text()) is not None, check, limit_s=SOON_S)
    found = re.search(pattern, log.read_text())
    assert found is not None
    return found[0]


@contextmanager
def cluster(home: Path) -> Iterator[str]:
    """A master with two workers of one core and 512 MiB each; its URL."""
    try:
        java = launch_home(find_java(), cache_directory())
    except JavaNotFoundError as error:
        pytest.skip(str(error))
    deploy = "org.apache.spark.deploy"
    local = ("--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
    with ExitStack() as stack:
        url = stack.enter_context(
            process(home, java, r"spark://127\.0\.0\.1:[1-9]\d+", f"{deploy}.master.Master", *local)
        )
        for _ in range(2):
            worker = (f"{deploy}.worker.Worker", *local, "--cores", "1", "--memory", "512m", url)
            stack.enter_context(process(home, java, "Successfully registered with master", *worker))
        yield url


def test_a_pipeline_runs_on_two_workers_that_get_the_package_from_it(broker_url: str, tmp_path: Path) -> None:
    python = foreign_python(tmp_path)
    lacking = subprocess.run(
        [python, "-c", "import pyarrow, pandas, lastvalue"],
        env=plain_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "No module named 'lastvalue'" in lacking.stderr
    source = tmp_path / "numbers"
    source.mkdir()
    for number in range(FILES):
        rows = range(number * ROWS // FILES, (number + 1) * ROWS // FILES)
        (source / f"{number}.json").write_text(
            "".join(f'{{"key": "k{row % KEYS}", "sequence": {row}}}\n' for row in rows)
        )
    file = tmp_path / "lastvalue.toml"
    with blocking.connect(broker_url) as connection, cluster(tmp_path) as master:
        queue = connection.declare("cluster", lvq_key="key", order_by="sequence")
        file.write_text(PIPELINE.format(master=master, url=broker_url, python=python))
        run = subprocess.run(
            [LASTVALUE, "pipeline", "run", str(file), "--once"],
            capture_output=True,
            text=True,
            timeout=SOON_S,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        assert len(list((tmp_path / "work").glob("app-*/*"))) == 2
        held = {message.properties["key"]: message.properties["sequence"] for message in queue.browse()}
        assert queue.info().published == KEYS
    assert held == {f"k{number}": ROWS - KEYS + number for number in range(KEYS)}
