"""Readers that watch a queue go from broker to broker of a cluster, and know in the end what it holds.

The followers are some batches behind, and take over in turns. A token means the same everywhere.
"""

import os
import random
from typing import Any

import pytest
from kept_log import KeptLog, Leader, queue_state
from test_following import Follower
from test_watches import KEYS, READERS, START_MS, Reader

from lastvalue.broker.broker import Broker
from lastvalue.broker.management import Request, manage
from lastvalue.broker.not_leader import NotLeaderError
from lastvalue.client.message_codec import decode_message
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message

ROUNDS = int(os.environ.get("LASTVALUE_EXAMPLES", "8"))
FOLLOWERS = 2
EVERYTHING = 1000


class Node:
    """A broker that leads, or follows and is behind."""

    def __init__(self, log: KeptLog, now: int) -> None:
        self.log = log
        self.waiting: list[tuple[int, bytes]] = []
        self.leader: Leader | None = None
        self.follower = Follower(log, now)
        log.followers[-1] = self.get
        self.broker: Broker = self.follower.broker

    def get(self, segment: int, batch: bytes) -> None:
        self.waiting.append((segment, batch))

    def catch_up(self, most: int, now: int) -> None:
        stored = self.follower.followed.stored
        self.follower.now = now
        for segment, batch in self.waiting[:most]:
            stored.segments[segment] = stored.segments.get(segment, 0) + len(batch)
            self.follower.take(segment, batch)
        del self.waiting[:most]

    def lead(self, now: int) -> None:
        self.catch_up(EVERYTHING, now)
        self.log.followers.remove(self.get)
        self.broker.authorization.leader = None
        self.leader = Leader(self.log)
        self.leader.broker = self.broker
        self.leader.journal = self.follower.followed.lead(self.log.journal, now).journal

    def turn(self, now: int) -> None:
        while self.broker.next_deadline() <= now:
            self.broker.advance(now)
            self._flush(now)
        while self.broker.busy:
            self._flush(now)

    def _flush(self, now: int) -> None:
        if self.leader is not None:
            self.leader.flush(now)
            return
        self.broker.pump(now)
        self.broker.drain(now)
        self.broker.definitions.drain()


class Cluster:
    """A queue on a leader and its followers, and its readers."""

    def __init__(self, seed: int, **options: object) -> None:
        self.chance = random.Random(seed)
        self.now = START_MS
        self.log = KeptLog()
        self.nodes = [Node(self.log, self.now) for _ in range(1 + FOLLOWERS)]
        self.nodes[0].lead(self.now)
        leader = self.nodes[0].leader
        assert leader is not None
        leader.declare("q", lvq_key="k", delete_on_empty=True, **options)
        self.turn(EVERYTHING)
        self.readers = [Reader(leader.broker, *each) for each in READERS]

    @property
    def broker(self) -> Broker:
        """The leader."""
        return self.nodes[0].broker

    def turn(self, most: int | None = None) -> None:
        for node in self.nodes:
            if node.leader is None:
                node.catch_up(self.chance.choice((0, 1, 5)) if most is None else most, self.now)
            node.turn(self.now)

    def send(self) -> None:
        chance = self.chance
        value = {"n": chance.randrange(8), "text": "x" * 30, "sub": {"a": 1}}
        content = MessageContent(
            durable=True,
            body=None if chance.random() < 0.15 else value,
            application_properties={"k": chance.choice(KEYS), "n": value["n"]},
            ttl_ms=chance.choice([None, None, None, 40]),
        )
        target = self.broker.queue_target("q")
        assert self.broker.publish(target, read_message(encode_content(content)), self.now)
        self.broker.release(target)

    def connect(self, reader: Reader, node: Node) -> None:
        reader.broker = node.broker
        try:
            reader.connect(self.now)
        except NotLeaderError:
            # It has had more than is there.
            reader.receiver = None

    def happen(self) -> None:
        chance = self.chance
        for _ in range(chance.randrange(6)):
            self.send()
        if chance.random() < 0.1:
            manage(self.broker, Request("DELETE_KEY", "queue", "q", {"key": chance.choice(KEYS)}), self.now)
        if chance.random() < 0.01:
            self.broker.purge("q")
        for reader in self.readers:
            if reader.receiver is None:
                if chance.random() < 0.4:
                    self.connect(reader, chance.choice(self.nodes))
            elif chance.random() < 0.15:
                reader.disconnect(self.now)
            else:
                reader.allow(chance.choice([0, 1, 1, 2, 5, 100]))
        self.turn()
        if chance.random() < 0.02:
            self.fail_over()
        self.now += chance.randrange(1, 15)

    def fail_over(self) -> None:
        gone = self.nodes.pop(0)
        for reader in self.readers:
            if reader.receiver is not None and reader.broker is gone.broker:
                reader.take()
                reader.receiver = None
                reader.disconnects += 1
        self.nodes[0].lead(self.now)
        self.nodes[0].turn(self.now)
        self.nodes.append(Node(self.log, self.now))

    def settle(self) -> None:
        """Everybody is connected, and has all the room and all the time."""
        self.turn(EVERYTHING)
        for reader in self.readers:
            if reader.receiver is None:
                self.connect(reader, self.chance.choice(self.nodes))
        for _ in range(40):
            for reader in self.readers:
                reader.allow(1000)
            self.turn(EVERYTHING)
            self.now += 60
        for reader in self.readers:
            reader.take()

    def check(self) -> None:
        states = [queue_state(node.broker.lookup("q").queue, timed=False) for node in self.nodes]
        held: dict[str, Any] = {}
        for _, encoded, *_ in states[0]["entries"]:
            message = decode_message(encoded)
            held[str(message.properties["k"])] = message.body
        for state in states[1:]:
            assert (state["entries"], state["current"]) == (states[0]["entries"], states[0]["current"])
        for reader in self.readers:
            known = reader.mirror.values
            wanted = {key: value for key, value in held.items() if reader.admits(key, value)}
            assert sorted(known) == sorted(wanted), reader.asks
            if reader.exact:
                assert known == wanted, reader.asks


@pytest.mark.parametrize("tombstone_ms", [25, 400, 10**9])
def test_no_reader_misses_a_change_whichever_broker_it_comes_back_to(tombstone_ms: int) -> None:
    for seed in range(ROUNDS):
        cluster = Cluster(seed, tombstone_ms=tombstone_ms)
        for _ in range(5):
            for _ in range(30):
                cluster.happen()
            cluster.settle()
            cluster.check()
