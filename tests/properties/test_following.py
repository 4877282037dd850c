"""A broker that follows a log has what its leader has, and continues from there as if it had started."""

import random
from dataclasses import replace
from typing import Any

import pytest
from canned_message import Bell
from example_counts import example_count
from kept_log import KeptLog, Leader, state_of

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec
from lastvalue.client.message import Message
from lastvalue.client.message_codec import encode_message
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.effects import Reason
from lastvalue.queues.entry import AVAILABLE
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import Expiry, LastValue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import Mode, Outcome, Subscription, Terms
from lastvalue.server.followed_store import FollowedStore, restore_store

ROUNDS = example_count(20)
START_MS = 1_700_000_000_000
KINDS: dict[str, dict[str, Any]] = {
    "standard": {},
    "priority": {"priorities": 5},
    "last-value": {"lvq_key": "k"},
    "tombstones": {"lvq_key": "k", "tombstone_ms": 50},
    "in-place": {"lvq_key": "k", "lvq_placement": "in-place"},
    "in-place-no-browse": {"lvq_key": "k", "lvq_placement": "in-place-no-browse"},
    "keyed-levels": {"lvq_key": "k", "priorities": 3, "lvq_keyless": "conflate"},
    "keyed-ring": {"lvq_key": "k", "max_keys": 3, "when_full": "drop-oldest"},
    "ring": {"max_messages": 5, "when_full": "drop-oldest"},
    "attempts": {"max_delivery_attempts": 2},
    "recorded": {"lvq_key": "k", "history": "h", "history_deliveries": True},
    "conflating": {"lvq_key": "k", "conflation": "count", "conflation_interval_ms": 20},
}


EXPIRIES = (Expiry(), Expiry(default_ttl_ms=30), Expiry(maximum_ttl_ms=40), Expiry(minimum_ttl_ms=60))


class History:
    """Random commands on the leader's queue."""

    def __init__(self, leader: Leader, name: str, chance: random.Random, *, consumes: bool = True) -> None:
        self.consumes = consumes
        self.leader = leader
        self.name = name
        self.chance = chance
        self.queue: Queue = leader.broker.lookup(name).queue
        ordering = self.queue.spec.ordering
        self.conflates = isinstance(ordering, LastValue) and ordering.conflates
        self.consumer = self.queue.subscribe(Mode.CONSUME, Bell(), Terms(), START_MS)
        self.held: list[Any] = []

    def step(self, now: int) -> None:
        chance, hosted = self.chance, self.leader.broker.lookup(self.name)
        kind = chance.random()
        if kind < 0.1:
            self.leader.send_run(self.name, [f"k{chance.randrange(6)}" for _ in range(3)], now)
        elif kind < 0.55:
            delayed = chance.random() < 0.1 and not self.queue.spec.refuses_delay and not self.conflates
            notes = {"x-opt-delivery-delay": 30} if delayed else {}
            ttl_ms = 40 if chance.random() < 0.2 else None
            body = f"{now} {chance.random()}"
            self.leader.send(self.name, body, now, f"k{chance.randrange(6)}", ttl_ms=ttl_ms, **notes)
        elif kind < 0.85 and not self.consumes:
            self.queue.advance(now)
        elif kind < 0.7:
            entry = self.queue.next(self.consumer, now)
            if entry is not None:
                self.held.append(entry)
        elif kind < 0.85 and self.held:
            outcome = chance.choice(list(Outcome))
            self.queue.settle(self.held.pop(chance.randrange(len(self.held))), outcome, now)
        elif kind < 0.9:
            entries = [each for each in self.queue.entries() if each.state == AVAILABLE]
            self.queue.remove(entries[:1], Reason.KEY_DELETED)
        elif kind < 0.92:
            self.queue.purge(3)
        elif kind < 0.93:
            self.leader.broker.reconfigure(replace(self.queue.spec, expiry=chance.choice(EXPIRIES)), now)
        elif kind < 0.95 and self.held:
            message = Message(f"{now} amended", properties={"k": "k1"}, durable=True)
            self.queue.amend(chance.choice(self.held), read_message(encode_message(message)))
        else:
            self.queue.advance(now)
        hosted.mark_changed()


def values(queue: Queue, browser: Subscription, seen: dict[Any, Any], now: int) -> None:
    entry = queue.next(browser, now)
    while entry is not None:
        seen[int(entry.sequence)] = entry.message.encoded
        entry = queue.next(browser, now)


def check_equal(broker: Broker, other: Broker, *, timed: bool) -> None:
    ours, theirs = state_of(broker, timed=timed), state_of(other, timed=timed)
    assert set(ours) == set(theirs)
    for queue, state in theirs.items():
        for part, there in state.items():
            assert (queue, part, ours[queue][part]) == (queue, part, there)


def held(broker: Broker, now: int) -> object:
    """What the history of the queue says that it held."""
    answer = manage(broker, Request("AS_OF", "queue", "q", {"time": now}), now)
    while broker.long_commands.busy:
        broker.long_commands.step(now)
    assert answer.body["known"]
    return answer.body


class Follower:
    """A broker that follows a log."""

    def __init__(self, log: KeptLog, now: int) -> None:
        self.now = now
        self.broker = Broker()
        self.broker.authorization.leader = ""
        self.followed = FollowedStore(self.broker)
        self.followed.begin(log.contents(), now)
        log.followers.append(self.take)

    def take(self, segment: int, batch: bytes) -> None:
        self.followed.take(segment, batch, self.now)


class Pair:
    """A leader of a queue with random commands, and its follower."""

    def __init__(self, kind: str, seed: int, *, consumes: bool = True) -> None:
        self.chance = random.Random(seed)
        self.log = KeptLog()
        self.leader = Leader(self.log)
        if "history" in KINDS[kind]:
            self.leader.declare("h", max_messages=6, when_full="drop-oldest")
        self.leader.declare("q", **KINDS[kind])
        self.leader.flush(START_MS)
        self.history = History(self.leader, "q", self.chance, consumes=consumes)
        self.follower = Follower(self.log, START_MS)
        self.now = START_MS

    def turn(self) -> None:
        self.now = self.follower.now = self.now + self.chance.randrange(15)
        for _ in range(self.chance.randrange(5)):
            self.history.step(self.now)
        self.leader.flush(self.now)


def recovered(log: KeptLog, now: int) -> Broker:
    broker = Broker()
    restore_store(log.contents(), broker, KeptLog().journal, now)
    return broker


@pytest.mark.parametrize("kind", KINDS)
def test_a_follower_has_after_each_batch_what_the_leader_has(kind: str) -> None:
    for round_ in range(ROUNDS):
        pair = Pair(kind, round_)
        for _ in range(60):
            pair.turn()
            pair.follower.broker.drain(pair.now)
            check_equal(pair.follower.broker, pair.leader.broker, timed=False)
            if "history" in KINDS[kind]:
                assert held(pair.follower.broker, pair.now) == held(pair.leader.broker, pair.now)


# What a start makes available again may be too much for a ring, or have had its last attempt.
@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"ring", "keyed-ring", "attempts"}))
def test_a_broker_that_starts_has_each_keys_value(kind: str) -> None:
    for round_ in range(ROUNDS):
        pair = Pair(kind, round_)
        for _ in range(60):
            pair.turn()
            # No time has passed, so nothing has expired.
            started = state_of(recovered(pair.log, START_MS), timed=False)["q"]
            leader = state_of(pair.leader.broker, timed=False)["q"]
            assert started["current"] == leader["current"]
            # What was held is available again, or leaves where a newer value has come.
            kept = [each[0] for each in leader["entries"] if not each[7]]
            assert [each[0] for each in started["entries"]] == kept


# There a value may take the place of one that a browser has passed, which then is not told.
@pytest.mark.parametrize("kind", [each for each in KINDS if each != "in-place-no-browse"])
def test_a_browser_of_a_follower_sees_all_that_comes(kind: str) -> None:
    for round_ in range(ROUNDS):
        # What is released behind a browser is not shown to it, on the leader neither.
        pair = Pair(kind, 2000 + round_, consumes=False)
        queue = pair.follower.broker.lookup("q").queue
        browser = queue.subscribe(Mode.BROWSE, Bell(), Terms(), START_MS)
        seen: dict[Any, Any] = {}
        for _ in range(60):
            pair.turn()
            if pair.chance.random() < 0.5:
                values(queue, browser, seen, pair.now)
        values(queue, browser, seen, pair.now)
        shown = [each for each in queue.entries() if each.state == AVAILABLE and not each.superseded]
        assert {int(each.sequence) for each in shown} <= set(seen)


@pytest.mark.parametrize("kind", KINDS)
def test_a_follower_that_takes_over_goes_on_like_a_broker_that_starts(kind: str) -> None:
    for round_ in range(ROUNDS):
        pair = Pair(kind, 1000 + round_)
        log, broker = pair.log, pair.follower.broker
        for _ in range(40):
            pair.turn()
        log.followers.clear()
        started = recovered(log, pair.now)
        broker.authorization.leader = None
        pair.leader = Leader(log)
        pair.leader.broker = broker
        pair.leader.journal = pair.follower.followed.lead(log.journal, pair.now).journal
        check_equal(broker, started, timed=True)
        # What it writes from now on is what yet another one reads.
        pair.leader.flush(pair.now)
        pair.history = History(pair.leader, "q", pair.chance)
        for _ in range(40):
            pair.turn()
        check_equal(Follower(log, pair.now).broker, broker, timed=False)


def test_a_follower_that_has_missed_records_begins_anew_and_its_readers_go_on() -> None:
    for round_ in range(ROUNDS):
        pair = Pair("tombstones", 3000 + round_)
        follower = pair.follower
        pair.log.followers.clear()
        queue = follower.broker.lookup("q").queue
        browser = queue.subscribe(Mode.BROWSE, Bell(), Terms(), START_MS)
        seen: dict[Any, Any] = {}
        for _ in range(5):
            for _ in range(10):
                pair.turn()
            follower.followed.begin(pair.log.contents(), pair.now)
            check_equal(follower.broker, pair.leader.broker, timed=False)
            values(queue, browser, seen, pair.now)
            assert follower.broker.lookup("q").queue is queue


def test_nodes_come_change_and_leave_with_those_of_the_leader() -> None:
    log = KeptLog()
    leader = Leader(log)
    follower = Follower(log, START_MS)
    broker, theirs = follower.broker, leader.broker
    leader.declare("late")
    leader.declare("a", alternate="late")
    theirs.declare_exchange(ExchangeSpec("x", durable=True), BROKER)
    theirs.bind("x", Binding("a", "red"), BROKER, START_MS)
    leader.flush(START_MS)
    assert broker.has_queue("a")
    assert [each.key for each in broker.exchanges.find("x").bindings.values()] == ["red"]
    leader.send("a", "one", START_MS)
    theirs.reconfigure(spec_from_arguments("a", {"durable": True, "max_messages": 7}), START_MS, BROKER)
    leader.flush(START_MS)
    assert broker.lookup("a").queue.spec.limit.messages == 7
    theirs.delete("a", START_MS, BROKER)
    leader.declare("b")
    leader.flush(START_MS)
    assert not broker.has_queue("a")
    assert not broker.exchanges.find("x").bindings
    leader.declare("a", lvq_key="k")
    theirs.delete_exchange("x", BROKER)
    leader.flush(START_MS)
    assert isinstance(broker.lookup("a").queue.spec.ordering, LastValue)
    assert broker.exchanges.get("x") is None
    leader.declare("c")
    changed = spec_from_arguments("c", {"durable": True, "max_messages": 7})
    theirs.reconfigure(changed, START_MS, BROKER)
    # An older queue names one of the same batch.
    named = spec_from_arguments("a", {"durable": True, "lvq_key": "k", "alternate": "c"})
    theirs.reconfigure(named, START_MS, BROKER)
    leader.flush(START_MS)
    assert [broker.lookup(name).queue.spec for name in ("c", "a")] == [changed, named]
    theirs.reconfigure(spec_from_arguments("c", {"durable": True}), START_MS, BROKER)
    theirs.reconfigure(changed, START_MS, BROKER)
    leader.flush(START_MS)
    assert broker.lookup("c").queue.spec == changed
    # Every segment begins with the declarations, which change nothing.
    before = broker.lookup("c").queue.spec
    for number in range(100):
        leader.send("late", f"{number:0>50}", START_MS)
        leader.flush(START_MS)
    assert log.batches[-1][0] > 2
    assert broker.lookup("c").queue.spec is before
    assert [each.spec.name for each in broker.queues()] == [each.spec.name for each in theirs.queues()]
