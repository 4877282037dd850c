"""The queue engine with every option against a naive one; its links and sizes; what its effects rebuild.

`test_queue` has AMQP messages and few options; this machine has canned messages, all options, clocks that are
set back, and looks inside.
"""

from typing import Any

from canned_message import Bell, CannedMessage
from example_counts import example_count
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from keyed_entries import keyed_entries
from naive_queue import NaiveQueue
from reached_states import live_on

from lastvalue.model.message import NEVER
from lastvalue.queues.contents import Contents
from lastvalue.queues.deadlines import SLACK
from lastvalue.queues.effects import Added, Dismissed, Effect, Reason, Removed, Updated
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, REMOVED, Entry
from lastvalue.queues.invariants import check_queue
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome, Subscription

EXAMPLES = example_count(200)
KEYS = st.sampled_from([None, "a", "b", "c"])
ORDERS = st.sampled_from([None, 1, 2, 3, 2.0, "x", "y"])
TTLS = st.sampled_from([None, None, 5, 10])
READERS = st.integers(0, 2)
OPTIONS = st.fixed_dictionaries(
    {
        "lvq_key": st.sampled_from(["k", "k", "k", None]),
        "order_by": st.sampled_from(["o", "o", None]),
        "order_missing": st.sampled_from(["replace", "stale"]),
        "max_messages": st.sampled_from([0, 0, 2, 4]),
        "max_bytes": st.sampled_from([0, 0, 100]),
        "when_full": st.sampled_from(["refuse", "drop-oldest"]),
        "minimum_ttl_ms": st.sampled_from([0, 0, 7]),
        "maximum_ttl_ms": st.sampled_from([0, 0, 12]),
    }
)
reached: set[str] = set()


class QueueStructure(RuleBasedStateMachine):
    @initialize(options=OPTIONS)
    def declare(self, options: dict[str, Any]) -> None:
        if options["lvq_key"] is None:
            options["order_by"] = None
        if options["order_by"] is None:
            options["order_missing"] = None
        given = {name: value for name, value in options.items() if value is not None}
        self.queue = Queue(spec_from_arguments("q", given))
        self.naive = NaiveQueue(given)
        self.now = 1_000
        self.count = 0
        self.consumers: dict[int, Subscription] = {}
        self.browsers: dict[int, Subscription] = {}
        self.held: list[Entry] = []
        self.stood: dict[int, tuple[int, Entry | None]] = {}
        self.history: list[Effect] = []
        self.drained = 0
        self.rebuilt = Queue(self.queue.spec)
        self.restored: Queue | None = None
        self.later: list[Effect] = []

    def teardown(self) -> None:
        if hasattr(self, "queue"):
            self.drain()
            rebuilt = Queue(self.queue.spec)
            rebuilt.replay(self.history)
            self.check_rebuilt(rebuilt)
            self.check_everything_leaves()

    # ---- producing

    @rule(
        key=KEYS,
        order=ORDERS,
        ttl_ms=TTLS,
        size_bytes=st.sampled_from([10, 30, 110]),
        updates=st.sampled_from([1, 3]),
    )
    def enqueue(self, key: str | None, order: Any, ttl_ms: int | None, size_bytes: int, updates: int) -> None:
        self.count += 1
        message = CannedMessage(
            {"k": key, "o": order},
            body=str(self.count).encode().ljust(size_bytes),
            updates=updates,
            ttl_ms=NEVER if ttl_ms is None else ttl_ms,
        )
        row = {
            "id": self.count, "key": key, "order": order, "updates": updates, "ttl_ms": ttl_ms,
            "size_bytes": size_bytes,
        }  # fmt: skip
        current = self.naive.current(key)
        acquired = current is not None and current["holder"] is not None
        taken = self.queue.enqueue(message, self.now)
        assert taken == self.naive.enqueue(row, self.now)
        if not taken:
            reached.add("refused")
        if current is not None and acquired and current not in self.naive.items:
            reached.add("replaced while acquired")

    @rule(key=KEYS)
    def enqueue_many_that_expire(self, key: str | None) -> None:
        for _ in range(40):
            self.enqueue(key, 2, 10, 10, 1)

    @rule(key=st.sampled_from("ab"), orders=st.sampled_from([(3, 1), (2.0, 1), ("y", "x"), ("x", 1), (2, 2)]))
    def enqueue_newer_then_older(self, key: str, orders: tuple[Any, Any]) -> None:
        for order in orders:
            self.enqueue(key, order, None, 10, 1)

    # ---- reading

    @rule(number=READERS, most=st.integers(1, 4))
    def acquire(self, number: int, most: int) -> None:
        if number not in self.consumers:
            self.consumers[number] = self.queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
        for _ in range(most):
            entry = self.queue.next(self.consumers[number], self.now)
            expected = self.naive.acquire(number, self.now)
            self.check_given(entry, expected)
            if entry is None:
                break
            self.held.append(entry)

    @rule(number=READERS, most=st.integers(1, 4))
    def browse(self, number: int, most: int) -> None:
        if number not in self.browsers:
            self.browsers[number] = self.queue.subscribe(Mode.BROWSE, Bell(), ANY, 0)
            self.naive.read[number] = 0
        before = self.naive.read[number]
        for _ in range(most):
            entry = self.queue.next(self.browsers[number], self.now)
            self.check_given(entry, self.naive.browse(number, self.now))
            if entry is None:
                break
            assert entry.sequence > before
            before = entry.sequence

    def check_given(self, entry: Entry | None, expected: dict[str, Any] | None) -> None:
        assert (entry is None) == (expected is None)
        if entry is not None and expected is not None:
            assert entry.sequence == expected["sequence"]
            assert int(entry.message.encoded) == expected["id"]

    @precondition(lambda self: self.held)
    @rule(index=st.integers(0, 99), size_bytes=st.sampled_from([10, 30]))
    def enqueue_what_is_held(self, index: int, size_bytes: int) -> None:
        item = self.naive.find(self.held[index % len(self.held)].sequence)
        self.enqueue(None if item is None else item["key"], 3, None, size_bytes, 1)

    @precondition(lambda self: self.held)
    @rule(index=st.integers(0, 99), outcome=st.sampled_from([*Outcome, Outcome.RELEASED]))
    def settle(self, index: int, outcome: Outcome) -> None:
        entry = self.held.pop(index % len(self.held))
        item = self.naive.find(entry.sequence)
        release = outcome in (Outcome.RELEASED, Outcome.MODIFIED_FAILED)
        if release and item is None:
            reached.add("released after a newer value")
        if (
            item is not None
            and release
            and any(i["sequence"] < entry.sequence for i in self.naive.available())
        ):
            reached.add("released into the middle")
        self.queue.settle(entry, outcome, self.now)
        self.naive.settle(entry.sequence, outcome.value, self.now)
        if release and item is not None and self.naive.gone[-1:] == [(entry.sequence, "expired")]:
            reached.add("expired while held")

    @rule(number=READERS, order=st.permutations(range(3)))
    def release_in_any_order(self, number: int, order: list[int]) -> None:
        self.purge()
        for _ in order:
            self.enqueue(None, None, None, 10, 1)
        self.browse((number + 1) % 3, 0)
        self.acquire(number, 3)
        for index in order[: len(self.held)]:
            self.settle(index, Outcome.RELEASED)
            self.browse((number + 1) % 3, 1)

    @rule(number=READERS)
    def let_expire_what_is_read_next(self, number: int) -> None:
        for _ in range(3):
            self.enqueue(None, None, 5, 10, 1)
        self.browse(number, 1)
        self.wait(10)
        self.advance()

    @rule(number=READERS, key=KEYS)
    def replace_what_is_held(self, number: int, key: str | None) -> None:
        self.purge()
        self.enqueue(key, None, None, 10, 1)
        self.acquire(number, 1)
        self.enqueue(key, None, None, 10, 1)
        if self.held:
            self.settle(len(self.held) - 1, Outcome.MODIFIED_FAILED)

    @rule(number=READERS)
    def hold_past_the_deadline(self, number: int) -> None:
        self.enqueue(None, None, 5, 10, 1)
        self.acquire(number, 4)
        self.wait(10)
        self.advance()

    @rule(number=READERS)
    def unsubscribe_consumer(self, number: int) -> None:
        if number in self.consumers:
            self.queue.unsubscribe(self.consumers.pop(number), self.now)
            self.naive.unsubscribe(number, self.now)
            self.held = [entry for entry in self.held if entry.state == ACQUIRED]

    @rule(number=READERS)
    def unsubscribe_browser(self, number: int) -> None:
        if number in self.browsers:
            subscription = self.browsers.pop(number)
            self.stood.pop(subscription.number, None)
            self.queue.unsubscribe(subscription, self.now)

    # ---- time and administration

    @rule(milliseconds=st.sampled_from([1, 5, 10]))
    def wait(self, milliseconds: int) -> None:
        self.now += milliseconds

    @rule()
    def set_the_clock_back(self) -> None:
        self.now -= 3

    @rule()
    def advance(self) -> None:
        self.queue.advance(self.now)
        self.naive.advance(self.now)
        assert self.queue.next_deadline() > self.now

    @rule()
    def purge(self) -> None:
        assert self.queue.purge() == self.naive.purge()

    @rule()
    def keep_and_restore(self) -> None:
        """A snapshot from which the effects that follow must lead to the same queue."""
        self.drain()
        self.restored = Queue(self.queue.spec)
        self.restored.restore(self.queue.entries(), self.queue.sequence)
        self.later = []
        assert queued_message(self.restored) == queued_message(self.queue)

    # ---- what always holds

    def drain(self) -> None:
        effects = self.queue.drain()
        for effect in effects:
            if isinstance(effect, Removed | Dismissed | Updated):
                entry = effect.previous if isinstance(effect, Updated) else effect.entry
                assert (entry.state, entry.previous, entry.next, entry.holder) == (REMOVED, None, None, 0)
        sequences = [
            effect.entry.sequence for effect in effects if isinstance(effect, Added | Updated | Dismissed)
        ]
        assert sequences == list(range(self.drained + 1, self.naive.sequence + 1))
        self.drained = self.naive.sequence
        self.rebuilt.replay(effects)
        self.history += effects
        self.later += effects

    @invariant()
    def it_is_what_the_naive_queue_is(self) -> None:
        if not hasattr(self, "queue"):
            return
        queue, naive = self.queue, self.naive
        assert queued_message(queue) == [
            (
                item["sequence"],
                item["id"],
                None if item["key"] is None else repr(item["key"]).encode(),
                item["order"],
                item["updates"],
                NEVER if item["deadline"] is None else item["deadline"],
                item["failed"],
                item["holder"] is not None,
            )
            for item in sorted(naive.items, key=lambda item: item["sequence"])
        ]
        assert (queue.depth, queue.available) == (len(naive.items), len(naive.available()))
        assert queue.depth_bytes == sum(item["size_bytes"] for item in naive.items)
        assert (queue.sequence, queue.published, queue.refused) == (
            naive.sequence,
            naive.sequence,
            naive.refused,
        )
        reasons = [reason for _, reason in naive.gone]
        assert {reason.name.lower(): queue.removed(reason) for reason in Reason} == {
            reason.name.lower(): reasons.count(reason.name.lower()) for reason in Reason
        }
        check_queue(queue)
        for number, subscription in self.consumers.items():
            assert {entry.sequence for entry in subscription.held.entries()} == {
                item["sequence"] for item in naive.held(number)
            }
            assert {entry.holder for entry in subscription.held.entries()} <= {subscription.number}
        reached.update(reasons)

    @invariant()
    def the_line_is_linked_both_ways(self) -> None:
        if not hasattr(self, "queue"):
            return
        contents = self.queue._contents
        forward = walked(contents)
        assert [entry.sequence for entry in forward] == [item["sequence"] for item in self.naive.available()]
        backward = []
        entry = contents.available_list.tail
        while entry is not None:
            backward.append(entry)
            entry = entry.previous
        assert backward == forward[::-1]
        assert all(entry.state == AVAILABLE for entry in forward)
        returned = contents.available_list.placed.entries()
        assert [entry.sequence for entry in returned] == sorted((e.sequence for e in returned), reverse=True)
        assert set(map(id, returned)) <= set(map(id, forward))

    @invariant()
    def each_browser_stands_at_the_first_entry_it_has_not_passed(self) -> None:
        if not hasattr(self, "queue"):
            return
        available_list, active_cursor = (
            self.queue._contents.available_list,
            self.queue._browsers.active_cursor,
        )
        forward = walked(self.queue._contents)
        at: dict[int, Entry | None] = {}
        for subscription in self.browsers.values():
            expected = next((e for e in forward if e.sequence > subscription.last_place), None)
            if subscription is active_cursor:
                assert subscription.browser_position is None
                at[subscription.number] = subscription.at
            else:
                position = subscription.browser_position
                assert position is not None
                assert position.subscriptions[subscription.position_index] is subscription
                assert position is (
                    available_list.caught_up
                    if position.entry is None
                    else available_list._positions[position.entry.sequence]
                )
                at[subscription.number] = position.entry
            assert at[subscription.number] is expected
            self.note_hand_over(subscription, expected)
        standing_at = [
            position.subscriptions
            for position in [*available_list._positions.values(), available_list.caught_up]
        ]
        assert all(standing_at[:-1])
        assert sum(map(len, standing_at)) == len(self.browsers) - (active_cursor is not None)

    def note_hand_over(self, subscription: Subscription, stands: Entry | None) -> None:
        last, stood = self.stood.get(subscription.number, (-1, None))
        if last == subscription.last_place and stood is not None and stood is not stands:
            if stood.state == AVAILABLE:
                reached.add("a browser sees what came back")
            else:
                reached.add("parked cursor handed over")
        self.stood[subscription.number] = (subscription.last_place, stands)

    @invariant()
    def nothing_grows_beyond_what_is_present(self) -> None:
        if not hasattr(self, "queue"):
            return
        contents, items = self.queue._contents, self.naive.items
        assert {key: entry.sequence for key, entry in keyed_entries(contents.current).items()} == {
            repr(item["key"]).encode(): item["sequence"] for item in items if item["key"] is not None
        }
        watched = sum(item["deadline"] is not None for item in items)
        assert contents.deadlines._live == watched
        assert len(contents.deadlines) <= 2 * watched + SLACK
        due = [item["deadline"] for item in self.naive.available() if item["deadline"] is not None]
        assert not due or 0 <= self.queue.next_deadline() <= min(due)
        assert contents.held_bytes == sum(item["size_bytes"] for item in items if item["holder"] is not None)
        waiting = sorted(
            subscription.number for subscription in self.consumers.values() if subscription.waiting
        )
        consumers = self.queue._consumers
        first = [] if consumers._first_waiting is None else [consumers._first_waiting.number]
        assert sorted([*first, *consumers._waiting]) == waiting

    @invariant()
    def nobody_sleeps_through_a_message(self) -> None:
        if not hasattr(self, "queue"):
            return
        unseen = {number: len(self.naive.available()) for number in self.consumers}
        assert not any(self.consumers[number].waiting and count for number, count in unseen.items())
        for number, subscription in self.browsers.items():
            sequences = [item["sequence"] for item in self.naive.available()]
            assert not (subscription.waiting and any(s > self.naive.read[number] for s in sequences))

    @invariant()
    def its_effects_rebuild_it(self) -> None:
        if not hasattr(self, "queue"):
            return
        self.drain()
        self.check_rebuilt(self.rebuilt)
        if self.restored is not None:
            self.restored.replay(self.later)
            self.later = []
            assert queued_message(self.restored) == queued_message(self.queue)
            reached.add("replayed after a snapshot")

    def check_rebuilt(self, rebuilt: Queue) -> None:
        assert queued_message(rebuilt) == queued_message(self.queue)
        assert figures(rebuilt) == figures(self.queue)

    def check_everything_leaves(self) -> None:
        """Without consumers and messages nothing is left inside."""
        for number in range(3):
            self.unsubscribe_consumer(number)
            self.unsubscribe_browser(number)
        self.queue.delete()
        contents = self.queue._contents
        assert (
            contents.available_list.head,
            contents.available_list.tail,
            contents.available_list.positions,
        ) == (None, None, 0)
        assert contents.available_list.placed.runs == []
        assert (len(contents.current), contents.held_bytes, contents.depth_bytes, self.queue.depth) == (
            0,
            0,
            0,
            0,
        )
        assert self.queue.next_deadline() == NEVER
        assert len(contents.deadlines) == 0


def walked(contents: Contents) -> list[Entry]:
    found = []
    entry = contents.available_list.head
    while entry is not None:
        found.append(entry)
        entry = entry.next
    return found


def queued_message(queue: Queue) -> list[tuple[object, ...]]:
    return [
        (
            entry.sequence,
            int(entry.message.encoded),
            entry.key,
            entry.order,
            entry.updates,
            entry.expires_ms,
            entry.delivery_count,
            entry.state == ACQUIRED,
        )
        for entry in queue.entries()
    ]


def figures(queue: Queue) -> tuple[object, ...]:
    removed = [queue.removed(reason) for reason in Reason]
    return (
        queue.depth,
        queue.available,
        queue.depth_bytes,
        queue.sequence,
        queue.published,
        queue.refused,
        removed,
    )


TestQueueStructure = QueueStructure.TestCase
TestQueueStructure.settings = settings(
    max_examples=EXAMPLES, stateful_step_count=80, deadline=None, derandomize=EXAMPLES <= 200
)


def test_the_structure_was_seen_in_every_state_that_matters() -> None:
    wanted = {
        *("replaced", "stale", "expired", "accepted", "rejected", "overflow", "purged", "refused"),
        *("replaced while acquired", "released after a newer value", "released into the middle"),
        *("expired while held", "parked cursor handed over", "a browser sees what came back"),
        "replayed after a snapshot",
    }
    live_on(QueueStructure, reached, wanted)
