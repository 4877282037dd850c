"""A broker in a thread of this process."""

import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from lastvalue.client.blocking import Connection, connect
from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.message import Message
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.clock import ManualClock
from lastvalue.testing.recorded_reader import RecordedReader


class BrokerThread:
    """A broker that listens on a free port of loopback, as a context manager.

    Its methods block; programs under test connect to `url` as to any broker.

    Attributes:
        url: its address, the same after a restart.
        connection: an open connection to it, which a restart replaces.
    """

    connection: Connection
    url: str

    def __init__(
        self, options: ServerOptions | None = None, store: Path | None = None, *, manual_clock: bool = False
    ) -> None:
        """Choose its settings; with a store a restart keeps durable queues and messages.

        A manual clock starts at the system's time and moves by `advance` alone.
        """
        self._options = replace(options or ServerOptions(), port=0, store=store)
        self._clock = ManualClock(time.time_ns() // 1_000_000) if manual_clock else None
        self._thread = LoopThread()
        self._server: BrokerServer | None = None
        self._readers: list[RecordedReader] = []

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self._thread.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ExitStack() as ends:
            ends.callback(self._thread.stop)
            ends.callback(self._stop)
            for reader in self._readers:
                ends.callback(reader.close)

    def restart(self) -> None:
        """Stop the broker and start it on the same port: connections end, and what is not durable is gone."""
        self._stop()
        self._start()

    def messages(self, queue: str) -> list[Message]:
        """The messages that a queue has now, which stay there."""
        return list(self.connection.queue(queue).browse())

    def record(self, queue: str, *, selector: str | None = None) -> RecordedReader:
        """Record from now on what a browser of the queue gets that follows it as fast as it can."""
        reader = RecordedReader(self.url, queue, selector)
        self._readers.append(reader)
        return reader

    def advance(self, milliseconds: int = 0, *, seconds: float = 0, minutes: float = 0) -> None:
        """Move a manual clock; what falls due on the way happens at its time.

        Raises:
            RefusedError: the broker's clock is the system's.
        """
        self.connection.advance_clock(milliseconds + round(seconds * 1000) + round(minutes * 60_000))

    def _start(self) -> None:
        server = BrokerServer(self._options, clock=self._clock)
        self._thread.run(server.start())
        self._server = server
        self._options = replace(self._options, port=server.port)
        self.url = f"amqp://127.0.0.1:{server.port}"
        self.connection = connect(self.url, reconnect=False)

    def _stop(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            # The broker may have closed it, for instance by a test of that.
            with suppress(OSError, RuntimeError):
                self.connection.close()
            self._thread.run(server.stop())
