"""Serves a gateway: in its own process, or in a thread beside a broker."""

import asyncio
import errno
import os
import socket
import sys
import threading
from types import TracebackType
from typing import Final, Self

import uvicorn

from lastvalue.http.bounded_protocol import BoundedProtocol, FollowerProtocol
from lastvalue.http.gateway import make_gateway
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.model.admission import FIRST_BYTES, GATEWAY_CONNECTIONS, IDLE_MS

_STOP_WITHIN_S: Final = 5
_BACKLOG: Final = 4096
_TCP_NOTSENT_LOWAT: Final = 25
_UNSENT_BYTES: Final = 16 * 1024
"""How much waits in a socket beyond what is on its way."""

_MOST_FROM_FOLLOWER: Final = 4096
"""Over a WebSocket, which only the gateway uses to say something."""


class GatewayPortError(OSError):
    """The gateway cannot listen on its address."""


class GatewayServer:
    """Listens, and serves a gateway until it is stopped.

    Attributes:
        port: on which it listens.
    """

    def __init__(self, settings: GatewaySettings) -> None:
        self._settings = settings
        self._socket = _listen(settings.host, settings.port)
        self.port: int = self._socket.getsockname()[1]
        self._server = uvicorn.Server(
            uvicorn.Config(
                make_gateway(settings),
                http=BoundedProtocol,
                log_config=None,
                access_log=False,
                server_header=False,
                ssl_certfile=settings.certificate,
                ssl_keyfile=settings.private_key,
                proxy_headers=settings.behind_proxy,
                timeout_graceful_shutdown=_STOP_WITHIN_S,
                limit_concurrency=GATEWAY_CONNECTIONS.most,
                timeout_keep_alive=IDLE_MS.most // 1000,
                h11_max_incomplete_event_size=FIRST_BYTES.most,
                ws=FollowerProtocol,
                ws_max_size=_MOST_FROM_FOLLOWER,
            )
        )

    @property
    def url(self) -> str:
        """Where callers reach it."""
        scheme = "http" if self._settings.certificate is None else "https"
        host = self._settings.host
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.port}"

    async def serve(self) -> None:
        """Serve until `stop`, or in the main thread until a signal ends the process."""
        await self._server.serve([self._socket])

    def stop(self) -> None:
        """End `serve`; another thread may call this."""
        self._server.should_exit = True

    def close(self) -> None:
        """Stop listening, where `serve` was not called."""
        self._socket.close()


class GatewayThread:
    """A gateway in a thread with its own event loop, so that nothing it does holds up a broker's loop."""

    def __init__(self, settings: GatewaySettings) -> None:
        self._server = GatewayServer(settings)
        self._thread = threading.Thread(target=self._run, name="http-gateway", daemon=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Where callers reach it."""
        return self._server.url

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()

    def stop(self) -> None:
        """End what callers have begun, within seconds, and wait for that."""
        self._server.stop()
        self._thread.join(2 * _STOP_WITHIN_S)

    def _run(self) -> None:
        asyncio.run(self._server.serve())


def _listen(host: str, port: int) -> socket.socket:
    try:
        listening = socket.create_server(
            (host.strip("[]"), port),
            family=socket.AF_INET6 if ":" in host else socket.AF_INET,
            backlog=_BACKLOG,
            # All addresses are those of IPv4, too.
            dualstack_ipv6=host.strip("[]") == "::",
        )
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise GatewayPortError(f"port {port} of {host} is taken; choose another") from None
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        raise GatewayPortError(f"cannot serve HTTP on {host}:{port}: {reason}") from error
    if sys.platform == "linux":
        # Connections inherit it. What waits in the socket of a slow follower is no longer the newest.
        listening.setsockopt(socket.IPPROTO_TCP, _TCP_NOTSENT_LOWAT, _UNSENT_BYTES)
    return listening
