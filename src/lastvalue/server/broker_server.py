"""A listening broker: `lastvalue serve` runs it, tests and programs embed it."""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable, Mapping
from functools import partial
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
from lastvalue.config.tls_listener import TlsListener
from lastvalue.delivery.slow_consumers import SlowConsumers
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.core.broker_state import BrokerState as CoreState
from lastvalue.model.memory_budget import UNLIMITED
from lastvalue.server.authentication import AuthenticationPolicy
from lastvalue.server.clock import Clock, ClockWatch
from lastvalue.server.connection import ServerConnection
from lastvalue.server.connection_limiter import ConnectionLimiter
from lastvalue.server.connection_log import PeerAddress
from lastvalue.server.drain import drain
from lastvalue.server.follower import Follower
from lastvalue.server.gateway_process import GatewayProcess
from lastvalue.server.health import HealthListener
from lastvalue.server.invariant_checks import checks_invariants
from lastvalue.server.keepalive import set_keepalive
from lastvalue.server.limits import Limits, StoreDisk, Watermarks
from lastvalue.server.listener import Listener, listen, ports_of
from lastvalue.server.log_events import (
    CONFIG_NONE,
    SERVER_LISTENING,
    SERVER_STOPPED,
    SERVER_STOPPING,
    STORE_HELD,
    STORE_RESUMED,
    STORE_TAKEN_OVER,
)
from lastvalue.server.log_level_switch import switch_log_levels
from lastvalue.server.log_observations import log_aged_queue, log_blocked_queue, log_slow_consumer
from lastvalue.server.offered_versions import amqp10_version, core_state_of, offered_versions
from lastvalue.server.open_store import OpenStore, StoreSettings, advertised_address, open_store, store_from
from lastvalue.server.password_checks import PasswordChecks
from lastvalue.server.runtime import Runtime
from lastvalue.server.served_configuration import ServedConfiguration
from lastvalue.server.server_cluster import ServerCluster
from lastvalue.server.server_process import ServerProcess
from lastvalue.server.setting_changes import live_options
from lastvalue.server.snapshots import LogSnapshots, StoreSnapshots
from lastvalue.server.tls import log_changed_files, tls_options
from lastvalue.server.tls_handshakes import TlsHandshakes
from lastvalue.server.tokens import TokenOptions, Tokens
from lastvalue.server.users import Users
from lastvalue.server.versions import Port
from lastvalue.server.websocket_gate import WebSocketGate
from lastvalue.store.journal import Journal
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.memory import MemoryJournal
from lastvalue.store.segments import StoreError
from lastvalue.store.store_journal import StoreJournal

__all__ = ["BrokerServer", "ServerOptions"]

FLUSH_TIMEOUT_S: Final = 5.0
CLOSE_TIMEOUT_S: Final = 2.0
HAND_OVER_TIMEOUT_S: Final = 0.5
"""How long peers may take to close where a follower waits to lead, and other peers for it."""

STOP_TIMEOUT_S: Final = FLUSH_TIMEOUT_S + 2 * CLOSE_TIMEOUT_S
"""How long `stop` takes at most, but for the last write to the store."""

_LOOKS_EVERY_S: Final = 1.0
_WEB: Final = ("ws", "wss")
_WITH_TLS: Final = ("amqps", "wss")
_PORT_OF: Final = {
    "amqp": "port", "amqps": "tls_port", "tcp": "core_port", "ws": "ws_port", "wss": "wss_port"
}  # fmt: skip


class BrokerServer:
    """A listening broker, as an async context manager; `store` overrides the store of the options."""

    def __init__(
        self,
        options: ServerOptions | None = None,
        journal: Journal | None = None,
        store: StoreSettings | LogSettings | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.options = options or ServerOptions()
        self._store_settings = store or store_from(self.options)
        self._store: OpenStore | None = None
        self._follower: Follower | None = None
        self._snapshots: StoreSnapshots | None = None
        self.broker = Broker(all_effects=False)
        self.port = 0
        self._journal = journal or MemoryJournal()
        self.ended: asyncio.Future[StoreError | None] | None = None
        self._clock = clock or Clock()
        if self._clock.is_manual:
            self.broker.time = _QueueTime(self)
        self._observe()
        self._connections: set[ServerConnection] = set()
        self._limiter = ConnectionLimiter(
            self.options.max_connections_per_user,
            self.options.connection_rate,
            self.options.max_connections,
            self.options.max_unknown_per_address,
        )
        self._listeners: list[Listener] = []
        self._handshakes: TlsHandshakes | None = None
        self._tls_listener: TlsListener | None = None
        self._spoken_on: dict[str, Port] = {}
        self._opening: set[asyncio.Task[object]] = set()
        self._runtime: Runtime | None = None
        self._limits: Limits | None = None
        self._process = self.broker.process = ServerProcess(
            self._store_journal, self._store_free_bytes, self._memory_limit, self._known
        )
        self._broker_state, self._core_state = self._make_domain()
        self._versions = offered_versions(self.options, self._broker_state, self._core_state)
        self.tls_port = self.core_port = self.ws_port = self.wss_port = self.health_port = 0
        self.gateway: GatewayProcess | None = None
        self._health = HealthListener(
            self._unready,
            lambda: {} if self.broker.cluster is None else self.broker.cluster.state(),
            lambda: None if self.gateway is None else self.gateway.lack,
        )
        self._stopping = False
        self._stopping_s = 0.0
        self._stopped = False
        users = self.broker.users = self._users()
        self._authentication = AuthenticationPolicy(
            users,
            anonymous=self.options.admits_anonymous,
            passwords=self.options.users,
            tokens=self._tokens(),
            limiter=self._limiter,
            checks=PasswordChecks(
                self.options.wrong_passwords_per_address, self.options.wrong_passwords_per_user
            ),
        )
        self._next_look: asyncio.TimerHandle | None = None
        self._clock_watch = ClockWatch()
        if users is not None:
            self._authentication.on_changed = self._permissions_changed
            self.broker.authorization.permissions = users.permissions

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
        settings = self._store_settings
        if settings is None or self._store is not None or self._follower is not None:
            return
        # Durable subscriptions to its notifications are bound again.
        self._core_state.begin()
        self.broker.stores = True
        if isinstance(settings, LogSettings):
            self.broker.cluster = ServerCluster(
                self._address, lambda: self._follower, lambda: self._store, lambda: self._end(None)
            )
        if self.options.follow and isinstance(settings, LogSettings):
            self._follower = Follower(settings, self.broker, self._clock)
            self._follower.recover(progress)
            self._journal = self._follower.journal
        else:
            self._adopt(open_store(settings, self.broker, self._clock.now_ms(), progress))

    def _address(self) -> str:
        return advertised_address(self.options, self.port)

    def _adopt(self, store: OpenStore) -> None:
        """Write to this store."""
        self._store = store
        self._journal = store.journal
        for branch in store.branches:
            self._broker_state.branches.restore(branch.name, branch.arguments, self._clock.now_ms())
        if store.files is None:
            self.broker.snapshots = LogSnapshots(store.journal)
        else:
            self._snapshots = self.broker.snapshots = StoreSnapshots(
                store.journal, store.files, self._clock, self.options.snapshots
            )

    def _lead(self, store: OpenStore) -> None:
        """The broker that was followed has ended: this one takes its place."""
        self._follower = None
        self._adopt(store)
        if self._runtime is not None and self._limits is not None:
            self._runtime.use(store.journal)
            self._limits.use(store.journal, StoreDisk(store.name, store.room))
            self._runtime.schedule()

    async def start(self) -> None:
        """Recover the store, and listen.

        Raises:
            StoreError: the store cannot be used.
            TlsError: the certificate cannot be used.
            OSError: the address cannot be listened on.
        """
        self.recover()
        tls = self._tls_listener = self._tls()
        with contextlib.ExitStack() as opened:
            listeners = {
                name: opened.enter_context(listen(self.options, port))
                for name, port in ports_of(self.options)
            }
            if self.options.health_port is not None:
                self.health_port = await self._health.start(
                    self.options.health_host, self.options.health_port
                )
            opened.pop_all()
        self._limits = self._make_limits()
        self._runtime = Runtime(self.broker, self._journal, self._clock, self._limits)
        self._runtime.on_hold, self._runtime.on_end = self._hold, self._end
        self.ended = asyncio.get_running_loop().create_future()
        self._limits.start(asyncio.get_running_loop())
        self._process.start(self._clock.now_ms())
        # Recovered messages count before any producer gets credit.
        self._runtime.schedule()
        self._look_regularly()
        if tls is not None:
            timeout_s = self.options.tls_handshake_timeout_ms / 1000
            self._handshakes = TlsHandshakes(tls.context, self.options.tls_handshakes, timeout_s)
        for name, listening in listeners.items():
            setattr(self, _PORT_OF[name], listening.getsockname()[1])
            address = PeerAddress(*listening.getsockname()[:2])
            SERVER_LISTENING.log(url=f"{name}://{address}")
            handshakes = self._handshakes if name in _WITH_TLS else None
            self._spoken_on[name] = self._spoken(name)
            accept = partial(self._accept, name, handshakes, self._runtime)
            self._listeners.append(Listener(listening, accept))
        if self._follower is not None:
            self._follower.start(self._address(), self._runtime.schedule, self._lead)
        elif self._store is not None and self._store.log is not None:
            self._store.log.advertise(self._address())

    def _look_regularly(self) -> None:
        """Check the users file, so that a revoked right ends soon, and the system's clock."""
        self._next_look = asyncio.get_running_loop().call_later(_LOOKS_EVERY_S, self._look_regularly)
        self._authentication.refresh()
        self._clock_watch.look()

    def _hold(self, held: bool) -> None:  # noqa: FBT001 - a callback
        """Read nothing from peers while nothing may be served."""
        name = None if self._store is None else self._store.name
        (STORE_HELD if held else STORE_RESUMED).log(directory=name)
        for connection in list(self._connections):
            if held:
                connection.stop_reading()
            else:
                connection.resume_reading()

    def _end(self, cause: StoreError | None) -> None:
        """Drop every connection, with what waits in it: it may be stale; without a cause, end in order."""
        if self.ended is None or self.ended.done():
            return
        self.ended.set_result(cause)
        if cause is None:
            return
        STORE_TAKEN_OVER.log(cause=cause)
        self._stop_listening()
        for connection in list(self._connections):
            connection.abort()

    def _permissions_changed(self) -> None:
        for connection in list(self._connections):
            connection.end_revoked()
        self.broker.permissions_changed(self._clock.now_ms())
        if self._runtime is not None:
            self._runtime.schedule()

    def _spoken(self, name: str) -> Port:
        if name not in _WEB:
            return self._versions
        from lastvalue.server.websocket import WebSocketPort  # noqa: PLC0415 - only its users need the library

        options = self.options
        gate = WebSocketGate((options.host, *options.ws_hosts), options.ws_origins)
        return WebSocketPort(amqp10_version(self.options), gate, options.open_timeout_ms)

    def serve_configuration(
        self, file: Path, options_of: Callable[[Configuration], ServerOptions] | None = None
    ) -> None:
        """Let `reload_configuration`, and requests of administrators, read this file again and apply it.

        `options_of` gives the options that a configuration asks for; without it the settings stay.
        """
        self.broker.configuration_file = ServedConfiguration(file, self, options_of)

    def change_settings(self, wanted: ServerOptions) -> None:
        """Take the wanted values of those settings that can change; open connections keep theirs.

        A connection ends where its user, one of `users`, is gone or has another password.

        Raises:
            TlsError: the certificate cannot be used; nothing has changed.
        """
        before, options = self.options, live_options(self.options, wanted)
        tls = tls_options(options)
        if self._tls_listener is not None and tls is not None and tls != tls_options(before):
            self._tls_listener.use(tls)
            if self.gateway is not None:
                self.gateway.use_certificate(tls)
        self.options = options
        self._versions = offered_versions(self.options, self._broker_state, self._core_state)
        self._spoken_on = {name: self._spoken(name) for name in self._spoken_on}
        self._limiter.adjust(
            options.max_connections_per_user,
            options.connection_rate,
            options.max_connections,
            options.max_unknown_per_address,
        )
        self._authentication.checks.adjust(
            options.wrong_passwords_per_address, options.wrong_passwords_per_user
        )
        if self._handshakes is not None:
            self._handshakes.adjust(options.tls_handshakes, options.tls_handshake_timeout_ms / 1000)
        self._limit_accounts()
        if self._limits is not None:
            self._limits.adjust(self._watermarks())
        if before.users != options.users:
            self._authentication.use_passwords(options.users)
            self._end_changed(before.users)

    def _end_changed(self, before: Mapping[str, str]) -> None:
        for connection in list(self._connections):
            user = connection.user
            if user is not None and user in before and self.options.users.get(user) != before[user]:
                connection.shut_down(f"the user {user!r} has been removed, or the password has changed")

    def reload_configuration(self) -> None:
        """Read the configuration file again, if there is one, and apply what differs; the log tells."""
        file = self.broker.configuration_file
        if file is None:
            CONFIG_NONE.log()
            return
        file.reload(prune=False, dry_run=False)
        if self._runtime is not None:
            self._runtime.schedule()

    async def drain(self, hurried: asyncio.Event) -> Unfinished:
        """Stop listening, and let peers finish what they have begun; see `drain`. Then call `stop`.

        It takes at most `drain_timeout_ms`, or until `hurried` is set.
        """
        self._stop_listening()
        return await drain(self.broker, self.options.drain_timeout_ms / 1000, hurried)

    def _stop_listening(self) -> None:
        if self._stopping:
            return
        self._stopping = True
        self._stopping_s = time.monotonic()
        SERVER_STOPPING.log(connections=len(self._connections))
        for listener in self._listeners:
            listener.close()
        self._listeners = []

    async def stop(self) -> None:
        """Stop listening, confirm all messages, close the connections with a reason, and close.

        It takes no longer than STOP_TIMEOUT_S, whatever peers do, and as long as the last write to the store.
        """
        if self._runtime is None or self._stopped:
            return
        self._stopped = True
        self._stop_listening()
        if self._handshakes is not None:
            await self._handshakes.close()
        if self._opening:
            await asyncio.wait(self._opening)
        await self._close_connections(self._runtime)
        self._runtime.finish()
        self._runtime.close()
        if self._next_look is not None:
            self._next_look.cancel()
        self._authentication.close()
        self._process.close()
        if self._limits is not None:
            self._limits.close()
        if self._store is not None:
            self._store.close()
            if self._snapshots is not None:
                self._snapshots.stop()
            self._store = None
        elif self._follower is not None:
            self._follower.close()
        self._health.close()
        SERVER_STOPPED.log(seconds=round(time.monotonic() - self._stopping_s, 3))

    async def _close_connections(self, runtime: Runtime) -> None:
        connections = list(self._connections)
        for connection in connections:
            connection.stop_reading()
        await runtime.confirm_all(FLUSH_TIMEOUT_S)
        for connection in connections:
            connection.shut_down("the broker is shutting down")
        if connections:
            limit_s = HAND_OVER_TIMEOUT_S if self._journal.shared else CLOSE_TIMEOUT_S
            await asyncio.wait([connection.gone() for connection in connections], timeout=limit_s)
        for connection in connections:
            connection.abort()
        if connections:
            await asyncio.wait([connection.gone() for connection in connections], timeout=CLOSE_TIMEOUT_S)

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

    def _store_journal(self) -> StoreJournal | None:
        return None if self._store is None else self._store.journal

    def _store_free_bytes(self) -> int:
        room = None if self._store is None else self._store.room
        return 0 if room is None else room().free

    def _memory_limit(self) -> int:
        return 0 if self._limits is None else self._limits.memory_bytes

    def _known(self) -> dict[str, Any]:
        """What else `$management` shows of the process."""
        ports = {name: getattr(self, port) for name, port in _PORT_OF.items()}
        known: dict[str, Any] = {
            "login_failures": self._authentication.failures.total(),
            "login_failures_by": dict(self._authentication.failures),
            "listeners": {name: port for name, port in ports.items() if port},
        }
        if isinstance(self.broker.configuration_file, ServedConfiguration):
            known["config_reload_ok"] = self.broker.configuration_file.is_applied
        if self.gateway is not None:
            known |= self.gateway.known()
        if self._store is not None:
            known["store_salvaged_bytes"] = self._store.salvaged_bytes
        if self._follower is not None:
            known |= self._follower.known()
        if self._tls_listener is not None:
            known["certificate_expires_ms"] = self._tls_listener.expires_ms
        if self._snapshots is not None and self.options.snapshots is not None:
            known["snapshot_ms"] = self._snapshots.written_ms
        return known

    def _make_limits(self) -> Limits:
        self._limit_accounts()
        store = self._store
        disk = None
        if store is not None:
            disk = StoreDisk(store.name, store.room)
        return Limits(self.broker, self._journal, self._watermarks(), disk)

    def _limit_accounts(self) -> None:
        options, memory = self.options, self.broker.memory
        memory.account_limit_bytes = options.connection_memory_limit or UNLIMITED
        memory.user_limit_bytes = options.user_memory_limit or UNLIMITED
        memory.transaction_limit = options.max_transaction_messages or UNLIMITED
        self.broker.quotas.most = options.max_queues_per_user
        self.broker.exchanges.quotas.most = options.max_bindings_per_user

    def _watermarks(self) -> Watermarks:
        options = self.options
        return Watermarks(options.memory_limit, options.journal_limit, options.disk_reserve)

    def _users(self) -> Users | None:
        if self.options.users_file is None:
            return None
        users = Users(self.options.users_file)
        users.load()
        return users

    def _tokens(self) -> Tokens | None:
        options = self.options
        if options.token_keys is None:
            return None
        names = (options.token_audience, options.token_issuer, options.token_user_claim)
        return Tokens(TokenOptions(options.token_keys, *names, ignore_expiry=options.ignore_token_expiry))

    def _tls(self) -> TlsListener | None:
        files = tls_options(self.options)
        return None if files is None else TlsListener(files, log_changed_files)

    def _unready(self) -> str | None:
        if self._stopping:
            return "the broker is shutting down"
        if self._journal.ended is not None:
            return str(self._journal.ended)
        if self._follower is not None:
            return self._follower.unready(self.options.max_lag_ms)
        fault = self._journal.fault
        return None if fault is None else f"the store cannot be written: {fault.strerror or fault}"

    def _accept(
        self,
        name: str,
        handshakes: TlsHandshakes | None,
        runtime: Runtime,
        peer: socket.socket,
        address: PeerAddress,
    ) -> None:
        """Begin a connection, which counts from now on, or drop it."""
        loop = asyncio.get_running_loop()
        if not self._limiter.admits(address.network, len(self._connections), int(loop.time() * 1000)):
            peer.close()
            return
        set_keepalive(peer, self.options.idle_timeout_ms)
        connection = ServerConnection(
            self._spoken_on[name],
            runtime,
            self._authentication,
            address,
            self._connections,
            open_timeout_ms=self.options.open_timeout_ms,
        )
        self._connections.add(connection)
        if handshakes is not None:
            connection.end_handshake = handshakes.begin(peer, address.network, connection)
            return
        opening = loop.create_task(loop.connect_accepted_socket(connection.protocol, peer))
        self._opening.add(opening)
        opening.add_done_callback(self._opening.discard)

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
