"""The ports of a server, and how its peers become connections."""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from lastvalue.config.server_options import ServerOptions
from lastvalue.config.tls_listener import TlsListener
from lastvalue.server.authentication import AuthenticationPolicy
from lastvalue.server.connection import ServerConnection
from lastvalue.server.connection_log import PeerAddress
from lastvalue.server.keepalive import set_keepalive
from lastvalue.server.listener import Listen, Listener, listen, ports_of
from lastvalue.server.live_settings import LiveSettings
from lastvalue.server.log_events import SERVER_LISTENING
from lastvalue.server.open_connections import OpenConnections
from lastvalue.server.runtime import Runtime
from lastvalue.server.tls import log_changed_files, tls_options
from lastvalue.server.tls_handshakes import TlsHandshakes
from lastvalue.server.versions import Opener, Port, Versions
from lastvalue.server.websocket_gate import WebSocketGate

_WEB: Final = ("ws", "wss")
_WITH_TLS: Final = ("amqps", "mqtts", "wss")


class Listeners:
    """The ports that a server listens on; who connects to one becomes a connection, if the limits allow it.

    `open` comes first, then `start`, at the end `close` and `settle`.

    Args:
        settings: of the server.
        authentication: decides who may connect.
        versions: returns the protocols that options offer.
        web: returns those that they offer over WebSocket, by their subprotocol.
        connections: get the new ones.
        listen: opens the socket of a port.

    Attributes:
        ports: those that are listened on, by the schemes of their URLs.
        certificate: that of TLS, from `open` on; None without TLS.
    """

    def __init__(
        self,
        settings: LiveSettings,
        authentication: AuthenticationPolicy,
        versions: Callable[[ServerOptions], Versions],
        web: Callable[[ServerOptions], Mapping[str, Opener]],
        connections: OpenConnections,
        listen: Listen = listen,
    ) -> None:
        self._settings = settings
        self._listen = listen
        self._authentication = authentication
        self._versions = versions
        self._web = web
        self._connections = connections
        self.ports: dict[str, int] = {}
        self.certificate: TlsListener | None = None
        self._sockets: dict[str, socket.socket] = {}
        self._spoken_on: dict[str, Port] = {}
        self._listeners: list[Listener] = []
        self._handshakes: TlsHandshakes | None = None
        self._opening: set[asyncio.Task[object]] = set()

    def open(self) -> None:
        """Take the ports; peers wait until `start`.

        Raises:
            TlsError: the certificate cannot be used.
            OSError: an address cannot be listened on; none is then.
        """
        options = self._settings.options
        files = tls_options(options)
        self.certificate = None if files is None else TlsListener(files, log_changed_files)
        with contextlib.ExitStack() as opened:
            self._sockets = {
                scheme: opened.enter_context(self._listen(options, port))
                for scheme, port in ports_of(options)
            }
            opened.pop_all()

    def start(self, runtime: Runtime) -> None:
        """Accept peers, whose connections have their turns by this runtime."""
        options = self._settings.options
        if self.certificate is not None:
            timeout_s = options.tls_handshake_timeout_ms / 1000
            self._handshakes = TlsHandshakes(self.certificate.context, options.tls_handshakes, timeout_s)
        for scheme, listening in self._sockets.items():
            self.ports[scheme] = listening.getsockname()[1]
            SERVER_LISTENING.log(url=f"{scheme}://{PeerAddress(*listening.getsockname()[:2])}")
            handshakes = self._handshakes if scheme in _WITH_TLS else None
            self._spoken_on[scheme] = self._spoken(scheme, options)
            accept = partial(self._accept, scheme, handshakes, runtime)
            self._listeners.append(Listener(listening, accept, time.monotonic))
        self._sockets = {}

    def take_settings(self, before: ServerOptions, options: ServerOptions) -> None:
        """Use these options for peers from now on.

        Raises:
            TlsError: the certificate cannot be used; nothing has changed.
        """
        files = tls_options(options)
        if self.certificate is not None and files is not None and files != tls_options(before):
            self.certificate.use(files)
        self._spoken_on = {scheme: self._spoken(scheme, options) for scheme in self._spoken_on}
        if self._handshakes is not None:
            self._handshakes.adjust(options.tls_handshakes, options.tls_handshake_timeout_ms / 1000)

    def close(self) -> None:
        """Listen no more; a second call does nothing."""
        for listening in self._sockets.values():
            listening.close()
        for listener in self._listeners:
            listener.close()
        self._sockets = {}
        self._listeners = []

    async def settle(self) -> None:
        """End the handshakes that are under way, and wait for accepted peers to have their connections."""
        if self._handshakes is not None:
            await self._handshakes.close()
        if self._opening:
            await asyncio.wait(self._opening)

    def _spoken(self, scheme: str, options: ServerOptions) -> Port:
        if scheme not in _WEB:
            return self._versions(options)
        from lastvalue.server.websocket import WebSocketPort  # noqa: PLC0415 - only its users need the library

        gate = WebSocketGate((options.host, *options.ws_hosts), options.ws_origins)
        return WebSocketPort(self._web(options), gate, options.open_timeout_ms)

    def _accept(
        self,
        scheme: str,
        handshakes: TlsHandshakes | None,
        runtime: Runtime,
        peer: socket.socket,
        address: PeerAddress,
    ) -> None:
        """Begin a connection, which counts from now on, or drop it."""
        loop = asyncio.get_running_loop()
        limiter, options = self._authentication.limiter, self._settings.options
        if not limiter.admits(address.network, len(self._connections), int(loop.time() * 1000)):
            peer.close()
            return
        set_keepalive(peer, options.idle_timeout_ms)
        connection = ServerConnection(
            self._spoken_on[scheme],
            runtime,
            self._authentication,
            address,
            self._connections.members,
            open_timeout_ms=options.open_timeout_ms,
        )
        self._connections.members[connection] = None
        if handshakes is not None:
            connection.end_handshake = handshakes.begin(peer, address.network, connection)
            return
        opening = loop.create_task(loop.connect_accepted_socket(connection.protocol, peer))
        self._opening.add(opening)
        opening.add_done_callback(self._opening.discard)
