"""A relay before a broker, whose connections break in the middle of what a client sends."""

import selectors
import socket
import threading
from types import TracebackType
from typing import Final, Self

from served_broker import HOST

_STEP: Final = 16 * 1024
_WAIT_S: Final = 0.2


class BreakingRelay:
    """Relays connections to a port, and breaks the first ones.

    Args:
        port: of the broker.
        breaks_after: for each of the first connections, after how many bytes of the client it breaks.

    Attributes:
        broken: how many connections it broke.
    """

    def __init__(self, port: int, breaks_after: list[int]) -> None:
        self._port = port
        self._breaks_after = list(breaks_after)
        self._listener = socket.create_server((HOST, 0))
        self._listener.settimeout(_WAIT_S)
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._accept)]
        self.broken = 0

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()
        self._listener.close()

    @property
    def port(self) -> int:
        """On which it listens."""
        port: int = self._listener.getsockname()[1]
        return port

    def _accept(self) -> None:
        while not self._ended.is_set():
            try:
                client, _ = self._listener.accept()
            except TimeoutError:
                continue
            bytes_left = self._breaks_after.pop(0) if self._breaks_after else -1
            thread = threading.Thread(target=self._relay, args=(client, bytes_left))
            self._threads.append(thread)
            thread.start()

    def _relay(self, client: socket.socket, bytes_left: int) -> None:
        with (
            client,
            socket.create_connection((HOST, self._port)) as broker,
            selectors.DefaultSelector() as ready,
        ):
            ready.register(client, selectors.EVENT_READ, broker)
            ready.register(broker, selectors.EVENT_READ, client)
            while not self._ended.is_set():
                for key, _ in ready.select(_WAIT_S):
                    source: socket.socket = key.fileobj  # type: ignore[assignment]  # what was registered
                    try:
                        octets = source.recv(_STEP)
                        if source is client and 0 <= bytes_left <= len(octets):
                            key.data.sendall(octets[:bytes_left])
                            self.broken += 1
                            return
                        key.data.sendall(octets)
                    except OSError:
                        return
                    if not octets:
                        return
                    if source is client and bytes_left >= 0:
                        bytes_left -= len(octets)
