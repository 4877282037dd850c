"""Readers that watch a queue and are disconnected at random know in the end what the queue holds.

Each is given its messages as it has room, loses its connection at any point, and comes back with the token of
its last message. Nothing may be missing, and nothing may come twice while it continues.
"""

import os
import random
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from broker_desk import LimitedReceiver, made
from example_counts import example_count
from mirror import Mirror

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.watches import changed_keys, feeds, key_index
from lastvalue.client.message_codec import decode_message
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.entry import AVAILABLE
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import Mode, Terms
from lastvalue.queues.watch_terms import read_watch_terms
from lastvalue.selectors import parse_selector

DISCONNECTS = int(os.environ.get("LASTVALUE_DISCONNECTS") or example_count(200, least=100))
START_MS = 1_700_000_000_000
KEYS = [f"{group}.{number}" for group in ("eu", "us", "apac") for number in range(4)]


@dataclass
class Reader:
    """One reader over all its connections.

    Attributes:
        asks: the watch; selector: its filter; admits: which values it is to know.
        exact: it knows each key's newest value, not one that counts as unchanged.
    """

    broker: Broker
    asks: dict[str, Any]
    selector: str = ""
    exact: bool = True
    mirror: Mirror = field(default_factory=Mirror)
    receiver: LimitedReceiver | None = None
    disconnects: int = 0

    def connect(self, now: int) -> None:
        asked = {"removals": True, "snapshot": True, **self.asks}
        if self.mirror.token:
            asked["token"] = self.mirror.token
        terms = Terms(parse_selector(self.selector) if self.selector else None)
        terms.watch = read_watch_terms(asked)
        self.mirror.connect()
        self.receiver = LimitedReceiver(0)
        queue = self.broker.lookup("q")
        self.receiver.reader = self.broker.read(queue, Mode.BROWSE, self.receiver, terms, NOBODY, now)

    def disconnect(self, now: int) -> None:
        if self.receiver is not None:
            self.take()
            self.broker.stop(self.receiver.reader, now)
            self.receiver = None
            self.disconnects += 1

    def allow(self, room: int) -> None:
        if self.receiver is not None:
            self.receiver.room = room
            self.receiver.reader.wake()

    def take(self) -> None:
        assert self.receiver is not None
        for entry in self.receiver.got:
            message = replace(decode_message(entry.message.encoded), sequence=int(entry.sequence))
            self.mirror.take(message)
        self.receiver.got = []

    def admits(self, key: str, value: dict[str, Any]) -> bool:
        asks = self.asks
        if self.selector and not value["n"] > 3:
            return False
        if "keys" in asks and key not in asks["keys"]:
            return False
        return key.startswith(asks.get("prefix", "")) and ("glob" not in asks or key.endswith(".2"))


READERS: list[tuple[dict[str, Any], str, bool]] = [
    ({}, "", True),
    ({}, "n > 3", True),
    ({"keys": ["eu.1", "us.3", "nobody"]}, "", True),
    ({"prefix": "eu."}, "", True),
    ({"glob": "*.2"}, "", True),
    ({"glob": "*.2"}, "n > 3", True),
    ({"keys": ["eu.1", "us.3"]}, "", True),
    ({"glob": "*.2", "interval_ms": 20}, "", True),
    ({"rate": 20.0}, "", True),
    ({"interval_ms": 50}, "", True),
    ({"delta": True}, "", True),
    ({"unchanged": "body"}, "", True),
    ({"unchanged": ["n"], "prefix": "us."}, "", False),
    ({"dead_band": {"n": 2}}, "", False),
    ({"delta": True, "unchanged": "body", "max_keys": 2}, "n > 3", True),
]


class World:
    """A queue to which things happen, and its readers."""

    durable = False

    def __init__(self, seed: int, **options: object) -> None:
        self.chance = random.Random(seed)
        self.now = START_MS
        self.broker = self.begin({"lvq_key": "k", "delete_on_empty": True, **options})
        self.readers = [Reader(self.broker, *each) for each in READERS]

    def begin(self, told: dict[str, Any]) -> Broker:
        """The broker to which things happen, with a queue of these options."""
        return made(spec_from_arguments("q", told))

    def connect(self, reader: Reader) -> None:
        reader.connect(self.now)

    def send(self) -> None:
        chance = self.chance
        value = {"n": chance.randrange(8), "text": "x" * 30, "sub": {"a": 1}}
        body = None if chance.random() < 0.15 else value
        content = MessageContent(
            durable=self.durable,
            body=body,
            application_properties={"k": chance.choice(KEYS), "n": value["n"]},
            ttl_ms=chance.choice([None, None, None, 40]),
        )
        target = self.broker.queue_target("q")
        assert self.broker.publish(target, read_message(encode_content(content)), self.now)
        self.broker.release(target)

    def change_several(self, keys: list[str]) -> None:
        value = {"n": self.chance.randrange(8), "text": "x" * 30, "sub": {"a": 1}}
        contents = [
            MessageContent(
                durable=self.durable, body=value, application_properties={"k": key, "n": value["n"]}
            )
            for key in keys[:2]
        ]
        changes = {"messages": [encode_content(each) for each in contents], "delete": keys[2:]}
        assert manage(self.broker, Request("PUT_MANY", "queue", "q", changes), self.now).status == 200

    def happen(self) -> None:
        chance = self.chance
        for _ in range(chance.randrange(6)):
            self.send()
        if chance.random() < 0.1:
            manage(self.broker, Request("DELETE_KEY", "queue", "q", {"key": chance.choice(KEYS)}), self.now)
        if chance.random() < 0.1:
            self.change_several(chance.sample(KEYS, 3))
        if chance.random() < 0.01:
            self.broker.purge("q")
        for reader in self.readers:
            if reader.receiver is None:
                if chance.random() < 0.4:
                    self.connect(reader)
            elif chance.random() < 0.15:
                reader.disconnect(self.now)
            else:
                reader.allow(chance.choice([0, 1, 1, 2, 5, 100]))
        self.turn()
        self.now += chance.randrange(1, 15)

    def turn(self) -> None:
        while self.broker.next_deadline() <= self.now:
            self.broker.advance(self.now)
            self.broker.pump(self.now)
            self.broker.drain(self.now)
        while self.broker.busy:
            self.broker.pump(self.now)
            self.broker.drain(self.now)

    def settle(self) -> None:
        """Everybody is connected, and has all the room and all the time."""
        for reader in self.readers:
            if reader.receiver is None:
                self.connect(reader)
        for _ in range(40):
            for reader in self.readers:
                reader.allow(1000)
            self.turn()
            self.now += 60
        for reader in self.readers:
            reader.take()

    def check(self) -> None:
        held: dict[str, dict[str, Any]] = {}
        for entry in self.broker.lookup("q").queue.entries():
            assert entry.state == AVAILABLE
            content = decode_content(entry.message.encoded)
            assert isinstance(content.body, dict)
            held[str(content.application_properties["k"])] = content.body
        for reader in self.readers:
            known = reader.mirror.values
            wanted = {key: value for key, value in held.items() if reader.admits(key, value)}
            assert sorted(known) == sorted(wanted), reader.asks
            if reader.exact:
                assert known == wanted, reader.asks


@pytest.mark.parametrize("seed", [1, 2])
def test_no_reader_misses_a_change_or_gets_one_twice(seed: int) -> None:
    world = World(seed, tombstone_ms=10**9)
    while sum(reader.disconnects for reader in world.readers) < DISCONNECTS * len(READERS) // 4:
        for _ in range(30):
            world.happen()
        world.settle()
        world.check()
    assert all(reader.mirror.resumed > 3 for reader in world.readers)
    assert all(reader.mirror.fresh <= 1 for reader in world.readers)


@pytest.mark.parametrize("tombstone_ms", [25, 10**9])
def test_no_reader_misses_a_change_that_is_found_in_many_steps(
    tombstone_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_in_small_steps(monkeypatch)
    world = World(4, tombstone_ms=tombstone_ms)
    for _ in range(example_count(20)):
        for _ in range(30):
            world.happen()
        world.settle()
        world.check()


def look_in_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let readers look at two keys at a time, in short pages; all are found by one beginning of a pattern."""
    for module, name, value in (
        (feeds, "SCAN_KEYS", 2),
        (changed_keys, "PAGE_KEYS", 3),
        (key_index, "MOST_NAMED", 2),
        (key_index, "MOST_LENGTHS", 1),
    ):
        monkeypatch.setattr(module, name, value)


def test_readers_that_are_away_for_too_long_begin_anew() -> None:
    world = World(3, tombstone_ms=25)
    for _ in range(40):
        for _ in range(10):
            world.happen()
        world.settle()
        world.check()
    assert all(reader.mirror.fresh > 1 for reader in world.readers if not reader.asks)
