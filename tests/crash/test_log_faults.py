"""A cluster on a network of its own is harmed under load, and what clients were told holds.

`make cluster-faults` does so 60 times, or as often as FAULTS says.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from cluster_checker import Outages
from cluster_network import UNSHARE, missing_network
from foreign_producers import OVER_PROTON, Confirmation, both_led
from log_servers import missing_server

FAULTS = int(os.environ.get("LASTVALUE_LOG_FAULTS", "4"))
CHECKER = Path(__file__).with_name("cluster_checker.py")


@pytest.mark.timeout(600 + 120 * FAULTS)
@pytest.mark.parametrize("brokers", [3, 1], ids=["followed", "alone"])
def test_what_clients_were_told_holds_whatever_befalls_the_cluster(tmp_path: Path, brokers: int) -> None:
    pytest.importorskip("nats", reason="needs `pip install 'lastvalue[cluster]'`")
    missing = missing_server() or missing_network()
    if missing is not None:
        pytest.skip(missing)
    seed = os.environ.get("LASTVALUE_SEED", str(random.randrange(2**32)))
    faults = FAULTS if brokers > 1 else max(2, FAULTS // 10)
    arguments = [str(tmp_path), "--faults", str(faults), "--brokers", str(brokers), "--seed", seed]
    # Its output is the test's own: after hours of work it should be visible when it has stopped.
    command = [*UNSHARE, sys.executable, str(CHECKER), *arguments]
    ended = subprocess.run(command, check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert ended.returncode == 0


def confirmed(process: str, began_s: float, ended_s: float) -> Confirmation:
    return Confirmation(OVER_PROTON, process, began_s, ended_s)


def test_two_processes_that_confirm_in_turn_are_found() -> None:
    once = [confirmed("a", 0, 1), confirmed("b", 2, 3)]
    assert both_led(once) == []
    # Told late, after the other had begun to confirm.
    assert both_led([*once, confirmed("a", 0.5, 9)]) == []
    assert both_led([*once, confirmed("a", 4, 5)]) == [("a", "b")]


def test_outages_are_counted_from_the_fault_to_another_leader_and_for_the_client_that_waited_longest() -> (
    None
):
    outages = Outages()
    history = [confirmed("a", 0, 1), confirmed("a", 9, 11), confirmed("b", 12, 14), confirmed("b", 14, 15)]
    outages.note("killed", "a", 10, history)
    assert outages.until_led == {"killed": [4]}
    assert outages.longest == {"killed": [3]}
