"""The model of the log's servers answers the same script of calls as real servers do."""

import asyncio
import errno
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Protocol

from log_servers import LogServers as RealServers
from simulated_log import LogServers, SimulatedStream
from simulated_network import Network
from simulated_world import Machine, World

from lastvalue.cluster.jetstream import JetStream, LogUnavailableError
from lastvalue.cluster.log_records import Kind, LogRecord, encode_record
from lastvalue.store.log_address import read_log_address
from lastvalue.store.log_settings import LogSettings

LIMIT_S = 240.0


class Answers:
    """What became of each attempt: a sequence, None where it was refused, or the number of a fault."""

    def __init__(self) -> None:
        self.told: dict[int, int | str | None] = {}
        self._news = asyncio.Event()

    def take(self, token: int, position: int | None, fault: LogUnavailableError | None) -> None:
        """See JetStream."""
        self.told[token] = position if fault is None else errno.errorcode[fault.errno or 0]
        self._news.set()

    async def of(self, *tokens: int) -> list[int | str | None]:
        """Those to these attempts, once they are there."""
        while not {*tokens} <= {*self.told}:
            self._news.clear()
            await self._news.wait()
        return [self.told[each] for each in tokens]


class Servers(Protocol):
    """Those that run the script: real ones, or the model."""

    answers: Answers

    def stream(self) -> JetStream:
        """A connection to their stream."""

    async def fill(self, stream: JetStream, *, full: bool) -> None:
        """Have no room for anything, or again for everything."""

    async def lose_leader(self) -> None:
        """The server that leads the stream dies, now or with the next append."""


def data(number: int) -> bytes:
    """A record, as the model reads what it stores."""
    return encode_record(LogRecord(Kind.BATCH, 1, number, 1, 2000, b"%d" % number))


async def script(servers: Servers) -> list[object]:
    """All that a broker does with a stream; what is seen of it."""
    answers, stream = servers.answers, servers.stream()
    await stream.connect()
    seen: list[object] = [await stream.open_stream(), await ends(stream)]
    # Several under way; the same again; ahead of the end; one of several that does not fit, so those behind.
    for token, expected in enumerate([0, 1, 0, 7, 2, 9, 3, 5]):
        await stream.publish(token, expected, data(token))
    seen += [await answers.of(*range(8)), await ends(stream), await all_of(stream, 1, 4)]
    seen += [await stream.message(2), await stream.message(9), await all_of(stream, 2, 3)]
    for _ in range(2):
        await stream.delete(2)
    seen += [await stream.message(2), await ends(stream), await all_of(stream, 1, 4)]
    await stream.trim(3)
    seen += [await stream.message(1), await ends(stream), await all_of(stream, 1, 4)]
    await stream.trim(5)
    seen += [await ends(stream)]
    await stream.publish(10, 4, data(10))
    seen += [await answers.of(10), await ends(stream)]
    seen += [await refused_as_full(servers, stream), await followed(servers)]
    seen += [await stored_once(servers, stream), await ends(stream)]
    await stream.close()
    return seen


async def ends(stream: JetStream) -> tuple[int, int]:
    """The first and the last sequence."""
    state = await stream.patiently(stream.state)
    return state.first, state.last


async def all_of(stream: JetStream, first: int, last: int) -> list[tuple[int, bytes]]:
    """The messages from one sequence to another."""
    return [each async for each in stream.read(first, last)]


async def refused_as_full(servers: Servers, stream: JetStream) -> list[object]:
    """An append for which there is no room, the one behind it, and the first one again with room."""
    await servers.fill(stream, full=True)
    await stream.publish(20, 5, data(20))
    seen: list[object] = [await servers.answers.of(20)]
    await servers.fill(stream, full=False)
    await stream.publish(21, 6, data(21))
    await stream.publish(22, 5, data(22))
    return [*seen, await servers.answers.of(21, 22), await ends(stream)]


async def followed(servers: Servers) -> list[object]:
    """What a second connection is sent that follows: what is there, and what is stored meanwhile."""
    stream = servers.stream()
    await stream.connect()
    found: list[tuple[int, bytes]] = []
    following: list[str] = []
    async for each in stream.follow(5, "a card"):
        if each is not None:
            found.append(each)
        elif len(found) == 2 and not following:
            following = [one.about for one in await stream.followers()]
            await stream.publish(30, 6, data(30))
        if len(found) == 3:
            break
    answered = await servers.answers.of(30)
    await stream.close()
    return [found, following, answered]


async def stored_once(servers: Servers, stream: JetStream) -> list[object]:
    """A message that is sent again and again while the servers choose another leader is there once."""
    before = (await ends(stream))[1]
    await servers.lose_leader()
    token = 100
    told: int | str | None = "EIO"
    while told == "EIO":
        await stream.publish(token, before, data(100))
        with suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                (told,) = await servers.answers.of(token)
        token += 1
    # It is the answer of the last attempt, or an earlier one was stored and is found behind `before`.
    await stream.publish(token, before, data(101))
    late = await servers.answers.of(token)
    return [told in (before + 1, None), late, await all_of(stream, before + 1, before + 1)]


class Real:
    """Three servers, each a process."""

    def __init__(self, servers: RealServers, address: str) -> None:
        self.answers = Answers()
        self._servers = servers
        self._address = read_log_address(address)

    def stream(self) -> JetStream:
        return JetStream(LogSettings(self._address), self.answers.take)

    async def fill(self, stream: JetStream, *, full: bool) -> None:
        context = stream._client.jetstream()
        info = await context.stream_info(self._address.name)
        await context.update_stream(info.config.evolve(max_bytes=info.state.bytes + 1 if full else -1))

    async def lose_leader(self) -> None:
        await asyncio.to_thread(self._servers.leader_of(self._address.name).kill)


class Modelled:
    """The model, in a world."""

    def __init__(self, seed: int) -> None:
        self.answers = Answers()
        self.world = World(seed)
        self._network = Network(self.world)
        self._servers = LogServers(self.world, self._network)
        self._machine = Machine(self.world, "writer")

    def stream(self) -> JetStream:
        settings = LogSettings(read_log_address("nats://servers:4222/L"))
        return SimulatedStream(self._servers, self._machine, settings, self.answers.take)

    async def fill(self, stream: JetStream, *, full: bool) -> None:
        self._servers.full = 1.0 if full else 0.0

    async def lose_leader(self) -> None:
        self._servers.elect(1.0)

    def run(self, steps: Callable[[Servers], Coroutine[Any, Any, list[object]]]) -> list[object]:
        """Run a script in simulated time."""
        with self.world.time():
            task = self._machine.loop().run(steps(self))
            assert self.world.run_until(task.done, LIMIT_S)
            self.world.forget()
        result: list[object] = task.result()
        return result


async def test_the_model_and_the_servers_answer_the_same(log_servers: RealServers, log_address: str) -> None:
    try:
        real = await script(Real(log_servers, log_address))
    finally:
        for server in log_servers.servers:
            server.start()
        await asyncio.to_thread(log_servers.wait)
    assert [*map(str, real)] == [*map(str, await asyncio.to_thread(Modelled(1).run, script))]


def test_the_model_answers_the_same_in_worlds_that_differ() -> None:
    assert len({str(Modelled(seed).run(script)) for seed in range(20)}) == 1
