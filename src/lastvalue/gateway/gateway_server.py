"""Serves a gateway."""

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import uvicorn

from lastvalue.config.tls_listener import TlsError, TlsListener, TlsOptions
from lastvalue.gateway.gateway import make_gateway
from lastvalue.http.bounded_protocol import BoundedProtocol, FollowerProtocol
from lastvalue.http.broker_access import BrokerAccess
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.gateway_socket import BACKLOG, listen, url_of
from lastvalue.model.admission import FIRST_BYTES, GATEWAY_CONNECTIONS, IDLE_MS

STOP_WITHIN_S: Final = 5
"""How long callers may finish what they have begun."""

_MOST_FROM_FOLLOWER: Final = 4096
"""Over a WebSocket, which only the gateway uses to say something."""

_log = logging.getLogger(__name__)


class GatewayServer:
    """Listens, and serves a gateway until it is stopped.

    Args:
        settings: of the gateway; a changed certificate in its file is used for new connections.
        listening: a socket that listens already; None makes one.

    Attributes:
        port: on which it listens.

    Raises:
        GatewayPortError: it cannot listen on its address.
        TlsError: the certificate cannot be used.
    """

    def __init__(self, settings: GatewaySettings, listening: socket.socket | None = None) -> None:
        self._settings = settings
        files = _tls_files(settings)
        self._tls = None if files is None else TlsListener(files, _log_change)
        self._socket = listening or listen(settings)
        self.port: int = self._socket.getsockname()[1]
        self._gateway = make_gateway(settings)
        self._server = _Server(
            uvicorn.Config(
                self._gateway,
                http=self._hearing_of_the_end(BoundedProtocol),
                log_config=None,
                access_log=False,
                server_header=False,
                ssl_context_factory=None if self._tls is None else self._context,
                proxy_headers=settings.behind_proxy,
                backlog=BACKLOG,
                timeout_graceful_shutdown=STOP_WITHIN_S,
                limit_concurrency=GATEWAY_CONNECTIONS.most,
                timeout_keep_alive=IDLE_MS.most // 1000,
                h11_max_incomplete_event_size=FIRST_BYTES.most,
                ws=self._hearing_of_the_end(FollowerProtocol),
                ws_max_size=_MOST_FROM_FOLLOWER,
            )
        )

    @property
    def url(self) -> str:
        """Where callers reach it."""
        return url_of(self._settings, self._socket)

    async def serve(self, on_started: Callable[[], None] | None = None) -> None:
        """Serve until `stop`, or in the main thread until a signal ends the process.

        `on_started` is called when it answers.
        """
        self._server.on_started = on_started
        await self._server.serve([self._socket])

    def use_certificate(self, settings: GatewaySettings) -> None:
        """Show the certificate of these settings to new callers; another thread may call this.

        If it cannot be used, the log says so, and the one of before stays.
        """
        files = _tls_files(settings)
        if self._tls is None or files is None:
            return
        try:
            self._tls.use(files)
        except TlsError as fault:
            _log_change(files, fault)
        else:
            _log_change(files, None)

    def take_figures(self, figures: Mapping[str, Any]) -> None:
        """Keep figures and `alerts` that the broker tells; one other thread may call this."""
        access: BrokerAccess = self._gateway.state.access
        access.recent.add(figures)
        access.alerts.take(figures.get("alerts", ()))

    def stop(self) -> None:
        """End `serve`; another thread may call this."""
        self._server.should_exit = True

    def _hearing_of_the_end(self, protocol: Callable[..., asyncio.Protocol]) -> type[asyncio.Protocol]:
        """What makes connections of this class, for uvicorn."""
        return cast("type[asyncio.Protocol]", partial(protocol, is_stopping=lambda: self._server.should_exit))

    def _context(self, _config: uvicorn.Config, _default: Callable[[], ssl.SSLContext]) -> ssl.SSLContext:
        assert self._tls is not None  # noqa: S101 - uvicorn asks only with TLS
        return self._tls.context


def _tls_files(settings: GatewaySettings) -> TlsOptions | None:
    """The files of a gateway's own TLS; None if it has none."""
    if settings.certificate is None:
        return None
    key = None if settings.private_key is None else Path(settings.private_key)
    return TlsOptions(Path(settings.certificate), key)


def _log_change(files: TlsOptions, fault: TlsError | None) -> None:
    if fault is None:
        _log.info("the new certificate in %s is shown", files.certificate)
    else:
        _log.error("the old certificate stays in use: %s", fault)


class _Server(uvicorn.Server):
    on_started: Callable[[], None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn."""
        await super().startup(sockets)
        if self.started and self.on_started is not None:
            self.on_started()
