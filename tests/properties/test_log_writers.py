"""Writers of one log that lose messages and answers, and follow one another: what they confirm counts.

The stream is the naive one: it stores a message where the expected sequence is its last one.
"""

import random
from dataclasses import dataclass, field
from typing import Any

from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.cluster.appender import ANSWER_S, Appender, Send
from lastvalue.cluster.chain import Chain
from lastvalue.cluster.log_records import Kind, LogRecord, decode_record, encode_record

EXAMPLES = example_count(200)
LEASE_S = 4.0


@dataclass
class Stream:
    """Messages by sequence; the positions of some are deleted."""

    messages: dict[int, bytes] = field(default_factory=dict)
    last: int = 0

    def append(self, expected: int, data: bytes) -> int | None:
        if expected != self.last:
            return None
        self.last += 1
        self.messages[self.last] = data
        return self.last

    def records(self, after: int) -> list[tuple[int, LogRecord]]:
        return [(at, decode_record(data, at)) for at, data in sorted(self.messages.items()) if at > after]


class Calm(random.Random):
    """Chance for a network that delivers all, and a writer that has nothing to say."""

    def random(self) -> float:
        return 0.5

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        del start, stop, step
        return 0

    def choice(self, seq: Any) -> Any:
        return seq[-1]


@dataclass
class Writer:
    """A broker: what it sends lies in the network until it arrives, or is lost."""

    stream: Stream
    chance: random.Random
    now_s: float = 0.0
    confirmed: list[bytes] = field(default_factory=list)
    added: int = 0
    beats: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        chain = Chain()
        for at, record in self.stream.records(0):
            chain.take(at, record)
        chain.position = self.stream.last
        term = LogRecord(Kind.TERM, chain.term + 1, chain.number + 1, 0, 0)
        at_term = self.stream.append(chain.position, encode_record(term))
        assert at_term is not None
        assert chain.take(at_term, term)
        self.appender = Appender(chain, LEASE_S, self.now_s)
        self.network: list[Send] = []

    def step(self) -> None:
        appender = self.appender
        self.now_s += self.chance.choice((0.0, 0.1, ANSWER_S))
        if self.chance.random() < 0.5:
            self.added += 1
            appender.add(Kind.BATCH, f"{appender.term}-{self.added}".encode(), 1, begins=self.added == 1)
        if appender.needs_beat(self.now_s):
            appender.add(Kind.BEAT, b"", 1)
        self.network += appender.sends(self.now_s)
        while self.network and self.chance.random() < 0.7:
            self.arrive(self.network.pop(self.chance.randrange(min(3, len(self.network)))))
        appender.look(self.now_s)
        if appender.resolving and self.chance.random() < 0.7:
            self.resolve()
        self.take()

    def arrive(self, send: Send) -> None:
        if self.chance.random() < 0.1:
            return
        stored = self.stream.append(send.expected, send.data)
        if self.chance.random() < 0.1:
            return
        if stored is None:
            self.appender.refused(send.token)
        else:
            self.appender.stored(send.token, stored)

    def resolve(self) -> None:
        # What is read may be older than what is there.
        last = self.stream.last - (self.chance.random() < 0.2)
        messages = [each for each in self.stream.records(self.appender.position) if each[0] <= last]
        self.appender.resolve(messages, 1, last)

    def take(self) -> None:
        for at, record in self.appender.confirmed():
            if record.kind is Kind.BATCH:
                self.confirmed.append(record.payload)
            elif record.kind is Kind.BEAT:
                self.beats.append(at)
            while self.beats and self.beats[0] < at:
                del self.stream.messages[self.beats.pop(0)]


def counted(stream: Stream) -> list[bytes]:
    chain = Chain()
    records = [record for at, record in stream.records(0) if chain.take(at, record)]
    return [record.payload for record in records if record.kind is Kind.BATCH]


@settings(max_examples=EXAMPLES, deadline=None)
@given(seed=st.integers(0, 2**32), writers=st.integers(1, 4), steps=st.integers(1, 60))
def test_what_writers_confirm_counts_once_and_in_their_order(seed: int, writers: int, steps: int) -> None:
    chance = random.Random(seed)
    stream = Stream()
    living: list[Writer] = []
    for _ in range(writers):
        # Those before continue as if nobody had followed them, with what they have in the network.
        living.append(Writer(stream, chance))
        for _ in range(steps):
            chance.choice(living).step()
    found = counted(stream)
    assert len(set(found)) == len(found)
    for writer in living:
        own = [each for each in found if each.startswith(f"{writer.appender.term}-".encode())]
        assert own[: len(writer.confirmed)] == writer.confirmed
        assert own == [f"{writer.appender.term}-{n}".encode() for n in range(1, len(own) + 1)]


@settings(max_examples=EXAMPLES, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_newest_writer_gets_everything_in_and_the_older_ones_are_fenced(seed: int) -> None:
    chance = random.Random(seed)
    stream = Stream()
    older = Writer(stream, chance)
    for _ in range(30):
        older.step()
    newer = Writer(stream, chance)
    for _ in range(400):
        chance.choice((older, newer)).step()
    assert older.appender.fenced
    assert not newer.appender.fenced
    # From here on nothing is lost on the way, and nothing is added.
    newer.chance = Calm()
    for _ in range(50):
        newer.step()
    assert newer.confirmed == [f"2-{n}".encode() for n in range(1, newer.added + 1)]
