"""A listening broker: `lastvalue serve` runs it, tests and programs embed it."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self
from uuid import uuid4

from lastvalue import __version__
from lastvalue.broker.administration.clock_requests import Time
from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_checks import QueueChecks
from lastvalue.broker.statistics.blocked_queues import BlockedQueues
from lastvalue.broker.statistics.connections import Unfinished
from lastvalue.compat.qpid.qmf.agent import Agent
from lastvalue.config.configuration import Configuration
from lastvalue.config.server_options import ServerOptions
from lastvalue.delivery.slow_consumers import SlowConsumers
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.core.broker_state import BrokerState as CoreState
from lastvalue.frontends.mqtt.broker_state import BrokerState as MqttState
from lastvalue.frontends.mqtt.broker_state import MqttSettings
from lastvalue.frontends.mqtt.retained_queues import RetainedQueues
from lastvalue.server.authentication import policy_of, users_of
from lastvalue.server.clock import Clock, ClockWatch
from lastvalue.server.drain import drain
from lastvalue.server.gateway_process import GatewayProcess
from lastvalue.server.health import HealthListener
from lastvalue.server.invariant_checks import checks_invariants
from lastvalue.server.limits import Limits, limit_accounts, watermarks_of
from lastvalue.server.listener import Listen, listen
from lastvalue.server.listeners import Listeners
from lastvalue.server.live_settings import LiveSettings
from lastvalue.server.log_events import (
    CONFIG_NONE,
    SERVER_STOPPED,
    SERVER_STOPPING,
    STORE_HELD,
    STORE_NEWER,
    STORE_RESUMED,
    STORE_TAKEN_OVER,
)
from lastvalue.server.log_level_switch import switch_log_levels
from lastvalue.server.log_observations import log_aged_queue, log_blocked_queue, log_slow_consumer
from lastvalue.server.offered_versions import core_state_of, offered_versions, web_versions
from lastvalue.server.open_connections import CLOSE_TIMEOUT_S, HAND_OVER_TIMEOUT_S, OpenConnections
from lastvalue.server.open_store import StoreSettings, advertised_address, store_from
from lastvalue.server.runtime import Runtime
from lastvalue.server.served_configuration import ServedConfiguration
from lastvalue.server.server_cluster import ServerCluster
from lastvalue.server.server_process import ServerProcess
from lastvalue.server.store_role import StoreRole
from lastvalue.server.tls import tls_options
from lastvalue.store.journal import Journal
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.segments import NewerVersionError, StoreError

__all__ = ["BrokerServer", "ServerOptions"]

FLUSH_TIMEOUT_S: Final = 5.0
STOP_TIMEOUT_S: Final = FLUSH_TIMEOUT_S + 2 * CLOSE_TIMEOUT_S
"""How long `stop` takes at most, but for the last write to the store."""

_LOOKS_EVERY_S: Final = 1.0


class BrokerServer:
    """A listening broker, as an async context manager.

    Args:
        options: its settings.
        journal: takes what happens, of a broker without a store.
        store: overrides the store of the options.
        clock: the time of the queues.
        listen: opens the socket of a port.
    """

    def __init__(
        self,
        options: ServerOptions | None = None,
        journal: Journal | None = None,
        store: StoreSettings | LogSettings | None = None,
        clock: Clock | None = None,
        listen: Listen = listen,
    ) -> None:
        self.settings = LiveSettings(options or ServerOptions())
        self.broker = Broker(all_effects=False)
        self.ended: asyncio.Future[StoreError | None] | None = None
        self.gateway: GatewayProcess | None = None
        self.health_port = 0
        self._clock = clock or Clock()
        if self._clock.is_manual:
            self.broker.time = _QueueTime(self)
        self.serve_configuration(None)
        self._observe()
        self._broker_state, self._core_state = self._make_domain()
        self._mqtt_state = MqttState(
            self.broker,
            MqttSettings(self.options.mqtt_max_session_messages, self.options.mqtt_max_session_expiry_s),
        )
        users = self.broker.users = users_of(self.options)
        self._authentication = policy_of(self.options, users)
        if users is not None:
            self._authentication.on_changed = self._permissions_changed
            self.broker.authorization.permissions = users.permissions
        self._connections = OpenConnections()
        self._listeners = Listeners(
            self.settings,
            self._authentication,
            lambda options: offered_versions(options, self._broker_state, self._core_state, self._mqtt_state),
            lambda options: web_versions(options, self._mqtt_state),
            self._connections,
            listen,
        )
        self._store_settings = store or store_from(self.options)
        self._role = StoreRole(self.settings, self.broker, self._broker_state.branches, self._clock, journal)
        self._limits: Limits | None = None
        self._runtime: Runtime | None = None
        self.settings.takers += [
            self._listeners.take_settings,
            self._authentication.take_settings,
            self._take_settings,
            self._connections.take_settings,
        ]
        self._cluster: ServerCluster | None = None
        self._process = self.broker.process = ServerProcess(
            self._role.store_journal, self._role.free_bytes, self._memory_limit, self._known
        )
        self._health = HealthListener(
            self._unready,
            lambda: {} if self.broker.cluster is None else self.broker.cluster.state(),
            lambda: None if self.gateway is None else self.gateway.lack,
            lambda: self.broker.authorization.leader,
        )
        self._next_look: asyncio.TimerHandle | None = None
        self._clock_watch = ClockWatch()
        self._stopping_s: float | None = None
        self._stopped = False

    @property
    def retained_queues(self) -> RetainedQueues:
        """The queues of MQTT's retained messages."""
        return self._mqtt_state.retained

    @property
    def options(self) -> ServerOptions:
        """The options as they are now."""
        return self.settings.options

    @property
    def port(self) -> int:
        """The port of all protocols that are offered; 0 before the server listens."""
        return self._listeners.ports.get("amqp", 0)

    @property
    def tls_port(self) -> int:
        """The port of `port` over TLS; 0 if there is none."""
        return self._listeners.ports.get("amqps", 0)

    @property
    def core_port(self) -> int:
        """The port for clients of Artemis; 0 if there is none."""
        return self._listeners.ports.get("tcp", 0)

    @property
    def mqtt_port(self) -> int:
        """The port for clients of MQTT; 0 if there is none."""
        return self._listeners.ports.get("mqtt", 0)

    @property
    def mqtt_tls_port(self) -> int:
        """The port for clients of MQTT over TLS; 0 if there is none."""
        return self._listeners.ports.get("mqtts", 0)

    @property
    def ws_port(self) -> int:
        """The port of AMQP and MQTT over WebSocket; 0 if there is none."""
        return self._listeners.ports.get("ws", 0)

    @property
    def wss_port(self) -> int:
        """The port of AMQP and MQTT over WebSocket and TLS; 0 if there is none."""
        return self._listeners.ports.get("wss", 0)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def recover(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Restore the store's content onto the broker; `start` does so if this was not called.

        Raises:
            StoreError: the store is in use, damaged, or of a later format.
            OSError: its directory cannot be used.
        """
        place, role = self._store_settings, self._role
        if place is None or role.store is not None or role.follower is not None:
            return
        # Durable subscriptions to its notifications are bound again.
        self._core_state.begin()
        self.broker.stores = True
        if isinstance(place, LogSettings):
            self._cluster = self.broker.cluster = ServerCluster(
                lambda: self.options,
                self._address,
                lambda: role.follower,
                lambda: role.store,
                lambda: self._end(None),
            )
        role.recover(place, progress)

    def _address(self) -> str:
        return advertised_address(self.options, self.port)

    async def start(self) -> None:
        """Recover the store, and listen.

        Raises:
            StoreError: the store cannot be used.
            TlsError: the certificate cannot be used.
            OSError: the address cannot be listened on.
        """
        self.recover()
        self._listeners.open()
        if self.options.health_port is not None:
            try:
                self.health_port = await self._health.start(
                    self.options.health_host, self.options.health_port
                )
            except BaseException:
                self._listeners.close()
                raise
        limit_accounts(self.broker, self.options)
        limits = self._limits = Limits(
            self.broker, self._role.journal, watermarks_of(self.options), self._role.disk
        )
        runtime = self._runtime = Runtime(self.broker, self._role.journal, self._clock, limits)
        runtime.on_hold, runtime.on_end = self._hold, self._end
        self.ended = asyncio.get_running_loop().create_future()
        limits.start(asyncio.get_running_loop())
        self._process.start(self._clock.now_ms())
        # Recovered messages count before any producer gets credit.
        runtime.schedule()
        self._look_regularly()
        self._listeners.start(runtime)
        self._role.start(self._address(), runtime, limits)

    def _look_regularly(self) -> None:
        """Check the users file, so that a revoked right ends soon, and the system's clock."""
        self._next_look = asyncio.get_running_loop().call_later(_LOOKS_EVERY_S, self._look_regularly)
        self._authentication.refresh()
        self._clock_watch.look()

    def _hold(self, held: bool) -> None:  # noqa: FBT001 - a callback
        """Read nothing from peers while nothing may be served."""
        (STORE_HELD if held else STORE_RESUMED).log(directory=self._role.name)
        if held:
            self._connections.stop_reading()
        else:
            self._connections.resume_reading()

    def _end(self, cause: StoreError | None) -> None:
        """Drop every connection, with what waits in it: it may be stale; without a cause, end in order.

        Where a newer version has written the log the process stays, because another start would not help.
        """
        if self.ended is None or self.ended.done():
            return
        if isinstance(cause, NewerVersionError):
            STORE_NEWER.log(cause=cause)
            self._listeners.close()
            self._connections.abort()
            # Those that were about to open.
            asyncio.get_running_loop().call_later(_LOOKS_EVERY_S, self._connections.abort)
            return
        self.ended.set_result(cause)
        if cause is None:
            return
        STORE_TAKEN_OVER.log(cause=cause)
        self._stop_listening()
        self._connections.abort()

    def _permissions_changed(self) -> None:
        self._connections.end_revoked()
        self.broker.permissions_changed(self._clock.now_ms())
        if self._runtime is not None:
            self._runtime.schedule()

    def serve_configuration(
        self, file: Path | None, options_of: Callable[[Configuration], ServerOptions] | None = None
    ) -> None:
        """Let `reload_configuration`, and requests of administrators, read this file again and apply it.

        `options_of` gives the options that a configuration asks for; without it the settings stay.
        """
        self._configuration = ServedConfiguration(file, self.broker, self.settings, self._clock, options_of)
        self.broker.configuration_file = self._configuration

    def _take_settings(self, before: ServerOptions, options: ServerOptions) -> None:
        files = tls_options(options)
        if self.gateway is not None and files is not None and files != tls_options(before):
            self.gateway.use_certificate(files)
        limit_accounts(self.broker, options)
        if self._limits is not None:
            self._limits.adjust(watermarks_of(options))

    def reload_configuration(self) -> None:
        """Read the configuration file again, if there is one, and apply what differs; the log tells."""
        if not self._configuration.has_file:
            CONFIG_NONE.log()
            return
        self._configuration.reload(prune=False, dry_run=False)
        if self._runtime is not None:
            self._runtime.schedule()

    async def drain(self, hurried: asyncio.Event) -> Unfinished:
        """Stop listening, and let peers finish what they have begun; see `drain`. Then call `stop`.

        It takes at most `drain_timeout_ms`, or until `hurried` is set.
        """
        self._stop_listening()
        return await drain(self.broker, self.options.drain_timeout_ms / 1000, hurried)

    def _stop_listening(self) -> None:
        if self._stopping_s is None:
            self._stopping_s = time.monotonic()
            SERVER_STOPPING.log(connections=len(self._connections))
            self._listeners.close()

    async def stop(self) -> None:
        """Stop listening, confirm all messages, close the connections with a reason, and close.

        It takes no longer than STOP_TIMEOUT_S, whatever peers do, and as long as the last write to the store.
        """
        runtime = self._runtime
        if runtime is None or self._stopped:
            return
        self._stopped = True
        began_s = time.monotonic() if self._stopping_s is None else self._stopping_s
        self._stop_listening()
        await self._listeners.settle()
        timeout_s = HAND_OVER_TIMEOUT_S if self._role.journal.shared else CLOSE_TIMEOUT_S
        await self._connections.close(lambda: runtime.confirm_all(FLUSH_TIMEOUT_S), timeout_s)
        runtime.finish()
        runtime.close()
        if self._next_look is not None:
            self._next_look.cancel()
        self._authentication.close()
        self._process.close()
        if self._limits is not None:
            self._limits.close()
        self._role.close()
        self._health.close()
        SERVER_STOPPED.log(seconds=round(time.monotonic() - began_s, 3))

    @property
    def now_ms(self) -> int:
        """The time of the queues."""
        return self._clock.now_ms()

    def move_to(self, now_ms: int) -> None:
        """Move a manual clock; what falls due on the way happens at its time.

        Raises:
            TypeError: the clock is the system's.
            ValueError: the new time is earlier.
        """
        if self._runtime is None:
            raise RuntimeError("the server is not started")
        self._runtime.move_to(now_ms)

    def advance(self, by_ms: int) -> None:
        """Move a manual clock by this many milliseconds, as `move_to` does."""
        self.move_to(self.now_ms + by_ms)

    @property
    def connections(self) -> int:
        """How many peers are connected."""
        return len(self._connections)

    def _memory_limit(self) -> int:
        return 0 if self._limits is None else self._limits.memory_bytes

    def _known(self) -> dict[str, Any]:
        """What else `$management` shows of the process."""
        known: dict[str, Any] = {
            "login_failures": self._authentication.failures.total(),
            "login_failures_by": dict(self._authentication.failures),
            "listeners": dict(self._listeners.ports),
        }
        if self._configuration.has_file:
            known["config_reload_ok"] = self._configuration.is_applied
            known["config_hash"] = self._configuration.applied_hash
        if self.gateway is not None:
            known |= self.gateway.known()
        if self._listeners.certificate is not None:
            known["certificate_expires_ms"] = self._listeners.certificate.expires_ms
        if self._cluster is not None:
            known |= self._cluster.known()
        return known | self._role.known()

    def _unready(self) -> str | None:
        return self._role.unready() if self._stopping_s is None else "the broker is shutting down"

    def _observe(self) -> None:
        """Log what the broker notices of itself."""
        observers = self.broker.observers
        if self.options.slow_consumer_ms > 0:
            observers.append(SlowConsumers(self.options.slow_consumer_ms, log_slow_consumer))
        observers.append(BlockedQueues(log_blocked_queue))
        if checks_invariants():
            observers.append(QueueChecks(self.broker))
        self.broker.statistics.aged_keys.on_change = log_aged_queue

    def _make_domain(self) -> tuple[BrokerState, CoreState]:
        broker_state = BrokerState(self.broker, uuid4())
        broker_state.on_log_level = self._switch_log_level
        if self.options.offers_qmf:
            Agent(broker_state, __version__, self._clock.now_ms())
        return broker_state, core_state_of(broker_state, self.options)

    def _switch_log_level(self, level: str) -> None:
        """The level that somebody asks for holds for all components but those of the options."""
        switch_log_levels((level, *(each for each in self.options.log_level if "=" in each)))


class _QueueTime(Time):
    """The time of a server's queues, which management requests move."""

    def __init__(self, server: BrokerServer) -> None:
        self._server = server

    def now_ms(self) -> int:
        return self._server.now_ms

    def move_to(self, now_ms: int) -> None:
        self._server.move_to(now_ms)
