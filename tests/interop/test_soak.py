"""Mixed clients come and go all the time: what the broker has at the end it had after the warm-up.

`make soak` runs for half an hour; LASTVALUE_SOAK_S says how many seconds.
"""

import os
import select
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil
import pytest
from bystander import Bystander
from java_project import built
from node_packages import HAS_NODE, installed_modules
from rhea_client import PROJECT, Rhea
from rounds import Round, artemis_client, core_client, own_client, proton_client, rhea_client, rude_peer
from served_broker import ServedBroker

SOAK_S = float(os.environ.get("LASTVALUE_SOAK_S", "2"))
WARM_UP_S = max(1.0, SOAK_S / 10)
MIB = 1 << 20
ALLOWED_GROWTH_BYTES = 3 * MIB
QUIET_S = 30

pytestmark = [pytest.mark.interop, pytest.mark.timeout(900 + 2 * SOAK_S)]


class Mix:
    """Every kind of client in a thread of its own, one round after the other, inside the `with` block.

    Attributes:
        done: the rounds by the name of the kind.
    """

    def __init__(self, rounds: dict[str, Round], done: dict[str, int]) -> None:
        self.done = done
        self._over = threading.Event()
        self._faults: list[Exception] = []
        self._threads = [threading.Thread(target=self._run, args=item) for item in rounds.items()]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()
        if self._faults and error is None:
            raise ExceptionGroup("rounds failed", self._faults)

    def go_on(self, seconds: float) -> None:
        """Return after so long, or when one has failed."""
        self._over.wait(seconds)

    def _run(self, name: str, once: Round) -> None:
        while not self._over.is_set():
            try:
                once(self.done[name])
            except Exception as error:  # noqa: BLE001 - it is raised where the block ends
                self._faults.append(error)
                self._over.set()
                return
            self.done[name] += 1


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[ServedBroker]:
    """A broker of the soak's own, with a store."""
    with ServedBroker("--store", str(tmp_path / "store")) as served:
        yield served
        code, _, complaints = served.stop()
        assert (code, complaints) == (0, "")


@pytest.fixture
def rounds(broker: ServedBroker) -> Iterator[dict[str, Round]]:
    """What each kind of client does; those of Node and Java where these are."""
    found = rounds_on(broker)
    try:
        java = built(Path(__file__).parent / "artemis")
    except pytest.skip.Exception as reason:
        print(f"without Artemis's client: {reason}")
        yield found
        return
    with artemis_client(broker, java) as found["Artemis JMS"]:
        yield found


def rounds_on(broker: ServedBroker) -> dict[str, Round]:
    rounds = {
        "own client": own_client(broker),
        "proton": proton_client(broker),
        "CORE": core_client(broker),
        "rude peer": rude_peer(broker),
    }
    if HAS_NODE:
        rounds["rhea"] = rhea_client(broker, Rhea(broker, installed_modules(PROJECT)))
    return rounds


def at_rest(broker: ServedBroker) -> tuple[int, int]:
    """Descriptors and memory in bytes, when everybody has gone."""
    process = psutil.Process(broker.process.pid)
    ends_s = time.monotonic() + QUIET_S
    while any(each.status == psutil.CONN_ESTABLISHED for each in process.net_connections()):
        assert time.monotonic() < ends_s, "connections are left that nobody has"
        select.select([], [], [], 0.05)
    return process.num_fds(), process.memory_info().rss


def test_a_broker_among_mixed_clients_keeps_its_size(broker: ServedBroker, rounds: dict[str, Round]) -> None:
    done = dict.fromkeys(rounds, 0)
    with Bystander(broker.url, broker.process.pid), Mix(rounds, done) as mix:
        mix.go_on(WARM_UP_S)
    descriptors, memory_bytes = at_rest(broker)
    warm = dict(done)
    with Bystander(broker.url, broker.process.pid) as bystander, Mix(rounds, done) as mix:
        for minute in range(int(SOAK_S // 60)):
            mix.go_on(60)
            now_bytes = psutil.Process(broker.process.pid).memory_info().rss
            print(f"after {minute + 1} min: {now_bytes / MIB:.1f} MiB; {done}", flush=True)
        mix.go_on(SOAK_S % 60)
    after = at_rest(broker)
    print(f"{SOAK_S:.0f} s of {done}, {WARM_UP_S:.0f} s of it to warm up; {bystander.waits()}")
    print(f"descriptors {descriptors} -> {after[0]}")
    print(f"memory {memory_bytes / MIB:.1f} -> {after[1] / MIB:.1f} MiB")
    assert all(done[name] > warm[name] for name in rounds)
    assert after[0] == descriptors
    assert after[1] - memory_bytes < ALLOWED_GROWTH_BYTES
