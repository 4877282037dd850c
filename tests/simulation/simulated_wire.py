"""A program that speaks a protocol for itself, packet by packet, and connects again whenever it has to."""

import asyncio
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Final

from simulated_clients import Client

from lastvalue.model.errors import LastvalueError

BEAT_S: Final = 2.0
SILENT_S: Final = 6.0
"""A broker that says nothing for so long is gone."""
AGAIN_S: Final = 0.3


class WireLostError(LastvalueError):
    """The connection was lost before what was waited for came."""


class Wire(asyncio.BufferedProtocol):
    """A connection.

    Attributes:
        lost: it has ended.
    """

    transport: Any

    def __init__(self, client: "WireClient") -> None:
        self.lost = False
        self.ended: asyncio.Future[None] = client.loop.create_future()
        self._client = client
        self._room = bytearray(1 << 16)
        self._heard_s = client.loop.time()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self._client.loop.call_later(BEAT_S, self._beat)

    def get_buffer(self, sizehint: int) -> bytearray:
        del sizehint
        return self._room

    def buffer_updated(self, nbytes: int) -> None:
        self._heard_s = self._client.loop.time()
        self._client.arrived(bytes(self._room[:nbytes]))
        self._client.look()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.lost = True
        self._client.ready = False
        self._client.look()
        if not self.ended.done():
            self.ended.set_result(None)

    def _beat(self) -> None:
        if self.lost:
            return
        if self._client.loop.time() - self._heard_s > SILENT_S:
            self.transport.abort()
            return
        self._client.beat()
        self._client.loop.call_later(BEAT_S, self._beat)


class WireClient(Client):
    """A client without a library.

    Attributes:
        ready: it is logged in.
    """

    ready = False
    wire: Wire

    def begin(self) -> None:
        self.ready = False
        self._waiting: list[asyncio.Future[None]] = []
        super().begin()

    @property
    def is_idle(self) -> bool:
        return self.ready and super().is_idle

    async def connect(self) -> None:
        self.loop.run(self._keep())
        await self.until(lambda: self.ready)

    async def _keep(self) -> None:
        """Be connected, to one broker after the other."""
        number = 0
        while True:
            host, _, port = self._urls[number % len(self._urls)].partition("://")[2].partition(":")
            number += 1
            wire = Wire(self)
            try:
                await self.loop.create_connection(lambda wire=wire: wire, host, int(port))
            except OSError:
                await self.pass_s(AGAIN_S)
                continue
            self.wire = wire
            self.hello()
            await wire.ended
            self.world.counts["wires lost"] += 1
            await self.pass_s(AGAIN_S)

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait until this is so."""
        while not done():
            waiting = self.loop.create_future()
            self._waiting.append(waiting)
            await waiting

    async def until_or_lost(self, done: Callable[[], bool], wire: Wire) -> None:
        """Wait until this is so.

        Raises:
            WireLostError: the connection was lost before.
        """
        await self.until(lambda: wire.lost or done())
        if not done():
            raise WireLostError

    async def at_most(self, seconds: float, done: Callable[[], bool]) -> None:
        """Wait until this is so, or for so long."""
        late: list[bool] = []

        def end() -> None:
            late.append(True)
            self.look()

        self.loop.call_later(seconds, end)
        await self.until(lambda: bool(late) or done())

    def look(self) -> None:
        """Something has changed."""
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if not each.done():
                each.set_result(None)

    def leave(self) -> None:
        """Try another broker."""
        self.ready = False
        self.wire.transport.abort()

    async def hang(self, seconds: float) -> None:
        """Do nothing for a while, and read nothing."""
        for end in self.network.of(self.machine):
            end.pause_reading()
        await self.pass_s(seconds)
        for end in self.network.of(self.machine):
            end.resume_reading()

    @abstractmethod
    def hello(self) -> None:
        """The connection is there: log in, and be ready at last."""

    @abstractmethod
    def arrived(self, data: bytes) -> None:
        """Bytes have come."""

    @abstractmethod
    def beat(self) -> None:
        """Say something, so that the broker answers or knows that this program is there."""
