"""One run: a world, a history, and the laws at its quiet moments."""

import gc
import logging
import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import pytest
from history import (
    AMQP010_CONSUMERS,
    AMQP010_PUBLISHERS,
    AMQP091_CONSUMERS,
    AMQP091_PUBLISHERS,
    CONSUMERS,
    CORE_CONSUMERS,
    CORE_PUBLISHERS,
    FATE,
    MQTT_PUBLISHERS,
    MQTT_SUBSCRIBERS,
    PUBLISHERS,
    ROUND_S,
    WATCHERS,
    History,
    Step,
)
from laws import Laws, values_of
from ledger import Ledger
from simulated_amqp010 import Amqp010Consumer, Amqp010Publisher
from simulated_amqp091 import Amqp091Consumer, Amqp091Publisher
from simulated_broker import PORT, EventLog, SimulatedBroker
from simulated_clients import Client, Consumer, Publisher, Watching
from simulated_core import TTL_MS, CoreConsumer, CorePublisher
from simulated_log import LogServers
from simulated_mqtt import MqttPublisher, MqttSubscriber
from simulated_network import Network
from simulated_world import Machine, World

from lastvalue.config.server_options import ServerOptions
from lastvalue.server.invariant_checks import VARIABLE

QUIET_S: Final = 120.0
"""So long everything may take to come to rest once it is repaired: the longest timeout, and a little."""

KILLED_AFTER_S: Final = 0.5
"""So long a broker goes on that nobody hears, or that writes nothing, before it is killed."""

OPTIONS: Final = ServerOptions(
    port=PORT, memory_limit=64 << 20, disk_reserve=0, connection_rate=0, idle_timeout_ms=8_000
)


Kinds: TypeAlias = tuple[tuple[tuple[str, ...], Callable[..., Client]], ...]
KINDS: Final[Kinds] = (
    (PUBLISHERS, Publisher),
    (CONSUMERS, Consumer),
    (WATCHERS, Watching),
    (MQTT_PUBLISHERS, MqttPublisher),
    (MQTT_SUBSCRIBERS, MqttSubscriber),
    (AMQP091_PUBLISHERS, Amqp091Publisher),
    (AMQP091_CONSUMERS, Amqp091Consumer),
    (AMQP010_PUBLISHERS, Amqp010Publisher),
    (AMQP010_CONSUMERS, Amqp010Consumer),
    (CORE_PUBLISHERS, CorePublisher),
    (CORE_CONSUMERS, CoreConsumer),
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
    """A world with its brokers and clients."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.world = World(history.seed)
        self.network = Network(self.world)
        self.ledger = Ledger()
        self.laws = Laws(self.world, self.ledger)
        # Brokers that a fault will kill.
        self.condemned = 0

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
                world.forget()
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
        world, network = self.world, self.network
        names = [f"broker-{number + 1}" for number in range(self.history.brokers)]
        self.log = LogServers(world, network) if len(names) > 1 else None
        self.servers = {name: SimulatedBroker(world, network, name, OPTIONS, self.log) for name in names}
        if self.log is not None:
            self.log.on_term = self._check_one_serves
        for server in self.servers.values():
            server.start()
        self.clients: dict[str, Client] = {}
        present = {*PUBLISHERS, *CONSUMERS, *WATCHERS, *self.history.others}
        for clients, kind in KINDS:
            for number, name in enumerate(each for each in clients if each in present):
                self.clients[name] = self._client(kind, name, number)
        if not self._settle("the beginning"):
            return
        for number in sorted({each.round for each in self.history.steps}):
            self._round([each for each in self.history.steps if each.round == number])
            if not self._settle(f"round {number}"):
                return
        self._end()

    def _client(self, kind: Callable[..., Client], name: str, number: int) -> Client:
        urls = [f"amqp://{broker}:{PORT}" for broker in self.servers]
        # They begin with different brokers.
        number %= len(urls)
        return kind(self.world, self.network, self.ledger, name, urls[number:] + urls[:number], self._lives)

    def _lives(self) -> int:
        """How often what readers have seen and nobody has confirmed may have been lost."""
        return 0 if self.log is not None else sum(each.lives for each in self.servers.values())

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

    def _machine(self, name: str) -> Machine:
        return self.servers[name].machine if name in self.servers else self.clients[name].machine

    def _power(self, name: str, calls: int) -> None:
        server = self.servers[name]
        if calls and server.machine.loops:
            server.disk.crash_at = calls
        else:
            server.crash(power=True)

    def _kill(self, name: str) -> None:
        self.servers[name].crash(power=False)

    def _unheard(self, name: str) -> None:
        """A broker stores what comes, nobody gets its confirmations, and it is killed."""
        self.network.lose(self._machine(name))
        self._kill_later(name)

    def _unwritten(self, name: str) -> None:
        """A broker shows what comes, its disk has not taken it yet, and it is killed."""
        self._slow_disk(name, KILLED_AFTER_S)
        self._kill_later(name)

    def _kill_later(self, name: str) -> None:
        life = self.servers[name].lives
        self.condemned += 1

        def kill() -> None:
            self.condemned -= 1
            if self.servers[name].lives == life:
                self._kill(name)

        self.world.wire.call_later(KILLED_AFTER_S, kill)

    def _stop(self, name: str) -> None:
        self.servers[name].stop()

    def _step_down(self) -> None:
        for server in self.servers.values():
            if server.leads:
                server.stop()
                return

    def _flip(self, name: str, stops: bool) -> None:
        """A broker stops in order, or is killed, and a bit of its files is another one at its next start."""
        server = self.servers[name]
        if stops:
            server.stop(server.start_with_another_bit)
        else:
            self._kill(name)
            server.change_a_bit()

    def _cut(self, name: str) -> None:
        self.world.counts["cut connections"] += self.network.cut(self._machine(name))

    def _half_open(self, name: str) -> None:
        self.world.counts["half-open connections"] += self.network.lose(self._machine(name))

    def _stall(self, name: str, length_s: float) -> None:
        self.network.blocked_until_s[name] = self.world.now_s + length_s

    def _failing_disk(self, name: str, length_s: float) -> None:
        self._harm_disk(name, length_s, "failing", True, False)

    def _full_disk(self, name: str, length_s: float) -> None:
        self._harm_disk(name, length_s, "full", True, False)

    def _slow_disk(self, name: str, length_s: float) -> None:
        self._harm_disk(name, length_s, "slow_s", 0.3, 0.0)

    def _harm_disk(self, name: str, length_s: float, what: str, value: object, repaired: object) -> None:
        disk = self.servers[name].disk
        setattr(disk, what, value)
        self.world.wire.call_later(length_s, setattr, disk, what, repaired)

    def _clock(self, name: str, by_s: float) -> None:
        self._machine(name).set_s += by_s

    def _pace(self, name: str, pace: float) -> None:
        """The machine's clock goes faster or slower from its next start on, when its timers begin."""
        self.servers[name].crash(power=False)
        machine = self._machine(name)
        machine.set_s += (machine.pace - pace) * self.world.now_s
        machine.pace = pace

    def _part(self, name: str, length_s: float) -> None:
        """A broker does not reach the log's servers, while clients reach it."""
        assert self.log is not None
        self.log.cut_off.add(name)
        self.world.wire.call_later(length_s, self.log.cut_off.discard, name)

    def _elect(self, length_s: float) -> None:
        assert self.log is not None
        self.log.elect(length_s)

    def _slow_log(self, length_s: float) -> None:
        assert self.log is not None
        self.log.slow_s = 0.3
        self.world.wire.call_later(length_s, setattr, self.log, "slow_s", 0.0)

    def _full_log(self, length_s: float) -> None:
        """The log's servers have no room for some of the appends."""
        assert self.log is not None
        self.log.full = 0.5
        self.world.wire.call_later(length_s, setattr, self.log, "full", 0.0)

    def _cut_log(self, name: str) -> None:
        assert self.log is not None
        self.log.cut(self._machine(name))

    # ---- quiet

    def _settle(self, when: str) -> bool:
        """Repair everything, wait until all is done, and check the laws."""
        world = self.world
        for server in self.servers.values():
            disk = server.disk
            disk.crash_at, disk.failing, disk.full, disk.slow_s = 0, False, False, 0.0
        self.network.blocked_until_s.clear()
        if self.log is not None:
            self.log.cut_off.clear()
            self.log.slow_s = self.log.full = 0.0
        if not world.run_until(self._is_quiet, QUIET_S):
            if world.violation is None:
                doing = [f"{each.name}: {each.doing}" for each in self.clients.values() if not each.is_idle]
                world.break_law(f"after {when} there is no rest: {self._restless()} {doing}")
            return False
        self._check()
        world.note(f"quiet after {when}", quiet_moments=1)
        return world.violation is None

    def _check(self) -> None:
        leader = self._leader()
        assert leader is not None
        self.laws.check_broker(leader.broker)
        self.laws.check_deadlines(leader.broker, leader.now_ms)
        stored = leader.stored() if self.log is None else self.log.contents()
        self.laws.compare(leader.broker, stored)
        for server in self.servers.values():
            if server is not leader:
                self.laws.compare_brokers(leader.broker, server.broker)
        for client in self.clients.values():
            if isinstance(client, Watching):
                self.laws.check_view(client, leader.broker)

    def _check_one_serves(self, machine: Machine) -> None:
        """When a broker begins a term no other one serves any more."""
        for server in self.servers.values():
            if server.machine is not machine and server.serves:
                self.world.break_law(f"{server.machine.name} serves when {machine.name} begins a term")

    def _leader(self) -> SimulatedBroker | None:
        return next((each for each in self.servers.values() if each.leads), None)

    def _leads(self) -> bool:
        return self._leader() is not None

    def _is_quiet(self) -> bool:
        return not self._restless()

    def _restless(self) -> str:
        if any(not each.is_idle for each in self.clients.values()):
            return "clients are not done"
        if self.condemned:
            return "a broker is to be killed"
        leader = self._leader()
        if leader is None or not all(each.is_up for each in self.servers.values()):
            return "no broker leads, or one is not up"
        if not leader.is_flushed:
            return "the journal is not flushed"
        if waiting := [
            each.spec.name
            for each in leader.broker.queues()
            if each.spec.name.endswith(f"{MQTT_SUBSCRIBERS[0]}/mqtt") and each.contents.depth
        ]:
            return f"messages wait in {waiting}"
        values = values_of(leader.broker)
        for server in self.servers.values():
            if server is not leader and self.log is not None and server.followed < self.log.last:
                return f"{server.machine.name} has not followed up to {self.log.last}"
        for client in self.clients.values():
            if isinstance(client, Watching):
                watcher = client.watcher
                if watcher is None or not watcher._complete.is_set():
                    return f"{client.name} is not complete"
                view = {str(key): each.body for key, each in watcher.items()}
                if view != values:
                    return f"{client.name} sees {view}, the queue has {values}"
        return ""

    def _end(self) -> None:
        """All clients leave, and all brokers start once more."""
        world = self.world
        for client in self.clients.values():
            self.network.crash(client.machine, told=True)
            client.machine.end()
        everyone = list(self.servers.values())
        if not world.run_until(lambda: not any(each.connections for each in everyone), QUIET_S):
            world.break_law("connections stay whose peers are gone")
            return
        # Sessions that go on with another connection are kept for so long.
        keeps = any(isinstance(each, CorePublisher | CoreConsumer) for each in self.clients.values())
        world.run_until(lambda: False, 1.0 + (TTL_MS / 1000 if keeps else 0.0))
        leader = self._leader()
        if leader is None:
            world.break_law("nobody leads any more")
            return
        self.laws.check_end(leader.broker)
        before = values_of(leader.broker)
        for each in everyone:
            each.stop()
        if not world.run_until(lambda: all(each.is_up for each in everyone) and self._leads(), QUIET_S):
            world.break_law("the brokers do not start again")
            return
        world.run_until(lambda: False, 1.0)
        leader = self._leader()
        assert leader is not None
        if values_of(leader.broker) != before:
            world.break_law(f"a restart made {values_of(leader.broker)} of {before}")
        self.laws.check_broker(leader.broker)


def simulate(history: History) -> Outcome:
    """Run a history in a new world.

    What refers to itself is freed afterwards: a collection would be at another moment in another process.
    """
    gc.disable()
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        # Coroutines of machines that have crashed end at last, or never begin; they can do nothing any more.
        warnings.simplefilter("ignore", RuntimeWarning)
        patch.setattr(sys, "unraisablehook", lambda _: None)
        try:
            outcome = Simulation(history).run()
        finally:
            gc.enable()
            gc.collect()
    return outcome
