"""`lastvalue pipeline run`: a process of its own, on a real Spark, into a real broker."""

import csv
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_until

pytest.importorskip("pyspark")

from lastvalue.client import blocking

pytestmark = pytest.mark.spark

SOON_S = 120
LASTVALUE = str(Path(sys.executable).with_name("lastvalue"))
FILES, ROWS, SYMBOLS = 6, 2000, 40

FEED = """
[pipeline]
master = "local[2]"
url = "{url}"
spark = {{ "spark.driver.extraJavaOptions" = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" }}

[[feed]]
name = "ticks"
format = "csv"
path = "ticks"
schema = "symbol STRING, sequence BIGINT, price DOUBLE"
options = {{ maxFilesPerTrigger = 1 }}
key = "symbol"
order_by = "sequence"
queue = "{queue}"
"""


def ticks(directory: Path) -> dict[str, dict[str, Any]]:
    """Files of rows that are partly out of order; the newest row of each symbol."""
    chance = random.Random(7)
    numbers = list(range(FILES * ROWS))
    for place in range(0, len(numbers) - 50, 50):
        numbers[place : place + 50] = chance.sample(numbers[place : place + 50], 50)
    rows = [(f"s{chance.randrange(SYMBOLS)}", number, chance.randrange(10_000) / 4) for number in numbers]
    source = directory / "ticks"
    source.mkdir()
    for number in range(FILES):
        path = source / f"{number}.csv"
        with path.open("w") as file:
            csv.writer(file).writerows(rows[number * ROWS : (number + 1) * ROWS])
        os.utime(path, (number + 1, number + 1))
    newest = {symbol: (number, price) for symbol, number, price in sorted(rows, key=lambda row: row[1])}
    return {
        symbol: {"symbol": symbol, "sequence": number, "price": price}
        for symbol, (number, price) in newest.items()
    }


def held(url: str, queue: str) -> dict[str, dict[str, Any]]:
    """What a queue has, by key; each key once."""
    with blocking.connect(url) as connection:
        messages = list(connection.queue(queue).browse())
    found = {str(message.properties["symbol"]): json.loads(str(message.body)) for message in messages}
    assert len(found) == len(messages)
    return found


def told(file: Path) -> dict[str, Any]:
    """The status of a pipeline."""
    printed = subprocess.run(
        [LASTVALUE, "pipeline", "status", str(file), "-o", "json"],
        capture_output=True,
        text=True,
        check=False,
    )
    status: dict[str, Any] = json.loads(printed.stdout)
    status["code"] = printed.returncode
    return status


def wait_for(happened: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    def check() -> None:
        assert process.poll() is None

    wait_until(happened, check, limit_s=SOON_S)


@pytest.mark.long
def test_a_pipeline_that_is_told_to_stop_ends_well_and_goes_on_later(broker_url: str, tmp_path: Path) -> None:
    expected = ticks(tmp_path)
    file = tmp_path / "lastvalue.toml"
    history = '[[history]]\nname = "past"\nqueues = "stopped"\ntables = "tables"\nevery = "10ms"\n'
    file.write_text(FEED.format(url=broker_url, queue="stopped") + history)
    last = tmp_path / "ticks" / f"{FILES - 1}.csv"
    kept = last.rename(tmp_path / "kept.csv")
    with blocking.connect(broker_url) as connection:
        connection.declare("stopped", lvq_key="symbol", order_by="sequence", history="stopped.history")
    command = [LASTVALUE, "pipeline", "run", str(file)]
    runner = subprocess.Popen(command, start_new_session=True, text=True, stderr=subprocess.PIPE)
    try:
        state = tmp_path / "lastvalue.state" / "status.json"
        wait_for(lambda: state.exists() and rows_of(file) == (FILES - 1) * ROWS, runner)
        assert (told(file)["state"], told(file)["code"]) == ("running", 0)
        again = subprocess.run(command, capture_output=True, text=True, check=False)
        assert again.returncode == 1
        assert "another process runs this pipeline" in again.stderr
        runner.send_signal(signal.SIGTERM)
        _, lines = runner.communicate(timeout=SOON_S)
    finally:
        if runner.poll() is None:
            os.killpg(runner.pid, signal.SIGKILL)
    assert runner.returncode == 0, lines
    assert "feed ticks: stopped" in lines
    assert told(file)["state"] == "stopped"
    kept.rename(last)
    subprocess.run([*command, "--once"], check=True, timeout=SOON_S)
    assert held(broker_url, "stopped") == expected
    ticks_, past = told(file)["parts"]
    assert (ticks_["rows"], ticks_["batch"]) == (ROWS, FILES - 1)
    assert past["state"] == "finished"
    changed = file.read_text().replace('queue = "stopped"', 'queue = "stopped.history"', 1)
    file.write_text(changed)
    refused = subprocess.run([*command, "--once", "ticks"], capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "queue is 'stopped.history' and was 'stopped' when 'ticks' began" in refused.stderr


def rows_of(file: Path) -> int:
    """How many rows the feed has read."""
    parts = json.loads((file.parent / "lastvalue.state" / "status.json").read_text())["parts"]
    return int(parts[0]["rows"])
