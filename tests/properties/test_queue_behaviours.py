"""Every type of queue with every option: who is given what, held against what plainly is to be given.

What a reader gets is compared with a search through all entries: `rank_of` and `group_of` say in a line each
what the documents say. `test_queue_structure` looks inside the queue; this machine only at what it does.
"""

from typing import Any

from canned_message import Bell, CannedMessage
from example_counts import example_count
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from lastvalue.model.message import AT_ONCE, NEVER, Message, MessageFilter
from lastvalue.queues.effects import Effect, Reason
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, HELD_BACK, Entry
from lastvalue.queues.invariants import check_queue
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import Sorted
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import UNBOUNDED, Mode, Outcome, Subscription, Terms

EXAMPLES = example_count(300)
TYPES = st.sampled_from(
    [
        {},
        {"lvq_key": "k"},
        {"lvq_key": "k", "priorities": 3},
        {"lvq_key": "k", "order_by": "o", "lvq_keyless": "conflate"},
        {"lvq_key": "k", "order_by": "o", "order_missing": "stale"},
        {"lvq_key": "k", "lvq_placement": "in-place"},
        {"lvq_key": "k", "lvq_placement": "in-place-no-browse"},
        {"priorities": 3},
        {"sort_key": "s"},
    ]
)
GROUPED = st.fixed_dictionaries(
    {
        "group_key": st.just("g"),
        "group_mode": st.sampled_from(["default", "shared"]),
        "group_buckets": st.sampled_from([0, 2, 256]),
    }
)
LIMITED = st.fixed_dictionaries(
    {"max_messages": st.sampled_from([2, 4]), "when_full": st.sampled_from(["refuse", "drop-oldest"])}
)
SETTLED = st.fixed_dictionaries(
    {"max_delivery_attempts": st.just(2), "live_consumers": st.sampled_from([0, 1, 2])}
)
TIMED = st.fixed_dictionaries(
    {"maximum_ttl_ms": st.sampled_from([0, 7, 15]), "default_ttl_ms": st.sampled_from([0, 9])}
)
SHOWN = st.just({"non_destructive": True})
# One or two at a time: with all of them at once hardly any message would ever reach a consumer.
OPTIONS = st.lists(st.one_of(GROUPED, LIMITED, SETTLED, TIMED, SHOWN), max_size=2).map(
    lambda chosen: {name: value for each in chosen for name, value in each.items()}
)
READERS = st.integers(0, 2)
OUTCOMES = st.sampled_from([*Outcome, Outcome.MODIFIED_FAILED])
reached: set[str] = set()


class Wants(MessageFilter):
    """Wants messages with a mark."""

    def matches(self, message: Message) -> bool:
        return message.field("mark") is True


def rank_of(queue: Queue, entry: Entry) -> tuple[Any, int]:
    options = queue.spec.ordering
    levels = getattr(options, "levels", 0)
    if levels:
        level = min(max(entry.message.priority - (5 - (levels + 1) // 2), 0), levels - 1)
        return (-level, entry.place)
    if isinstance(options, Sorted):
        text = entry.message.field(options.key)
        return ((text is not None, str(text or "")), entry.place)
    return (0, entry.place)


class QueueBehaviours(RuleBasedStateMachine):
    @initialize(kind=TYPES, options=OPTIONS)
    def declare(self, kind: dict[str, Any], options: dict[str, Any]) -> None:
        self.queue = Queue(spec_from_arguments("q", {**kind, **options}))
        self.kind = kind
        self.now = 1_000
        self.number = 0
        self.consumers: dict[int, Subscription] = {}
        self.browsers: dict[int, Subscription] = {}
        self.seen: dict[int, set[int]] = {}
        self.held: list[tuple[int, Entry]] = []
        self.ever_held: set[int] = set()
        self.effects: list[Effect] = []
        reached.add(f"type {sorted(kind)}")
        # Most of what matters needs readers: some are there from the start.
        self.attach(0, False, False, Mode.CONSUME)
        self.attach(1, False, False, Mode.CONSUME)
        self.attach(2, False, False, Mode.BROWSE)

    # ------------------------------------------------------------------ what happens

    @rule(
        key=st.sampled_from([None, "a", "b"]),
        order=st.sampled_from([None, 1, 2]),
        text=st.sampled_from([None, "x", "Z", "10", "9"]),
        group=st.sampled_from([None, "g1", "g2", "g3"]),
        priority=st.integers(0, 9),
        mark=st.booleans(),
        count=st.sampled_from([1, 1, 3]),
        ttl_ms=st.sampled_from([NEVER, NEVER, 4]),
        delay_ms=st.sampled_from([AT_ONCE, AT_ONCE, AT_ONCE, 5]),
    )
    def send(self, ttl_ms: int, delay_ms: int, priority: int, mark: bool, count: int, **named: Any) -> None:
        names = {"key": "k", "order": "o", "text": "s", "group": "g"}
        properties = {names[name]: value for name, value in named.items() if value is not None}
        for _ in range(count):
            self.put(properties, mark, ttl_ms, priority, delay_ms)

    def put(self, properties: dict[str, Any], mark: bool, ttl_ms: int, priority: int, delay_ms: int) -> None:
        self.number += 1
        message = CannedMessage(
            {**properties, "mark": mark},
            body=b"%d" % self.number,
            ttl_ms=ttl_ms,
            priority=priority,
            not_before_ms=AT_ONCE if delay_ms == AT_ONCE else self.now + delay_ms,
        )
        if not self.queue.enqueue(message, self.now):
            reached.add("refused")

    @rule(reader=READERS, selects=st.booleans(), only_new=st.booleans(), mode=st.sampled_from(Mode))
    def attach(self, reader: int, selects: bool, only_new: bool, mode: Mode) -> None:
        terms = Terms(Wants() if selects else None, UNBOUNDED, only_new)
        self.close(reader, mode)
        subscription = self.queue.subscribe(mode, Bell(), terms, self.now)
        if subscription.mode is Mode.CONSUME:
            self.consumers[reader] = subscription
        else:
            self.browsers[reader] = subscription
            # What it is not to see counts as seen.
            self.seen[reader] = {e.sequence for e in self.queue.entries()} if only_new else set()

    @rule(reader=READERS, mode=st.sampled_from(Mode))
    def close(self, reader: int, mode: Mode) -> None:
        readers = self.consumers if mode is Mode.CONSUME else self.browsers
        subscription = readers.pop(reader, None)
        if subscription is not None:
            self.queue.unsubscribe(subscription, self.now)
            self.held = [each for each in self.held if each[0] != subscription.number]

    @rule(reader=READERS, most=st.integers(1, 3))
    def consume(self, reader: int, most: int) -> None:
        if reader in self.consumers:
            for _ in range(most):
                self.take(self.consumers[reader])

    def take(self, subscription: Subscription) -> None:
        self.queue.advance(self.now)
        expected = self.next_for(subscription)
        first = min(self.available(), default=None)
        entry = self.queue.next(subscription, self.now)
        assert (None if entry is None else entry.sequence) == expected
        if entry is not None:
            self.held.append((subscription.number, entry))
            self.ever_held.add(entry.sequence)
            reached.add("consumed from the middle" if entry.sequence != first else "consumed")

    @rule(reader=READERS, most=st.integers(1, 5))
    def browse(self, reader: int, most: int) -> None:
        subscription = self.browsers.get(reader)
        if subscription is None:
            return
        self.queue.advance(self.now)
        for _ in range(most):
            entry = self.queue.next(subscription, self.now)
            if entry is None:
                assert self.unseen_by(reader, subscription) == []
                reached.add("browsed to the end")
                return
            assert entry.state == AVAILABLE
            assert entry.sequence not in self.seen[reader]
            assert subscription.terms.admits(entry)
            self.seen[reader].add(entry.sequence)

    @precondition(lambda self: self.held)
    @rule(which=st.integers(0, 10), outcome=OUTCOMES)
    def settle(self, which: int, outcome: Outcome) -> None:
        _, entry = self.held.pop(which % len(self.held))
        self.queue.settle(entry, outcome, self.now)
        if self.queue.removed(Reason.DEAD_LETTERED):
            reached.add("dead letter")

    @rule(milliseconds=st.sampled_from([1, 4, 5, 10]))
    def wait(self, milliseconds: int) -> None:
        self.now += milliseconds
        deadline = self.queue.next_deadline()
        self.queue.advance(self.now)
        if deadline <= self.now:
            reached.add("something fell due")
        assert self.queue.next_deadline() > self.now or self.held

    @rule(ttl_ms=st.sampled_from([0, 3, 50]))
    def change(self, ttl_ms: int) -> None:
        arguments = {**self.kind, "maximum_ttl_ms": ttl_ms}
        changed = spec_from_arguments("q", arguments)
        if changed.ordering == self.queue.spec.ordering and self.queue.spec.grouping is None:
            readers = self.queue.spec.readers
            if not readers.live and not readers.non_destructive:
                self.queue.reconfigure(changed, self.now)
                reached.add("reconfigured")

    @precondition(lambda self: self.number % 7 == 6)
    @rule()
    def purge(self) -> None:
        self.queue.purge()
        assert all(entry.state == ACQUIRED for entry in self.queue.entries())

    # ------------------------------------------------------------------ what plainly is

    def available(self) -> list[int]:
        return [entry.sequence for entry in self.queue.entries() if entry.state == AVAILABLE]

    def next_for(self, consumer: Subscription) -> int | None:
        if not consumer.live:
            return None
        owners = {
            entry.group.name: number for number, entry in self.held if entry.group and entry.state == ACQUIRED
        }
        found = [
            entry
            for entry in self.queue.entries()
            if entry.state == AVAILABLE
            and consumer.terms.admits(entry)
            and (entry.group is None or entry.group.owner in (0, consumer.number))
        ]
        for entry in found:
            if entry.group is not None and entry.group.name in owners:
                assert owners[entry.group.name] == consumer.number
                reached.add("a group went on")
        if len(found) < len(self.available()):
            reached.add("passed over")
        return min(found, key=lambda entry: rank_of(self.queue, entry)).sequence if found else None

    def unseen_by(self, reader: int, browser: Subscription) -> list[int]:
        """What the browser should have seen: all but what a consumer held, and what was replaced in place."""
        if "lvq_placement" in self.kind:
            return []
        return [
            entry.sequence
            for entry in self.queue.entries()
            if entry.state == AVAILABLE
            and browser.terms.admits(entry)
            and entry.sequence not in self.seen[reader] | self.ever_held
        ]

    # ------------------------------------------------------------------ what always holds

    @invariant()
    def everything_is_accounted_for(self) -> None:
        if not hasattr(self, "queue"):
            return
        queue, entries = self.queue, self.queue.entries()
        check_queue(queue)
        assert queue.depth == len(entries)
        assert queue.available == sum(entry.state == AVAILABLE for entry in entries)
        assert queue.sequence == queue.published
        if "lvq_key" in self.kind and "lvq_placement" not in self.kind:
            keys = [e.key for e in entries if e.key is not None and e.state != HELD_BACK]
            assert len(keys) == len(set(keys))
        held = [(number, entry) for number, entry in self.held if entry.state == ACQUIRED and entry.group]
        for number, entry in held:
            assert entry.group is not None
            assert all(other == number for other, each in held if each.group is entry.group)

    def teardown(self) -> None:
        if not hasattr(self, "queue"):
            return
        self.effects += self.queue.drain()
        rebuilt = Queue(spec_from_arguments("q", {**self.kind, **_fixed(self.queue)}))
        rebuilt.replay(self.effects)
        assert [_told(e) for e in rebuilt.entries()] == [_told(e) for e in self.queue.entries()]
        assert rebuilt.published == self.queue.published


def _fixed(queue: Queue) -> dict[str, Any]:
    grouping = queue.spec.grouping
    if grouping is None:
        return {}
    mode = "shared" if grouping.shared else "default"
    found: dict[str, Any] = {"group_mode": mode, "group_buckets": grouping.buckets}
    return found if grouping.key is None else {**found, "group_key": grouping.key}


def _told(entry: Entry) -> tuple[Any, ...]:
    return (
        entry.sequence,
        entry.key,
        entry.state,
        entry.rank,
        entry.place,
        entry.updates,
        entry.delivery_count,
    )


TestQueueBehaviours = QueueBehaviours.TestCase
TestQueueBehaviours.settings = settings(max_examples=EXAMPLES, stateful_step_count=50, deadline=None)


def scripted(kind: dict[str, Any], **options: Any) -> QueueBehaviours:
    machine = QueueBehaviours()
    machine.declare(kind=kind, options=options)
    return machine


def sent(machine: QueueBehaviours, count: int, **named: Any) -> None:
    machine.send(ttl_ms=NEVER, delay_ms=AT_ONCE, priority=4, mark=False, count=count, **named)


def test_a_group_goes_on_with_the_consumer_that_has_it() -> None:
    machine = scripted({}, group_key="g", group_mode="shared")
    sent(machine, 3, group="g1")
    for reader in (0, 1, 0):
        machine.consume(reader=reader, most=1)
    assert "a group went on" in reached
    machine.teardown()


def test_a_message_that_failed_too_often_is_a_dead_letter() -> None:
    machine = scripted({"priorities": 3}, max_delivery_attempts=1)
    sent(machine, 1)
    machine.consume(reader=0, most=1)
    machine.settle(which=0, outcome=Outcome.MODIFIED_FAILED)
    assert "dead letter" in reached
    machine.everything_is_accounted_for()
    machine.teardown()


def test_a_full_queue_refuses_and_a_ring_drops() -> None:
    for when_full, removed in (("refuse", 0), ("drop-oldest", 1)):
        machine = scripted({}, max_messages=2, when_full=when_full)
        sent(machine, 3)
        assert machine.queue.removed(Reason.OVERFLOW) == removed
        machine.teardown()
    assert "refused" in reached


def test_a_selective_consumer_takes_from_the_middle_and_a_browser_sees_what_comes_before_its_place() -> None:
    machine = scripted({"priorities": 10})
    sent(machine, 1)
    machine.browse(reader=2, most=5)
    machine.send(ttl_ms=5, delay_ms=2, priority=9, mark=True, count=1)
    machine.attach(reader=0, selects=True, only_new=False, mode=Mode.CONSUME)
    machine.wait(milliseconds=4)
    machine.browse(reader=2, most=1)
    machine.close(reader=1, mode=Mode.CONSUME)
    machine.consume(reader=0, most=1)
    sent(machine, 1)
    machine.consume(reader=0, most=1)
    machine.wait(milliseconds=10)
    machine.teardown()
    assert reached >= {"passed over", "something fell due", "browsed to the end"}


def test_the_behaviours_that_matter_were_reached() -> None:
    assert reached >= {"consumed", "browsed to the end", "something fell due", "passed over"}
    assert reached >= {"refused", "a group went on", "dead letter"}
