"""A broker of a world: the whole server, with its turns, on a machine that crashes and starts again."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from simulated_disk import PLACE, SimulatedDisk
from simulated_log import LogServers, SimulatedStream, SimulatedThread
from simulated_network import Network
from simulated_world import Loop, Machine, World

from lastvalue.broker.broker import Broker
from lastvalue.cluster.appender import FencedError
from lastvalue.config.server_options import ServerOptions
from lastvalue.server.broker_server import BrokerServer
from lastvalue.server.open_store import StoreMachine, StoreSettings
from lastvalue.store.log_address import LogAddress
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.segments import StoreError
from lastvalue.store.store_contents import StoreContents, load_contents
from lastvalue.store.store_options import StoreOptions

PORT: Final = 5672
SEGMENT_BYTES: Final = 16 << 10
LEASE_MS: Final = 2_000
STARTS_AGAIN_S: Final = 0.5


class EventLog(logging.Handler):
    """Counts the events that the brokers log; what they call a fault breaks a law."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        name = text.partition(":")[0]
        self._world.counts[name] += 1
        if name in ("server.fault", "connection.failed"):
            fault = record.exc_info[1] if record.exc_info else None
            self._world.break_law(f"{self._world.machine.name} logs {text}: {fault!r}")


class SimulatedBroker:
    """One broker; a supervisor starts it again whenever it has ended.

    Attributes:
        server: that runs now, or None.
        starts: how often it was started.
    """

    def __init__(
        self,
        world: World,
        network: Network,
        name: str,
        options: ServerOptions,
        servers: LogServers | None = None,
    ) -> None:
        self.world = world
        self.machine = Machine(world, name)
        self.network = network
        self.options = replace(options, host=name, follow=servers is not None)
        self.servers = servers
        self.server: BrokerServer | None = None
        self.starts = 0
        self.lives = 0
        self._disk = SimulatedDisk(self.machine, {})
        self._task: asyncio.Task[Any] | None = None
        self._loop: Loop
        self.stopping = False

    @property
    def disk(self) -> SimulatedDisk:
        return self._disk

    @property
    def broker(self) -> Broker:
        assert self.server is not None
        return self.server.broker

    @property
    def is_up(self) -> bool:
        return self.server is not None and not self.stopping

    def start(self) -> None:
        """Start the program."""
        loop = self._loop = self.machine.loop()
        loop.network = self.network
        self.stopping = False
        self._disk.on_crash = lambda: self.crash(power=True)
        self.lives += 1
        self._task = loop.run(self._serve())

    async def _serve(self) -> None:
        server = BrokerServer(self.options, store=self._store(), listen=self._listen)
        try:
            await server.start()
        except StoreError as fault:
            if self._disk.before_flip is None:
                self.world.break_law(f"{self.machine.name} does not start: {fault}")
                return
            self.world.note(f"{self.machine.name} finds the bit: {fault}", **{"flips found": 1})
            before = self._disk.before_flip
            self._end()
            self._disk = SimulatedDisk(self.machine, before)
            self._again(STARTS_AGAIN_S)
            return
        except OSError as fault:
            self.world.note(f"{self.machine.name} cannot start: {fault}", failed_starts=1)
            self._end()
            self._again(STARTS_AGAIN_S)
            return
        self.starts += 1
        self.server = server
        self._disk.before_flip = None
        self.world.note(f"{self.machine.name} serves", starts=1)
        assert server.ended is not None
        cause = await server.ended
        fenced = isinstance(cause, FencedError)
        self.world.note(f"{self.machine.name} ended itself: {cause}", ended=1, fenced=fenced)
        await server.stop()
        self._end()
        self._again(STARTS_AGAIN_S)

    def _store(self) -> StoreSettings | LogSettings:
        options = StoreOptions(segment_bytes=SEGMENT_BYTES, checks=True)
        servers, machine, disk = self.servers, self.machine, self._disk
        if servers is None:
            return StoreSettings(PLACE, options, machine=StoreMachine(disk, disk.lock, disk.room, disk.work))
        return LogSettings(
            LogAddress(("servers:4222",), "L"),
            options,
            lease_ms=LEASE_MS,
            advertise=f"{machine.name}:{PORT}",
            thread=lambda: SimulatedThread(machine),
            stream=partial(SimulatedStream, servers, machine),
        )

    def stored(self) -> StoreContents:
        """What is on the disk."""
        return load_contents(PLACE, salvage=False, files=self._disk)

    @property
    def is_flushed(self) -> bool:
        """Whether all that has happened is in the store."""
        server = self.server
        if server is None or server._runtime is None:
            return False
        # One that the log does not answer keeps back what happens, until it is heard again.
        if server._runtime._scheduled or server._runtime._held:
            return False
        journal = server._role.journal
        return journal.flushed >= server._runtime.position and not journal.waiting_bytes

    @property
    def now_ms(self) -> int:
        """The time of its queues."""
        with self.world.on(self.machine):
            return 0 if self.server is None else self.server.now_ms

    @property
    def serves(self) -> bool:
        """Whether it may change the queues, and by its clock nobody else may."""
        with self.world.on(self.machine):
            return self.leads and self.server is not None and self.server._role.journal.leads

    @property
    def followed(self) -> int:
        """Up to where of the log this broker has what it follows."""
        follower = None if self.server is None else self.server._role.follower
        return 0 if follower is None else follower._position

    @property
    def connections(self) -> int:
        """How many clients are connected."""
        return 0 if self.server is None else self.server.connections

    @property
    def leads(self) -> bool:
        """Whether it may change the queues now."""
        return self.is_up and self.server is not None and self.server.broker.authorization.leader is None

    def _listen(self, options: ServerOptions, port: int) -> Any:
        return self.network.listen(self.machine, options.host, port)

    def crash(self, *, power: bool) -> None:
        """End the program at once; without power also what the disk had not yet."""
        if not self.machine.loops:
            return
        self.world.note(
            f"{self.machine.name} {'loses its power' if power else 'is killed'}",
            **{"power_losses" if power else "kills": 1},
        )
        self.network.crash(self.machine, told=not power)
        disk = self._disk
        disk.lost_power = True
        left = disk.after_power_loss(self.world.chance.randrange) if power else disk.after_kill()
        if left != disk.after_kill():
            self.world.counts["writes lost or torn"] += 1
        self._end()
        self._disk = SimulatedDisk(self.machine, left)
        self._disk.before_flip = disk.before_flip
        self._again(STARTS_AGAIN_S + self.world.chance.random())

    def change_a_bit(self) -> None:
        """Change a bit of the files; the program does not run."""
        disk = self._disk
        self._disk = SimulatedDisk(self.machine, disk.after_flip())
        self._disk.before_flip = disk.before_flip or disk.after_kill()

    def start_with_another_bit(self) -> None:
        """Start again after a stop, with a bit changed."""
        self.change_a_bit()
        self._again(STARTS_AGAIN_S)

    def _end(self) -> None:
        self.server = None
        self.machine.end()

    def _again(self, after_s: float) -> None:
        life = self.lives
        wire = self.world.wire
        wire.call_later(
            after_s, lambda: self.start() if life == self.lives and not self.machine.loops else None
        )

    def stop(self, then: Callable[[], None] | None = None) -> None:
        """Stop in order, and start again."""
        if self.server is None or self.stopping:
            return
        self.stopping = True
        self.world.note(f"{self.machine.name} stops in order", stops=1)
        self._loop.run(self._stop(self.server, then))

    async def _stop(self, server: BrokerServer, then: Callable[[], None] | None) -> None:
        await server.stop()
        self.world.note(f"{self.machine.name} has stopped")
        self._end()
        (then or (lambda: self._again(STARTS_AGAIN_S)))()
