"""The queue engine against a model that anyone can check, and against what its own effects rebuild."""

from typing import Any

from example_counts import example_count
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from queue_model import QueueModel, Row
from reached_states import live_on

from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.message import NEVER
from lastvalue.queues.effects import Effect, Reason
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, Entry
from lastvalue.queues.invariants import check_queue
from lastvalue.queues.passing_entries import SHORTEST_MS
from lastvalue.queues.policy import LAST, Count
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import Expiry, LastValue, Limit, QueueSpec, Standard, WhenFull
from lastvalue.queues.subscription import ANY, Mode, Outcome, Subscriber, Subscription

EXAMPLES = example_count(300)
KEYS = st.sampled_from([None, "a", "b"])
# Few and round, so that deadlines are met to the millisecond.
TIMES = st.sampled_from([5, 10, 15])
NAMES = st.sampled_from(["x", "y", "z"])
reached: set[str] = set()


class Bell(Subscriber):
    """Counts how often its subscription was woken since it was told that there is nothing."""

    def __init__(self) -> None:
        self.rung = 0

    def wake(self) -> None:
        self.rung += 1


class QueueMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000_000
        self.body = 0
        self.consumers: dict[str, Subscription] = {}
        self.browsers: dict[str, Subscription] = {}
        self.bells: dict[int, Bell] = {}
        self.waiting: set[int] = set()
        self.held: list[tuple[Entry, Row]] = []
        self.effects: list[Effect] = []

    @initialize(
        kind=st.sampled_from(["standard", "last value", "ordered", "ordered", "counting"]),
        maximum=st.sampled_from([0, 2, 3]),
        ring=st.booleans(),
        most_keys=st.sampled_from([0, 0, 1, 2]),
        age_ms=st.sampled_from([0, 0, 10]),
        nothing=st.sampled_from([False, False, False, True]),
    )
    def declare(
        self, kind: str, maximum: int, ring: bool, most_keys: int, age_ms: int, nothing: bool
    ) -> None:
        # A queue with a policy uses the order of updates, and none is stale.
        keyed, ordered = kind != "standard", kind == "ordered"
        policy = Count() if kind == "counting" else LAST
        most_keys, age_ms = (most_keys, age_ms) if keyed else (0, 0)
        self.model = QueueModel(keyed, ordered, maximum, ring, most_keys, age_ms, nothing)
        self.spec = QueueSpec(
            "q",
            LastValue("k", "n" if kind in {"ordered", "counting"} else None, policy=policy)
            if keyed
            else Standard(),
            Limit(maximum, 0, WhenFull.DROP_OLDEST if ring else WhenFull.REFUSE, most_keys, nothing),
            expiry=Expiry(maximum_age_ms=age_ms, removes_aged=age_ms > 0),
            tombstone_ms=100_000 if keyed else 0,
            deletes_on_empty=keyed,
        )
        self.queue = Queue(self.spec)
        self.server = Bell()
        self.queue.passing.request_pass = self.server.wake
        self.rebuilt = Queue(self.spec)

    # ---- producing

    @rule(key=KEYS, order=st.none() | st.integers(0, 3), ttl_ms=st.none() | TIMES | st.just(SHORTEST_MS))
    def enqueue(self, key: str | None, order: int | None, ttl_ms: int | None) -> None:
        self.body += 1
        properties: dict[str, Any] = {}
        if key is not None:
            properties["k"] = key
        if order is not None:
            properties["n"] = order
        content = MessageContent(body=self.body, application_properties=properties, ttl_ms=ttl_ms)
        held_key = any(row.key == key and row.holder for row in self.model.rows) and key is not None
        taken = self.queue.enqueue(read_message(encode_content(content)), self.now)
        expires_ms = None if ttl_ms is None else self.now + ttl_ms
        before = dict(self.model.removed)
        assert taken == self.model.enqueue(self.body, key, order, expires_ms, self.now)
        if held_key and self.model.removed.get("replaced", 0) > before.get("replaced", 0):
            reached.add("replaced while held")
        if not taken:
            reached.add("refused")
            if key is not None and 0 < self.model.most_keys <= len(self.model.keys()):
                reached.add("refused a key")

    @rule(key=KEYS, fill=st.integers(0, 3))
    def enqueue_a_newer_and_then_an_older_update(self, key: str | None, fill: int) -> None:
        for _ in range(fill):
            self.enqueue(None, None, None)
        self.enqueue(key, 3, None)
        self.enqueue(key, 1, None)

    @precondition(lambda self: self.model.keyed)
    @rule(key=st.sampled_from(["a", "b"]), order=st.none() | st.integers(0, 3))
    def delete(self, key: str, order: int | None) -> None:
        properties: dict[str, Any] = {"k": key} if order is None else {"k": key, "n": order}
        content = MessageContent(application_properties=properties)
        assert self.queue.enqueue(read_message(encode_content(content)), self.now)
        self.model.delete(key, order, self.now)
        if self.model.graves.get(key) == "key_deleted":
            reached.add("deleted a key")

    # ---- reading

    def _subscribe(self, mode: Mode) -> Subscription:
        bell = Bell()
        subscription = self.queue.subscribe(mode, bell, ANY, 0)
        self.bells[subscription.number] = bell
        return subscription

    def _heard(self, subscription: Subscription, entry: Entry | None) -> None:
        """Keep the account of who was told that there is nothing."""
        self.waiting.discard(subscription.number)
        self.bells[subscription.number].rung = 0
        if entry is None:
            self.waiting.add(subscription.number)

    @rule(name=NAMES)
    def acquire(self, name: str) -> None:
        if name not in self.consumers:
            self.consumers[name] = self._subscribe(Mode.CONSUME)
        entry = self.queue.next(self.consumers[name], self.now)
        row = self.model.acquire(name, self.now)
        self._heard(self.consumers[name], entry)
        assert (entry is None) == (row is None)
        if entry is not None and row is not None:
            assert (entry.sequence, entry.updates) == (row.sequence, row.updates)
            self.held.append((entry, row))

    @rule(name=NAMES, most=st.integers(1, 5))
    def browse(self, name: str, most: int) -> None:
        if name not in self.browsers:
            self.browsers[name] = self._subscribe(Mode.BROWSE)
            self.model.seen[name] = 0
        row = None
        for _ in range(most):
            entry = self.queue.next(self.browsers[name], self.now)
            row = self.model.browse(name, self.now)
            self._heard(self.browsers[name], entry)
            assert (entry.sequence if entry is not None else None) == (row.sequence if row else None)
            if entry is None:
                return
        if row is not None:
            reached.add("a browser stopped before the tail")

    @precondition(lambda self: self.held)
    @rule(index=st.integers(0, 100), outcome=st.sampled_from(list(Outcome)))
    def settle(self, index: int, outcome: Outcome) -> None:
        entry, row = self.held.pop(index % len(self.held))
        if row not in self.model.rows:
            reached.add("settled after it left")
        expired = row.expires_ms is not None and row.expires_ms <= self.now
        if row in self.model.rows and outcome is Outcome.RELEASED:
            reached.update("released after its deadline" for _ in range(expired))
            reached.update("came back to nothing" for _ in range(row.passes and not expired))
        self.queue.settle(entry, outcome, self.now)
        self.model.settle(row, outcome.value, self.now)

    @rule(name=NAMES)
    def hold_beyond_the_deadline(self, name: str) -> None:
        self.purge()
        self.enqueue(None, None, 5)
        self.acquire(name)
        self.wait(10, housekeeping=True)
        if self.held:
            self.settle(len(self.held) - 1, Outcome.RELEASED)

    @rule(name=NAMES)
    def have_what_is_held_replaced(self, name: str) -> None:
        self.purge()
        self.enqueue("a", None, None)
        self.acquire(name)
        self.enqueue("a", None, None)
        if self.held:
            self.settle(len(self.held) - 1, Outcome.RELEASED)

    @rule(name=NAMES)
    def close_consumer(self, name: str) -> None:
        if name in self.consumers:
            if self.model.held_by(name):
                reached.add("closed while it held")
            subscription = self.consumers.pop(name)
            self.waiting.discard(subscription.number)
            self.queue.unsubscribe(subscription, self.now)
            self.model.close(name, self.now)
            self.held = [(entry, row) for entry, row in self.held if row.holder is not None]

    @rule(name=NAMES)
    def close_browser(self, name: str) -> None:
        if name in self.browsers:
            subscription = self.browsers.pop(name)
            self.waiting.discard(subscription.number)
            self.queue.unsubscribe(subscription, self.now)

    @rule()
    def end_the_pass(self) -> None:
        passing = [row for row in self.model.available() if row.passes]
        assert not passing or self.server.rung > 0
        assert (self.queue.passing.since_ms != NEVER) >= bool(passing)
        self.queue.passing.end()
        self.model.end_pass()
        self.server.rung = 0
        reached.update("nobody took it at once" for _ in passing)

    # ---- time and administration

    @rule(milliseconds=TIMES, housekeeping=st.booleans())
    def wait(self, milliseconds: int, housekeeping: bool) -> None:
        self.now += milliseconds
        if housekeeping:
            self.queue.advance(self.now)
            self.model.advance(self.now)
            deadline = self.queue.next_deadline()
            due = [at_ms for row in self.model.available() for at_ms in row.deadlines()]
            assert not due or 0 <= deadline <= min(due)

    @rule()
    def purge(self) -> None:
        assert self.queue.purge() == self.model.purge()

    # ---- what always holds

    @invariant()
    def the_queue_is_what_the_model_says(self) -> None:
        if not hasattr(self, "queue"):
            return
        queue, model = self.queue, self.model
        expected = sorted(
            (row.sequence, row.updates, row.failed, row.holder is not None) for row in model.rows
        )
        present = queue.entries()
        assert expected == [
            (entry.sequence, entry.updates, entry.delivery_count, entry.state == ACQUIRED)
            for entry in present
        ]
        if isinstance(self.spec.ordering, LastValue) and self.spec.ordering.conflates:
            bodies = [decode_content(entry.message.encoded).body for entry in present if entry.key]
            counted = [(body["count"], body["updates"]) for body in bodies if isinstance(body, dict)]
            assert counted == [(entry.updates, entry.updates) for entry in present if entry.key]
            reached.update("counted" for count, _ in counted if count > 2)
        assert queue.depth == len(model.rows)
        assert queue.available == len(model.available())
        assert queue.depth_bytes == sum(len(entry.message.encoded) for entry in present)
        assert queue.sequence == model.sequence
        assert queue.refused == model.refused
        reached.update(model.removed)
        removed = {reason.name.lower(): queue.removed(reason) for reason in Reason if queue.removed(reason)}
        assert removed == model.removed
        check_queue(queue)
        assert _graves(queue) == model.graves

    @invariant()
    def whoever_was_told_that_there_is_nothing_is_woken_when_there_is(self) -> None:
        if not hasattr(self, "queue"):
            return
        for name, subscription in self.consumers.items():
            if subscription.number in self.waiting and self.model.available():
                assert self.bells[subscription.number].rung == 1, name
        for name, subscription in self.browsers.items():
            unseen = [row for row in self.model.available() if row.sequence > self.model.seen[name]]
            if subscription.number in self.waiting and unseen:
                assert self.bells[subscription.number].rung == 1, name
        assert all(bell.rung <= 1 for bell in self.bells.values())

    @invariant()
    def its_effects_rebuild_it(self) -> None:
        if not hasattr(self, "queue"):
            return
        effects = self.queue.drain()
        self.effects += effects
        self.rebuilt.replay(effects)
        self.check_rebuilt(self.rebuilt)

    def check_rebuilt(self, rebuilt: Queue) -> None:
        assert _graves(rebuilt) == _graves(self.queue)
        assert [_standing(entry) for entry in rebuilt.entries()] == [
            _standing(entry) for entry in self.queue.entries()
        ]
        assert (rebuilt.depth, rebuilt.available, rebuilt.sequence, rebuilt.published, rebuilt.refused) == (
            self.queue.depth,
            self.queue.available,
            self.queue.sequence,
            self.queue.published,
            self.queue.refused,
        )

    def teardown(self) -> None:
        """At a start all effects are replayed at once, and what consumers held is released."""
        if not hasattr(self, "queue"):
            return
        self.its_effects_rebuild_it()
        rebuilt = Queue(self.spec)
        rebuilt.replay(self.effects)
        self.check_rebuilt(rebuilt)
        rebuilt.release_all(self.now)
        assert all(entry.state == AVAILABLE for entry in rebuilt.entries())


def _graves(queue: Queue) -> dict[str, str]:
    """Why each key without a value lost it."""
    tombstones = queue.contents.tombstones
    found = [] if tombstones is None else tombstones.all()
    return {each.key[2:].decode(): each.reason.name.lower() for each in found}


def _standing(entry: Entry) -> tuple[object, ...]:
    return (
        entry.sequence,
        entry.key,
        entry.order,
        entry.updates,
        entry.arrival_ms,
        entry.expires_ms,
        entry.delivery_count,
        entry.state,
    )


TestQueue = QueueMachine.TestCase
TestQueue.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=60,
    deadline=None,
    derandomize=EXAMPLES <= 300,
    suppress_health_check=[HealthCheck.too_slow],
)


def test_the_interesting_states_were_reached() -> None:
    wanted = {
        *("replaced", "replaced while held", "stale", "overflow", "expired", "refused", "refused a key"),
        *("settled after it left", "released after its deadline", "closed while it held", "aged"),
        *("a browser stopped before the tail", "deleted a key", "counted"),
        *("nobody took it at once", "came back to nothing"),
    }
    live_on(QueueMachine, reached, wanted)
