"""Under every attack other clients are served in time, and the broker's memory is bounded.

`make abuse` is the long form.
"""

import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

import psutil
import pytest
import trustme
from admission_attacks import HTTP_ATTACKS
from attacked_broker import MIB, PEER_FAULTS, World
from attacks import ATTACKS
from bystander import Bystander
from served_broker import ServedBroker

from lastvalue.client import blocking
from lastvalue.server.build import is_compiled
from lastvalue.server.users import Users

pytestmark = pytest.mark.interop

SECONDS = float(os.environ.get("LASTVALUE_ABUSE_S", "0.3"))
LONG = SECONDS >= 5
MANY = 100_000 if LONG else 2_000
"""Messages of a large queue; a tenth as many links, and a twentieth as many queues."""
P99_MS = 250 if not LONG else 30 if is_compiled() else 150
"""What 99 of 100 round trips of others may take; the short form has too few to find any but gross faults.

A step of a long command is of so many messages, which take longer in plain Python.
"""
ROUNDS = 5
SLACK_MS = 0.5 if LONG and is_compiled() else 25
"""What a step of the broker's own work for the callers may take beside; in the short form there are too few
round trips to find any but gross faults.
"""
LET_IN_WITHIN_S = 1.0 if LONG else 5.0
MEMORY_LIMIT = 300_000_000
USER = ("ann", "open sesame")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    files = tmp_path_factory.mktemp("abuse")
    trustme.CA().issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(files / "server.pem")
    users = Users(files / "users.toml")
    users.put(*USER, None)
    users.put("anonymous", "nobody signs in with it", None)
    with ServedBroker(
        "--anonymous",
        *("--users-file", str(files / "users.toml"), "--tls-certificate", str(files / "server.pem")),
        *("--tls-port", "0", "--ws-port", "0", "--health-port", "0", "--http-port", "0"),
        *("--memory-limit", str(MEMORY_LIMIT)),
    ) as broker:
        tls, web, health, http = [announced_port(broker) for _ in range(4)]
        yield World(broker, MANY, USER, tls, web, health, http)


def announced_port(broker: ServedBroker) -> int:
    return int(broker.announced("").rpartition(":")[2].partition("/")[0])


@pytest.fixture(scope="module")
def bystander(world: World) -> Iterator[Bystander]:
    with Bystander(world.broker.url, world.broker.process.pid) as bystander:
        yield bystander


@pytest.mark.parametrize("name", ATTACKS)
def test_others_are_served_in_time_and_memory_is_bounded(
    name: str, world: World, bystander: Bystander
) -> None:
    attack, allowed_bytes = ATTACKS[name]
    process = psutil.Process(world.broker.process.pid)
    before, began_s = process.memory_info().rss, time.monotonic()
    world.begin(SECONDS)
    faults: Counter[str] = Counter()
    rounds = repeated(attack, world, faults)
    after = process.memory_info().rss
    bystander.wait_for_round_trip(time.monotonic())
    waits = bystander.waits(began_s)
    world.clear()
    print(f"{name}: {before / MIB:.0f} -> {after / MIB:.0f} MiB; {waits}; {rounds} rounds, {dict(faults)}")
    assert waits.p99_ms < P99_MS
    assert after - before < allowed_bytes


@pytest.mark.parametrize("attack", [each for each, _ in HTTP_ATTACKS])
def test_load_on_http_holds_up_others_no_longer_than_a_busy_process(
    attack: Callable[[World], None], world: World, bystander: Bystander
) -> None:
    loaded: list[float] = []
    beside: list[float] = []
    for _ in range(ROUNDS):
        with busy_process():
            beside.append(p99_meanwhile(World.wait, world, bystander))
        loaded.append(p99_meanwhile(attack, world, bystander))
    print(f"{attack.__name__}: p99 {loaded} ms, beside a busy process {beside} ms")
    assert median(loaded) < 1.5 * median(beside) + SLACK_MS


@contextmanager
def busy_process() -> Iterator[None]:
    """A process that only computes."""
    with subprocess.Popen([sys.executable, "-c", "while True: sum(range(10_000))"]) as process:
        try:
            yield
        finally:
            process.kill()


def p99_meanwhile(attack: Callable[[World], None], world: World, bystander: Bystander) -> float:
    """The p99 of another client's round trips while there is an attack."""
    began_s = time.monotonic()
    world.begin(SECONDS)
    repeated(attack, world, Counter())
    bystander.wait_for_round_trip(time.monotonic())
    waits = bystander.waits(began_s)
    world.clear()
    return waits.p99_ms


def repeated(attack: Callable[[World], None], world: World, faults: Counter[str]) -> int:
    """Attack until the time is over; how often."""
    rounds = 0
    while not world.over:
        rounds += 1
        try:
            attack(world)
        except PEER_FAULTS as fault:
            faults[repr(fault)[:100]] += 1
    return rounds


@pytest.mark.parametrize(
    "name", ["connections", "silent_handshakes", "handshakes", "web_sockets", "passwords"]
)
def test_a_new_client_is_let_in_in_time(name: str, world: World) -> None:
    attack, _ = ATTACKS[name]
    world.begin(SECONDS)
    flood = threading.Thread(target=repeated, args=(attack, world, Counter()))
    flood.start()
    waits: list[float] = []
    while not world.over:
        began_s = time.monotonic()
        with blocking.connect(world.broker.url):
            waits.append(time.monotonic() - began_s)
    flood.join()
    print(f"{name}: {len(waits)} new clients were let in within {max(waits):.3f} s")
    assert max(waits) < LET_IN_WITHIN_S
