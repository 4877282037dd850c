"""Pages of many queues and keys: the short form of bench/browsing.py."""

import json
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[3] / "bench" / "browsing.py"
MOST_TURN_MS = 10.0
MOST_BYTES = 100_000


def test_a_page_of_many_queues_or_keys_is_small_and_does_not_hold_up_the_broker() -> None:
    command = [sys.executable, str(BENCH), "--queues", "1000", "--keys", "10000", "--json"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    told = json.loads(result.stdout)
    assert {name: figures for name, figures in told.items() if figures["turn_ms"] > MOST_TURN_MS} == {}
    assert {name: figures for name, figures in told.items() if figures["bytes"] > MOST_BYTES} == {}
