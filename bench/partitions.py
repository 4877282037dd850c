"""Ten times the keys of one broker over several, with Spark's conflation in front of them.

    python bench/partitions.py
    python bench/partitions.py --keys 20000 --brokers 4 10 --server .venv-compiled/bin/lastvalue

One broker gets the updates of so many keys, then some brokers together those of ten times as many. Spark
conflates each batch, so a broker gets one message a key, however many updates there were. Printed of each
broker: its keys, the messages that it got, its memory and its CPU seconds beyond those of its start.

What counts: every key is at one broker, nobody gets more than one message a key, and the largest share of the
keys is at most a tenth above the mean.
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lastvalue.client import blocking
from lastvalue.pipeline import conflate, create_session, publish
from lastvalue.pipeline.spark.session import SessionOptions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FACTOR: Final = 10
QUEUE: Final = "prices"
LARGEST_SHARE: Final = 1.1
_TICKS_S: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Broker:
    """A broker's process, and where it listens."""

    process: "subprocess.Popen[str]"
    url: str

    def cpu_s(self) -> float:
        """The CPU seconds that it has taken."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS_S

    def memory_mb(self) -> float:
        """Its memory now."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def served(server: Path, count: int) -> Iterator[list[Broker]]:
    """Brokers that divide the keys of the queue."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    leaders = [f"127.0.0.1:{port}" for port in ports]
    with ExitStack() as stack:
        file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "lastvalue.toml"
        file.write_text(
            f'[[partition]]\nqueues = "{QUEUE}"\nleaders = {leaders}\n'
            f'[[queue]]\nname = "{QUEUE}"\nlvq_key = "symbol"\n'
        )
        brokers = []
        for port in ports:
            command = [str(server), "serve", "--config", str(file), "--port", str(port)]
            command += ["--log-level", "error"]
            command += ["--log-level", "audit=error"]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            assert process.stdout is not None
            process.stdout.readline()
            brokers.append(Broker(process, f"amqp://127.0.0.1:{port}"))
        yield brokers


def measured(spark: "SparkSession", server: Path, count: int, keys: int, updates: int) -> bool:
    """Publish all updates, and print what the brokers have then; whether it is as it should be."""
    rows = spark.range(0, keys * updates, 1, 2).selectExpr(
        f"concat('SYM', id % {keys}) AS key", "id AS version", "concat('price ', id) AS body"
    )
    with served(server, count) as brokers:
        before_s = [broker.cpu_s() for broker in brokers]
        began_s = time.monotonic()
        newest = conflate(rows, "key", "version").select("key", "body")
        publish(newest, QUEUE, url=brokers[0].url, transactionRows="10000")
        took_s = time.monotonic() - began_s
        print(f"{count} brokers, {keys:,} keys, {keys * updates:,} updates: {took_s:.1f} s")
        found = []
        for number, broker in enumerate(brokers):
            with blocking.connect(broker.url) as connection:
                info = connection.queue(QUEUE).info()
            found.append((info.depth, info.published))
            print(
                f"  broker {number}: {info.depth:,} keys, {info.published:,} messages, "
                f"{broker.memory_mb():.0f} MB, {broker.cpu_s() - before_s[number]:.2f} s of CPU"
            )
    depths = [depth for depth, _ in found]
    print(f"  the largest share is {max(depths) * count / keys:.3f} of the mean, {keys / count:,.0f} keys")
    return (
        sum(depths) == keys
        and all(depth == published for depth, published in found)
        and max(depths) <= LARGEST_SHARE * keys / count
    )


def main() -> int:
    """Measure; 1 where something is not as it should be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keys", type=int, default=50_000, help="of one broker")
    parser.add_argument("--updates", type=int, default=5, help="of each key")
    parser.add_argument("--brokers", type=int, nargs="+", default=[2, 4])
    beside = Path(sys.executable).with_name("lastvalue")
    parser.add_argument("--server", type=Path, default=beside, help="the `lastvalue` command to start")
    options = parser.parse_args()
    spark = create_session(SessionOptions(name="partitions", master="local[2]", quick_start=True))
    server, keys, updates = options.server, options.keys, options.updates
    right = [measured(spark, server, 1, keys, updates)]
    right += [measured(spark, server, count, FACTOR * keys, updates) for count in options.brokers]
    spark.stop()
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
