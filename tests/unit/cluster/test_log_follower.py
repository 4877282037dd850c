"""Following a log of records in memory: who leads, who takes over, and what is read anew."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, cast

import pytest
from waiting import passes

from lastvalue.cluster.jetstream import JetStream, StreamState
from lastvalue.cluster.log_follower import LogFollower, cancel
from lastvalue.cluster.log_reader import LogReader
from lastvalue.cluster.log_records import Kind, LogRecord, encode_record
from lastvalue.cluster.takeover import Answers, Takeover, writer_card
from lastvalue.store import records
from lastvalue.store.log_address import read_log_address
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.records import Declared
from lastvalue.store.store_contents import StoreContents

SETTINGS = LogSettings(read_log_address("nats://one/T"), lease_ms=200, advertise="two:5672")
LEADER = writer_card("one:5672")
BATCH = records.declared(Declared(1, "queue", "q", {"durable": True}))


class FakeStream:
    """A stream in memory, to which another broker appends."""

    def __init__(self) -> None:
        self.messages: dict[int, bytes] = {}
        self.last = 0
        self.follows_anew = 0

    def append(self, record: LogRecord) -> None:
        self.last += 1
        self.messages[self.last] = encode_record(record)

    async def patiently(self, ask: Any) -> Any:
        return await ask()

    async def state(self) -> StreamState:
        return StreamState(min(self.messages, default=self.last + 1), self.last, 0, 0, ())

    async def read(self, first: int, last: int) -> AsyncIterator[tuple[int, bytes]]:
        for position in range(first, last + 1):
            if position in self.messages:
                yield position, self.messages[position]

    async def follow(self, first: int, about: str) -> AsyncIterator[tuple[int, bytes] | None]:
        assert '"two:5672"' in about
        self.follows_anew += 1
        position = first
        while True:
            while position <= self.last:
                if position in self.messages:
                    yield position, self.messages[position]
                position += 1
            await passes(0.01)
            yield None

    async def publish(self, token: int, expected: int, data: bytes) -> None:
        stored = expected == self.last
        if stored:
            self.last += 1
            self.messages[self.last] = data
        self.answers.take(token, self.last if stored else None, None)

    answers = Answers()


class Listening:
    """Notes what a follower is given."""

    def __init__(self) -> None:
        self.waiting_bytes = 0
        self.batches: list[bytes] = []
        self.leaders: list[str] = []
        self.begun: list[StoreContents] = []
        self.known: list[int] = []

    def begin(self, stored: StoreContents, position: int) -> None:
        self.begun.append(stored)

    def take(self, position: int, batches: list[tuple[int, bytes]], leader: str) -> None:
        self.batches += [batch for _, batch in batches]
        self.leaders.append(leader)

    def know(self, last: int, asked_s: float) -> None:
        self.known.append(last)

    def end(self) -> None:
        """See LogListener."""


def record(kind: Kind, term: int, number: int, payload: bytes = b"", **rest: Any) -> LogRecord:
    return LogRecord(kind, term, number, 1, SETTINGS.lease_ms, payload, **rest)


async def following(stream: FakeStream) -> tuple[LogFollower, Listening]:
    fake = cast("JetStream", stream)
    stream.answers = Answers()
    takeover = Takeover(fake, SETTINGS, stream.answers, None)
    reader: LogReader = await takeover.read_all()
    return LogFollower(fake, SETTINGS, takeover, stream.answers, reader), Listening()


async def test_what_the_leader_appends_is_given_and_once_it_is_silent_a_term_begins() -> None:
    stream = FakeStream()
    stream.append(record(Kind.TERM, 1, 1, LEADER))
    follower, listening = await following(stream)
    stream.append(record(Kind.BATCH, 1, 2, BATCH, begins=True))
    began_s = asyncio.get_running_loop().time()
    reader, _ = await asyncio.wait_for(follower.run(listening), 120)
    assert asyncio.get_running_loop().time() - began_s >= SETTINGS.lease_ms / 1000
    assert listening.batches == [BATCH]
    assert listening.leaders == ["one:5672", "two:5672"]
    assert (reader.chain.term, reader.chain.number, stream.last) == (2, 3, 3)
    assert 2 in listening.known


async def test_a_leader_that_ended_in_order_is_followed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "SETTINGS", replace(SETTINGS, lease_ms=120_000))
    stream = FakeStream()
    stream.append(record(Kind.TERM, 1, 1, LEADER))
    stream.append(record(Kind.STOP, 1, 2))
    follower, listening = await following(stream)
    async with asyncio.timeout(SETTINGS.lease_ms / 1000):
        reader, _ = await follower.run(listening)
    assert reader.chain.term == 2


async def test_a_leader_that_beats_stays_the_leader() -> None:
    stream = FakeStream()
    stream.append(record(Kind.TERM, 1, 1, LEADER))
    follower, listening = await following(stream)
    running = asyncio.create_task(follower.run(listening))
    for _ in range(20):
        await passes(0.03)
        stream.append(record(Kind.BEAT, 1, 1, LEADER))
    assert not running.done()
    assert stream.last == 21
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_the_log_is_read_anew_where_the_next_records_are_gone() -> None:
    stream = FakeStream()
    stream.append(record(Kind.TERM, 1, 1, LEADER))
    follower, listening = await following(stream)
    stream.append(record(Kind.BATCH, 1, 2, b"", begins=True))
    stream.append(record(Kind.BATCH, 1, 3, BATCH, begins=True))
    del stream.messages[1], stream.messages[2]
    await asyncio.wait_for(follower.run(listening), 120)
    assert [list(each.declared) for each in listening.begun] == [[("queue", "q")]]
    assert stream.follows_anew == 2


async def test_a_task_that_loses_a_cancellation_is_told_again() -> None:
    told = 0

    async def work() -> None:
        nonlocal told
        while told < 2:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                # What `wait_for` of Python 3.11 does where the answer has come meanwhile.
                told += 1

    tasks = [asyncio.create_task(work()), asyncio.create_task(passes(0))]
    await passes(0)
    async with asyncio.timeout(120):
        await cancel(tasks)
    assert (told, [task.done() for task in tasks]) == (2, [True, True])
    await cancel(tasks)
