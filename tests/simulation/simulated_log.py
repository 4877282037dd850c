"""The servers of a replicated log, as a model of what JetStream does with one stream.

An append says which sequence it expects to be stored behind. The servers' leader refuses it at once, or
stores it, and answers when most servers have it. Servers elect another leader from time to time; then nobody
answers for a while, and of what was not answered a beginning may survive. What was answered stays.
"""

import asyncio
import errno
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

from simulated_network import Network
from simulated_world import Loop, Machine, World

from lastvalue.cluster.jetstream import (
    ASK_S,
    Answer,
    FollowerState,
    JetStream,
    LogUnavailableError,
    StreamState,
)
from lastvalue.cluster.log_reader import LogReader
from lastvalue.cluster.log_records import Kind, decode_record
from lastvalue.store.log_settings import LogSettings, LogThread
from lastvalue.store.store_contents import StoreContents

T = TypeVar("T")
STORES_S: Final = 0.002
TICK_S: Final = 0.2
PART: Final = 16


@dataclass(slots=True)
class _Append:
    data: bytes
    position: int
    stream: "SimulatedStream"
    token: int


class LogServers:
    """The stream, and who of its servers leads.

    Attributes:
        messages: those that are stored, by sequence.
        slow_s: how much longer an append takes.
        full: the share of the appends for which they have no room.
        cut_off: the machines that do not reach the servers now.
        writer: the machine that began the newest term, and its number.
        on_term: called when a machine begins a term.
    """

    def __init__(self, world: World, network: Network) -> None:
        self.world = world
        self.network = network
        self.messages: dict[int, bytes] = {}
        self.last = 0
        self.slow_s = 0.0
        self.full = 0.0
        self.cut_off: set[str] = set()
        self.writer: tuple[Machine, list[Loop]] | None = None
        self.on_term: Callable[[Machine], None] = lambda machine: None
        self._under_way: list[_Append] = []
        self._elects = False
        self._armed_s = 0.0
        self.streams: list[SimulatedStream] = []

    @property
    def first(self) -> int:
        return min(self.messages, default=self.last + 1)

    @property
    def elects(self) -> bool:
        return self._elects

    def elect(self, length_s: float) -> None:
        """The leader of the servers is gone with the next append under way; for a while there is none."""
        self._armed_s = length_s

    def _elect(self, length_s: float) -> None:
        self._armed_s = 0.0
        self._elects = True
        kept = self.world.chance.randint(0, len(self._under_way))
        lost = len(self._under_way) - kept
        self.world.note(f"the servers elect: {kept} appends survive, {lost} do not", elections=1)
        self.world.counts["appends lost"] += lost
        under_way, self._under_way = self._under_way, []
        for append in under_way[:kept]:
            self._store(append)
        self.world.wire.call_later(length_s, self._elected)

    def _elected(self) -> None:
        self._elects = False

    def append(self, stream: "SimulatedStream", token: int, expected: int, data: bytes) -> None:
        """An append has come."""
        if self._elects:
            if self.world.chance.random() < 0.5:
                stream.answer(token, None, LogUnavailableError("the stream has no leader now"))
            return
        last = self._under_way[-1].position if self._under_way else self.last
        if expected != last:
            self.world.counts["refused appends"] += 1
            stream.answer(token, None, None)
            return
        if self.full and self.world.chance.random() < self.full:
            # So what was sent behind it expects a message that is not there.
            self.world.counts["appends without room"] += 1
            stream.answer(token, None, LogUnavailableError("the log is full", errno.ENOSPC))
            return
        append = _Append(data, last + 1, stream, token)
        self._under_way.append(append)
        if self._armed_s:
            self.world.wire.call_later(STORES_S / 4, self._elect, self._armed_s)
            self._armed_s = 0.0
        took_s = STORES_S * (0.5 + self.world.chance.random()) + self.slow_s
        self.world.wire.call_later(took_s, self._commit, append)

    def _commit(self, append: _Append) -> None:
        # Those before it are stored first.
        while append in self._under_way and not self._elects:
            first = self._under_way.pop(0)
            self._store(first)
            first.stream.answer(first.token, first.position, None)

    def _store(self, append: _Append) -> None:
        self.last = append.position
        self.messages[self.last] = append.data
        for stream in self.streams:
            if stream._follows is not None:
                stream._pass("from", stream.loop.call_soon, stream.news.set)
        record = decode_record(append.data, self.last)
        if record.kind is Kind.TERM:
            machine = append.stream.machine
            before = self.writer
            if before is not None and before[0] is not machine and any(loop.alive for loop in before[1]):
                self.world.note(f"{before[0].name} is a stale leader", stale_leaders=1)
            self.writer = machine, list(machine.loops)
            self.on_term(machine)
            self.world.note(f"{machine.name} begins term {record.term}", terms=1)

    def delete(self, positions: list[int]) -> None:
        for each in positions:
            self.messages.pop(each, None)

    def contents(self) -> StoreContents:
        """What a broker reads that starts."""
        reader = LogReader(self.first)
        for position, data in sorted(self.messages.items()):
            reader.take(position, decode_record(data, position))
        return reader.stored

    def cut(self, machine: Machine) -> None:
        """Break the connection of a machine to the servers: what is under way, both ways, is lost."""
        for stream in self.streams:
            if stream.machine is machine:
                stream.life += 1


class SimulatedStream(JetStream):
    """A broker's connection to the stream.

    Attributes:
        life: of the connection; what was sent in another one does not arrive.
    """

    loop: Loop

    def __init__(
        self, servers: LogServers, machine: Machine, settings: LogSettings, answered: Answer
    ) -> None:
        super().__init__(settings, answered)
        self.machine = machine
        self.news = asyncio.Event()
        self.life = 0
        self._servers = servers
        self._world = servers.world
        self._last_s = {"to": 0.0, "from": 0.0}
        self._follows: str | None = None

    @property
    def message_bytes(self) -> int:
        return 64 << 10

    @property
    def connected(self) -> bool:
        return True

    async def connect(self) -> None:
        self.loop = self.machine.loops[-1]
        self._servers.streams.append(self)
        await self._ask(lambda: None)

    async def close(self) -> None:
        self.life += 1
        self._follows = None
        if self in self._servers.streams:
            self._servers.streams.remove(self)

    async def sync_doubts(self) -> list[str]:
        return []

    async def open_stream(self) -> list[str]:
        return []

    # ---- both ways

    def _pass(self, way: str, what: Any, *args: Any) -> None:
        """Call something when the message has arrived, unless the connection breaks before."""
        machine = self.machine
        at_s = self._servers.network.arrives_s(machine)
        at_s = self._last_s[way] = max(self._last_s[way], at_s)
        life = self.life

        def arrive() -> None:
            if life == self.life and machine.name not in self._servers.cut_off and self.loop.alive:
                what(*args)

        self._world.at(at_s, self._world.wire, asyncio.Handle(arrive, (), self._world.wire))

    async def publish(self, token: int, expected: int, data: bytes) -> None:
        self._pass("to", self._servers.append, self, token, expected, data)

    def answer(self, token: int, position: int | None, fault: LogUnavailableError | None) -> None:
        """Send the answer to an append."""
        self._pass("from", self.loop.call_soon, self._answered, token, position, fault)

    async def _ask(self, request: Any) -> Any:
        """Ask the servers' leader; `request` runs there."""
        answer: asyncio.Future[Any] = self.loop.create_future()

        def come_back(result: Any) -> None:
            if not answer.done():
                answer.set_result(result)

        def arrive() -> None:
            if not self._servers.elects:
                self._pass("from", self.loop.call_soon, come_back, request())

        self._pass("to", arrive)
        try:
            async with asyncio.timeout(ASK_S):
                return await answer
        except TimeoutError:
            raise LogUnavailableError("the log's servers do not answer") from None

    # ---- asking

    async def state(self) -> StreamState:
        servers = self._servers
        state: StreamState = await self._ask(lambda: StreamState(servers.first, servers.last, 0, 0, ()))
        return state

    async def message(self, position: int) -> bytes | None:
        found: bytes | None = await self._ask(lambda: self._servers.messages.get(position))
        return found

    async def read(self, first: int, last: int) -> AsyncIterator[tuple[int, bytes]]:
        position = first
        while position <= last:
            part = await self.patiently(partial(self._ask, partial(self._part, position, last)))
            for found, data in part:
                yield found, data
            position = part[-1][0] + 1 if part else last + 1

    def _part(self, first: int, last: int | None = None) -> list[tuple[int, bytes]]:
        messages = self._servers.messages
        last = self._servers.last if last is None else last
        return [(each, messages[each]) for each in range(first, last + 1) if each in messages][:PART]

    async def follow(self, first: int, about: str) -> AsyncIterator[tuple[int, bytes] | None]:
        self._follows = about
        position = first
        while True:
            try:
                part = await self._ask(partial(self._part, position))
            except LogUnavailableError:
                yield None
                continue
            for found, data in part:
                position = found + 1
                yield found, data
            if not part:
                yield None
                self.news.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.news.wait(), TICK_S)

    async def followers(self) -> list[FollowerState]:
        streams = self._servers.streams
        found: list[FollowerState] = await self._ask(
            lambda: [FollowerState(each._follows, 0) for each in streams if each._follows is not None]
        )
        return found

    async def trim(self, before: int) -> None:
        await self._ask(lambda: self._trim(before))

    def _trim(self, before: int) -> None:
        self._world.counts["trimmed"] += 1
        self._servers.delete([each for each in self._servers.messages if each < before])

    async def delete(self, position: int) -> None:
        await self._ask(lambda: self._servers.delete([position]))


class SimulatedThread(LogThread):
    """The thread of a log: another loop of the same machine, for which the program waits."""

    def __init__(self, machine: Machine) -> None:
        self._of_machine = machine.loop()
        self.loop = self._of_machine

    def wait_for(self, steps: Coroutine[Any, Any, T]) -> T:
        """See LogThread."""
        task = self._of_machine.run(steps)
        self._of_machine.machine.world.block(task.done)
        result: T = task.result()
        return result

    def stop(self) -> None:
        """See LogThread."""
        self._of_machine.alive = False
