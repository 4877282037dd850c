"""Pages of many queues and keys: the short form of bench/browsing.py."""

import json
import subprocess
import sys
import time
from pathlib import Path

BENCH = Path(__file__).parents[3] / "bench" / "browsing.py"
MOST_TURN_MS = 10.0
"""On a machine that counts to a million in COUNT_MS."""
COUNT_MS = 15.0
MOST_BYTES = 100_000


def count_ms() -> float:
    """The processor time in which this machine counts to a million beside its other work."""
    began_s = time.thread_time()
    for _ in range(1_000_000):
        pass
    return (time.thread_time() - began_s) * 1000


def test_a_list_of_many_queues_or_keys_does_not_hold_up_the_broker_and_a_page_is_small() -> None:
    command = [sys.executable, str(BENCH), "--queues", "1000", "--keys", "10000", "--json"]
    # Which turns are long is told here, where it is known how slowly the machine counts meanwhile.
    command += ["--most-turn-ms", "inf"]
    before_ms = count_ms()
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    told = json.loads(result.stdout)
    most_ms = MOST_TURN_MS * max(1.0, before_ms / COUNT_MS, count_ms() / COUNT_MS)
    assert {name: figures for name, figures in told.items() if figures["turn_ms"] > most_ms} == {}
    pages = {name: figures for name, figures in told.items() if figures["is_page"]}
    assert {name: each for name, each in pages.items() if each["bytes"] > MOST_BYTES} == {}
    # What the broker sends the gateway for it is a page, too.
    assert {name: each for name, each in pages.items() if each["sent_bytes"] > MOST_BYTES} == {}
    assert {"CSV", "Arrow", "the snapshot of a follower", "RabbitMQ's queues", "Broker-J's queues"} < {*told}
