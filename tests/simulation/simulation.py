"""One run: a world, a history, and the laws at its quiet moments."""

import gc
import logging
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from clients import Client, Consumer, Publisher, Watching
from history import CONSUMERS, FATE, PUBLISHERS, ROUND_S, WATCHERS, History, Step
from laws import Laws, values_of
from ledger import Ledger
from simulated_broker import PORT, EventLog, SimulatedBroker
from simulated_network import Network
from simulated_world import World

from lastvalue.config.server_options import ServerOptions
from lastvalue.server.invariant_checks import VARIABLE

QUIET_S: Final = 120.0
"""So long everything may take to come to rest once it is repaired: the longest timeout, and a little."""

BROKER: Final = "broker"
OPTIONS: Final = ServerOptions(
    host=BROKER, port=PORT, memory_limit=64 << 20, disk_reserve=0, connection_rate=0, idle_timeout_ms=8_000
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to.

    Attributes:
        violation: the law that was broken, or None.
        simulated_s: how long it was in its world.
    """

    history: History
    violation: str | None
    simulated_s: float
    counts: Counter[str]
    digest: int
    callbacks: int
    trace: list[str]


class Simulation:
    """A world with one broker and its clients."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.world = World(history.seed)
        self.network = Network(self.world)
        self.ledger = Ledger()
        self.laws = Laws(self.world, self.ledger)

    def run(self) -> Outcome:
        """Run the history."""
        os.environ[VARIABLE] = "1"
        world = self.world
        log = logging.getLogger("lastvalue")
        handler = EventLog(world)
        level, propagates = log.level, log.propagate
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        log.propagate = False
        try:
            with world.time():
                self._live()
                # Coroutines of machines that have crashed end here, where they do nothing any more.
                world.forget()
                self.clients.clear()
                gc.collect()
        finally:
            log.removeHandler(handler)
            log.setLevel(level)
            log.propagate = propagates
        return Outcome(
            self.history,
            world.violation,
            world.now_s,
            world.counts,
            world.digest,
            world.callbacks,
            [*world.trace],
        )

    def _live(self) -> None:
        self.server = SimulatedBroker(self.world, self.network, BROKER, OPTIONS)
        self.server.start()
        self.clients: dict[str, Client] = {}
        for names, kind in ((PUBLISHERS, Publisher), (CONSUMERS, Consumer), (WATCHERS, Watching)):
            for name in names:
                self.clients[name] = self._client(kind, name)
        if not self._settle("the beginning"):
            return
        for number in sorted({each.round for each in self.history.steps}):
            self._round([each for each in self.history.steps if each.round == number])
            if not self._settle(f"round {number}"):
                return
        self._end()

    def _client(self, kind: Callable[..., Client], name: str) -> Client:
        url = f"amqp://{BROKER}:{PORT}"
        return kind(self.world, self.network, self.ledger, name, [url], lambda: self.server.lives)

    def _round(self, steps: list[Step]) -> None:
        began_s = self.world.now_s
        for step in steps:
            self.world.run_until(lambda: False, began_s + step.at_s - self.world.now_s)
            if step.who == FATE:
                self.world.note(f"fate: {step.verb} {step.args}", **{step.verb: 1})
                getattr(self, f"_{step.verb}")(*step.args)
            else:
                self.clients[step.who].give(step)
        self.world.run_until(lambda: False, began_s + ROUND_S - self.world.now_s)

    # ---- what breaks

    def _machine(self, name: str) -> Any:
        return self.server.machine if name == BROKER else self.clients[name].machine

    def _power(self, calls: int) -> None:
        if calls and self.server.machine.loops:
            self.server.disk.crash_at = calls
        else:
            self.server.crash(power=True)

    def _kill(self) -> None:
        self.server.crash(power=False)

    def _stop(self) -> None:
        self.server.stop()

    def _cut(self, name: str) -> None:
        self.world.counts["cut connections"] += self.network.cut(self._machine(name))

    def _half_open(self, name: str) -> None:
        self.world.counts["half-open connections"] += self.network.lose(self._machine(name))

    def _stall(self, name: str, length_s: float) -> None:
        self.network.blocked_until_s[name] = self.world.now_s + length_s

    def _failing_disk(self, length_s: float) -> None:
        self._harm_disk(length_s, "failing", True, False)

    def _full_disk(self, length_s: float) -> None:
        self._harm_disk(length_s, "full", True, False)

    def _slow_disk(self, length_s: float) -> None:
        self._harm_disk(length_s, "slow_s", 0.3, 0.0)

    def _harm_disk(self, length_s: float, what: str, value: object, repaired: object) -> None:
        disk = self.server.disk
        setattr(disk, what, value)
        self.world.wire.call_later(length_s, setattr, disk, what, repaired)

    def _clock(self, name: str, by_s: float) -> None:
        self._machine(name).set_s += by_s

    def _pace(self, name: str, pace: float) -> None:
        """The machine's clock goes faster or slower from its next start on, when its timers begin."""
        self.server.crash(power=False)
        machine = self._machine(name)
        machine.set_s += (machine.pace - pace) * self.world.now_s
        machine.pace = pace

    # ---- quiet

    def _settle(self, when: str) -> bool:
        """Repair everything, wait until all is done, and check the laws."""
        world, server = self.world, self.server
        disk = server.disk
        disk.crash_at, disk.failing, disk.full, disk.slow_s = 0, False, False, 0.0
        self.network.blocked_until_s.clear()
        if not world.run_until(self._is_quiet, QUIET_S):
            if world.violation is None:
                doing = [f"{each.name}: {each.doing}" for each in self.clients.values() if not each.is_idle]
                world.break_law(f"after {when} there is no rest: {self._restless()} {doing}")
            return False
        self.laws.check_broker(server)
        self.laws.check_replay(server)
        for client in self.clients.values():
            if isinstance(client, Watching):
                self.laws.check_view(client, server.broker)
        world.note(f"quiet after {when}", quiet_moments=1)
        return world.violation is None

    def _is_quiet(self) -> bool:
        return not self._restless()

    def _restless(self) -> str:
        server = self.server
        if not server.is_up or server.server is None:
            return "the broker is not up"
        if any(not each.is_idle for each in self.clients.values()):
            return "clients are not done"
        runtime = server.server._runtime
        journal = server.server._role.journal
        if runtime is None or journal.flushed < runtime.position or journal.waiting_bytes:
            return "the journal is not flushed"
        for client in self.clients.values():
            if isinstance(client, Watching):
                watcher = client.watcher
                if watcher is None or not watcher._complete.is_set():
                    return f"{client.name} is not complete"
                view = {str(key): each.body for key, each in watcher.items()}
                if view != (values := values_of(server.broker)):
                    return f"{client.name} sees {view}, the queue has {values}"
        return ""

    def _end(self) -> None:
        """All clients leave, and the broker starts once more."""
        world, server = self.world, self.server
        for client in self.clients.values():
            self.network.crash(client.machine, told=True)
            client.machine.end()
        broker = server.server
        assert broker is not None
        if not world.run_until(lambda: not broker.connections, QUIET_S):
            world.break_law("connections stay whose peers are gone")
            return
        world.run_until(lambda: False, 1.0)
        self.laws.check_end(server.broker)
        before = values_of(server.broker)
        starts = server.starts
        server.stop()
        if not world.run_until(lambda: server.is_up and server.starts > starts, QUIET_S):
            world.break_law("the broker does not start again")
            return
        world.run_until(lambda: False, 1.0)
        if values_of(server.broker) != before:
            world.break_law(f"a restart made {values_of(server.broker)} of {before}")
        self.laws.check_broker(server)


def simulate(history: History) -> Outcome:
    """Run a history in a new world.

    What refers to itself is freed afterwards: a collection would be at another moment in another process.
    """
    gc.collect()
    gc.disable()
    try:
        return Simulation(history).run()
    finally:
        gc.enable()
