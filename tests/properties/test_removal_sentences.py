"""The law of explanations: each sentence of WHY says what happened when the message left, and nothing else.

After each command the test compares what is on the queue with what was there before, so it knows which
messages the command has removed, and writes down what is to be said of them. The broker's log gets the
effects later, at the end of a turn of several commands: what it says must not depend on what the queue holds
by then.
"""

from typing import Any, Final

from bare_queue import encoded
from broker_desk import LimitedReceiver
from example_counts import example_count
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from reached_states import live_on

from lastvalue.broker.broker import Broker
from lastvalue.broker.message_walk import Choice
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.requests.message_requests import delete_messages, move_messages
from lastvalue.broker.rights.owner import Owner
from lastvalue.client.explanation import explanations
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome

EXAMPLES = example_count(200)
DECLARATIONS = st.sampled_from(
    [
        {"lvq_key": "k"},
        {"lvq_key": "k", "order_by": "o"},
        {"lvq_key": "k", "order_by": "o", "lvq_placement": "in-place-no-browse"},
        {"lvq_key": "k", "lvq_placement": "in-place", "delete_on_empty": True},
        {"lvq_key": "k", "order_by": "o", "delete_on_empty": True, "filter": "o <> 3"},
        {"lvq_key": "k", "max_keys": 1, "when_full": "drop-oldest"},
        {"max_messages": 2, "when_full": "drop-oldest", "filter": "o <> 3"},
        {"lvq_key": "k", "order_by": "o", "max_delivery_attempts": 1, "alternate": "dead"},
    ]
)
USERS = st.sampled_from(["alice", "bob"])
KEYS = st.sampled_from(["a", "b"])
CONSUMED: Final = {
    Outcome.ACCEPTED: "a consumer of {user} accepted it",
    Outcome.REJECTED: "a consumer of {user} rejected it{dead}",
    Outcome.MODIFIED_FAILED: (
        "its deliveries failed as often as the queue allows, the last one to a consumer of {user}{dead}"
    ),
    Outcome.RELEASED: "it does not leave so",
}
EXPIRED: Final = "its time was over"
REPLACED: Final = "replaced by a newer value of its key, {newer}"
reached: set[str] = set()


class Removals(RuleBasedStateMachine):
    @initialize(options=DECLARATIONS)
    def declare(self, options: dict[str, Any]) -> None:
        self.broker = Broker()
        self.broker.declare(QueueSpec("dead"))
        self.broker.declare(QueueSpec("other"))
        self.broker.declare(spec_from_arguments("q", {**options, "removal_log": 10_000}))
        self.queue = self.broker.lookup("q").queue
        self.options = options
        self.dead = "; such messages go to 'dead'" if "alternate" in options else ""
        self.now = 1_000
        self.sent: dict[int, tuple[str, int | None]] = {}
        self.held: list[tuple[str, QueueReader, Entry]] = []
        self.superseded: dict[int, int] = {}
        self.expected: dict[int, str] = {}

    # ------------------------------------------------------------------ commands

    @rule(
        key=KEYS,
        order=st.sampled_from([None, 1, 2, 3]),
        body=st.sampled_from(["x", "x", "x", ""]),
        ttl_ms=st.sampled_from([None, None, 3]),
    )
    def publish(self, key: str, order: int | None, body: str, ttl_ms: int | None) -> None:
        properties: dict[str, Any] = {"k": key} if order is None else {"k": key, "o": order}
        before = self.present()
        due = self.due(before)
        value = self.value_of(key, before)
        message = read_message(encoded(body, properties, ttl_ms))
        self.broker.publish(self.broker.queue_target("q"), message, self.now)
        newest = int(self.queue.sequence)
        self.sent[newest] = (key, order)
        after = self.present()
        came = newest in after
        if not came:
            self.expected[newest] = self.dismissal(order, value)
        for sequence, entry in before.items():
            if sequence not in after:
                reason = self.cause_of(sequence, key, newest, came=came)
                self.expected[sequence] = EXPIRED if sequence in due else reason
            elif came and entry is value:
                self.superseded[sequence] = newest
        self.note_reached()

    def dismissal(self, order: int | None, value: Entry | None) -> str:
        """Why a message leaves at once."""
        if self.options.get("filter") and (order is None or order == 3):
            return "the queue's filter did not select it: o <> 3"
        ordered = value is not None and "order_by" in self.options
        than = None if value is None or not ordered else self.sent[int(value.sequence)][1]
        if value is not None and than is not None and order is not None and order < than:
            return f"stale, a newer value of its key was there, {value.sequence}: {order} < {than}"
        deletes = "delete_on_empty" in self.options
        return "it deleted the value of its key" if deletes else "the queue was full when it came"

    def cause_of(self, sequence: int, key: str, newest: int, *, came: bool) -> str:
        """Why an entry left when a message came, which is on the queue now or not."""
        if "lvq_key" in self.options and self.sent[sequence][0] == key:
            return REPLACED.format(newer=newest) if came else f"its key was deleted by message {newest}"
        return f"the queue was full when {newest} came, and it was the first to leave"

    @rule(user=USERS)
    def consume(self, user: str) -> None:
        before = self.present()
        receiver = LimitedReceiver(1)
        owner = Owner(principal=user)
        reader = self.broker.read(self.broker.lookup("q"), Mode.CONSUME, receiver, ANY, owner, self.now)
        reader.wake()
        self.broker.pump(self.now)
        self.expired_since(before)
        self.held += [(user, reader, entry) for entry in receiver.got]
        if not receiver.got:
            self.broker.stop(reader, self.now)

    @precondition(lambda self: self.held)
    @rule(at=st.integers(0, 5), outcome=st.sampled_from(Outcome), leaves=st.booleans())
    def settle(self, at: int, outcome: Outcome, leaves: bool) -> None:
        user, reader, entry = self.held.pop(at % len(self.held))
        before = self.present()
        reader.settle(entry, outcome, self.now)
        if leaves:
            self.broker.stop(reader, self.now)
        text = CONSUMED[outcome].format(user=user, dead=self.dead)
        self.tell_gone(before, lambda gone: self.released(gone, text, outcome))

    def released(self, entry: Entry, text: str, outcome: Outcome) -> str:
        """Why an entry left when its delivery ended."""
        if outcome in (Outcome.ACCEPTED, Outcome.REJECTED):
            return text
        if entry.expires_ms <= self.now:
            return EXPIRED
        newer = self.superseded.get(int(entry.sequence))
        if newer is not None:
            return REPLACED.format(newer=newer)
        full = outcome is Outcome.RELEASED or not self.options.get("max_delivery_attempts")
        return "the queue was full" if full else text

    @precondition(lambda self: "lvq_key" in self.options)
    @rule(key=KEYS, user=USERS, many=st.booleans())
    def delete_key(self, key: str, user: str, many: bool) -> None:
        body: dict[str, Any] = {"delete": [key]} if many else {"key": key}
        self.ask("PUT_MANY" if many else "DELETE_KEY", body, user, f"its key was deleted by {user}")

    @rule(user=USERS)
    def purge(self, user: str) -> None:
        self.ask("PURGE", {}, user, f"purged by {user}")

    @rule(user=USERS)
    def move(self, user: str) -> None:
        before = self.present()
        choice = Choice(lambda _: True, 1)
        move_messages(self.broker, "q", "other", choice, self.now, Owner(principal=user))
        self.tell_gone(before, lambda gone: f"moved to 'other' by {user}")

    @rule(user=USERS)
    def delete_one(self, user: str) -> None:
        before = self.present()
        delete_messages(self.broker, "q", Choice(lambda _: True, 1), self.now, Owner(principal=user))
        self.tell_gone(before, lambda gone: f"purged by {user}")

    def ask(self, operation: str, body: dict[str, Any], user: str, text: str) -> None:
        before = self.present()
        due = self.due(before) if operation != "PURGE" else set()
        answer = manage(self.broker, Request(operation, "queue", "q", body), self.now, Owner(principal=user))
        assert answer.status < 300, answer
        self.tell_gone(before, lambda gone: EXPIRED if gone.sequence in due else text)

    @rule(passed_ms=st.integers(1, 4))
    def wait(self, passed_ms: int) -> None:
        self.now += passed_ms

    @rule()
    def expire(self) -> None:
        before = self.present()
        self.queue.advance(self.now)
        self.broker.lookup("q").mark_changed()
        self.expired_since(before)

    # ------------------------------------------------------------------ what is said

    @rule()
    def end_turn(self) -> None:
        self.broker.drain(self.now)
        told: dict[int, str] = {}
        for sequence in range(1, int(self.queue.sequence) + 1):
            asked = Request("WHY", "queue", "q", {"sequence": sequence})
            found = explanations(manage(self.broker, asked, self.now, Owner()).body).found
            told |= {each.sequence: each.text for each in found}
        assert told == self.expected

    def teardown(self) -> None:
        if hasattr(self, "broker"):
            self.end_turn()

    # ------------------------------------------------------------------ what is there

    def present(self) -> dict[int, Entry]:
        return {int(entry.sequence): entry for entry in self.queue.entries()}

    def value_of(self, key: str, entries: dict[int, Entry]) -> Entry | None:
        """The value of a key, unless it is about to expire."""
        due = self.due(entries)
        values = [
            entry
            for sequence, entry in entries.items()
            if self.sent[sequence][0] == key and sequence not in self.superseded and sequence not in due
        ]
        return max(values, key=lambda entry: entry.sequence, default=None)

    def due(self, entries: dict[int, Entry]) -> set[int]:
        """The entries that expire now: a consumer that holds one keeps it."""
        held = {int(entry.sequence) for _, _, entry in self.held}
        return {at for at, entry in entries.items() if entry.expires_ms <= self.now and at not in held}

    def expired_since(self, before: dict[int, Entry]) -> None:
        self.tell_gone(before, lambda gone: EXPIRED)

    def tell_gone(self, before: dict[int, Entry], said: Any) -> None:
        after = self.present()
        self.expected |= {at: said(entry) for at, entry in before.items() if at not in after}
        self.note_reached()

    def note_reached(self) -> None:
        reached.update(text.split(" ")[0] for text in self.expected.values())


def test_each_sentence_says_what_happened() -> None:
    live_on(Removals, reached, {"replaced", "stale,", "its", "a", "the", "it", "purged", "moved"})


TestRemovals = Removals.TestCase
TestRemovals.settings = settings(max_examples=EXAMPLES, stateful_step_count=25, deadline=None)
