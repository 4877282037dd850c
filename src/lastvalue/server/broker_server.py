"""A broker that listens: what `lastvalue serve` runs, and what tests and programs embed."""

import asyncio
import contextlib
import gc
import logging
import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from uuid import uuid4

from lastvalue import __version__
from lastvalue.broker.broker import Broker
from lastvalue.broker.clock_requests import Time
from lastvalue.codec.amqp010.frames import PROTOCOL_HEADER as AMQP010_HEADER
from lastvalue.codec.amqp091.dialects import DIALECTS
from lastvalue.config.configuration import ServerSettings
from lastvalue.frontends.amqp010.conversation import opener as amqp010_opener
from lastvalue.frontends.amqp010.domain import Domain
from lastvalue.frontends.amqp010.qmf.agent import Agent
from lastvalue.frontends.amqp091.conversation import opener as amqp091_opener
from lastvalue.frontends.amqp10.containers import SOLE_CONNECTION
from lastvalue.frontends.amqp10.conversation import opener as amqp10_opener
from lastvalue.protocols.amqp010.connection import Options as Amqp010Options
from lastvalue.protocols.amqp091.options import Options as Amqp091Options
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.server.authentication import Door
from lastvalue.server.clock import Clock
from lastvalue.server.connection import ServerConnection
from lastvalue.server.crowd import Crowd
from lastvalue.server.health import HealthListener
from lastvalue.server.limits import JOURNAL_BYTES, Limits, Marks, StoreDisk
from lastvalue.server.machine import disk_room
from lastvalue.server.runtime import Runtime
from lastvalue.server.snapshots import StoreSnapshots
from lastvalue.server.storage import OpenStore, StoreSettings, open_store
from lastvalue.server.tls import TlsListener, TlsOptions
from lastvalue.server.tokens import TokenOptions, Tokens
from lastvalue.server.users import Users
from lastvalue.server.versions import Opener, Port, Version, Versions
from lastvalue.store.journal import Journal
from lastvalue.store.memory import MemoryJournal

logger = logging.getLogger(__name__)

DEFAULT_PORT: Final = 5672
DEFAULT_TLS_PORT: Final = 5671
FLUSH_TIMEOUT_S: Final = 5.0
CLOSE_TIMEOUT_S: Final = 2.0
_BACKLOG: Final = 1024
_ACCEPTED_AT_ONCE: Final = 16
_USERS_FILE_S: Final = 1.0
_CONTAINER: Final = "lastvalue"
_WEB: Final = ("ws", "wss")
_WITH_TLS: Final = ("amqps", "wss")
_PORT_OF: Final = {"amqps": "tls_port", "ws": "ws_port", "wss": "wss_port"}


@dataclass(frozen=True)
class ServerOptions:
    """How a broker listens. Sizes in bytes, times in milliseconds.

    Attributes:
        port: 0 is any free one.
        port_fallback: take the next free port where this one is taken.
        anonymous: let in who gives no name.
        users: passwords by name, for SASL PLAIN; users_file: better than that.
        tokens: whose tokens are believed; None takes none.
        tls: what is shown on tls_port, 0 being any free one; None listens without TLS alone.
        ws_port: where AMQP over WebSocket is spoken, and wss_port where it is over TLS; None is nowhere.
        ws_origins: whose web pages may connect there, beside this host's own; "*" is everybody's.
        idle_timeout_ms: a connection that is silent for so long is closed; 0 is never.
        open_timeout_ms: so is one that is not open after so long; 0 is never.
        max_connections_per_user: 0 is any number; connection_rate: new ones from one address in a second, 0
            is any number.
        refuse_unknown_filters: a link that asks for a filter which is not known is refused, as in Broker-J;
            otherwise the filter is left out of the answer.
        ignore_unknown_arguments: a declaration by AMQP 0-9-1 leaves out the arguments that nobody knows;
            otherwise it is refused.
        memory_limit: bytes of messages on all queues beyond which producers get no credit; 0 is none, None
            half of the machine's memory.
        journal_limit: bytes that wait for the store's disk beyond which producers of durable queues get none.
        disk_reserve: bytes that those producers leave free on the store's file system; None is a twentieth
            of it and at most 1 GiB.
        announce: product and version that peers are told, as one text; None is what this is.
        snapshots: the directory below which managers may have the store copied; None is nowhere.
        health_host, health_port: where GET /healthz and /readyz are answered; None is nowhere, 0 any free
            port.
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    port_fallback: bool = False
    anonymous: bool = True
    users: Mapping[str, str] = field(default_factory=dict)
    users_file: Path | None = None
    tokens: TokenOptions | None = None
    tls: TlsOptions | None = None
    tls_port: int = DEFAULT_TLS_PORT
    ws_port: int | None = None
    wss_port: int | None = None
    ws_origins: tuple[str, ...] = ()
    max_frame_size: int = 64 * 1024
    max_message_size: int = 64 * 1024 * 1024
    idle_timeout_ms: int = 120_000
    open_timeout_ms: int = 10_000
    max_connections: int = 10_000
    max_connections_per_user: int = 0
    connection_rate: int = 0
    refuse_unknown_filters: bool = False
    ignore_unknown_arguments: bool = False
    memory_limit: int | None = None
    journal_limit: int = JOURNAL_BYTES
    disk_reserve: int | None = None
    announce: str | None = None
    snapshots: Path | None = None
    health_host: str = "127.0.0.1"
    health_port: int | None = None


def options_from(settings: ServerSettings) -> ServerOptions:
    """The options that a configuration's settings make; where there are users, they alone are let in."""
    said = {name: value for name in _SETTINGS if (value := getattr(settings, name)) is not None}
    if settings.users_file is not None:
        said["users_file"] = Path(settings.users_file)
    if settings.token_keys is not None:
        said["tokens"] = TokenOptions(
            Path(settings.token_keys),
            settings.token_audience or "lastvalue",
            settings.token_issuer,
            settings.token_user_claim or "sub",
        )
    if settings.tls_certificate is not None:
        said["tls"] = TlsOptions(
            Path(settings.tls_certificate),
            None if settings.tls_key is None else Path(settings.tls_key),
            None if settings.tls_client_ca is None else Path(settings.tls_client_ca),
            bool(settings.tls_client_required),
        )
    if settings.ws_origins is not None:
        said["ws_origins"] = tuple(settings.ws_origins)
    anonymous = not settings.users and settings.users_file is None and settings.token_keys is None
    return ServerOptions(**{"anonymous": anonymous, **said})


_OPTIONS: Final = {option.name for option in fields(ServerOptions)}
_SETTINGS: Final = tuple(setting.name for setting in fields(ServerSettings) if setting.name in _OPTIONS)


class BrokerServer:
    """A listening broker, as an async context manager."""

    def __init__(
        self,
        options: ServerOptions | None = None,
        journal: Journal | None = None,
        store: StoreSettings | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.options = options or ServerOptions()
        self._store_settings = store
        self._store: OpenStore | None = None
        self._snapshots: StoreSnapshots | None = None
        self.broker = Broker()
        self.port = 0
        self._journal = journal or MemoryJournal()
        self._clock = clock or Clock()
        if self._clock.is_manual:
            self.broker.time = _QueueTime(self)
        self._connections: set[ServerConnection] = set()
        self._crowd = Crowd(self.options.max_connections_per_user, self.options.connection_rate)
        self._crowded = False
        self._server: asyncio.Server | None = None
        self._runtime: Runtime | None = None
        self._limits: Limits | None = None
        self._domain = self._make_domain()
        self._versions = self._make_versions()
        self._others: list[asyncio.Server] = []
        self.tls_port = 0
        self.ws_port = 0
        self.wss_port = 0
        self.health_port = 0
        self._health = HealthListener(self._unready)
        self._stopping = False
        users = self._users()
        tokens = None if self.options.tokens is None else Tokens(self.options.tokens)
        self._door = Door(
            users,
            anonymous=self.options.anonymous,
            passwords=self.options.users,
            tokens=tokens,
            crowd=self._crowd,
        )
        self._users_watch: asyncio.TimerHandle | None = None
        if users is not None:
            self._door.on_changed = self._permissions_changed
            self.broker.authorization.permissions = users.permissions

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def recover(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Put what the store holds onto the broker; `start` does it where nobody has.

        Raises:
            StoreError: it is in use, damaged, or of a later format.
            OSError: its directory cannot be used.
        """
        if self._store_settings is not None and self._store is None:
            now = self._clock.now_ms()
            self._store = open_store(self._store_settings, self.broker, now, progress)
            self._journal = self._store.journal
            self.broker.stores = True
            for branch in self._store.branches:
                self._domain.branches.restore(branch.name, branch.arguments, now)
            self._snapshots = self.broker.snapshots = StoreSnapshots(
                self._store.journal, self._clock, self.options.snapshots
            )

    async def start(self) -> None:
        """Recover what the store holds, and listen.

        Raises:
            StoreError: the store cannot be used.
            TlsError: the certificate cannot be used.
            OSError: the address cannot be listened on.
        """
        self.recover()
        tls = None if self.options.tls is None else TlsListener(self.options.tls)
        with contextlib.ExitStack() as opened:
            listeners = {
                name: opened.enter_context(_listen(self.options, port)) for name, port in self._ports()
            }
            if self.options.health_port is not None:
                self.health_port = await self._health.start(
                    self.options.health_host, self.options.health_port
                )
            opened.pop_all()
        self._limits = self._make_limits()
        self._runtime = Runtime(self.broker, self._journal, self._clock, self._limits)
        self._limits.start(asyncio.get_running_loop())
        # What was recovered counts before anybody is let send.
        self._runtime.schedule()
        if self.options.users_file is not None:
            self._watch_users()
        self.port = listeners["amqp"].getsockname()[1]
        self._server = await self._serve(listeners.pop("amqp"), None, self._versions)
        for name, listener in listeners.items():
            setattr(self, _PORT_OF[name], listener.getsockname()[1])
            context = tls.context if tls is not None and name in _WITH_TLS else None
            self._others.append(await self._serve(listener, context, self._spoken(name)))
        # What start-up made stays; the collector need not look at it again.
        gc.collect()
        gc.freeze()

    def _watch_users(self) -> None:
        """Look at the users file from time to time, so that a right that is taken away ends soon."""
        self._users_watch = asyncio.get_running_loop().call_later(_USERS_FILE_S, self._watch_users)
        self._door.refresh()

    def _permissions_changed(self) -> None:
        self.broker.permissions_changed(self._clock.now_ms())
        if self._runtime is not None:
            self._runtime.schedule()

    def _ports(self) -> list[tuple[str, int]]:
        """Where to listen, by what is listened for."""
        options = self.options
        asked = [
            ("amqp", options.port),
            ("amqps", None if options.tls is None else options.tls_port),
            ("ws", options.ws_port),
            ("wss", options.wss_port),
        ]
        return [(name, port) for name, port in asked if port is not None]

    def _spoken(self, name: str) -> Port:
        if name not in _WEB:
            return self._versions
        # Here, so that nobody needs the library who does not use it.
        from lastvalue.server.websocket import WebSocketPort  # noqa: PLC0415 - see above

        return WebSocketPort(self._make_opener(), self.options.ws_origins, self.options.open_timeout_ms)

    async def _serve(
        self, listener: socket.socket, tls: ssl.SSLContext | None, spoken: Port
    ) -> asyncio.Server:
        server = await asyncio.get_running_loop().create_server(
            partial(self._make_connection, spoken),
            sock=listener,
            backlog=_ACCEPTED_AT_ONCE,
            ssl=tls,
            ssl_handshake_timeout=None if tls is None else self.options.open_timeout_ms / 1000 or None,
        )
        # asyncio takes the one number for both: how many wait, and how many are accepted before others' turn.
        listener.listen(_BACKLOG)
        return server

    async def stop(self) -> None:
        """Stop listening, confirm what was taken, tell the peers why, and close.

        It takes no longer than FLUSH_TIMEOUT_S and twice CLOSE_TIMEOUT_S, whatever peers do, and as long as
        the last write to the store.
        """
        if self._server is None or self._runtime is None:
            return
        self._stopping = True
        self._server.close()
        self._server = None
        for server in self._others:
            server.close()
        self._others = []
        await self._close_connections(self._runtime)
        self._runtime.finish()
        self._runtime.close()
        if self._users_watch is not None:
            self._users_watch.cancel()
        if self._limits is not None:
            self._limits.close()
        if self._store is not None:
            self._store.close()
            if self._snapshots is not None:
                self._snapshots.stop()
            self._store = None
        self._health.close()
        gc.unfreeze()

    async def _close_connections(self, runtime: Runtime) -> None:
        connections = list(self._connections)
        for connection in connections:
            connection.stop_reading()
        await runtime.confirm_all(FLUSH_TIMEOUT_S)
        for connection in connections:
            connection.shut_down("the broker is shutting down")
        if connections:
            await asyncio.wait([connection.closed for connection in connections], timeout=CLOSE_TIMEOUT_S)
        for connection in connections:
            connection.abort()
        if connections:
            await asyncio.wait([connection.closed for connection in connections], timeout=CLOSE_TIMEOUT_S)

    @property
    def now_ms(self) -> int:
        """The time of the queues."""
        return self._clock.now_ms()

    def move_to(self, now_ms: int) -> None:
        """Move a manual clock; whatever falls due on the way does so at its time.

        Raises:
            TypeError: the clock is the system's.
            ValueError: it would go back.
        """
        if self._runtime is None:
            raise RuntimeError("the server is not started")
        self._runtime.move_to(now_ms)

    def advance(self, by_ms: int) -> None:
        """Move a manual clock by so many milliseconds, as `move_to` does."""
        self.move_to(self.now_ms + by_ms)

    @property
    def connections(self) -> int:
        """How many peers are connected."""
        return len(self._connections)

    def _make_limits(self) -> Limits:
        options = self.options
        marks = Marks(options.memory_limit, options.journal_limit, options.disk_reserve)
        disk = None
        if self._store_settings is not None:
            directory = self._store_settings.directory
            disk = StoreDisk(str(directory), lambda: disk_room(directory))
        return Limits(self.broker, self._journal, marks, disk)

    def _users(self) -> Users | None:
        if self.options.users_file is None:
            return None
        users = Users(self.options.users_file)
        users.load()
        return users

    def _unready(self) -> str | None:
        if self._stopping:
            return "the broker is shutting down"
        fault = self._journal.fault
        return None if fault is None else f"the store cannot be written: {fault.strerror or fault}"

    def _make_connection(self, spoken: Port) -> ServerConnection:
        if self._runtime is None:
            raise RuntimeError("the server is not started")
        return ServerConnection(
            spoken,
            self._runtime,
            self._door,
            self._opened,
            self._connections.discard,
            open_timeout_ms=self.options.open_timeout_ms,
        )

    def _opened(self, connection: ServerConnection) -> None:
        self._connections.add(connection)
        crowded = len(self._connections) > self.options.max_connections
        if crowded and not self._crowded:
            logger.warning("more than %d connections; the newest are dropped", self.options.max_connections)
        self._crowded = crowded
        now_ms = int(asyncio.get_running_loop().time() * 1000)
        if self._stopping or crowded or not self._crowd.admits(connection.address, now_ms):
            connection.abort()

    def _make_opener(self) -> Opener:
        return amqp10_opener(
            self._make_engine_options(), refuse_unknown_filters=self.options.refuse_unknown_filters
        )

    def _make_versions(self) -> Versions:
        amqp091 = amqp091_opener(
            self._make_amqp091_options(), ignore_unknown_arguments=self.options.ignore_unknown_arguments
        )
        amqp010 = amqp010_opener(self._make_amqp010_options(), self._domain)
        return Versions(
            self._make_opener(), [Version((AMQP010_HEADER,), amqp010), Version(tuple(DIALECTS), amqp091)]
        )

    def _make_amqp091_options(self) -> Amqp091Options:
        options = self.options
        return Amqp091Options(
            max_message_size=options.max_message_size,
            # Who is silent for two heartbeats is gone.
            heartbeat_s=min(options.idle_timeout_ms // 2000, 65535),
            open_timeout_ms=options.open_timeout_ms,
            properties=_announced(options.announce or f"lastvalue {__version__}"),
        )

    def _make_domain(self) -> Domain:
        domain = Domain(self.broker, uuid4())
        Agent(domain, __version__)
        return domain

    def _make_amqp010_options(self) -> Amqp010Options:
        options = self.options
        return Amqp010Options(
            max_frame_size=min(options.max_frame_size, 65535),
            max_message_size=options.max_message_size,
            open_timeout_ms=options.open_timeout_ms,
            properties={"product": "lastvalue", "version": __version__},
        )

    def _make_engine_options(self) -> ConnectionOptions:
        options = self.options
        return ConnectionOptions(
            container_id=_CONTAINER,
            max_frame_size=options.max_frame_size,
            max_message_size=options.max_message_size,
            idle_timeout_ms=options.idle_timeout_ms,
            open_timeout_ms=options.open_timeout_ms,
            offered_capabilities=("ANONYMOUS-RELAY", "DELAYED_DELIVERY", "SHARED-SUBS", SOLE_CONNECTION),
            properties=_announced(options.announce or f"lastvalue {__version__}"),
        )


def _announced(text: str) -> dict[str, str]:
    product, _, version = text.rpartition(" ")
    return {"product": product, "version": version}


class _QueueTime(Time):
    """The time of a server's queues, for those who ask the broker to move it."""

    def __init__(self, server: BrokerServer) -> None:
        self._server = server

    def now_ms(self) -> int:
        return self._server.now_ms

    def move_to(self, now_ms: int) -> None:
        self._server.move_to(now_ms)


def _listen(options: ServerOptions, port: int) -> socket.socket:
    first = port
    while True:
        try:
            return socket.create_server((options.host, port), backlog=_BACKLOG, reuse_port=False)
        except OSError:
            if not options.port_fallback or port == 0 or port >= first + 100:
                raise
            port += 1
