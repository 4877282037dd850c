"""Each update once, while the driver, Python processes and the broker are killed, in turn and at random.

Files → a queue → a standard queue with every row, and a last-value queue: source and sink are in the way.
`make once` is the long form.
"""

import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from waiting import wait_until

pytest.importorskip("pyspark")

import pyarrow as pa
import pyarrow.parquet as pq
from served_broker import ServedBroker

from lastvalue.client import blocking

KILLS = int(os.environ.get("LASTVALUE_ONCE_KILLS", "3"))
ROWS = int(os.environ.get("LASTVALUE_ONCE_ROWS", "6000"))
KEYS = 100
FILES = 6 if ROWS < 100_000 else 12
SOON_S = 400
"""So long a step may take; with three of these tests at once on two processors the longest took 60."""
KEPT_BYTES = 100_000
"""The most that a pipeline keeps in the cache: a launcher of Java, and settings for its log."""
LASTVALUE = str(Path(sys.executable).with_name("lastvalue"))

pytestmark = [pytest.mark.spark, pytest.mark.timeout(SOON_S * (KILLS + 2) + ROWS // 500)]

PIPELINE = """
[pipeline]
master = "local[2,2]"
url = "{url}"
restarts = 1000
restart_delay = "100ms"

[pipeline.spark]
"spark.local.dir" = "{temporary}"
"spark.driver.extraJavaOptions" = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djava.io.tmpdir={temporary}"

[[feed]]
name = "updates"
format = "parquet"
path = "updates"
options = {{ maxFilesPerTrigger = 1 }}
select = ["CAST(number AS STRING) AS body", "key", "named_struct('revision', revision) AS properties"]
queue = "updates"

[[feed]]
name = "all"
format = "lastvalue"
options = {{ queue = "updates", maxRecordsPerBatch = {batch} }}
select = ["CAST(body AS STRING) AS body", "key", "properties"]
queue = "all"

[[feed]]
name = "newest"
format = "lastvalue"
options = {{ queue = "updates", maxRecordsPerBatch = {batch} }}
select = ["key", "CAST(properties['revision'] AS BIGINT) AS revision", "CAST(body AS STRING) AS number"]
key = "key"
order_by = "revision"
queue = "newest"
"""
QUEUES: dict[str, dict[str, Any]] = {
    "updates": {"non_destructive": True},
    "all": {"non_destructive": True},
    "newest": {"lvq_key": "key", "order_by": "revision"},
}


def write_updates(directory: Path) -> None:
    """Every key with the revisions 0, 1, 2 …, in files."""
    directory.mkdir()
    for file in range(FILES):
        numbers = range(file * ROWS // FILES, (file + 1) * ROWS // FILES)
        columns = {
            "number": list(numbers),
            "key": [f"k{number % KEYS}" for number in numbers],
            "revision": [number // KEYS for number in numbers],
        }
        path = directory / f"{file:02}.parquet"
        pq.write_table(pa.table(columns), path)
        os.utime(path, (file + 1, file + 1))


class Chaos:
    """A broker and a pipeline of which parts are killed, and begun again."""

    def __init__(self, directory: Path, stack: ExitStack) -> None:
        self._directory = directory
        self._stack = stack
        self._store = ("--store", str(directory / "store"))
        self.broker = stack.enter_context(ServedBroker(*self._store))
        with blocking.connect(self.broker.url) as connection:
            for name, options in QUEUES.items():
                connection.declare(name, durable=True, **options)
        self._temporary, self._cache = directory / "temporary", directory / "cache"
        self._temporary.mkdir()
        self.file = directory / "lastvalue.toml"
        self.file.write_text(
            PIPELINE.format(url=self.broker.url, batch=max(1000, ROWS // 50), temporary=self._temporary)
        )
        self.runner = self._started()
        stack.callback(self._end)

    def kill_driver(self) -> None:
        """The runner alone; its Java and all workers end by themselves, and leave nothing."""
        self.runner.kill()
        self.runner.wait()
        wait_until(lambda: not any(self._others()), limit_s=SOON_S, every_s=0.25)
        assert self.told()["state"] == "dead"
        assert [*self._temporary.rglob("*")] == []
        assert (
            sum(path.stat().st_size for path in self._cache.rglob("*") if not path.is_symlink()) < KEPT_BYTES
        )
        self.runner = self._started()

    def kill_worker(self) -> None:
        """The newest of Spark's Python processes, as soon as there is one."""
        workers: list[psutil.Process] = []

        def there() -> bool:
            workers[:] = sorted(self._workers(), key=psutil.Process.create_time)
            return bool(workers)

        self.wait_for(there)
        workers[-1].kill()

    def kill_broker(self) -> None:
        """The broker, which comes back with its store at the same port."""
        self.broker.process.kill()
        self.broker.process.wait()
        self.broker = self._stack.enter_context(ServedBroker(*self._store, "--port", str(self.broker.port)))

    def stop(self) -> str:
        """Tell the runner to stop; what it had to say."""
        self.runner.send_signal(signal.SIGTERM)
        _, lines = self.runner.communicate(timeout=SOON_S)
        return lines

    def arrived(self) -> int:
        """How many rows have come to the end, of all; the slower of the two ways."""
        with blocking.connect(self.broker.url) as connection:
            depth = connection.queue("all").info().depth
            # A key that changes meanwhile comes twice.
            newest = {
                message.properties["key"]: message.updates for message in connection.queue("newest").browse()
            }
        return min(depth, sum(newest.values()))

    def told(self) -> dict[str, Any]:
        """The pipeline's status."""
        command = [LASTVALUE, "pipeline", "status", str(self.file), "-o", "json"]
        printed = subprocess.run(command, capture_output=True, text=True, check=False)
        status: dict[str, Any] = json.loads(printed.stdout)
        return status

    def wait_for(self, happened: Callable[[], bool]) -> None:
        def check() -> None:
            assert self.runner.poll() is None, self.log.read_text()

        wait_until(happened, check, limit_s=SOON_S + ROWS / 1000, every_s=0.25)

    @property
    def log(self) -> Path:
        return self._directory / "runner.log"

    def _started(self) -> "subprocess.Popen[str]":
        places = {"TMPDIR": str(self._temporary), "XDG_CACHE_HOME": str(self._cache)}
        with self.log.open("a") as log:
            return subprocess.Popen(
                [LASTVALUE, "pipeline", "run", str(self.file)],
                start_new_session=True,
                text=True,
                stderr=log,
                env={**os.environ, **places},
            )

    def _end(self) -> None:
        if self.runner.poll() is None:
            os.killpg(self.runner.pid, signal.SIGKILL)
            self.runner.wait()

    def _workers(self) -> Iterator[psutil.Process]:
        """The sources' processes, the daemon, and the workers that it forks."""
        for process in self._others():
            with suppress(psutil.NoSuchProcess):
                if "python" in process.name():
                    yield process

    def _others(self) -> Iterator[psutil.Process]:
        """All processes that the runner and those that it started have started, and that run."""
        for process in psutil.process_iter():
            with suppress(psutil.NoSuchProcess, ProcessLookupError):
                ours = os.getsid(process.pid) == self.runner.pid != process.pid
                if ours and process.status() != psutil.STATUS_ZOMBIE:
                    yield process


def test_each_update_arrives_once_whatever_is_killed(tmp_path: Path) -> None:
    chance = random.Random(os.environ.get("LASTVALUE_SEED", "1"))
    write_updates(tmp_path / "updates")
    with ExitStack() as stack:
        chaos = Chaos(tmp_path, stack)
        ways = [chaos.kill_driver, chaos.kill_worker, chaos.kill_broker]
        for kill in range(KILLS):
            due = ROWS * kill // KILLS + chance.randrange(ROWS // KILLS // 2)
            chaos.wait_for(lambda due=due: chaos.arrived() > due)  # type: ignore[misc]  # mypy cannot tell the type of a default
            way = ways[kill] if kill < len(ways) else chance.choice(ways)
            way()
        chaos.wait_for(lambda: chaos.arrived() >= ROWS)
        chaos.stop()
        assert chaos.runner.returncode == 0, chaos.log.read_text()
        assert {part["rejected"] for part in chaos.told()["parts"]} == {0}
        with blocking.connect(chaos.broker.url) as connection:
            updates, every, newest = (connection.queue(name) for name in QUEUES)
            assert updates.info().depth == every.info().depth == ROWS
            came = Counter(
                (message.properties["key"], int(str(message.properties["revision"])))
                for message in every.browse(prefetch=5000)
            )
            held = {message.properties["key"]: message for message in newest.browse()}
    assert came == Counter((f"k{number % KEYS}", number // KEYS) for number in range(ROWS))
    last = ROWS // KEYS - 1
    assert {key: message.properties["revision"] for key, message in held.items()} == {
        f"k{key}": last for key in range(KEYS)
    }
    # Those that the queue has seen replaced are counted; none came too late.
    assert sum(message.updates for message in held.values()) == ROWS
