"""Readers that watch a queue go from broker to broker of a cluster, and know in the end what it holds.

The followers are some batches behind, and take over in turns. A token means the same everywhere.
"""

from typing import Any

import pytest
from example_counts import example_count
from kept_log import KeptLog, Leader, queue_state
from test_following import Follower
from test_watches import Reader, World, look_in_small_steps

from lastvalue.broker.broker import Broker
from lastvalue.broker.not_leader import NotLeaderError

ROUNDS = example_count(8)
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


class Cluster(World):
    """A queue on a leader and its followers, and its readers."""

    durable = True

    def begin(self, told: dict[str, Any]) -> Broker:
        self.log = KeptLog()
        self.all_read = True
        self.nodes = [Node(self.log, self.now) for _ in range(1 + FOLLOWERS)]
        self.nodes[0].lead(self.now)
        leader = self.nodes[0].leader
        assert leader is not None
        leader.declare("q", **told)
        self.turn()
        self.all_read = False
        return leader.broker

    def connect(self, reader: Reader) -> None:
        reader.broker = self.chance.choice(self.nodes).broker
        try:
            reader.connect(self.now)
        except NotLeaderError:
            # It has had more than is there, and is told who leads.
            reader.broker = self.broker
            reader.connect(self.now)

    def happen(self) -> None:
        super().happen()
        if self.chance.random() < 0.02:
            self.fail_over()

    def turn(self) -> None:
        for node in self.nodes:
            if node.leader is None:
                node.catch_up(EVERYTHING if self.all_read else self.chance.choice((0, 1, 5)), self.now)
            node.turn(self.now)

    def fail_over(self) -> None:
        gone = self.nodes.pop(0)
        for reader in self.readers:
            if reader.receiver is not None and reader.broker is gone.broker:
                reader.take()
                reader.receiver = None
                reader.disconnects += 1
        self.nodes[0].lead(self.now)
        self.nodes[0].turn(self.now)
        self.broker = self.nodes[0].broker
        self.nodes.append(Node(self.log, self.now))

    def settle(self) -> None:
        self.all_read = True
        self.turn()
        super().settle()
        self.all_read = False

    def check(self) -> None:
        super().check()
        states = [queue_state(node.broker.lookup("q").queue, timed=False) for node in self.nodes]
        for state in states[1:]:
            assert (state["entries"], state["current"]) == (states[0]["entries"], states[0]["current"])


@pytest.mark.parametrize("tombstone_ms", [25, 400, 10**9])
def test_no_reader_misses_a_change_whichever_broker_it_comes_back_to(tombstone_ms: int) -> None:
    for seed in range(ROUNDS):
        cluster = Cluster(seed, tombstone_ms=tombstone_ms)
        for _ in range(5):
            for _ in range(30):
                cluster.happen()
            cluster.settle()
            cluster.check()


def test_no_reader_that_looks_in_many_steps_misses_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    look_in_small_steps(monkeypatch)
    test_no_reader_misses_a_change_whichever_broker_it_comes_back_to(25)
