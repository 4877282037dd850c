"""A store that loses power at any moment, on a disk that has written any part of what was not synced.

What comes back is what there was at the end of some turn: none before the last one that was flushed. That
covers messages with their states, the ids that a queue remembers, the records of a history, and prepared
branches of distributed transactions. The power is lost while the store is written, opened, compacted or
closed; LASTVALUE_CUTS says how often. Snapshots are in `test_synced_trees.py`.
"""

import errno
import os
import random
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from bare_queue import encoded
from canned_message import Bell
from example_counts import example_count
from fake_disk import FakeDisk
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.receiver import NullReceiver
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.definitions import BRANCH
from lastvalue.broker.routing.nodes import Node
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.payloads import amended_payload
from lastvalue.codec.amqp10.values import Symbol
from lastvalue.delivery.branches import Branches, Xid
from lastvalue.queues.entry import ACQUIRED, Entry
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome, Subscription
from lastvalue.server.open_store import OpenStore, StoreMachine, StoreSettings, open_store
from lastvalue.store.compaction import compact
from lastvalue.store.segments import segment_numbers
from lastvalue.store.store_contents import StoreContents, load_contents
from lastvalue.store.store_options import StoreOptions
from lastvalue.store.writer import Sync

CUTS = int(os.environ.get("LASTVALUE_CUTS") or example_count(200))
WINDOW: Final = 5
QUEUES: dict[str, dict[str, Any]] = {
    "plain": {"duplicate_window": WINDOW},
    "values": {"lvq_key": "k", "history": "log", "duplicate_window": WINDOW},
    "passing": {"max_messages": 3, "when_full": "drop-oldest", "duplicate_window": WINDOW},
}
LOG: dict[str, Any] = {"max_messages": 6, "when_full": "drop-oldest"}
NEVER: Final = 1_000_000
SEGMENT_BYTES: Final = 4096
WRITTEN_AT: Final = 90
"""Within so many calls of the disk a life's steps are mostly done."""


@dataclass(frozen=True)
class QueueState:
    """What a store has of a queue.

    Attributes:
        messages: by sequence, with whether they are acquired, how often their delivery failed, and whether
            a history has dropped them and keeps them as its base.
        ids: that it remembers, oldest first.
    """

    messages: dict[int, tuple[bytes, bool, int, bool]]
    ids: list[bytes]


@dataclass(frozen=True)
class State:
    """What a store has: queues by name, and prepared branches by xid."""

    queues: dict[str, QueueState]
    branches: dict[str, object]


XIDS: Final[list[Xid]] = [(1, b"g", b"one"), (1, b"g", b"two")]


def xid_name(xid: Xid) -> str:
    return f"{xid[0]}.{xid[1].hex()}.{xid[2].hex()}"


VERBS = ["take", "amend", "accept", "release", "purge", "delete", "prepare", "prepare", "commit", "rollback"]
STEPS = st.one_of(
    st.tuples(st.just("send"), st.sampled_from(sorted(QUEUES)), st.integers(0, 700)),
    st.tuples(st.just("send"), st.just("values"), st.integers(0, 700)),
    st.tuples(st.sampled_from(VERBS), st.sampled_from(sorted(QUEUES)), st.just(0)),
    st.tuples(st.just("turn"), st.just(""), st.integers(0, 1)),
    st.tuples(st.just("turn"), st.just(""), st.just(1)),
)  # fmt: skip
FAULTS = st.lists(st.sampled_from([None, None, None, errno.EIO, errno.ENOSPC]), max_size=8)


@dataclass(frozen=True)
class Life:
    """What is done between two losses of power, and when the second is: before that call of the disk.

    Attributes:
        loss: where it is never reached, the store is closed in order.
        compacts: it begins with `lastvalue store compact`.
    """

    steps: list[tuple[str, str, int]]
    loss: int
    seed: int
    compacts: bool = False
    sync_faults: list[int | None] = field(default_factory=list)
    write_faults: list[int | None] = field(default_factory=list)


LIVES = st.lists(
    st.builds(
        Life,
        st.lists(STEPS, max_size=40),
        st.one_of(st.integers(1, WRITTEN_AT), st.integers(1, 20), st.just(NEVER)),
        st.integers(0, 2**32),
        st.booleans(),
        FAULTS,
        FAULTS,
    ),
    min_size=1,
    max_size=4,
)


class Living:
    """A broker with a store on a disk that loses power once."""

    def __init__(self, left: dict[str, bytes], sync: Sync, life: Life) -> None:
        self._chance = random.Random(life.seed)
        self._loss = life.loss
        self._noticed = threading.Semaphore(0)
        self.disk = FakeDisk(Path("/nowhere"), left)
        self.disk.lie = self._choose
        self.disk.before = self._maybe_lose
        self.left: dict[str, bytes] | None = None
        self.floor: int | None = None
        self.opened = False
        self.sent = 0
        self.position = 0
        self.broker = Broker()
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            options = StoreOptions(sync, interval_ms=1, segment_bytes=SEGMENT_BYTES, checks=True)
            if life.compacts and segment_numbers(directory, self.disk):
                compact(directory, SEGMENT_BYTES, files=self.disk)
            self.store: OpenStore = open_store(
                StoreSettings(directory, options, machine=StoreMachine(self.disk)), self.broker, 0
            )
            self.opened = True
        self.broker.stores = True
        self._branches = Branches(self.broker)
        for branch in self.store.branches:
            self._branches.restore(branch.name, branch.arguments, 0)
        self.prepared: dict[str, object] = {each.name: each.arguments for each in self.store.branches}
        stored = load_contents(directory, salvage=False, files=FakeDisk(Path("/nowhere"), left))
        self.found = state_of(stored)
        self.states: list[tuple[int, State]] = [(0, self.found)]
        self.disk.faults = {"sync": list(life.sync_faults), "write": list(life.write_faults)}
        self._consumers: dict[str, Subscription] = {}
        self._held: dict[str, list[Entry]] = {name: [] for name in QUEUES}

    def _choose(self, below: int) -> int:
        return self._chance.randrange(below)

    def _maybe_lose(self, call: str) -> None:
        del call
        if self.left is None and len(self.disk.calls) >= self._loss:
            self.lose()

    def lose(self) -> None:
        if self.opened:
            self.floor = self.store.journal.flushed
        self.left = self.disk.after_power_loss(self._choose)

    def close(self) -> None:
        """Stop in order, and lose power then, where that did not happen before."""
        self.turn(wait=True)
        self.store.close()
        if self.left is None:
            self.lose()
            if self.store.journal.fault is None:
                # Whatever the policy, all of it is on the disk.
                self.states = self.states[-1:]

    def step(self, verb: str, name: str, number: int) -> None:
        if verb == "turn":
            self.turn(wait=bool(number))
            return
        if verb == "delete":
            if self.broker.has_queue(name):
                self.broker.delete(name, 0)
                self._held[name] = []
            self._consumers.pop(name, None)
            return
        if not self.broker.has_queue(name):
            if "history" in QUEUES[name] and not self.broker.has_queue("log"):
                self.broker.declare(spec_from_arguments("log", {"durable": True, **LOG}))
            self.broker.declare(spec_from_arguments(name, {"durable": True, **QUEUES[name]}))
        hosted = self.broker.lookup(name)
        getattr(self, f"_{verb}")(name, number)
        hosted.mark_changed()

    def _send(self, name: str, number: int) -> None:
        self.sent += 1
        body = f"{self.sent} " + "x" * number
        message = read_message(encoded(body, {"k": str(number % 4)}, None, durable=number % 5 != 0))
        if message.durable:
            message.duplicate_id = str(number % 50).encode()
        self.broker.publish(self.broker.queue_target(name), message, 0)

    def _take(self, name: str, _: int) -> None:
        queue = self.broker.lookup(name).queue
        if name not in self._consumers:
            self._consumers[name] = queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
        entry = queue.next(self._consumers[name], 0)
        if entry is not None:
            self._held[name].append(entry)

    def _accept(self, name: str, _: int) -> None:
        self._settle(name, Outcome.ACCEPTED)

    def _release(self, name: str, _: int) -> None:
        self._settle(name, Outcome.MODIFIED_FAILED)

    def _amend(self, name: str, number: int) -> None:
        if self._held[name]:
            entry = self._held[name][-1]
            note = {Symbol("x-opt-note"): f"{self.sent} {number}"}
            message = read_message(amended_payload(entry.message.encoded, note, 1000))
            self.broker.lookup(name).queue.amend(entry, message)

    def _settle(self, name: str, outcome: Outcome) -> None:
        if self._held[name]:
            self.broker.lookup(name).queue.settle(self._held[name].pop(), outcome, 0)

    def _prepare(self, name: str, number: int) -> None:
        """A branch publishes a message, and accepts one that is held."""
        xid = XIDS[self.sent % 2]
        # `prepared` has those of earlier turns.
        if xid_name(xid) in self.prepared or xid in self._branches.in_doubt(NOBODY):
            return
        self.sent += 1
        branch = self._branches.begin(xid, self, NOBODY, 0)
        message = read_message(encoded(f"{self.sent} in a branch", {"k": "b"}, None, durable=True))
        target = self.broker.target(Node("", None, self.broker.exchanges.default), NOBODY, name)
        branch.transaction.post(target, name, message, 0)
        if self._held[name]:
            reader = QueueReader(self.broker.lookup(name), Mode.CONSUME, NullReceiver(), ANY, 0)
            entry = self._held[name].pop()
            branch.transaction.retire(reader, entry, Outcome.ACCEPTED, True).part_from_reader()
            reader.close(0)
        branch.workers.clear()
        self._branches.prepare(xid, NOBODY, 0)

    def _commit(self, name: str, _: int) -> None:
        self._end(name, lambda xid: self._branches.commit(xid, False, NOBODY, 0))

    def _rollback(self, name: str, _: int) -> None:
        self._end(name, lambda xid: self._branches.roll_back(xid, NOBODY, 0))

    def _end(self, name: str, end: Callable[[Xid], object]) -> None:
        for xid in self._branches.in_doubt(NOBODY)[:1]:
            end(xid)
            for queue in QUEUES:
                if self.broker.has_queue(queue):
                    self.broker.lookup(queue).mark_changed()

    def _purge(self, name: str, _: int) -> None:
        self.broker.purge(name)

    def turn(self, *, wait: bool) -> None:
        """What the server's turn does."""
        journal = self.store.journal
        self.broker.pump(0)
        drained = self.broker.drain(0)
        for definition in self.broker.definitions.drain():
            if definition.kind == BRANCH and definition.arguments is not None:
                self.prepared[definition.name] = definition.arguments
            elif definition.kind == BRANCH:
                del self.prepared[definition.name]
            self.position = journal.define(definition.kind, definition.name, definition.arguments)
        for name, effects in drained:
            self.position = journal.append(name, effects)
        self.states.append((self.position, self.state()))
        journal.flush(self._noticed.release)
        while wait and journal.flushed < self.position:
            assert self._noticed.acquire(timeout=120)
            journal.flush(self._noticed.release)

    def state(self) -> State:
        return State(self._queues(), dict(self.prepared))

    def _queues(self) -> dict[str, QueueState]:
        return {
            queue.spec.name: QueueState(
                {
                    entry.sequence: (
                        bytes(entry.message.encoded),
                        entry.state == ACQUIRED,
                        entry.delivery_count,
                        entry.is_kept,
                    )
                    for entry in queue.entries()
                    if entry.message.durable
                },
                [known.duplicate_id for known in queue.duplicates.ids()],
            )
            for queue in self.broker.queues()
        }


def newest_ids(stored: StoreContents, number: int) -> list[bytes]:
    ids = stored.ids.get(number, {})
    return sorted(ids, key=lambda each: ids[each][1])[-stored.windows[number] :]


def state_of(stored: StoreContents) -> State:
    declared = stored.declared.items()
    branches: dict[str, object] = {name: each.arguments for (kind, name), each in declared if kind == BRANCH}
    return State(queues_of(stored), branches)


def queues_of(stored: StoreContents) -> dict[str, QueueState]:
    return {
        name: QueueState(
            {
                sequence: (bytes(kept.encoded), kept.state == ACQUIRED, kept.delivery_count, kept.superseded)
                for sequence, (_, kept) in stored.messages.get(declared.number, {}).items()
            },
            newest_ids(stored, declared.number),
        )
        for (kind, name), declared in stored.declared.items()
        if kind == "queue"
    }


@pytest.mark.parametrize("sync", Sync)
@settings(max_examples=CUTS // len(Sync), deadline=None)
@given(lives=LIVES)
def test_after_a_loss_of_power_there_is_what_there_was_at_the_end_of_a_turn(
    sync: Sync, lives: list[Life]
) -> None:
    left: dict[str, bytes] = {}
    known: list[State] = [State({}, {})]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lastvalue.store.committer.RETRY_S", 0)
        for life in lives:
            living = Living(left, sync, life)
            assert living.found in known
            for step in life.steps:
                living.step(*step)
            living.close()
            assert living.left is not None
            left = living.left
            if living.floor is not None:
                floor = living.floor if sync is Sync.ALWAYS else 0
                known = [state for position, state in living.states if position >= floor]
        last = Living(left, sync, Life([], 1, 0))
        last.store.close()
        assert last.found in known
