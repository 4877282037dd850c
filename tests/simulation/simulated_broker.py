"""A broker of a world: the whole server, with its turns, on a machine that crashes and starts again."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

from simulated_disk import PLACE, SimulatedDisk
from simulated_network import Network
from simulated_world import Machine, World

from lastvalue.broker.broker import Broker
from lastvalue.config.server_options import ServerOptions
from lastvalue.server.broker_server import BrokerServer
from lastvalue.server.open_store import StoreMachine, StoreSettings
from lastvalue.store.segments import StoreError
from lastvalue.store.store_journal import StoreOptions

PORT: Final = 5672
SEGMENT_BYTES: Final = 16 << 10
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

    def __init__(self, world: World, network: Network, name: str, options: ServerOptions) -> None:
        self.world = world
        self.machine = Machine(world, name)
        self.network = network
        self.options = options
        self.server: BrokerServer | None = None
        self.starts = 0
        self.lives = 0
        self._disk = SimulatedDisk(self.machine, {})
        self._task: asyncio.Task[Any] | None = None
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
        loop = self.machine.loop()
        loop.network = self.network
        self.stopping = False
        self._disk.on_crash = lambda: self.crash(power=True)
        self.lives += 1
        self._task = loop.run(self._serve())

    async def _serve(self) -> None:
        disk = self._disk
        server = BrokerServer(
            self.options,
            store=StoreSettings(
                PLACE,
                StoreOptions(segment_bytes=SEGMENT_BYTES, checks=True),
                machine=StoreMachine(disk, disk.lock, disk.room, disk.work),
            ),
            listen=self._listen,
        )
        try:
            await server.start()
        except StoreError as fault:
            self.world.break_law(f"{self.machine.name} does not start: {fault}")
            return
        except OSError as fault:
            self.world.note(f"{self.machine.name} cannot start: {fault}", failed_starts=1)
            self._end()
            self._again(STARTS_AGAIN_S)
            return
        self.starts += 1
        self.server = server
        self.world.note(f"{self.machine.name} serves", starts=1)
        assert server.ended is not None
        await server.ended
        self.world.note(f"{self.machine.name} ended itself", ended=1)
        await server.stop()
        self._end()
        self._again(STARTS_AGAIN_S)

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
        self._again(STARTS_AGAIN_S + self.world.chance.random())

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
        self.machine.loops[-1].run(self._stop(self.server, then))

    async def _stop(self, server: BrokerServer, then: Callable[[], None] | None) -> None:
        await server.stop()
        self.world.note(f"{self.machine.name} has stopped")
        self._end()
        (then or (lambda: self._again(STARTS_AGAIN_S)))()
