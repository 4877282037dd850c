"""Accepts the connections of one port, a limited number in a round of the event loop."""

import asyncio
import contextlib
import errno
import os
import socket
import time
from collections.abc import Callable
from typing import Final

from lastvalue.config.server_options import ServerOptions
from lastvalue.model.peer_host import canonical_host
from lastvalue.server.connection_log import PeerAddress
from lastvalue.server.log_events import SERVER_OUT_OF_DESCRIPTORS

EVERY_ADDRESS: Final = "::"
"""Listened on, it takes peers over IPv4, too."""

BACKLOG: Final = 4096
"""Peers that wait to be accepted; one more than these tries again after a second."""
UNSENT_BYTES: Final = 128 * 1024
"""Unsent bytes in the kernel; a message there can no longer be replaced by a newer one."""

_TCP_NOTSENT_LOWAT: Final = 25
_AT_ONCE: Final = 16
ACCEPTS_FOR_S: Final = 0.001
"""How long peers are accepted in a round, at least one of them: what each begins takes more of the loop."""

_PAUSE_S: Final = 0.1
Listen = Callable[[ServerOptions, int], socket.socket]
"""Opens a socket that listens on a port, as `listen`."""

_SHORT: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Listener:
    """Listens from its creation on, until it is closed.

    Where no descriptor is left, a spare one serves to drop the peers that come, so that they do not wait.

    Args:
        listening: the socket.
        take: called with each accepted socket, which it owns, and with the peer's address.
        clock_s: the monotonic time in seconds.
    """

    def __init__(
        self,
        listening: socket.socket,
        take: Callable[[socket.socket, PeerAddress], None],
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        listening.settimeout(0)
        self._listening = listening
        self._take = take
        self._clock_s = clock_s
        self._loop = asyncio.get_running_loop()
        self._spare = _spare()
        self._short = False
        self._pause: asyncio.TimerHandle | None = None
        self._loop.add_reader(listening, self._accept)

    def close(self) -> None:
        """Accept nothing more."""
        self._loop.remove_reader(self._listening)
        if self._pause is not None:
            self._pause.cancel()
        self._listening.close()
        os.close(self._spare)

    def _accept(self) -> None:
        ends_s = self._clock_s() + ACCEPTS_FOR_S
        for accepted in range(_AT_ONCE):
            if accepted and self._clock_s() >= ends_s:
                return
            try:
                peer, address = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as fault:
                if fault.errno not in _SHORT:
                    raise
                if not self._drop(fault):
                    return
                continue
            self._short = False
            peer.settimeout(0)
            self._take(peer, PeerAddress(canonical_host(str(address[0])), int(address[1])))

    def _drop(self, fault: OSError) -> bool:
        """Drop one peer with the help of the spare descriptor; whether there was one."""
        if not self._short:
            self._short = True
            SERVER_OUT_OF_DESCRIPTORS.log(cause=fault.strerror)
        os.close(self._spare)
        try:
            self._listening.accept()[0].close()
        except BlockingIOError:
            return False
        except OSError:
            # The loop would report the listener again at once.
            self._loop.remove_reader(self._listening)
            self._pause = self._loop.call_later(
                _PAUSE_S, self._loop.add_reader, self._listening, self._accept
            )
            return False
        finally:
            self._spare = _spare()
        return True


def _spare() -> int:
    return os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)


def ports_of(options: ServerOptions) -> list[tuple[str, int]]:
    """The ports to listen on, by their kind."""
    ports = [
        ("amqp", options.port),
        ("amqps", None if options.tls_certificate is None else options.tls_port),
        # Artemis's clients have URLs of this scheme.
        ("tcp", options.core_port),
        ("mqtt", options.mqtt_port),
        ("mqtts", options.mqtt_tls_port),
        ("ws", options.ws_port),
        ("wss", options.wss_port),
    ]
    return [(name, port) for name, port in ports if port is not None]


def listen(options: ServerOptions, port: int) -> socket.socket:
    """A socket that listens on this port, or on the next free one where the options allow that.

    Raises:
        OSError: the port is taken, or the address is not this machine's.
    """
    first, host = port, options.host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    while True:
        try:
            listening = socket.create_server(
                (host, port), family=family, backlog=BACKLOG, dualstack_ipv6=host == EVERY_ADDRESS
            )
        except OSError:
            if not options.port_fallback or port == 0 or port >= first + 100:
                raise
            port += 1
        else:
            # Accepted sockets inherit both. No small piece waits for the peer to acknowledge others.
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # A system may not have this one.
            with contextlib.suppress(OSError):
                listening.setsockopt(socket.IPPROTO_TCP, _TCP_NOTSENT_LOWAT, UNSENT_BYTES)
            return listening
