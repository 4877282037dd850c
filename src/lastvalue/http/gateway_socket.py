"""The socket that a gateway listens on, which a broker makes for its gateway's process."""

import errno
import os
import socket
import sys
from typing import Final

from lastvalue.http.gateway_settings import GatewaySettings

BACKLOG: Final = 4096
"""Callers that wait to be accepted, also while the gateway's process starts again."""

_TCP_NOTSENT_LOWAT: Final = 25
_UNSENT_BYTES: Final = 16 * 1024
"""How much waits in a socket beyond what is on its way."""


class GatewayPortError(OSError):
    """The gateway cannot listen on its address."""


def listen(settings: GatewaySettings) -> socket.socket:
    """A socket that listens at the address of a gateway.

    Raises:
        GatewayPortError: it cannot listen there.
    """
    host, port = settings.host, settings.port
    try:
        listening = socket.create_server(
            (host.strip("[]"), port),
            family=socket.AF_INET6 if ":" in host else socket.AF_INET,
            backlog=BACKLOG,
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


def url_of(settings: GatewaySettings, listening: socket.socket) -> str:
    """Where callers reach the gateway of a socket."""
    scheme = "http" if settings.certificate is None else "https"
    host, port = settings.host, listening.getsockname()[1]
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
