"""TCP's keepalive: finds peers that are gone where the protocol lets them be silent."""

import contextlib
import socket
from typing import Final

_PROBES: Final = 4
_MOST_S: Final = 32767


def set_keepalive(peer: socket.socket, idle_timeout_ms: int) -> None:
    """Let the system end a connection whose peer's machine has not answered for this long; 0 is never.

    A peer of AMQP 0-8 to 0-10 that asks for no heartbeat may be silent for any time [0-9-1 §4.2.7], but its
    system answers probes, which come in the second half of the time. They do not come while what was
    written waits to be acknowledged: then the system's own time holds, on Linux some 15 minutes.
    TCP_USER_TIMEOUT would shorten that, but also ends peers that only do not read.
    """
    if idle_timeout_ms <= 0 or peer.family not in (socket.AF_INET, socket.AF_INET6):
        return
    values = {
        "TCP_KEEPIDLE": min(max(1, idle_timeout_ms // 2000), _MOST_S),
        "TCP_KEEPINTVL": min(max(1, idle_timeout_ms // (2000 * _PROBES)), _MOST_S),
        "TCP_KEEPCNT": _PROBES,
    }
    with contextlib.suppress(OSError):
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in values.items():
        option = getattr(socket, name, None)
        if option is not None:
            # A system may have other bounds; its own value holds then.
            with contextlib.suppress(OSError):
                peer.setsockopt(socket.IPPROTO_TCP, option, value)
