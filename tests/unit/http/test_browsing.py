"""Pages of many queues and keys: the short form of bench/browsing.py."""

import json
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[3] / "bench" / "browsing.py"
MOST_TURN_MS = 10.0
MOST_BYTES = 100_000


def test_a_list_of_many_queues_or_keys_does_not_hold_up_the_broker_and_a_page_is_small() -> None:
    command = [sys.executable, str(BENCH), "--queues", "1000", "--keys", "10000", "--json"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    told = json.loads(result.stdout)
    assert {name: figures for name, figures in told.items() if figures["turn_ms"] > MOST_TURN_MS} == {}
    pages = {name: figures for name, figures in told.items() if figures["is_page"]}
    assert {name: each for name, each in pages.items() if each["bytes"] > MOST_BYTES} == {}
    # What the broker sends the gateway for it is a page, too.
    assert {name: each for name, each in pages.items() if each["sent_bytes"] > MOST_BYTES} == {}
    assert {"CSV", "Arrow", "the snapshot of a follower", "RabbitMQ's queues", "Broker-J's queues"} < {*told}
